"""What lies on a table of Dominion: 39 kinds of cards, the zones they lie in, what is counted.

A face is a kind, and the pile of a kind in the supply is the zone with the number of its face, so
`table.zones[GOLD]` is the Gold that is left.  Piles that a game does not use are empty and never
counted as run out (see `empty_piles`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from core.table import Place, Sight, Table

TREASURE, VICTORY, CURSED, ACTION, ATTACK, REACTION = (1 << bit for bit in range(6))


class Kind(NamedTuple):
    """What is printed on a card: key, cost in coins, types as bits, coins, victory points."""

    key: str
    cost: int
    types: int
    coins: int = 0
    points: int = 0


KINDS: Final = (
    Kind("copper", 0, TREASURE, coins=1),
    Kind("silver", 3, TREASURE, coins=2),
    Kind("gold", 6, TREASURE, coins=3),
    Kind("estate", 2, VICTORY, points=1),
    Kind("duchy", 5, VICTORY, points=3),
    Kind("province", 8, VICTORY, points=6),
    Kind("curse", 0, CURSED, points=-1),
    Kind("adventurer", 6, ACTION),
    Kind("artisan", 6, ACTION),
    Kind("bandit", 5, ACTION | ATTACK),
    Kind("bureaucrat", 4, ACTION | ATTACK),
    Kind("cellar", 2, ACTION),
    Kind("chancellor", 3, ACTION),
    Kind("chapel", 2, ACTION),
    Kind("council_room", 5, ACTION),
    Kind("feast", 4, ACTION),
    Kind("festival", 5, ACTION),
    Kind("gardens", 4, VICTORY),
    Kind("harbinger", 3, ACTION),
    Kind("laboratory", 5, ACTION),
    Kind("library", 5, ACTION),
    Kind("market", 5, ACTION),
    Kind("merchant", 3, ACTION),
    Kind("militia", 4, ACTION | ATTACK),
    Kind("mine", 5, ACTION),
    Kind("moat", 2, ACTION | REACTION),
    Kind("moneylender", 4, ACTION),
    Kind("poacher", 4, ACTION),
    Kind("remodel", 4, ACTION),
    Kind("sentry", 5, ACTION),
    Kind("smithy", 4, ACTION),
    Kind("spy", 4, ACTION | ATTACK),
    Kind("thief", 4, ACTION | ATTACK),
    Kind("throne_room", 4, ACTION),
    Kind("vassal", 3, ACTION),
    Kind("village", 3, ACTION),
    Kind("witch", 5, ACTION | ATTACK),
    Kind("woodcutter", 3, ACTION),
    Kind("workshop", 3, ACTION),
)
(
    COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE,
    ADVENTURER, ARTISAN, BANDIT, BUREAUCRAT, CELLAR, CHANCELLOR, CHAPEL, COUNCIL_ROOM, FEAST,
    FESTIVAL, GARDENS, HARBINGER, LABORATORY, LIBRARY, MARKET, MERCHANT, MILITIA, MINE, MOAT,
    MONEYLENDER, POACHER, REMODEL, SENTRY, SMITHY, SPY, THIEF, THRONE_ROOM, VASSAL, VILLAGE,
    WITCH, WOODCUTTER, WORKSHOP,
) = range(len(KINDS))  # fmt: skip
KEYS: Final = tuple(kind.key for kind in KINDS)
COST: Final = tuple(kind.cost for kind in KINDS)
COINS: Final = tuple(kind.coins for kind in KINDS)
POINTS: Final = tuple(kind.points for kind in KINDS)
BASIC_KINDS: Final = 7
KINGDOM_KINDS: Final = 10  # D4: of so many kinds is a kingdom.
SUPPLY_PILES: Final = BASIC_KINDS + KINGDOM_KINDS
SEATS_MAX: Final = 6


def of_type(types: int) -> tuple[int, ...]:
    """The faces that have one of these types."""
    return tuple(face for face, kind in enumerate(KINDS) if kind.types & types)


ALL: Final = tuple(range(len(KINDS)))
ACTIONS_ALL: Final = of_type(ACTION)
TREASURES: Final = of_type(TREASURE)
VICTORIES: Final = of_type(VICTORY)
IS_ACTION: Final = tuple(bool(kind.types & ACTION) for kind in KINDS)
IS_TREASURE: Final = tuple(bool(kind.types & TREASURE) for kind in KINDS)
IS_VICTORY: Final = tuple(bool(kind.types & VICTORY) for kind in KINDS)


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
    return SUPPLY_PILES - sum([1 for face in ALL if zones[face]])


# ---- zones: the supply by face, then these ----

TRASH: Final = len(KINDS)
BOX: Final = TRASH + 1  # Kinds that are not in this kingdom.
_SEAT_ZONES: Final = 6
_FIRST: Final = tuple(BOX + 1 + _SEAT_ZONES * seat for seat in range(SEATS_MAX))
DECK: Final = _FIRST  # Indexed by seat, like all of these.
HAND: Final = tuple(zone + 1 for zone in _FIRST)
PLAY: Final = tuple(zone + 2 for zone in _FIRST)
DISCARD: Final = tuple(zone + 3 for zone in _FIRST)
LOOK: Final = tuple(zone + 4 for zone in _FIRST)  # Cards that only the owner is looking at.
SHOWN: Final = tuple(zone + 5 for zone in _FIRST)  # Cards revealed or set aside by an effect.
TO_TRASH: Final = (TRASH,) * SEATS_MAX


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
(
    PHASE, TURN, START, ACTIONS, BUYS, MONEY, MERCHANTS, SILVERS, BOUGHT, CHOOSER, WHOSE, NEED,
    LIMIT, GAIN_TO, GAIN_TREASURE, PICKED, CHECK, COUNT, LAST, TARGET, SHIELDS, PULL_SEAT,
    PULL_COUNT, PULL_TO, MIX, DEPTH,
) = range(len(_COUNTERS))  # fmt: skip
STACK: Final = len(_COUNTERS)  # card * STEPS_MAX + step of its text, the card under way on top.
KINGDOM: Final = STACK + STACK_DEPTH  # The ten kinds, by face.
TURNS: Final = tuple(KINGDOM + KINGDOM_KINDS + seat for seat in range(SEATS_MAX))
STEPS_MAX: Final = 16
NOBODY: Final = -1


def counter_names(players: int) -> list[str]:
    """Every counter, in the order of the constants above."""
    names = [*_COUNTERS, *(f"stack.{depth}" for depth in range(STACK_DEPTH))]
    names += [f"kingdom.{place}" for place in range(KINGDOM_KINDS)]
    return names + [f"seat{seat}.turns" for seat in range(players)]


# ---- phases: from ACTING to LAST_ASKING somebody has to choose ----

PHASES: Final = (
    "start",
    "action", "buy", "react", "discard", "cellar", "chapel", "remodel", "mine", "moneylender",
    "throne room", "artisan", "harbinger", "library", "sentry trash", "sentry discard",
    "sentry order", "bureaucrat", "bandit", "spy", "thief", "thief gain", "vassal", "chancellor",
    "gain", "top", "draft",
    "rolled", "kingdom", "deal", "dealt", "begin", "played", "treasures", "resolve", "clean up",
    "cleaned", "end", "over",
)  # fmt: skip
(
    STARTING,
    ACTING, BUYING, REACTING, DISCARDING, CELLARING, CHAPELING, REMODELING, MINING, LENDING,
    THRONING, TOPDECKING, HARBINGING, LIBRARYING, SENTRY_TRASHING, SENTRY_DISCARDING,
    SENTRY_ORDERING, BUREAUCRATING, BANDITING, SPYING, THIEVING, THIEF_GAINING, VASSALING,
    CHANCELLING, GAINING, TOPPING, DRAFTING,
    ROLLED, KINGDOM_ROLLED, DEALING, DEALT, BEGINNING, PLAYED, TREASURES_PLAYED, RESOLVING,
    CLEANING, CLEANED, ENDING, OVER,
) = range(len(PHASES))  # fmt: skip
LAST_ASKING: Final = DRAFTING
