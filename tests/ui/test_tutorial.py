"""The tutorial for foreign bots is true: every block runs, and prints what stands under it."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "guide" / "bot-tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Cell(NamedTuple):
    """A block of Python, and what is said to come out of it."""

    source: str
    printed: str


def cells(text: str) -> Iterator[Cell]:
    blocks = [(found[1], found[2]) for found in BLOCK.finditer(text)]
    for (kind, source), (following, printed) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "python":
            yield Cell(source, printed if following == "text" else "")


@pytest.mark.slow
def test_every_block_of_the_tutorial_prints_what_stands_under_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    names: dict[str, Any] = {}
    run = 0
    for cell in cells(TUTORIAL.read_text("utf-8")):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(cell.source, str(TUTORIAL), "exec"), names)  # noqa: S102
        assert out.getvalue() == cell.printed, cell.source
        run += 1
    names["referee"].process.communicate()
    assert run == 8
