"""Paying what a scoring has cost, stone by stone (6.4, 7.5, 14.3).

A debt is one of two kinds: a seat pays another, or the other seats pay one stone each in turn.  The
payer chooses only where the rules leave a choice: which of several foreign colors, and which
stones come off the events when the supply is empty.
"""

from __future__ import annotations

from core.games.renaissance.cards import (
    CHOOSER,
    DEBT,
    NOBODY,
    PAID,
    PAYER,
    PAYING,
    PHASE,
    RECEIVER,
    ROUND,
    SCORED,
    SETTLING,
    has_option,
    side_of,
)
from core.games.renaissance.stones import (
    foreign_colors,
    hand_over,
    is_center,
    neighbors_of,
    own_stones,
    return_piece,
    spots_of,
    stone_count,
)
from core.games.renaissance.story import PAID_IN
from core.requests import Request
from core.table import Table


def begin_debt(table: Table, receiver: int, payer: int, stones: int) -> None:
    """6.4: `payer` owes `receiver` so many stones; NOBODY: as a sole participant is paid (7.5)."""
    counters = table.counters
    counters[RECEIVER], counters[DEBT], counters[PAID] = receiver, stones, 0
    counters[ROUND], counters[PAYER] = 0, payer
    if payer == NOBODY:
        at = counters[SCORED]
        if _is_paid_by_all(table, at):
            counters[ROUND], counters[PAYER] = 1, receiver
            _next_payer(table)
        else:
            right, left = neighbors_of(table, at)
            counters[PAYER] = left if right == receiver else right


def _is_paid_by_all(table: Table, at: int) -> bool:
    """7.5, G26: in the center; by choice of the table also between partners."""
    if is_center(table, at):
        return True
    right, left = neighbors_of(table, at)
    are_partners = side_of(table, right) == side_of(table, left)
    return are_partners and has_option(table, "partners_event", "center")


def _next_payer(table: Table) -> None:
    """7.5, G15, 14.3: the next seat to the right that can pay; nobody left: the rest lapses."""
    counters, players = table.counters, table.layout.players
    receiver = counters[RECEIVER]
    for step in range(1, players + 1):
        seat = (counters[PAYER] - step) % players
        if side_of(table, seat) != side_of(table, receiver) and can_pay(table, seat):
            counters[PAYER] = seat
            return
    _lapse(table, NOBODY)


def _lapse(table: Table, payer: int) -> None:
    """6.4: what is left of the debt cannot be paid."""
    if table.counters[DEBT]:
        table.tell("lapsed", payer, (), table.counters[DEBT])
    table.counters[DEBT] = 0


def can_pay(table: Table, seat: int) -> bool:
    """Whether a seat has a stone in its supply or on an event."""
    return bool(stone_count(table, seat) or spots_of(table, seat, with_marker=False))


def pay(table: Table, color: int) -> None:
    """One stone of the debt goes from the payer's supply to the receiver."""
    counters = table.counters
    hand_over(table, counters[PAYER], counters[RECEIVER], color)
    if table.told is not None:
        table.tell(PAID_IN[color], counters[PAYER], (), 1, counters[RECEIVER])
    counters[DEBT] -= 1
    counters[PAID] += 1
    if counters[ROUND]:
        _next_payer(table)


def pay_from(table: Table, spot: int) -> None:
    """G13: a stone is taken off an event to pay with."""
    return_piece(table, spot)
    pay(table, table.counters[PAYER])


def owe(table: Table) -> Request | None:
    """Pay on until the payer must choose, the debt is paid, or nothing is left to pay with."""
    counters = table.counters
    while counters[DEBT]:
        payer = counters[PAYER]
        due = 1 if counters[ROUND] else counters[DEBT]
        foreign = foreign_colors(table, payer)
        if foreign:
            if len(foreign) > 1 and due < stone_count(table, payer) - own_stones(table, payer):
                _ask(table)
                return None
            pay(table, foreign[0])
        elif own_stones(table, payer):
            pay(table, payer)
        elif not _pay_from_events(table, payer, due):
            _ask(table)
            return None
    counters[PHASE] = SETTLING
    return None


def _pay_from_events(table: Table, payer: int, due: int) -> bool:
    """G13: with an empty supply; False where the payer chooses which stone comes off."""
    spots = spots_of(table, payer, with_marker=False)
    if not spots:
        _lapse(table, payer)
    elif has_option(table, "short_payer", "all"):
        for spot in spots:
            return_piece(table, spot)
    elif len(spots) <= due:
        pay_from(table, spots[0])
    else:
        return False
    return True


def _ask(table: Table) -> None:
    counters = table.counters
    counters[PHASE], counters[CHOOSER] = PAYING, counters[PAYER]
