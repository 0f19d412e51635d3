"""Tournaments: fair by construction, the same on every executor, honest about chance."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from ai.arena import Match, Result, arena, pairings, play_game, run, tally, wilson


def test_every_deal_is_played_once_for_each_turn_of_the_seats() -> None:
    matches = list(pairings("carta", ["rush", "greedy", "random"], 6, 1, {}))
    assert [match.players for match in matches[:3]] == [
        ("rush", "greedy", "random"),
        ("greedy", "random", "rush"),
        ("random", "rush", "greedy"),
    ]
    assert len({match.seed for match in matches[:3]}) == 1
    assert matches[3].seed != matches[0].seed


def test_a_tournament_is_the_same_on_any_executor_and_in_any_order() -> None:
    matches = list(pairings("carta", ["rush", "random"], 12, 3, {}))
    alone = [play_game(match) for match in matches]
    with ThreadPoolExecutor(3) as executor:
        assert list(run(matches, executor, 3)) == alone


def test_victories_are_counted_for_the_player_and_not_for_the_seat() -> None:
    matches = list(pairings("carta", ["ada", "bob"], 4, 1, {}))
    results = [
        Result(match, tuple(1000 * (name == "bob") for name in match.players), (0, 0), 1)
        for match in matches
    ]
    ada, bob = tally(results, ["ada", "bob"])
    assert (ada.won, ada.games, bob.won, bob.games) == (0, 4, 4, 4)


def test_a_shared_victory_counts_in_parts() -> None:
    match = Match("carta", ("ada", "bob"), 1)
    standings = tally([Result(match, (500, 500), (3, 3), 9)], ["ada", "bob"])
    assert [standing.won for standing in standings] == [0.5, 0.5]


def test_the_interval_is_wilsons() -> None:
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_a_rush_player_beats_a_random_one_and_the_arena_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert arena("carta", ["rush", "random"], 20, 1, json_lines=False) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("rush: 20 of 20 won, 100.0 % (95 % interval 83.9 to 100.0 %)")
    assert second.startswith("random: 0 of 20 won")


def test_json_has_a_line_for_every_game_and_then_the_standings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert arena("carta", ["rush", "random", "random"], 3, 1, json_lines=True) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(line) for line in lines] == [{"game"}] * 3 + [{"standing"}] * 3
    assert lines[3]["standing"]["player"] == "rush"


@pytest.mark.parametrize(
    ("game", "players", "games", "says"),
    [
        ("chess", ["rush", "random"], 2, "no game is called 'chess'"),
        ("carta", ["rush", "nobody"], 2, "no player is called 'nobody'"),
        ("carta", ["rush"], 2, "carta is for 2 to 4 seats, not 1"),
        ("carta", ["rush", "search:0"], 2, "no player is called 'search:0'"),
        ("carta", ["rush", "random"], 0, "the number of games is 1 to"),
    ],
)
def test_a_wrong_wish_is_one_clear_line_and_exit_code_two(
    game: str, players: list[str], games: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena(game, players, games, 1, json_lines=False) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith("arena: ")
    assert says in written.err
    assert written.err.count("\n") == 1
