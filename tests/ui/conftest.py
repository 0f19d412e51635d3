"""A room for people who sit down at real terminals."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Final

import pytest

from tests.ui.painting import paint_when_somebody_waits

if TYPE_CHECKING:
    from tests.ui.people import Room

# Windows has no terminals that a program could sit in front of.
READS: Final = ("from tests.ui.people import", "from tests.ui.browsing import")
ON_TERMINALS = [
    path.name
    for path in Path(__file__).parent.glob("test_*.py")
    if any(each in path.read_text("utf-8") for each in READS)
]
collect_ignore = ON_TERMINALS if sys.platform == "win32" else []
if not (which("chromium") or which("google-chrome")):
    collect_ignore = [*collect_ignore, "test_chromium.py"]


@pytest.fixture(autouse=True)
def _unseen_frames() -> Iterator[None]:
    """None is painted."""
    with pytest.MonkeyPatch.context() as patch:
        paint_when_somebody_waits(patch)
        yield


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """With a network of its own where the system has such; nobody in it may see a traceback."""
    from tests.ui.people import open_room

    with open_room(tmp_path) as opened:
        yield opened
