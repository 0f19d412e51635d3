"""The seats of browser tabs: each tab has a home of its own, and keeps it when it is reloaded.

    the first tab     HOME
    the second tab    HOME/tabs/2, and so on

Two tabs of one home would be one identity, which cannot sit at a table twice.  Which homes are
taken is told by locked files in HOME/tabs, also between two servers; the system lets go of a lock
when its holder has ended, however that came about.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from core.errors import HostlessError
from p2p.base.identity import Profile, UnusableHome
from p2p.base.limits import NAME_LETTERS_MAX
from p2p.base.names import clean_name
from ui.settings import _FILE_NAME as SETTINGS

TABS_MAX: Final = 16
RELOAD_S: Final = 5.0  # For the program of a tab that is reloaded to leave its table politely.
FOLDER: Final = "tabs"


@dataclass(frozen=True, slots=True)
class TabSeat:
    """Where the program of a tab has its profile, keys and games, and what it is called."""

    number: int
    home: Path
    name: str = ""  # Empty where the home says it, or whoever started the server.


class Tabs:
    """The tabs that are open, and those that were."""

    def __init__(self, home: Path, name: str) -> None:
        """`name` is that of the first tab."""
        self._home, self._name = home, name
        self._numbers: dict[str, int] = {}  # By the key that a tab keeps.
        self._open: dict[int, IO[bytes]] = {}  # Locked files, by number.
        self._released = asyncio.Event()  # One of them, since somebody began to wait.

    @asynccontextmanager
    async def seat(self, key: str) -> AsyncIterator[TabSeat]:
        """A seat for as long as a tab is open; the one that it had before, unless that is taken.

        Raises:
            HostlessError: there are too many, or the home cannot be written.
        """
        number = await self._take(key)
        try:
            yield self._seat(number)
        finally:
            self._open.pop(number).close()
            self._released.set()
            self._released = asyncio.Event()

    async def _take(self, key: str) -> int:
        wanted = self._numbers.get(key)
        if wanted is not None and await self._lock_again(wanted):
            return wanted
        for number in range(1, TABS_MAX + 1):
            if self._lock(number):
                self._numbers[key] = number
                return number
        raise HostlessError(f"{TABS_MAX} tabs are open already", "close one of them")

    async def _lock_again(self, number: int) -> bool:
        """Take a number whose tab may be on its way out."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RELOAD_S):
                while not self._lock(number):
                    await self._released.wait()
                return True
        return False

    def _lock(self, number: int) -> bool:
        """Take a number, if nobody has it."""
        if number in self._open:
            return False
        folder = self._home / FOLDER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = (folder / f"{number}.lock").open("ab")
        except OSError as error:
            raise UnusableHome(f"cannot write in {folder}: {error.strerror}") from error
        if not _lock_file(file):
            file.close()
            return False
        self._open[number] = file
        return True

    def _seat(self, number: int) -> TabSeat:
        if number == 1:
            return TabSeat(1, self._home)
        home = self._home / FOLDER / str(number)
        if not home.exists():
            home.mkdir(parents=True)
            if (self._home / SETTINGS).is_file():  # The same language and colours, to begin with.
                shutil.copy(self._home / SETTINGS, home / SETTINGS)
        if Profile.load(home) is not None:
            return TabSeat(number, home)
        ending = f" ({number})"
        name = clean_name(self._name[: NAME_LETTERS_MAX - len(ending)] + ending)
        return TabSeat(number, home, name)


def _lock_file(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, unless somebody else has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # Linux and Windows say "taken" in other words.
        return False
    return True
