"""The culture rows of a seat (5.4 to 5.6): what they count for, how cards join and leave them.

A row lies in one of five slots and has a set of symbols, kept as bits: those that all its cards
share, without those of the other rows.  So no symbol ever has two rows (G23).
"""

from __future__ import annotations

from core.games.renaissance.cards import (
    DISCARD,
    GENIUS_OF,
    IS_DOUBLE,
    LAYING,
    NOBODY,
    ROW,
    ROW_SYMBOLS,
    ROW_TURNED,
    ROWS,
    SYMBOL_BITS,
    SYMBOLS_IN,
)
from core.native import i64
from core.requests import Card, Face
from core.table import Table


def row_of(table: Table, seat: int, symbol: int) -> int:
    """The slot of the row that counts for a symbol, or NOBODY."""
    first = ROW_SYMBOLS[seat]
    for row in range(ROWS):
        if table.counters[first + row] >> symbol & 1:
            return row
    return NOBODY


def symbols_in(table: Table, seat: int, row: int) -> int:
    """5.4, 5.5: how many symbols a row shows; a turned double shows two."""
    turned = table.counters[ROW_TURNED[seat] + row]
    count = len(table.zones[ROW[seat] + row])
    return count + turned.bit_count() if turned else count


def symbol_count(table: Table, seat: int, symbol: int) -> int:
    """7.1: how many of one symbol a seat has in its rows."""
    row = row_of(table, seat, symbol)
    return 0 if row == NOBODY else symbols_in(table, seat, row)


def genius_count(table: Table, seat: int, color: int) -> int:
    """10.2: the visible signs of genius of one color; covered cards hide theirs."""
    count = 0
    for zone in table.zones[ROW[seat] : ROW[seat] + ROWS]:
        if zone and GENIUS_OF[table.face[zone[-1]]] == color:
            count += 1
    return count


def joinable(table: Table, seat: int, face: Face) -> list[int]:
    """5.6, G23: the slots of the rows that share a symbol with a card."""
    first, bits = ROW_SYMBOLS[seat], SYMBOL_BITS[face]
    return [row for row in range(ROWS) if table.counters[first + row] & bits]


def join(table: Table, seat: int, row: int) -> None:
    """5.4: the card that has been turned up goes on top of a row, or begins it."""
    card = table.zones[LAYING[seat]][-1]
    table.move(card, LAYING[seat], ROW[seat] + row)
    counters, at = table.counters, ROW_SYMBOLS[seat] + row
    bits = SYMBOL_BITS[table.public_face(card)]
    counters[at] = counters[at] & bits if counters[at] else bits


def free_row(table: Table, seat: int) -> int:
    """A slot without a row: rows share no symbol, so there is one for a symbol without a row."""
    first = ROW_SYMBOLS[seat]
    return table.counters[first : first + ROWS].index(0)


def rotatable(table: Table, seat: int) -> tuple[int, ...]:
    """5.5: the symbols of the rows that have a double on top which counts one."""
    zones, face, first = table.zones, table.face, ROW[seat]
    bits: i64 = 0
    row: i64
    for row in range(ROWS):
        cards = zones[first + row]
        if cards and IS_DOUBLE[face[cards[-1]]] and top_value(table, seat, row) == 1:
            bits |= table.counters[ROW_SYMBOLS[seat] + row]
    return SYMBOLS_IN[bits]


def rotate(table: Table, seat: int, row: int) -> None:
    """5.5: the double on top of a row counts two from now on."""
    top = len(table.zones[ROW[seat] + row]) - 1
    table.counters[ROW_TURNED[seat] + row] |= 1 << top


def top_value(table: Table, seat: int, row: int) -> int:
    """How many symbols the top card of a row shows."""
    top = len(table.zones[ROW[seat] + row]) - 1
    return 1 + (table.counters[ROW_TURNED[seat] + row] >> top & 1)


def discard_top(table: Table, seat: int, row: int) -> None:
    """The top card of a row goes to the discard pile."""
    card = table.zones[ROW[seat] + row][-1]
    leave(table, seat, row, card, DISCARD)
    if table.told is not None:
        table.tell("discarded", seat, (card,))


def leave(table: Table, seat: int, row: int, card: Card, target: int) -> None:
    """A card leaves a row, and lies anew if it comes back (G22)."""
    zone = ROW[seat] + row
    at = table.zones[zone].index(card)
    turned = table.counters[ROW_TURNED[seat] + row]
    below = turned & (1 << at) - 1
    table.counters[ROW_TURNED[seat] + row] = below | turned >> at + 1 << at
    table.move(card, zone, target)
    _widen(table, seat)


def _widen(table: Table, seat: int) -> None:
    """5.6: rows that have lost a card may count for more symbols again."""
    counters, first = table.counters, ROW_SYMBOLS[seat]
    for row in range(ROWS):
        if not table.zones[ROW[seat] + row]:
            counters[first + row] = 0
    for row in range(ROWS):
        bits = _shared(table, table.zones[ROW[seat] + row])
        for other in range(ROWS):
            if other != row:
                bits &= ~counters[first + other]
        counters[first + row] = bits


def _shared(table: Table, cards: list[Card]) -> int:
    """The symbols that all of these cards show; none if there are no cards."""
    bits = -1 if cards else 0
    for card in cards:
        bits &= SYMBOL_BITS[table.face[card]]
    return bits
