"""A whole game of two persons at real terminals in lines of text (`--plain`), with all they may do.

    lab.py in_words                     Carta
    lab.py in_words --game dominion --seed 7

Besides choosing by numbers they talk, take back, ask the table to go back, quit and resume, one
alone and both, play to the end, and once more with the same people.  Each thing has to be answered
by its words.  In the end both logs are alike, and `audit` has to accept both files.
"""

from __future__ import annotations

import argparse
import random
import secrets
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from p2p.log.shared import log_in
from scripts.lab.lan import CHOICES, QUIET_S, Failed, audit, read_choices
from tests.ui.people import PATIENCE_S, Person, Room, Size, own_network

STUCK_S: Final = 120.0  # Nobody has been asked for so long: something is wrong.
FEW: Final = 6  # Choices, between two things that somebody does.
OVER: Final = "Type again to play once more"
HELD: Final = "Type back to take it back"
NO_CHOICE: Final = "There is no choice"  # A number was one of a square, or of armies.


class Typing:
    """Somebody who types numbers of choices, and whose program says lines."""

    def __init__(self, room: Room, name: str, luck: random.Random, size: Size) -> None:
        self.name, self.offers, self.answers = name, list[str](), 0
        self._offered = self.offers  # When the last number was typed.
        self._room, self._luck, self._size = room, luck, size

    def start(self, *words: str) -> None:
        """Start the program with these words of the command line."""
        self.person: Person = self._room.sit(self.name, *words, "--plain", size=self._size)
        self._read, self.offers, self._is_listing = 0, [], False
        self._at = time.monotonic()

    def said(self) -> str:
        """All that the program has said since it was started, and what was typed."""
        return self.person.output.decode(errors="replace").replace("\r\n", "\n")

    def read(self) -> None:
        """Take in what is new, and remember the newest list of choices."""
        said = self.said()
        until = said.rfind("\n") + 1
        if until > self._read:
            self._at = time.monotonic()
        lines = said[self._read : until].splitlines()
        self.offers, self._is_listing = read_choices(lines, self.offers, self._is_listing)
        if any(line.startswith(NO_CHOICE) for line in lines):
            self.offers = self.offers or self._offered
        self._read = until

    def answer(self) -> None:
        """Type any of the numbers that are offered, once nothing follows them."""
        self.read()
        if self.offers and time.monotonic() - self._at > QUIET_S:
            self._offered, self.offers = self.offers, []
            self.answers += 1
            self.person.type(self._luck.choice(self._offered))

    def do(self, line: str) -> None:
        """Type a line that is no choice."""
        self.person.type(line)

    def quit(self) -> None:
        """Leave, and end the program.

        Raises:
            Failed: the program says that something went wrong.
        """
        self.do("quit")
        code = self.person.end()
        if code:
            raise Failed(f"{self.name} quits: exit code {code}")


