"""The file of a tournament: killed at any moment, it goes on as if nothing had happened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ai.tournaments import results as results_module
from ai.tournaments.arena import Tournament, TournamentState, play_tournament
from ai.tournaments.results import UNINVOLVED, game_line, open_results, source_digest, sources
from ai.tournaments.standings import Result, tally
from core.chance import Chance
from core.errors import HostlessError
from tests.ai.inline import Here
from tests.packages import announcing

LADDER = Tournament("carta", ("rush", "random", "policy"), 2, 1)
GAMES = 12
OWN_GAME = """
from dataclasses import replace
from tests.kuhn import KUHN
GAME = replace(KUHN, slug="poker")
"""


def table_of(path: Path, tournament: Tournament = LADDER, games: int = GAMES) -> list[Result]:
    """Play what is missing in a file; the standings."""
    state = TournamentState(tournament, games)
    with open_results(path, tournament) as file:
        for number, result in file.found.items():
            state.add(number, result)
        if not state.is_over:
            play_tournament(state, Here(), 1, file.write)
    return tally(state.counted, tournament.players)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Result]]:
    """A tournament that nothing disturbed: its file and its standings."""
    path = tmp_path_factory.mktemp("whole") / "results.jsonl"
    standings = table_of(path)
    return path.read_bytes(), standings


def refusal(path: Path, tournament: Tournament = LADDER) -> str:
    """What is said about a file; it is left as it was."""
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(HostlessError) as refused, open_results(path, tournament):
        pass
    assert not path.is_file() or path.read_bytes() == before
    text = f"{refused.value}; {refused.value.hint}"
    assert "\n" not in text
    assert text.startswith(str(path))
    return text


def test_killed_at_any_byte_it_goes_on_to_the_same_file_and_the_same_table(
    whole: tuple[bytes, list[Result]], tmp_path: Path, seed: int
) -> None:
    text, standings = whole
    chance, path = Chance(seed), tmp_path / "results.jsonl"
    head = text.index(b"\n")
    for cut in (0, 1, head, head + 1, len(text) - 1, *(chance.below(len(text)) for _ in range(6))):
        path.write_bytes(text[:cut])
        assert table_of(path) == standings
        assert path.read_bytes() == text


def test_zeros_that_a_power_cut_left_at_the_end_are_cut_off(
    whole: tuple[bytes, list[Result]], tmp_path: Path
) -> None:
    text, standings = whole
    path = tmp_path / "results.jsonl"
    path.write_bytes(text[:-300] + bytes(300))
    assert table_of(path) == standings


def test_games_that_ended_out_of_order_are_not_played_again(
    whole: tuple[bytes, list[Result]], tmp_path: Path
) -> None:
    text, standings = whole
    path = tmp_path / "results.jsonl"
    head, *games = text.splitlines(keepends=True)
    path.write_bytes(head + games[7] + games[3] + games[3])
    assert table_of(path) == standings
    assert path.read_bytes().count(b"\n") == 1 + GAMES + 1


def test_a_finished_tournament_can_be_made_longer(
    whole: tuple[bytes, list[Result]], tmp_path: Path
) -> None:
    text, _ = whole
    path = tmp_path / "results.jsonl"
    longer = table_of(path, games=GAMES + 6)
    path.write_bytes(text)
    assert table_of(path, games=GAMES + 6) == longer
    assert table_of(path, games=GAMES) == whole[1]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (Tournament("carta", ("rush", "random", "policy"), 2, 2), "whose seed is 1 and not 2"),
        (Tournament("carta", ("rush", "random", "policy"), 3, 1), "whose seats is 2 and not 3"),
        (Tournament("carta", ("rush", "policy", "random"), 2, 1), "whose players is"),
        (Tournament("dominion", ("plan", "random"), 2, 1), 'game is "carta" and not "dominion"'),
        (
            Tournament("carta", ("rush", "random", "policy"), 2, 1, {"deal": "draft"}),
            "whose options is",
        ),
    ],
)
def test_a_file_of_another_tournament_is_refused_and_left_alone(
    other: Tournament, says: str, whole: tuple[bytes, list[Result]], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(whole[0][:-5])
    assert says in refusal(path, other)


def test_a_file_of_other_rules_or_bots_is_refused(
    whole: tuple[bytes, list[Result]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(whole[0])
    monkeypatch.setattr(results_module, "source_digest", lambda _: "another")
    assert "whose source is" in refusal(path)


@pytest.mark.parametrize(
    "text", [b"my diary", b"my diary\n", b'{"tournament": 1}\n', b"\n", b"[]\n"]
)
def test_a_file_that_is_no_tournament_is_refused_and_left_alone(
    text: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(text)
    assert "not the file of a tournament" in refusal(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"game": 2,', b'"game": -2,'),
        (b'"game": 2,', b'"game": 3,'),
        (b'"game": 2,', b'"game": 10000000000,'),
        (b'"game": 2,', b""),
        (b'"shares": [', b'"shares": [1000, '),
        (b'"shares": [', b'"shares": ["a lot", '),
        (b'"deal": ', b'"deal": 1'),
        (b'"choices"', b'"voices"'),
        (b"}\n", b"\n"),
    ],
)
def test_a_damaged_line_is_named_and_left_alone(
    old: bytes, new: bytes, whole: tuple[bytes, list[Result]], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    lines = whole[0].splitlines(keepends=True)
    assert old in lines[3]
    lines[3] = lines[3].replace(old, new, 1)
    path.write_bytes(b"".join(lines))
    assert "line 4 is not a game of it; remove that line" in refusal(path)


def test_a_folder_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "nowhere" / "results.jsonl")


def test_a_line_says_all_that_a_reader_wants(whole: tuple[bytes, list[Result]]) -> None:
    first = whole[0].decode().splitlines()[1]
    state = TournamentState(LADDER, GAMES)
    play_tournament(state, Here(), 1, lambda *_: None)
    assert first == game_line(0, state.counted[0])
    assert '"players": ["rush", "random"]' in first


def test_the_source_is_named_by_what_is_in_it() -> None:
    assert len(source_digest("carta")) == 16
    assert source_digest.__wrapped__("carta") == source_digest("carta")


def test_a_worker_that_runs_for_days_names_the_source_that_it_has_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = source_digest("carta")
    monkeypatch.setattr(Path, "read_text", lambda *_: "edited")
    assert source_digest.__wrapped__("carta") == before


def test_no_tournament_needs_what_its_source_leaves_out() -> None:
    modules = "ai.processes.executors, ai.players.players, core.games, sys"
    program = f"import {modules}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    names = ran.stdout.decode().split()
    assert "ai.search.search" in names
    assert [name for name in names if name.split(".")[-1] in UNINVOLVED] == []


def test_results_of_a_game_do_not_depend_on_the_rules_of_another() -> None:
    names = {name for name, _ in sources("carta")}
    assert {"core/table.py", "core/games/carta/turn.py", "ai/games/carta.py"} <= names
    assert not any("dominion" in name or "renaissance" in name for name in names)
    assert "ai/games/dominion/book.py" in dict(sources("dominion"))


@pytest.mark.parametrize("edited", ["init", "rules"])
def test_results_of_a_game_of_another_package_depend_on_its_whole_package(
    edited: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a worker with other rules would be let in."""
    digests = []
    for number in range(2):
        files = {"init": OWN_GAME, "rules": ""}
        files[edited] += f"# {number}\n"
        with announcing(tmp_path / str(number), monkeypatch) as announce:
            assert announce(**files) == []
            digests.append(source_digest.__wrapped__("poker"))
    assert len(set(digests)) == 2
