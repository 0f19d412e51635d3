"""Seats change hands: all speak for them, nobody else's cards are seen, and all agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.entry import DIGEST_BYTES, Entry, Position, parse_entry, sign_entry
from p2p.base.errors import BadProof, MalformedFrame, PeerError
from p2p.base.roster import replacement_identity
from p2p.crypto.group import POINT_BYTES, base, scalar_to_bytes
from p2p.log.membership.log import ChangeItem, signed_raw
from p2p.log.membership.messages import (
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Change,
)
from p2p.log.membership_change import (
    REPLACE,
    RESTORE,
    change_entry,
    is_change,
    may_change,
    parse_change_entry,
    seat_epoch_of,
)
from p2p.log.replay import rewound
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS, HANDS
from tests.p2p.changing import BOT, ESCROW, OpenRoom, kind_is, secret_of
from tests.p2p.log.test_every_entry import entry_with

pytestmark = pytest.mark.usefixtures("short_escrow", "quick_proofs")
GIVING: Final = ("choose", (1,))  # The only choice of seat 1.


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


STEPS: Final = (
    *("shuffle", "prove", "share", "mix", "roll", "seal", "unseal", "choose"),
    *("pass", "open", "return", "finish"),
)


@pytest.mark.parametrize(("kind", "gone"), [(kind, at % 3) for at, kind in enumerate(STEPS)])
def test_a_game_goes_on_wherever_a_seat_is_lost(
    kind: str, gone: int, seed: int, tmp_path: Path
) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is(kind))
    room.lose(gone)
    room.run()
    if not room.replicas[0].is_over:
        room.remove(gone)
        room.run()
    assert all(each.is_over for each in room.replicas)
    assert len({each.head for each in room.replicas}) == 1
    for each in room.replicas:
        dealing = each.play.dealing
        assert dealing is not None
        assert set(dealing.secrets) <= {each.me, gone}, "and nobody else's key"
    assert room.spectator.play.opened.keys() <= {gone}
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report
    begun = [at for at, entry in enumerate(room.spectator.log) if entry.kind == REPLACE]
    assert [
        verdict.replaced for verdict in report.verdicts if verdict.replaced is not None
    ] == begun


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_what_a_seat_had_sealed_is_what_is_opened_for_it(gone: int, seed: int) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is("unseal"))
    (_, chosen) = next(iter(room.vaults[gone].hidden.items()))
    room.lose(gone)
    room.run()
    room.remove(gone)
    room.run()
    opened = [entry for entry in room.spectator.log if (entry.kind, entry.seat) == ("unseal", gone)]
    assert isinstance(opened[0].body, list) and opened[0].body[0] == list(chosen)
    assert opened[0].seat_epoch == 1


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_whoever_leaves_before_a_roll_changes_nothing_of_it(gone: int, seed: int) -> None:
    """The others compute the value that its key gives at that place."""
    room = OpenRoom(seed=seed)
    room.run(kind_is("roll"))
    due = room.replicas[gone].write().body
    room.lose(gone)
    room.run()
    room.remove(gone)
    room.run()
    shown = [entry for entry in room.spectator.log if (entry.kind, entry.seat) == ("roll", gone)]
    assert isinstance(due, bytes) and isinstance(shown[0].body, bytes)
    assert shown[0].body[:POINT_BYTES] == due[:POINT_BYTES]
    assert shown[0].seat_epoch == 1


def test_one_seat_after_another_is_lost_and_the_keys_are_put_in_escrow_anew(seed: int) -> None:
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    room.lose(3)
    room.run()
    room.remove(3)
    room.run(kind_is("choose"))
    assert all(each.play.escrow.seats == (0, 1, 2) for each in room.replicas)
    room.lose(1)
    room.run()
    room.remove(1)
    room.run()
    assert {each.head for each in room.replicas} == {room.spectator.head}
    assert room.spectator.is_over and room.spectator.open_seats == {1, 3}


def test_with_three_seats_the_loss_of_one_lets_nobody_look_into_another_hand(seed: int) -> None:
    """The parts that the lost seat held are lost with it: its game key does not open them."""
    room = OpenRoom(seed=seed)
    room.run(kind_is("roll"))
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(lambda each: not each.play.keyless)
    first = room.replicas[0]
    assert first.open_seats == {2} and not first.play.escrow.holds(1, [0])
    known = first.play.dealing
    assert known is not None and 1 not in known.secrets
    hand = first.play.table.zones[HANDS + 1]
    assert hand and all(known.observation[card] == HIDDEN for card in hand)


def test_a_seat_that_leaves_gives_its_own_key_and_needs_no_escrow(seed: int) -> None:
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("choose"))
    key = secret_of(room, 1)
    room.lose(1)
    room.run()
    entry = room.leave(1, key)
    assert (entry.kind, entry.seat_epoch) == (REPLACE, 1)
    room.run()
    assert room.spectator.is_over and room.spectator.open_seats == {1}
    assert room.spectator.seating.seats()[1].bot_terms == BOT.bot_terms


def test_two_seats_have_no_escrow(seed: int) -> None:
    room = OpenRoom(2, seed, ESCROW)
    room.run()
    assert not any(entry.kind.startswith("escrow") for entry in room.spectator.log)


# ---- the key of a seat that is gone ----


def test_all_who_stay_give_their_parts_and_then_the_current_step_goes_on(seed: int) -> None:
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    key, due = secret_of(room, 3), room.replicas[0].play.height
    room.lose(3)
    room.run()
    room.remove(3)
    for each in room.replicas:
        assert each.step is not None and (each.step.kind, each.step.writers) == ("part", (0, 1, 2))
        assert each.play.keyless == {3} and not each.open_seats and each.play.live == (0, 1, 2)
    room.run(kind_is("roll"))
    for each in room.replicas:
        dealing = each.play.dealing
        assert dealing is not None and dealing.secrets[3] == key and each.open_seats == {3}
        assert each.play.height == due, "the roll is the one that had begun"
    kinds = [entry.kind for entry in room.spectator.log]
    assert kinds[kinds.index(REPLACE) :] == [REPLACE, "part", "part", "part"]


def test_whoever_gives_a_part_that_is_none_is_named(seed: int) -> None:
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    room.lose(3)
    room.run()
    room.remove(3)
    raw = entry_with(room.replicas[1], scalar_to_bytes(5))
    room.tell_all(raw)
    with pytest.raises(BadProof) as caught:
        room.run()
    assert (caught.value.seat, caught.value.evidence) == (1, [raw])


@pytest.mark.parametrize("kind", ["escrow key", "escrow"])
@pytest.mark.parametrize("written", [0, 2])
def test_whoever_leaves_while_keys_are_put_in_escrow_says_the_same_on_all_machines(
    seed: int, tmp_path: Path, kind: str, written: int
) -> None:
    """All write the rest of that for it; then those who stay agree anew."""
    room = OpenRoom(4, seed)
    room.run(kind_is(kind))
    key = secret_of(room, 3)
    for each in room.here()[:written]:
        room.tell_all(room.write(each))
    room.lose(3)
    room.settle()
    room.leave(3, key)
    room.run(kind_is("roll"))
    assert len({each.head for each in room.replicas}) == 1
    assert all(each.play.escrow.seats == (0, 1, 2) for each in room.replicas)
    room.lose(1)
    room.run()
    room.remove(1)
    room.run()
    assert room.spectator.is_over and room.spectator.open_seats == {1, 3}
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report


@pytest.mark.parametrize("number", [0, 1, 3])
def test_whoever_goes_before_all_have_given_their_parts_takes_a_key_along(
    seed: int, number: int
) -> None:
    """Its part is lost with it, so what both keys would have opened is dealt anew."""
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    room.lose(3)
    room.run()
    room.remove(3)
    for each in room.here()[1 : number + 1]:
        room.tell_all(room.write(each))
    room.lose(0)
    room.settle()
    room.remove(0)
    assert all(each.play.lost == {0, 3} == each.open_seats for each in room.replicas)
    room.run()
    assert all(each.is_over and each.head == room.spectator.head for each in room.replicas)


def test_two_who_go_at_once_take_both_keys_along(seed: int) -> None:
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    said = room.farewell(1)
    for gone in (1, 3):
        room.lose(gone)
    room.run()
    entry = room.change(Change(3, REASON_SILENT, leavers=(1,)), [signed_raw(said)])
    tip = room.spectator.tip
    assert entry.seat == 3 and seat_epoch_of(tip, 1) == seat_epoch_of(tip, 3) == 1
    assert all(each.play.lost == {1, 3} == each.open_seats for each in room.replicas)
    room.run()
    assert all(each.is_over and each.head == room.spectator.head for each in room.replicas)


def test_the_last_one_plays_on_when_all_others_leave_at_once(seed: int, tmp_path: Path) -> None:
    """A change carries the key of one of them: what the other key would open is dealt anew."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("roll"))
    said = [room.farewell(1, secret_of(room, 1)), room.farewell(2, secret_of(room, 2))]
    for gone in (1, 2):
        room.lose(gone)
    assert not may_change(room.replicas[0].play, Change(1, REASON_SILENT, leavers=(2,)))
    room.change(Change(1, REASON_LEFT, said[0].key, (2,)), [signed_raw(each) for each in said])
    assert all(each.play.lost == {2} for each in room.replicas)
    room.run()
    assert room.spectator.is_over and room.spectator.open_seats == {1, 2}
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report