class Evening:
    """Two persons, and what they do one after the other."""

    def __init__(self, room: Room, seed: str, size: Size) -> None:
        self.room = room
        self.ada, self.bert = (
            Typing(room, name, random.Random(f"{seed} {name}"), size) for name in ("ada", "bert")
        )

    @property
    def answers(self) -> int:
        """How often a number was typed."""
        return self.ada.answers + self.bert.answers

    def play(self, is_enough: Callable[[], bool]) -> None:
        """Let both choose until something is so.

        Raises:
            Failed: it never was, and nobody is asked any more.
        """
        answers, since = self.answers, time.monotonic()
        while not is_enough():
            if self.answers != answers:
                answers, since = self.answers, time.monotonic()
            if time.monotonic() - since > STUCK_S:
                raise Failed(
                    f"ada read\n{self.ada.said()[-3000:]}\nbert\n{self.bert.said()[-3000:]}"
                )
            self.room.read(QUIET_S)
            for each in (self.ada, self.bert):
                each.answer()

    def some(self, number: int = FEW) -> None:
        """Let both choose some times."""
        enough = self.answers + number
        self.play(lambda: self.answers >= enough)

    def once(self, who: Typing) -> None:
        """Let both choose until somebody has chosen once more."""
        enough = who.answers + 1
        self.play(lambda: who.answers >= enough)

    def until(self, who: Typing, words: str, after: int = 0) -> None:
        """Read until somebody's program has said this, without choosing.

        Raises:
            Failed: it never did.
        """
        deadline = time.monotonic() + PATIENCE_S
        while words not in who.said()[after:]:
            if time.monotonic() > deadline:
                raise Failed(f"{who.name} never read {words!r} but\n{who.said()[-3000:]}")
            self.room.read(QUIET_S)
            for each in (self.ada, self.bert):
                each.read()

    def exchange(self, who: Typing, line: str, hears: Typing, words: str) -> None:
        """Somebody types a line, and somebody reads the answer to it."""
        before = len(hears.said())
        who.do(line)
        self.until(hears, words, before)
        print(f"{who.name}: {line}; {hears.name} reads: {_line_with(words, hears.said()[before:])}",
              flush=True)  # fmt: skip

    def talk(self) -> None:
        """They say something, and react."""
        self.exchange(self.ada, "say well met, bert", self.bert, "well met, bert")
        self.exchange(self.bert, "react 2", self.ada, "bert: ")

    def take_back(self) -> None:
        """Somebody takes back what nobody has heard of."""
        said = {each: len(each.said()) for each in (self.ada, self.bert)}

        def holding() -> list[Typing]:
            return [each for each, before in said.items() if HELD in each.said()[before:]]

        self.play(lambda: bool(holding()))
        (who, *_) = holding()
        self.exchange(who, "back", who, "Taken back.")
        self.until(who, CHOICES, said[who])

    def ask_the_table(self) -> None:
        """Whoever has chosen asks to go back when the other is to choose; no, and then yes."""
        for consent, words in (("no", "does not agree"), ("yes", "the table goes back")):
            self.once(self.ada)  # After a no there is nothing else to be taken back.
            self.some()
            self.play(lambda: bool(self.bert.offers) and not self.ada.offers)
            self.exchange(self.ada, "back", self.bert, "Type yes or no")
            self.exchange(self.bert, consent, self.ada, words)

    def resume(self) -> None:
        """One quits and comes back, then both do."""
        self.bert.quit()
        self.until(self.ada, "bert is away")
        self.bert.start("resume")
        self.until(self.ada, "bert is back")
        print("bert quits and resumes; ada reads: bert is away, bert is back", flush=True)
        self.some()
        for each in (self.ada, self.bert):
            each.quit()
        for each in (self.ada, self.bert):
            each.start("resume")
        self.some()
        print("both quit and resume, and choose", flush=True)

    def end(self) -> None:
        """Play to the end, and begin once more with the same people."""
        self.play(lambda: all(OVER in each.said() for each in (self.ada, self.bert)))
        chosen = self.answers
        print(f"to the end: {_line_with('wins', self.ada.said())}; {chosen} answers", flush=True)
        before = len(self.ada.said())
        for each in (self.ada, self.bert):
            each.do("again")
        self.until(self.ada, "seats", before)
        self.some()
        print(f"again: the same two, {self.answers - chosen} choices more", flush=True)
        for each in (self.ada, self.bert):
            each.quit()


def _line_with(words: str, said: str) -> str:
    """The last line that has these words."""
    return next((line for line in reversed(said.splitlines()) if words in line), "").strip()


def check_files(room: Room) -> None:
    """The first game of both is the same log, and honest.

    Raises:
        Failed: it is not.
    """
    found = [(room.home(name) / "games").glob("*.hostless") for name in ("ada", "bert")]
    paths = [max(files, key=lambda path: len(log_in(path))) for files in found]  # Not the rematch.
    reports = [audit(path) for path in paths]
    if any(report["exit"] or not report["finished"] for report in reports):
        raise Failed(f"audits: {reports}")
    if log_in(paths[0]) != log_in(paths[1]):
        raise Failed("the logs differ")
    print(f"2 logs equal, {reports[0]['entries']} entries, both audits 0", flush=True)


def main(arguments: list[str]) -> int:
    """Play; 0 when everything was answered."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="carta", metavar="GAME")
    parser.add_argument("--size", default="80x24", metavar="COLUMNSxROWS")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the numbers typed")
    args = parser.parse_args(arguments)
    print(f"{args.game}, two persons, seed {args.seed}", flush=True)
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="hostless-words-") as folder, own_network() as way:
            room = Room(Path(folder), way)
            try:
                evening = Evening(room, args.seed, Size(*map(int, args.size.split("x"))))
                evening.ada.start("open", args.game, "--seats", "2")
                evening.bert.start("join")
                evening.some()
                evening.talk()
                evening.take_back()
                evening.ask_the_table()
                evening.resume()
                evening.end()
                check_files(room)
                for person in room.people:
                    person.check()
            finally:
                room.close()
    except (Failed, AssertionError) as failure:
        print(f"FAILED: {failure}")
        return 1
    print(f"{time.monotonic() - began:.0f} s")
    return 0
