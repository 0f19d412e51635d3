"""Owners who are back: their seats are theirs again, under keys that nobody else knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.entry import parse_entry, sign_entry
from p2p.base.errors import BadProof, BadSignature, PeerError
from p2p.base.identity import Identity
from p2p.crypto.group import base, scalar_to_bytes
from p2p.game.game_keys import NEW_KEY
from p2p.log.acks import implied_by
from p2p.log.membership.log import ChangeItem, Log, StepItem, ack_of, signed_raw
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Change,
    Farewell,
    RestoreWish,
    message_of,
    sign_as,
)
from p2p.log.membership.state import Departing
from p2p.log.membership_change import REPLACE, parse_change_entry
from p2p.log.replica import Replica
from p2p.log.replica_game import ANSWERS
from p2p.log.secrets_file import SecretsFile
from p2p.session.change_reasons import kept_proofs
from p2p.session.clocks import Clocks
from p2p.session.failure_detector import FailureDetector
from p2p.session.membership import Membership, MembershipHooks
from p2p.session.news import TableChanged
from p2p.session.showing import Seen, Showing
from p2p.session.taking_back import TakingBack
from p2p.session.talking import Talk
from tests.p2p.acknowledging import acknowledging
from tests.p2p.beads import BEADS, HANDS
from tests.p2p.changing import BOT, OpenRoom, away, kind_is, proposed
from tests.p2p.records import accused
from tests.p2p.session.tables import QuietTable, actors_at, membership_at, membership_inbox_at
from tests.p2p.session.test_forks import second, secrets_of
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def returned(seed: int) -> tuple[OpenRoom, Replica]:
    """The same, and the owner has shown a new key."""
    room, owner = away(seed, kind_is("choose"))
    room.give_back(owner)
    room.run(lambda each: each.step is not None and each.step.kind not in ("choose", NEW_KEY))
    return room, owner


def test_a_seat_goes_back_and_the_game_is_whole(seed: int, tmp_path: Path) -> None:
    room, owner = returned(seed)
    assert owner.is_seated and not room.spectator.open_seats
    room.run()
    assert all(each.is_over for each in room.replicas)
    assert len({each.head for each in room.replicas}) == 1
    mine = [entry.seat_epoch for entry in room.spectator.log if entry.seat == 2]
    assert sorted(set(mine)) == [0, 1, 2, 3] and mine == sorted(mine)
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report


def test_all_know_which_choices_a_bot_made_for_the_owner_of_a_seat(seed: int) -> None:
    room, owner = returned(seed)
    room.run()
    known = {frozenset(each.play.by_bots) for each in (*room.replicas, owner)}
    assert len(known) == 1, "at every machine, the owner's own included"
    (by_bots,) = known
    assert by_bots and {seat for _, seat in by_bots} == {2}
    answers = [entry for entry in room.spectator.log if entry.seat == 2 and entry.kind in ANSWERS]
    assert len(by_bots) == sum(entry.seat_epoch == 1 for entry in answers)


async def test_a_snapshot_is_shown_as_soon_as_a_seat_is_its_owners_again(seed: int) -> None:
    """The owner's own screen said (bot) until the next entry of the log."""
    room, owner = away(seed, kind_is("choose"))
    table = QuietTable(owner)
    actors = actors_at(table)
    clocks = Clocks(table, actors.relaying.reaches, lambda: None)
    detector = FailureDetector(table, actors)
    detector.begin()
    showing = Showing(table, Seen(
        actors.relaying, detector, clocks, Talk(table, actors.relaying),
        TakingBack(table, actors.relaying),
    ))  # fmt: skip
    showing.show()
    room.give_back(owner)
    room.run(kind_is("choose"))  # The same question, so nothing else of the snapshot has changed.
    showing.show()
    shown = [news for news in table.news if isinstance(news, TableChanged)]
    assert [news.seats[2].is_bot for news in shown] == [True, False]


