"""Somebody who reads a screen and presses nothing but the keys that it offers, to the end.

No plan, only dice, so that games take every turn they can; at Dominion somebody has to buy what
ends the game, so there a `Shopper` plays.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from tests.ui.people import PATIENCE_S, Cap, Room


class Speech(NamedTuple):
    """The words of a language by which somebody knows what the screen wants."""

    my_turn: str  # How the bar begins where I am asked, in my turn or in that of another.
    confirm: str
    waiting: str
    end: str  # How the keys of the result begin: the rest of them is wrapped.
    acting: str  # The prompt of Dominion where an Action may be played.
    away: tuple[str, ...]  # One of these is said of whoever does not answer.

    def sees_a_turn(self, screen: str) -> bool:
        """Whether the bar says whose turn it is, or asks to confirm what is picked at one's own."""
        return any(words in screen for words in (self.my_turn, self.confirm, self.waiting))


ENGLISH: Final = Speech(
    "▶ YOUR ", "enter confirms", "Waiting for", "N Play again",
    "play an Action", (" is away", " are away"),
)  # fmt: skip
KOREAN: Final = Speech(
    "내 차례:", "enter 확인, esc", "기다리는 중:", "N 다시 하기", "액션 카드를 내거나",
    ("자리 비움",),
)  # fmt: skip
MY_TURN, CONFIRM, END = ENGLISH.my_turn, ENGLISH.confirm, ENGLISH.end
REASON: Final = "▌"  # The edge of what lies over the table for a moment.
SHELF: Final = re.compile(r"(?:^|\s)([a-zA-Z]) [ ▶]\S[^(×]*\((\d)\)")  # " b  Silver  (3) ×40"
STONES: Final = "YRKW"  # Drawn like keys; nothing has such a key.
FIGURES: Final = re.compile(r"(?:\d+|[A-GoO])[a-d]")  # So are those of a map: whose they are.
ENTER: Final = "enter"
ARROWS: Final = ("up", "down", "left", "right")
STOP: Final = "s"
TREASURES: Final = "t"
CHEAP: Final = 2  # Who buys a plan buys nothing up to this cost.
SETTLE_S: Final = 0.1  # A screen that has not changed for so long is read and answered.
MUTE_S: Final = 5.0  # A key that changed nothing for so long is tried no more.
READ_S: Final = 0.02
HALF: Final = 0.5
END_TURN: Final = "e"  # Of Carta.
OFTEN: Final = 0.9


class Screen(Protocol):
    """Somebody's screen, in a terminal or a browser."""

    name: str

    def text(self) -> str:
        """What can be read now."""

    def caps(self) -> list[Cap]:
        """The keys that stand there now."""

    def press(self, *keys: str) -> None:
        """Press keys."""


def offered(person: Screen, speech: Speech = ENGLISH) -> list[str]:
    """The keys that the screen offers for a choice, as they stand on it.

    A number inside a card that has a letter in its upper edge is typed after that letter.
    """
    if speech.my_turn not in person.text():
        return []
    caps = [cap for cap in person.caps()
            if cap.key not in STONES and not FIGURES.fullmatch(cap.key)]  # fmt: skip
    cards = [cap for cap in caps if cap.right and cap.key.isalpha()]
    keys = []
    for cap in caps:
        around = [card.key for card in cards if _is_inside(cap, card)]
        if cap not in cards or not any(_is_inside(each, cap) for each in caps):
            keys.append("".join(around) + cap.key)
    return keys


def _is_inside(cap: Cap, card: Cap) -> bool:
    """Whether a number stands in a card."""
    return cap.key.isdigit() and card.x < cap.x < card.right and card.y < cap.y < card.low


def on_the_shelf(above: str) -> dict[str, int]:
    """The letters in front of piles that can be had now, with the costs; read above the bar."""
    lines = [line.split(REASON)[0] for line in above.split("\n")]
    return {letter: int(cost) for line in lines for letter, cost in SHELF.findall(line)}


