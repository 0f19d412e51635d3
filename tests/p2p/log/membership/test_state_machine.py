"""The rules, one after the other, on the machine that plays."""


import pytest

from p2p.base.errors import BadSignature
from p2p.log.membership.evidence import RuleViolation, find_contradiction
from p2p.log.membership.log import ChangeItem, StepItem, needed
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
)
from p2p.log.membership.state import (
    Appended,
    Convicting,
    CutTo,
    Departing,
    HeardAgain,
    Left,
    Member,
    PersistentState,
    Presented,
    Refusal,
    Retry,
    SessionEnded,
    Silent,
    Store,
    Unanswered,
    Voted,
    Wake,
)
from p2p.log.membership.state_machine import restart
from tests.p2p.log.membership.small_table import Table
from tests.p2p.log.membership.toy import ToyGame, entry_of, first_log, stamp

# ---- entries ----


def test_nobody_answers_a_step_that_not_all_have_acknowledged():
    table = Table()
    table.write(0)
    step = table.log(0).item
    mine = [m for m in table.tell(1, Presented(step)) if isinstance(m, Ack)]
    table.tell(1, *table.members[0].kept.acks)
    assert table.write(1) == []
    theirs = table.tell(2, Presented(step))
    table.tell(1, *theirs)
    assert [type(m).__name__ for m in table.write(1)] == ["EntryRef", "Ack"]
    assert mine[0].head == theirs[0].head


def test_an_author_may_go_on_with_its_own_run():
    table = Table(script=("run of 0",))
    assert table.write(0)
    assert table.write(0)


def test_what_is_said_is_on_disk_before():
    table = Table()
    table.write(0)
    kinds = [type(e.record) if isinstance(e, Store) else type(e.message) for e in table.effects]
    assert [k.__name__ for k in kinds] == ["Wrote", "EntryRef", "Appended", "Ack"]


def test_nobody_takes_two_steps_on_one_head():
    table = Table(script=(2, 0))
    log = table.start
    one, two = (StepItem((entry_of(log, 2, "say", value),)) for value in (0, 1))
    assert table.tell(0, Presented(one))
    head = table.log(0).head
    assert table.tell(0, Presented(two)) != [] or table.log(0).head == head
    assert table.log(0).head == head
    assert [each.kind for each in table.members[0].kept.guilty] == ["E1"]


def test_a_step_of_too_few_or_too_many_is_not_taken():
    table = Table(script=("each",))
    log = table.start
    entries = [entry_of(log, seat, "say") for seat in range(3)]
    assert table.tell(0, Presented(StepItem(tuple(entries[:2])))) == []
    assert table.tell(0, Presented(StepItem(tuple(entries))))


# ---- votes ----


def test_two_who_miss_a_third_remove_it():
    table = Table()
    acks = table.remove(2, 0, 1)
    assert {ack.seat for ack in acks} == {0, 1}
    assert table.log(0).head == table.log(1).head
    assert table.log(0).members == {0, 1}


def test_one_of_two_removes_nobody():
    table = Table(seats=2)
    assert table.tell(0, Silent(1)) == []


def test_whoever_hears_nobody_removes_nobody():
    table = Table(seats=4)
    assert table.tell(0, Silent(2))
    assert table.tell(1, Silent(3), Silent(2))[1:] == []  # Its first yes was to remove 3 alone.
    assert table.tell(1, Unanswered(), Retry()) == [stamp(Ballot(table.start.epoch, 0, 1))]


def test_a_yes_to_what_i_do_not_see_is_answered_with_a_no_at_once():
    table = Table()
    yes = table.tell(0, Silent(2))
    assert table.tell(1, *yes) == [stamp(Ballot(table.start.epoch, 0, 1))]
    assert Voted in table.records()


def test_who_said_yes_takes_no_entry_until_that_is_over():
    table = Table()
    table.write(0)
    step = table.log(0).item
    table.tell(1, Silent(2))
    assert table.tell(1, Presented(step)) == []
    table.tell(1, HeardAgain(2))
    assert isinstance(table.tell(1, Presented(step))[0], Ack)


def test_a_yes_is_taken_back_when_the_seat_is_heard_again():
    table = Table()
    table.tell(0, Silent(2))
    assert table.tell(0, HeardAgain(2)) == [stamp(Ballot(table.start.epoch, 0, 0))]


