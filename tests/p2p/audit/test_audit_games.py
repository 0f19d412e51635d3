"""Honest and cheated games, each by the script that audits hundreds of them."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.audit.audit import Report, Verdict, audit_file
from scripts.lab import audit_games
from scripts.lab.audit_games import DEEDS, played
from tests.p2p.beads import BEADS


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.mark.parametrize("deed", DEEDS)
def test_an_audit_names_who_cheated_and_nobody_else(deed: str, seed: int) -> None:
    fault, _, _ = played(deed, seed)
    assert not fault


@pytest.mark.parametrize("deed", ["honest", "bent", "keeper"])
def test_an_audit_that_is_wrong_would_be_found_out(
    deed: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that believes everything, or nobody."""

    def lenient(path: object) -> Report:
        report = audit_file(path)  # type: ignore[arg-type]
        report.damage = ""
        seats = range(len(report.verdicts))
        report.verdicts = [Verdict(seat, "", is_honest=deed != "honest") for seat in seats]
        return report

    monkeypatch.setattr(audit_games, "audit_file", lenient)
    fault, _, _ = played(deed, seed)
    assert fault
