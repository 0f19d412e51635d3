"""The program in a real terminal: it paints, it answers keys, and it leaves as it should."""

from __future__ import annotations

import signal

import pyte
import pytest

from tests.ui.people import ALTERNATE_OFF, ALTERNATE_ON, Person, Room, text_of_screen

LOBBY = "Play Carta Impera Victoria"


def has_clean_terminal(person: Person) -> bool:
    return person.output.rindex(ALTERNATE_OFF) > person.output.rindex(ALTERNATE_ON)


def test_half_of_a_wide_letter_that_was_painted_over_is_nothing_to_read() -> None:
    screen = pyte.Screen(6, 2)
    pyte.Stream(screen).feed("한국\x1b[1;1Hx")
    assert text_of_screen(screen) == "x국\n"


def test_the_lobby_is_painted_and_q_leaves_a_clean_terminal(room: Room) -> None:
    ada = room.sit("ada")
    ada.wait_for(LOBBY)
    ada.press("q")
    assert ada.end() == 0
    assert has_clean_terminal(ada)


def test_a_kill_still_restores_the_terminal_and_says_so_in_the_exit_code(room: Room) -> None:
    ada = room.sit("ada")
    ada.wait_for(LOBBY)
    ada.signal(signal.SIGTERM)
    assert ada.end() == 128 + signal.SIGTERM
    assert has_clean_terminal(ada)


@pytest.mark.slow
def test_one_key_sits_down_with_bots_over_the_real_protocol(room: Room) -> None:
    ada = room.sit("ada")
    ada.wait_for(LOBBY)
    ada.press("b")
    ada.wait_for("YOUR TURN")
    ada.press("q")
    ada.wait_for(LOBBY)
    ada.press("q")
    assert ada.end() == 0


@pytest.mark.slow
def test_a_hint_is_thought_while_the_screen_has_the_terminal(room: Room) -> None:
    ada = room.sit("ada")
    ada.wait_for(LOBBY)
    ada.press("b")
    ada.wait_for("YOUR TURN")
    ada.press("h")
    ada.wait_for("Expected")  # Whatever was dealt.
    assert ada.leave() == 0


def test_lines_of_text_can_be_interrupted(room: Room) -> None:
    ada = room.sit("ada", "--plain")
    ada.wait_for("lines of text")
    ada.type("help")
    ada.wait_for("Begin with one of these")
    ada.press("ctrl+c")
    assert ada.end() == 130
