"""What bots know of Dominion: plans that buy land, and candidates that include the plan."""

from __future__ import annotations

import pytest

from ai.knowledge import REWARD_ONE
from ai.knowledge.dominion import DominionKnowledge
from ai.levels import decide
from core.chance import Chance
from core.engine import settle, start
from core.games.dominion import Dominion
from core.games.dominion.cards import PROVINCE
from core.imagine import blindfold
from core.requests import Choice, Over
from tests.core.games.dominion.stage import Stage
from tests.worlds import OpenGame, any_setting

GAME = Dominion()
KNOWLEDGE = DominionKnowledge(GAME)


def winner(first: str, second: str, seed: int) -> set[str]:
    """Who wins a game of two plans; the first begins in every other game."""
    names = [first, second] if seed % 2 else [second, first]
    table = start(GAME, 2, {"kingdom": "first_game"})
    deal, chance = table.face[:], Chance(seed)
    while not isinstance(pending := settle(GAME, table, deal, chance), Over):
        assert isinstance(pending, Choice)
        seat = pending.player
        eyes = blindfold(table, deal, seat)
        if names[seat] == "random":
            action = chance.pick(GAME.legal_actions(table, seat, eyes))
        else:
            action = getattr(KNOWLEDGE, names[seat])(table, seat, eyes)
        GAME.apply(table, seat, action)
    return {names[seat] for seat in GAME.winners(table)}


def test_big_money_beats_dice_always_and_the_plan_beats_big_money_mostly() -> None:
    assert all(winner("big_money", "random", seed) == {"big_money"} for seed in range(10))
    wins = [winner("policy", "big_money", seed) for seed in range(60)]
    assert wins.count({"policy"}) > 36


@pytest.mark.parametrize("seed", range(6))
def test_the_plan_is_always_among_the_candidates_and_sees_only_its_own_cards(seed: int) -> None:
    players, options = any_setting(GAME, seed)
    print(f"seed {seed}: {players} seats, {options}")
    world = OpenGame(GAME, players, options, seed)
    for pending in world.play():
        assert isinstance(pending, Choice)
        eyes = blindfold(world.table, world.deal, pending.player)
        legal = GAME.legal_actions(world.table, pending.player, eyes)
        candidates = KNOWLEDGE.candidates(world.table, pending.player, eyes)
        plan = KNOWLEDGE.policy(world.table, pending.player, eyes)
        assert plan in candidates
        assert set(candidates) <= set(legal)
        assert len(KNOWLEDGE.prior(world.table, pending.player, legal, eyes)) == len(legal)


def test_judged_games_give_everybody_a_share_and_the_leader_the_largest() -> None:
    stage = Stage("province*2 gold", "curse copper", "estate")
    shares = KNOWLEDGE.evaluate(stage.table)
    assert sum(shares) <= REWARD_ONE
    assert shares[0] > shares[2] > shares[1] >= 0


def test_a_bot_takes_the_province_that_wins() -> None:
    stage = Stage("gold*3", "", decks=["copper*5", "copper*10"])
    stage.table.zones[PROVINCE] = stage.table.zones[PROVINCE][:1]
    for wanted in ("treasures gold gold gold", "buy province"):
        decision = decide(
            GAME, stage.table, stage.eyes(0), 0, seed=1, level="gentle", iterations=60
        )  # fmt: skip
        assert GAME.describe(stage.table, decision.action, stage.eyes(0)) == wanted
        stage.act(decision.action)
    assert stage.is_over
