"""People at real terminals: pexpect runs what they start, pyte shows what their screens show.

A test waits by reading until something can be read, with a deadline, and never by sleeping.  All
terminals of a room are read together: a program whose terminal nobody reads would soon wait for
somebody who does, and no longer answer at its table.
"""

from __future__ import annotations

import os
import secrets
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import pexpect
import pyte

from tests.limits import HANGS_S

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = (sys.executable, "-P", "-m", "ui")
PATIENCE_S: Final = HANGS_S
READ_S: Final = 0.1  # Between two looks at whether a program has ended.
REST_S: Final = 0.3  # A screen that has not changed for so long is what a person reads.
CHUNK: Final = 1 << 16
TOP_LEFT, TOP_RIGHT, LOW_LEFT = "╭┏", "╮┓", "╰┗"  # Of cards, as they are drawn.
MAP_MARGIN: Final = 3  # Cells in front of a map, for the numbers of its rows.
PROMPT: Final = "READY>"  # Of a shell in which somebody starts the program.
ALTERNATE_ON, ALTERNATE_OFF = b"\x1b[?1049h", b"\x1b[?1049l"
ENVIRONMENT: Final = {
    "TERM": "xterm-256color",
    "LANG": "C.UTF-8",
    "PYTHONUTF8": "1",
    "PYTHONPATH": str(ROOT),
    "TEXTUAL_ANIMATIONS": "none",
    "HOSTLESS_PLAIN": "1",  # Nothing is compiled beside.
    "PS1": PROMPT,
}
KEYS: Final = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "space": " ", "backspace": "\x7f",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "home": "\x1b[H", "end": "\x1b[F", "ctrl+c": "\x03", "ctrl+q": "\x11", "ctrl+z": "\x1a",
}  # fmt: skip


class Size(NamedTuple):
    """Of a terminal, in cells."""

    columns: int
    rows: int


NORMAL: Final = Size(80, 24)
WIDE: Final = Size(120, 36)