async def test_whoever_is_back_hears_once_more_that_it_was_gone_and_stays(seed: int) -> None:
    """Every seat shows whoever is linked which seats changed hands."""
    room, owner = returned(seed)
    (entry,) = (entry for entry in owner.log if entry.kind == REPLACE)
    owner.acks.forget(owner.height + 1)
    membership = membership_at(QuietTable(owner))
    assert not await membership.take_change(parse_change_entry(entry), room.notes[0])
    assert owner.is_seated and membership.member.log == owner.tip


async def test_whoever_is_back_goes_on_without_what_others_said_of_each_step(seed: int) -> None:
    """They are far ahead, and say no more what they acknowledged before it was gone."""
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.run()
    room.remove(2)
    (entry,) = (entry for entry in room.spectator.log if entry.kind == REPLACE)
    owner.committed = 0
    owner.acks.forget(owner.height + 1)
    decided, note = parse_change_entry(entry), room.notes[0]
    lacking = replace(note, acks=note.acks[:1])
    assert not await membership_at(QuietTable(owner)).take_change(decided, lacking)
    assert await membership_at(QuietTable(owner)).take_change(decided, note)
    assert 2 not in owner.play.live


async def test_whoever_is_started_again_behind_the_others_follows_where_its_file_ended(
    seed: int,
) -> None:
    """It ended in a step of which one who has left says no more that it had it."""
    room, owner = away(seed, lambda each: each.step is not None and each.step.writers == (1,))
    change = owner.tip.last_change
    assert change is not None and change.height < owner.height, "some steps are behind it"
    owner.receive(room.write(room.replicas[1]))
    log = owner.next_log()
    assert log is not None
    owner.committed = change.height
    owner.acks.forget(owner.height + 1)
    owner.acks.receive(acknowledging(log, 0, room.identities[0]), owner.committed, owner.height)

    async def vouched(log: Log) -> frozenset[int]:
        return log.members

    hooks = MembershipHooks(int, str, str, vouched)
    membership = Membership(QuietTable(owner), hooks)
    membership.begin()
    assert await membership.close_step(log)


async def test_whoever_was_away_follows_where_a_cheater_was_let_go_meanwhile(
    seed: int, tmp_path: Path
) -> None:
    """It has no evidence, but is shown it with the change, and keeps that."""
    room, owner = away(seed, kind_is("choose"), players=4)
    said = next(entry.raw for entry in room.spectator.log if entry.seat == 3)
    change, proof = Change(3, REASON_CONVICTED), [said, second(room, said)]
    decided, note = ChangeItem(owner.head, change, 0), proposed(room, change, proof).note
    owner.committed = owner.height  # All have what is below.
    secrets = secrets_of(room, tmp_path, 2)
    membership = membership_at(QuietTable(owner, secrets=secrets))
    assert await membership.take_change(decided, note)
    assert owner.tip.members == {0, 1}
    assert kept_proofs(secrets)[owner.head] == tuple(proof)
    secrets.close()


async def test_whoever_has_followed_a_change_hears_by_whom_it_is_in_force(seed: int) -> None:
    """It waits for these acknowledgements, and its file has to have them."""
    room, _ = away(seed, kind_is("choose"))
    follower = room.spectator
    (entry,) = (entry for entry in follower.log if entry.kind == REPLACE)
    change = follower.tip.last_change
    assert change is not None and change.below is not None
    follower.committed = change.below.height
    follower.acks.forget(follower.height + 1)
    table = QuietTable(follower)
    membership = membership_at(table)
    assert not await membership.take_change(parse_change_entry(entry), room.notes[0]), "it has it"
    heard = {ack for ack in membership.member.acks if ack.head == change.head}
    noted = {ack for note in table.game_file.changes for ack in note.acks}
    assert {ack.seat for ack in heard | noted} >= change.members - {follower.me}


def test_acknowledgements_of_a_log_say_nothing_of_the_changes_below_it(seed: int) -> None:
    """A file has to show these one by one."""
    room, _ = away(seed, kind_is("choose"))
    log = room.spectator.tip
    change = log.last_change
    assert change is not None and change is not log
    implied = {ack.head for ack in implied_by([ack_of(log, 0)], log, 0)}
    steps = {each.head for each in log.down() if isinstance(each.item, StepItem)}
    assert implied == steps - {log.head}


