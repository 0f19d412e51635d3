"""The steps that card texts are made of.  Each is a function of the table, or makes one.

A step does its part and returns None, or returns a mix that is needed, or asks somebody; the next
step of the text follows when that is answered.  "Me" is the seat whose turn it is, the "victim"
the seat that an effect on several seats has come to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import core.games.dominion.cards as c
from core.games.dominion.cards import fitting
from core.games.dominion.picks import PICKS, ask
from core.games.dominion.piles import (
    begin_pull,
    could_hold,
    give,
    mix_hidden,
    mix_whole,
    pull,
    tell_top,
)
from core.games.dominion.story import plus_kind
from core.requests import Card, Face, Player, Request
from core.table import Table

StepRule: TypeAlias = Callable[[Table], Request | None]
Text: TypeAlias = tuple[StepRule, ...]


# ---- the stack of cards under way ----


def push(table: Table, card: Card, is_spent: bool) -> None:
    """Begin the text of a card; first drop the card on top of the stack if its text is spent."""
    counters = table.counters
    if is_spent:
        counters[c.DEPTH] -= 1
    depth = counters[c.DEPTH]
    assert depth < c.STACK_DEPTH, "more cards are under way than there are Throne Rooms"
    counters[c.STACK + depth], counters[c.DEPTH] = card * c.STEPS_MAX, depth + 1
    clear_notes(table)


def clear_notes(table: Table) -> None:
    """Forget what the text before has picked, whom it has reached and who was safe from it."""
    counters = table.counters
    counters[c.TARGET] = counters[c.SHIELDS] = 0
    counters[c.PICKED] = c.NOBODY


def card_under_way(table: Table) -> Card:
    """The card whose text is being followed."""
    return table.counters[c.STACK + table.counters[c.DEPTH] - 1] // c.STEPS_MAX


def skip(table: Table, steps: int) -> None:
    """Leave out so many of the following steps, or go back if negative."""
    table.counters[c.STACK + table.counters[c.DEPTH] - 1] += steps


def repeat(goes_on: Callable[[Table], bool], *body: StepRule) -> Text:
    """The steps of `body` again and again, as long as `goes_on` says so before each round."""

    def begin(table: Table) -> None:
        if not goes_on(table):
            skip(table, len(body) + 1)

    def back(table: Table) -> None:
        skip(table, -len(body) - 2)

    return (begin, *body, back)


# ---- my own ----


def plus(*, actions: int = 0, buys: int = 0, coins: int = 0) -> StepRule:
    """More actions, buys and coins in this turn."""

    kind = plus_kind(actions, buys, coins)

    def step(table: Table) -> None:
        counters = table.counters
        counters[c.ACTIONS] += actions
        counters[c.BUYS] += buys
        counters[c.MONEY] += coins
        table.tell(kind, counters[c.TURN])

    return step


def draw(count: int) -> StepRule:
    """I draw so many cards."""

    def step(table: Table) -> Request | None:
        me = table.counters[c.TURN]
        begin_pull(table, me, count, c.HAND[me])
        return pull(table)

    return step


def look_at(count: int) -> StepRule:
    """I look at the top cards of my deck."""

    def step(table: Table) -> None:
        me = table.counters[c.TURN]
        begin_pull(table, me, count, c.LOOKING[me])

    return step


def turn_up_mine(table: Table) -> None:
    """I reveal the top card of my deck."""
    me = table.counters[c.TURN]
    begin_pull(table, me, 1, c.SHOWN[me])


def pick_from_hand(phase: int, count: int = 1) -> StepRule:
    """I pick up to `count` cards of my hand, unless everybody knows that it has none of them."""
    fits, kinds = fitting(PICKS[phase][0].faces), list(PICKS[phase][0].faces)

    def step(table: Table) -> None:
        me = table.counters[c.TURN]
        if could_hold(table, me, fits, kinds):
            ask(table, phase, me, count)

    return step


def mix_my_hand(table: Table) -> Request | None:
    """I mix my hand, because a card is about to leave it unseen."""
    return mix_whole(table, table.counters[c.TURN])


def mix_my_new_cards(table: Table) -> Request | None:
    """I mix the cards of my hand that nobody else knows."""
    return mix_hidden(table, table.counters[c.TURN])


def mix_looked_at(table: Table) -> Request | None:
    """I mix the cards that I am looking at."""
    me = table.counters[c.TURN]
    return table.mix_own(me, table.zones[c.LOOKING[me]])


def show_my_top(table: Table) -> None:
    """Everybody sees the top card of my discard pile."""
    tell_top(table, table.counters[c.TURN])


# ---- gaining ----


def gainable(table: Table) -> list[Face]:
    """The piles from which a card may be gained now."""
    counters, zones = table.counters, table.zones
    within = _TREASURES_WITHIN if counters[c.GAIN_TREASURE] else _WITHIN
    return [face for face in within[min(counters[c.LIMIT], c.COST_MAX)] if zones[face]]


def _up_to(faces: tuple[Face, ...]) -> tuple[tuple[Face, ...], ...]:
    """By a limit: those of `faces` that cost no more."""
    limits = range(c.COST_MAX + 1)
    return tuple([tuple([face for face in faces if c.COST[face] <= limit]) for limit in limits])


_WITHIN: Final = _up_to(c.ALL)
_TREASURES_WITHIN: Final = _up_to(c.TREASURES)
_IS_MOAT: Final = fitting((c.MOAT,))


def _begin_gain(table: Table, limit: int, zones: tuple[int, ...], only_treasure: bool) -> None:
    """D15: the choice of a card; left out when no pile has one."""
    counters = table.counters
    me = counters[c.TURN]
    counters[c.LIMIT], counters[c.GAIN_TO] = limit, zones[me]
    counters[c.GAIN_TREASURE] = only_treasure
    if gainable(table):
        ask(table, c.GAINING, me)


def gain_up_to(cost: int, zones: tuple[int, ...]) -> StepRule:
    """I gain a card of at most this cost."""

    def step(table: Table) -> None:
        _begin_gain(table, cost, zones, only_treasure=False)

    return step


def gain_for_trashed(more: int, zones: tuple[int, ...], *, only_treasure: bool = False) -> StepRule:
    """If I trashed a card, I gain one that costs at most so much more."""

    def step(table: Table) -> None:
        card = table.counters[c.PICKED]
        if card >= 0:
            _begin_gain(table, c.COST[table.public_face(card)] + more, zones, only_treasure)

    return step


def gain_one(face: Face, zones: tuple[int, ...]) -> StepRule:
    """I gain this card, if there is one left."""

    def step(table: Table) -> None:
        me = table.counters[c.TURN]
        give(table, me, face, zones[me], me)

    return step


# ---- the others ----


def victim(table: Table) -> Player:
    """The seat that the effect has come to."""
    counters = table.counters
    return (counters[c.TURN] + counters[c.TARGET]) % table.layout.players


def from_me(table: Table) -> None:
    """D13: the effect begins with me."""
    table.counters[c.TARGET] = -1


def next_seat(table: Table) -> bool:
    """D13: go to the next seat that the effect reaches; False when all have been."""
    counters = table.counters
    while counters[c.TARGET] < table.layout.players - 1:
        counters[c.TARGET] += 1
        if not counters[c.SHIELDS] >> victim(table) & 1:
            return True
    return False


def attack(table: Table) -> None:
    """D14: before anything happens each of the others is asked for a Moat.

    All are asked, whatever they hold; left out are seats of which everybody knows that they have
    none, so that nothing can be learned from who is asked or how long the answer takes.
    """
    counters = table.counters
    while counters[c.TARGET] < table.layout.players - 1:
        counters[c.TARGET] += 1
        seat = victim(table)
        if could_hold(table, seat, _IS_MOAT, [c.MOAT]):
            skip(table, -1)
            ask(table, c.REACTING, seat)
            return
    counters[c.TARGET] = 0


def victim_turns_up(count: int) -> StepRule:
    """The victim reveals the top cards of the deck."""

    def step(table: Table) -> None:
        seat = victim(table)
        begin_pull(table, seat, count, c.SHOWN[seat])

    return step


def treasures_shown(table: Table, seat: Player) -> list[Card]:
    """The Treasures among the cards that a seat has revealed."""
    return [card for card in table.zones[c.SHOWN[seat]] if c.IS_TREASURE[table.public_face(card)]]
