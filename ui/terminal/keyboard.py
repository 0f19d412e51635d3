"""What is typed on a terminal, heard the moment it comes.

Textual looks ten times a second whether it should stop to listen, so that a screen at which nobody
sits is woken as often, and whoever presses escape waits for the next look: a tenth of a second.
"""

from __future__ import annotations

import os
import socket
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from select import select
from typing import Final, Protocol

from textual import constants
from textual.message import Message

_BYTES_AT_ONCE: Final = 4096
_LATE_S: Final = constants.ESCAPE_DELAY + 0.001  # An escape alone is no name of a key by then.


class KeyParser(Protocol):
    """Textual's, which makes keys of letters."""

    def feed(self, letters: str, /) -> Iterable[Message]:
        """Give what these letters mean; they may end amid the name of a key."""

    def tick(self) -> Iterable[Message]:
        """Give the escape that was one and begins no name, when it is late enough to tell."""


class Keyboard:
    """A time of listening, until `stop`."""

    def __init__(self) -> None:
        self._hears_stop, self._stop = socket.socketpair()

    def listen(self, file: int, parser: KeyParser, tell: Callable[[Message], object]) -> None:
        """Tell of every key until somebody stops it or the terminal has gone."""
        with self._hears_stop as stop:
            self._listen(file, stop.fileno(), parser, tell)

    def _listen(
        self, file: int, stop: int, parser: KeyParser, tell: Callable[[Message], object]
    ) -> None:
        decode = getincrementaldecoder("utf-8")().decode
        wait_s: float | None = None
        while stop not in (ready := select([file, stop], [], [], wait_s)[0]):
            wait_s = None
            if ready:
                typed = os.read(file, _BYTES_AT_ONCE)
                if not typed:
                    return
                if letters := decode(typed):  # To feed it nothing says that nothing follows.
                    for message in parser.feed(letters):
                        tell(message)
                wait_s = _LATE_S  # What was typed may end with an escape.
            for message in parser.tick():
                tell(message)

    def stop(self) -> None:
        """Let `listen` end, now or as soon as it begins."""
        self._stop.close()
