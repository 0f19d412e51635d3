"""This machine without its networks: versions, home, terminal, files, rules, worker processes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from time import perf_counter
from typing import Final

import trio

from ai.seats.brain import open_brain
from core import table
from p2p.base.limits import PROTOCOL_VERSION
from ui.doctor.cells import measured_widths
from ui.doctor.finding import Finding
from ui.process.diagnosis import log_path, system_line, version

LIBRARIES: Final = (
    "trio", "textual", "cbor2", "cryptography", "zeroconf", "rbcl", "platformdirs", "trio-parallel",
)  # fmt: skip
WORKER_S: Final = 20.0  # A worker that takes longer to start is none.
DISK_BYTES_MIN: Final = 20_000_000  # Some hundred games.
COLUMNS, ROWS = 80, 24


def versions() -> Finding:
    """What runs here."""
    libraries = ", ".join(f"{name} {_installed(name)}" for name in LIBRARIES)
    return Finding(
        "versions", "ok", "versions",
        {"version": version(), "protocol": PROTOCOL_VERSION, "system": system_line(),
         "libraries": libraries},
    )  # fmt: skip


def _installed(name: str) -> str:
    try:
        return installed(name)
    except PackageNotFoundError:
        return "?"


def home(folder: Path) -> Finding:
    """Whether keys and games can be kept there."""
    values: dict[str, object] = {"home": folder, "log": log_path(folder)}
    above = (folder, *folder.absolute().parents)
    there = next(path for path in above if os.path.exists(path))
    if not os.path.isdir(there):
        return Finding("home", "problem", "home_file", values, "use_home")
    if there != folder and not os.access(there, os.W_OK | os.X_OK):
        return Finding("home", "problem", "home_closed", values, "use_home")
    if there == folder:
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(1))
        except OSError as error:
            why = {"why": error.strerror}
            return Finding("home", "problem", "home_unwritable", values | why, "use_home")
    free = shutil.disk_usage(there).free
    if free < DISK_BYTES_MIN:
        left = {"mb": free // 1_000_000}
        return Finding("home", "warning", "home_full", values | left, "make_room")
    return Finding("home", "ok", "home", values)


def terminal() -> Iterator[Finding]:
    """What can be shown here."""
    from rich.console import Console

    from ui.terminal.charset import is_poor_terminal

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield Finding("terminal", "ok", "no_terminal")
        return
    size, kind = shutil.get_terminal_size(), os.environ.get("TERM", "")
    colours = Console().color_system or "no"
    values = {"kind": kind or "?", "width": size.columns, "height": size.lines, "colours": colours}
    if size.columns < COLUMNS or size.lines < ROWS:
        yield Finding("terminal", "warning", "terminal_small", values, "enlarge")
    elif kind == "dumb":
        yield Finding("terminal", "warning", "terminal_dumb", values, "use_plain")
    else:
        yield Finding("terminal", "ok", "terminal", values)
    if is_poor_terminal():
        yield Finding("letters", "warning", "letters_poor", advice="use_utf8")


def letters() -> Iterator[Finding]:
    """Whether signs are as wide as the screens take them to be, where the terminal tells."""
    widths = measured_widths() if sys.stdin.isatty() and sys.stdout.isatty() else None
    if widths is None:
        return
    wrong = ", ".join(sign for sign, (wanted, seen) in widths.items() if wanted != seen)
    if wrong:
        yield Finding("letters", "warning", "letters_wide", {"signs": wrong}, "use_ascii")
    else:
        yield Finding("letters", "ok", "letters")


def temporary_files() -> Finding:
    """Whether programs may be started from where temporary files lie."""
    folder = tempfile.gettempdir()
    if is_noexec(folder):
        return Finding("temporary", "warning", "no_exec", {"folder": folder}, "use_tmpdir")
    return Finding("temporary", "ok", "temporary", {"folder": folder})


def is_noexec(folder: str) -> bool:
    """Whether no program may be started from there; where only Linux would tell, one may."""
    return sys.platform == "linux" and bool(os.statvfs(folder).f_flag & os.ST_NOEXEC)


def rules() -> Finding:
    """Whether rules and search run compiled."""
    is_compiled = not str(table.__file__).endswith(".py")
    return Finding("rules", "ok", "compiled" if is_compiled else "plain_rules")


async def worker() -> Finding:
    """Whether a process for bots and hints starts."""
    began = perf_counter()
    try:
        with trio.fail_after(WORKER_S):
            async with open_brain() as brain:
                await brain.warm_up()
    except* (OSError, trio.TooSlowError, trio.BrokenResourceError) as group:
        why = str(group.exceptions[0])
    else:
        return Finding("worker", "ok", "worker", {"seconds": f"{perf_counter() - began:.1f}"})
    return Finding("worker", "problem", "no_worker", {"why": why}, "see_log")