class Player:
    """Plays what the screen offers, without a plan."""

    def __init__(self, person: Screen, luck: random.Random, speech: Speech = ENGLISH) -> None:
        self.person, self.luck, self.speech = person, luck, speech
        self.keys = 0
        self.mute: list[str] = []  # Keys that the screen showed, and that changed nothing on it.
        self._seen, self._since = "", time.monotonic()
        self._key, self._answered = "", ""  # The last key, and the screen at which it was pressed.
        self._vain: set[str] = set()  # Keys that the screen answered with a reason.

    def step(self) -> None:
        """Look, and press a key if it is time for one."""
        now, screen = time.monotonic(), self.person.text()
        if screen != self._seen:
            self._seen, self._since = screen, now
            self._answered = ""
        quiet_s = now - self._since
        if not self._answered and quiet_s > SETTLE_S:
            self._answer(screen)
        elif quiet_s > MUTE_S:
            if self._key in offered(self.person, self.speech) and REASON not in screen:
                self.mute.append(f"{self._key!r} at:\n{screen}")
            self._since = now
            self._answer(screen)

    def _answer(self, screen: str) -> None:
        keys, speech = offered(self.person, self.speech), self.speech
        if speech.confirm in screen or (speech.my_turn in screen and not keys):
            self._vain.clear()
            self._press(screen, ENTER)
        elif keys:
            tried = [key for key in keys if key not in self._vain] or keys
            key = self.pick(screen, tried)
            self._vain.add(key)
            self._press(screen, key)

    def _press(self, screen: str, key: str) -> None:
        self.keys += 1
        self._answered, self._key = screen, key
        self.person.press(*self._strokes(key))

    def _strokes(self, key: str) -> list[str]:
        return [key] if key in (ENTER, *ARROWS) else list(key)

    def pick(self, screen: str, keys: list[str]) -> str:
        """One of the keys that are offered."""
        return self.luck.choice(keys)


class Brief(Player):
    """Somebody who mostly ends a turn where it can be ended, so that a game of Carta is short."""

    def pick(self, screen: str, keys: list[str]) -> str:
        """The end of the turn, or now and then anything else."""
        is_brief = END_TURN in keys and self.luck.random() < OFTEN
        return END_TURN if is_brief else super().pick(screen, keys)


class Shopper(Player):
    """Somebody who plays Actions and all Treasures, and buys what is dear; dice for the rest."""

    def pick(self, screen: str, keys: list[str]) -> str:
        """All Treasures first, then one of the dearest piles; a card that can be played or not."""
        shelf = on_the_shelf(screen.split(self.speech.my_turn)[0])
        if TREASURES in keys:
            return TREASURES
        if not shelf:
            plays = [key for key in keys if key != STOP]
            is_done = self.speech.acting in screen and self.luck.random() < 1 / (len(plays) + 1)
            return STOP if is_done or not plays else self.luck.choice(plays)
        dear = [key for key, cost in shelf.items() if cost == max(shelf.values()) > CHEAP]
        words = [key for key in keys if key not in shelf and not key.isdigit()]
        return self.luck.choice(dear or words or list(shelf))


class Traveller(Player):
    """Somebody who goes by arrows, too: to squares of a map, on which no keys stand."""

    def _answer(self, screen: str) -> None:
        is_asked = self.speech.my_turn in screen
        if is_asked and (not offered(self.person, self.speech) or self.luck.random() < HALF):
            self._press(screen, self.luck.choice(ARROWS))
        else:
            super()._answer(screen)


PLAYERS: Final = {
    "carta": Player, "dominion": Shopper, "renaissance": Player, "civilization": Traveller,
}  # fmt: skip


def players_of(
    game: str, people: Sequence[Screen], seed: object, speech: Speech = ENGLISH
) -> list[Player]:
    """Somebody for every screen."""
    lucks = [random.Random(f"{seed} {person.name}") for person in people]
    return [PLAYERS[game](person, luck, speech) for person, luck in zip(people, lucks, strict=True)]


def play(
    room: Room, players: Sequence[Player], is_over: Callable[[], bool], wait_s: float = PATIENCE_S
) -> None:
    """Let them play until something is so."""
    deadline = time.monotonic() + wait_s
    while not is_over():
        assert time.monotonic() < deadline, "\n".join(each.person.text() for each in players)
        room.read(READ_S)
        for player in players:
            player.step()


def play_to_the_end(room: Room, players: Sequence[Player], wait_s: float = PATIENCE_S) -> None:
    """Let them play until every screen shows the result."""
    play(
        room,
        players,
        lambda: all(each.speech.end in each.person.text() for each in players),
        wait_s,
    )
