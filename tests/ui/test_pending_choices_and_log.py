"""Somebody who answers whatever is shown, and a log that is late: the game comes to its end."""

from __future__ import annotations

import random
from collections import deque

import pytest

from core.games import GAMES, find_game
from core.requests import Choice, Chosen, Opened, Over, Secret
from p2p.session.commands import Choose
from p2p.session.news import Notice, TableChanged
from tests.ui.fakes import PracticePort
from ui.choices.pending_choices import PendingChoices

CHOICES = 150
PATIENCE = 400  # Steps without an event after which nobody believes in the next one.


class LatePort(PracticePort):
    """Takes one command or makes one event at a time, and puts what it tells in a queue."""

    def start(self, luck: random.Random) -> None:
        self.luck, self.told = luck, deque[TableChanged | Notice]()
        self.waiting, self.noted = deque[Choose](), dict[int, Choose]()
        self.begin()
        self.told.append(self.news())

    def take(self, command: Choose) -> None:
        """What the session does with a choice; now and then the table is busy."""
        if self.luck.random() < 1 / 20 or command.event_count != self.entry:
            self.told.append(Notice("choose once more", asks_again=True))
        else:
            self.noted[command.event_count] = command

    def step(self) -> None:
        """Something happens, or the same is told again, as when a link breaks."""
        if self.waiting:
            self.take(self.waiting.popleft())
        elif self._goes_on() or self.luck.random() < 1 / 5:
            self.told.append(self.news())

    def _goes_on(self) -> bool:
        request = self.request
        mine = self.noted.pop(self.entry, None)
        match request:
            case Over():
                return False
            case Choice(player) if player == self.me:
                if mine is not None:
                    self._feed(Chosen(mine.action))
                return mine is not None
            case Secret(players) if self.me in players:
                if mine is not None:
                    others = [seat for seat in players if seat != self.me]
                    said = {**{seat: self._any(seat) for seat in others}, self.me: mine.action}
                    self._feed(Opened(tuple(said[seat] for seat in players)))
                return mine is not None
            case _:
                event = self._answer_to(request)
                assert event is not None, "what is not mine to answer is answered"
                self._feed(event)
                return True

    def _go_on(self) -> None:
        """Not by itself: `step` does it."""


def shown_next(port: LatePort, pending: PendingChoices, shown: TableChanged) -> TableChanged:
    """What is shown after the next word of the node; a newer picture may overtake an older."""
    told = port.told.popleft()
    while isinstance(told, TableChanged) and port.told and port.luck.random() < 1 / 2:
        if not isinstance(port.told[0], TableChanged):
            break
        told = port.told.popleft()
    if isinstance(told, Notice):
        return pending.ask_again() or shown
    command, shown = pending.hear(told)
    if command is not None:
        port.waiting.append(command)
    return shown


def answered(port: LatePort, pending: PendingChoices, shown: TableChanged) -> TableChanged:
    """What is shown after a choice, or after taking one back."""
    if port.luck.random() < 1 / 8:
        return pending.take_back() or shown
    action = port.luck.choice(shown.view.offers).action
    following = pending.hold(shown, action, is_forced=port.luck.random() < 1 / 8)
    if following is None:
        command, following = pending.send(shown, action)
        port.waiting.append(command)
    return following


@pytest.mark.parametrize("game", sorted(GAMES))
def test_whoever_answers_what_is_shown_is_never_left_waiting(game: str, seed: int) -> None:
    for number in range(10):
        port = LatePort(seed=seed + number, players=2, game=find_game(game))
        port.start(random.Random(f"{seed} {game} {number}"))
        pending, shown, quiet, entry = PendingChoices(), port.told.popleft(), 0, 0
        assert isinstance(shown, TableChanged)
        pending.hear(shown)
        while not isinstance(port.request, Over) and len(port.history) < CHOICES:
            if port.luck.random() < 1 / 2:
                port.step()
            if port.told and port.luck.random() < 1 / 2:
                shown = shown_next(port, pending, shown)
            if shown.view.offers and port.luck.random() < 1 / 2:
                shown = answered(port, pending, shown)
            quiet = quiet + 1 if port.entry == entry else 0
            entry = port.entry
            assert quiet < PATIENCE, f"nothing is asked at {entry}, where {port.request} is due"
