"""`arena`: what it prints, what it refuses, and that it can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import pytest
from rich.cells import cell_len

from ai.tournaments.arena import Result, TournamentState, play_game
from ai.tournaments.standings import Ranking
from tests.foreign import program
from ui.__main__ import _DONE, INTERRUPTED, WRONG_USAGE, main
from ui.commands.ranks import rank_lines
from ui.language.text import load

ROOT = Path(__file__).parents[2]
ARENA = (sys.executable, "-m", "ui", "arena", "carta")
LADDER = ("--players", "rush,policy,random", "--seats", "2")
PIPE_BYTES = 4096  # So small that the program waits for us with most games unplayed.


def told(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """The lines that a tournament prints."""
    assert main(["arena", "carta", *options]) == _DONE
    return capsys.readouterr().out.splitlines()


def test_a_rush_player_beats_a_random_one_and_the_arena_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wish = ("--players", "rush,random", "--games", "20", "--seed", "1")
    heads, first, second = told(capsys, *wish)
    assert heads.split("  ")[0] == "player" and heads.endswith("Elo")
    assert first.split()[:8] == ["rush", "20", "20", "100.0", "%", "84.6", "-", "100.0"]
    assert second.startswith("random    0     20    0.0 %")


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_the_standings_are_aligned_in_every_language(language: str) -> None:
    names = ("rush", "a program with a long name", "random")
    standings = [
        Ranking(name, seats, 10, 2.5, 0.25, 0.1, 0.5, -100.0, 50.0)
        for seats, name in enumerate(names, start=1)
    ]
    lines = rank_lines(load(language), standings)
    assert len(lines) == 4
    assert len({cell_len(line) for line in lines}) == 1
    assert [line.split("  ")[0] for line in lines[1:]] == list(names)


def test_it_stops_when_the_test_is_settled(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "--players", "rush,random", "--games", "500", "--elo1", "100")
    assert lines[1].split()[:3] == ["rush", "12", "12"]
    assert lines[3] == "after 12 games the test accepts that the first is 100 Elo stronger"


def test_a_test_that_is_lost_says_that_the_first_is_not_so_strong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It said that whoever lost every game is 0 Elo stronger."""
    lines = told(capsys, "--players", "random,rush", "--games", "500", "--elo1", "100")
    assert lines[-1].endswith("the test accepts that the first is not 100 Elo stronger")


def test_a_part_of_a_test_without_the_test_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    wish = ("--players", "rush,random", "--games", "2")
    assert main(["arena", "carta", *wish, "--elo0", "10"]) == WRONG_USAGE
    assert "--elo0 is a part of a test, which --elo1 asks for" in capsys.readouterr().err


def test_games_without_an_end_are_counted_below_the_standings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """They looked like games that all had lost."""
    path = tmp_path / "results.jsonl"
    wish = ("--players", "rush,random", "--games", "2", "--results", str(path))
    assert not told(capsys, *wish)[-1].startswith("2 games")
    head, *games = path.read_text().splitlines()
    endless = [json.dumps({**json.loads(game), "shares": [0, 0]}) for game in games]
    path.write_text("\n".join([head, *endless]) + "\n")
    assert told(capsys, *wish)[-1] == "2 games had no end after 5000 choices; nobody has won them"


