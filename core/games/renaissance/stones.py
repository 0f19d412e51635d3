"""Stones and genius markers: where they may stand, how they come and go (4, 6.4, 11).

Stones are counted, not tracked: a supply has a counter for each color.  A color is the seat that
it belongs to.  Only stones of the own color are ever placed, so what stands on a spot is known by
its owner.
"""

from __future__ import annotations

import core.games.renaissance.cards as c
from core.games.renaissance.cards import has_option
from core.native import i64
from core.table import Table

# ---- events ----


def event_zone(table: Table, at: int) -> int:
    """The zone of the events at a location."""
    return c.EVENT_AT[table.layout.players] + at


def event_at(table: Table, at: int) -> int:
    """9.2: the event on top at a location, counted from 0; NOBODY when the location is closed."""
    cards = table.zones[c.EVENT_AT[table.layout.players] + at]
    return table.public_face(cards[-1]) - c.FIRST_EVENT if cards else c.NOBODY


def stake_at(table: Table, at: int) -> int:
    """8.1: the dice of all events at a location."""
    dice = 0
    for card in table.zones[event_zone(table, at)]:
        dice += c.DICE[table.public_face(card) - c.FIRST_EVENT]
    return dice


def is_center(table: Table, at: int) -> bool:
    """2.2: whether a location is in the center."""
    return at < c.CENTERS[table.layout.players]


def neighbors_of(table: Table, at: int) -> tuple[int, int]:
    """2.2: the two seats between which a location lies that is not in the center."""
    right = at - c.CENTERS[table.layout.players]
    return right, (right + 1) % table.layout.players


# ---- pieces on events ----


def spot_counter(table: Table, spot: int) -> int:
    """The counter of a spot."""
    return c.SPACES_AT[table.layout.players] + spot


def piece_owner(piece: int) -> int:
    """Whose piece it is."""
    return (piece - c.STONE) & 3


def is_marker(piece: int) -> bool:
    """Whether it is a genius marker."""
    return piece >= c.GENIUS


def pieces_at(table: Table, at: int) -> list[int]:
    """What stands on the spaces of a location, space by space."""
    first = c.SPACES_AT[table.layout.players] + c.SPACES_MAX * at
    return table.counters[first : first + c.SPACES_MAX]


def occupied_at(table: Table, at: int) -> i64:
    """The occupied spaces of a location, as bits."""
    counters, first = table.counters, spot_counter(table, c.SPACES_MAX * at)
    bits: i64 = 0
    space: i64
    for space in range(c.SPACES_MAX):
        if counters[first + space]:
            bits |= 1 << space
    return bits


def spots_of(table: Table, seat: int, *, with_marker: bool) -> list[int]:
    """The spots on which a seat has stones, and perhaps its genius marker."""
    spots: list[int] = []
    counters, first = table.counters, spot_counter(table, 0)
    stone: i64 = c.STONE + seat
    marker: i64 = c.GENIUS + seat if with_marker else stone
    spot: i64
    for spot in range(c.SPACES_MAX * c.LOCATIONS[table.layout.players]):
        piece: i64 = counters[first + spot]
        if piece in (stone, marker):
            spots.append(spot)
    return spots


def take_off(table: Table, spot: int) -> int:
    """Take what stands on a spot into nobody's hands; gives the piece."""
    counter = spot_counter(table, spot)
    piece, table.counters[counter] = table.counters[counter], 0
    return piece


def return_piece(table: Table, spot: int) -> None:
    """6.3: what stands on a spot goes back into its owner's supply."""
    piece = take_off(table, spot)
    owner = piece_owner(piece)
    if is_marker(piece):
        table.counters[c.MARKER[owner]] += 1
        table.tell("marker", owner)
    else:
        supply = c.SUPPLY[owner] + owner
        table.counters[supply] = table.counters[supply] + 1
        if table.told is not None:  # Here and there, where games of search pass often.
            table.tell("returned", owner, (), 1)


