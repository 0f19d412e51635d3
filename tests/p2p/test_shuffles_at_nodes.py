"""Nodes verify a chain of shuffles together, and make the numbers of the next one ahead."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from p2p.cards import shuffle_proof
from p2p.cards.ahead import Larder
from p2p.cards.joining import Joiner
from p2p.shuffling import Shuffling
from tests.p2p.nodes import check_one_log, people, play_a_while

SEATS = 3
PILES = 3  # That Carta shuffles at the start: a draw pile for each age.
ENTRIES = 40


async def test_a_chain_of_shuffles_is_verified_together_and_the_next_is_provided_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs: list[int] = []
    filled: list[int] = []
    proven: list[bool] = []
    joined: list[bool] = []
    verify, fill, work = shuffle_proof.verify_shuffles, Larder.fill, Shuffling.work_early

    def noting(
        shuffles: list[shuffle_proof.ProvenShuffle],
        own: list[shuffle_proof.OwnShuffle],
        joiner: Joiner,
    ) -> None:
        proofs.append(len({shuffle.context for shuffle in shuffles}))
        joined.append(any(joiner.of(card) for shuffle in shuffles for card in shuffle.outputs))
        verify(shuffles, own, joiner)

    def filling(larder: Larder) -> None:
        assert threading.current_thread() is not threading.main_thread(), "it takes a while"
        filled.append(len(larder.lacks()))
        fill(larder)

    def working(shuffling: Shuffling) -> None:
        assert threading.current_thread() is not threading.main_thread(), "the table goes on"
        proven.append(shuffling.has_early_work)
        work(shuffling)

    monkeypatch.setattr(Shuffling, "work_early", working)
    monkeypatch.setattr(shuffle_proof, "verify_shuffles", noting)
    monkeypatch.setattr(Larder, "fill", filling)
    party = people(tmp_path, SEATS, seed=61)
    await play_a_while(party, ENTRIES)
    check_one_log(party)
    assert proofs[:SEATS] == [PILES * (SEATS - 1)] * SEATS
    assert len(proven) >= SEATS
    assert all(proven)
    assert any(joined[:SEATS])
    assert all(filled[:SEATS])
    assert len(filled) >= SEATS
