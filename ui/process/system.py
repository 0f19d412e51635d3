"""What systems do differently for a person at a terminal: language, end, a lost reader."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from ui.language.text import LANGUAGE_NAMES, detect_language

if TYPE_CHECKING:
    import asyncio

_ASKED: Final = ("LC_ALL", "LC_MESSAGES", "LANG")  # In this order (POSIX, 8.2).
_WINDOWS_LANGUAGES: Final = {0x11: "ja", 0x12: "ko"}  # The primary language, of ten bits.
_LANGUAGE_BITS: Final = 0x3FF
_APPLE_S: Final = 2.0  # It answers in hundredths of a second.


def language_here(environment: Mapping[str, str]) -> str:
    """The language that the terminal's environment asks for, or else the system of the person.

    Only a terminal of Linux always says it.
    """
    if any(environment.get(name) for name in _ASKED):
        return detect_language(environment)
    if sys.platform == "win32":
        code = _language_of_windows()
    elif sys.platform == "darwin":
        code = _language_of_mac()
    else:
        code = "en"
    return code


def _language_of_windows() -> str:
    library: Any = ctypes.__dict__["windll"].kernel32
    number: int = library.GetUserDefaultUILanguage()
    return _WINDOWS_LANGUAGES.get(number & _LANGUAGE_BITS, "en")


def _language_of_mac() -> str:
    """The first of the languages that the person has put in order, of those that we have."""
    command = ["defaults", "read", "-g", "AppleLanguages"]  # Prints ( "ko-KR", "en-KR" ).
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_APPLE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "en"
    codes = re.findall(r"\b([a-z]{2})\b(?:-\w+)*", done.stdout)
    return next((code for code in codes if code in LANGUAGE_NAMES), "en")


def on_end(leave: Callable[[int], object]) -> None:
    """Call `leave` with an exit code when the terminal is closed or the program is to end.

    A closed terminal sends SIGHUP, and a closed console of Windows what Python calls SIGBREAK.
    Called in the event loop of asyncio, in which `leave` then runs.
    """
    import asyncio  # Lines of text, bots and audits do without it.

    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number: int | None = getattr(signal, name, None)
        if number is None:
            continue
        told = partial(leave, 128 + number)
        try:
            loop.add_signal_handler(number, told)
        except NotImplementedError:  # By the loops of Windows.
            signal.signal(number, partial(_tell, loop, told))


def _tell(
    loop: asyncio.AbstractEventLoop, told: Callable[[], object], _: int, __: FrameType | None
) -> None:
    loop.call_soon_threadsafe(told)


def is_lost_reader(error: OSError) -> bool:
    """Whether nobody reads our output any more: Windows has another word for a broken pipe."""
    is_invalid = sys.platform == "win32" and error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError) or is_invalid


def write_to_nobody() -> None:
    """Send the rest of the output nowhere, so that not even the end of the program complains."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
