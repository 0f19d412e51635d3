"""Programs that are killed at a table: the others read at once who is away, and what comes next."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.ui.people import WIDE, Person, Room

pytestmark = pytest.mark.slow

LEFT = re.compile(r"bert - away (\d+) s")


def seat(room: Room, *guests: str) -> list[Person]:
    """Ada opens a table on her screen, the others join it with lines of text, and all have cards.

    Before that nobody is waited for: whoever comes back then leaves the others with a deal.
    """
    seats = str(1 + len(guests))
    ada = room.sit("ada", "open", "carta", "--seats", seats, size=WIDE)
    ada.wait_for(f"1 of {seats}")
    joined = [room.sit(name, "join", "--plain", size=WIDE) for name in guests]
    for person in joined:
        person.wait_until(lambda text: text.count("draws 3 cards") == 1 + len(guests))
    return [ada, *joined]


def seconds_left(screen: str) -> int:
    """How long bert's seat is still his alone; 0 where nothing is said of it."""
    found = LEFT.search(screen)
    return int(found[1]) if found else 0


def is_asked_since(words: str) -> Callable[[str], bool]:
    """Whether, after these words, a person reads what the table waits for."""
    asked = "Your choices:", "Waiting for"
    return lambda text: any(each in text.partition(words)[2] for each in asked)


def test_of_two_the_one_who_is_left_reads_what_helps_and_is_asked_again(room: Room) -> None:
    ada, bert = seat(room, "bert")
    ada.kill()
    bert.wait_for("ada is away; one alone can replace nobody. quit adjourns;")
    back = room.sit("ada", "resume", size=WIDE)
    bert.wait_until(is_asked_since("ada is back."))
    bert.kill()
    assert "bert - away" in back.wait_for("bert is away", "bert - away")


def test_of_three_a_bot_will_play_on_and_the_seconds_go_down(room: Room) -> None:
    ada, alan, bert = seat(room, "alan", "bert")
    bert.kill()
    alan.wait_for("bert is away. A bot plays on in")
    ada.wait_until(lambda text: bool(LEFT.search(text)), "the seconds until then")
    before = seconds_left(ada.text())
    ada.wait_until(lambda text: 0 < seconds_left(text) < before, "fewer seconds")
    room.sit("bert", "resume", "--plain", size=WIDE)
    alan.wait_for("bert is back.")
    assert "bert - away" not in ada.wait_until(lambda text: "bert - away" not in text)