@pytest.mark.parametrize("is_last_first", [True, False])
async def test_whoever_is_back_follows_changes_that_are_in_force_only_together(
    seed: int, *, is_last_first: bool
) -> None:
    """The one who was let go by the second had not acknowledged the first."""
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    owner = room.replicas[3]
    room.lose(3)
    room.run()
    room.remove(3)
    room.lose(2)
    room.remove(2)
    entries = [entry for entry in room.spectator.log if entry.kind == REPLACE]
    kept = [replace(room.notes[0], acks=tuple(ack for ack in room.notes[0].acks if ack.seat != 2))]
    kept.append(room.notes[1])
    shown = [["change", entry.raw, *note.plain()[1:]]
             for entry, note in zip(entries, kept, strict=True)]  # fmt: skip
    membership_inbox, _ = membership_inbox_at(QuietTable(owner), int)
    first, second = reversed(shown) if is_last_first else shown
    await membership_inbox.receive(0, first)
    assert owner.play.live == (0, 1, 2, 3), "neither is in force alone"
    await membership_inbox.receive(0, second)
    assert owner.play.live == (0, 1) and owner.head == entries_head(room)


async def test_whoever_leaves_follows_the_others_until_it_is_let_go(
    seed: int, tmp_path: Path
) -> None:
    """It signs nothing more; the change that lets it go may stand further on than its log."""
    room = OpenRoom(3, seed)
    room.run(kind_is("choose"))
    writer = room.writer()
    assert writer is not None
    leaver = next(each for each in room.replicas if each is not writer and each.is_seated)
    leaver.committed = leaver.height
    secrets = SecretsFile.create(tmp_path / "game.secret")
    membership = membership_at(QuietTable(leaver, secrets=secrets))
    assert list(membership.acks_from(0))
    await membership.feed(Departing())
    leaver.receive(room.write(writer))
    leaver.next_log()
    room.verify(leaver)
    log = leaver.next_log()
    assert log is not None and not await membership.close_step(log), "nobody else has it"
    for seat in leaver.others:
        ack = acknowledging(log, seat, room.identities[seat])
        leaver.acks.receive(ack, leaver.committed, leaver.height)
    assert await membership.close_step(log) and leaver.head == log.head
    assert not list(membership.acks_from(0)), "nor does it sign that where somebody lacks it"
    secrets.close()


def entries_head(room: OpenRoom) -> bytes:
    """The head behind the last change."""
    last = room.spectator.tip.last_change
    assert last is not None, "somebody has gone"
    return last.head


def test_nobody_else_knows_the_new_key_and_what_it_draws(seed: int) -> None:
    room, owner = returned(seed)
    fresh = owner.play.dealing
    assert fresh is not None and base(fresh.secrets[2]) == fresh.publics[2]
    for each in room.replicas:
        known = each.play.dealing
        assert known is not None and known.publics[2] == fresh.publics[2]
        assert (2 in known.secrets) == (each is owner)
    assert fresh.publics[2] != fresh.agreed[2], "the words of the table stay those of the first"


def test_what_it_had_in_hand_lies_under_the_new_key(seed: int) -> None:
    _room, owner = returned(seed)
    dealing = owner.play.dealing
    assert dealing is not None
    hand = owner.play.table.zones[HANDS + 2]
    assert hand and all(dealing.observation[card] != HIDDEN for card in hand)
    assert {dealing.holder[card] for card in hand} == {2}


def test_whoever_is_back_may_be_lost_before_it_shows_a_new_key(seed: int, tmp_path: Path) -> None:
    """Everybody has its key still."""
    room, owner = away(seed, kind_is("choose"))
    room.give_back(owner)
    assert all(each.step is not None and each.step.kind == NEW_KEY for each in room.replicas)
    room.lose(2)
    room.remove(2)
    room.run()
    assert room.spectator.is_over and room.spectator.open_seats == {2}
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report


# ---- what nobody can do ----


