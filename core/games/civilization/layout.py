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

_names: list[str] = []


def _block(*names: str) -> int:
    """Counters of these names, one after the other; gives the number of the first."""
    _names.extend(names)
    return len(_names) - len(names)


PHASE: Final = _block("phase")
TURN: Final = _block("turn")
FIRST: Final = _block("first")
ACTIVE: Final = _block("active")
ORDER: Final = _block("order")  # How many seats have had their segment in this phase.
WINNER: Final = _block("winner")
HOW: Final = _block("how")  # Which victory; what else ended the game.
CHECK: Final = _block("check")  # Something has changed that limits or coins depend on.
DEPTH: Final = _block("depth")
# The move under way (C93): what follows is 0 where nobody moves.
MOVER: Final = _block("move.seat")  # 1 + seat.
MOVE_FROM: Final = _block("move.from")
MOVE_AT: Final = _block("move.at")
POINTS: Final = _block("move.points")
GROUP: Final = _block("move.group")  # Figures of the group, as bits.
WALKED: Final = _block("move.walked")  # Whether it has done something yet.
# The battle under way.
IS_FOUGHT: Final = _block("battle")
ATTACKER: Final = _block("battle.attacker")
DEFENDER: Final = _block("battle.defender")
BATTLE_AT: Final = _block("battle.square")
IS_NATIVES: Final = _block("battle.natives")
IS_PLACED: Final = _block("battle.placed")  # C58: by placing an army, not by a move.
TARGET_CITY: Final = _block("battle.city")  # 1 + city, where one is attacked.
BONUS: Final = _block("battle.bonus0", "battle.bonus1")  # By side: attacker, defender.
KILLED: Final = _block("battle.killed0", "battle.killed1")
HEALED: Final = _block("battle.healed0", "battle.healed1")  # Abilities used, as bits.
FRONTS: Final = _block("battle.fronts")
UNIT_PLAYED: Final = _block("battle.unit")  # 1 + the card that looks for a front.
IRON: Final = _block("battle.iron")  # C116: paid with this play.
BATTLE_SIDE: Final = _block("battle.side")
UNITS: Final = 53
WOUNDS: Final = _block(*[f"wounds.{card}" for card in range(UNITS)])
FRONT_OF: Final = _block(*[f"front.{card}" for card in range(UNITS)])
# The deal under way (C48): amounts by kind.
DEAL_KINDS: Final = 11  # Trade, culture, four market tokens, huts, villages, events by era.
GIVEN: Final = _block(*[f"deal.give.{kind}" for kind in range(DEAL_KINDS)])
ASKED: Final = _block(*[f"deal.ask.{kind}" for kind in range(DEAL_KINDS)])
# What lies open for all.
MARKET: Final = _block(*[f"market.{kind}" for kind in range(4)])
SUPPLY: Final = _block(*[f"buildings.{family}" for family in range(8)])
WONDER_AT: Final = _block(*[f"wonder.{wonder.key}" for wonder in WONDERS])  # 1 + the square.
OBSOLETE: Final = _block("obsolete")
PANAMA: Final = _block("panama")
FROZEN: Final = _block(*[f"frozen.{seat}" for seat in range(SEATS_MAX)])  # 1 + square, by seat.
GROUND: Final = _block(*[f"ground.{square}" for square in range(SQUARES)])
MARK: Final = _block(*[f"mark.{square}" for square in range(SQUARES)])
OUTSKIRTS: Final = _block(*[f"outskirts.{square}" for square in range(SQUARES)])  # 1 + city.
RESTING: Final = _block(*[f"resting.{square}" for square in range(SQUARES)])
FIELDS: Final = 12
FRAMES: Final = 40
STACK: Final = _block(*[f"frame{at // FIELDS}.{at % FIELDS}" for at in range(FIELDS * FRAMES)])
COMMON_COUNTERS: Final = len(_names)
_common: Final = tuple(_names)

