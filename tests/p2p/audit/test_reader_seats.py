"""What the second reader says of keys in escrow and of seats for which others begin to speak."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.games import GAMES
from p2p.audit.findings import Reading
from p2p.audit.game import read_log
from p2p.base.entry import DIGEST_BYTES, sign_entry
from p2p.base.errors import PeerError
from p2p.base.roster import Replacement, replacement_identity
from p2p.crypto.group import IDENTITY, scalar_to_bytes
from p2p.crypto.key_sharing import deal
from p2p.log.membership.log import signed_raw
from p2p.log.membership.messages import (
    REASON_LEFT,
    REASON_SILENT,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    sign_as,
)
from p2p.log.membership_change import REPLACE
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import (
    BOT,
    ESCROW,
    OpenRoom,
    Proposed,
    kind_is,
    proposed,
    record_with,
    secret_of,
)
from tests.p2p.game.test_shuffling import with_an_open_seat
from tests.p2p.log.test_every_entry import entry_with
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


def before(kind: str, seed: int) -> OpenRoom:
    """A table of three that is about to write this."""
    room = OpenRoom(seed=seed)
    room.run(kind_is(kind))
    return room


def read_after(room: OpenRoom, seat: int, body: object) -> Reading:
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
    """A table at which seat 2 is gone, and what is said of that behind its log."""

    def __init__(
        self, seed: int, kind: str = "shuffle", replacement: Replacement | None = ESCROW
    ) -> None:
        self.room = OpenRoom(3, seed, replacement)
        self.room.run(kind_is(kind))
        self.first = self.room.replicas[0]

    def left(self, secret: int | None = None, number: int = 0) -> Proposed:
        """Seat 2 has left, with its own key if no other is given."""
        said = self.room.farewell(GONE, secret_of(self.room, GONE) if secret is None else secret)
        return proposed(self.room, Change(GONE, REASON_LEFT, said.key), [signed_raw(said)], number)

    def entry(self, body: object, epoch: int = 1, digest: bytes = bytes(DIGEST_BYTES)) -> bytes:
        """A change as nobody else would write it, by whoever signs for the seat."""
        at = replace(self.first.position, digest=digest)
        identity = replacement_identity(self.first.game_id, GONE, epoch)
        return sign_entry(identity, self.first.game_id, (GONE, epoch), at, [REPLACE, body]).raw

    def read(self, change: Proposed, *more: bytes) -> Reading:
        """What the reader says of a change behind the log, and of entries behind that."""
        return read_log(record_with(self.room, change, more))


@pytest.fixture
def gone(seed: int) -> Gone:
    """A table before the first shuffle."""
    return Gone(seed)


@pytest.mark.parametrize("number", [0, 1, 1 << 20])
def test_all_others_together_begin_to_speak_for_a_seat_in_any_round(
    gone: Gone, number: int
) -> None:
    found = gone.read(gone.left(number=number))
    assert found.replaced == {GONE: len(gone.first.log)} and found.agreed == {GONE: (0, 1)}
    assert not found.damage and not found.guilty and not found.stopped


def check_refused(gone: Gone, change: Proposed, because: str) -> None:
    """Check that such a change is damage of the file, and that nobody is named for it."""
    found = gone.read(change)
    assert because in found.damage, found
    assert not found.replaced and not found.guilty


@pytest.mark.parametrize(
    "body",
    [
        *(["silent", b"", [], number] for number in (-1, True, None, "0")),
        *(["silent", b"", leavers, 0] for leavers in ([GONE], [1, 0], [0, 0], [True], 0, None)),
        *([reason, b"key", [], 0] for reason in ("gone", "silent", "convicted", "restore")),
        *(None, b"", [], ["silent", b"", []], ["silent", None, [], 0]),
    ],
)
def test_an_entry_says_something_that_all_could_have_agreed_on(gone: Gone, body: object) -> None:
    change = gone.left()._replace(raw=gone.entry(body))
    found = gone.read(change)
    assert "could have agreed on" in found.damage or "no change of members" in found.damage
    assert not found.replaced and not found.guilty


def test_a_change_stands_in_the_log_in_the_only_bytes_that_there_are_for_it(gone: Gone) -> None:
    change = gone.left()
    key = scalar_to_bytes(secret_of(gone.room, GONE))
    assert gone.entry([REASON_LEFT, key, [], 0]) == change.raw
    for raw, because in (
        (gone.entry([REASON_LEFT, key, [], 0], digest=gone.first.position.digest), "other bytes"),
        (gone.entry([REASON_LEFT, key, [], 0], epoch=2), "stands where one of c in epoch 1"),
    ):
        check_refused(gone, change._replace(raw=raw), because)


def test_a_change_counts_when_each_of_the_others_has_acknowledged_just_this_one(
    gone: Gone,
) -> None:
    """If nothing stands behind it, it may be in force or not: the file is cut."""
    change, later = gone.left(), gone.left(number=1)
    first, second = change.note.acks
    for acks in ((), (first,), (first, first), (first, later.note.acks[1])):
        found = gone.read(change._replace(note=replace(change.note, acks=acks)))
        assert not found.replaced and not found.damage and not found.guilty
    for forged in (second._replace(signature=bytes(64)), first._replace(seat=1)):
        acks = (first, forged)
        assert gone.read(change._replace(note=replace(change.note, acks=acks))).damage


def test_the_key_of_a_seat_is_the_one_it_played_with(gone: Gone) -> None:
    for key in (secret_of(gone.room, 1), 1):
        check_refused(gone, gone.left(key), "this is not the key of that seat")
    for short in (b"key", bytes(31), bytes([255]) * 32):
        said = sign_as(
            gone.room.identities[GONE],
            gone.first.game_id,
            Farewell(gone.first.tip.epoch, GONE, short),
        )
        change = Change(GONE, REASON_LEFT, short)
        assert gone.read(proposed(gone.room, change, [signed_raw(said)])).damage


def test_a_seat_has_left_that_has_said_so_with_that_key_in_that_epoch(gone: Gone) -> None:
    game, epoch, room = gone.first.game_id, gone.first.tip.epoch, gone.room
    change = gone.left()
    key = scalar_to_bytes(secret_of(room, GONE))
    for said, by, because in (
        (Farewell(epoch, GONE), GONE, "another key was given"),
        (Farewell(bytes(32), GONE, key), GONE, "of another epoch"),
        (Farewell(epoch, 1, key), 1, "by another seat"),
        (Farewell(epoch, GONE, key), 1, "signature"),
        (RestoreWish(epoch, GONE, key), GONE, "by another seat"),
        (Ballot(epoch, 0, GONE), GONE, "nothing proves the reason"),
    ):
        proof = (signed_raw(sign_as(room.identities[by], game, said)),)
        check_refused(gone, change._replace(note=replace(change.note, proof=proof)), because)


def test_one_seat_alone_says_of_no_other_that_it_is_silent(seed: int) -> None:
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("choose"))
    found = read_log(record_with(room, proposed(room, Change(1, REASON_SILENT))))
    assert "one seat alone" in found.damage and not found.replaced


def test_nobody_speaks_for_a_seat_before_it_has_a_key(seed: int) -> None:
    early = Gone(seed, "key seal")
    change = proposed(early.room, Change(GONE, REASON_SILENT))
    check_refused(early, change, "nobody replaces a seat without a key")


def test_a_table_that_did_not_agree_on_a_replacement_has_none(seed: int) -> None:
    lonely = Gone(seed, "shuffle", None)
    check_refused(lonely, lonely.left(), "nobody replaces a seat at this table")


def test_what_anybody_can_sign_for_a_seat_is_held_against_nobody(seed: int) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    key = secret_of(room, GONE)
    room.lose(GONE)
    room.leave(GONE, key)
    replica = room.replicas[0]
    due = [room.write(each) for each in room.here()]
    identity, at = replacement_identity(replica.game_id, GONE, 1), replica.position
    forged = sign_entry(identity, replica.game_id, (GONE, 1), at, ["roll", b"nothing"])
    found = read_log(record_of(replica, [*due, forged.raw], room.notes))
    assert "A VRF value and its proof are 96 bytes" in found.damage and not found.guilty, found


@pytest.mark.parametrize(
    "change", [Change(GONE, REASON_SILENT), Change(1, REASON_LEFT, b"key", (2,))]
)
def test_a_seat_that_was_open_from_the_start_needs_no_replacement(change: Change) -> None:
    room = with_an_open_seat(Terms(replacement=BOT))
    found = read_log(record_with(room, proposed(room, change)))
    assert "nobody replaces this seat" in found.damage and not found.replaced


@pytest.mark.parametrize("gone", [Change(0, REASON_SILENT), Change(0, REASON_LEFT, b"", (1,))])
def test_the_last_who_is_there_is_replaced_by_nobody(seed: int, gone: Change) -> None:
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("choose"))
    if not gone.leavers:
        room.leave(1, secret_of(room, 1))
    found = read_log(record_with(room, proposed(room, gone)))
    assert "nobody replaces this seat" in found.damage and 0 not in found.replaced


def test_nobody_begins_twice_to_speak_for_a_seat(gone: Gone) -> None:
    gone.room.leave(GONE, secret_of(gone.room, GONE))
    found = read_log(record_with(gone.room, proposed(gone.room, Change(GONE, REASON_SILENT))))
    assert found.damage and list(found.replaced) == [GONE]


@pytest.mark.parametrize("body", [None, b"", bytes(32), bytes([255]) * 32, scalar_to_bytes(5)])
def test_a_part_of_a_key_is_the_one_that_its_seat_was_dealt(seed: int, body: object) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    room.lose(GONE)
    room.remove(GONE)
    cheat, place = room.replicas[1], len(room.spectator.log)
    assert cheat.step is not None and cheat.step.kind == "part"
    honest = room.write(room.replicas[0])
    found = read_log(record_of(room.spectator, [honest, room.write(cheat)], room.notes))
    assert not found.guilty and not found.damage
    bent = entry_with(cheat, body)
    found = read_log(record_of(room.spectator, [honest, bent], room.notes))
    assert list(found.guilty) == [1] and found.guilty[1].place == place + 1
    noted = accused(record_of(room.spectator, notes=room.notes), 1, [bent])
    assert list(read_log(noted).guilty) == [1]


def test_an_escrow_is_agreed_on_by_three_and_by_fewer_not_at_all(seed: int) -> None:
    for players, wanted in ((2, False), (3, True)):
        room = OpenRoom(players, seed, ESCROW)
        room.run(kind_is("shuffle"))
        kinds = {entry.kind for entry in room.spectator.log}
        assert ("escrow" in kinds) == wanted
        found = read_log(record_of(room.spectator))
        assert found.missing is not None and found.missing.kind == "shuffle"
        assert found.entries == len(room.spectator.log)
        without = replace(room.roster, replacement=None)
        assert Replica(without).game_id != room.spectator.game_id
