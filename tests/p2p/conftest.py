"""What tests of seats and tables can leave to the tests of the proofs."""

from __future__ import annotations

import pytest

from p2p.crypto import key_sharing


@pytest.fixture
def short_escrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys in parts by the same proof with a sixteenth of its rounds, which a forger could guess.

    For tests of what becomes of a seat and its key: with all rounds they take most of their time.
    """
    monkeypatch.setattr(key_sharing, "DEAL_ROUNDS", key_sharing.DEAL_ROUNDS // 16)
    monkeypatch.setattr(key_sharing, "DEAL_COVERED", key_sharing.DEAL_COVERED // 16)
