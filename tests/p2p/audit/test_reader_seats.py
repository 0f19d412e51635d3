"""What the second reader says of keys in escrow and of seats for which others begin to speak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.games import GAMES
from p2p.audit.findings import Reading
from p2p.audit.game import read_log
from p2p.base.entry import sign_entry
from p2p.base.errors import PeerError
from p2p.base.roster import replacement_identity
from p2p.crypto.group import IDENTITY, scalar_to_bytes
from p2p.crypto.key_sharing import deal
from p2p.log.replica import Replica
from p2p.log.votes import REPLACE, ROUNDS_MAX
from tests.p2p.beads import BEADS
from tests.p2p.game.test_shuffling import with_an_open_seat
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.log.test_votes import BOT, ESCROW, Table, kind_is, secret_of, vote
from tests.p2p.records import accused, record_of
from tests.p2p.room import Terms
from tests.simulation.volume_group import volume_group

GONE = 2


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


# ---- escrow ----


def before(kind: str, seed: int) -> Table:
    """A table of three that is about to write this."""
    room = Table(seed=seed)
    room.run(kind_is(kind))
    return room


def read_after(room: Table, seat: int, body: object) -> Reading:
    """What the reader says when a seat has written this and all others what is due."""
    room.tell_all(entry_with(room.replicas[seat], body))
    with pytest.raises(PeerError) as caught:
        room.run()
    longest = max(room.replicas, key=lambda each: len(each.log))
    error = caught.value
    assert error.seat is not None
    found = read_log(accused(record_of(longest), error.seat, error.evidence))
    assert list(found.guilty) == [error.seat]
    return found


@pytest.mark.parametrize("body", [None, b"", b"short", IDENTITY.encoded, 7])
def test_a_key_for_boxes_that_is_none_is_held_against_its_seat(seed: int, body: object) -> None:
    assert list(read_after(before("escrow key", seed), 1, body).guilty) == [1]


def test_a_key_for_boxes_that_is_anothers_is_held_against_its_seat(seed: int) -> None:
    """With its proof, which names the other."""
    room = before("escrow key", seed)
    found = read_after(room, 1, room.replicas[0].write().body)
    assert "proof of possession" in found.guilty[1].reason


@pytest.mark.parametrize("body", [None, b"", [b""]])
def test_a_key_in_no_parts_is_held_against_its_seat(seed: int, body: object) -> None:
    assert list(read_after(before("escrow", seed), 1, body).guilty) == [1]


def test_another_key_in_parts_than_the_one_played_with_is_held_against_its_seat(seed: int) -> None:
    room = before("escrow", seed)
    cheat = room.replicas[1]
    assert cheat.play.dealing is not None
    boxes = list(cheat.play.dealing.publics[:1] + cheat.play.dealing.publics[2:])
    found = read_after(room, 1, bytes(deal(secret_of(room, 1) + 1, boxes, b"anything")))
    assert "do not add up" in found.guilty[1].reason


def test_a_part_that_is_none_convicts_its_dealer(seed: int) -> None:
    room = before("escrow", seed)
    whole = room.replicas[1].write().body
    assert isinstance(whole, bytes)
    found = read_after(room, 1, whole[:-1] + bytes([whole[-1] ^ 1]))
    assert "do not hold these" in found.guilty[1].reason


# ---- who speaks for a seat ----


class Gone:
    """A table at which seat 2 is gone, and what the two others sign about it."""

    def __init__(self, seed: int, kind: str = "shuffle") -> None:
        self.room = Table(seed=seed)
        self.key: object = None
        if kind != "key seal":
            self.room.run(kind_is(kind))
            self.key = scalar_to_bytes(secret_of(self.room, GONE))
        self.first, self.second = self.room.replicas[0], self.room.replicas[1]

    def votes(self, number: int = 0, gone: int = GONE) -> list[object]:
        """That it is gone, by both."""
        return [vote(each, gone, number).signature for each in (self.first, self.second)]

    def entry(self, body: object, epoch: int = 1, **other: bytes) -> bytes:
        """By whoever signs for the seat."""
        replica = self.first
        at = replace(replica.position, digest=other.get("digest", replica.position.digest))
        identity = replacement_identity(replica.game_id, GONE, epoch)
        return sign_entry(identity, replica.game_id, (GONE, epoch), at, [REPLACE, body]).raw

    def read(self, *raws: bytes) -> Reading:
        """What the reader says of these behind the log."""
        return read_log(record_of(self.first, raws))


@pytest.fixture
def gone(seed: int) -> Gone:
    """A table before the first shuffle."""
    return Gone(seed)


@pytest.mark.parametrize("number", [0, 1, ROUNDS_MAX - 1])
def test_all_others_together_begin_to_speak_for_a_seat(gone: Gone, number: int) -> None:
    found = gone.read(gone.entry([number, gone.votes(number), gone.key]))
    assert found.replaced == {GONE: len(gone.first.log)}
    assert not found.damage and not found.guilty and not found.stopped


def check_refused(gone: Gone, raw: bytes, because: str) -> None:
    """Check that such a replacement is damage of the file, and that nobody is named for it."""
    found = gone.read(raw)
    assert because in found.damage, found
    assert not found.replaced and not found.guilty


@pytest.mark.parametrize("number", [-1, ROUNDS_MAX, ROUNDS_MAX + 1, True, None, "0"])
def test_words_are_of_a_round_that_there_can_be(gone: Gone, number: object) -> None:
    signed = gone.votes(number) if isinstance(number, int) else gone.votes()
    check_refused(gone, gone.entry([number, signed, gone.key]), "the word of all others and a key")


def test_the_word_of_each_of_the_others_is_needed(gone: Gone) -> None:
    first, second = gone.votes()
    lacking = "a seat that is gone needs the word of all others"
    for signed in ([], [first], [first, second, second], [first, second, b""]):
        check_refused(gone, gone.entry([0, signed, gone.key]), lacking)
    for other in (first, bytes(64), b"", gone.votes(1)[1], gone.votes(gone=0)[1]):
        check_refused(gone, gone.entry([0, [first, other], gone.key]), "seat 1 did not give its")
    check_refused(gone, gone.entry([0, [second, first], gone.key]), "seat 0 did not give its word")
    check_refused(gone, gone.entry([0, [first, None], gone.key]), "a signature was expected")
    check_refused(gone, gone.entry([0, first, gone.key]), "the word of all others and a key")


def test_the_key_of_a_seat_is_the_one_it_played_with(gone: Gone) -> None:
    votes = gone.votes()
    for key in (secret_of(gone.room, 1), 1, 0):
        raw = gone.entry([0, votes, scalar_to_bytes(key)])
        check_refused(gone, raw, "this is not the key of that seat")
    for short in (b"", bytes(31), bytes([255]) * 32):
        assert gone.read(gone.entry([0, votes, short])).damage
    check_refused(gone, gone.entry([0, votes, None]), "all others said otherwise of the key")
    check_refused(gone, gone.entry([0, votes, 7]), "the word of all others and a key")


def test_nobody_speaks_for_a_seat_before_it_has_a_key(seed: int) -> None:
    early = Gone(seed, "key seal")
    raw = early.entry([0, early.votes(), scalar_to_bytes(5)])
    check_refused(early, raw, "this is not the key of that seat")


def test_a_seat_changes_hands_where_it_was_agreed_and_on_the_table_that_all_see(
    gone: Gone,
) -> None:
    body = [0, gone.votes(), gone.key]
    check_refused(gone, gone.entry(body, digest=bytes(48)), "the replacement saw another table")
    check_refused(gone, gone.entry(body, epoch=2), "c in epoch 2 stands where one of c in epoch 1")


def test_a_table_that_did_not_agree_on_a_replacement_has_none(seed: int) -> None:
    room = Table(3, seed, None)
    room.run(kind_is("shuffle"))
    lonely = Gone.__new__(Gone)
    lonely.room, lonely.first, lonely.second = room, *room.replicas[:2]
    raw = lonely.entry([0, lonely.votes(), scalar_to_bytes(secret_of(room, GONE))])
    check_refused(lonely, raw, "nobody replaces this seat")


def test_what_anybody_can_sign_for_a_seat_is_held_against_nobody(seed: int) -> None:
    gone = Gone(seed, "roll")
    gone.room.lose(GONE)
    agreed = gone.entry([0, gone.votes(), gone.key])
    for replica in gone.room.replicas:
        replica.receive(agreed)
    replica = gone.first
    due = [gone.room.write(each) for each in gone.room.here()]
    identity, at = replacement_identity(replica.game_id, GONE, 1), replica.position
    forged = sign_entry(identity, replica.game_id, (GONE, 1), at, ["roll", b"nothing"])
    found = gone.read(*due, forged.raw)
    assert "A VRF value and its proof are 96 bytes" in found.damage and not found.guilty, found


def begun(replica: Replica, seat: int, signatures: list[object], key: int) -> bytes:
    """The entry by which everybody begins to speak for a seat, by whoever signs for it."""
    identity = replacement_identity(replica.game_id, seat, 1)
    body = [0, signatures, scalar_to_bytes(key)]
    said: list[object] = [REPLACE, body]
    return sign_entry(identity, replica.game_id, (seat, 1), replica.position, said).raw


def test_a_seat_that_was_open_from_the_start_needs_no_replacement() -> None:
    room = with_an_open_seat(Terms(replacement=BOT))
    first = room.replicas[0]
    assert first.play.dealing is not None
    signed: list[object] = [vote(each, GONE).signature for each in room.replicas]
    raw = begun(first, GONE, signed, first.play.dealing.secrets[GONE])
    found = read_log(record_of(first, [raw]))
    assert "nobody replaces this seat" in found.damage and not found.replaced


def test_the_last_who_is_there_is_replaced_by_nobody(seed: int) -> None:
    room = Table(2, seed, BOT)
    room.run(kind_is("shuffle"))
    first, second = room.replicas[:2]
    keys = [secret_of(room, seat) for seat in (0, 1)]
    gone = begun(first, 1, [vote(first, 1).signature], keys[1])
    assert not read_log(record_of(first, [gone])).damage
    second.receive(gone)
    found = read_log(record_of(second, [begun(second, 0, [], keys[0])]))
    assert "nobody replaces this seat" in found.damage and list(found.replaced) == [1]


def test_nobody_begins_twice_to_speak_for_a_seat(gone: Gone) -> None:
    first = gone.entry([0, gone.votes(), gone.key])
    for replica in (gone.first, gone.second):
        replica.receive(first)
    again = gone.entry([1, gone.votes(1), gone.key], epoch=1)
    found = gone.read(again)
    assert found.damage and list(found.replaced) == [GONE]


def test_an_escrow_is_agreed_on_by_three_and_by_fewer_not_at_all(seed: int) -> None:
    for players, wanted in ((2, False), (3, True)):
        room = Table(players, seed, ESCROW)
        room.run(kind_is("shuffle"))
        kinds = {entry.kind for entry in room.onlooker.log}
        assert ("escrow" in kinds) == wanted
        found = read_log(record_of(room.onlooker))
        assert found.missing is not None and found.missing.kind == "shuffle"
        assert found.entries == len(room.onlooker.log)
        without = replace(room.roster, replacement=None)
        assert Replica(without).game_id != room.onlooker.game_id
