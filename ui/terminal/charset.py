"""Which letters the terminal can show, as far as its environment says."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping
from typing import Final

_COERCED: Final = "C.UTF-8"  # What Python makes of the locale C.


def is_poor_terminal() -> bool:
    """Whether the terminal has no box drawing: the Linux console, or no UTF-8."""
    return os.environ.get("TERM", "") in ("linux", "dumb") or not is_utf8()


def is_utf8() -> bool:
    """Whether it shows letters of every language, as far as the locale says."""
    if is_plain_locale(os.environ, is_utf8_mode=bool(sys.flags.utf8_mode)):
        return False
    encoding = getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding(False)
    return "utf" in encoding.lower()


def is_plain_locale(environment: Mapping[str, str], *, is_utf8_mode: bool) -> bool:
    """Whether the terminal was said to know ASCII only: the locale is C or POSIX (POSIX, 8.2).

    Python itself then writes UTF-8 all the same, and sets LC_CTYPE to C.UTF-8 for its children
    (PEP 538, PEP 540), so its own encoding says nothing.  Where no locale is set at all, as in
    most containers, nothing was said about the terminal.
    """
    if environment.get("PYTHONUTF8") == "1":
        return False
    ours = {"LC_CTYPE": _COERCED} if is_utf8_mode else {}
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = environment.get(name, "")
        if value and value != ours.get(name):
            return value in ("C", "POSIX")
    return False
