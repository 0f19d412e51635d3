"""What this program notes about itself: `HOME/hostless.log`, which never grows beyond four files.

It says what was started, what a person was told, and why a link was refused, lost or closed.
It never says what a key, a card, a password or an own choice is: whoever logs passes names,
addresses and sentences.  Every module logs with `logging.getLogger("hostless....")`.

A log must never be the reason why a game stops: where it cannot be written, nothing is written.
"""

from __future__ import annotations

import logging
import os
import platform
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, TextIO, TypeVar

LOG_FILE_NAME: Final = "hostless.log"
LOG_FILE_BYTES_MAX: Final = 1_000_000
OLDER_FILES: Final = 3  # hostless.log.1, the newest of them, to hostless.log.3.
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
EARLY_RECORDS_MAX: Final = 50  # Kept until the home is there: the first start makes it.
_LINE: Final = "%(asctime)s %(levelname)-7s %(process)d %(name)s: %(message)s"
_OWNER_ONLY: Final = 0o600
_log: Final = logging.getLogger("hostless.start")
T = TypeVar("T")


def log_path(home: Path) -> Path:
    """Where the log of this home lies."""
    return home / LOG_FILE_NAME


@contextmanager
def logged(home: Path, level: str | None, command: str) -> Iterator[None]:
    """Keep a log of what happens inside the block, also of the fault that ends it.

    With a `level` it is for standard error as well, until something paints there.
    """
    ours, root = logging.getLogger("hostless"), logging.getLogger()
    file = SharedLogFile(log_path(home))
    sinks: list[logging.Handler] = [file]
    if level:
        sinks.append(_ToTerminal(sys.stderr))
    for sink in sinks:
        sink.setFormatter(_OneLine(_LINE, "%Y-%m-%dT%H:%M:%S%z"))
        root.addHandler(sink)
    before = ours.level
    ours.setLevel((level or "info").upper())
    try:
        _log.info("hostless %s, %s", version(), system_line())
        _log.info("begins: %s", command)
        yield
        _log.info("ends")
    except Exception as error:
        _note_end(error)
        raise
    finally:
        ours.setLevel(before)
        for sink in sinks:
            root.removeHandler(sink)
            sink.close()


def keep_off_the_screen() -> None:
    """From here on standard error belongs to a screen, or to a file: the log has its own alone."""
    root = logging.getLogger()
    for sink in list(root.handlers):
        if isinstance(sink, _ToTerminal):
            root.removeHandler(sink)


def put_aside_if_full(path: Path) -> None:
    """Begin a new file where one is full to which programs write that know nothing of this."""
    with suppress(OSError):
        if path.stat().st_size >= LOG_FILE_BYTES_MAX:
            file = SharedLogFile(path)
            file.stream = file._open()
            file.doRollover()
            file.close()


def noting(publish: Callable[[T], object]) -> Callable[[T], None]:
    """`publish`, where what a person is told about trouble is in the log as well."""
    from p2p.session.news import Accused, BotEnded, Notice  # Late: `--version` needs no keys.

    @wraps(publish)
    def note_and_publish(news: T) -> None:
        if isinstance(news, Notice):
            _log.warning("told: %s %s", news.text, news.hint)
        elif isinstance(news, Accused):
            _log.error("accused: seat %s, %s: %s", news.seat, news.name, news.sentence)
        elif isinstance(news, BotEnded):
            _log.warning("the bot %s has ended: %s; %s", news.name, news.reason, news.then)
        publish(news)

    return note_and_publish


def system_line() -> str:
    """Which Python on which system this is."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {platform.system()} {platform.release()} {platform.machine()}"


def version() -> str:
    """The version of the installed package, or the one its pyproject names in a clone."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    clone = Path(__file__).parents[2] / "pyproject.toml"
    if clone.is_file():
        import tomllib

        return str(tomllib.loads(clone.read_text(encoding="utf-8"))["project"]["version"])
    try:
        return installed("hostless")
    except PackageNotFoundError:
        return "unknown"


def _note_end(error: Exception) -> None:
    """A sentence for a person is one line; anything else is a fault of ours, with its place."""
    from core.errors import HostlessError
    from core.table import RulesError
    from p2p.base.errors import PeerError

    known = (RulesError, HostlessError, PeerError)
    is_known = isinstance(error, known)
    if isinstance(error, BaseExceptionGroup):
        is_known = error.split(known)[1] is None
    if is_known:
        _log.warning("ends: %s", error)
    else:
        _log.critical("ends by a fault of ours", exc_info=error)


class _OneLine(logging.Formatter):
    """One line a record: a name that came from elsewhere cannot write lines of its own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802, as logging has it.
        """The line, without anything that a terminal would obey."""
        record.message = "".join(
            letter if letter.isprintable() else ascii(letter)[1:-1] for letter in record.message
        )
        return super().formatMessage(record)


class _ToTerminal(logging.StreamHandler[TextIO]):
    """Standard error, as long as nothing paints there."""


class SharedLogFile(RotatingFileHandler):
    """A log file that several programs of one home write to, and that may fail without a word.

    Whoever finds the file full renames it, alone: the others wait at a lock on that very file and
    then see that it has gone.  Whoever finds another file at the path goes on in that one.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=LOG_FILE_BYTES_MAX, backupCount=OLDER_FILES, encoding="utf-8",
            errors="backslashreplace", delay=True,
        )  # fmt: skip
        self._path = path
        self._early = deque[logging.LogRecord](maxlen=EARLY_RECORDS_MAX)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; one that comes before there is a home waits for it."""
        if not os.path.isdir(self._path.parent):  # Which also says no to what may not be seen.
            self._early.append(record)
            return
        while self._early:
            super().emit(self._early.popleft())
        self._follow()
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802, as logging has it.
        """Do without: a full disk or a folder of somebody else ends no game."""

    def doRollover(self) -> None:  # noqa: N802, as logging has it.
        """Begin a new file, unless another program has just done so or has this one open."""
        assert self.stream is not None, "whoever finds the file full has it open"
        with _locked(self.stream):
            if self._is_ours():
                try:
                    super().doRollover()
                except OSError:  # Windows renames no file that another program has open.
                    self.stream = self._open()
                return
        self._follow()

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        file = os.open(self._path, flags, _OWNER_ONLY)
        return os.fdopen(file, "a", encoding=self.encoding, errors=self.errors)

    def _is_ours(self) -> bool:
        """Whether the file that we have open still is the one at the path."""
        try:
            assert self.stream is not None, "asked only of an open file"
            return os.path.samestat(os.fstat(self.stream.fileno()), self._path.stat())
        except OSError:
            return False

    def _follow(self) -> None:
        """Let go of a file that another program has renamed; the next record opens the new one."""
        if self.stream is not None and not self._is_ours():
            self.stream.close()
            self.stream = None


@contextmanager
def _locked(file: TextIOWrapper) -> Iterator[None]:
    """Nobody else is inside such a block for the same file; where the system can say so."""
    kept = os.dup(file.fileno())  # The stream is closed inside, and a lock with it.
    try:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(kept, fcntl.LOCK_EX)
        yield
    finally:
        os.close(kept)
