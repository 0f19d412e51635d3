"""What a seat may do in every phase that asks it, and the notation of it.

Equal cards are offered once, one that everybody knows before one that is hidden, so that laying it
tells the others nothing else.  What moves the game on is offered last.
"""

from __future__ import annotations

from typing import Final

import core.games.renaissance.cards as c
from core.games.renaissance.hands import is_person
from core.games.renaissance.printed import STONES, SYMBOLS
from core.games.renaissance.rows import joinable, rotatable
from core.games.renaissance.scoring import nameable, usable_kinds, used_cards
from core.games.renaissance.stones import (
    foreign_colors,
    liftable,
    own_stones,
    placeable,
    spots_of,
    swaps,
)
from core.native import i64
from core.requests import Action, Card, Face
from core.table import HIDDEN, Observation, RulesError, Table

# Actions are made once: search asks for them millions of times.
_SPOTS: Final = c.SPACES_MAX * max(c.LOCATIONS)
BY_SPOT: Final = {
    verb: tuple([Action(verb, (), spot) for spot in range(_SPOTS)])
    for verb in ("place", "genius", "lift")
}
BY_CARD: Final = {
    verb: tuple([Action(verb, (card,)) for card in range(c.CARDS)])
    for verb in ("take", "lay", "hide", "call", "keep")
}
BY_SYMBOL: Final = {
    verb: tuple([Action(verb, (), symbol) for symbol in range(len(SYMBOLS))])
    for verb in ("join", "rotate", "name")
}
SWAP_SEAT: Final = 4  # A swap with a seat has this number times the seat, plus the color.
_ON_SPACES: Final = {  # By verb: for every location and set of its spaces the actions on these.
    verb: tuple(
        [
            tuple([actions[c.SPACES_MAX * at + space] for space in range(c.SPACES_MAX)
                   if bits >> space & 1])
            for at in range(max(c.LOCATIONS))
            for bits in range(c.ALL_SPACES + 1)
        ]
    )
    for verb, actions in BY_SPOT.items()
}  # fmt: skip
_TAKE: Final = BY_CARD["take"]
_LAY: Final = BY_CARD["lay"]
_HIDE: Final = BY_CARD["hide"]
_CALL: Final = BY_CARD["call"]
_KEEP: Final = BY_CARD["keep"]
_ROTATE: Final = BY_SYMBOL["rotate"]
_PAY: Final = tuple([Action("pay", (), color) for color in range(len(STONES))])
_SWAP: Final = tuple([Action("swap", (), number) for number in range(SWAP_SEAT * c.SEATS_MAX)])
_PASS: Final = Action("pass")
_STOP: Final = Action("stop")
_DRAW: Final = Action("draw")
_END: Final = Action("end")
_UNCOVER: Final = Action("uncover")


def legal_actions(table: Table, seat: int, observation: Observation) -> list[Action]:
    """Everything `seat` may do now, in an order that is the same everywhere."""
    check_asked(table, seat)
    phase = table.counters[c.PHASE]
    if phase == c.PLACING:
        return _placing(table, seat)
    if phase == c.ACTING:
        return _acting(table, seat, observation)
    found: list[Action] = []
    if phase == c.DUELING:
        return _dueling(table, seat, observation)
    if phase == c.TAKING_BONUS:
        kinds = c.CULTURE_KINDS if table.counters[c.BONUS_COLOR] == c.BLUE else c.PERSON_KINDS
        _add_kinds(found, _TAKE, table.zones[c.DISPLAY], table.face, kinds)
        found.append(_STOP)
        return found
    if phase == c.KEEPING:
        _add_kinds(found, _KEEP, used_cards(table, seat), table.face, c.ALL_KINDS)
        return found
    if phase == c.PAYING:
        return _paying(table)
    if phase == c.NAMING:
        return [BY_SYMBOL["name"][symbol] for symbol in nameable(table)]
    assert phase == c.JOINING, "every phase that asks has its actions"
    return [BY_SYMBOL["join"][symbol] for symbol in join_symbols(table, seat)]


def check_asked(table: Table, seat: int) -> None:
    """Refuse a seat that has nothing to choose."""
    if table.counters[c.PHASE] < c.PLACING or table.counters[c.CHOOSER] != seat:
        raise RulesError("it is not for this seat to choose")


# ---- 4, 11: placing ----


def _placing(table: Table, seat: int) -> list[Action]:
    counters = table.counters
    found: list[Action] = []
    if counters[c.LIFTED]:
        verb = "genius" if counters[c.LIFTED] >= c.GENIUS else "place"
        _add_on(found, verb, placeable(table, seat, counters[c.LIFTED_FROM]))
        return found
    spots = placeable(table, seat)
    if may_pass(table, seat, spots):
        found.append(_PASS)
    has_stones = own_stones(table, seat) > 0
    if not has_stones:  # Otherwise there is neither.
        found += [_SWAP[SWAP_SEAT * other + color] for other, color in swaps(table, seat)]
        found += [BY_SPOT["lift"][spot] for spot in liftable(table, seat)]
    if counters[c.MARKER[seat]]:
        _add_on(found, "genius", spots)
    if has_stones:
        _add_on(found, "place", spots)
    return found