def test_whoever_is_refused_waits_longer_each_time():
    table = Table()
    waits = []
    table.tell(0, Silent(2))
    for _ in range(6):
        table.tell(0, Unanswered())
        waits += [e.seconds for e in table.effects if isinstance(e, Wake)]
        table.tell(0, Retry())
    assert waits == [1, 2, 4, 8, 16, 16]


def test_a_reason_that_is_told_again_is_no_new_proposal():
    table = Table()
    farewell = stamp(Farewell(table.start.epoch, 2))
    assert table.tell(0, farewell)
    table.tell(0, Unanswered())
    assert table.tell(0, farewell) == []
    assert table.tell(0, Retry())


def test_a_no_of_a_needed_member_sends_back_who_has_followed():
    table = Table()
    yes = table.tell(0, Silent(2))
    agreed = table.tell(1, Silent(2), *yes)
    assert [type(m) for m in agreed] == [Ballot, Ack]
    table.tell(0, agreed[0])
    assert table.log(0).members == {0, 1}
    bent = stamp(Ballot(table.start.epoch, 0, 1))  # It has acknowledged the change: E4.
    assert find_contradiction(bent, agreed[1]).kind == "E4"
    table.tell(0, bent)
    assert table.log(0).head == table.start.head
    assert table.records() == [Refusal, CutTo]


def test_a_no_of_the_seat_that_goes_changes_nothing():
    table = Table()
    table.remove(2, 0, 1)
    table.tell(0, stamp(Ballot(table.start.epoch, 0, 2)))
    assert table.log(0).members == {0, 1}


def test_what_is_in_force_is_not_taken_back():
    table = Table()
    table.remove(2, 0, 1)
    table.write(0)
    assert table.members[0].committed == 1
    table.tell(0, stamp(Ballot(table.start.epoch, 0, 1)))
    assert table.log(0).members == {0, 1}


def test_what_replaces_a_refused_change_shows_the_refusal():
    table = Table(seats=4)
    yes = table.tell(0, Silent(3))
    agreed = [table.tell(seat, Silent(3), *yes)[0] for seat in (1, 2)]
    table.tell(0, *agreed)
    assert table.log(0).members == {0, 1, 2}
    first = next(iter(table.members[0].kept.acks))
    table.tell(0, stamp(Ballot(table.start.epoch, 0, 1)))
    again = table.tell(0, Retry())
    assert again[0].round == 1
    yes = [stamp(Ballot(table.start.epoch, 1, seat, table.start.head, Change(3, REASON_SILENT)))
           for seat in (1, 2)]  # fmt: skip
    said = [m for m in table.tell(0, *yes) if isinstance(m, Ack)]
    assert [no.seat for no in said[0].excuses] == [1]
    assert said[0].head != first.head
    assert find_contradiction(first, said[0]) is None


# ---- farewells ----


def leave(table, seat):
    """A member says farewell."""
    return next(said for said in table.tell(seat, Departing()) if isinstance(said, Farewell))


def test_nobody_needs_a_leaver_when_another_falls_silent():
    table = Table(seats=4)
    farewell = leave(table, 3)
    first = table.tell(0, Silent(2), farewell)
    table.tell(0, Unanswered())
    assert first[0].change == Change(2, REASON_SILENT)  # 3 was there then.
    yes = table.tell(0, Retry())
    assert yes[0].change == Change(2, REASON_SILENT, b"", (3,))
    agreed = table.tell(1, farewell, Silent(2), Unanswered(), *yes)
    table.tell(0, *(said for said in agreed if isinstance(said, Ballot)))
    assert table.log(0).members == table.log(1).members == {0, 1}
    assert table.log(0).absence_of(3).times == 1


def test_two_who_leave_at_once_are_gone_at_once():
    table = Table()
    farewells = [leave(table, seat) for seat in (1, 2)]
    table.tell(0, *farewells, Unanswered(), Retry())
    assert table.log(0).members == {0}
    assert table.log(0).item.change == Change(1, REASON_LEFT, b"", (2,))


def test_one_of_three_does_not_remove_a_silent_one_because_the_third_has_left():
    table = Table()
    assert table.tell(0, Silent(1), leave(table, 2))[1:] == []
    assert table.tell(0, Unanswered(), Retry())[1:] == []
    assert table.log(0).members == {0, 1, 2}


def test_a_farewell_is_acted_on_when_the_silent_one_is_heard_again():
    table = Table()
    table.tell(0, Silent(1))
    table.tell(0, Unanswered(), leave(table, 2))
    assert table.tell(0, HeardAgain(1))[-1].change == Change(2, REASON_LEFT)


