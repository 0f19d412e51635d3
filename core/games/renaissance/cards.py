"""What lies on a table of Renaissance: faces, zones, counters, phases, options.

Faces are numbered culture cards first, then persons, then events.  The cards of the talon come
before those of the events, which have a back of their own.  All that is printed on a face is in
`printed.py` and looked up here in flat tuples by face.

A *spot* is a setting space on the table: number 6 * location + space, in words `c.4`, the fourth
space of the third event.  Locations in the center come first; with 3 or 4 seats the location
centers + i lies between seat i and its left neighbor.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

from core.game import Option
from core.games.renaissance.printed import (
    CULTURE,
    EVENTS,
    PERSONS,
    SERIES,
    STONES,
    SYMBOLS,
    Culture,
    Person,
    Plan,
)
from core.table import OptionValue, Place, Sight, Table

NOBODY: Final = -1
SEATS_MAX: Final = 4
SPACES_MAX: Final = 6  # 1.4: of one event.
ALL_SPACES: Final = 63  # As bits.
ROWS: Final = 5  # 5.4: one for each symbol at most.
BLUE: Final = 0
RED: Final = 1
COLORS: Final = ("blue", "red")

# ---- faces ----


def _bits(symbols: tuple[str, ...]) -> int:
    return sum([1 << SYMBOLS.index(symbol) for symbol in symbols])


def _culture_key(card: Culture) -> str:
    end = "double" if card.is_double else card.genius
    return ".".join(["culture", *card.symbols, *([end] if end else [])])


def _person_key(card: Person) -> str:
    return f"person.{card.symbol}.{card.value}" if card.symbol else f"person.{card.value}"


def _event_keys() -> list[str]:
    counts = dict.fromkeys(SERIES, 0)
    keys = []
    for event in EVENTS:
        counts[event.series] += 1
        keys.append(f"event.{event.series}.{counts[event.series]}")
    return keys


FIRST_PERSON: Final = 30  # Written out, so that compiled rules hold the number itself.
FIRST_EVENT: Final = 42
FACES: Final[tuple[str, ...]] = (
    *[_culture_key(card) for card in CULTURE],
    *[_person_key(card) for card in PERSONS],
    *_event_keys(),
)
PERSON_FACES: Final = tuple(range(FIRST_PERSON, FIRST_EVENT))
SYMBOL_BITS: Final[tuple[int, ...]] = (  # By face: the symbols that it shows.
    *[_bits(card.symbols) for card in CULTURE],
    *[_bits((card.symbol,)) if card.symbol else 0 for card in PERSONS],
    *[_bits(event.symbols) for event in EVENTS],
)
SYMBOLS_IN: Final[tuple[tuple[int, ...], ...]] = tuple(  # By symbols as bits: the symbols.
    [
        tuple([symbol for symbol in range(len(SYMBOLS)) if bits >> symbol & 1])
        for bits in range(1 << len(SYMBOLS))
    ]
)
GENIUS_OF: Final[tuple[int, ...]] = tuple(  # By culture face: BLUE, RED or NOBODY.
    [COLORS.index(card.genius) if card.genius else NOBODY for card in CULTURE]
)
IS_DOUBLE: Final[tuple[bool, ...]] = tuple([card.is_double for card in CULTURE])
VALUE: Final[tuple[int, ...]] = tuple([0] * len(CULTURE) + [card.value for card in PERSONS])
VALUE_MAX: Final = 4
# Sets of faces as bits: there are less than 64 beside events.
CULTURE_KINDS: Final = (1 << FIRST_PERSON) - 1
ALL_KINDS: Final = (1 << FIRST_EVENT) - 1
PERSON_KINDS: Final = ALL_KINDS ^ CULTURE_KINDS
PERSONS_OF: Final[tuple[int, ...]] = tuple(  # By symbols as bits: the persons with one of them.
    [
        sum([1 << face for face in PERSON_FACES if SYMBOL_BITS[face] & bits])
        for bits in range(1 << len(SYMBOLS))
    ]
)
TALON_FACES: Final[tuple[int, ...]] = tuple(
    [face for face, card in enumerate(CULTURE) for _ in range(card.copies)]
    + [FIRST_PERSON + kind for kind, card in enumerate(PERSONS) for _ in card.names]
)
EVENT_FACES: Final = tuple(range(FIRST_EVENT, FIRST_EVENT + len(EVENTS)))
CARDS: Final = len(TALON_FACES) + len(EVENT_FACES)

# ---- events, by face - FIRST_EVENT ----


def _color_bits(plan: Plan, letter: str) -> int:
    return sum([1 << space for space, color in enumerate(plan.spaces) if color == letter])


def _joined(plan: Plan) -> tuple[int, ...]:
    joined = [0] * len(plan.spaces)
    for one, other in plan.paths:
        joined[one] |= 1 << other
        joined[other] |= 1 << one
    return tuple(joined)


def _reached(plan: Plan) -> tuple[int, ...]:
    """4.2: for every set of taken spaces, as bits, the free ones beside them; without any all."""
    joined, everything = _joined(plan), (1 << len(plan.spaces)) - 1
    beside = [everything]
    for taken in range(1, everything + 1):
        touched = [bits for space, bits in enumerate(joined) if taken >> space & 1]
        beside.append(reduce(or_, touched) & ~taken)
    return tuple(beside)


COLOR_SPACES: Final[tuple[tuple[int, ...], ...]] = (  # By color: the spaces of it, as bits.
    tuple([_color_bits(event.plan, "B") for event in EVENTS]),
    tuple([_color_bits(event.plan, "R") for event in EVENTS]),
)
JOINED: Final[tuple[tuple[int, ...], ...]] = tuple([_joined(event.plan) for event in EVENTS])
REACHED: Final[tuple[tuple[int, ...], ...]] = tuple([_reached(event.plan) for event in EVENTS])
DICE: Final[tuple[int, ...]] = tuple([event.dice for event in EVENTS])
SERIES_OF: Final[tuple[int, ...]] = tuple([SERIES.index(event.series) for event in EVENTS])

# ---- by the number of seats ----

CENTERS: Final[tuple[int, ...]] = (0, 0, 3, 1, 2)  # 2.2
LOCATIONS: Final[tuple[int, ...]] = (0, 0, 3, 4, 6)
EVENTS_UNSEEN: Final[tuple[int, ...]] = (0, 0, 7, 9, 11)  # 2.1: beside those of the chosen series.
LETTERS: Final = "abcdef"

# ---- zones: every number is written out, so that compiled rules hold the number itself ----

TALON: Final = 0
DISPLAY: Final = 1
DISCARD: Final = 2
EVENT_DECK: Final = 3
BOX: Final = 4
GONE: Final = 5  # 9.1: events that have left the game.
_SEAT_ZONES: Final = 9
_FIRST: Final = tuple(6 + _SEAT_ZONES * seat for seat in range(SEATS_MAX))
HAND: Final = _FIRST  # Indexed by seat, like all of these.
LAYING: Final = tuple(zone + 1 for zone in _FIRST)  # A hand card, turned up on its way to a row.
PILE: Final = tuple(zone + 2 for zone in _FIRST)  # 5.2: persons, face down.
DUEL: Final = tuple(zone + 3 for zone in _FIRST)
ROW: Final = tuple(zone + 4 for zone in _FIRST)  # The first of five.
EVENT_AT: Final = tuple(6 + _SEAT_ZONES * players for players in range(SEATS_MAX + 1))

# ---- counters ----

COUNTERS: Final = (
    "phase", "chooser",  # The seat that is asked, in a phase that asks.
    "turn", "start", "turns", "scorings",
    "series",  # 2.1: the one whose events are all in play.
    "actions", "acted",  # Card actions left and done in this turn.
    "lifted", "lifted.from",  # 11.2: the piece that is being moved, and its spot.
    "bonus", "bonus.color",  # 10.2: cards that may still be taken.
    "swept",  # 12.2: all rows have lost a card for this refill.
    "scored", "scored.color", "other",  # 6: the location, blue or red, the opponent.
    "named.first", "named.other",  # 7.1: symbols.
    "duelist", "passes", "from.hand",
    "winner", "payer", "receiver", "debt", "paid", "round",  # 6.4, 7.5
    "settled",  # How many of the two have settled with their own cards after a scoring.
)  # fmt: skip
PHASE: Final = 0
CHOOSER: Final = 1
TURN: Final = 2
START: Final = 3
TURNS: Final = 4
SCORINGS: Final = 5
SERIES_IN: Final = 6
ACTIONS: Final = 7
ACTED: Final = 8
LIFTED: Final = 9
LIFTED_FROM: Final = 10
BONUS: Final = 11
BONUS_COLOR: Final = 12
SWEPT: Final = 13
SCORED: Final = 14
SCORED_COLOR: Final = 15
OTHER: Final = 16
NAMED_FIRST: Final = 17
NAMED_OTHER: Final = 18
DUELIST: Final = 19
PASSES: Final = 20
FROM_HAND: Final = 21
WINNER: Final = 22
PAYER: Final = 23
RECEIVER: Final = 24
DEBT: Final = 25
PAID: Final = 26
ROUND: Final = 27
SETTLED: Final = 28
_SEAT_COUNTERS: Final = 16
_BLOCK: Final = tuple(29 + _SEAT_COUNTERS * seat for seat in range(SEATS_MAX))
MARKER: Final = _BLOCK  # 1 while the genius marker is in the supply.
FRESH: Final = tuple(counter + 1 for counter in _BLOCK)  # New cards in hand: see `hands.py`.
SUPPLY: Final = tuple(counter + 2 for counter in _BLOCK)  # The first of four, by color of stone.
ROW_SYMBOLS: Final = tuple(counter + 6 for counter in _BLOCK)  # Of five: as bits; 0: no row.
ROW_TURNED: Final = tuple(
    counter + 11 for counter in _BLOCK
)  # Of five: bit i, the card i is turned.
SPACES_AT: Final = tuple(29 + _SEAT_COUNTERS * players for players in range(SEATS_MAX + 1))

# What stands on a space: 0 nothing, 1 + seat a stone, 5 + seat the genius marker of that seat.
STONE: Final = 1
GENIUS: Final = 5

# ---- phases: from `place` on they ask a seat ----

PHASES: Final = (
    "series", "sort", "start", "roll", "deal", "mix", "lay", "refill", "score", "ready", "fight",
    "reveal", "owe", "settle", "renew", "end", "finish", "over",
    "place", "bonus", "act", "join", "name", "duel", "pay", "keep",
)  # fmt: skip
DRAWING_SERIES: Final = 0
SORTING: Final = 1
STARTING: Final = 2
ROLLING: Final = 3
DEALING: Final = 4
MIXING: Final = 5
LAYING_CARD: Final = 6
REFILLING: Final = 7
SCORING: Final = 8
READYING: Final = 9
FIGHTING: Final = 10
REVEALING: Final = 11
OWING: Final = 12
SETTLING: Final = 13
RENEWING: Final = 14
ENDING: Final = 15
FINISHING: Final = 16
OVER: Final = 17
PLACING: Final = 18
TAKING_BONUS: Final = 19
ACTING: Final = 20
JOINING: Final = 21
NAMING: Final = 22
DUELING: Final = 23
PAYING: Final = 24
KEEPING: Final = 25

OPTIONS: Final = (
    Option("series", ("lot", *SERIES)),  # 2.1
    Option("team", (False, True), players=(4,)),  # 14
    Option("balance", (False, True)),  # G31
    Option("refill", ("action", "turn")),  # G7
    Option("culture_loss", ("cards", "symbols")),  # G10
    Option("short_payer", ("needed", "all")),  # G13
    Option("partners_event", ("partner", "center"), players=(4,), only_with=("team", True)),  # G26
)


def places(players: int) -> list[Place]:
    """Every zone, in the order of the constants above."""
    everyone, owner = Sight.EVERYONE, Sight.OWNER
    zones = [
        Place("talon", Sight.NOBODY),
        Place("display", everyone),
        Place("discard", everyone),
        Place("events", Sight.NOBODY),
        Place("box", Sight.NOBODY),
        Place("gone", everyone),
    ]
    for seat in range(players):
        zones.append(Place(f"seat{seat}.hand", owner, seat))
        zones.append(Place(f"seat{seat}.laying", everyone, seat))
        zones.append(Place(f"seat{seat}.persons", owner, seat, holds=PERSON_FACES))
        zones.append(Place(f"seat{seat}.duel", everyone, seat))
        zones += [Place(f"seat{seat}.row{row + 1}", everyone, seat) for row in range(ROWS)]
    zones += [Place(f"event.{LETTERS[at]}", everyone) for at in range(LOCATIONS[players])]
    return zones


def counter_names(players: int) -> list[str]:
    """Every counter, in the order of the constants above."""
    names = [*COUNTERS]
    for seat in range(players):
        names += [f"seat{seat}.genius", f"seat{seat}.fresh"]
        names += [f"seat{seat}.stones.{color}" for color in STONES]
        names += [f"seat{seat}.row{row + 1}.symbols" for row in range(ROWS)]
        names += [f"seat{seat}.row{row + 1}.turned" for row in range(ROWS)]
    for at in range(LOCATIONS[players]):
        names += [f"event.{LETTERS[at]}.{space + 1}" for space in range(SPACES_MAX)]
    return names


def has_option(table: Table, key: str, value: OptionValue) -> bool:
    """Whether this table plays with that variant."""
    return table.layout.options[key] == value


def side_of(table: Table, seat: int) -> int:
    """14.1: partners sit next to each other; otherwise every seat is its own side."""
    return seat // 2 if has_option(table, "team", True) else seat
