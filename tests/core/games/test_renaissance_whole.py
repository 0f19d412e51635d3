"""Whole games: what is the same at every choice, and how many scorings there are."""

from __future__ import annotations

import pytest

from core.engine import settle
from core.games.renaissance.cards import (
    JOINED,
    LIFTED,
    LOCATIONS,
    MARKER,
    ROW,
    ROW_SYMBOLS,
    ROWS,
    SCORINGS,
    SUPPLY,
    SYMBOL_BITS,
)
from core.games.renaissance.stones import event_at, is_marker, piece_owner, pieces_at
from core.requests import Over
from core.table import Table
from tests.core.games.renaissance_stage import GAME
from tests.worlds import OpenGame, any_setting

GAMES_IN_ALL = 60


def check_stones(table: Table) -> None:
    """Seven stones of every color and one marker, wherever they are."""
    players, counters = table.layout.players, table.counters
    on_events = [piece for at in range(LOCATIONS[players]) for piece in pieces_at(table, at)]
    standing = [piece for piece in (*on_events, counters[LIFTED]) if piece]
    for color in range(players):
        placed = [piece for piece in standing if piece_owner(piece) == color]
        markers = sum(map(is_marker, placed))
        in_supplies = sum(counters[SUPPLY[seat] + color] for seat in range(players))
        assert in_supplies + len(placed) - markers == 7
        assert counters[MARKER[color]] + markers == 1


def check_board(table: Table) -> None:
    """Two players on an event at most, and nothing beyond its spaces."""
    for at in range(LOCATIONS[table.layout.players]):
        event = event_at(table, at)
        pieces = pieces_at(table, at)
        assert len({piece_owner(piece) for piece in pieces if piece}) <= 2
        assert not any(pieces[len(JOINED[event]) if event >= 0 else 0 :])


def check_rows(table: Table) -> None:
    """No symbol has two rows, and every row counts for what all its cards show."""
    for seat in range(table.layout.players):
        taken = 0
        for row in range(ROWS):
            bits = table.counters[ROW_SYMBOLS[seat] + row]
            cards = table.zones[ROW[seat] + row]
            assert bool(bits) == bool(cards)
            assert not bits & taken
            assert all(SYMBOL_BITS[table.public_face(card)] & bits == bits for card in cards)
            taken |= bits


@pytest.mark.parametrize("part", range(3))
def test_stones_board_and_rows_are_right_at_every_choice_of_any_variant(part: int) -> None:
    for seed in range(part, GAMES_IN_ALL, 3):
        players, options = any_setting(GAME, seed)
        print(f"seed {seed}: {players} seats, {options}")
        world = OpenGame(GAME, players, options, seed)
        for _ in world.play():
            check_stones(world.table)
            check_board(world.table)
            check_rows(world.table)
        check_stones(world.table)
        assert world.table.counters[SCORINGS] == (0, 0, 11, 13, 15)[players]
        assert isinstance(settle(GAME, world.table, world.deal, world.chance), Over)
