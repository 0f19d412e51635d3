"""Joint shuffles in entries: decks in rounds, then all proofs at once; what a cheat can bend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.games import GAMES
from core.table import Table
from p2p.base.entry import Entry, parse_entry
from p2p.base.errors import BadProof, BrokenChain, Equivocation
from p2p.base.roster import new_open_seat
from p2p.crypto.group import base
from p2p.crypto.masking import HINT_BYTES, Masked, cards_to_bytes, parse_cards, remask
from p2p.crypto.shuffle_proof import OwnShuffle, Witness
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import JOINT
from p2p.game.shuffling import Chain, LazyProof, Shuffling
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.log.test_every_entry import blame, body_of, entry_with, is_refused, room_before
from tests.p2p.room import BOT_TERMS, Room, Terms

Bend = Callable[[Room, list[Masked]], list[Masked]]
PLAYERS = 3


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def entries(room: Room, kind: str) -> list[Entry]:
    """The entries of a kind in the log."""
    return [entry for entry in room.replicas[0].log if entry.kind == kind]


# ---- whose turn it is ----


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("piles", [1, 2, 4, 7])
def test_every_pile_goes_through_all_seats_in_turn_beginning_with_another(
    seats: int, piles: int
) -> None:
    rounds = list(Chain(base(5), [[] for _ in range(piles)], seats).rounds())
    assert len(rounds) == seats
    for pile in range(piles):
        path = [seat for due in rounds for seat, mine in due.items() if pile in mine]
        assert path == [(pile + turn) % seats for turn in range(seats)]
    for due in rounds:
        assert list(due) == sorted(due)
        assert sorted(pile for mine in due.values() for pile in mine) == list(range(piles))
        assert max(map(len, due.values())) == -(-piles // seats)


def test_two_piles_are_under_way_at_the_same_time_and_all_prove_at_once() -> None:
    room = room_before("share", 0)
    shuffles, proofs = entries(room, "shuffle"), entries(room, "prove")
    assert [entry.seat for entry in shuffles] == [0, 1, 1, 2, 0, 2]
    assert len({entry.height for entry in shuffles}) == PLAYERS
    assert [entry.seat for entry in proofs] == [0, 1, 2]
    assert len({entry.height for entry in proofs}) == 1


def test_proofs_may_come_in_any_order() -> None:
    room = room_before("prove", 2)
    raws = [room.write(replica) for replica in room.replicas]
    for replica, order in zip(room.replicas, [(2, 1, 0), (1, 2, 0), (0, 2, 1)], strict=True):
        for place in order:
            replica.receive(raws[place])
    room.settle()
    assert len({replica.head for replica in room.replicas}) == 1
    assert all(replica.step and replica.step.kind == "share" for replica in room.replicas)


def test_nobody_goes_on_while_one_proof_is_missing() -> None:
    room = room_before("prove", 2)
    for seat in (0, 1):
        room.tell_all(room.write(room.replicas[seat]))
    room.settle()
    assert [replica.may_write() for replica in room.replicas] == [False, False, True]
    assert all(replica.waited_for() == (2,) for replica in room.replicas)


def test_the_table_is_hashed_once_for_all_steps_of_a_shuffle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = room_before("shuffle", 0)
    digests, digest = list[bytes](), Table.digest

    def counting(table: Table) -> bytes:
        digests.append(digest(table))
        return digests[-1]

    monkeypatch.setattr(Table, "digest", counting)
    room_before("prove", 0, room)
    assert not digests
    room_before("share", 0, room)
    assert digests
    for replica in room.replicas:
        assert replica.position.digest == digest(replica.play.table)


def test_a_machine_does_not_look_at_its_own_deck_again_but_at_anything_else_in_its_name() -> None:
    room = room_before("shuffle", 0)
    (said,) = body_of(room, 0)  # type: ignore[misc]
    mine, other = said[:-HINT_BYTES], said[64:-HINT_BYTES] + said[:64]
    own = OwnShuffle(base(5), [], parse_cards(mine), Witness([], []))
    chain = Chain(base(5), [parse_cards(mine)], PLAYERS)
    chain.own[0, 0] = own, LazyProof(bytes)
    assert chain.parse(0, 0, mine)[0] is own.outputs[0]
    assert chain.parse(0, 0, other)[-1] == own.outputs[0]
    for wrong in (mine[64:], bytes([mine[0] ^ 1]) + mine[1:], bytes(len(mine))):
        with pytest.raises(ProofError):
            chain.parse(0, 0, wrong)


def test_cards_that_lie_in_a_deck_are_joined_while_somebody_thinks() -> None:
    room = room_before("share", 0)
    replica = room.replicas[0]
    shuffling, dealing = shuffling_of(replica), replica.play.dealing
    assert dealing is not None
    deck = [pair for _, pair in dealing.held_by(JOINT)]
    assert deck and shuffling.lacks()
    assert not any(shuffling._combiner.of(card) for card in deck)
    shuffling.precompute()
    assert all(shuffling._combiner.of(card) for card in deck)
    assert not shuffling.lacks()


# ---- what a cheat can bend ----


def double(_: Room, deck: list[Masked]) -> list[Masked]:
    """One card twice, so that another is lost."""
    return [remask(deck[1], base(3), 7), *deck[1:]]


def swap_halves(_: Room, deck: list[Masked]) -> list[Masked]:
    """The halves of one card in the wrong places."""
    return [Masked(deck[0].b, deck[0].a), *deck[1:]]


def remask_once_more(room: Room, deck: list[Masked]) -> list[Masked]:
    """The right cards, with another look than the proof is about."""
    dealing = room.replicas[0].play.dealing
    assert dealing is not None
    return [remask(deck[0], dealing.joint, 5), *deck[1:]]


@pytest.mark.parametrize("seat", range(PLAYERS))
@pytest.mark.parametrize("bend", [double, swap_halves, remask_once_more])
def test_a_deck_that_its_seat_cannot_prove_is_found_out_before_anybody_shares(
    seat: int, bend: Bend
) -> None:
    """The others have shuffled it once more by then, and are not blamed for it."""
    room = room_before("shuffle", seat)
    (said,) = body_of(room, seat)  # type: ignore[misc]
    deck, hint = said[:-HINT_BYTES], said[-HINT_BYTES:]
    bent = cards_to_bytes(bend(room, parse_cards(deck)))
    room.tell_all(entry_with(room.replicas[seat], [bent + hint]))
    room_before("prove", seat, room)
    errors = blame(room, seat, room.write(room.replicas[seat]))
    assert all(isinstance(error, BadProof) for error in errors)
    assert not entries(room, "share")


def shuffling_of(replica: Replica) -> Shuffling:
    """The shuffles of a machine."""
    assert replica.play.dealing is not None
    return replica.play.dealing.shuffling


@pytest.mark.parametrize("bend", [double, swap_halves, remask_once_more])
def test_a_false_deck_is_found_out_by_seats_that_have_joined_its_cards_before(bend: Bend) -> None:
    room = room_before("shuffle", 1)
    (said,) = body_of(room, 1)  # type: ignore[misc]
    bent = cards_to_bytes(bend(room, parse_cards(said[:-HINT_BYTES])))
    room.tell_all(entry_with(room.replicas[1], [bent + said[-HINT_BYTES:]]))
    room_before("prove", 1, room)
    for replica in room.replicas:
        assert shuffling_of(replica).has_early_work
        shuffling_of(replica).work_early()
        assert not shuffling_of(replica).has_early_work
    errors = blame(room, 1, room.write(room.replicas[1]))
    assert all(isinstance(error, BadProof) for error in errors)


def test_nothing_is_joined_any_more_when_the_proofs_are_here() -> None:
    room = room_before("share", 0)
    assert not any(shuffling_of(replica)._uncombined for replica in room.replicas)


def test_the_proofs_of_two_piles_cannot_change_places() -> None:
    room = room_before("prove", 1)
    first, second = body_of(room, 1)  # type: ignore[misc]
    assert not is_refused(room.replicas[0], 1, [first, second])
    assert is_refused(room.replicas[0], 1, [second, first])
    assert is_refused(room.replicas[0], 1, [first, first])


def test_the_proofs_of_one_seat_are_worth_nothing_in_the_name_of_another() -> None:
    room = room_before("prove", 1)
    theirs = body_of(room, 1)
    assert is_refused(room.replicas[0], 2, theirs)
    errors = blame(room, 2, entry_with(room.replicas[2], theirs))
    assert all(isinstance(error, BadProof) for error in errors)


def test_the_proof_of_an_earlier_shuffle_is_worth_nothing_in_a_later_one() -> None:
    room = room_before("return", 1)
    earlier = parse_entry(entries(room, "prove")[0].raw).body
    room_before("prove", 0, room)
    assert isinstance(earlier, list)
    errors = blame(room, 0, entry_with(room.replicas[0], earlier[:1]))
    assert all(isinstance(error, BadProof) for error in errors)


def test_a_proof_before_the_decks_are_complete_is_held_against_its_signer() -> None:
    room = room_before("shuffle", 2)
    raw = entry_with(room.replicas[2], [bytes(96)], kind="prove")
    assert all(isinstance(error, BrokenChain) for error in blame(room, 2, raw))


def test_a_deck_where_proofs_are_due_is_held_against_its_signer() -> None:
    room = room_before("prove", 2)
    raw = entry_with(room.replicas[2], body_of(room, 2), kind="shuffle")
    assert all(isinstance(error, BrokenChain) for error in blame(room, 2, raw))


def test_two_proofs_for_one_step_are_evidence_although_both_hold() -> None:
    room = room_before("prove", 1)
    body = body_of(room, 1)
    one = entry_with(room.replicas[1], body)
    two = entry_with(room.replicas[1], [*body, b""])  # type: ignore[misc]
    room.replicas[0].receive(one)
    with pytest.raises(Equivocation) as caught:
        room.replicas[0].receive(two)
    assert (caught.value.seat, caught.value.evidence) == (1, [one, two])


def test_a_spectator_verifies_the_proofs_of_all_seats() -> None:
    room = room_before("prove", 0)
    spectator = Replica(room.roster)
    for entry in room.replicas[0].log:
        spectator.receive(entry.raw)
    while spectator.advance() or spectator.obligations:
        room.verify(spectator)
    for replica in room.replicas:
        spectator.receive(room.write(replica))
    spectator.advance()
    assert [obligation.seat for _, obligation in spectator.obligations] == [0, 1, 2]
    room.verify(spectator)


# ---- a machine that stops between a deck and its proof ----


def started_again(room: Room, seat: int) -> Replica:
    """A machine that has nothing but its secrets file and the log."""
    replica = Replica(room.roster, room.identities[seat], room.vaults[seat])
    for entry in room.replicas[seat].log:
        replica.receive(entry.raw)
    while replica.advance() or replica.obligations:
        room.verify(replica)
    return replica


@pytest.mark.parametrize("seat", range(PLAYERS))
def test_a_machine_that_stopped_before_its_proof_makes_it_again(seat: int) -> None:
    room = room_before("prove", seat)
    room.replicas[seat] = started_again(room, seat)
    room.run()
    assert all(replica.is_over for replica in room.replicas)
    assert len({replica.head for replica in room.replicas}) == 1


def test_a_machine_that_stopped_between_its_decks_goes_on_and_proves_both() -> None:
    room = room_before("shuffle", 1)
    room.tell_all(room.write(room.replicas[1]))
    room_before("shuffle", 1, room)
    assert [entry.seat for entry in entries(room, "shuffle")] == [0, 1]
    room.replicas[1] = started_again(room, 1)
    room.run()
    assert all(replica.is_over for replica in room.replicas)


def test_what_a_machine_says_after_a_start_is_not_made_ahead_for_another_shuffle() -> None:
    """Its deck was masked with numbers made ahead, which it does not have any more."""
    room = room_before("return", 1)
    for replica in room.replicas:
        assert replica.play.dealing is not None
        replica.play.dealing.shuffling.precomputed.fill()
    room_before("prove", 2, room)
    room.replicas[2] = started_again(room, 2)
    room.run()
    assert all(replica.is_over for replica in room.replicas)


def with_an_open_seat(terms: Terms | None = None) -> Room:
    """A game of two and of a seat for which everybody speaks, before the proofs."""
    room = Room(2, game="beads", terms=terms)
    nobody = new_open_seat("nobody", BOT_TERMS)
    room.roster = replace(room.roster, seats=(*room.roster.seats, nobody))
    room.replicas = [
        Replica(room.roster, identity, secrets)
        for identity, secrets in zip(room.identities, room.vaults, strict=True)
    ]
    one, _ = room.replicas
    while not (one.step and one.step.kind == "prove"):
        for replica in room.replicas:
            for seat in replica.due_open_seats():
                replica.keep(replica.write(None, seat))
        room.settle()
        if writer := room.writer():
            room.tell_all(room.write(writer))
            room.settle()
    return room


def test_what_an_open_seat_proves_is_the_same_on_a_machine_that_was_started_again() -> None:
    """Every machine writes its entries; nobody has kept the order in which it shuffled."""
    room = with_an_open_seat()
    one, other = room.replicas
    again = started_again(room, 1)
    assert again.head == one.head == other.head
    said = [replica.write(None, 2).raw for replica in (one, other, again)]
    assert said[0] == said[1] == said[2]
    assert not is_refused(one, 2, parse_entry(said[0]).body)


def test_nobody_speaks_for_an_open_seat_before_the_proofs_of_all_others_hold() -> None:
    room = with_an_open_seat()
    one, other = room.replicas
    raws = [room.write(one), room.write(other), one.write(None, 2).raw]
    for raw in raws:
        one.receive(raw)
    assert not one.advance() and one.step is not None and one.step.kind == "prove"
    assert one.obligations and one.due_open_seats() == ()
    room.verify(one)
    assert one.advance() and one.step.kind == "share"
    assert one.due_open_seats() == (2,)


def test_a_value_for_later_is_made_once() -> None:
    made: list[bytes] = []
    later = LazyProof(lambda: made.append(b"made") or made[-1])  # type: ignore[func-returns-value]
    assert not made
    assert later.get() == later.get() == b"made"
    assert len(made) == 1
