"""Each condition to follow, to go back, to cut and to end where it alone decides."""

from p2p.log.membership.evidence import find_contradiction
from p2p.log.membership.messages import (
    EXCUSES_MAX,
    REASON_CONVICTED,
    REASON_RESTORE,
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
)
from p2p.log.membership.state import (
    VOTE_ANSWER_S,
    Departing,
    HeardAgain,
    Member,
    PersistentState,
    Presented,
    Retry,
    Silent,
    Unanswered,
    Wake,
)
from p2p.log.membership.state_machine import noes_against, restart
from tests.p2p.log.membership.saying import (
    GONE,
    ack_of,
    changed,
    crash,
    followed,
    no,
    proof_against,
    stepped,
    unbound,
    yes,
)
from tests.p2p.log.membership.small_table import Table
from tests.p2p.log.membership.toy import KEY, stamp

# ---- T5c, T6, T8: to follow, and to go back ----


def test_a_yes_on_top_of_a_refused_change_is_taken_back_with_it():
    table = Table(seats=4)
    log = followed(table)
    assert table.tell(0, Silent(2)) == [yes(log, 0, Change(2, REASON_SILENT))]
    assert table.tell(0, no(table.start, 1))[0] == no(log, 0)
    assert table.log(0).head == table.start.head


def test_whoever_goes_back_takes_back_in_time_what_it_agreed_to_there_before():
    """What ended that is forgotten behind the change, and others may not say it again."""
    table = Table(seats=4)
    followed(table)
    table.tell(0, no(table.start, 1))
    assert Wake(Unanswered(), VOTE_ANSWER_S) in table.effects


def test_whoever_crashed_before_its_log_had_what_it_acknowledged_does_not_refuse_that():
    """It was back without the change, heard the seat again, and its no convicted it."""
    table = Table(seats=4)
    log = followed(table)
    kept = table.members[0].kept
    table.members[0] = restart(0, kept._replace(log=table.start))
    assert not [said for said in table.tell(0, HeardAgain(3), Unanswered()) if no_by(said)]
    table.tell(0, *(yes(table.start, other, GONE) for other in (1, 2)))
    assert table.log(0).head == log.head


def no_by(said):
    """Whether this is a no."""
    return isinstance(said, Ballot) and not said.is_yes


ANOTHER = Change(0, REASON_SILENT)


def two_faced(table, seat):
    """A member of four has said yes to the removal of 3, and hears that 1 agrees to two things."""
    table.tell(seat, Silent(3))
    return table.tell(seat, *(yes(table.start, 1, each) for each in (ANOTHER, GONE)))


def test_a_yes_to_which_a_cheater_was_not_true_is_taken_back():
    """Nobody follows it here, but somebody may have who had heard less, and waits for all."""
    table = Table(seats=4)
    assert no(table.start, 0) in two_faced(table, 0)
    followed(table, 2)
    table.tell(2, no(table.start, 0))
    assert table.log(2).head == table.start.head


def test_a_yes_that_was_followed_is_not_taken_back_for_a_cheaters_sake():
    table = Table(seats=4)
    log = followed(table)
    table.tell(0, yes(table.start, 1, ANOTHER), no(table.start, 2))
    assert table.members[0].kept.guilty and table.log(0).head == table.start.head
    table.tell(0, Silent(1))
    said = [vote for vote in table.members[0].kept.votes if not vote.is_yes]
    assert find_contradiction(ack_of(log, 0), no(table.start, 0))
    assert no(table.start, 0) not in said


def test_who_followed_two_changes_is_told_the_no_of_whoever_went_back_below_both():
    """It goes back by that first."""
    table = Table(seats=4)
    log = followed(table)
    table.tell(0, Silent(2), no(table.start, 1))
    assert table.log(0).head == table.start.head
    followed_both = ack_of(changed(table, log, Change(2, REASON_SILENT)), 1)
    assert no(log, 0) in noes_against(table.members[0], followed_both)


