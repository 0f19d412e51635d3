"""A terminal that may be closed while something is painted on it, and what is told around it.

Textual paints from a thread of its own.  When the terminal has gone, that thread would end with an
error, and the screen would wait for it for ever instead of leaving the table.

Whoever looks at another window reads in the terminal's title whose turn it is, and may ask for a
notice on the desktop (OSC 2 and OSC 9 of xterm and its successors).  The title that was there comes
back when the screen is left.
"""

from __future__ import annotations

import asyncio
import os
import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any, Final, TextIO, cast

from textual.driver import Driver

from ui.terminal.keyboard import Keyboard

KEEP_TITLE: Final = "\x1b[22;2t"
GIVE_TITLE_BACK: Final = "\x1b[23;2t"
OUTSIDE_LETTERS_MAX: Final = 80
_WITHOUT_TITLE: Final = ("linux", "dumb", "")  # Kinds of terminal which would print the text.


def outside_codes(title: str, notice: str = "") -> str:
    """What gives a terminal a title, and shows a notice on its desktop if there is one.

    A name cannot send commands: what is not printable is left out.
    """
    told = ((2, title), (9, notice))
    return "".join(f"\x1b]{kind};{_printable(text)}\x07" for kind, text in told if text)


def _printable(text: str) -> str:
    return "".join(filter(str.isprintable, text))[:OUTSIDE_LETTERS_MAX]


class Outside(ABC):
    """A terminal that can tell something to whoever looks at another window."""

    @abstractmethod
    def tell_outside(self, title: str, notice: str) -> None:
        """Show a title, and a notice if it says something."""


class LastingFile:
    """A terminal to write on; what is written after it was closed is lost, and nothing else."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.is_closed = False

    def write(self, text: str) -> int:
        """Write, if somebody can still see it."""
        if not self.is_closed:
            try:
                self._file.write(text)
            except OSError:
                self.is_closed = True  # The program is told by a signal of its own.
        return len(text)

    def flush(self) -> None:
        """Show what was written."""
        if not self.is_closed:
            try:
                self._file.flush()
            except OSError:
                self.is_closed = True

    def fileno(self) -> int:
        """The number of the terminal's file."""
        return self._file.fileno()


def lasting(driver: type[Driver]) -> type[Driver]:
    """The driver, on a file that outlives its terminal; any other than a terminal's as it is."""
    if driver.__name__ == "WebDriver":
        return _tab_driver()
    return driver if sys.platform == "win32" else _lasting(driver)


def _lasting(driver: type[Driver]) -> type[Driver]:
    assert sys.platform != "win32", "Textual paints on a console there, and this file is not used"
    from textual._xterm_parser import XTermParser
    from textual.drivers.linux_driver import LinuxDriver

    has_title = os.environ.get("TERM", "") not in _WITHOUT_TITLE

    class LastingDriver(LinuxDriver, Outside):
        """Goes on, for nobody, when its terminal has gone."""

        _keyboard: Keyboard | None = None  # While keys are heard.

        def start_application_mode(self) -> None:
            """Begin to paint, also when a shell has brought the program back."""
            self._keyboard = Keyboard()
            if not isinstance(self._file, LastingFile):
                self._file = cast("Any", LastingFile(cast("TextIO", self._file)))
            super().start_application_mode()  # type: ignore[no-untyped-call]
            if has_title:
                self.write(KEEP_TITLE)

        def stop_application_mode(self) -> None:
            """Leave the terminal as it was, for a while or for good."""
            if has_title:
                self.write(GIVE_TITLE_BACK)
            super().stop_application_mode()

        def tell_outside(self, title: str, notice: str) -> None:
            """Show a title, and a notice if it says something."""
            if has_title:
                self.write(outside_codes(title, notice))

        def disable_input(self) -> None:
            """Hear no keys any more."""
            if self._keyboard is not None:
                self._keyboard.stop()
            super().disable_input()

        def run_input_thread(self) -> None:
            """Hear keys until the input is disabled."""
            assert self._keyboard is not None, "a terminal that paints is listened to"
            self._keyboard.listen(self.fileno, XTermParser(self._debug), self.process_message)

        def _run_input_thread(self) -> None:
            """Hear keys; a fault there ends the program like every other.  Textual prints it."""
            try:
                self.run_input_thread()
            except Exception as error:  # noqa: BLE001 - it is admitted where the program ends.
                self._app.call_later(self._app._handle_exception, error)

    return LastingDriver if driver is LinuxDriver else driver


def _tab_driver() -> type[Driver]:
    """The driver of a browser's tab, which ends the program when the tab's server has gone."""
    from textual.drivers.web_driver import WebDriver

    from ui.process.sponsored import end_soon

    class TabDriver(WebDriver):
        """Leaves at the end of its input, which no tab has while it is open."""

        def start_application_mode(self) -> None:
            """Begin to paint."""
            self._loop = asyncio.get_running_loop()
            self._write = cast("Any", self._write_lasting)
            super().start_application_mode()

        def _write_lasting(self, rest: bytes) -> int:
            with suppress(OSError):  # Nobody sees it any more.
                while rest:
                    rest = rest[os.write(self.fileno, rest) :]
            return 0

        def run_input_thread(self) -> None:
            """Take what the browser sends until nothing comes any more."""
            super().run_input_thread()
            if not self.exit_event.is_set():
                end_soon()
                self._loop.call_soon_threadsafe(self._app.exit)

    return TabDriver