def test_a_table_of_two_without_the_key_cannot_go_on(seed: int) -> None:
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("choose"))
    check_refused(room, Change(1, REASON_SILENT))


# ---- what the table cannot go on with ----


def check_refused(room: OpenRoom, change: Change, because: str | None = None) -> None:
    """Check that no machine goes on with other members, and that nothing of it has changed."""
    for each in room.replicas:
        before = (each.head, each.step, set(each.open_seats), list(each.seating.seat_epochs))
        entry = change_entry(each.game_id, each.tip, ChangeItem(each.head, change, 0))
        with pytest.raises(MalformedFrame, match=because):
            each.take_in_logged(entry)
        assert before == (each.head, each.step, each.open_seats, each.seating.seat_epochs)


@pytest.fixture
def halted(seed: int) -> OpenRoom:
    """A game in which seat 2 is due and has fallen silent."""
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    room.lose(2)
    room.run()
    return room


def test_a_key_that_is_not_that_of_the_seat_lets_nobody_speak_for_it(halted: OpenRoom) -> None:
    wrong = Change(2, REASON_LEFT, scalar_to_bytes(12345))
    check_refused(halted, wrong, "not the key of that seat")
    check_refused(halted, wrong._replace(key=b"no scalar"))


def test_nobody_who_is_gone_can_go_and_nobody_who_is_there_come_back(halted: OpenRoom) -> None:
    back = Change(1, REASON_RESTORE, base(7).encoded)
    check_refused(halted, back, "nobody comes back")
    halted.remove(2)
    check_refused(halted, Change(2, REASON_SILENT), "nobody replaces")
    check_refused(halted, Change(1, REASON_SILENT, leavers=(2,)), "nobody replaces")
    check_refused(halted, back, "nobody comes back")


