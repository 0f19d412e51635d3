"""What a choice does, and what everybody can see to be against the rules.

That is refused before anything has changed; a hidden card is judged once it is turned up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import core.games.renaissance.cards as c
from core.games.renaissance.choices import (
    SWAP_SEAT,
    bonus_cards,
    check_asked,
    join_symbols,
    may_pass,
)
from core.games.renaissance.hands import draw, is_person, take
from core.games.renaissance.payment import pay, pay_from
from core.games.renaissance.rows import genius_count, join, rotatable, rotate, row_of
from core.games.renaissance.scoring import (
    ask,
    call_up,
    is_usable,
    keep_used,
    name_next,
    nameable,
    pass_duel,
    used_cards,
)
from core.games.renaissance.stones import (
    event_at,
    foreign_colors,
    free_spaces,
    hand_over,
    liftable,
    occupied_at,
    own_stones,
    placeable,
    spot_counter,
    spots_of,
    swaps,
    take_off,
)
from core.games.renaissance.turn import begin_actions, end_action
from core.requests import Action, Card, Claim, Player
from core.table import HIDDEN, RulesError, Table


def apply(table: Table, seat: Player, action: Action) -> None:
    """Carry out an action.

    Raises:
        RulesError: it is visibly against the rules; the table is as it was.
    """
    check_asked(table, seat)
    verb, cards, number = action
    phase = table.counters[c.PHASE]
    by_card = _CARD_RULES[phase].get(verb)
    if by_card is not None:
        if len(cards) != 1 or number:
            raise RulesError(f"{verb} names one card and nothing else")
        by_card(table, seat, cards[0])
        return
    by_number = _NUMBER_RULES[phase].get(verb)
    if by_number is None:
        raise RulesError(f"nobody can {verb} now: the phase is {c.PHASES[phase]}")
    if cards or (number and verb in _BARE):
        raise RulesError(f"{verb} names no card, and a number only if there are several ways")
    by_number(table, seat, number)


def claim(table: Table, seat: Player, action: Action) -> Claim | None:
    """5.2: who puts a card on the own pile, face down, says that it is a person."""
    if action.verb != "hide" or len(action.cards) != 1:
        return None
    card = action.cards[0]
    if card not in table.zones[c.HAND[seat]] or table.face[card] != HIDDEN:
        return None
    return Claim((card,), c.PERSON_FACES)


# ---- 4, 11: phase I ----


def _place(table: Table, seat: Player, spot: int) -> None:
    """4: a stone of the own color."""
    counters = table.counters
    if counters[c.LIFTED] >= c.GENIUS or not (counters[c.LIFTED] or own_stones(table, seat)):
        raise RulesError("this seat has no stone of its colour to place")
    _check_spot(table, seat, spot)
    if not counters[c.LIFTED]:
        supply = c.SUPPLY[seat] + seat
        counters[supply] = counters[supply] - 1  # Faster than -= when compiled.
    _put(table, spot, c.STONE + seat)
    begin_actions(table)


def _place_genius(table: Table, seat: Player, spot: int) -> None:
    """10: the genius marker instead of a stone; its bonus comes before the card actions."""
    counters = table.counters
    if 0 < counters[c.LIFTED] < c.GENIUS or not (counters[c.LIFTED] or counters[c.MARKER[seat]]):
        raise RulesError("this seat has no genius marker to place")
    _check_spot(table, seat, spot)
    if not counters[c.LIFTED]:
        counters[c.MARKER[seat]] = 0
    color = _put(table, spot, c.GENIUS + seat)
    begin_actions(table)
    counters[c.BONUS], counters[c.BONUS_COLOR] = genius_count(table, seat, color), color
    _next_bonus(table)


def _check_spot(table: Table, seat: Player, spot: int) -> None:
    if not table.checks_offers():
        return
    at, space = divmod(spot, c.SPACES_MAX)
    is_there = at < c.LOCATIONS[table.layout.players]
    if not (is_there and free_spaces(table, seat, at, table.counters[c.LIFTED_FROM]) >> space & 1):
        raise RulesError("this seat cannot place there")


def _put(table: Table, spot: int, piece: int) -> int:
    """6.1: put a piece on a spot; when its color is full a scoring follows.  Gives the color."""
    counters = table.counters
    counters[spot_counter(table, spot)] = piece
    counters[c.LIFTED], counters[c.LIFTED_FROM] = 0, c.NOBODY
    at, space = spot // c.SPACES_MAX, spot % c.SPACES_MAX
    event = event_at(table, at)
    color = c.BLUE if c.COLOR_SPACES[c.BLUE][event] >> space & 1 else c.RED
    if not c.COLOR_SPACES[color][event] & ~occupied_at(table, at):
        counters[c.SCORED], counters[c.SCORED_COLOR] = at, color
    return color


def _lift(table: Table, seat: Player, spot: int) -> None:
    """11.2: a seat without any stone moves a piece."""
    if table.counters[c.LIFTED] or spot not in liftable(table, seat):
        raise RulesError("this seat cannot move a piece from there")
    table.counters[c.LIFTED], table.counters[c.LIFTED_FROM] = take_off(table, spot), spot


def _swap(table: Table, seat: Player, number: int) -> None:
    """11.1: one foreign stone for one of the own color."""
    other, color = divmod(number, SWAP_SEAT)
    if table.counters[c.LIFTED] or other >= c.SEATS_MAX or (other, color) not in swaps(table, seat):
        raise RulesError("this seat cannot exchange stones like that")
    hand_over(table, seat, other, color)
    hand_over(table, other, seat, seat)


def _pass_placing(table: Table, seat: Player, _: int) -> None:
    """4.4, G6: two card actions all the same."""
    if table.counters[c.LIFTED] or not may_pass(table, seat, placeable(table, seat)):
        raise RulesError("this seat has to place a piece")
    begin_actions(table)


def _take_bonus(table: Table, seat: Player, card: Card) -> None:
    """10.2: a card of the bonus, out of the display."""
    if card not in bonus_cards(table):
        raise RulesError(f"card {card} is not one that the bonus allows")
    take(table, seat, card, c.DISPLAY)
    table.counters[c.BONUS] -= 1
    _next_bonus(table)


def _next_bonus(table: Table) -> None:
    if table.counters[c.BONUS] and bonus_cards(table):
        ask(table, c.TAKING_BONUS, table.counters[c.TURN])
    else:
        begin_actions(table)


def _leave_bonus(table: Table, seat: Player, _: int) -> None:
    """10.2: up to that many, so perhaps fewer."""
    begin_actions(table)


# ---- 5: phase II ----


def _take(table: Table, seat: Player, card: Card) -> None:
    """5.1: from the display."""
    if card not in table.zones[c.DISPLAY]:
        raise RulesError(f"card {card} is not in the display")
    take(table, seat, card, c.DISPLAY)
    end_action(table)


def _draw(table: Table, seat: Player, _: int) -> None:
    """5.1: from the talon."""
    if not table.zones[c.TALON]:
        raise RulesError("the talon is empty")
    draw(table, seat)
    end_action(table)


def _hand_face(table: Table, seat: Player, card: Card) -> int:
    """What everybody knows of a card in the hand of `seat`."""
    if card not in table.zones[c.HAND[seat]]:
        raise RulesError(f"card {card} is not in the hand of this seat")
    return table.face[card]


def _lay(table: Table, seat: Player, card: Card) -> None:
    """5.2: a culture card, face up; whether it is one is seen then."""
    if is_person(_hand_face(table, seat, card)):
        raise RulesError("a character cannot be laid into a row")
    table.move(card, c.HAND[seat], c.LAYING[seat])
    table.counters[c.PHASE] = c.LAYING_CARD


def _hide(table: Table, seat: Player, card: Card) -> None:
    """5.2: a person, face down on the own pile; that it is one has been claimed."""
    face = _hand_face(table, seat, card)
    if face != HIDDEN and not is_person(face):
        raise RulesError("only a character goes on the pile")
    table.move(card, c.HAND[seat], c.PILE[seat])
    end_action(table)


def _rotate(table: Table, seat: Player, symbol: int) -> None:
    """5.5, G8: the double on top of a row counts two from now on."""
    if symbol not in rotatable(table, seat):
        raise RulesError("no double lies open on that row")
    rotate(table, seat, row_of(table, seat, symbol))
    end_action(table)


def _end(table: Table, seat: Player, _: int) -> None:
    """3.1: no second card action."""
    if not table.counters[c.ACTED]:
        raise RulesError("one card action has to be done")
    table.counters[c.PHASE], table.counters[c.ACTIONS] = c.REFILLING, 0


def _join(table: Table, seat: Player, symbol: int) -> None:
    """5.6: which of two rows the joker joins."""
    if symbol not in join_symbols(table, seat):
        raise RulesError("the joker cannot join a row of that symbol")
    join(table, seat, row_of(table, seat, symbol))
    end_action(table)


# ---- 6 to 8: scorings ----


def _name(table: Table, seat: Player, symbol: int) -> None:
    """7.1, G30: any symbol of the event."""
    if symbol not in nameable(table):
        raise RulesError("the event does not show that symbol")
    is_first = seat == table.counters[c.TURN]
    table.counters[c.NAMED_FIRST if is_first else c.NAMED_OTHER] = symbol
    name_next(table)


def _pay(table: Table, seat: Player, color: int) -> None:
    """6.4: which foreign stone goes first."""
    if color not in foreign_colors(table, seat):
        raise RulesError("this seat has no foreign stone of that colour")
    pay(table, color)
    table.counters[c.PHASE] = c.OWING


def _pay_from(table: Table, seat: Player, spot: int) -> None:
    """6.4, G13: which stone comes off an event."""
    if foreign_colors(table, seat) or spot not in spots_of(table, seat, with_marker=False):
        raise RulesError("this seat cannot pay with a stone from there")
    pay_from(table, spot)
    table.counters[c.PHASE] = c.OWING


def _call(table: Table, seat: Player, card: Card) -> None:
    """8.3: a person of the hand, of a symbol of the event; whether it is one is seen then."""
    face = _hand_face(table, seat, card)
    if face != HIDDEN and not is_usable(table, face):
        raise RulesError("only characters with a symbol of the event are called from the hand")
    call_up(table, seat, card, c.HAND[seat])


def _uncover(table: Table, seat: Player, _: int) -> None:
    """8.3, G19: the top card of the own pile."""
    if not table.zones[c.PILE[seat]]:
        raise RulesError("the pile of this seat is empty")
    card = table.zones[c.PILE[seat]][-1]
    call_up(table, seat, card, c.PILE[seat])
    table.tell("uncovered", seat, (card,))


def _pass_duel(table: Table, seat: Player, _: int) -> None:
    pass_duel(table)


def _keep(table: Table, seat: Player, card: Card) -> None:
    """7.4, 8.6, 8.7: the card that returns to the hand."""
    if card not in used_cards(table, seat):
        raise RulesError(f"card {card} has not been used by this seat")
    keep_used(table, seat, card)


_BARE: Final = ("pass", "stop", "draw", "end", "uncover")
_CARDS: Final[dict[int, dict[str, Callable[[Table, Player, Card], None]]]] = {
    c.TAKING_BONUS: {"take": _take_bonus},
    c.ACTING: {"take": _take, "lay": _lay, "hide": _hide},
    c.DUELING: {"call": _call},
    c.KEEPING: {"keep": _keep},
}
_NUMBERS: Final[dict[int, dict[str, Callable[[Table, Player, int], None]]]] = {
    c.PLACING: {
        "place": _place, "genius": _place_genius, "lift": _lift, "swap": _swap,
        "pass": _pass_placing,
    },
    c.TAKING_BONUS: {"stop": _leave_bonus},
    c.ACTING: {"draw": _draw, "rotate": _rotate, "end": _end},
    c.JOINING: {"join": _join},
    c.NAMING: {"name": _name},
    c.PAYING: {"pay": _pay, "lift": _pay_from},
    c.DUELING: {"uncover": _uncover, "pass": _pass_duel},
}  # fmt: skip
_CARD_RULES: Final = tuple([_CARDS.get(phase, {}) for phase in range(len(c.PHASES))])
_NUMBER_RULES: Final = tuple([_NUMBERS.get(phase, {}) for phase in range(len(c.PHASES))])
