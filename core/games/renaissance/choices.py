"""What a seat may do in every phase that asks it, and the notation of it.

Equal cards are offered once, one that everybody knows before one that is hidden, so that laying it
tells the others nothing else.  What moves the game on is offered last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import core.games.renaissance.cards as c
from core.games.renaissance.hands import is_person
from core.games.renaissance.printed import STONES, SYMBOLS
from core.games.renaissance.rows import joinable, rotatable
from core.games.renaissance.scoring import is_usable, nameable, used_cards
from core.games.renaissance.stones import (
    foreign_colors,
    liftable,
    own_stones,
    placeable,
    spots_of,
    swaps,
)
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
    if phase == c.DUELING:
        return _dueling(table, seat, observation)
    if phase == c.TAKING_BONUS:
        return [*_distinct(BY_CARD["take"], bonus_cards(table), table.face), _STOP]
    if phase == c.KEEPING:
        return _distinct(BY_CARD["keep"], used_cards(table, seat), table.face)
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
    if counters[c.LIFTED]:
        verb = "genius" if counters[c.LIFTED] >= c.GENIUS else "place"
        actions = BY_SPOT[verb]
        return [actions[spot] for spot in placeable(table, seat, counters[c.LIFTED_FROM])]
    spots = placeable(table, seat)
    found = [_PASS] if may_pass(table, seat, spots) else []
    found += [_SWAP[SWAP_SEAT * other + color] for other, color in swaps(table, seat)]
    found += [BY_SPOT["lift"][spot] for spot in liftable(table, seat)]
    if counters[c.MARKER[seat]]:
        found += [BY_SPOT["genius"][spot] for spot in spots]
    if own_stones(table, seat):
        found += [BY_SPOT["place"][spot] for spot in spots]
    return found


def may_pass(table: Table, seat: int, spots: list[int]) -> bool:
    """4.4: a seat that can place nothing out of its supply on `spots`; it need not swap or move."""
    return not spots or not (own_stones(table, seat) or table.counters[c.MARKER[seat]])


def bonus_cards(table: Table) -> list[Card]:
    """10.2: the cards of the display that the bonus is about."""
    wants_person = table.counters[c.BONUS_COLOR] != c.BLUE
    cards = table.zones[c.DISPLAY]
    return [card for card in cards if is_person(table.public_face(card)) == wants_person]


# ---- 5: card actions ----


def _acting(table: Table, seat: int, observation: Observation) -> list[Action]:
    hand = table.zones[c.HAND[seat]]
    found = _distinct(BY_CARD["take"], table.zones[c.DISPLAY], table.face)
    if table.zones[c.TALON]:
        found.append(_DRAW)
    hides = []
    for action in _distinct(BY_CARD["lay"], hand, observation, table.face):
        card = action.cards[0]
        if observation[card] < c.FIRST_PERSON:
            found.append(action)
        else:
            hides.append(BY_CARD["hide"][card])
    found += hides
    found += [BY_SYMBOL["rotate"][symbol] for symbol in rotate_symbols(table, seat)]
    if table.counters[c.ACTED]:  # 3.1: at least one card action.
        found.append(_END)
    return found


def rotate_symbols(table: Table, seat: int) -> list[int]:
    """5.5: the symbols of the rows that have a double to be rotated on top."""
    rows, bits = rotatable(table, seat), 0
    if not rows:
        return []
    for row in rows:
        bits |= table.counters[c.ROW_SYMBOLS[seat] + row]
    return [symbol for symbol in range(len(SYMBOLS)) if bits >> symbol & 1]


def join_symbols(table: Table, seat: int) -> list[int]:
    """5.6: the symbols by which the joker on its way may join one of several rows."""
    face = table.public_face(table.zones[c.LAYING[seat]][-1])
    bits = 0
    for row in joinable(table, seat, face):
        bits |= table.counters[c.ROW_SYMBOLS[seat] + row] & c.SYMBOL_BITS[face]
    return [symbol for symbol in range(len(SYMBOLS)) if bits >> symbol & 1]


def _distinct(
    actions: tuple[Action, ...],
    cards: list[Card],
    observation: Observation,
    public: Sequence[Face] = (),
) -> list[Action]:
    """An action for one card of each face, those that are in `public` first."""
    if public:
        known = [card for card in cards if public[card] != HIDDEN]
        if known:
            cards = known + [card for card in cards if public[card] == HIDDEN]
    found: dict[Face, Action] = {}
    for card in cards:
        found.setdefault(observation[card], actions[card])
    return list(found.values())


# ---- 6 to 8: scorings ----


def _paying(table: Table) -> list[Action]:
    payer = table.counters[c.PAYER]
    foreign = foreign_colors(table, payer)
    if foreign:
        return [_PAY[color] for color in foreign]
    return [BY_SPOT["lift"][spot] for spot in spots_of(table, payer, with_marker=False)]


def _dueling(table: Table, seat: int, observation: Observation) -> list[Action]:
    kinds = _distinct(BY_CARD["call"], table.zones[c.HAND[seat]], observation, table.face)
    found = [action for action in kinds if is_usable(table, observation[action.cards[0]])]
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
