"""Thinking again about what a bot chose while I was away, once nobody waits for that.

Whoever comes back takes the choices of open seats from the log of the others
(`p2p.session.catching_up`).  Some of them, which nobody can know beforehand, are made again here,
one after the other, when I have my seat.  If one comes out otherwise, all who were there have
agreed on a wrong one, and the person is told where it stands: in the file, signed by all of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import trio

from core.plain import parse_action
from core.requests import Action
from p2p.base.entry import Entry
from p2p.base.turn import Turn
from p2p.game.equivalents import undisguise
from p2p.log.replica import Replica
from p2p.session.news import News, Notice
from p2p.session.players import Player, turn_of

CHECKS_MAX: Final = 16  # Of how many choices a game keeps what is needed to make them again,
PAUSE_S: Final = 5.0  # and how long it rests before each: a person plays meanwhile.


class Checking:
    """A sample of the choices that were taken over, still to be made again."""

    def __init__(
        self, replica: Replica, player: Player | None, publish: Callable[[News], object]
    ) -> None:
        """`player` thinks for open seats; the sample is drawn by a chance of this machine."""
        self._replica, self._player, self._publish = replica, player, publish
        self._chance = random.SystemRandom()
        self._sample: list[tuple[int, Turn, Action]] = []  # With the place of the entry.
        self._met = 0  # Choices that were taken over.
        self._is_due = trio.Event()

    def note(self, entry: Entry) -> None:
        """An entry of an open seat is taken over at the open step; not every one is kept."""
        if entry.kind != "choose" or entry.seat not in self._replica.open_seats:
            return
        self._met += 1
        at = len(self._sample)
        if at == CHECKS_MAX:
            at = self._chance.randrange(self._met)
        match entry.body:
            case [value, bytes()] if at < CHECKS_MAX:
                turn = turn_of(self._replica, entry.seat)
                kept = (self._replica.height, turn, parse_action(value))
                self._sample[at : at + 1] = [kept]
                self._is_due.set()

    async def run(self) -> None:
        """Make the choices of the sample again, whenever my seat is mine; never ends by itself."""
        while self._player is not None:
            await self._is_due.wait()
            await trio.sleep(PAUSE_S)
            if self._replica.is_seated:
                await self._check(self._player, *self._sample.pop())
            if not self._sample:
                self._is_due = trio.Event()

    async def _check(self, player: Player, height: int, turn: Turn, chosen: Action) -> None:
        due = await player(turn)
        game, table, observation = turn.game, turn.table, turn.observation
        if undisguise(game, table, observation, due) == undisguise(
            game, table, observation, chosen
        ):
            return
        name = self._replica.roster.seats[turn.seat].name
        told = game.describe(table, chosen, observation), game.describe(table, due, observation)
        text = f"entry {height}: the bot in the seat of {name} chose {told[0]}, and not {told[1]}"
        self._publish(Notice(text, "all others had agreed; keep the file, it proves it"))
