"""The zones and counters of a table of Civilization.

A *square* is 16 * y + x, whatever the map.  A *city* is 3 * seat + i, its capital i = 0.  What lies
on a square is three counters: the ground (0: no face-up square), the mark on it, whose outskirts it
is; a fourth says which figures rest there, which follows from the figures and is kept for speed.

What is going on is a stack of frames in the counters: the top one is carried on or asks a seat.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.faces import MARKERS, TYPE_FACES
from core.games.civilization.printed import ERAS, GOVERNMENTS, UNIT_TYPES, WONDERS
from core.table import Place, Sight

NOBODY: Final = -1
SEATS_MAX: Final = 4
CITIES: Final = 3
ARMIES: Final = 7  # The last one is the white one of Russia (C19).
SCOUTS: Final = 2
FIGURES: Final = ARMIES + SCOUTS
SQUARES: Final = 256

# ---- zones ----

UNIT_DECK: Final = 0  # The first of four, by type.
UNIT_DEAD: Final = 4
EVENT_DECK: Final = 8  # The first of three, by era.
EVENT_DISCARD: Final = 11
GREAT_DECK: Final = 14
WONDER_DECK: Final = 15  # The first of three, by era.
WONDER_MARKET: Final = 18
HUT_PILE: Final = 19
VILLAGE_PILE: Final = 20
TILE_PILE: Final = 21
MAP: Final = 22
LEFT_OVER: Final = 23  # C13: tiles that go back unseen.
BOX: Final = 24
PLAYED: Final = 25  # Events and markers of a play under way.
GREAT_MAP: Final = 26
GREAT_NEW: Final = 27
_SEAT_ZONES: Final = 8
_FIRST: Final = tuple([28 + _SEAT_ZONES * seat for seat in range(SEATS_MAX)])
EVENTS: Final = _FIRST  # Indexed by seat, like all of these.
TOKENS: Final = tuple([zone + 1 for zone in _FIRST])
FOUND: Final = tuple([zone + 2 for zone in _FIRST])  # A village marker just won (C103).
FORCES: Final = tuple([zone + 3 for zone in _FIRST])
HAND: Final = tuple([zone + 4 for zone in _FIRST])
FRONT: Final = tuple([zone + 5 for zone in _FIRST])
OWN_WONDERS: Final = tuple([zone + 6 for zone in _FIRST])
SHEET: Final = tuple([zone + 7 for zone in _FIRST])  # Great people set aside (C79).


def places(players: int) -> list[Place]:
    """Every zone, in the order of the constants above."""
    nobody, everyone, owner = Sight.NOBODY, Sight.EVERYONE, Sight.OWNER
    types = list(enumerate(UNIT_TYPES))
    zones = [Place(f"units.{key}", nobody, holds=TYPE_FACES[at]) for at, key in types]
    zones += [Place(f"dead.{key}", everyone) for key in UNIT_TYPES]
    zones += [Place(f"events.{era}", nobody) for era in ERAS]
    zones += [Place(f"discard.{era}", everyone) for era in ERAS]
    zones += [Place("persons", nobody)]
    zones += [Place(f"wonders.{era}", nobody) for era in ERAS]
    zones += [Place("market", everyone), Place("huts", nobody), Place("villages", nobody)]
    zones += [Place("tiles", nobody), Place("map", everyone), Place("left_over", nobody)]
    zones += [Place(key, everyone) for key in ("box", "played", "persons.map", "persons.new")]
    for seat in range(players):
        zones += [Place(f"seat{seat}.events", owner, seat)]
        zones += [Place(f"seat{seat}.tokens", owner, seat, holds=MARKERS)]
        zones += [Place(f"seat{seat}.{key}", owner, seat) for key in ("found", "forces", "battle")]
        open_keys = ("front", "wonders", "sheet")
        zones += [Place(f"seat{seat}.{key}", everyone, seat) for key in open_keys]
    return zones


# ---- counters ----

# Numbers are written out, one by one: a compiled rule then holds them.
PHASE: Final = 0
TURN: Final = 1
FIRST: Final = 2
ACTIVE: Final = 3
ORDER: Final = 4  # How many seats have had their segment in this phase.
WINNER: Final = 5
HOW: Final = 6  # Which victory; what else ended the game.
CHECK: Final = 7  # Something has changed that limits or coins depend on.
DEPTH: Final = 8
# The move under way (C93): what follows is 0 where nobody moves.
MOVER: Final = 9  # 1 + seat.
MOVE_FROM: Final = 10
MOVE_AT: Final = 11
POINTS: Final = 12
GROUP: Final = 13  # Figures of the group, as bits.
WALKED: Final = 14  # Whether it has done something yet.
# The battle under way.
IS_FOUGHT: Final = 15
ATTACKER: Final = 16
DEFENDER: Final = 17
BATTLE_AT: Final = 18
IS_NATIVES: Final = 19
IS_PLACED: Final = 20  # C58: by placing an army, not by a move.
TARGET_CITY: Final = 21  # 1 + city, where one is attacked.
BONUS: Final = 22  # By side: attacker, defender.
KILLED: Final = 24
HEALED: Final = 26  # Abilities used, as bits.
FRONTS: Final = 28
UNIT_PLAYED: Final = 29  # 1 + the card that looks for a front.
IRON: Final = 30  # C116: paid with this play.
BATTLE_SIDE: Final = 31
UNITS: Final = 53
WOUNDS: Final = 32
FRONT_OF: Final = 85
# The deal under way (C48): amounts by kind.
DEAL_KINDS: Final = 11  # Trade, culture, four market tokens, huts, villages, events by era.
GIVEN: Final = 138
ASKED: Final = 149
# What lies open for all.
MARKET: Final = 160
SUPPLY: Final = 164
WONDER_AT: Final = 172  # 1 + the square.
OBSOLETE: Final = 184
PANAMA: Final = 185
FROZEN: Final = 186  # 1 + square, by seat.
GROUND: Final = 190
MARK: Final = 446
OUTSKIRTS: Final = 702  # 1 + city.
RESTING: Final = 958
FIELDS: Final = 12
FRAMES: Final = 40
STACK: Final = 1214
COMMON_COUNTERS: Final = 1694
_COMMON: Final = (
    "phase", "turn", "first", "active", "order", "winner", "how", "check", "depth", "move.seat",
    "move.from", "move.at", "move.points", "move.group", "move.walked", "battle",
    "battle.attacker", "battle.defender", "battle.square", "battle.natives", "battle.placed",
    "battle.city", "battle.bonus0", "battle.bonus1", "battle.killed0", "battle.killed1",
    "battle.healed0", "battle.healed1", "battle.fronts", "battle.unit", "battle.iron",
    "battle.side",
    *[f"wounds.{card}" for card in range(UNITS)],
    *[f"front.{card}" for card in range(UNITS)],
    *[f"deal.give.{kind}" for kind in range(DEAL_KINDS)],
    *[f"deal.ask.{kind}" for kind in range(DEAL_KINDS)],
    *[f"market.{kind}" for kind in range(4)],
    *[f"buildings.{family}" for family in range(8)],
    *[f"wonder.{wonder.key}" for wonder in WONDERS],
    "obsolete", "panama",
    *[f"frozen.{seat}" for seat in range(SEATS_MAX)],
    *[f"ground.{square}" for square in range(SQUARES)],
    *[f"mark.{square}" for square in range(SQUARES)],
    *[f"outskirts.{square}" for square in range(SQUARES)],
    *[f"resting.{square}" for square in range(SQUARES)],
    *[f"frame{at // FIELDS}.{at % FIELDS}" for at in range(FIELDS * FRAMES)],
)  # fmt: skip

# What each seat has.
_OF_SEAT: Final = (
    "civilization", "trade", "culture", "track", "government",
    *[f"fresh.{key}" for key in GOVERNMENTS],
    "anarchy", "idle", "changed", "technologies.low", "technologies.high", "used",
    *[f"task.coins.{task}" for task in range(4)],
    *[f"task.times.{task}" for task in range(4)],
    "sheet.coins",
    *[f"tokens.{kind}" for kind in range(4)],
    "guard", "guarded",
    *[f"city{i}" for i in range(CITIES)],
    *[f"walls{i}" for i in range(CITIES)],
    *[f"actions{i}" for i in range(CITIES)],
    *[f"production{i}" for i in range(CITIES)],
    *[f"figure{i}" for i in range(FIGURES)],
    "moved", "ready", "direct0", "direct1", "sent", "offers", "pick", "news", "refused",
)  # fmt: skip
SEAT_COUNTERS: Final = 64
assert len(_OF_SEAT) == SEAT_COUNTERS, "the number is written out, too"


def _by_seat(key: str) -> tuple[int, ...]:
    """The number of a counter for each seat."""
    first = COMMON_COUNTERS + _OF_SEAT.index(key)
    return tuple([first + SEAT_COUNTERS * seat for seat in range(SEATS_MAX)])


CIV: Final = _by_seat("civilization")
TRADE: Final = _by_seat("trade")
CULTURE: Final = _by_seat("culture")
TRACK_AT: Final = _by_seat("track")
GOVERNMENT: Final = _by_seat("government")
FRESH: Final = _by_seat("fresh.despotism")  # C39: 1 + turn of the unlocking.
ANARCHY_SINCE: Final = _by_seat("anarchy")  # The turn in which it began.
IDLE: Final = _by_seat("idle")  # C41
CHANGED: Final = _by_seat("changed")  # C41: in this segment.
TECHS: Final = _by_seat("technologies.low")  # As bits.
TECHS_AT: Final = 1710  # Of seat 0, for speed.
assert TECHS[0] == TECHS_AT, "the number is written out, too"
USED: Final = _by_seat("used")  # What is once per turn, as bits.
TASK_COINS: Final = _by_seat("task.coins.0")
TASK_TIMES: Final = _by_seat("task.times.0")
SHEET_COINS: Final = _by_seat("sheet.coins")
MARKET_TOKENS: Final = _by_seat("tokens.0")
GUARD: Final = _by_seat("guard")
GUARDED: Final = _by_seat("guarded")  # 4.4: bits turned over in this phase.
CITY_AT: Final = _by_seat("city0")  # 1 + square.
WALLS: Final = _by_seat("walls0")
LEFT: Final = _by_seat("actions0")
EXTRA: Final = _by_seat("production0")  # C55
FIGURE: Final = _by_seat("figure0")  # 1 + square; 0: in the supply.
SCOUT_AT: Final = tuple([counter + ARMIES for counter in FIGURE])
MOVED: Final = _by_seat("moved")  # As bits.
READY: Final = _by_seat("ready")  # C145: scouts that gather, as bits.
DIRECT: Final = _by_seat("direct0")  # C146: 0 as by default, 1 + i, -1 nothing.
SENT: Final = _by_seat("sent")  # C146: the scouts whose square was sent in this turn, as bits.
OFFERS: Final = _by_seat("offers")  # C48: left in this floor.
PICK: Final = _by_seat("pick")  # C160: 0 not yet, 1 nothing, 2 + technology.
NEWS: Final = _by_seat("news")  # 4.4: a card has come since the seat was last asked; and 2.
NEW_CARD: Final = 3  # The seat is told of it; the hand has still to be mixed.
REFUSED: Final = _by_seat("refused")  # IW0: seats that have refused, as bits.


def counter_names(players: int) -> list[str]:
    """Every counter, in the order of the constants above."""
    return [*_COMMON, *[f"seat{seat}.{key}" for seat in range(players) for key in _OF_SEAT]]
