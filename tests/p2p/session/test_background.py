"""Long work of a seat is done in threads, and only when there is some; nothing here is a race."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import pytest
import trio
import trio.testing

from core.games import GAMES
from p2p.base.errors import BadProof
from p2p.crypto import shuffle_proof
from p2p.crypto.batch import Combiner
from p2p.crypto.group import base
from p2p.crypto.masking import Masked
from p2p.crypto.precomputed import PrecomputedShuffles
from p2p.game.shuffling import LazyProof, Shuffling
from p2p.log.replica import Replica
from p2p.session.background import Background
from tests.p2p.beads import BEADS
from tests.p2p.log.test_every_entry import entry_with, room_before
from tests.p2p.room import Room

PLAYERS, PILES = 3, 2  # Of beads.


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def shuffling_of(replica: Replica) -> Shuffling:
    """The shuffles of a machine."""
    assert replica.play.dealing is not None
    return replica.play.dealing.shuffling


async def work(replica: Replica) -> list[list[object]]:
    """Let a workshop do all that there is to do; what it then tells the seat."""
    send, receive = trio.open_memory_channel[tuple[object, list[object]]](10)
    workshop = Background(replica, send)
    async with trio.open_nursery() as nursery:
        workshop.open(nursery)
        workshop.open(nursery)  # Asked again, it begins nothing a second time.
    send.close()
    said = [said async for _, said in receive]
    for each in said:
        if each[0] == "verified":
            workshop.note_verified(cast("list[object]", each[1]))
    return said


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was begun, in the order of beginning; each must not hold the table up."""
    begun: list[str] = []

    def noting(name: str, do: Callable[..., object]) -> Callable[..., object]:
        def noted(*given: object) -> object:
            assert threading.current_thread() is not threading.main_thread(), "the table goes on"
            begun.append(name)
            return do(*given)

        return noted

    monkeypatch.setattr(Shuffling, "work_early", noting("early", Shuffling.work_early))
    monkeypatch.setattr(PrecomputedShuffles, "fill", noting("fill", PrecomputedShuffles.fill))
    return begun


async def test_proofs_are_made_and_cards_joined_while_others_shuffle(threads: list[str]) -> None:
    room = room_before("prove", 2)
    for replica in room.replicas:
        shuffling = shuffling_of(replica)
        assert shuffling.has_early_work
        assert await work(replica) == []
        assert not shuffling.has_early_work
    assert threads == ["early"] * PLAYERS


async def test_what_the_next_shuffle_needs_is_made_while_somebody_thinks(
    autojump_clock: trio.testing.MockClock, threads: list[str]
) -> None:
    room = Room(PLAYERS, game="beads")
    room.run(until=lambda replica: replica.step is not None and replica.step.is_choice)
    for replica in room.replicas:
        shuffling = shuffling_of(replica)
        assert shuffling.lacks()
        assert await work(replica) == []
        assert not shuffling.lacks()
        assert await work(replica) == [], "there is nothing left to do"
    assert threads.count("fill") == PLAYERS


async def test_the_proofs_of_a_chain_are_verified_together(
    monkeypatch: pytest.MonkeyPatch, threads: list[str]
) -> None:
    batches: list[int] = []
    joined: list[bool] = []
    verify = shuffle_proof.verify_shuffles

    def noting(
        shuffles: list[shuffle_proof.ProvenShuffle],
        own: list[shuffle_proof.OwnShuffle],
        combiner: Combiner,
    ) -> None:
        batches.append(len(shuffles))
        joined.append(all(combiner.of(card) for shuffle in shuffles for card in shuffle.outputs))
        verify(shuffles, own, combiner)

    monkeypatch.setattr(shuffle_proof, "verify_shuffles", noting)
    room = room_before("prove", 2)
    for replica in room.replicas:
        await work(replica)
    for replica in room.replicas:
        room.tell_all(room.write(replica))
    for replica in room.replicas:
        assert not replica.advance(), "proofs wait to be verified"
        assert replica.obligations
        (said,) = await work(replica)
        assert said[0] == "verified"
        assert not replica.obligations
    assert batches == [PILES * (PLAYERS - 1)] * PLAYERS
    assert all(joined), "verifying costs half of what it would"


async def test_a_proof_that_does_not_hold_is_told_and_not_tried_again() -> None:
    room = room_before("prove", 2)
    room.tell_all(entry_with(room.replicas[0], [bytes(3000)] * PILES))
    for replica in room.replicas[1:]:
        room.tell_all(room.write(replica))
    assert not room.replicas[1].advance()
    ((what, error),) = await work(room.replicas[1])
    assert what == "guilty"
    assert isinstance(error, BadProof) and error.seat == 0


class TakenAway(list[LazyProof]):
    """Work that was there a moment ago."""

    def __bool__(self) -> bool:
        return True

    def popleft(self) -> LazyProof:
        raise IndexError("the table has gone on meanwhile")


def test_work_that_the_table_takes_away_is_not_missed() -> None:
    shuffling = shuffling_of(room_before("share", 0).replicas[0])
    shuffling._unproven = TakenAway()  # type: ignore[assignment]
    shuffling._uncombined.append(card := Masked(base(2), base(3)))
    shuffling.work_early()
    assert shuffling._combiner.of(card), "what is left is done"
