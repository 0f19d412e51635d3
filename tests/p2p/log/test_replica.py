"""One machine's copy of a game: its barrier, its limits, and whom it blames."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace
from typing import Any

import pytest

from core.requests import Action, Choice
from p2p.base.entry import HASH_BYTES, Entry, Position, parse_entry, sign_entry
from p2p.base.errors import (
    BadProof,
    BadSignature,
    BrokenChain,
    Equivocation,
    IllegalMove,
    MalformedFrame,
    PeerError,
)
from p2p.base.identity import Identity
from p2p.base.limits import EARLY_BYTES_MAX, EARLY_ENTRIES_MAX
from p2p.crypto.transcript import ProofError
from p2p.game.steps import Script, Step
from p2p.log.acks import Acks
from p2p.log.membership.log import ack_of
from p2p.log.membership.messages import Ack
from p2p.log.replica import Replica
from tests.p2p.acknowledging import claimed, hear
from tests.p2p.room import Room

pytestmark = pytest.mark.usefixtures("quick_proofs")


def is_choice(replica: Replica) -> bool:
    """Whether somebody has to choose."""
    return isinstance(replica.play.request, Choice)


def at_a_choice(players: int = 2, seed: int = 1) -> tuple[Room, Replica, Replica]:
    """A room where somebody chooses: the room, who chooses, somebody else."""
    room = Room(players, seed=seed)
    room.run(until=is_choice)
    chooser = next(replica for replica in room.replicas if replica.may_write())
    other = next(replica for replica in room.replicas if replica is not chooser)
    return room, chooser, other


def first_offer(replica: Replica) -> Action:
    """Something that is allowed."""
    return replica.view().offers[0].action


def signed(room: Room, replica: Replica, said: list[object], **changes: object) -> bytes:
    """An entry of the replica's seat at its place, with something changed."""
    assert replica.me is not None
    at = replica.position
    values: dict[str, Any] = {
        "game": replica.game_id, "epoch": 0, "digest": at.digest,
        "identity": room.identities[replica.me], "seat": replica.me, "height": at.height,
        "head": at.head,
    } | changes  # fmt: skip
    author = (values["seat"], values["epoch"])
    position = Position(values["height"], values["head"], values["digest"])
    return sign_entry(values["identity"], values["game"], author, position, said).raw


# ---- the barrier ----


def test_no_share_leaves_before_every_proof_is_verified_and_all_heads_agree() -> None:
    room = Room(3, seed=4)
    while not any(each.step and each.step.kind == "shuffle" for each in room.replicas):
        writer = room.writer()
        assert writer is not None
        room.tell_all(room.write(writer))
        room.settle()
    write_all(room, 9 + 3)  # Decks and their proofs.
    sharer = room.replicas[0]
    assert sharer.step and sharer.step.kind == "prove" and sharer.obligations
    assert not sharer.may_write() and not sharer.advance(), "the proofs are not verified"
    for replica in room.replicas:
        room.verify(replica)
        assert replica.advance()
    assert sharer.step and sharer.step.kind == "roll" and 0 in sharer.step.writers
    assert not sharer.may_write(), "nobody has said that it has the same log"
    others = [each for each in room.replicas if each is not sharer]
    hear(sharer, claimed(sharer, others[0].me or 0, sharer.height, bytes(32)))
    hear(sharer, claimed(others[1], others[1].me or 0, sharer.height, sharer.head))
    assert not sharer.may_write(), "a seat says that it has another log"
    hear(sharer, claimed(others[0], others[0].me or 0, sharer.height, sharer.head))
    assert sharer.may_write()


def write_all(room: Room, count: int) -> None:
    """Let so many entries be written that are due, and heard by all; the last step stays as is."""
    for _ in range(count):
        writer = next((each for each in room.replicas if each.may_write()), None)
        if writer is None:
            acknowledge_all(room)
            writer = next(each for each in room.replicas if each.may_write())
        room.tell_all(room.write(writer))
        for replica in room.replicas:
            replica.advance()


def acknowledge_all(room: Room) -> None:
    """Let everybody say which log it has."""
    for replica in room.replicas:
        for other in room.replicas:
            assert other.me is not None
            hear(replica, claimed(other, other.me, other.height, other.head))


def test_an_acknowledged_head_of_one_height_says_nothing_of_another() -> None:
    _, chooser, other = at_a_choice()
    assert chooser.me is not None
    other.acks = Acks()
    for height in (other.height + EARLY_ENTRIES_MAX + 1, other.height - 1, other.height):
        hear(other, claimed(other, chooser.me, height, bytes(32)))
        assert not other.has_acked(chooser.me)
    hear(other, claimed(other, chooser.me, other.height, other.head))
    assert other.has_acked(chooser.me)


# ---- what is refused, and who is blamed ----


