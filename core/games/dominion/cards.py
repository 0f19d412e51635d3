"""What lies on a table of Dominion: 39 kinds of cards, the zones they lie in, what is counted.

A card is a line and a number here, its text in `card_texts.py`, its rules in `rules_text.py`, and
its words in each of `locales`; bots play one that they know nothing about by its cost.

A face is a kind, and the pile of a kind in the supply is the zone with the number of its face, so
`table.zones[GOLD]` is the Gold that is left.  Piles that a game does not use are empty and never
counted as run out (see `empty_piles`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from core.native import i64
from core.table import Place, Sight, Table

TREASURE: Final = 1
VICTORY: Final = 2
CURSED: Final = 4
ACTION: Final = 8
ATTACK: Final = 16
REACTION: Final = 32


class Kind(NamedTuple):
    """What is printed on a card: key, cost in coins, types as bits, coins, victory points."""

    key: str
    cost: int
    types: int
    coins: int = 0
    points: int = 0
    edition: int = 0  # The only one that it is in; 0: both.


KINDS: Final = (
    Kind("copper", 0, TREASURE, coins=1),
    Kind("silver", 3, TREASURE, coins=2),
    Kind("gold", 6, TREASURE, coins=3),
    Kind("estate", 2, VICTORY, points=1),
    Kind("duchy", 5, VICTORY, points=3),
    Kind("province", 8, VICTORY, points=6),
    Kind("curse", 0, CURSED, points=-1),
    Kind("adventurer", 6, ACTION, edition=1),
    Kind("artisan", 6, ACTION, edition=2),
    Kind("bandit", 5, ACTION | ATTACK, edition=2),
    Kind("bureaucrat", 4, ACTION | ATTACK),
    Kind("cellar", 2, ACTION),
    Kind("chancellor", 3, ACTION, edition=1),
    Kind("chapel", 2, ACTION),
    Kind("council_room", 5, ACTION),
    Kind("feast", 4, ACTION, edition=1),
    Kind("festival", 5, ACTION),
    Kind("gardens", 4, VICTORY),
    Kind("harbinger", 3, ACTION, edition=2),
    Kind("laboratory", 5, ACTION),
    Kind("library", 5, ACTION),
    Kind("market", 5, ACTION),
    Kind("merchant", 3, ACTION, edition=2),
    Kind("militia", 4, ACTION | ATTACK),
    Kind("mine", 5, ACTION),
    Kind("moat", 2, ACTION | REACTION),
    Kind("moneylender", 4, ACTION),
    Kind("poacher", 4, ACTION, edition=2),
    Kind("remodel", 4, ACTION),
    Kind("sentry", 5, ACTION, edition=2),
    Kind("smithy", 4, ACTION),
    Kind("spy", 4, ACTION | ATTACK, edition=1),
    Kind("thief", 4, ACTION | ATTACK, edition=1),
    Kind("throne_room", 4, ACTION),
    Kind("vassal", 3, ACTION, edition=2),
    Kind("village", 3, ACTION),
    Kind("witch", 5, ACTION | ATTACK),
    Kind("woodcutter", 3, ACTION, edition=1),
    Kind("workshop", 3, ACTION),
)
COPPER: Final = 0
SILVER: Final = 1
GOLD: Final = 2
ESTATE: Final = 3
DUCHY: Final = 4
PROVINCE: Final = 5
CURSE: Final = 6
ADVENTURER: Final = 7
ARTISAN: Final = 8
BANDIT: Final = 9
BUREAUCRAT: Final = 10
CELLAR: Final = 11
CHANCELLOR: Final = 12
CHAPEL: Final = 13
COUNCIL_ROOM: Final = 14
FEAST: Final = 15
FESTIVAL: Final = 16
GARDENS: Final = 17
HARBINGER: Final = 18
LABORATORY: Final = 19
LIBRARY: Final = 20
MARKET: Final = 21
MERCHANT: Final = 22
MILITIA: Final = 23
MINE: Final = 24
MOAT: Final = 25
MONEYLENDER: Final = 26
POACHER: Final = 27
REMODEL: Final = 28
SENTRY: Final = 29
SMITHY: Final = 30
SPY: Final = 31
THIEF: Final = 32
THRONE_ROOM: Final = 33
VASSAL: Final = 34
VILLAGE: Final = 35
WITCH: Final = 36
WOODCUTTER: Final = 37
WORKSHOP: Final = 38
KEYS: Final = tuple(kind.key for kind in KINDS)
COST: Final = tuple(kind.cost for kind in KINDS)
COINS: Final = tuple(kind.coins for kind in KINDS)
POINTS: Final = tuple(kind.points for kind in KINDS)
BASIC_KINDS: Final = 7
KINGDOM_KINDS: Final = 10  # D4: of so many kinds is a kingdom.
SEATS_MAX: Final = 6


def of_type(types: int) -> tuple[int, ...]:
    """The faces that have one of these types."""
    return tuple(face for face, kind in enumerate(KINDS) if kind.types & types)


def kinds_in(faces: tuple[int, ...]) -> int:
    """The same set of faces as bits."""
    return sum([1 << face for face in faces])


def fitting(faces: tuple[int, ...]) -> tuple[bool, ...]:
    """For every face whether it is one of these."""
    return tuple(face in faces for face in range(len(KINDS)))


ALL: Final[tuple[int, ...]] = tuple(range(len(KINDS)))
COST_MAX: Final = 8
SCORING: Final = tuple(face for face in ALL if POINTS[face])  # Those with points printed.
ACTIONS_ALL: Final[tuple[int, ...]] = of_type(ACTION)
TREASURES: Final[tuple[int, ...]] = of_type(TREASURE)
VICTORIES: Final[tuple[int, ...]] = of_type(VICTORY)
ACTION_KINDS: Final = kinds_in(ACTIONS_ALL)
TREASURE_KINDS: Final = kinds_in(TREASURES)
IS_ACTION: Final = fitting(ACTIONS_ALL)
IS_TREASURE: Final = fitting(TREASURES)
IS_VICTORY: Final = fitting(VICTORIES)


def pile_heights(players: int) -> list[int]:
    """D1, D3, D4: how many cards of each kind a supply has, those of the first decks left out."""
    victories = 8 if players == 2 else 12
    boxes = 1 if players <= 4 else 2  # D1: five and six seats need a second set of basic cards.
    heights = [10] * len(KINDS)
    heights[COPPER] = 60 * boxes - 7 * players
    heights[SILVER], heights[GOLD] = 40 * boxes, 30 * boxes
    heights[ESTATE] = heights[DUCHY] = heights[GARDENS] = victories
    heights[PROVINCE] = {5: 15, 6: 18}.get(players, victories)
    heights[CURSE] = 10 * (players - 1)
    return heights


def empty_piles(table: Table) -> int:
    """How many of the 17 piles of the supply have run out."""
    zones = table.zones
    count: i64 = 0
    kind: i64
    for kind in table.counters[KINGDOM : KINGDOM + KINGDOM_KINDS]:
        if not zones[kind]:
            count += 1
    for pile in zones[:BASIC_KINDS]:
        if not pile:
            count += 1
    return count


# ---- zones: the supply by face, then these ----

TRASH: Final = 39  # After the last face.
BOX: Final = 40  # Kinds that are not in this kingdom.
_SEAT_ZONES: Final = 6
_FIRST: Final = tuple(BOX + 1 + _SEAT_ZONES * seat for seat in range(SEATS_MAX))
DECK: Final[tuple[int, ...]] = _FIRST  # Indexed by seat, like all of these.
HAND: Final[tuple[int, ...]] = tuple(zone + 1 for zone in _FIRST)
PLAY: Final[tuple[int, ...]] = tuple(zone + 2 for zone in _FIRST)
DISCARD: Final[tuple[int, ...]] = tuple(zone + 3 for zone in _FIRST)
LOOKING: Final[tuple[int, ...]] = tuple(zone + 4 for zone in _FIRST)  # By the owner alone.
SHOWN: Final[tuple[int, ...]] = tuple(zone + 5 for zone in _FIRST)  # Or set aside.
TO_TRASH: Final[tuple[int, ...]] = (TRASH,) * SEATS_MAX


def places(players: int) -> list[Place]:
    """Every zone, in the order of the constants above."""
    everyone, owner, nobody = Sight.EVERYONE, Sight.OWNER, Sight.NOBODY
    zones = [Place(f"supply.{key}", everyone) for key in KEYS]
    zones += [Place("trash", everyone), Place("box", everyone)]
    for seat in range(players):
        zones.append(Place(f"seat{seat}.deck", nobody, seat))
        zones.append(Place(f"seat{seat}.hand", owner, seat))
        zones.append(Place(f"seat{seat}.play", everyone, seat))
        # D12: the top card is turned up by itself; nobody looks through the rest, or counts it.
        zones.append(Place(f"seat{seat}.discard", nobody, seat, is_counted=False))
        zones.append(Place(f"seat{seat}.look", owner, seat, is_counted=False))
        zones.append(Place(f"seat{seat}.shown", everyone, seat))
    return zones


# ---- counters ----

STACK_DEPTH: Final = 12  # Ten Throne Rooms inside one another, the card played, and one to spare.
_COUNTERS: Final = (
    "phase", "turn", "start", "actions", "buys", "coins",
    "merchants",  # Plays of Merchant that wait for the first Silver of the turn.
    "silvers",  # Silvers played in this turn.
    "bought",  # Cards bought in this turn.
    "chooser", "whose",  # Who chooses, and from whose cards.
    "need",  # Cards that may or must still be picked.
    "limit", "gain.to", "gain.treasure",  # What may be gained, and to which zone.
    "picked",  # The card picked last, or -1.
    "check",  # The phase in which a card was picked whose face has to be checked.
    "count",  # What a text counts.
    "last",  # How many of the topmost cards may be picked.
    "target",  # How many seats after the turn's an effect has come.
    "shields",  # Bit s is set when seat s has revealed a Moat.
    "pull.seat", "pull.count", "pull.to",  # Cards to come from a deck.
    "mix",  # 1 when the cards pulled have to be mixed into the hand.
    "depth",  # Cards under way in the stack.
)  # fmt: skip
PHASE: Final = 0
TURN: Final = 1
START: Final = 2
ACTIONS: Final = 3
BUYS: Final = 4
MONEY: Final = 5
MERCHANTS: Final = 6
SILVERS: Final = 7
BOUGHT: Final = 8
CHOOSER: Final = 9
WHOSE: Final = 10
NEED: Final = 11
LIMIT: Final = 12
GAIN_TO: Final = 13
GAIN_TREASURE: Final = 14
PICKED: Final = 15
CHECK: Final = 16
COUNT: Final = 17
LAST: Final = 18
TARGET: Final = 19
SHIELDS: Final = 20
PULL_SEAT: Final = 21
PULL_COUNT: Final = 22
PULL_TO: Final = 23
MIX: Final = 24
DEPTH: Final = 25
STACK: Final = 26  # card * STEPS_MAX + step of its text, the card under way on top.
KINGDOM: Final = STACK + STACK_DEPTH  # The ten kinds, by face.
TURNS: Final[tuple[int, ...]] = tuple(KINGDOM + KINGDOM_KINDS + seat for seat in range(SEATS_MAX))
STEPS_MAX: Final = 16
NOBODY: Final = -1


def counter_names(players: int) -> list[str]:
    """Every counter, in the order of the constants above."""
    names = [*_COUNTERS, *(f"stack.{depth}" for depth in range(STACK_DEPTH))]
    names += [f"kingdom.{place}" for place in range(KINGDOM_KINDS)]
    return names + [f"seat{seat}.turns" for seat in range(players)]


# ---- phases: from ACTING to DRAFTING somebody has to choose ----

PHASES: Final = (
    "start",
    "action", "buy", "react", "discard", "cellar", "chapel", "remodel", "mine", "moneylender",
    "throne room", "artisan", "harbinger", "library", "sentry trash", "sentry discard",
    "sentry order", "bureaucrat", "bandit", "spy", "thief", "thief gain", "vassal", "chancellor",
    "gain", "top", "draft",
    "rolled", "kingdom", "deal", "dealt", "begin", "played", "treasures", "resolve", "clean up",
    "cleaned", "end", "over",
)  # fmt: skip
STARTING: Final = 0
ACTING: Final = 1
BUYING: Final = 2
REACTING: Final = 3
DISCARDING: Final = 4
CELLARING: Final = 5
CHAPELING: Final = 6
REMODELING: Final = 7
MINING: Final = 8
LENDING: Final = 9
THRONING: Final = 10
TOPDECKING: Final = 11
HARBINGING: Final = 12
LIBRARYING: Final = 13
SENTRY_TRASHING: Final = 14
SENTRY_DISCARDING: Final = 15
SENTRY_ORDERING: Final = 16
BUREAUCRATING: Final = 17
BANDITING: Final = 18
SPYING: Final = 19
THIEVING: Final = 20
THIEF_GAINING: Final = 21
VASSALING: Final = 22
CHANCELLING: Final = 23
GAINING: Final = 24
TOPPING: Final = 25
DRAFTING: Final = 26
ROLLED: Final = 27
KINGDOM_ROLLED: Final = 28
DEALING: Final = 29
DEALT: Final = 30
BEGINNING: Final = 31
PLAYED: Final = 32
TREASURES_PLAYED: Final = 33
RESOLVING: Final = 34
CLEANING: Final = 35
CLEANED: Final = 36
ENDING: Final = 37
OVER: Final = 38
IS_CHOICE: Final = tuple(STARTING < phase <= DRAFTING for phase in range(len(PHASES)))  # By phase.