_names.clear()
_CIV: Final = _block("civilization")
_TRADE: Final = _block("trade")
_CULTURE: Final = _block("culture")
_TRACK: Final = _block("track")
_GOVERNMENT: Final = _block("government")
_FRESH: Final = _block(*[f"fresh.{key}" for key in GOVERNMENTS])  # C39: 1 + turn of the unlocking.
_ANARCHY: Final = _block("anarchy")  # The turn in which it began.
_IDLE: Final = _block("idle")  # C41
_CHANGED: Final = _block("changed")  # C41: in this segment.
_TECHS: Final = _block("technologies.low", "technologies.high")  # As bits.
_USED: Final = _block("used")  # What is once per turn, as bits.
_TASK_COINS: Final = _block(*[f"task.coins.{task}" for task in range(4)])
_TASK_TIMES: Final = _block(*[f"task.times.{task}" for task in range(4)])
_SHEET_COINS: Final = _block("sheet.coins")
_MARKET_TOKENS: Final = _block(*[f"tokens.{kind}" for kind in range(4)])
_GUARD: Final = _block("guard")
_GUARDED: Final = _block("guarded")  # 4.4: bits turned over in this phase.
_CITY_AT: Final = _block(*[f"city{i}" for i in range(CITIES)])  # 1 + square.
_WALLS: Final = _block(*[f"walls{i}" for i in range(CITIES)])
_LEFT: Final = _block(*[f"actions{i}" for i in range(CITIES)])
_EXTRA: Final = _block(*[f"production{i}" for i in range(CITIES)])  # C55
_FIGURE: Final = _block(*[f"figure{i}" for i in range(FIGURES)])  # 1 + square; 0: in the supply.
_MOVED: Final = _block("moved")  # As bits.
_READY: Final = _block("ready")  # C145: scouts that gather, as bits.
_DIRECT: Final = _block("direct0", "direct1")  # C146: 0 as by default, 1 + i, -1 nothing.
_SENT: Final = _block("sent")  # C146: the scouts whose square was sent in this turn, as bits.
_OFFERS: Final = _block("offers")  # C48: left in this floor.
_PICK: Final = _block("pick")  # C160: 0 not yet, 1 nothing, 2 + technology.
_NEWS: Final = _block("news")  # 4.4: a card has come since the seat was last asked; and 2.
_REFUSED: Final = _block("refused")  # IW0: seats that have refused, as bits.
SEAT_COUNTERS: Final = len(_names)
_seat_names: Final = tuple(_names)


def _by_seat(counter: int) -> tuple[int, ...]:
    return tuple([COMMON_COUNTERS + SEAT_COUNTERS * seat + counter for seat in range(SEATS_MAX)])


CIV: Final = _by_seat(_CIV)
TRADE: Final = _by_seat(_TRADE)
CULTURE: Final = _by_seat(_CULTURE)
TRACK_AT: Final = _by_seat(_TRACK)
GOVERNMENT: Final = _by_seat(_GOVERNMENT)
FRESH: Final = _by_seat(_FRESH)
ANARCHY_SINCE: Final = _by_seat(_ANARCHY)
IDLE: Final = _by_seat(_IDLE)
CHANGED: Final = _by_seat(_CHANGED)
TECHS: Final = _by_seat(_TECHS)
USED: Final = _by_seat(_USED)
TASK_COINS: Final = _by_seat(_TASK_COINS)
TASK_TIMES: Final = _by_seat(_TASK_TIMES)
SHEET_COINS: Final = _by_seat(_SHEET_COINS)
MARKET_TOKENS: Final = _by_seat(_MARKET_TOKENS)
GUARD: Final = _by_seat(_GUARD)
GUARDED: Final = _by_seat(_GUARDED)
CITY_AT: Final = _by_seat(_CITY_AT)
WALLS: Final = _by_seat(_WALLS)
LEFT: Final = _by_seat(_LEFT)
EXTRA: Final = _by_seat(_EXTRA)
FIGURE: Final = _by_seat(_FIGURE)
SCOUT_AT: Final = tuple([counter + ARMIES for counter in FIGURE])
MOVED: Final = _by_seat(_MOVED)
READY: Final = _by_seat(_READY)
DIRECT: Final = _by_seat(_DIRECT)
SENT: Final = _by_seat(_SENT)
OFFERS: Final = _by_seat(_OFFERS)
PICK: Final = _by_seat(_PICK)
NEWS: Final = _by_seat(_NEWS)
NEW_CARD: Final = 3  # The seat is told of it; the hand has still to be mixed.
REFUSED: Final = _by_seat(_REFUSED)


def counter_names(players: int) -> list[str]:
    """Every counter, in the order of the constants above."""
    return [*_common, *[f"seat{seat}.{key}" for seat in range(players) for key in _seat_names]]