def test_a_digest_that_differs_names_the_section_that_differs() -> None:
    room, chooser, other = at_a_choice()
    digest = bytearray(other.position.digest)
    digest[8] ^= 1
    name = list(other.play.table.sections())[1]
    body = parse_entry(chooser.write(first_offer(chooser)).raw).body
    other.receive(signed(room, chooser, ["choose", body], digest=bytes(digest)))
    with pytest.raises(BrokenChain, match=f"has other {name} than we") as caught:
        other.advance()
    assert caught.value.seat == chooser.me


@pytest.mark.parametrize(
    ("change", "kind", "error"),
    [
        ({"digest": bytes(48)}, "choose", BrokenChain),
        ({}, "roll", BrokenChain),
        ({}, "choose", IllegalMove),
    ],
)
def test_a_signed_entry_that_does_not_fit_is_its_signers_fault(
    change: dict[str, object], kind: str, error: type[PeerError]
) -> None:
    room, chooser, other = at_a_choice()
    other.receive(signed(room, chooser, [kind, [["no such verb", [], 0], b""]], **change))
    with pytest.raises(error) as caught:
        other.advance()
    assert caught.value.seat == chooser.me


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"game": bytes(32)}, MalformedFrame),
        ({"identity": Identity.generate()}, BadSignature),
        ({"seat": 7}, MalformedFrame),
    ],
)
def test_an_entry_that_proves_nothing_against_a_seat_blames_none(
    change: dict[str, object], error: type[PeerError]
) -> None:
    room, chooser, other = at_a_choice()
    with pytest.raises(error) as caught:
        other.receive(signed(room, chooser, ["choose", [[], b""]], **change))
    assert caught.value.seat is None
    assert not list(other.entries.waiting)


def test_entries_of_later_steps_wait_but_not_without_limit() -> None:
    room, chooser, other = at_a_choice()
    assert chooser.me is not None
    for at in range(EARLY_ENTRIES_MAX + 1):
        head = at.to_bytes(HASH_BYTES, "little")
        early = signed(room, chooser, ["choose", 0], head=head, height=10_000)
        assert (other.receive(early) is None) == (at == EARLY_ENTRIES_MAX)
    assert len(list(other.entries.waiting)) == EARLY_ENTRIES_MAX


