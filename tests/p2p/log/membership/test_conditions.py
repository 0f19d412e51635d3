"""Each condition to write, take or agree where it alone decides; and what is on disk first."""

from p2p.log.membership.log import StepItem
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
    Left,
    Presented,
    Refusal,
    Retry,
    Say,
    Silent,
    Store,
    Voted,
    Write,
)
from p2p.log.membership.state_machine import restart
from tests.p2p.log.membership.saying import (
    GONE,
    ack_of,
    answers,
    changed,
    followed,
    no,
    proof_against,
    stepped,
    unbound,
    yes,
)
from tests.p2p.log.membership.small_table import Table
from tests.p2p.log.membership.toy import KEY, entry_of, stamp

# ---- T1: to write ----


def test_who_has_said_farewell_writes_nothing():
    table = Table(script=(0,))
    table.tell(0, Departing())
    assert table.write(0) == []


def test_nobody_writes_who_is_not_due():
    table = Table(script=(0, 1))
    assert table.tell(1, Write(entry_of(table.start, 1, "say"))) == []


def test_who_has_said_yes_writes_nothing():
    table = Table(script=(0,))
    table.tell(0, Silent(2))
    assert table.write(0) == []


def test_nobody_writes_while_a_cheater_is_a_member():
    table = Table(script=(0,))
    table.tell(0, proof_against(table.start, 2))
    assert table.write(0) == []


def test_nobody_writes_two_entries_on_one_head():
    table = Table(script=("each",))
    first, second = (entry_of(table.start, 0, "say", value) for value in (0, 1))
    assert table.tell(0, Write(first)) == [first]
    assert table.tell(0, Write(second)) == []


def test_who_wrote_the_last_step_waits_for_all_where_others_write_beside_it():
    table = Table(script=("run of 0", "each"))
    assert table.write(0) and table.write(0), "its own step, and one more above it alone"
    log = table.log(0)
    assert table.game.due(log) == {0, 1, 2} and table.write(0) == []
    table.tell(0, *(ack_of(each, seat) for each in (log.below, log) for seat in (1, 2)))
    assert table.write(0)


# ---- T2: to take a step ----


def test_another_version_of_what_i_took_is_not_taken_when_its_place_is_free_again():
    """2 cheats: the change that 0 has left on its no comes in force with its acknowledgement."""
    table = Table(seats=4, script=(2,))
    log = followed(table)
    first, second = (stepped(log, 2, value) for value in (0, 1))
    assert table.tell(0, Presented(first.item))
    table.tell(0, no(table.start, 2))
    assert table.log(0).head == table.start.head
    table.tell(0, Presented(log.item, tuple(ack_of(log, seat) for seat in (0, 1, 2))))
    assert table.log(0).head == log.head
    assert table.tell(0, Presented(second.item)) == []


def test_whoever_has_lost_the_log_below_its_yes_takes_it_again_and_is_bound_there():
    """A damaged file ends earlier; who had agreed to a change since then stood still for ever."""
    table = Table(seats=4, script=(1, 2))
    step = stepped(table.start, 1)
    table.tell(0, Presented(step.item), Silent(3))
    assert table.members[0].kept.votes == {yes(step, 0, GONE)}
    table.members[0] = restart(0, table.members[0].kept._replace(log=table.start))
    table.tell(0, Silent(3), Presented(step.item))
    assert table.log(0).head == step.head
    table.tell(0, Presented(stepped(step, 2).item))
    assert table.log(0).head == step.head


def test_who_only_looks_on_takes_nothing_that_is_not_in_force():
    table = Table(script=(0,))
    acks = table.remove(2, 0, 1)
    log = table.log(0)
    table.tell(2, Presented(log.item, tuple(acks)))
    table.tell(2, Presented(stepped(log, 0).item, (ack_of(stepped(log, 0), 0),)))
    assert table.log(2).head == log.head


# ---- T4a: to agree ----


def test_nobody_agrees_to_a_change_at_another_head():
    table = Table(seats=4)
    unbound(table, 1, Silent(3))
    elsewhere = stepped(table.start, 0)
    assert answers(table, 1, yes(elsewhere, 0, GONE, 1)) == "no"


def test_nobody_agrees_in_a_round_that_is_over():
    table = Table(seats=4)
    unbound(table, 1, Silent(3))
    table.tell(1, no(table.start, 2, 1))
    assert answers(table, 1, yes(table.start, 0, GONE, 1)) == "no"


def test_nobody_agrees_that_somebody_left_without_the_farewell():
    table = Table()
    assert answers(table, 1, yes(table.start, 0, Change(2, REASON_LEFT))) == "no"


def test_who_is_bound_agrees_in_no_other_round():
    table = Table(seats=4)
    table.tell(0, Silent(3))
    assert answers(table, 0, yes(table.start, 1, GONE, 1)) == "no"


def test_one_alone_does_not_agree_with_a_leaver_that_another_is_silent():
    table = Table()
    unbound(table, 0, Silent(1), stamp(Farewell(table.start.epoch, 2)))
    lie = yes(table.start, 2, Change(1, REASON_SILENT, b"", (2,)))
    assert answers(table, 0, lie._replace(round=1)) == "no"
    assert table.log(0).members == {0, 1, 2}


