"""Somebody begins round after round: what is remembered of them, and what is said again."""

from p2p.log.membership.messages import (
    REASON_RESTORE,
    REASON_SILENT,
    Ballot,
    Change,
    RestoreWish,
)
from p2p.log.membership.state import Presented, Silent
from p2p.log.membership.state_machine import ROUNDS_KEPT, StateMachine
from tests.p2p.log.membership.saying import GONE, answers, no, yes
from tests.p2p.log.membership.small_table import SIGNING, Table
from tests.p2p.log.membership.toy import KEY, stamp

MANY = 10 * ROUNDS_KEPT
OTHER = Change(2, REASON_SILENT)


def flood(table, seat, change=GONE, rounds=range(MANY)):
    """Seat 1 proposes a change in many rounds, and seat 2 says no in each."""
    log = table.log(seat)
    for number in rounds:
        table.tell(seat, yes(log, 1, change, number), no(log, 2, number))


def rounds_of(votes):
    return {vote.round for vote in votes}


def again(table, seat):
    return [s for s in table.machine.retransmissions(table.members[seat]) if isinstance(s, Ballot)]


def test_what_others_said_in_rounds_that_i_refused_is_forgotten_but_for_the_newest():
    table = Table(seats=4)
    flood(table, 0)
    member = table.members[0]
    assert rounds_of(member.kept.votes) == set(range(MANY)), "I have answered each"
    assert len(member.heard) <= 2 * (ROUNDS_KEPT + 1)
    assert MANY - 1 in rounds_of(member.heard)


def test_of_many_rounds_the_newest_are_said_again():
    table = Table(seats=4)
    flood(table, 0)
    said = again(table, 0)
    assert rounds_of(said) == set(range(MANY - ROUNDS_KEPT, MANY))
    assert {vote.seat for vote in said} == {0, 1, 2}


def test_proposals_to_let_me_go_are_forgotten_as_well():
    """I have no vote in them."""
    table = Table(seats=4)
    flood(table, 3)
    member = table.members[3]
    assert not member.kept.votes and len(member.heard) <= 2 * (ROUNDS_KEPT + 1)
    assert rounds_of(again(table, 3)) == set(range(MANY - ROUNDS_KEPT, MANY))


def test_an_old_round_in_which_i_have_said_nothing_is_answered():
    """Whoever proposes in it has not heard of the newer ones."""
    table = Table(seats=4)
    flood(table, 0, rounds=range(1, MANY))
    assert answers(table, 0, yes(table.start, 1, GONE, 0)) == "no"
    table = Table(seats=4)
    flood(table, 0, OTHER, range(1, MANY))
    table.members[0] = table.members[0]._replace(silent=frozenset({3}))
    assert answers(table, 0, yes(table.start, 1, GONE, 0)) == "yes"


def test_a_yes_that_another_ended_binds_nobody_again_when_many_rounds_follow():
    table = Table(seats=4)
    table.tell(0, Silent(3), no(table.start, 2))
    flood(table, 0, OTHER, range(1, MANY))
    assert table.write(0), "nothing binds me"


def test_the_same_no_with_another_signature_is_no_other_vote():
    table = Table(seats=4)
    table.machine = StateMachine(table.game, SIGNING._replace(verify=lambda _: None))
    table.tell(0, *(no(table.start, 1)._replace(signature=bytes([each])) for each in range(9)))
    assert len(table.members[0].heard) == 1


def test_who_is_brought_back_hears_all_who_agree_while_others_begin_many_rounds():
    table = Table(seats=4, script=(0, 0))
    acks = table.remove(3, 0, 1, 2)
    log = table.log(0)
    table.tell(3, Presented(log.item, tuple(acks)))
    back = Change(3, REASON_RESTORE, KEY)
    table.tell(3, stamp(RestoreWish(log.epoch, 3, KEY)), yes(log, 0, back))
    flood(table, 3, OTHER, range(1, MANY))
    table.tell(3, yes(log, 1, back), yes(log, 2, back))
    assert 3 in table.log(3).members
