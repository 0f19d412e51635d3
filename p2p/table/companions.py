"""The bots that I run at a table: watched, and started again when one ends before its time.

    a bot ends, or never takes a seat     say so, with the reason, and start it again
    the table is still filling            it sits down anew
    the game has begun                    it resumes its own file
    it has ended too often                say so, and what helps; its seat is left

A bot is a process and a peer of its own; what starts one is handed in (`LaunchBot`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import trio

from p2p.session.news import BotEnded, BotNext
from p2p.table.game_files import companions_of
from p2p.table.gathering import SeatingList

_TRIES: Final = 3  # New starts of a bot
_TRIES_PERIOD_S: Final = 60.0  # in so long a time.
PAUSE_FIRST_S: Final = 0.5  # Before the first of them; then twice as long each time.
SIT_DOWN_S: Final = 30.0  # For a bot to take a seat: a slow machine needs a few to import it.


class LaunchBot(Protocol):
    """What runs bots as processes.

    Bots are on a floor above this one, which may not be imported here.
    """

    def name_of(self, number: int) -> str:
        """By which name a bot sits down."""

    async def run(self, number: int, errand: Sequence[str], password: str) -> str:
        """Run a bot to its end; why it ended, or nothing when it has done what it had to.

        Cancelling it ends the process.
        """


class Errand(NamedTuple):
    """What a bot is started for."""

    words: Sequence[str]  # For its command line.
    is_done: Callable[[], bool] = lambda: True  # Whether it has come to what it was started for.


class Companions:
    """My bots at one table."""

    def __init__(
        self, launch: LaunchBot, publish: Callable[[BotEnded], object], password: str = ""
    ) -> None:
        self._launch, self._publish, self._password = launch, publish, password

    async def keep(self, number: int, place: OpenedTable | ResumedTable) -> None:
        """Run a bot for as long as it is needed."""
        name, starts = self._launch.name_of(number), deque[float](maxlen=_TRIES + 1)
        pause_s = PAUSE_FIRST_S
        while (errand := place.errand(number, name)) is not None:
            starts.append(trio.current_time())
            reason = await self._run(number, errand)
            if not reason or place.errand(number, name) is None:
                return
            if trio.current_time() - starts[-1] > _TRIES_PERIOD_S:
                pause_s = PAUSE_FIRST_S
            is_often = len(starts) > _TRIES and trio.current_time() - starts[0] < _TRIES_PERIOD_S
            self._publish(BotEnded(name, reason, place.without() if is_often else BotNext.AGAIN))
            if is_often:
                return
            await trio.sleep(pause_s)
            pause_s *= 2

    async def _run(self, number: int, errand: Errand) -> str:
        """Why a bot has ended, or was ended because it came to nothing; mostly no reason at all."""
        reasons: list[str] = []

        async def run() -> None:
            reasons.append(await self._launch.run(number, errand.words, self._password))
            nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await trio.sleep(SIT_DOWN_S)
            if errand.is_done():
                await trio.sleep_forever()
            nursery.cancel_scope.cancel()
        return reasons[0] if reasons else f"no seat taken within {SIT_DOWN_S:.0f} s"


class OpenedTable:
    """A table that I have opened: it fills, and then the game is played."""

    def __init__(self, seats: SeatingList, words: Sequence[str], *, is_local: bool) -> None:
        """`words` send a bot to the table."""
        self._seats, self._words, self._is_local = seats, words, is_local
        self._home, self._game_id = Path(), b""

    def begin(self, home: Path, game_id: bytes) -> None:
        """The game has begun; its files lie in my home and in those of my bots."""
        self._home, self._game_id = home, game_id

    def errand(self, number: int, name: str) -> Errand | None:
        """To take a seat; later, to go on with the game."""
        sponsor = self._seats.mine.identity
        is_seated = self._seats.seats_bot(name, sponsor)
        if self._game_id:
            file = companions_of(self._home, self._game_id).get(number)
            is_kept = is_seated and file is not None
            return Errand(["--resume", str(file)]) if is_kept else None
        if not is_seated and not self._seats.has_room():
            return None  # Somebody else has come.
        return Errand(self._words, lambda: self._seats.seats_bot(name, sponsor))

    def without(self) -> BotNext:
        """A free seat is for anybody who can come; in a game nobody else has the bot's cards."""
        if self._game_id:
            return BotNext.RESUME
        return BotNext.OPEN if self._is_local else BotNext.FREE


class ResumedTable:
    """A table to which I come back with my bots."""

    def __init__(self, files: dict[int, Path], is_taking_over: bool = False) -> None:
        """`files` are those of the bots, by number; they take their seats over as I do mine."""
        self._files, self._taking = files, ["--take-over"] if is_taking_over else []

    def errand(self, number: int, name: str) -> Errand | None:
        """To go on with the game."""
        return Errand(["--resume", str(self._files[number]), *self._taking])

    def without(self) -> BotNext:
        """The game can be left again."""
        return BotNext.RESUME
