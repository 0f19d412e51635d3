"""The scripts that measure how strong bots are look at whole games and count what was won."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

import ai.players.players
from ai.players.players import Decider, find_player
from ai.tournaments.arena import ArenaMatch, play_game
from core.chance import Chance
from core.engine import run_until_choice, start
from core.game import Game
from core.games.carta import GAME as CARTA
from core.games.civilization.layout import HOW, TURN
from core.requests import Action, Over
from core.table import Table
from scripts.lab import ablation, civilization_foresight, civilization_victories, strength
from tests.ai.positions import Position, positions, real_choices
from tests.ai.race import RACE


def test_the_positions_of_a_game_go_on_behind_a_choice_in_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Research is chosen in secret at the end of every turn of Civilization."""

    def hasty(game: Game, name: str) -> Decider:
        return find_player(game, "policy")

    monkeypatch.setattr(ai.players.players, "find_player", hasty)
    found = strength.positions("civilization", 1)
    assert found[-1][0].counters[TURN] > 5


@pytest.mark.parametrize("seats", [2, 3])
def test_a_search_without_a_change_has_an_even_share_and_one_without_thought_has_less(
    seats: int,
) -> None:
    usual, hasty = (ablation.Searcher(RACE, iterations, {}) for iterations in (30, 1))
    deals, fresh = range(6), start(RACE, seats, {})
    assert [ablation.share(fresh, usual, usual, deal) for deal in deals] == [1 / seats] * 6
    assert sum(ablation.share(fresh, hasty, usual, deal) for deal in deals) < 6 / seats
    assert usual.thoughts and usual.mean_ms > 0


def test_the_former_search_wins_at_once_where_it_can_and_plays_only_where_it_is_named() -> None:
    changes = dict([ablation.parse_change("former=1")])
    former, usual = ablation.Searcher(RACE, 60, changes), ablation.Searcher(RACE, 60, {})
    assert former.is_former and not usual.is_former
    met = 0
    for each in (each for deal in range(10) for each in real_choices(positions(RACE, 2, deal))):
        winning = [action for action in each.actions if _wins(each, action)]
        if 0 < len(winning) < len(each.actions):
            met += 1
            assert former(each.table, each.observation, each.seat, met) in winning
    assert met and former.thoughts == met


def _wins(position: Position, action: Action) -> bool:
    table = position.table.copy()
    RACE.apply(table, position.seat, action)
    return isinstance(run_until_choice(RACE, table, position.deal[:], Chance(0)), Over)


def test_a_change_reaches_the_search_that_has_it_and_no_other() -> None:
    changes = dict(map(ablation.parse_change, ["choices=7", "nodes=0"]))
    changed = ablation.Searcher(CARTA, 1, changes)
    assert (changed.knowledge.rollout_choices_max, changed.weakness.nodes_max) == (7, 0)
    usual = ablation.Searcher(CARTA, 1, {})
    assert usual.knowledge.rollout_choices_max > 7 and usual.weakness.nodes_max


@pytest.mark.parametrize("text", ["depth=3", "nodes", "choices=-1", "expansion=x", "random=0"])
def test_a_change_that_there_is_not_is_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expansion=N, random=N, not"):
        ablation.parse_change(text)


def test_who_plays_a_match_can_look_at_its_end() -> None:
    ends: list[Table] = []
    result = play_game(ArenaMatch("civilization", ("plan", "random"), 5), ends.append)
    (table,) = ends
    assert table.counters[HOW]
    assert result == play_game(ArenaMatch("civilization", ("plan", "random"), 5))


def test_victories_are_counted_by_what_was_won_and_a_stopped_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    asked = ["plan,random", "--turns", "30", "--results", str(file), "--games"]
    assert civilization_victories.main([*asked, "2"]) == 0
    begun = file.read_text("utf-8")
    assert civilization_victories.main([*asked, "4"]) == 0
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert file.read_text("utf-8").startswith(begun) and len(lines) == 4
    said = capsys.readouterr().out.splitlines()[4:]
    won = [line for line in lines if 1000 in line["shares"]]
    assert said[0].startswith(f"4 games, {4 - len(won)} without a winner")
    plans = [line["how"] for line in won if line["players"][line["shares"].index(1000)] == "plan"]
    assert all(f"{how} {plans.count(how)}" in said[1] for how in plans)


def test_the_judgement_of_civilization_foretells_more_than_even_shares(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert civilization_foresight.main(["--games", "2", "--seats", "2"]) == 0
    *_, found = capsys.readouterr().out.splitlines()
    foretold, even = re.findall(r"\d\.\d+", found)
    assert 0 < float(foretold) < float(even) == 0.6931
