"""Inputs that are kept: together they reach all that was ever reached, and they are small.

A file for each target in `tests/corpus/`, of frames as in a game file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from p2p.base.wire import FrameReader, frame
from tests.fuzz.target import Target

FOLDER: Final = Path(__file__).resolve().parents[1] / "corpus"
OURS: Final = tuple(
    f"{Path(__file__).resolve().parents[2] / floor}/" for floor in ("core", "p2p", "ai", "ui")
)
BYTES_MAX: Final = 40_000  # Of one target: all of them stay below 1 MB.
INPUT_BYTES_MAX: Final = 1 << 14

Step = tuple[CodeType, int, int]  # From one line of a function to another.


def read(name: str) -> list[bytes]:
    """What is kept for a target."""
    path, reader = FOLDER / name, FrameReader()
    reader.feed(path.read_bytes() if path.exists() else b"")
    return list(reader)


def write(name: str, inputs: Iterable[bytes]) -> None:
    """Keep these and no others."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / name).write_bytes(b"".join(map(frame, inputs)))


def smallest(target: Target, inputs: Iterable[bytes]) -> list[bytes]:
    """Those that go a way through our code which no smaller one goes, the smallest first."""
    kept, known, total = [], set[Step](), 0
    for said in sorted(set(inputs), key=lambda each: (len(each), each)):
        if len(said) > INPUT_BYTES_MAX or total + len(said) > BYTES_MAX:
            continue
        steps = set[Step]()
        with _noting(steps):
            target.read(said)
        if steps - known:
            known |= steps
            kept.append(said)
            total += len(said)
    return kept


@contextmanager
def _noting(steps: set[Step]) -> Iterator[None]:
    """Note every step from line to line in our own code."""

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        code, last = frame.f_code, 0
        if not code.co_filename.startswith(OURS):
            return None

        def go(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last
            if event == "line":
                steps.add((code, last, frame.f_lineno))
                last = frame.f_lineno
            return go

        return go

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)