def test_nobody_agrees_that_one_is_silent_while_it_misses_another_as_well():
    table = Table(seats=4)
    unbound(table, 0, Silent(3), Silent(2))
    assert answers(table, 0, yes(table.start, 1, GONE, 1)) == "no"


def test_a_cheater_goes_before_who_is_silent():
    table = Table(seats=4)
    unbound(table, 0, proof_against(table.start, 2), Silent(3))
    assert answers(table, 0, yes(table.start, 1, GONE, 1)) == "no"


def without_cheater(table):
    """0 has removed the cheater 2 with 1 and 3, and takes its next step."""
    table.tell(0, proof_against(table.start, 2), Retry())
    change = Change(2, REASON_CONVICTED)
    table.tell(0, *(yes(table.start, seat, change) for seat in (1, 3)))
    assert table.log(0).members == {0, 1, 3}


def test_a_cheater_goes_once():
    table = Table(seats=4)
    without_cheater(table)
    assert table.tell(0, Retry()) == []
    assert answers(table, 0, yes(table.log(0), 1, Change(2, REASON_CONVICTED))) == "no"


def test_what_everybody_writes_for_a_cheater_that_is_gone_is_nobodys():
    """Otherwise each waits for another to take it first, and nobody does."""
    table = Table(seats=4, script=("seat 2", "seat 2"))
    without_cheater(table)
    step = StepItem((entry_of(table.log(0), 2, "say"),))
    table.tell(0, *(ack_of(table.log(0), seat) for seat in (1, 3)), Presented(step))
    assert table.log(0).item == step and table.log(0).author is None


def looking_on(script, steps=1):
    """2 is gone, 0 and 1 have played on together, and 2 wishes to be back."""
    table = Table(script=script)
    table.remove(2, 0, 1)
    for _ in range(steps):
        log, kind = table.log(0), table.game.kind(table.log(0))
        entries = tuple(entry_of(log, seat, kind) for seat in sorted(table.game.due(log)))
        for seat in (0, 1):
            table.tell(seat, Presented(StepItem(entries)))
        for seat in (0, 1):
            table.tell(seat, ack_of(table.log(seat), 1 - seat))
    wish = stamp(RestoreWish(table.log(0).epoch, 2, KEY))
    back = yes(table.log(0), 1, Change(2, REASON_RESTORE, KEY))
    return table, wish, back


def test_who_wishes_to_be_back_is_back_between_requests():
    table, wish, back = looking_on((0, "secret"))
    assert table.tell(0, wish) == [back._replace(seat=0, signature=b"\0")]


def test_nobody_proposes_or_agrees_to_a_return_in_the_middle_of_a_request():
    table, wish, back = looking_on((0, "secret"), steps=2)
    assert table.tell(0, wish) == []
    assert answers(table, 0, back) == "no"


def test_nobody_agrees_to_a_return_before_a_bot_has_answered():
    table, wish, back = looking_on((0, 0), steps=0)
    assert table.tell(0, wish) == []
    assert answers(table, 0, back) == "no"


def test_nobody_proposes_that_a_cheater_is_back():
    table = Table(seats=4, script=(0, 0))
    without_cheater(table)
    log = table.log(0)
    table.tell(0, *(ack_of(log, seat) for seat in (1, 3)))
    assert table.write(0)
    assert table.tell(0, stamp(RestoreWish(log.epoch, 2, KEY))) == []


# ---- what is on disk before something else ----


def kinds(table):
    """The types of what was stored and said last, in order."""
    found = [e.record if isinstance(e, Store) else e.message for e in table.effects
             if isinstance(e, Store | Say)]  # fmt: skip
    return [type(each) for each in found]


def test_a_vote_is_on_disk_before_it_is_said():
    table = Table()
    table.tell(0, Silent(2))
    assert kinds(table) == [Voted, Ballot]


def test_a_farewell_is_on_disk_before_it_is_said():
    table = Table()
    table.tell(0, Departing())
    assert kinds(table) == [Left, Farewell]


def test_the_no_of_another_is_on_disk_before_i_go_back():
    table = Table(seats=4)
    followed(table)
    table.tell(0, no(table.start, 1))
    assert kinds(table)[:2] == [Refusal, CutTo]


def test_evidence_is_on_disk_before_it_is_passed_on():
    table = Table()
    proof = proof_against(table.start, 2)
    table.tell(0, proof)
    assert kinds(table) == [Convicting, type(proof)]


def test_an_item_is_on_disk_before_it_is_acknowledged():
    table = Table(script=(0,))
    table.tell(1, Presented(stepped(table.start, 0).item))
    assert kinds(table) == [Appended, Ack]


# ---- the game ----


def test_a_seal_of_who_stays_is_opened_when_another_falls_silent():
    table = Table(script=("secret",))
    sealed = table.start.with_step(
        StepItem(tuple(entry_of(table.start, seat, "seal") for seat in range(3)))
    )
    log = changed(table, sealed, Change(2, REASON_SILENT))
    assert (table.game.kind(log), table.game.due(log)) == ("open", {0, 1})