class Person:
    """Somebody in front of a terminal, in which a program runs.  Made by a room."""

    def __init__(
        self, room: Room, name: str, command: Sequence[str], size: Size,
        variables: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.name, self.output = name, b""
        self._room = room
        self._text: str | None = None  # Of the screen, until something else comes.
        self._screen = pyte.Screen(size.columns, size.rows)
        self._picture = pyte.ByteStream(self._screen)
        self._child = pexpect.spawn(
            command[0], list(command[1:]), env=_environment(variables), cwd=str(ROOT),
            dimensions=(size.rows, size.columns), maxread=CHUNK, timeout=PATIENCE_S,
        )  # fmt: skip
        self._child.delaybeforesend = None  # Keys are pressed when something has been read.

    @property
    def pid(self) -> int:
        """The process in the terminal."""
        return int(self._child.pid)

    @property
    def file(self) -> int:
        """The other side of the terminal; negative once it was closed."""
        return -1 if self._child.closed else int(self._child.child_fd)

    def text(self) -> str:
        """What can be read on the screen now."""
        if self._text is None:
            self._text = text_of_screen(self._screen)
        return self._text

    @property
    def title(self) -> str:
        """What the window of the terminal is called."""
        return str(self._screen.title)

    def caps(self) -> list[Cap]:
        """The keys that stand on the screen now, where they act."""
        return caps_of_screen(self._screen)

    def squares(self) -> list[tuple[int, int]]:
        """Columns and rows where a square of a map can be chosen now."""
        return squares_of_screen(self._screen)

    def press(self, *keys: str) -> None:
        """Press keys, by name or by what they type."""
        for key in keys:
            self._child.send(KEYS.get(key, key))

    def type(self, line: str) -> None:
        """Type a line and press enter."""
        self._child.send(line + "\r")

    def resize(self, size: Size) -> None:
        """Make the window larger or smaller."""
        self._screen.resize(size.rows, size.columns)
        self._text = None
        self._child.setwinsize(size.rows, size.columns)

    def wait_until(
        self, holds: Callable[[str], bool], what: str = "it", wait_s: float = PATIENCE_S
    ) -> str:
        """Read until the screen is so; gives what is on it."""
        self._room.read_until(lambda: holds(self.text()), lambda: self._missed(what), wait_s)
        return self.text()

    def wait_for(self, *words: str, wait_s: float = PATIENCE_S) -> str:
        """Read until all of these words are on the screen; gives what is on it."""
        wanted = ", ".join(map(repr, words))
        return self.wait_until(lambda text: all(each in text for each in words), wanted, wait_s)

    def settled(self) -> str:
        """The screen once it has stopped changing."""
        before = ""
        while before != self.text():
            before = self.text()
            self._room.read(REST_S)
        return before

    def _missed(self, what: str) -> str:
        state = "goes on" if self.is_there() else "has ended"
        others = [each for each in self._room.people if each is not self]
        screens = "".join(f"\nand {each.name} sees\n{each.text()}" for each in others)
        return f"{self.name}, whose program {state}, never saw {what} but\n{self.text()}{screens}"

    def read_now(self) -> None:
        """Take what has come, and paint it."""
        try:
            chunk = self._child.read_nonblocking(CHUNK, timeout=0)
        except (pexpect.TIMEOUT, pexpect.EOF):  # At the end of a program Linux reports an error.
            return
        self.output += chunk
        self._picture.feed(_with_empty_screens(chunk))
        self._text = None

    # ---- the program, and its end ----

    def is_there(self) -> bool:
        """Whether the program runs, or waits to be continued."""
        return bool(self._child.isalive())

    def signal(self, number: int) -> None:
        """Send a signal to the program."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End the program as `kill -9` does."""
        self.signal(signal.SIGKILL)
        self.end()

    def hang_up(self) -> int:
        """Close the terminal, as whoever closes its window does; gives the exit code."""
        self.read_now()
        self._child.ptyproc.fileobj.close()  # The kernel tells the program with SIGHUP.
        self._child.closed = self._child.ptyproc.closed = True
        return self.end()

    def end(self, wait_s: float = PATIENCE_S) -> int:
        """Wait for the exit code; negative is the signal that ended the program, as in Popen."""
        missed = "the end of the program"
        self._room.read_until(lambda: not self.is_there(), lambda: self._missed(missed), wait_s)
        if self.file >= 0:
            self.read_now()
        if self._child.signalstatus is not None:
            return -int(self._child.signalstatus)
        return int(self._child.exitstatus)

    def leave(self) -> int:
        """Press `q` until the program has ended, as somebody does who wants to go to bed."""
        for _ in range(4):  # A page, the table or the gathering, a page over the lobby, the lobby.
            if self.is_there():
                self.press("q")
                self._wait_for_change()
        return self.end()

    def _wait_for_change(self) -> None:
        before = self.text()
        self._room.read_until(
            lambda: not self.is_there() or self.text() != before,
            lambda: self._missed("a change"),
        )

    def check(self) -> None:
        """Nothing that this person ever saw was a traceback."""
        for fault in (b"Traceback", b"Exception ignored"):
            at = self.output.find(fault)
            assert at < 0, f"{self.name} saw\n{self.output[at - 200 : at + 8000].decode()}"

    def close(self) -> None:
        """End whatever is left."""
        if self.is_there():
            self.kill()
        self._child.close(force=True)


class Room:
    """Where people sit: their terminals are read together.

    `inside` comes before every command, such as what leads into a network of its own.
    """

    def __init__(self, folder: Path, inside: Sequence[str] = ()) -> None:
        self.folder, self.inside = folder, tuple(inside)
        self.people: list[Person] = []

    def home(self, name: str) -> Path:
        """Where somebody's profile and games are kept."""
        return self.folder / name

    def sit(
        self, name: str, *arguments: str, size: Size = NORMAL,
        variables: Mapping[str, str] | None = None, inside: Sequence[str] | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> Person:  # fmt: skip
        """Somebody starts the program with these arguments."""
        whose = ("--home", str(self.home(name)), "--as", name)
        before = self.inside if inside is None else inside
        return self._seat(name, (*before, *program, *arguments, *whose), size, variables)

    def open_shell(
        self, name: str, *, size: Size = NORMAL, variables: Mapping[str, str] | None = None,
        inside: Sequence[str] | None = None,
    ) -> Person:  # fmt: skip
        """Somebody opens a shell that can stop and continue what it runs."""
        shell = (shutil.which("bash") or "bash", "--norc", "-i")
        before = self.inside if inside is None else inside
        person = self._seat(name, (*before, *shell), size, variables)
        person.wait_for(PROMPT)
        return person

    def command(self, name: str, *arguments: str) -> str:
        """What somebody types into a shell to start the program."""
        return shlex.join((*PROGRAM, *arguments, "--home", str(self.home(name)), "--as", name))

    def _seat(
        self, name: str, command: Sequence[str], size: Size,
        variables: Mapping[str, str] | None = None,
    ) -> Person:  # fmt: skip
        person = Person(self, name, command, size, variables or {})
        self.people.append(person)
        return person

    def read(self, wait_s: float) -> bool:
        """Read what has come to any terminal, if anything does in time."""
        files = {person.file: person for person in self.people if person.file >= 0}
        files = {file: person for file, person in files.items() if person.is_there()}
        ready = select.select(list(files), [], [], wait_s)[0]
        for file in ready:
            files[file].read_now()
        return bool(ready)

    def read_until(
        self, holds: Callable[[], bool], missed: Callable[[], str], wait_s: float = PATIENCE_S
    ) -> None:
        """Read all terminals until something is so."""
        deadline = time.monotonic() + wait_s
        while not holds():
            assert time.monotonic() < deadline, missed()
            self.read(READ_S)

    def close(self) -> None:
        """Everybody goes."""
        for person in self.people:
            person.close()


@contextmanager
def own_network() -> Iterator[tuple[str, ...]]:
    """What leads a command into a network that nobody else sees, where the system has such.

    Elsewhere nothing does: then tables need names of their own, and tests other tables' membership.
    """
    name = f"hostless-{secrets.token_hex(4)}"
    if not _done("ip", "netns", "add", name):
        yield ()
        return
    try:
        assert _done("ip", "-n", name, "link", "set", "lo", "up"), "a new network has a loopback"
        yield ("ip", "netns", "exec", name)
    finally:
        _done("ip", "netns", "del", name)


@contextmanager
def open_room(folder: Path) -> Iterator[Room]:
    """A room with a network of its own, in which nobody may see a traceback."""
    with own_network() as inside:
        room = Room(folder, inside)
        try:
            yield room
            for person in room.people:
                person.check()
        finally:
            room.close()


def text_of_screen(screen: pyte.Screen) -> str:
    """What can be read on a screen.

    Its own `display` falls over the second half of a wide letter whose first half was painted over.
    """
    rows = [screen.buffer[y] for y in range(screen.lines)]
    lines = ["".join(row[x].data for x in range(screen.columns)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


class Cap(NamedTuple):
    """A key that is drawn where it acts: in reverse, and bold."""

    key: str
    x: int
    y: int
    right: int = 0  # Of the card in whose upper edge it stands; 0: it stands elsewhere.
    low: int = 0


def caps_of_screen(screen: pyte.Screen) -> list[Cap]:
    """Every key cap on a screen."""
    found = []
    for y in range(screen.lines):
        row, x = screen.buffer[y], 0
        while x < screen.columns:
            if not (row[x].reverse and row[x].bold):
                x += 1
                continue
            first, style = x, row[x][1:]
            while x < screen.columns and row[x][1:] == style:
                x += 1
            key = "".join(row[each].data for each in range(first, x)).strip()
            if key.isascii() and key.isalnum():
                found.append(Cap(key, first, y, *_card_below(screen, first, y)))
    return found


def squares_of_screen(screen: pyte.Screen) -> list[tuple[int, int]]:
    """Cells in reverse in the rows of a map, which begin with their numbers."""
    rows = enumerate(text_of_screen(screen).splitlines())
    return [
        (x, y)
        for y, text in rows
        if text[:MAP_MARGIN].strip().isdigit()
        for x in range(MAP_MARGIN, screen.columns)
        if screen.buffer[y][x].reverse
    ]


def _card_below(screen: pyte.Screen, x: int, y: int) -> tuple[int, int]:
    """The right edge and the lowest line of the card whose title begins here; 0, 0 for none."""
    row, left = screen.buffer[y], x - 3
    if left < 0 or row[left].data not in TOP_LEFT:
        return 0, 0
    right = next((at for at in range(x, screen.columns) if row[at].data in TOP_RIGHT), 0)
    rows = range(y, screen.lines)
    low = next((at for at in rows if screen.buffer[at][left].data in LOW_LEFT), 0)
    return right, low


def _with_empty_screens(chunk: bytes) -> bytes:
    """The same, where a program that takes or leaves the second screen finds an empty one.

    That screen is all that pyte does not know of a terminal.  So what is to be seen after a
    program came back was painted again.
    """
    for switch in (ALTERNATE_ON, ALTERNATE_OFF):
        chunk = chunk.replace(switch, switch + b"\x1b[H\x1b[2J")
    return chunk


def _done(*command: str) -> bool:
    if shutil.which(command[0]) is None or os.geteuid() != 0:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _environment(variables: Mapping[str, str]) -> Any:
    """What a program is told by its surroundings; not the size of the terminal we are in."""
    kept = {key: value for key, value in os.environ.items() if key not in ("LINES", "COLUMNS")}
    return cast("Any", {**kept, **ENVIRONMENT, **variables})
