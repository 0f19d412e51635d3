"""Random games from positions in which everybody has nearly everything: rules that seldom meet."""

from __future__ import annotations

from itertools import islice

import pytest

from core.chance import Chance
from core.games.civilization.frames import touch
from core.games.civilization.layout import (
    CULTURE,
    EVENT_DECK,
    EVENTS,
    FORCES,
    GUARD,
    HOW,
    HUT_PILE,
    MARKET,
    MARKET_TOKENS,
    PHASE,
    TOKENS,
    TRADE,
    UNIT_DECK,
    VILLAGE_PILE,
)
from core.games.civilization.wealth import SPACE_FLIGHT, set_known
from core.imagine import blindfold, imagine
from core.testing.worlds import OpenGame, any_setting, asked
from tests.core.games.civilization.naive import check_table
from tests.core.games.civilization.stage import GAME

CHOICES = 500
CHECKED = 25  # One choice in so many.


def enrich(world: OpenGame, chance: Chance) -> None:
    """Technologies, events, markers, units, trade and culture for everybody."""
    table, counters = world.table, world.table.counters
    for seat in range(world.players):
        for technology in range(SPACE_FLIGHT):
            if chance.below(10) < 6:
                set_known(table, seat, technology)
        counters[TRADE[seat]], counters[CULTURE[seat]] = 20, 20
        counters[GUARD[seat]] = chance.below(256)
        for kind in range(4):
            taken = min(chance.below(2), counters[MARKET + kind])
            counters[MARKET + kind] -= taken
            counters[MARKET_TOKENS[seat] + kind] += taken
        sources = [(EVENT_DECK + era, EVENTS[seat]) for era in range(3)]
        sources += [(UNIT_DECK + kind, FORCES[seat]) for kind in range(4)]
        for source, target in sources:
            take(world, source, target, seat)
    for seat in range(world.players):
        for pile in (HUT_PILE, VILLAGE_PILE):
            if chance.below(2):
                take_marker(world, pile, seat)
    touch(table)


def take(world: OpenGame, source: int, target: int, seat: int) -> None:
    """The top card of a pile goes to a seat, which sees it."""
    card = world.table.zones[source].pop()
    world.table.zones[target].append(card)
    world.table.seen[card] |= 1 << seat


def take_marker(world: OpenGame, pile: int, seat: int) -> None:
    """A marker that is a resource; a person's would not be kept."""
    face = world.deal[world.table.zones[pile][-1]]
    if not GAME.faces[face].endswith("great"):
        take(world, pile, TOKENS[seat], seat)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_from_rich_positions_keep_every_rule(seed: int) -> None:
    players, options = any_setting(GAME, seed)
    print(f"seed {seed}: {players} seats, {options}")
    world = OpenGame(GAME, players, {**options, "max_turns": 12}, 3 * seed)  # Not calm.
    is_rich = False
    for count, _ in enumerate(islice(world.play(), CHOICES)):
        if world.table.counters[PHASE] and not is_rich:
            enrich(world, Chance(seed))
            is_rich = True
        if is_rich and count % CHECKED == 0 and count > CHECKED:
            check_table(world.table)
    assert is_rich


@pytest.mark.parametrize("seed", range(6))
def test_imagined_deals_are_played_to_the_end(seed: int) -> None:
    """What a bot imagines is handed the whole deal: nothing is asked of the world but luck."""
    players, options = any_setting(GAME, seed)
    world = OpenGame(GAME, players, {**options, "max_turns": 6}, 3 * seed)
    for pending in world.play():
        if world.table.counters[PHASE] and world.choices > 40 and world.table.deal is None:
            observation = blindfold(world.table, world.deal, asked(pending)[0])
            world.deal = imagine(world.table, observation, Chance(seed))
            world.table.deal = world.deal
    assert world.table.counters[HOW]
    assert not world.table.owed
