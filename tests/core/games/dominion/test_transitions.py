"""Imagined games of Dominion: they keep no families of hidden cards, and yet count as real ones."""

from __future__ import annotations

import pytest

from ai.search.transitions import fast_forward, play_at_random
from core.chance import Chance
from core.determinization import determinize
from core.engine import run_until_choice, start
from core.games.dominion.cards import (
    ACTING,
    DECK,
    GARDENS,
    HAND,
    IS_ACTION,
    PHASE,
    POINTS,
    SHOWN,
)
from core.requests import Choice
from core.table import Table
from tests.core.games.dominion.stage import GAME

SEEDS = range(10)


def dealt(seed: int, seats: int) -> tuple[Table, list[int], Chance]:
    """A game at its first choice, with its deal, and the chance that goes on with it."""
    table, chance = start(GAME, seats, {"kingdom": "size_distortion"}), Chance(seed)
    deal = determinize(table, table.face, chance)
    run_until_choice(GAME, table, deal, chance)
    return table, deal, chance


def true_points(table: Table, deal: list[int], seat: int) -> int:
    """The points of all cards that lie before a seat, whatever anybody knows of them."""
    zones = table.zones[DECK[seat] : SHOWN[seat] + 1]
    cards = [deal[card] for zone in zones for card in zone]
    return sum(POINTS[face] for face in cards) + cards.count(GARDENS) * (len(cards) // 10)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_imagined_game_is_scored_by_the_cards_that_its_seats_have(seed: int) -> None:
    seats = 2 + seed % 3
    table, deal, chance = dealt(seed, seats)
    play_at_random(GAME, table, deal, chance)
    assert GAME.scores(table) == tuple(true_points(table, deal, seat) for seat in range(seats))


def test_an_imagined_game_begins_with_a_fresh_table_as_well() -> None:
    table, chance = start(GAME, 2, {}), Chance(1)
    assert play_at_random(GAME, table, table.face[:], chance) > 0


def test_in_an_imagined_game_a_hand_without_actions_goes_straight_to_buying() -> None:
    table, deal, chance = dealt(3, 2)
    asked = set()
    for _ in range(400):
        pending = fast_forward(GAME, table, deal, chance)
        if not isinstance(pending, Choice):
            break
        player = pending.player
        has_action = any(IS_ACTION[deal[card]] for card in table.zones[HAND[player]])
        asked.add((table.counters[PHASE] == ACTING, has_action))
        GAME.apply(table, player, chance.pick(GAME.legal_actions(table, player, deal)))
    assert (True, True) in asked
    assert (True, False) not in asked