def test_who_followed_what_i_refused_is_told_my_no_when_something_else_is_in_force_by_now():
    """It may come into reach so late, and waits for it."""
    table = Table()
    unbound(table, 0, Silent(1))
    refused = no(table.start, 0)
    change = Change(2, REASON_SILENT)
    table.tell(0, HeardAgain(1), Silent(2), yes(table.start, 1, change, 1))
    table.tell(0, ack_of(changed(table, table.start, change, 1), 1))
    assert table.write(0) and table.members[0].committed
    followed = ack_of(changed(table, table.start, Change(1, REASON_SILENT)), 2)
    assert noes_against(table.members[0], followed) == [refused]


def test_who_followed_what_nobody_refused_and_who_took_a_step_is_told_no_no():
    table = Table(seats=4)
    log = followed(table)
    table.tell(0, no(table.start, 1, 7))
    assert noes_against(table.members[0], ack_of(log, 1)) == []
    assert noes_against(table.members[0], ack_of(stepped(table.start, 1), 2)) == []


def test_what_i_wrote_on_stays_after_a_crash():
    table = Table()
    table.remove(2, 0, 1)
    table.write(0)
    crash(table, 0)
    table.tell(0, no(table.start, 1))
    assert table.log(0).members == {0, 1}


def test_a_refused_change_that_is_shown_in_force_is_followed_for_good():
    table = Table()
    acks = table.remove(2, 0, 1)
    change = table.log(0).item
    table.tell(0, no(table.start, 1))
    assert table.log(0).head == table.start.head
    table.tell(0, Presented(change, tuple(acks)))
    assert table.log(0).members == {0, 1}


def test_who_is_gone_does_not_go_back_by_a_no():
    table = Table()
    acks = table.remove(2, 0, 1)
    table.tell(2, Presented(table.log(0).item, tuple(acks)))
    crash(table, 2)
    table.tell(2, no(table.start, 1))
    assert table.log(2).members == {0, 1}


def parted(table):
    """0 has a step of the cheater 2; what makes it go back; the log with the other version."""
    step, other = (stepped(table.start, 2, value) for value in (0, 1))
    table.tell(0, Presented(step.item))
    return step, (proof_against(table.start, 2), ack_of(other, 1))


def test_a_yes_above_what_was_cut_is_not_followed():
    table = Table(seats=4, script=(2, 0))
    step, (proof, other) = parted(table)
    change = Change(2, REASON_CONVICTED)
    assert table.tell(0, proof, Retry())[-1] == yes(step, 0, change)
    table.tell(0, other)
    assert table.log(0).head == table.start.head
    table.tell(0, *(yes(step, seat, change) for seat in (1, 3)))
    assert table.log(0).head == table.start.head


def test_where_a_step_was_acknowledged_no_silent_one_goes():
    """The no that had ended the yes was forgotten in a crash."""
    table = Table(seats=4, script=(2, 0))
    table.tell(0, Silent(3), no(table.start, 1))
    _, news = parted(table)
    crash(table, 0)
    table.tell(0, Silent(3), *news)
    assert table.log(0).head == table.start.head
    table.tell(0, *(yes(table.start, seat, GONE) for seat in (1, 2)))
    assert table.log(0).head == table.start.head


def test_nobody_follows_more_often_than_it_can_excuse():
    table = Table()
    start, change = table.start, Change(2, REASON_SILENT)
    left = frozenset(
        ack_of(changed(table, start, change, number), 0) for number in range(EXCUSES_MAX)
    )
    mine, theirs = (yes(start, seat, change, EXCUSES_MAX) for seat in (0, 1))
    table.members[0] = Member(
        0, PersistentState(start, acks=left, votes=frozenset([mine])), silent=frozenset([2])
    )
    table.tell(0, theirs)
    assert table.log(0).head == start.head


def test_a_farewell_holds_below_a_change_that_is_refused_later():
    """Otherwise it dies with the change, and who has left is one silent member more."""
    table = Table(seats=4)
    log = followed(table, 1)
    farewells = [stamp(Farewell(epoch, 1)) for epoch in (log.epoch, table.start.epoch)]
    assert table.tell(1, Departing()) == farewells
    table.tell(1, no(table.start, 0))
    assert table.log(1).head == table.start.head
    assert next(iter(table.machine.retransmissions(table.members[1]))) == farewells[1]


# ---- T9, T13: what is shown in force ----