def test_nobody_is_called_a_leaver_who_has_not_said_farewell():
    table = Table(seats=4)
    epoch, head = table.start.epoch, table.start.head
    lie = stamp(Ballot(epoch, 0, 0, head, Change(2, REASON_SILENT, b"", (3,))))
    assert table.tell(1, lie) == [stamp(Ballot(epoch, 0, 1))]
    assert table.tell(1, Silent(2)) != []
    assert table.log(1).members == {0, 1, 2, 3}
    mine = stamp(Ballot(epoch, 1, 0, head, Change(2, REASON_SILENT, b"", (1,))))
    assert table.tell(1, mine) == []


def test_who_leaves_takes_its_yes_back_and_signs_nothing_more():
    table = Table()
    table.tell(2, Silent(1))
    said = table.tell(2, Departing())
    assert said == [stamp(Ballot(table.start.epoch, 0, 2)), stamp(Farewell(table.start.epoch, 2))]
    assert Left in table.records()
    table.members[2] = restart(2, table.members[2].kept)
    table.write(0)
    step = table.log(0).item
    yes = stamp(Ballot(table.start.epoch, 1, 0, table.start.head, Change(1, REASON_SILENT)))
    assert table.tell(2, Silent(1), Retry(), Presented(step), yes, Departing()) == []
    assert next(iter(table.machine.retransmissions(table.members[2]))) == said[1]


# ---- gone and back ----


def test_who_leaves_gives_its_key_to_all_who_agree():
    table = Table()
    farewell = table.tell(2, Departing(b"its key"))[0]
    assert farewell.key == b"its key"
    assert table.tell(0, farewell)[0].change == Change(2, REASON_LEFT, b"its key")


def test_who_gives_two_keys_is_gone_once_all_have_heard_both():
    table = Table(seats=4)
    two = [stamp(Farewell(table.start.epoch, 2, key)) for key in (b"one", b"two")]
    left = stamp(Farewell(table.start.epoch, 3))
    for seat, heard in enumerate((two, two[::-1])):
        table.tell(seat, *heard, left)
        said = table.tell(seat, Unanswered(), Retry())
        assert said[-1].change == Change(2, REASON_LEFT, b"one", (3,))


def test_one_alone_removes_who_said_farewell():
    table = Table(seats=2)
    table.tell(0, stamp(Farewell(table.start.epoch, 1)))
    assert table.log(0).members == {0}
    assert table.log(0).item.change == Change(1, REASON_LEFT)


def test_the_removed_follows_what_is_in_force_and_nothing_less():
    table = Table()
    acks = table.remove(2, 0, 1)
    change = table.log(0).item
    table.tell(2, Presented(change, tuple(acks[:1])))
    assert table.log(2).head == table.start.head
    table.tell(2, Presented(change, tuple(acks)))
    assert table.log(2).head == table.log(0).head


def test_a_seat_is_back_only_when_a_bot_has_answered_a_whole_request_for_it():
    table = Table(script=(0, 0, 0))
    acks = table.remove(2, 0, 1)
    table.tell(2, Presented(table.log(0).item, tuple(acks)))
    wish = stamp(RestoreWish(table.log(0).epoch, 2, b"key"))
    table.tell(2, wish)
    assert table.tell(0, wish) == []
    table.tell(1, wish)
    table.write(0)
    step = table.log(0).item
    acks = table.tell(1, Presented(step)) + [a for a in table.members[0].kept.acks
                                         if a.head == table.log(0).head]  # fmt: skip
    table.tell(2, *acks, Presented(step, tuple(acks)))
    assert table.log(2).head == table.log(0).head
    yes = table.tell(0, Retry())
    yes += table.tell(1, *yes)[:1]
    table.tell(2, *yes)
    assert table.log(2).members == {0, 1, 2}
    assert table.log(2).item.change == Change(2, REASON_RESTORE, b"key")


def test_the_second_time_a_seat_is_back_later_than_the_first():
    game = ToyGame((0,) * 9)
    log = first_log(3)
    absent = []
    for _ in range(2):
        log = log.with_change(_decided(log, REASON_SILENT), game)
        absent.append(log.absence_of(2).times)
        log = log.with_change(_decided(log, REASON_RESTORE, b"key"), game)
    assert absent == [1, 2]


def _decided(log, reason, key=b""):
    return ChangeItem(log.head, Change(2, reason, key), 0)


# ---- cheaters ----


