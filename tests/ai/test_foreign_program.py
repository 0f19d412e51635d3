"""A foreign program in a tournament: the same games again, and one clear line when it fails."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from ai.players.foreign_program import ForeignProgram, can_be_started
from ai.players.players import find_player
from ai.tournaments.arena import ArenaMatch, Tournament, play_game
from ai.tournaments.results import head_line
from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice, start
from core.errors import HostlessError
from core.games import find_game
from core.requests import Choice
from core.table import RulesError
from tests.foreign import AT_RANDOM, BY_HINT, program

ROOT = Path(__file__).parents[2]


def ask(player: ForeignProgram) -> str:
    """The first choice of a game, put to a program; the notation of its answer."""
    game = find_game("carta")
    table = start(game, 2, {})
    deal = table.face[:]
    pending = run_until_choice(game, table, deal, Chance(1))
    assert isinstance(pending, Choice)
    seat = pending.player
    seen = observation_of(table, deal, seat)
    try:
        action = player(table, seen, seat, 7)
    finally:
        player.close()
    return game.describe(table, action, seen)


def test_a_program_plays_a_seat_and_the_same_game_again(tmp_path: Path) -> None:
    match = ArenaMatch("carta", ("rush", program(tmp_path, AT_RANDOM)), 5)
    first = play_game(match)
    assert first.choices > 10
    assert play_game(match) == first


@pytest.mark.parametrize("node", filter(None, [shutil.which("node")]))
def test_the_program_for_node_plays_the_same_game_again(node: str) -> None:
    players = (shlex.join([node, str(ROOT / "docs/guide/bot.mjs"), "random"]), "rush")
    match = ArenaMatch("carta", players, 5)
    assert play_game(match) == play_game(match)


def test_a_program_may_ask_for_a_hint_in_a_tournament(tmp_path: Path) -> None:
    assert ask(ForeignProgram(find_game("carta"), program(tmp_path, BY_HINT))).startswith("play")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "the program has ended"),
        ("print('{}', flush=True); input(); input()", "chose nothing that is legal"),
        ("print('what', flush=True); input(); input()", "did not answer in JSON"),
    ],
)
def test_a_program_that_fails_ends_the_tournament_and_is_named(
    source: str, says: str, tmp_path: Path
) -> None:
    failing = ForeignProgram(find_game("carta"), program(tmp_path, source))
    with pytest.raises(HostlessError, match=rf"program\.py.*: .*{says}"):
        ask(failing)


def test_a_program_that_is_late_ends_the_tournament(tmp_path: Path) -> None:
    deaf = program(tmp_path, "import sys; sys.stdin.read()")
    with pytest.raises(HostlessError, match=r"no answer within 0\.05 seconds"):
        ask(ForeignProgram(find_game("carta"), deaf, answer_s=0.05))


def test_a_word_that_is_no_program_is_refused_as_a_player() -> None:
    assert not can_be_started("stedy/10")
    with pytest.raises(RulesError, match="no player is called 'no-such-program bot'"):
        find_player(find_game("carta"), "no-such-program bot")


def test_results_are_of_the_program_as_it_was(tmp_path: Path) -> None:
    players = ("rush", program(tmp_path, AT_RANDOM))
    before = head_line(Tournament("carta", players, 2, 1))
    assert head_line(Tournament("carta", players, 2, 1)) == before
    program(tmp_path, BY_HINT)
    assert head_line(Tournament("carta", players, 2, 1)) != before
