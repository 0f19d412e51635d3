"""A hand at a mouse: what somebody would press is clicked where it stands on the screen."""

from __future__ import annotations

import random
import re
from typing import Final

from tests.ui.people import Cap, Person
from tests.ui.playing import HALF, PLAYERS, Player, Traveller

EDGE: Final = re.compile(r"[▲▼] \d+")  # Of a list of choices: so many more are beyond.
AMOUNTS: Final = re.compile(r"(?:give|ask for) \D+(?: \d)+")
NUMBER: Final = re.compile(r"\d")
# SGR mouse reports (xterm, ctlseqs, "Extended coordinates").
BUTTON: Final = "\x1b[<0;{x};{y}{end}"


class Mouse:
    """Somebody's screen, at which nothing is typed."""

    def __init__(self, person: Person) -> None:
        self.person, self.name = person, person.name

    def text(self) -> str:
        """What can be read now."""
        return self.person.text()

    def caps(self) -> list[Cap]:
        """The keys that stand there now."""
        return self.person.caps()

    def squares(self) -> list[tuple[int, int]]:
        """Columns and rows where a square of a map can be chosen now."""
        return self.person.squares()

    def press(self, *keys: str) -> None:
        """Click where these keys stand."""
        for key in keys:
            self.click(*self._place(key))

    def click_line(self, words: str) -> None:
        """Click in the line in which these words begin."""
        lines = self.text().splitlines()
        at = next(number for number, line in enumerate(lines) if words in line)
        self.click(lines[at].index(words), at)

    def click(self, x: int, y: int) -> None:
        """Press the left button at a column and a row, both from 0, and let it go."""
        self.person.press(*(BUTTON.format(x=x + 1, y=y + 1, end=end) for end in "Mm"))

    def _place(self, key: str) -> tuple[int, int]:
        """The column and the row where a key stands: in a cap, or in the line of keys."""
        for cap in self.caps():
            if cap.key == key:
                return cap.x, cap.y
        lines = self.text().splitlines()
        for y in range(len(lines) - 1, -1, -1):
            if f" {key} " in lines[y]:
                return lines[y].index(f" {key} ") + 1, y
        raise AssertionError(f"nothing is to be clicked for {key!r} at\n{self.text()}")


class Pointer(Traveller):
    """Somebody who clicks what has no key, in place of going there by arrows."""

    person: Mouse

    def _answer(self, screen: str) -> None:
        spots = self._spots(screen) if self.speech.my_turn in screen else []
        if spots and self.luck.random() < HALF:
            self._point(screen, self.luck.choice(self.luck.choice(spots)))
        else:
            Player._answer(self, screen)

    def _strokes(self, key: str) -> list[str]:
        is_whole = any(cap.key == key for cap in self.person.caps())
        return [key] if is_whole else super()._strokes(key)

    def _spots(self, screen: str) -> list[list[tuple[int, int]]]:
        """Squares of a map, edges of lists that go on, amounts in a deal: where there are any."""
        lines = list(enumerate(screen.splitlines()))
        edges = [(found.start(), y) for y, line in lines for found in EDGE.finditer(line)]
        amounts = [
            (found.start() + number.start(), y)
            for y, line in lines
            for found in AMOUNTS.finditer(line)
            for number in NUMBER.finditer(found.group())
        ]
        return [spots for spots in (self.person.squares(), edges, amounts) if spots]

    def _point(self, screen: str, spot: tuple[int, int]) -> None:
        self.keys += 1
        self._answered, self._key = screen, ""
        self.person.click(*spot)


def player_of(game: str, hand: Mouse, seed: object) -> Player:
    """Somebody who plays a game by mouse alone."""
    luck = random.Random(f"{seed} {hand.name}")
    kind = Pointer if PLAYERS[game] is Traveller else PLAYERS[game]
    return kind(hand, luck)