def test_a_tournament_goes_on_as_it_began_also_where_rules_were_compiled_since(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its levels have the budgets of then; it was refused as another tournament."""
    wish = ("--players", "rush,random", "--results", str(tmp_path / "c.jsonl"), "--seed", "1")
    told(capsys, *wish, "--games", "2")
    monkeypatch.setattr("ui.commands.arena.usual_speed", lambda game: 12345)
    assert told(capsys, *wish, "--games", "4")[1].split()[:3] == ["rush", "4", "4"]


def test_json_has_the_lines_of_the_results_and_then_the_standings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    wish = ("--players", "rush,random,random", "--games", "3", "--option", "deal=draft")
    lines = told(capsys, *wish, "--results", str(path), "--json")
    read = [json.loads(line) for line in lines]
    assert [next(iter(line)) for line in read] == ["tournament"] + ["game"] * 3 + ["standing"] * 2
    assert read[0]["tournament"]["options"]["deal"] == "draft"
    assert read[4]["standing"]["player"] == "rush"
    assert lines[:4] == path.read_text("utf-8").splitlines()


def test_one_game_alone_is_the_one_of_the_tournament(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wish = ("--players", "rush,policy,random", "--seats", "2", "--games", "8")
    games = told(capsys, *wish, "--json")[1:9]  # As they ended.
    alone = told(capsys, *wish, "--only", "5")
    assert alone == [line for line in games if json.loads(line)["game"] == 5]
    assert main(["arena", "carta", *wish, "--only", "8"]) == WRONG_USAGE
    assert "there is no game 8; the games are 0 to 7" in capsys.readouterr().err


def test_a_program_that_fails_is_named_with_the_game_in_which_it_did(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    failing = program(tmp_path, "print('{}', flush=True); input(); input()")
    wish = ["arena", "carta", "--players", f'rush,"{failing}"', "--games", "2", "--workers", "1"]
    assert main(wish) == 1
    said = capsys.readouterr().err
    assert said.startswith("hostless: game 0: the player ") and said.count("\n") == 1
    assert said.endswith("; --only 0 plays this game alone\n")


def test_on_a_terminal_it_says_how_far_it_is_before_the_first_game_has_ended(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    wish = ("--players", "rush,random", "--results", str(tmp_path / "results.jsonl"))
    assert main(["arena", "carta", *wish, "--games", "2"]) == _DONE
    assert shown_on(capsys) == ["0 of 2 games", "1 of 2 games", "2 of 2 games", ""]
    assert main(["arena", "carta", *wish, "--games", "4"]) == _DONE
    assert shown_on(capsys) == ["2 of 4 games", "3 of 4 games", "4 of 4 games", ""]


def shown_on(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What stood in the last line of the terminal in turn, without the time left."""
    lines = capsys.readouterr().err.replace("\033[K", "").split("\r")
    return [line.partition(",")[0] for line in lines[1::2]]


def test_interrupted_it_says_how_many_games_are_kept_and_how_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ui.commands.arena.play_tournament", interrupted_after_three)
    wish = ["arena", "carta", "--players", "rush,random", "--games", "20"]
    assert main(wish) == INTERRUPTED
    lost = "stopped after 3 of 20 games, which are not kept; --results FILE keeps them"
    assert capsys.readouterr().err == f"hostless: {lost}\n"
    kept = [*wish, "--results", str(tmp_path / "results.jsonl")]
    for games in (3, 6):
        assert main(kept) == INTERRUPTED
        said = f"stopped after {games} of 20 games; the same command goes on with them"
        assert capsys.readouterr().err == f"hostless: {said}\n"


def interrupted_after_three(
    state: TournamentState, _executor: object, _workers: int, tell: Callable[[int, Result], None]
) -> None:
    """Hold a tournament until somebody presses Ctrl-C, which is after three games."""
    for number, match in islice(state.missing(), 3):
        tell(number, play_game(match))
    raise KeyboardInterrupt


def killed_after(games: int, path: Path, *wish: str) -> list[bytes]:
    """Kill a tournament when so many games have been told; the lines of its file."""
    command = [*ARENA, *wish, "--json", "--results", str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, pipesize=PIPE_BYTES
    ) as program:
        assert program.stdout
        for _ in range(1 + games):
            program.stdout.readline()
        program.kill()
        program.stdout.read()  # To the end, which comes when the last worker is gone as well.
    return path.read_bytes().splitlines()


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_to_the_same_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, wish = tmp_path / "results.jsonl", (*LADDER, "--games", "90", "--seed", "3")
    half = killed_after(30, path, *wish)
    assert 31 <= len(half) <= 70
    standings = told(capsys, *wish, "--results", str(path))
    assert path.read_bytes().startswith(b"\n".join(half[:-1]))
    assert standings == told(capsys, *wish)
    assert standings == told(capsys, *wish, "--results", str(path))


if find_spec("distributed"):  # Elsewhere there is nothing to be tested.

    @pytest.mark.slow
    def test_killed_in_the_middle_on_a_dask_cluster_it_goes_on_to_the_same_table(
        capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path, wish = tmp_path / "results.jsonl", (*LADDER, "--games", "200", "--seed", "3")
        cluster = ("--dask", "--workers", "2", "--results", str(path))
        half = killed_after(100, path, *wish, "--dask", "--workers", "2")
        assert 101 <= len(half) <= 160
        gone_on = subprocess.run(
            [*ARENA, *wish, *cluster], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert path.read_bytes().startswith(b"\n".join(half[:-1]))
        assert gone_on.stdout.splitlines() == told(capsys, *wish)


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (["--players", "rush,nobody", "--games", "2"], "no player is called 'nobody'"),
        (["--players", "rush,shrap", "--games", "2"], "'shrap' (did you mean sharp?); there are"),
        (["--players", "rush,sharp+bilder", "--games", "2"], "(did you mean sharp+builder?)"),
        (["--players", "rush", "--games", "2"], "who plays is said with commas"),
        (["--players", "rush,random", "--games", "0"], "the number of games is 1 to"),
        (["--players", "rush,random", "--games", "2", "--workers", "0"], "number of workers is 1"),
        (["--players", "rush,random", "--games", "2", "--seed", "x"], "a seed is a whole number"),
        (["--players", "rush,random", "--games", "2", "--elo1", "-5"], "elo0 is less than elo1"),
        (["--players", "rush,random", "--games", "2", "--option", "deal=x"], "deal"),
        (["--players", "rush,random", "--games", "2", "--dask", "x"], "'x' is not an address"),
    ],
)
def test_a_wrong_wish_is_one_clear_line_and_exit_code_two(
    wish: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", "carta", *wish]) == WRONG_USAGE
    written = capsys.readouterr()
    assert written.out == ""
    assert says in written.err
    assert written.err.count("\n") == 1


def test_a_file_of_another_tournament_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    wish = ("--games", "2", "--results", str(path))
    told(capsys, "--players", "rush,random", *wish)
    assert main(["arena", "carta", "--players", "rush,greedy", *wish]) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert "of another tournament, whose players is" in written.err
    assert written.err.count("\n") == 1


def test_dask_that_is_not_installed_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ai.processes.executors.find_spec", lambda _: None)
    assert main(["arena", "carta", "--players", "rush,random", "--games", "2", "--dask"]) == 1
    assert "pip install distributed" in capsys.readouterr().err
