"""Bots that are killed at a real table are started again, and none outlives the program."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.ui.people import PATIENCE_S, WIDE, Person, Room

pytestmark = pytest.mark.slow

GONE_S: Final = 60.0  # Promised are 3; a busy machine may need more.
MOMENTS_S: Final = (0.0, 1.5, 9.0)  # Since the bots began.
QUESTION: Final = b"Your choices:"


class Process(NamedTuple):
    """One line of `ps`."""

    pid: int
    parent: int
    state: str
    command: str


def processes() -> list[Process]:
    """Everything that runs here."""
    listed = subprocess.run(
        ["ps", "-axwwo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
    return [Process(int(row[0]), int(row[1]), row[2], row[3]) for row in rows if len(row) == 4]


def family(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    everybody, found = processes(), {pid}
    while more := {each.pid for each in everybody if each.parent in found} - found:
        found |= more
    return found - {pid}


def bots(home: Path) -> list[int]:
    """The bots of a home, in the order of their numbers."""
    folders = {each: str(home / "bots" / str(each)) for each in range(2)}
    return [
        each.pid
        for folder in folders.values()
        for each in processes()
        if f"--home {folder} " in each.command
    ]


def left_of(pids: set[int]) -> list[Process]:
    """Which of these still run."""
    return [each for each in processes() if each.pid in pids and not each.state.startswith("Z")]


def wait_until_gone(room: Room, pids: set[int]) -> None:
    """Read until none of these runs any more."""
    room.read_until(lambda: not left_of(pids), lambda: f"left: {left_of(pids)}", GONE_S)


class Player:
    """Takes the first choice, each time that there is one."""

    def __init__(self, person: Person) -> None:
        self.person, self.answered = person, 0

    @property
    def asked(self) -> int:
        """How often a choice was put."""
        return self.person.output.count(QUESTION)

    def has_come_to(self, questions: int) -> bool:
        """Whether so many choices were put; answers the open one."""
        if self.asked > self.answered:
            self.answered = self.asked
            self.person.type("1")
        return self.asked >= questions


def sit_down(room: Room, *options: str) -> Player:
    """Somebody sits down with two bots, which run by now."""
    ada = room.sit("ada", "play", "carta", "--seats", "3", "--plain", *options, size=WIDE)
    ada.wait_until(lambda _: len(bots(room.home("ada"))) == 2, "two bots")
    return Player(ada)


@pytest.mark.parametrize("moment_s", MOMENTS_S)
def test_a_bot_that_is_killed_is_named_and_started_again(room: Room, moment_s: float) -> None:
    player = sit_down(room, "--level", "gentle")
    end = time.monotonic() + moment_s
    while time.monotonic() < end:
        player.has_come_to(0)
        room.read(0.05)
    victim = bots(room.home("ada"))[0]
    thoughts = family(victim)
    os.kill(victim, signal.SIGKILL)
    words = "The bot Mistral has ended (ended by SIGKILL) and is started again."
    player.person.wait_for(words)
    wait_until_gone(room, thoughts)  # What thought for it.
    assert bots(room.home("ada")) != [victim]
    goal = player.asked + 3
    room.read_until(
        lambda: player.has_come_to(goal), lambda: f"stuck at\n{player.person.text()}", PATIENCE_S
    )


@pytest.mark.parametrize("moment_s", [0.0, 2.0, 8.0])
def test_nothing_outlives_a_program_that_is_killed(room: Room, moment_s: float) -> None:
    player = sit_down(room, "--level", "strongest")  # In the middle of a long thought.
    end = time.monotonic() + moment_s
    while time.monotonic() < end:
        player.has_come_to(0)
        room.read(0.05)
    started = family(player.person.pid)
    assert len(started) >= 2
    player.person.kill()
    wait_until_gone(room, started)


def test_a_bot_that_cannot_start_is_said_with_its_last_words(room: Room) -> None:
    folder = room.home("ada") / "bots" / "0"
    folder.parent.mkdir(parents=True)
    folder.write_text("no folder")
    ada = room.sit("ada", "play", "carta", "--seats", "2", "--plain", size=WIDE)
    assert "it cannot be started" in ada.wait_for("has ended too often", "open the table again")
