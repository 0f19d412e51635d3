"""What tests of seats and tables can leave to the tests of the proofs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p.crypto import key_sharing
from tests.simulation.volume_group import volume_group


@pytest.fixture
def short_escrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys in parts by the same proof with a sixteenth of its rounds, which a forger could guess.

    For tests of what becomes of a seat and its key: with all rounds they take most of their time.
    """
    monkeypatch.setattr(key_sharing, "DEAL_ROUNDS", key_sharing.DEAL_ROUNDS // 16)
    monkeypatch.setattr(key_sharing, "DEAL_COVERED", key_sharing.DEAL_COVERED // 16)


@pytest.fixture
def quick_proofs() -> Iterator[None]:
    """The group in which points are numbers: every proof is made and verified as ever.

    For tests in which no cheater takes a logarithm: of seats, logs, links and files.
    """
    with volume_group():
        yield
