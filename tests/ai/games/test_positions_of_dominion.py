"""Positions of Dominion in which the good play is plain: search finds it with few iterations."""

from __future__ import annotations

import pytest

from ai.games.dominion import DominionKnowledge
from ai.search.search import search
from core.games.dominion import GAME
from core.games.dominion.cards import KEYS
from core.games.dominion.choices import all_treasures
from tests.core.games.dominion.stage import Stage

ITERATIONS = 60
DECK = "copper*4 silver*3 gold estate*2"
NO_WITCH = "village smithy cellar market militia mine moat remodel workshop merchant"
GREEN = "copper*15 silver*6 estate*8 workshop*3 village*4"  # With a hand 41 cards: Gardens are 4.


def position(hand: str, deck: str = DECK, provinces: int = 8, kingdom: str = "") -> Stage:
    """The own turn with that hand, beside somebody with an ordinary deck."""
    stage = Stage(hand, "copper*5", decks=[deck, DECK], kingdom=kingdom)
    pile = KEYS.index("province")
    stage.table.zones[pile] = stage.table.zones[pile][:provinces]
    return stage


def to_buy(stage: Stage) -> Stage:
    """The same when all Treasures have been played."""
    if "stop" in stage.legal:
        stage.do("stop")
    treasures = all_treasures(stage.table, stage.chooser, stage.observation(stage.chooser))
    assert treasures is not None
    stage.act(treasures)
    return stage


def found(stage: Stage, seed: int, iterations: int = ITERATIONS) -> str:
    """What search does, in notation."""
    seat, observation = stage.chooser, stage.observation(stage.chooser)
    decision = search(
        *(DominionKnowledge(GAME), stage.table, observation, seat),
        seed=seed,
        iterations=iterations,
    )
    return GAME.describe(stage.table, decision.action, observation)


def does(stage: Stage, *wanted: str, iterations: int = ITERATIONS) -> bool:
    """Whether search does this, one after another, whatever the luck of its imagined games."""
    for choice in wanted:
        if {found(stage, seed, iterations) for seed in (1, 2)} != {choice}:
            print(f"not found: {choice}")
            return False
        stage.do(choice)
    return True


@pytest.mark.parametrize("doubled", ["laboratory", "village", "market"])
def test_a_throne_room_doubles_what_goes_on_where_there_is_nothing_else(doubled: str) -> None:
    assert does(position(f"throne_room {doubled} copper*3"), "play throne_room", f"play {doubled}")


def test_a_throne_room_waits_for_the_smithy_until_the_laboratory_has_drawn() -> None:
    stage = position("throne_room laboratory smithy copper*2", "gold*3 silver*3 copper*4", 4)
    assert does(stage, "play laboratory", "play throne_room", "play smithy")


def test_a_throne_room_may_double_a_throne_room() -> None:
    assert does(
        position("throne_room*2 smithy militia copper"), "play throne_room", "play throne_room"
    )


def test_a_remodel_makes_the_last_gold_a_province() -> None:
    stage = position("remodel gold*2 silver estate", provinces=2)
    assert does(stage, "play remodel", "trash gold", "gain province")


def test_a_remodel_makes_an_early_estate_something_better_and_keeps_the_gold() -> None:
    stage = position("remodel gold estate copper*2").do("play remodel")
    assert does(stage, "trash estate", iterations=300)


def test_a_vassal_plays_what_helps_and_leaves_a_chapel_that_would_trash_good_cards() -> None:
    assert does(
        position("vassal gold*2 silver", "smithy copper*5").do("play vassal"), "play smithy"
    )
    assert does(position("vassal gold*2 silver", "chapel copper*5").do("play vassal"), "pass")


def test_a_library_is_played_while_the_hand_is_small_and_not_when_it_is_full() -> None:
    assert does(position("library militia copper*6"), "play militia")
    stage = position("village library smithy copper*2", "gold silver*4 gold*3 copper*3")
    assert does(stage, "play village", "play library")


def test_a_sentry_trashes_a_curse_and_an_estate() -> None:
    stage = position("sentry silver*4", "gold curse estate silver*4 gold*4")
    assert does(stage, "play sentry", "trash curse", "trash estate")


def test_an_early_chapel_trashes_both_estates() -> None:
    stage = position("chapel copper*2 estate*2", "copper*4 silver estate")
    assert does(stage, "play chapel", "trash estate", "trash estate")


def test_a_village_is_bought_for_a_deck_that_is_full_of_smithies_and_not_for_another() -> None:
    stage = to_buy(position("copper*3 estate*2", "smithy*7 gold*2 copper*4", kingdom=NO_WITCH))
    assert [found(stage, seed) for seed in (1, 2)] == ["buy village"] * 2
    assert found(to_buy(position("copper*3 estate*2", kingdom=NO_WITCH)), 1) == "buy silver"


@pytest.mark.parametrize("hand", ["copper*4 estate", "copper*5"])
def test_late_gardens_are_bought_for_a_large_deck_and_not_for_a_small_one(hand: str) -> None:
    stage = to_buy(position(hand, GREEN, provinces=3, kingdom="gardens"))
    assert [found(stage, seed) for seed in (1, 2)] == ["buy gardens"] * 2
    lean = to_buy(position(hand, DECK, provinces=3, kingdom="gardens"))
    assert found(lean, 1) != "buy gardens"