async def agrees(room: OpenRoom, wish: RestoreWish, folder: Path) -> bool:
    """Whether seat 0 says yes to a wish."""
    replica = room.replicas[0]
    replica.acks.forget(replica.height + 1)
    secrets = SecretsFile.create(folder / f"{replica.height}.secret")
    membership = membership_at(QuietTable(replica, (), secrets))
    await membership.receive(wish)
    secrets.close()
    changes = [vote.change for vote in membership.member.kept.votes]
    assert all(change is None or change.seat == wish.seat for change in changes)
    return any(change is not None and change.reason == REASON_RESTORE for change in changes)


async def test_no_seat_goes_back_without_the_acknowledgements_of_all(seed: int) -> None:
    """Of all who are live, and of its owner; and without its wish."""
    room, owner = away(seed, kind_is("choose"))
    wish, spectator = room.wish(owner), room.spectator
    change = Change(2, REASON_RESTORE, wish.key)
    whole = proposed(room, change, [signed_raw(wish)]).note
    decided = ChangeItem(spectator.head, change, 0)
    spectator.committed = spectator.height  # All have what is below.
    spectator.acks.forget(spectator.height + 1)
    lacking = [
        replace(whole, acks=tuple(ack for ack in whole.acks if ack.seat != missing))
        for missing in range(3)
    ]
    for note in (*lacking, replace(whole, proof=())):
        assert not await membership_at(QuietTable(spectator)).take_change(decided, note)
        assert spectator.open_seats == {2}
    assert await membership_at(QuietTable(spectator)).take_change(decided, whole)
    assert not spectator.open_seats