# ---- placing ----


def free_spaces(table: Table, seat: int, at: i64, without: i64 = c.NOBODY) -> i64:
    """4.1 to 4.3, 14.2, G3: the spaces of an event on which a seat may place, as bits.

    `without` is the spot from which a piece is being moved: it counts as empty, and the piece
    may not go back there (G17).
    """
    event, center = event_at(table, at), is_center(table, at)
    if event == c.NOBODY or not (center or seat in neighbors_of(table, at)):
        return 0
    counters, first = table.counters, spot_counter(table, c.SPACES_MAX * at)
    left: i64 = without - c.SPACES_MAX * at
    taken: i64 = 0
    owners: i64 = 0
    space: i64
    for space in range(c.SPACES_MAX):
        piece: i64 = counters[first + space]
        if piece and space != left:
            taken |= 1 << space
            owners |= 1 << (piece - c.STONE & 3)
    if owners & owners - 1 and not owners >> seat & 1:  # Several, and not this seat.
        return 0
    if center and owners >> (seat ^ 1) & 1 and has_option(table, "team", True):
        return 0
    free: i64 = c.REACHED[event][taken]
    return free & ~(1 << left) if 0 <= left < c.SPACES_MAX else free


def placeable(table: Table, seat: int, without: int = c.NOBODY) -> i64:
    """4.1 to 4.3: the spots on which a seat may place, as bits."""
    spots: i64 = 0
    at: i64
    for at in range(c.LOCATIONS[table.layout.players]):
        spots |= free_spaces(table, seat, at, without) << c.SPACES_MAX * at
    return spots


# ---- supplies ----


def stone_count(table: Table, seat: int) -> int:
    """13.2: the stones in a supply, of any color."""
    counters, first = table.counters, c.SUPPLY[seat]
    return counters[first] + counters[first + 1] + counters[first + 2] + counters[first + 3]


def own_stones(table: Table, seat: int) -> int:
    """The stones of the own color in a supply."""
    return table.counters[c.SUPPLY[seat] + seat]


def foreign_colors(table: Table, seat: int) -> list[int]:
    """The other colors of which a supply has stones."""
    first = c.SUPPLY[seat]
    return [color for color in range(4) if color != seat and table.counters[first + color]]


def hand_over(table: Table, payer: int, receiver: int, color: int) -> None:
    """A stone goes from one supply to another."""
    counters, given, got = table.counters, c.SUPPLY[payer] + color, c.SUPPLY[receiver] + color
    counters[given] = counters[given] - 1  # Faster than -= when compiled.
    counters[got] = counters[got] + 1


def swaps(table: Table, seat: int) -> list[tuple[int, int]]:
    """11.1, G16: with whom a stone can be exchanged, and the color that is given.

    Only who holds foreign stones alone may, and only to place: the partner gets a stone of the
    own color if there is one.
    """
    foreign = foreign_colors(table, seat)
    if own_stones(table, seat) or not foreign or not placeable(table, seat):
        return []
    found = []
    for other in range(table.layout.players):
        if other != seat and table.counters[c.SUPPLY[other] + seat]:
            given = [other] if other in foreign else foreign
            found += [(other, color) for color in given]
    return found


def liftable(table: Table, seat: int) -> list[int]:
    """11.2, G33: the spots from which a seat may move a piece to another.

    It has no stone, or only such as it cannot exchange: else a game could come to a stand in
    which one seat has all its own stones on events and everybody else's in its supply.
    """
    if own_stones(table, seat) or swaps(table, seat):
        return []
    found: list[int] = []
    spots = placeable(table, seat)
    for spot in spots_of(table, seat, with_marker=True):
        first: i64 = spot - spot % c.SPACES_MAX
        here = (spots >> first & c.ALL_SPACES) << first
        if spots != here or free_spaces(table, seat, spot // c.SPACES_MAX, spot):
            found.append(spot)
    return found
