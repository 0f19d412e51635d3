"""Why an entry is not written: one list of reasons, and the same answer wherever it is asked."""

import pytest

from p2p.base.errors import IllegalMove
from p2p.log.acks import Acks
from p2p.log.blocked import BY_GUARD, Blocked, why_not_by_rules
from p2p.log.membership.context import M, RuleContext
from p2p.log.membership.rules import MAY_WRITE, MEMBERSHIP_RULES
from p2p.log.membership.state import Member, PersistentState, Retry
from p2p.log.replica import Replica
from tests.p2p.room import Room

pytestmark = pytest.mark.usefixtures("quick_proofs")


def is_behind_one_of_several(replica: Replica) -> bool:
    """Whether several write the current step, and one of them wrote the last one alone."""
    writers = () if replica.step is None else replica.step.writers
    return len(writers) > 1 and replica.tip.author in writers


def room_behind_one_of_several() -> Room:
    """A table of three where that is so, and nobody has heard what the others have."""
    room = Room(3, {"deal": "draft"}, seed=1)
    room.run(until=is_behind_one_of_several)
    for replica in room.replicas:
        replica.acks = Acks()
    return room


def as_it_is(message: M) -> M:
    """In the place of a signature: nothing is said here."""
    return message


def by_rules(replica: Replica) -> Blocked | None:
    """What rule T1 says at a machine that has heard no acknowledgement."""
    assert replica.me is not None, "whoever writes has a seat"
    member = Member(replica.me, PersistentState(replica.tip))
    return why_not_by_rules(RuleContext(replica.log_game, as_it_is, member, Retry()))


def test_whoever_wrote_the_last_step_alone_waits_where_others_write_beside_it() -> None:
    """Else they could see its share or its lot, and then let it go below what made that due."""
    room = room_behind_one_of_several()
    for replica in room.replicas:
        assert replica.why_not_write() is by_rules(replica) is Blocked.UNACKNOWLEDGED


def test_whoever_goes_on_alone_above_its_own_step_waits_for_nobody() -> None:
    room = Room(2, seed=1)
    room.run(until=lambda each: each.step is not None and each.step.writers == (each.tip.author,))
    (replica,) = (each for each in room.replicas if each.me == each.tip.author)
    replica.acks = Acks()
    assert replica.why_not_write() is by_rules(replica) is None


def test_every_condition_that_is_asked_before_there_is_an_entry_has_a_reason_and_is_of_t1() -> None:
    (rule,) = (rule for rule in MEMBERSHIP_RULES if rule.name == "T1")
    assert tuple(BY_GUARD) == MAY_WRITE == rule.guards[: len(MAY_WRITE)]


def test_the_first_reason_is_named() -> None:
    room = room_behind_one_of_several()
    late = next(each for each in room.replicas if each.me != each.tip.author)
    late.guilty[late.others[0]] = late.blame(late.others[0], IllegalMove, "chose what is forbidden")
    assert late.why_not_write() is Blocked.CHEATER, "and not all have acknowledged the log"
    late.guilty.clear()
    assert Replica(room.roster).why_not_write() is Blocked.HAS_NO_SEAT, "nor is anything due"
    room.run()
    assert {each.why_not_write() for each in room.replicas} == {Blocked.IS_OVER}