def stands_on_another(table):
    """0 has gone back from the removal of 2 by the no of 1, and has a step of 2 in its place."""
    acks = table.remove(2, 0, 1)
    log = table.log(0)
    table.tell(0, no(table.start, 1))
    assert table.tell(0, Presented(stepped(table.start, 2).item))
    return log, tuple(acks)


def test_a_change_that_i_have_left_cuts_nothing_that_i_took_since():
    table = Table(script=(2,))
    log, acks = stands_on_another(table)
    step = table.log(0).head
    table.tell(0, Presented(log.item, acks))
    assert table.log(0).head == step


def lured_back(table, acks, log):
    """0 has left a removal by the no of 1, has written since, and sees that 1 acknowledged it."""
    table.tell(0, no(table.start, 1))
    assert table.write(0)
    table.tell(0, Presented(log.item, acks))


def test_what_i_left_for_a_cheaters_no_and_see_in_force_is_mine_again():
    """Who is gone by it may know it in force, and cannot go back."""
    table = Table(seats=4)
    log = followed(table)
    acks = tuple(ack_of(log, seat) for seat in (1, 2))
    lured_back(table, (), log)
    table.tell(0, acks[0], find_contradiction(no(table.start, 1), acks[0]))
    table.tell(0, Presented(log.item, acks))
    assert table.log(0).head == log.head


def test_what_i_left_for_a_no_is_not_mine_again_while_no_cheat_is_known():
    table = Table(seats=4)
    log = followed(table)
    lured_back(table, tuple(ack_of(log, seat) for seat in (1, 2)), log)
    assert table.log(0).head != log.head


def test_nobody_goes_back_to_be_alone_with_the_cheater():
    """The other one has what was taken since, and together they can go on."""
    table = Table()
    acks = table.remove(2, 0, 1)
    log = table.log(0)
    crash(table, 0)
    lured_back(table, tuple(acks), log)
    table.tell(0, find_contradiction(no(table.start, 1), acks[1]), Presented(log.item, tuple(acks)))
    assert table.log(0).head != log.head


def test_the_session_does_not_end_while_nothing_in_force_parts():
    table = Table(script=(2,))
    log, acks = stands_on_another(table)
    assert table.members[0].kept.guilty  # 1 has said no to what it had acknowledged.
    table.tell(0, Presented(log.item, acks))
    assert not table.members[0].kept.has_ended


def two_halves(table):
    """0 and 2 have removed 1, and go on; the log of 1 and 2 without 0, with acknowledgements."""
    here = table.remove(1, 0, 2)
    table.write(0)
    log = changed(table, table.start, Change(0, REASON_SILENT))
    acks = tuple(ack_of(log, seat) for seat in (1, 2))
    return log, acks, find_contradiction(acks[1], next(ack for ack in here if ack.seat == 2))


def test_the_session_does_not_end_by_what_is_not_in_force():
    table = Table()
    log, acks, proof = two_halves(table)
    table.tell(0, proof, Presented(log.item, acks[:1]))
    assert not table.members[0].kept.has_ended


def test_the_session_does_not_end_while_nobody_is_convicted():
    table = Table()
    log, acks, _ = two_halves(table)
    table.tell(0, Presented(log.item, acks))
    assert not table.members[0].kept.has_ended


def test_who_went_on_and_is_let_go_later_takes_the_change_before_and_acknowledges_it_not():
    """0 agreed, said no unheard and took a step; 1 and 2 let it go behind the change it left."""
    table = Table(seats=4, script=(0,))
    assert table.write(0)
    step, log = table.log(0), changed(table, table.start, GONE)
    acks = tuple(ack_of(log, seat) for seat in (0, 1, 2))  # That of 0 is not asked for.
    assert table.tell(0, Presented(log.item, acks)) == [] and table.log(0).head == step.head
    assert table.tell(0, Presented(log.item, acks, leaves_me=True)) == []
    assert table.log(0).head == log.head
    assert all(ack.head != log.head for ack in table.members[0].kept.acks)
    last = changed(table, log, Change(0, REASON_SILENT))
    table.tell(0, Presented(last.item, tuple(ack_of(last, seat) for seat in (1, 2))))
    assert table.log(0).head == last.head


# ---- T10: to come back ----


