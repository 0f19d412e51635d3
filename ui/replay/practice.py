"""A position of a recorded game, played on by one person against bots of this machine.

Whatever that seat had not seen is dealt anew, as search imagines it, so nobody learns by practising
what was never shown.  No other machine takes part, so nothing is signed, proven or kept: what was
said of the recorded game stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import trio

from core.chance import Chance
from core.determinization import determinize, observation_of
from core.errors import HostlessError
from core.games import find_game
from core.known_table import KnownTable
from core.narrate import Narrator
from core.requests import Action, Event, Over, Player
from core.view import view
from p2p.base.roster import DecisionPoint
from p2p.session.commands import Choose, Command, Leave
from p2p.session.news import Fairness, SeatState, TableChanged
from ui.replay.recording import Recording

BOT_LEVEL: Final = "steady"
SEED_BYTES: Final = 8
ChooseFor: TypeAlias = Callable[[DecisionPoint], Awaitable[Action]]  # What a bot chooses.


@dataclass
class Narrated(KnownTable):
    """A table whose every event is told."""

    narrator: Narrator | None = None
    entry: int = 0  # Events since the game began.

    def apply_event(self, event: Event) -> None:
        """One event of the game, and its lines."""
        assert self.narrator is not None, "a table that is told has a narrator"
        self.request = self.narrator.apply(self.table, self.request, event, self.deal)
        self.entry += 1


class Practice:
    """One practice game: what my seat sees of it, and who has to choose."""

    def __init__(
        self, recording: Recording, position: int, me: Player, seed: int | None = None
    ) -> None:
        """From a position of a recording that knows all cards that `me` had seen by then.

        `seed` is of what is dealt anew; a new one each time, if it is not given.
        """
        shown = recording.seen_by(position, me)
        game = find_game(shown.view.game)
        table, request = recording.table_at(position)
        chance = Chance(int.from_bytes(os.urandom(SEED_BYTES)) if seed is None else seed)
        deal = determinize(table, observation_of(table, recording.known[position], me), chance)
        narrator = Narrator(game, list(shown.lines), reader=me)
        narrator.forget(position)  # Nothing; what follows is counted from there.
        self._table = Narrated(
            game, table, deal, chance, (), request, narrator=narrator, entry=position
        )
        self.me, self._seats = me, tuple(_seat(state, at == me)
                                         for at, state in enumerate(shown.seats))  # fmt: skip
        self._table.run_until_choice()

    @property
    def entry(self) -> int:
        """Events since the recorded game began."""
        return self._table.entry

    def act(self, seat: Player, action: Action) -> None:
        """Let a seat do what it has chosen, and all that follows from it."""
        self._table.act(seat, action)

    def asked(self) -> DecisionPoint | None:
        """The choice for which a bot has to be asked now; where several choose, before mine."""
        bots = [seat for seat in self._table.to_act() if seat != self.me]
        return self._turn(bots[0]) if bots else None

    def news(self) -> TableChanged:
        """The view of my seat."""
        told = self._table
        assert told.narrator is not None, "a table that is told has a narrator"
        seen = view(told.game, told.table, told.request, told.observation(self.me), self.me)
        is_mine = told.to_act() == (self.me,)
        return TableChanged(
            event_count=told.entry,
            view=seen if is_mine else replace(seen, offers=()),
            seats=self._seats,
            lines=tuple(told.narrator.lines),
            fairness=Fairness(),
            is_finished=isinstance(told.request, Over),
            turn=self._turn(self.me) if is_mine else None,
        )

    def _turn(self, seat: Player) -> DecisionPoint:
        told = self._table
        seed = told.chance.copy().below(1 << 31)
        return DecisionPoint(
            told.game, told.table.copy(), told.observation(seat), seat, told.entry, seed=seed
        )


def _seat(state: SeatState, is_mine: bool) -> SeatState:
    """Who sits there when I practise: all others are bots under their names."""
    return replace(state, link="me" if is_mine else "up", is_bot=not is_mine)


class PracticeInLines:
    """A practice game as the loop of lines knows a node; it knows no table of others."""

    def __init__(
        self, practice: Practice, publish: Callable[[TableChanged], object], choose: ChooseFor
    ) -> None:
        self._practice, self._publish, self._choose = practice, publish, choose
        self._has_moved, self._is_done = trio.Event(), trio.Event()
        self.failure: Exception | None = None

    def serve_in(self, nursery: trio.Nursery) -> None:
        """Play in this nursery."""
        nursery.start_soon(self._play)

    async def obey(self, command: Command) -> None:
        """Make my choice, or leave; whatever needs other people means nothing here."""
        if isinstance(command, Leave):
            self._is_done.set()
        elif isinstance(command, Choose) and self._is_awaited(command):
            self._practice.act(self._practice.me, command.action)
            self._has_moved.set()

    async def idle(self) -> None:
        """Wait until the game is over or left."""
        await self._is_done.wait()

    async def run(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Carry out commands until their channel closes."""
        async for command in commands:
            await self.obey(command)

    def _is_awaited(self, choice: Choose) -> bool:
        return choice.event_count == self._practice.entry and self._practice.asked() is None

    async def _play(self) -> None:
        while not (news := self._practice.news()).is_finished:
            self._has_moved = trio.Event()
            self._publish(news)
            asked = self._practice.asked()
            if asked is None:
                await self._has_moved.wait()
            else:
                self._practice.act(asked.seat, await self._choose(asked))
        self._publish(news)
        self._is_done.set()


def practice_at(
    recording: Recording, position: int | None = None, seat: Player | None = None
) -> Practice:
    """A practice game from a position, or from the last one.

    It is played in `seat`, or in that whose choice it is, or in the first that is known.

    Raises:
        HostlessError: the game is over there, or nobody's cards are known here.
    """
    last = len(recording.positions) - 1
    position = last if position is None else position
    if position > last or recording.positions[position].view.is_over:
        raise HostlessError(
            f"a game goes on from before its end: {position} is too late, the file ends at {last}"
        )
    seat = recording.seat_at(position) if seat is None else seat
    if seat is None or not recording.known:
        raise HostlessError(
            "no cards are known here, so nobody can play on",
            "the keys of a seat lie with the game on its own machine",
        )
    return Practice(recording, position, seat)