def test_long_entries_of_later_steps_wait_until_they_are_too_many_bytes() -> None:
    room, chooser, other = at_a_choice()
    long = ["choose", bytes(EARLY_BYTES_MAX // 4)]
    for at in range(6):
        head = at.to_bytes(HASH_BYTES, "little")
        early = signed(room, chooser, long, head=head, height=10_000)
        assert (other.receive(early) is None) == (at >= 4)
    assert other.receive(chooser.write(first_offer(chooser)).raw), "what is due is taken in"


def test_what_others_say_of_other_steps_is_passed_on_to_nobody() -> None:
    """Whoever asks would be sent all that somebody has made up."""
    room, chooser, other = at_a_choice()
    due = chooser.write(first_offer(chooser)).raw
    other.receive(signed(room, chooser, ["choose", 0], head=bytes(HASH_BYTES), height=10_000))
    other.receive(due)
    assert other.pending() == [due]


def test_entries_of_epochs_that_there_are_not_do_not_wait() -> None:
    """Somebody could fill our memory by them: each is the first of its epoch."""
    room, chooser, other = at_a_choice()
    for epoch in range(3, 3 * EARLY_ENTRIES_MAX, 3):
        assert other.receive(signed(room, chooser, ["choose", 0], epoch=epoch)) is None
    assert not list(other.entries.waiting)


def test_what_answers_another_log_is_forgotten_once_all_have_ours() -> None:
    room, chooser, other = at_a_choice()
    stray = signed(room, chooser, ["choose", 0], head=bytes(HASH_BYTES))
    other.receive(stray)
    height = other.height
    room.run(lambda each: each.height > height + 8)
    assert stray in [each.raw for each in other.entries.waiting]
    other.committed = other.height
    room.run(lambda each: each.height > height + 16)
    assert stray not in [each.raw for each in other.entries.waiting]


def test_two_entries_are_an_equivocation_whether_the_first_is_logged_or_waits() -> None:
    room, chooser, other = at_a_choice()
    one = chooser.write(first_offer(chooser)).raw
    two, three = (signed(room, chooser, ["choose", number]) for number in (2, 3))
    other.receive(one)
    with pytest.raises(Equivocation):
        other.receive(two)
    assert other.advance()
    with pytest.raises(Equivocation) as caught:
        other.receive(three)
    assert caught.value.evidence == [one, three]


def test_an_entry_that_comes_twice_or_by_another_way_is_the_same_entry() -> None:
    _, chooser, other = at_a_choice()
    raw = chooser.write(first_offer(chooser)).raw
    assert isinstance(other.receive(raw), Entry)
    assert other.receive(raw) is None
    assert other.advance()
    assert other.receive(raw) is None


def test_my_own_entries_come_back_however_many_there_are() -> None:
    """A file that lost more than others may be ahead is filled again from my secrets file."""
    room = Room(2, seed=6)
    room.run(until=lambda replica: replica.height >= 3 * EARLY_ENTRIES_MAX)
    mine, log = room.replicas[0], room.replicas[0].log
    fresh = Replica(room.roster, room.identities[0], room.vaults[0])
    for entry in reversed([entry for entry in log if entry.seat == 0]):
        fresh.receive(entry.raw)
    for entry in log:
        fresh.receive(entry.raw)
        while fresh.advance() or fresh.obligations:
            room.verify(fresh)
    assert fresh.head == mine.head and fresh.play.table.digest() == mine.play.table.digest()


# ---- nobody honest is blamed ----


@pytest.mark.parametrize("players", [2, 4])
def test_links_of_any_speed_leave_everybody_with_one_log_and_nobody_blamed(
    players: int, seed: int
) -> None:
    """Every link keeps its order and nothing else is certain; some bring what others said."""
    rng = random.Random(seed)
    room = Room(players, {"deal": "draft"}, seed=seed % 1000)
    links: dict[tuple[int, int], deque[tuple[str, object]]] = {
        (one, other): deque() for one in range(players) for other in range(players) if one != other
    }
    said = [-1] * players
    for _ in range(100_000):
        me = rng.randrange(players)
        replica = room.replicas[me]
        _receive(room, me, links, rng)
        while replica.advance():
            pass
        room.verify(replica) if rng.random() < 0.5 else None
        if replica.needs_acks() and said[me] < replica.height:
            said[me] = replica.height
            _say(links, me, ("ack", ack_of(replica.tip, me)))
        if replica.may_write():
            raw = room.write(replica)
            replica.receive(raw)
            _say(links, me, ("entry", raw))
        if min(each.height for each in room.replicas) > 60:
            break
    heights = [replica.height for replica in room.replicas]
    assert min(heights) > 60, f"the table hangs at {heights}"
    heads = {each.log[59].hash for each in room.replicas}
    assert len(heads) == 1


Links = dict[tuple[int, int], deque[tuple[str, object]]]


def _say(links: Links, me: int, message: tuple[str, object]) -> None:
    for (source, _), queue in links.items():
        if source == me:
            queue.append(message)


def _receive(room: Room, me: int, links: Links, rng: random.Random) -> None:
    """One message from one link, and now and then an entry that a third seat passes on."""
    replica = room.replicas[me]
    source = rng.choice([source for source, target in links if target == me])
    if links[source, me]:
        match links[source, me].popleft():
            case ("entry", bytes(raw)):
                replica.receive(raw)
            case ("ack", Ack() as ack):
                hear(replica, ack)
    if rng.random() < 0.05:
        for raw in room.replicas[source].entries.lately():
            replica.receive(raw)


def raising(error: Exception) -> Script[None]:
    """A game that finds something wrong with what it hears next."""
    yield Step("choose", (), lambda _, body: body, lambda action: action)
    raise error


def test_a_step_whose_proofs_do_not_hold_is_never_closed() -> None:
    """What is wrong comes with the verdict and is not in the log, so that others can go on."""
    _, chooser, other = at_a_choice()
    raw, height = chooser.write(first_offer(chooser)).raw, len(other.log)

    def fail() -> None:
        raise ProofError("The claim does not hold.")

    step = other.step
    assert step is not None and other.play.dealing is not None

    def read(seat: int, body: object) -> object:
        assert other.play.dealing is not None
        other.play.dealing.owe(seat, fail)
        return step.read(seat, body)

    other.step = replace(step, read=read)
    other.receive(raw)
    assert not other.advance() and len(other.obligations) == 1
    with pytest.raises(BadProof, match="The claim does not hold") as caught:
        other.verify_obligation(*other.obligations[0])
    assert caught.value.seat == chooser.me and caught.value.evidence == [raw]
    assert not other.advance() and len(other.log) == height


def test_cards_that_show_no_face_although_all_is_proven_are_their_authors_fault() -> None:
    _, chooser, other = at_a_choice()
    script = raising(ProofError("no face"))
    next(script)
    other._runner._script = script
    other.receive(chooser.write(first_offer(chooser)).raw)
    with pytest.raises(BadProof) as caught:
        other.advance()
    assert caught.value.seat == chooser.me


def test_who_is_far_behind_keeps_the_newest_head_of_a_seat_and_no_other_far_one() -> None:
    """A seat says its head once; who catches up later than 64 entries must still know it."""
    replica = Room(2).replicas[0]
    for height in range(EARLY_ENTRIES_MAX + 1, EARLY_ENTRIES_MAX + 50):
        hear(replica, claimed(replica, 1, height, bytes([height]) * 32))
    newest = EARLY_ENTRIES_MAX + 49
    assert list(replica.acks.from_on(0)) == [claimed(replica, 1, newest, bytes([newest]) * 32)]
