"""How wide this terminal draws characters: it is asked where its cursor stands after each."""

from __future__ import annotations

import os
import re
import select
import sys
from typing import Final

# What the screens draw with, and how many cells each has to take.
SIGNS: Final = {"─": 1, "●": 1, "▮": 1, "×": 1, "→": 1, "카": 2, "か": 2}
_ANSWER_S: Final = 0.5
_WHERE: Final = b"\x1b[6n"
_HERE: Final = re.compile(rb"\x1b\[\d+;(\d+)R")


def measured_widths() -> dict[str, tuple[int, int]] | None:
    """For every sign the cells it has to take and takes; None where a terminal does not say."""
    found: dict[str, tuple[int, int]] | None = None
    if sys.platform != "win32":
        import termios
        import tty

        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal)
            found = _ask(terminal, sys.stdout.fileno())
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    return found


def _ask(terminal: int, screen: int) -> dict[str, tuple[int, int]] | None:
    sys.stdout.flush()
    found: dict[str, tuple[int, int]] = {}
    try:
        for sign, wanted in SIGNS.items():
            column = _column_after(sign, terminal, screen)
            if not column:
                return None
            found[sign] = wanted, column - 1
    finally:
        os.write(screen, b"\r\x1b[K")
    return found


def _column_after(sign: str, terminal: int, screen: int) -> int:
    """The column of the cursor behind one sign at the beginning of a line; 0 without an answer."""
    os.write(screen, b"\r" + sign.encode() + _WHERE)
    answer = b""
    while not (here := _HERE.search(answer)):
        if not select.select([terminal], [], [], _ANSWER_S)[0]:
            return 0
        answer += os.read(terminal, 100)
    return int(here[1])
