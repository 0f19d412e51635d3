"""Windows (4.2): a row of choices of those who can answer a play and want to be asked."""

from __future__ import annotations

from typing import Final

from core.games.civilization import movement
from core.games.civilization.answers import (
    GUARD_BITS,
    answer_numbers,
    may_answer,
    wants,
)
from core.games.civilization.culture import by_face
from core.games.civilization.faces import FIRST_EVENT, FIRST_HUT, FIRST_PERSON, PAYS
from core.games.civilization.frames import (
    CANCELLED,
    EVENT_PLAY,
    GIFT_CANCELLED,
    IS_ANSWER,
    ITEM,
    LEG_PLAY,
    NOTE,
    SEAT,
    TYPE,
    WHICH,
    WINDOW,
    pop,
    push,
    top,
)
from core.games.civilization.layout import (
    ACTIVE,
    DEPTH,
    EVENTS,
    FIELDS,
    GROUP,
    GUARD,
    GUARDED,
    MOVE_AT,
    STACK,
    TOKENS,
)
from core.games.civilization.plays import begin_play, pay_with
from core.games.civilization.ways import is_frozen, way_of_leg
from core.requests import Action, Request
from core.table import HIDDEN, Observation, RulesError, Table

_PASS: Final = Action("pass")  # Made once, for speed.
_GUARDS: Final = tuple([Action("guard", (), bit) for bit in range(GUARD_BITS)])


def row(table: Table) -> Request | None:
    """4.2: ask the next seat, clockwise from the active one; the first answer ends the row."""
    counters, at = table.counters, top(table)
    below = at - FIELDS
    if counters[below + NOTE] & (CANCELLED | GIFT_CANCELLED) or _is_past(table, below):
        pop(table)
        return None
    players = table.layout.players
    while counters[at + ITEM] < players:
        seat = (counters[ACTIVE] + counters[at + ITEM]) % players
        counters[at + ITEM] += 1
        can = seat != counters[below + SEAT] and may_answer(table, below, seat)
        if can and wants(table, below, seat):
            push(table, WINDOW, seat)
            return None
    pop(table)
    return None


def _is_past(table: Table, below: int) -> bool:
    """IW4: nobody is left to be stopped, or the group has been; or it has arrived."""
    counters = table.counters
    if counters[below + TYPE] != LEG_PLAY:
        return False
    return not counters[GROUP] or is_frozen(table, counters[MOVE_AT])


def subject(table: Table) -> int:
    """The play that the window on top is about."""
    return STACK + FIELDS * (table.counters[DEPTH] - 3)


def answer_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """What the seat can answer with: a card or marker, and what for."""
    at = subject(table)
    cards = [*table.zones[EVENTS[seat]], *table.zones[TOKENS[seat]]]
    found = []
    for action in by_face("answer", cards, observation, table.face):
        card = action.cards[0]
        numbers = answer_numbers(table, at, seat, observation[card])
        found += [Action("answer", (card,), number) for number in numbers]
    return found


def answer(table: Table, seat: int, action: Action) -> None:
    """4.2: the card is turned up; an answer is a play of its own, with a row of its own."""
    _, cards, which = action
    if len(cards) != 1:
        raise RulesError("an answer names one card")
    card, at = cards[0], subject(table)
    is_marker = card in table.zones[TOKENS[seat]]
    if not is_marker and card not in table.zones[EVENTS[seat]]:
        raise RulesError("this seat does not hold that card")
    _check_number(table, at, seat, card, which)
    pop(table)
    if table.counters[at + TYPE] == LEG_PLAY:
        movement.walk(table, way_of_leg(table, at), which)
        which = 0
    play = begin_play(table, seat, EVENT_PLAY, 0)
    table.counters[play + NOTE] = IS_ANSWER | WHICH * which
    pay_with(table, seat, card)


def _check_number(table: Table, at: int, seat: int, card: int, which: int) -> None:
    """Whether the number can be meant at all; the face is judged when it is turned up."""
    faces = range(FIRST_EVENT, FIRST_PERSON) if card in table.zones[EVENTS[seat]] else ()
    known = table.face[card]
    choices = [known] if known != HIDDEN else [*faces, *(range(FIRST_HUT, len(PAYS)))]
    if not any(which in answer_numbers(table, at, seat, face) for face in choices):
        raise RulesError("nothing can be answered like this")


def pass_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """Nobody has to answer."""
    return [_PASS]


def let_pass(table: Table, seat: int, action: Action) -> None:
    """The next seat is asked."""
    pop(table)


# ---- the guard ----


def guard_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """4.4: turn over a bit of the guard, each once in a phase."""
    turned = table.counters[GUARDED[seat]]
    if not turned:  # For speed: that is so mostly, and actions are made once.
        return list(_GUARDS)
    return [_GUARDS[bit] for bit in range(GUARD_BITS) if not turned >> bit & 1]


def turn_guard(table: Table, seat: int, action: Action) -> None:
    """4.4: it stays until it is turned over again."""
    table.counters[GUARD[seat]] ^= 1 << action.number
    table.counters[GUARDED[seat]] |= 1 << action.number
