"""Nodes verify a chain of shuffles together, and make the numbers of the next one ahead."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p.crypto import shuffle_proof
from p2p.crypto.batch import Combiner
from p2p.crypto.precomputed import PrecomputedShuffles
from tests.p2p.nodes import check_one_log, has_entries, people, sitting_down

SEATS = 3
PILES = 3  # That Carta shuffles at the start: a draw pile for each age.
ENTRIES = 40


async def test_a_chain_of_shuffles_is_verified_together_and_the_next_is_provided_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is worked out early depends on who is first: see test_workshop.py for that."""
    proofs: list[int] = []
    provided: dict[PrecomputedShuffles, int] = {}
    all_provide = trio.Event()
    verify, fill = shuffle_proof.verify_shuffles, PrecomputedShuffles.fill

    def noting(
        shuffles: list[shuffle_proof.ProvenShuffle],
        own: list[shuffle_proof.OwnShuffle],
        combiner: Combiner,
    ) -> None:
        proofs.append(len({shuffle.context for shuffle in shuffles}))
        verify(shuffles, own, combiner)

    def filling(precomputed: PrecomputedShuffles) -> None:
        provided.setdefault(precomputed, len(precomputed.lacks()))
        fill(precomputed)
        if len(provided) == SEATS and not all_provide.is_set():
            trio.from_thread.run_sync(all_provide.set)

    monkeypatch.setattr(shuffle_proof, "verify_shuffles", noting)
    monkeypatch.setattr(PrecomputedShuffles, "fill", filling)
    party = people(tmp_path, SEATS, seed=61)
    async with sitting_down(party):
        for person in party:
            await person.until(has_entries(ENTRIES))
        await all_provide.wait()
        for person in party:
            person.stop()
    check_one_log(party)
    assert proofs[:SEATS] == [PILES * (SEATS - 1)] * SEATS
    assert all(provided.values())
