"""The one who is left goes on alone: the log says so, and nobody who sits there follows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.entry import Entry, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.log.claim import Unverified
from p2p.log.ledger import GameRecord
from p2p.log.membership_change import is_alone, lacks_end, replacement_entry, unverified_from
from p2p.log.recovery import read_record
from p2p.log.replica import Replica
from p2p.log.votes import ALONE, EPOCH_NUMBERS, RESTORED, alone_in, vote_of
from p2p.session.forks import has_lost, is_lying
from tests.p2p.beads import BEADS
from tests.p2p.game.test_rebuilding import STEPS, Wake, cards_of, hand_of, truth
from tests.p2p.log.test_votes import ESCROW, kept, kind_is, secret_of
from tests.p2p.records import record_of
from tests.p2p.session.test_returning import away
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def goes_alone(
    replica: Replica, gone: int, number: int | None = None, answer: bool | None = None
) -> Entry:
    """The entry by which a machine goes on without a seat, or one like it."""
    assert replica.me is not None and replica.identity is not None
    said = vote_of(replica.me, gone, ALONE + replica.me if number is None else number, answer)
    signed = replica.votes.sign(replica.identity, replica.position, said)
    return replacement_entry(replica, gone, (said.round, [signed.signature]), None)


def left_alone(players: int, kind: str, me: int, seed: int) -> tuple[Wake, list[Replica]]:
    """A table at which one is left as such a step is open, and the machines of all others."""
    room = Wake(players, seed)
    room.run(kind_is(kind))
    others = [each for each in room.here() if each.me != me]
    for each in others:
        room.lose(each.me or 0)
    room.run()
    return room, others


@pytest.mark.parametrize(("kind", "me"), [(kind, at % 2) for at, kind in enumerate(STEPS)])
def test_the_last_of_two_goes_on_alone_and_every_reader_is_told(
    kind: str, me: int, seed: int, tmp_path: Path
) -> None:
    room, _ = left_alone(2, kind, me, seed)
    mine, known = room.replicas[0], hand_of(room.replicas[0], me)
    is_over = mine.is_over
    if not is_over:
        entry = goes_alone(mine, 1 - me)
        room.tell_all(entry.raw)
        assert hand_of(mine, me) == known
        room.run()
    assert mine.is_over and mine.head == room.onlooker.head
    report = audit_file(kept(room, tmp_path))
    assert report.holds and report.is_finished, report
    at = [place for place, each in enumerate(mine.log) if is_alone(each)]
    expected = None if is_over else Unverified(at[0], room.roster.seats[me].name)
    assert report.unverified == unverified_from(room.onlooker) == expected


def test_what_one_seat_has_dealt_anew_is_what_its_hand_leaves(seed: int) -> None:
    room, _ = left_alone(2, "roll", 0, seed)
    mine = room.replicas[0]
    known = hand_of(mine, 0)
    room.tell_all(goes_alone(mine, 1).raw)
    room.run(lambda each: each.step is not None and each.step.kind == "roll")
    assert truth(room) == truth_of_all(room) and hand_of(mine, 0) == known
    assert HIDDEN not in hand_of(room.onlooker, 1) or HIDDEN not in hand_of(mine, 1)
    assert all(cards_of(mine).observation[card] == HIDDEN for card in mine.play.table.zones[0])


def truth_of_all(room: Wake) -> dict[int, int]:
    """All faces of the game."""
    return dict.fromkeys(range(3), 2 * len(room.roster.seats))


@pytest.mark.parametrize("players", [3, 4])
def test_one_goes_on_without_all_others_one_after_the_other(
    players: int, seed: int, tmp_path: Path
) -> None:
    room, others = left_alone(players, "roll", 1, seed)
    mine = room.replicas[0]
    for other in others:
        room.tell_all(goes_alone(mine, other.me or 0).raw)
    room.run(kind_is("roll"))
    assert truth(room) == truth_of_all(room)
    room.run()
    assert mine.is_over and room.onlooker.open_seats == {0, 2, 3} & set(range(players))
    report = audit_file(kept(room, tmp_path))
    assert report.holds and report.is_finished
    assert report.unverified == unverified_from(mine) and report.unverified is not None
    assert report.unverified.name == "b" and sum(map(is_alone, mine.log)) == players - 1


def test_one_goes_on_alone_where_keys_were_in_escrow_with_those_who_are_gone(
    seed: int, tmp_path: Path
) -> None:
    """It cannot put a key together by itself, and the cards are dealt anew."""
    room = Wake(3, seed, ESCROW)
    room.run(kind_is("choose"))
    room.lose(1)
    room.lose(2)
    room.run()
    for gone in (1, 2):
        room.tell_all(goes_alone(room.replicas[0], gone).raw)
    room.run()
    assert room.onlooker.is_over and any(entry.kind == "blind" for entry in room.onlooker.log)
    assert audit_file(kept(room, tmp_path)).holds


def test_no_number_is_signed_twice_by_the_one_who_goes_on(seed: int) -> None:
    room = Wake(2, seed)
    room.run(kind_is("roll"))
    mine = room.replicas[0]
    void = parse_entry(room.write(mine))
    room.tell_all(void.raw)
    room.lose(1)
    room.tell_all(goes_alone(mine, 1).raw)
    room.run()
    assert mine.is_over and void.number not in [each.number for each in mine.log if not each.seat]


# ---- who does not follow ----


@pytest.mark.parametrize("is_ahead", [False, True])
def test_nobody_follows_who_is_spoken_for_by_one_alone(is_ahead: bool, seed: int) -> None:
    """Else whoever likes could take a seat, look at the hand dealt to it, and give it back."""
    room = Wake(2, seed)
    room.run(kind_is("roll"))
    taker, owner = room.replicas[:2]
    entry = goes_alone(taker, 1)
    if is_ahead:
        for each in (taker, owner):
            owner.receive(room.write(each))
        room.verify(owner)
        assert owner.advance()
    before, hand = owner.head, hand_of(owner, 1)
    taker.receive(entry.raw)
    assert owner.receive(entry.raw) is None and not has_lost(owner, entry)
    assert (owner.head, hand_of(owner, 1)) == (before, hand) and owner.is_seated
    assert owner.votes.diverged == {0} and not owner.guilty and not owner.disagreeing()
    assert taker.height > entry.height and not is_lying(owner, 0, taker.height)


def test_m7_whoever_has_lost_the_end_of_the_log_gets_it_before_it_parts(seed: int) -> None:
    """Else it would sign numbers again that it has signed in what both had."""
    room = Wake(2, seed)
    room.run(kind_is("roll"))
    taker, owner = room.replicas[:2]
    entry = goes_alone(taker, 1)
    again = Replica(room.roster, owner.identity, room.vaults[1])
    read_record(GameRecord(room.roster, record_of(room.onlooker).entries[:9]), again)
    later = [each.raw for each in room.onlooker.log[9:]]
    for raw in [raw for raw in later if parse_entry(raw).seat == 1]:
        again.receive(raw)  # As its file of secrets has them.
    assert lacks_end(again) and again.receive(entry.raw) is None and not again.votes.diverged
    for raw in [*later, entry.raw]:
        again.receive(raw)
        room.verify(again)
        while again.advance() or again.obligations:
            room.verify(again)
    assert again.head == owner.head and not lacks_end(again)
    assert again.votes.diverged == {0} and again.is_seated


def test_a_third_who_sits_there_does_not_follow_either(seed: int) -> None:
    room = Wake(3, seed)
    room.run(kind_is("roll"))
    entry = goes_alone(room.replicas[0], 2)
    for each in room.replicas[1:3]:
        height = each.height
        assert each.receive(entry.raw) is None
        assert each.height == height and each.votes.diverged == {0} and not each.open_seats


def test_both_may_go_on_alone_and_neither_is_to_blame(seed: int, tmp_path: Path) -> None:
    room = Wake(2, seed)
    room.run(kind_is("choose"))
    first, second = room.replicas[:2]
    taken = [goes_alone(first, 1), goes_alone(second, 0)]
    for each, mine, other in ((first, *taken), (second, *reversed(taken))):
        assert each.receive(mine.raw) is not None
        assert each.receive(other.raw) is None and not each.guilty
    reports = []
    for number, each in enumerate((first, second)):
        room.replicas = [each]
        room.run()
        assert each.is_over
        room.onlooker = each
        (tmp_path / str(number)).mkdir()
        reports.append(audit_file(kept(room, tmp_path / str(number))))
    assert all(report.holds and report.is_finished for report in reports)
    assert [report.unverified and report.unverified.name for report in reports] == ["a", "b"]
    signed = {(each.seat, each.number, each.hash) for replica in (first, second)
              for each in replica.log if each.number < EPOCH_NUMBERS}  # fmt: skip
    assert len({(seat, number) for seat, number, _ in signed}) == len(signed)


def test_the_words_of_two_who_replaced_another_blame_nobody_who_has_gone_on_alone(
    seed: int,
) -> None:
    """I had said that a seat is gone before I went on, and a second says so where it counts."""
    room = Wake(3, seed)
    room.run(kind_is("roll"))
    first, second, _ = room.replicas[:3]
    for signer in (first, second):
        assert signer.me is not None and signer.identity is not None
        said = vote_of(signer.me, 2, 0, None)
        second.votes.receive(signer.votes.sign(signer.identity, signer.position, said))
    agreed = second.votes.agreed(2, [0, 1])
    assert agreed is not None
    later = replacement_entry(second, 2, agreed, None)
    mine = goes_alone(first, 2)
    assert first.receive(mine.raw) is not None
    assert first.receive(later.raw) is None and first.receive(mine.raw) is None
    assert second.receive(later.raw) is not None
    assert second.receive(mine.raw) is None and second.votes.diverged == {0}


def test_whoever_has_gone_on_alone_keeps_that_game_when_the_others_replace_it(seed: int) -> None:
    room = Wake(3, seed)
    room.run(kind_is("roll"))
    first, *others = room.replicas[:3]
    for gone in (1, 2):
        entry = goes_alone(first, gone)
        for each in (first, *others):
            each.receive(entry.raw)
    room.replicas = [*others, room.onlooker]
    replaced, height, head = room.lost(0), first.height, first.head
    assert replaced.height == entry.height - 1, "where it went on alone"
    assert not has_lost(first, replaced) and first.receive(replaced.raw) is None
    assert (first.height, first.head) == (height, head) and not first.guilty
    assert all(each.votes.diverged == {0} and each.open_seats == {0} for each in others)
    room.run()
    assert others[0].is_over and unverified_from(others[0]) is None


def test_a_machine_that_starts_again_goes_on_where_it_went_on_alone(seed: int) -> None:
    room, _ = left_alone(2, "choose", 0, seed)
    old = room.replicas[0]
    room.tell_all(goes_alone(old, 1).raw)
    room.run(kind_is("blind"))
    again = Replica(room.roster, old.identity, room.vaults[0])
    read_record(record_of(room.onlooker), again)
    room.replicas[0] = again
    for raw in room.onlooker.pending():
        room.tell_all(raw)
    room.run()
    assert again.is_over and again.head == room.onlooker.head


def test_an_owner_who_is_back_and_has_no_new_key_yet_may_be_gone_on_without(seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    room.tell_all(room.back(owner).raw)
    room.lose(1)
    for gone in (1, 2):
        room.tell_all(goes_alone(room.replicas[0], gone).raw)
    room.run()
    assert room.onlooker.is_over and read_log(record_of(room.onlooker)).is_signed


# ---- what nobody can say ----


def check_refused(room: Wake, entry: Entry) -> None:
    """Everybody refuses an entry, and so does an audit, without blaming a seat."""
    for each in room.replicas:
        height = each.height
        with pytest.raises((MalformedFrame, BadSignature)):
            each.receive(entry.raw)
        assert each.height == height and not each.open_seats and not each.votes.diverged
    found = read_log(record_of(room.onlooker, [entry.raw]))
    assert found.damage and not found.guilty and found.alone is None


def test_one_word_is_not_enough_in_a_round_of_all(seed: int) -> None:
    room = Wake(2, seed)
    room.run(kind_is("roll"))
    for number in (0, ALONE - 1, ALONE + 1, ALONE + 2, RESTORED):
        check_refused(room, goes_alone(room.replicas[0], 1, number))
    check_refused(room, goes_alone(room.replicas[0], 1, answer=True))
    check_refused(room, goes_alone(room.replicas[0], 1, answer=False))


def test_whoever_goes_on_alone_says_so_itself_and_has_nobodys_key(seed: int) -> None:
    room = Wake(2, seed)
    room.run(kind_is("roll"))
    mine, other = room.replicas[:2]
    entry = goes_alone(mine, 1)
    assert isinstance(entry.body, list)
    (signature,) = entry.body[1]
    for signatures in ([], [b""], [signature, signature], [bytes(64)]):
        check_refused(room, replacement_entry(mine, 1, (ALONE, signatures), None))
    check_refused(room, replacement_entry(mine, 1, (ALONE, [signature]), secret_of(room, 1)))
    check_refused(room, replacement_entry(other, 0, (ALONE, [signature]), None))
    check_refused(room, replacement_entry(mine, 0, (ALONE, [signature]), None))


def test_where_cards_cannot_be_dealt_anew_nobody_goes_on_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, _ = left_alone(2, "roll", 0, seed)
    monkeypatch.setattr("p2p.game.rebuilding.LIST_CARDS_MAX", 3)
    with pytest.raises(MalformedFrame, match="nobody can go on"):
        room.replicas[0].receive(goes_alone(room.replicas[0], 1).raw)


def test_m4_a_round_is_of_all_or_of_one_seat() -> None:
    assert [alone_in(number) for number in (0, ALONE - 1, ALONE, ALONE + 3, RESTORED)] == [
        None, None, 0, 3, None,
    ]  # fmt: skip