@pytest.mark.parametrize("key", ["", "no point", "old", "nothing"])
def test_an_owner_comes_back_with_a_new_key_and_no_other(halted: OpenRoom, key: str) -> None:
    halted.remove(2)
    halted.run(kind_is("choose"))
    dealing = halted.spectator.play.dealing
    assert dealing is not None
    named = {"old": dealing.publics[2].encoded, "nothing": bytes(POINT_BYTES)}
    check_refused(halted, Change(2, REASON_RESTORE, named.get(key, key.encode())))


@pytest.mark.parametrize("when", ["key", "finish"])
def test_before_there_are_keys_and_when_the_game_is_over_nobody_goes(seed: int, when: str) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is(when) if when == "key" else lambda each: each.is_over)
    check_refused(room, Change(2, REASON_SILENT), "nobody replaces")
    check_refused(room, Change(2, REASON_RESTORE, base(7).encoded))


def test_a_table_without_a_replacement_waits(seed: int) -> None:
    room = OpenRoom(3, seed, None)
    room.run(kind_is("roll"))
    check_refused(room, Change(2, REASON_SILENT), "nobody replaces")


BENT: Final[dict[str, Callable[[Entry], Entry]]] = {
    "another epoch": lambda due: _signed(due, epoch=due.seat_epoch + 3),
    "a digest": lambda due: _signed(due, at=Position(due.height, due.parent, b"x" * DIGEST_BYTES)),
    "another head": lambda due: _signed(due, at=Position(due.height, bytes(32), due.digest)),
    "another height": lambda due: _signed(due, at=Position(due.height + 1, due.parent, due.digest)),
    "the other kind": lambda due: _signed(due, kind=RESTORE),
    "an unknown reason": lambda due: _signed(due, body=["bored", b"", [], 0]),
    "a negative round": lambda due: _signed(due, body=[REASON_SILENT, b"", [], -1]),
    "a round that is none": lambda due: _signed(due, body=[REASON_SILENT, b"", [], True]),
    "itself as a leaver": lambda due: _signed(due, body=[REASON_SILENT, b"", [2], 0]),
    "leavers out of order": lambda due: _signed(due, body=[REASON_SILENT, b"", [1, 0], 0]),
    "a key in silence": lambda due: _signed(due, body=[REASON_SILENT, b"key", [], 0]),
    "no body": lambda due: _signed(due, body=b""),
}


def _signed(due: Entry, **other: object) -> Entry:
    """The entry with something else in it, as anybody can sign it."""
    epoch = other.get("epoch", due.seat_epoch)
    at = other.get("at", Position(due.height, due.parent, due.digest))
    assert isinstance(epoch, int) and isinstance(at, Position)
    said = [other.get("kind", due.kind), other.get("body", due.body)]
    anybody = replacement_identity(due.game, due.seat, epoch)
    return sign_entry(anybody, due.game, (due.seat, epoch), at, said)