def _add_on(found: list[Action], verb: str, spots: i64) -> None:
    """An action on each of `spots`."""
    actions = _ON_SPACES[verb]
    first: i64 = 0
    while spots:
        found += actions[first + (spots & c.ALL_SPACES)]
        first += c.ALL_SPACES + 1
        spots >>= c.SPACES_MAX


def may_pass(table: Table, seat: int, spots: i64) -> bool:
    """4.4: a seat that can place nothing out of its supply on `spots`; it need not swap or move."""
    return not spots or not (own_stones(table, seat) or table.counters[c.MARKER[seat]])


def bonus_cards(table: Table) -> list[Card]:
    """10.2: the cards of the display that the bonus is about."""
    wants_person = table.counters[c.BONUS_COLOR] != c.BLUE
    cards = table.zones[c.DISPLAY]
    return [card for card in cards if is_person(table.public_face(card)) == wants_person]


# ---- 5: card actions ----


def _acting(table: Table, seat: int, observation: Observation) -> list[Action]:
    found: list[Action] = []
    zones, known = table.zones, table.face
    _add_kinds(found, _TAKE, zones[c.DISPLAY], known, c.ALL_KINDS)
    if zones[c.TALON]:
        found.append(_DRAW)
    hand = zones[c.HAND[seat]]
    hides: list[Action] = []
    missing = _add_hand(found, hides, hand, known, c.ALL_KINDS)
    _add_hand(found, hides, hand, observation, missing)
    found += hides
    for symbol in rotatable(table, seat):
        found.append(_ROTATE[symbol])
    if table.counters[c.ACTED]:  # 3.1: at least one card action.
        found.append(_END)
    return found


def join_symbols(table: Table, seat: int) -> tuple[int, ...]:
    """5.6: the symbols by which the joker on its way may join one of several rows."""
    face = table.public_face(table.zones[c.LAYING[seat]][-1])
    bits = 0
    for row in joinable(table, seat, face):
        bits |= table.counters[c.ROW_SYMBOLS[seat] + row] & c.SYMBOL_BITS[face]
    return c.SYMBOLS_IN[bits]


def _add_kinds(
    found: list[Action],
    actions: tuple[Action, ...],
    cards: list[Card],
    faces: list[Face],
    wanted: i64,
) -> i64:
    """An action for the first card of each face that is wanted; gives the faces still missing.

    A set of faces is its bits.  What all know is offered first: ask with the public faces, then
    with what the seat knows for those that are missing.
    """
    card: i64
    for card in cards:
        face: i64 = faces[card]
        if face != HIDDEN and wanted >> face & 1:
            wanted ^= (wanted >> face & 1) << face  # Compiled, `1 << face` has 32 bits.
            found.append(actions[card])
    return wanted


def _add_hand(
    found: list[Action], hides: list[Action], hand: list[Card], faces: list[Face], wanted: i64
) -> i64:
    """The same with culture cards to lay and persons to hide."""
    card: i64
    for card in hand:
        face: i64 = faces[card]
        if face != HIDDEN and wanted >> face & 1:
            wanted ^= (wanted >> face & 1) << face
            if face < c.FIRST_PERSON:
                found.append(_LAY[card])
            else:
                hides.append(_HIDE[card])
    return wanted


# ---- 6 to 8: scorings ----


def _paying(table: Table) -> list[Action]:
    payer = table.counters[c.PAYER]
    foreign = foreign_colors(table, payer)
    if foreign:
        return [_PAY[color] for color in foreign]
    return [BY_SPOT["lift"][spot] for spot in spots_of(table, payer, with_marker=False)]


def _dueling(table: Table, seat: int, observation: Observation) -> list[Action]:
    found: list[Action] = []
    hand, usable = table.zones[c.HAND[seat]], usable_kinds(table)
    missing = _add_kinds(found, _CALL, hand, table.face, usable)
    _add_kinds(found, _CALL, hand, observation, missing)
    if table.zones[c.PILE[seat]]:
        found.append(_UNCOVER)
    found.append(_PASS)
    return found


# ---- words ----


def describe(table: Table, action: Action, observation: Observation) -> str:
    """The notation of an action; a card that `observation` does not know is `?`."""
    verb, cards, number = action
    if cards:
        face = observation[cards[0]] if cards[0] < len(observation) else HIDDEN
        return f"{verb} {c.FACES[face] if face != HIDDEN else '?'}"
    if verb in BY_SPOT:
        return f"{verb} {spot_name(number)}"
    if verb in BY_SYMBOL:
        return f"{verb} {SYMBOLS[number % len(SYMBOLS)]}"
    if verb == "pay":
        return f"pay {STONES[number % len(STONES)]}"
    if verb == "swap":
        return f"swap seat{number // SWAP_SEAT} {STONES[number % SWAP_SEAT]}"
    return verb


def spot_name(spot: int) -> str:
    """A spot in words: `c.4` is the fourth space of the third location."""
    at, space = divmod(spot, c.SPACES_MAX)
    return f"{c.LETTERS[at % len(c.LETTERS)]}.{space + 1}"
