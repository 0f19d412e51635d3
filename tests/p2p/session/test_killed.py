"""Processes that are killed without a warning, and started again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2p.audit.audit import audit_file
from p2p.log.shared import log_in
from tests.limits import HANGS_S
from tests.p2p.nodes import Person, check_nothing_signed_twice

SCRIPT = Path(__file__).parents[1] / "peer_process.py"
END_S = HANGS_S


@contextmanager
def peer(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A running peer; killed at the end if it has not ended by then."""
    argv = [sys.executable, str(SCRIPT), str(home), *words]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], word: str, least: int) -> int:
    """The first number after `word` that is not less than `least`."""
    assert process.stdout is not None
    for line in process.stdout:
        match line.split():
            case [said, number] if said == word and int(number) >= least:
                return int(number)
    raise AssertionError(f"the peer ended before it said {word} {least}")


def drain(process: subprocess.Popen[str]) -> None:
    """Read to the end of what a peer prints, and expect that it ended well."""
    process.communicate(timeout=END_S)
    assert process.returncode == 0


@pytest.mark.slow
def test_killed_processes_go_on_with_what_is_on_disk_and_sign_nothing_twice(
    tmp_path: Path,
) -> None:
    """First one is killed, then both; the game ends with one file and a clean audit."""
    ada, grace = tmp_path / "ada", tmp_path / "grace"
    with peer(ada, "open", "2") as first:
        port = read_until(first, "port", 1)
        with peer(grace, "join", str(port)) as second:
            read_until(second, "entries", 30)
            second.kill()
        with peer(grace, "resume") as second:
            read_until(second, "entries", 60)
            first.kill()
            second.kill()
    with peer(ada, "resume") as first, peer(grace, "resume") as second:
        drain(first)
        drain(second)
    party = [Person(ada, "ada", 0), Person(grace, "grace", 0)]
    assert log_in(party[0].path) == log_in(party[1].path)
    report = audit_file(party[0].path)
    assert report.holds and report.is_finished
    check_nothing_signed_twice(party)