def coming_back(*, has_wished=True):
    """2 has seen everything; what 0 and 1 say to its wish."""
    table = Table(script=(0, 0))
    acks = table.remove(2, 0, 1)
    before = table.log(0)
    table.write(0)
    log = table.log(0)
    shown = tuple(ack_of(log, seat) for seat in (0, 1))
    table.tell(2, Presented(before.item, tuple(acks)))
    if has_wished:
        table.tell(2, stamp(RestoreWish(log.epoch, 2, KEY)))
    votes = [yes(log, seat, Change(2, REASON_RESTORE, KEY)) for seat in (0, 1)]
    return table, Presented(log.item, shown), votes


def test_who_comes_back_first_takes_what_its_return_stands_on():
    table, _, votes = coming_back()
    table.tell(2, *votes)
    assert table.log(2).members == {0, 1}


def test_who_comes_back_waits_for_all():
    table, shown, votes = coming_back()
    table.tell(2, shown, votes[0])
    assert table.log(2).members == {0, 1}
    table.tell(2, votes[1])
    assert table.log(2).members == {0, 1, 2}


def test_who_comes_back_follows_also_where_a_cheater_agreed_to_something_else_as_well():
    table, shown, votes = coming_back()
    other = yes(table.log(0), 1, Change(0, REASON_SILENT))
    table.tell(2, shown, other, *votes)
    assert table.log(2).members == {0, 1, 2} and table.members[2].kept.guilty


def test_nobody_comes_back_by_a_round_that_somebody_has_ended():
    table, shown, votes = coming_back()
    said = table.tell(2, shown, no(table.log(0), 1), *votes)
    assert not [each for each in said if isinstance(each, Ack)]


def test_nobody_comes_back_who_has_not_asked():
    table, shown, votes = coming_back(has_wished=False)
    table.tell(2, shown, *votes)
    assert table.log(2).members == {0, 1}


def test_nobody_comes_back_who_never_went():
    """For a seat without an owner anybody can sign the wish."""
    table = Table(seats=2, script=(0, 1))
    wish = stamp(RestoreWish(table.start.epoch, 2, b"key"))
    table.tell(1, wish)
    assert table.tell(0, wish) == table.tell(0, Retry()) == table.tell(1, Retry()) == []


# ---- T12: to cut a cheater's run ----


def test_what_the_cheater_acknowledges_cuts_nothing():
    table = Table(script=(2, 0))
    step, news = parted(table)
    table.tell(0, news[0], ack_of(stepped(table.start, 2, 1), 2))
    assert table.log(0).head == step.head


def test_a_step_of_who_has_not_cheated_is_not_cut():
    table = Table(script=(0,))
    table.write(0)
    head = table.log(0).head
    table.tell(0, ack_of(stepped(table.start, 0, 1), 1))
    assert table.log(0).head == head


def test_what_everybody_writes_for_a_bot_above_a_cheaters_step_is_cut_with_it():
    """It waits for no barrier, so it stood on both versions, and the table stood still."""
    table = Table(script=(2, "seat 3", 0))
    step, news = parted(table)
    table.tell(0, Presented(stepped(step, 3).item))
    assert table.log(0).height == step.height + 1
    table.tell(0, *news)
    assert table.log(0).head == table.start.head


def test_what_an_honest_member_has_built_on_a_cheaters_step_is_not_cut():
    table = Table(seats=4, script=(2, 1, 0))
    step, news = parted(table)
    table.tell(0, *(ack_of(step, seat) for seat in (1, 2, 3)))
    above = stepped(step, 1)
    table.tell(0, Presented(above.item), *news)
    assert table.log(0).head == above.head


def test_what_is_in_force_is_not_cut_for_a_second_cheater():
    """0 is gone, and has seen a step of 2 in force by 1's word; then 1 says something else."""
    table = Table(script=(2,))
    log = changed(table, table.start, Change(0, REASON_SILENT))
    table.tell(0, Presented(log.item, tuple(ack_of(log, seat) for seat in (1, 2))))
    step, other = (stepped(log, 2, value) for value in (0, 1))
    table.tell(0, Presented(step.item, tuple(ack_of(step, seat) for seat in (1, 2))))
    assert table.log(0).head == step.head
    table.tell(0, proof_against(log, 2), ack_of(other, 1))
    assert table.log(0).head == step.head
