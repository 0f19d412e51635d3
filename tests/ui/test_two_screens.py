"""Two and three people at real screens: every way to a table, and whole games at it."""

from __future__ import annotations

import random
import signal
import subprocess
from pathlib import Path

import pytest

from p2p.base.entry import parse_entry
from p2p.log.shared import log_in
from tests.ui.people import PROGRAM, PROMPT, ROOT, Person, Room
from tests.ui.playing import (
    CONFIRM,
    END,
    MY_TURN,
    Brief,
    offered,
    play,
    play_to_the_end,
    players_of,
)
from tests.ui.sitting import TITLES, join_in_the_lobby, open_in_the_lobby, wait_for_a_turn

KEYS_TO_PLAY = 8
WHOLE_GAME_S = 900.0


def join_from_the_lobby(room: Room, name: str) -> Person:
    guest = room.sit(name)
    join_in_the_lobby(guest)
    return guest


def play_some(room: Room, game: str, people: list[Person], seed: int) -> None:
    players = players_of(game, people, seed)
    play(room, players, lambda: all(player.keys >= KEYS_TO_PLAY for player in players))


def game_file(room: Room, name: str) -> Path:
    (path,) = (room.home(name) / "games").glob("*.hostless")
    return path


def check_files(room: Room, *names: str) -> None:
    """Everybody keeps the same game, and an audit holds.

    The result is on the screens before all have signed it and have that on their disks.
    """

    def is_whole() -> bool:
        kept = {tuple(log_in(game_file(room, name))) for name in names}
        return len(kept) == 1 and parse_entry(kept.pop()[-1]).kind == "finish"

    room.read_until(is_whole, lambda: "the logs differ, or nobody has signed the result")
    command = [*PROGRAM, "audit", str(game_file(room, names[0])), "--bots", "0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in TITLES if game != "carta"])  # As below.
def test_a_table_opened_and_joined_in_the_lobby_is_played_at(
    room: Room, game: str, seed: int
) -> None:
    ada = room.sit("ada")
    open_in_the_lobby(ada, game)
    bert = join_from_the_lobby(room, "bert")
    wait_for_a_turn(ada, bert)
    assert any(person.title.startswith("Your turn: ") for person in (ada, bert))
    play_some(room, game, [ada, bert], seed)
    assert ada.leave() == 0
    bert.wait_for("ada is away")
    assert bert.leave() == 0


@pytest.mark.slow
def test_somebody_with_a_card_picked_sees_a_turn_too(room: Room) -> None:
    ada = room.sit("ada", "play", "carta", "--seats", "2", "--level", "gentle")
    ada.wait_for(MY_TURN)
    ada.settled()
    ada.press(offered(ada)[0])
    assert MY_TURN not in ada.wait_for(CONFIRM)
    wait_for_a_turn(ada)
    assert ada.leave() == 0


@pytest.mark.slow
def test_who_sits_down_at_the_own_table_from_another_window_reads_why_not(room: Room) -> None:
    ada = room.sit("ada")
    open_in_the_lobby(ada, "carta")
    again = room.sit("ada")
    join_in_the_lobby(again)
    again.wait_for("This address is your own table")
    assert again.leave() == 0
    ada.wait_for("1 of 2 seats taken")
    assert ada.leave() == 0


def quit_by_key(person: Person) -> None:
    assert person.leave() == 0


def lose_the_terminal(person: Person) -> None:
    assert person.hang_up() == 128 + signal.SIGHUP


@pytest.mark.slow
def test_whoever_quits_or_dies_sits_down_again_and_the_game_goes_on(room: Room, seed: int) -> None:
    """The screen of the other outlives that, and waits."""
    ada = room.sit("ada", "open", "carta", "--seats", "2")
    bert = join_from_the_lobby(room, "bert")
    wait_for_a_turn(ada, bert)
    for go in (quit_by_key, Person.kill, lose_the_terminal):
        play_some(room, "carta", [ada, bert], seed)
        go(ada)
        bert.wait_for("ada is away")
        ada = room.sit("ada", "resume")
        wait_for_a_turn(ada, bert)
        bert.wait_until(lambda text: "ada is away" not in text, "ada there again")
    play_some(room, "carta", [ada, bert], seed)
    assert ada.leave() == 0


@pytest.mark.slow
def test_ctrl_z_gives_the_shell_back_and_fg_the_table(room: Room, seed: int) -> None:
    ada = room.open_shell("ada")
    ada.type(room.command("ada", "open", "carta", "--seats", "2"))
    ada.wait_for("1 of 2 seats taken")
    bert = join_from_the_lobby(room, "bert")
    wait_for_a_turn(ada, bert)
    ada.press("ctrl+z")
    ada.wait_for("Stopped", PROMPT)
    assert PROMPT in ada.text()
    ada.type("fg")
    wait_for_a_turn(ada, bert)
    assert PROMPT not in ada.text()
    play_some(room, "carta", [ada, bert], seed)


@pytest.mark.slow
def test_a_whole_game_of_two_at_screens_and_another_by_one_key_each(room: Room, seed: int) -> None:
    ada = room.sit("ada")
    open_in_the_lobby(ada, "carta")
    bert = join_from_the_lobby(room, "bert")
    wait_for_a_turn(ada, bert)
    players = [Brief(person, random.Random(f"{seed} {person.name}")) for person in (ada, bert)]
    play_to_the_end(room, players, WHOLE_GAME_S)
    check_files(room, "ada", "bert")
    talk_on(ada, bert)
    play_again(ada, bert)
    assert [ada.leave(), bert.leave()] == [0, 0]
    for name in ("ada", "bert"):
        assert len(list((room.home(name) / "games").glob("*.hostless"))) == 2


def talk_on(ada: Person, bert: Person) -> None:
    """At the page of the result."""
    bert.type("/gg")
    ada.wait_for("bert: gg")
    ada.press("!", "2")
    assert END in bert.wait_for("ada: Well played!")


def play_again(ada: Person, bert: Person) -> None:
    """By one key each, from the page of the result."""
    bert.press("N")
    bert.wait_for("1 of 2 seats taken")
    ada.wait_for("bert waits to play again", END)
    ada.press("N")
    wait_for_a_turn(ada, bert)


@pytest.mark.slow
def test_three_at_screens_and_a_fourth_who_looks_on(room: Room, seed: int) -> None:
    ada = room.sit("ada", "open", "renaissance", "--seats", "3")
    bert, cleo = join_from_the_lobby(room, "bert"), join_from_the_lobby(room, "cleo")
    people = [ada, bert, cleo]
    wait_for_a_turn(*people)
    dora = room.sit("dora", "watch")
    dora.wait_for("You are looking on")
    play_some(room, "renaissance", people, seed)
    dora.wait_for("You are looking on")
    assert [person.leave() for person in [dora, *people]] == [0] * 4