@pytest.mark.parametrize("bent", BENT)
def test_a_change_stands_in_its_place_with_the_bytes_that_all_work_out(
    halted: OpenRoom, bent: str
) -> None:
    decided = ChangeItem(halted.spectator.head, Change(2, REASON_SILENT), 0)
    due = change_entry(halted.spectator.game_id, halted.spectator.tip, decided)
    assert parse_change_entry(due) == decided and is_change(due)
    for each in halted.replicas:
        height = each.height
        with pytest.raises(MalformedFrame):
            each.take_in_logged(BENT[bent](due))
        with pytest.raises(MalformedFrame):
            each.receive(due.raw)  # Nor does it count without those who have agreed.
        assert each.height == height and not each.open_seats
    found = read_log(halted.record([BENT[bent](due).raw]))
    assert found.damage and not found.guilty and not found.replaced


def test_all_machines_write_one_entry_for_a_change_and_another_for_another_round(
    halted: OpenRoom,
) -> None:
    def entry(each: Replica, number: int) -> bytes:
        decided = ChangeItem(each.head, Change(2, REASON_SILENT), number)
        return change_entry(each.game_id, each.tip, decided).raw

    assert len({entry(each, number) for each in halted.replicas for number in (0, 1)}) == 2


# ---- whose entries they are ----


def test_what_the_owner_said_and_nobody_heard_is_no_second_entry(seed: int) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is("roll"))
    late = room.replicas[2].write()
    room.lose(2)
    room.run()
    room.remove(2)
    for each in room.replicas:
        assert each.receive(late.raw) is None
    room.run()
    places = [(entry.seat_epoch, entry.parent) for entry in room.spectator.log if entry.seat == 2]
    assert len(set(places)) == len(places) and max(places)[0] == 1 > late.seat_epoch


def test_the_machine_of_a_lost_seat_comes_back_and_follows(seed: int) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(kind_is("choose"))
    room.catch_up(owner)
    assert owner.head == room.replicas[0].head
    assert not owner.is_seated and not owner.may_write() and not owner.view().offers


def test_whoever_went_on_alone_goes_back_and_its_entries_are_void(seed: int) -> None:
    """Its cable was out as it chose: nobody heard that, and all others have gone on."""
    room = OpenRoom(seed=seed)
    room.run(lambda each: each.step is None or (each.step.kind, each.step.writers) == GIVING)
    owner, height = room.replicas[1], room.replicas[1].height
    alone = parse_entry(room.write(owner))
    owner.receive(alone.raw)
    assert owner.advance() and owner.height > height
    room.lose(1)
    room.run()
    entry = room.remove(1)
    with pytest.raises(MalformedFrame, match="stands elsewhere"):
        owner.take_in_logged(entry)
    owner.rewind_to(rewound(owner, room.vaults[1], height))
    assert (owner.height, owner.head) == (height, entry.parent) and owner.holds(1)
    room.catch_up(owner)
    assert owner.receive(alone.raw) is None
    room.replicas.append(owner)
    room.run()
    assert owner.is_over and owner.head == room.spectator.head and not owner.is_seated
    assert alone.raw not in [each.raw for each in owner.log]


@pytest.mark.parametrize("kind", ["shuffle", "seal", "choose"])
def test_whoever_goes_back_below_a_change_says_what_it_had_signed_there(
    kind: str, seed: int, tmp_path: Path
) -> None:
    """Somebody agreed to let a seat go and took it back: a second deck would fit no proof."""
    room = OpenRoom(seed=seed)
    room.run(kind_is(kind))
    owner, height = room.replicas[0], room.replicas[0].height
    room.vaults[0].entries.append(signed := room.write(owner))
    owner.receive(signed)
    owner.change(ChangeItem(owner.head, Change(2, REASON_SILENT), 0))
    owner.rewind_to(rewound(owner, room.vaults[0], height))
    assert owner.height == height and not owner.may_write(), "it has signed what is due"
    room.tell_all(signed)
    room.run()
    assert all(each.is_over for each in room.replicas)
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report


def test_nobody_can_frame_a_seat_for_which_everybody_signs(halted: OpenRoom) -> None:
    halted.remove(2)
    halted.run(lambda replica: replica.is_over)
    said = [
        entry
        for entry in halted.spectator.log
        if (entry.seat, entry.seat_epoch) == (2, 1) and not is_change(entry)
    ]
    for each in halted.replicas:
        with pytest.raises(MalformedFrame):
            each.receive(_signed(said[0], body=b"else").raw)


# ---- escrow at a table ----


def test_a_part_that_is_none_is_seen_by_all_and_its_dealer_named(seed: int) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is("escrow"))
    cheat = room.replicas[1]
    body = cheat.write().body
    assert isinstance(body, bytes)
    raw = entry_with(cheat, body[:-1] + bytes([body[-1] ^ 1]))
    room.tell_all(raw)
    with pytest.raises(PeerError) as caught:
        room.run()
    assert isinstance(caught.value, BadProof) and caught.value.seat == 1
    assert caught.value.evidence == [raw]
