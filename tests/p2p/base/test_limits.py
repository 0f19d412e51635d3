"""Limits stand in one place, each role has all of them, and a stranger has the least."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path
from typing import Final

import pytest

from p2p.base import limits
from p2p.base.limits import ALLOWANCES, FRAME_BYTES_MAX, SPECTATORS_MAX, Role
from p2p.base.wire import encode

ROOT: Final = Path(__file__).resolve().parents[3]
FOLDERS: Final = ("base", "net", "session", "table")
ELSEWHERE: Final = {
    # Ranges of a field, which cost nothing.
    *("NUMBER_MAX", "COUNT_MAX", "ENTRY_COUNT_MAX", "KIND_LETTERS_MAX"),
    # Of what is our own: files, thinking, a sentence, a record that we write.
    *("CHECKS_MAX", "TABLES_KEPT_MAX", "GAMES_MAX", "LOOKED_INTO_MAX", "NAMES_BYTES_MAX"),
    *("_NOTE_BYTES_MAX", "_PROFILE_BYTES_MAX", "LISTED_MAX", "_TXT_BYTES_MAX"),
    *("_BROADCAST_PREFIX_MAX", "NAME_GIVEN_LETTERS_MAX"),
}


def test_what_others_can_make_us_do_is_limited_in_one_place() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {node.target.id}"
        for folder in FOLDERS
        for path in (ROOT / "p2p" / folder).glob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if path.name != "limits.py"
        and isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id.endswith(("_MAX", "_BURST", "_DEADLINE_S"))
        and node.target.id not in ELSEWHERE
    }
    assert not found


def test_a_spectator_can_say_nothing_longer_than_a_greeting() -> None:
    """Pings, their answers and a goodbye: one byte each, and nothing else is as short."""
    may = ALLOWANCES[Role.SPECTATOR]
    assert (may.frame_bytes, may.items, may.lines_burst) == (1, 1, 0)
    assert len(encode(["watch"])) > may.frame_bytes, "that it says as a stranger, once"


@pytest.mark.parametrize("role", [Role.STRANGER, Role.GUEST, Role.SPECTATOR])
def test_a_minute_of_whoever_is_no_member_is_less_than_one_frame_of_a_member(role: Role) -> None:
    may = ALLOWANCES[role]
    assert may.bytes_burst + 60 * may.bytes_per_s < FRAME_BYTES_MAX and not may.waits
    assert may.links_per_host * 4 <= max(SPECTATORS_MAX, limits.CALLERS_MAX)


BROKEN: Final = [
    ("SILENCE_S_MAX: Final = 10.0", f"SILENCE_S_MAX: Final = {limits.PING_INTERVAL_S}"),
    ("SPECTATORS_MAX: Final = 16", "SPECTATORS_MAX: Final = 200"),
    ("FRAME_BYTES_MAX: Final = 1 << 20", "FRAME_BYTES_MAX: Final = 1 << 18"),
    ("HELP_PER_S_MAX: Final = 16.0", "HELP_PER_S_MAX: Final = 1600.0"),
    ("SHOWN_BYTES_PER_S: Final = 1 << 22", "SHOWN_BYTES_PER_S: Final = 1 << 26"),
    ("MEASURE_S: Final = 60.0", "MEASURE_S: Final = 6.0"),
    ("        *(1, 1, 4.0, 32, 1 << 6, 1 << 9),", "        *(2048, 1, 4.0, 32, 1 << 6, 1 << 9),"),
]


@pytest.mark.parametrize(("line", "broken"), BROKEN)
def test_a_limit_that_another_depends_on_cannot_be_changed_alone(
    line: str, broken: str, tmp_path: Path
) -> None:
    """The program does not even start."""
    text = Path(limits.__file__).read_text("utf-8")
    assert text.count(line) == 1
    changed = tmp_path / "limits.py"
    changed.write_text(text.replace(line, broken), "utf-8")
    with pytest.raises(AssertionError):
        runpy.run_path(str(changed))
