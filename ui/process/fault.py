"""A fault of ours: what a person reads instead of a traceback, which is in the log file.

What goes wrong while a game of somebody else's package is asked is told as a fault of that package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final

from core.errors import HostlessError
from core.games import PACKAGES
from core.table import RulesError
from p2p.base.errors import PeerError
from ui.language.text import Words
from ui.process.diagnosis import log_path

KNOWN: Final = (RulesError, HostlessError, PeerError)  # Their text says what a person can do.
LETTERS_MAX: Final = 200


def is_fault(error: BaseException) -> bool:
    """Whether this is a fault of ours, or comes with one in a group."""
    if isinstance(error, ExceptionGroup):
        return error.split(KNOWN)[1] is not None
    return isinstance(error, Exception) and not isinstance(error, KNOWN)


def fault_texts(words: Words, error: BaseException, home: Path) -> list[str]:
    """What happened, where more of it is written, that nothing is lost, and how to go on."""
    package = _package_of(_cause(error))
    title = words("fault.title_package", package=package) if package else words("fault.title")
    log = words("fault.log", path=log_path(home), whom=package or "hostless")
    return [title, cause_text(words, error), log, words("fault.resume")]


def cause_text(words: Words, error: BaseException) -> str:
    """What happened: all that is told of a bot whose program starts it again."""
    cause = _cause(error)
    lines = str(cause).splitlines() or [""]
    what = f"{type(cause).__name__}: {lines[0]}".removesuffix(": ")
    return words("fault.what", what=what[:LETTERS_MAX])


def _cause(error: BaseException) -> BaseException:
    """The first fault inside groups."""
    while isinstance(error, BaseExceptionGroup):
        rest = error.split(KNOWN)[1] or error
        error = rest.exceptions[0]
    return error


def _package_of(error: BaseException) -> str:
    """The package of somebody else whose game was being asked; empty if it was none."""
    files = list(_files(error.__traceback__))
    for package in sorted(set(PACKAGES.values())):
        module = sys.modules.get(package)
        places = getattr(module, "__path__", None) or [getattr(module, "__file__", "?")]
        if any(file.is_relative_to(place) for place in places for file in files):
            return package
    return ""


def _files(traceback: TracebackType | None) -> Iterator[Path]:
    while traceback is not None:
        yield Path(traceback.tb_frame.f_code.co_filename)
        traceback = traceback.tb_next
