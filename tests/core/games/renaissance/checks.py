"""What is right on a table of Renaissance at every moment of every game."""

from __future__ import annotations

from core.games.renaissance.cards import (
    JOINED,
    LIFTED,
    LOCATIONS,
    MARKER,
    OVER,
    PHASE,
    ROW,
    ROW_SYMBOLS,
    ROWS,
    SCORINGS,
    SUPPLY,
    SYMBOL_BITS,
)
from core.games.renaissance.stones import event_at, is_marker, piece_owner, pieces_at
from core.table import Table

SCORINGS_IN_ALL = (0, 0, 11, 13, 15)  # 13.3, by the number of seats.


def check_table(table: Table) -> None:
    """Stones, events, rows, and at the end the number of scorings."""
    check_stones(table)
    check_events(table)
    check_rows(table)
    scorings, in_all = table.counters[SCORINGS], SCORINGS_IN_ALL[table.layout.players]
    is_over = table.counters[PHASE] == OVER
    assert scorings == in_all if is_over else scorings <= in_all, f"{scorings} scorings"


def check_stones(table: Table) -> None:
    """Seven stones of every color and one marker, wherever they are."""
    players, counters = table.layout.players, table.counters
    on_events = [piece for at in range(LOCATIONS[players]) for piece in pieces_at(table, at)]
    standing = [piece for piece in (*on_events, counters[LIFTED]) if piece]
    for color in range(players):
        placed = [piece for piece in standing if piece_owner(piece) == color]
        markers = sum(map(is_marker, placed))
        supplies = [counters[SUPPLY[seat] + color] for seat in range(players)]
        assert min(supplies) >= 0, "a debt was paid with what was not there"
        assert sum(supplies) + len(placed) - markers == 7, "a stone was lost"
        assert counters[MARKER[color]] + markers == 1, "a genius marker was lost"


def check_events(table: Table) -> None:
    """Two players on an event at most, and nothing beyond its spaces."""
    for at in range(LOCATIONS[table.layout.players]):
        event, pieces = event_at(table, at), pieces_at(table, at)
        assert len({piece_owner(piece) for piece in pieces if piece}) <= 2, "three on an event"
        assert not any(pieces[len(JOINED[event]) if event >= 0 else 0 :]), "a piece beside it"


def check_rows(table: Table) -> None:
    """No symbol has two rows, and every row counts for what all its cards show."""
    for seat in range(table.layout.players):
        taken = 0
        for row in range(ROWS):
            bits = table.counters[ROW_SYMBOLS[seat] + row]
            cards = table.zones[ROW[seat] + row]
            assert bool(bits) == bool(cards), "a row without cards, or without a symbol"
            assert not bits & taken, "a symbol has two rows"
            assert all(SYMBOL_BITS[table.public_face(card)] & bits == bits for card in cards)
            taken |= bits