def test_evidence_removes_a_cheater_before_anything_else():
    table = Table(script=(2, 0))
    log = table.start
    first, second = (entry_of(log, 2, "say", value) for value in (0, 1))
    proof = find_contradiction(first, second)
    said = table.tell(0, proof)
    assert said == [proof]
    assert table.records() == [Convicting]
    yes = table.tell(0, Retry())
    assert yes[0].change == Change(2, REASON_CONVICTED)
    assert table.write(0) == []


def test_what_the_game_finds_wrong_removes_who_signed_it():
    table = Table(script=(2, 0))
    found = RuleViolation(2, (entry_of(table.start, 2, "say").raw,))
    assert table.tell(0, found) == [found] == list(table.machine.retransmissions(table.members[0]))
    assert table.records() == [Convicting]
    assert table.tell(0, found) == []
    yes = table.tell(0, Retry())
    assert yes[0].change == Change(2, REASON_CONVICTED)
    assert table.tell(1, found, *yes)[1].change == Change(2, REASON_CONVICTED)


def test_both_versions_of_a_cheaters_step_are_cut_and_neither_is_taken_again():
    table = Table(script=(2, 0))
    log = table.start
    steps = [StepItem((entry_of(log, 2, "say", value),)) for value in (0, 1)]
    acks = [table.tell(seat, Presented(step))[0] for seat, step in enumerate(steps)]
    proof = find_contradiction(steps[0].entries[0], steps[1].entries[0])
    for seat in (0, 1):
        table.tell(seat, proof, acks[1 - seat])
        assert table.log(seat).head == log.head
        table.tell(seat, Presented(steps[1 - seat], (acks[1 - seat],)), Presented(steps[seat]))
        assert table.log(seat).head == log.head


def test_two_halves_in_force_end_with_the_evidence():
    table = Table(seats=3)
    here = table.remove(1, 0, 2)
    table.write(0)
    there = table.start.with_change(_gone(table.start, 0), table.game)
    acks = tuple(_ack_of(there, seat) for seat in (1, 2))
    proof = find_contradiction(acks[1], next(ack for ack in here if ack.seat == 2))
    assert proof is not None
    table.tell(0, proof, Presented(there.item, acks))
    assert SessionEnded in table.records()
    assert table.write(0) == []


def _gone(log, seat):
    return ChangeItem(log.head, Change(seat, REASON_SILENT), 0)


def _ack_of(log, seat):
    place = (log.below.epoch, seat, log.height, log.below.head, log.head)
    return stamp(Ack(*place, log.item.change, log.item.round))


# ---- crash ----


def test_a_member_is_bound_after_a_crash_by_what_it_said_before():
    table = Table()
    table.tell(0, Silent(2))
    kept = PersistentState(table.start)
    for effect in table.effects:
        if isinstance(effect, Store):
            kept = kept.with_record(effect.record)
    assert kept == table.members[0].kept
    table.members[0] = restart(0, kept)
    first, second = table.tell(0, Silent(1))
    assert first == stamp(Ballot(table.start.epoch, 0, 0)), "the old yes is over"
    assert second.round == 1


def test_a_member_says_again_what_others_may_have_missed():
    table = Table()
    table.remove(2, 0, 1)
    said = list(table.machine.retransmissions(table.members[0]))
    assert {type(each) for each in said} == {Ballot, Ack}
    votes = table.members[1].kept.votes
    new = Member(1, PersistentState(table.start, votes=votes), silent=frozenset({2}))
    for each in said:
        new, _ = table.machine.receive(new, each)
    assert new.log.head == table.log(0).head


def test_a_message_that_is_not_what_it_says_is_refused():
    table = Table()
    forged = Ballot(table.start.epoch, 0, 1, signature=b"\x02")
    with pytest.raises(BadSignature):
        table.machine.receive(table.members[0], forged)


def test_rounds_cannot_be_used_up():
    table = Table()
    far = stamp(Ballot(table.start.epoch, 1 << 20, 1, table.start.head, Change(2, REASON_SILENT)))
    assert table.tell(0, far) == []
    assert table.members[0].heard == frozenset()


def test_the_members_that_a_change_needs_are_all_but_the_one_that_goes():
    assert needed({0, 1, 2}, Change(1, REASON_SILENT)) == {0, 2}
    assert needed({0, 1}, Change(2, REASON_RESTORE, b"key")) == {0, 1}


def test_an_item_is_appended_once():
    table = Table()
    table.play(0)
    heads = [table.log(seat).head for seat in range(3)]
    assert len(set(heads)) == 1
    step = table.log(0).item
    assert table.tell(1, Presented(step)) == []
    assert Appended not in table.records()