@pytest.mark.parametrize(
    "change",
    [
        Change(0, REASON_SILENT, b"", (1,)),
        Change(0, REASON_LEFT, b"", (1,)),
        Change(0, REASON_LEFT, b"", (1, 2)),
        Change(0, REASON_CONVICTED),
        Change(0, REASON_CONVICTED, b"", (1,)),
        Change(0, REASON_SILENT, b"", (1, 2)),
        Change(7, REASON_SILENT),
    ],
)
async def test_m5_one_member_alone_removes_nobody_whatever_it_shows(
    seed: int, change: Change
) -> None:
    """By what it alone has acknowledged, or has to: the others do not even hear of it."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("choose"))
    first, proof = room.replicas[0], [room.replicas[2].log[-1].raw]
    membership = membership_at(QuietTable(first))
    for shown in ((), proof):
        note = proposed(room, change, shown).note
        note = replace(note, acks=tuple(ack for ack in note.acks if ack.seat == 2))
        assert not await membership.take_change(ChangeItem(first.head, change, 0), note)
        assert membership.member.log == first.tip and not first.open_seats


async def test_m7_no_seat_goes_back_that_its_owner_did_not_ask_for(
    seed: int, tmp_path: Path
) -> None:
    room, owner = away(seed, kind_is("choose"))
    wish = room.wish(owner)
    for forged in (
        sign_as(Identity.generate(), owner.game_id, wish),
        sign_as(room.identities[1], owner.game_id, wish),
        wish._replace(epoch=bytes(32)),
    ):
        with pytest.raises(BadSignature):
            await membership_at(QuietTable(room.replicas[0])).receive(forged)
    early = sign_as(room.identities[2], owner.game_id, wish._replace(epoch=bytes(32)))
    assert not await membership_at(QuietTable(room.replicas[0])).receive(early), "of another epoch"
    assert await agrees(room, wish, tmp_path)


async def test_m2_no_seat_goes_back_while_something_is_being_opened(
    seed: int, tmp_path: Path
) -> None:
    """Its owner could see what comes of it, and have it done once more."""
    room, owner = away(seed, kind_is("unseal"))
    assert room.replicas[0].step is not None and room.replicas[0].step.kind == "unseal"
    assert not await agrees(room, room.wish(owner), tmp_path)


async def test_no_seat_goes_back_before_its_bot_has_answered_once(
    seed: int, tmp_path: Path
) -> None:
    """Else its owner would look at a hand, a roll or what others chose, and have another choice."""
    room, owner = away(seed, kind_is("seal"))
    assert not await agrees(room, room.wish(owner), tmp_path)
    room.run(kind_is("choose"))
    assert await agrees(room, room.wish(owner), tmp_path)


async def test_a_seat_that_is_its_owners_does_not_go_back(seed: int, tmp_path: Path) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is("choose"))
    assert not await agrees(room, room.wish(room.replicas[2]), tmp_path)


@pytest.mark.parametrize("part", range(4))
def test_a_new_key_that_is_not_proven_convicts_its_owner(part: int, seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    room.give_back(owner)
    honest = parse_entry(room.write(owner)).body
    assert isinstance(honest, list) and owner.identity is not None
    changed = bytearray(honest[part])
    changed[40 % len(changed)] ^= 1
    body = [*honest[:part], bytes(changed), *honest[part + 1 :]]
    author = 2, owner.seating.seat_epochs[2]
    raw = sign_entry(owner.identity, owner.game_id, author, owner.position, [NEW_KEY, body]).raw
    room.tell_all(raw)
    with pytest.raises(PeerError) as caught:
        room.settle()
    assert isinstance(caught.value, BadProof) and caught.value.seat == 2
    assert caught.value.evidence == [raw]
    record = room.record()
    for read in (room.record([raw]), accused(record, 2, [raw])):
        found = read_log(read)
        assert list(found.guilty) == [2] and found.guilty[2].offset == len(record.entries)


async def test_m1_nobody_says_farewell_for_an_owner_that_is_coming_back(
    seed: int, tmp_path: Path
) -> None:
    """Everybody knows its key until it shows a new one, and could send it away each time."""
    room, owner = away(seed, kind_is("choose"))
    dealing = room.replicas[0].play.dealing
    assert dealing is not None
    old = scalar_to_bytes(dealing.secrets[2])
    early = sign_as(room.identities[2], owner.game_id, Farewell(owner.tip.epoch, 2, old))
    room.give_back(owner)
    said = Farewell(room.replicas[0].tip.epoch, 2, old)
    room.replicas[0].acks.forget(room.replicas[0].height + 1)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    membership = membership_at(QuietTable(room.replicas[0], (), secrets))
    for by in (0, 1):
        with pytest.raises(BadSignature):
            await membership.receive(sign_as(room.identities[by], owner.game_id, said))
    assert not await membership.receive(early), "that was said in another epoch"
    assert await membership.receive(sign_as(room.identities[2], owner.game_id, said))
    secrets.close()


# ---- asking ----


async def test_an_owner_shows_no_key_before_all_have_followed(seed: int) -> None:
    """Else it would sign one number twice if it is given back on another log."""
    room, owner = away(seed, kind_is("choose"))
    change = Change(2, REASON_RESTORE, room.wish(owner).key)
    owner.change(ChangeItem(owner.head, change, 0))
    assert owner.step is not None and owner.step.kind == NEW_KEY and not owner.may_write()
    for each in room.here():
        each.change(ChangeItem(each.head, change, 0))
    room.replicas.insert(2, owner)
    room.settle()
    assert owner.may_write()


async def test_an_owner_asks_once_and_not_before_it_has_what_the_others_have(
    seed: int, tmp_path: Path
) -> None:
    """All others would wait until it has caught up."""
    room, owner = away(seed, kind_is("choose"))
    owner.acks.forget(owner.height + 1)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    table = QuietTable(owner, {0, 1}, secrets)
    actors = actors_at(table)
    failure_detector = FailureDetector(table, actors)
    await failure_detector.progress()
    await actors.membership.flush(with_acks=False)
    assert not table.said("wish")
    for seat in (0, 1):
        actors.catching_up.note(seat, owner.height)
    for _ in range(2):
        await failure_detector.progress()
        await actors.membership.flush(with_acks=False)
    said = table.said("wish")
    assert len(said) == 2 and said[0] == said[1], "each neighbour hears it once"
    key = base(owner.play.new_secret(owner.tip.epoch)).encoded
    wish = RestoreWish(owner.tip.epoch, 2, key)
    assert said[0] == message_of(sign_as(room.identities[2], owner.game_id, wish))
    secrets.close()
