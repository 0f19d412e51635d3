"""What members say about small logs, and states from which tests of the rules begin."""


from p2p.log.membership.evidence import find_contradiction
from p2p.log.membership.log import ChangeItem, StepItem
from p2p.log.membership.messages import REASON_SILENT, Ack, Ballot, Change
from p2p.log.membership.state import Silent, Unanswered
from p2p.log.membership.state_machine import restart
from tests.p2p.log.membership.toy import entry_of, stamp


def yes(log, seat, change, number=0):
    """A yes of a member to a change behind a log."""
    return stamp(Ballot(log.epoch, number, seat, log.head, change))


def no(log, seat, number=0):
    """A no of a member in a round of the epoch of a log."""
    return stamp(Ballot(log.epoch, number, seat))


def ack_of(log, seat):
    """An acknowledgement of the last item of a log."""
    item = log.item
    what = (item.change, item.round) if isinstance(item, ChangeItem) else (None, 0)
    place = (log.below.epoch, seat, log.height, log.below.head, log.head)
    return stamp(Ack(*place, *what))


def stepped(log, seat, value=0):
    """The log with a step of one seat."""
    return log.with_step(StepItem((entry_of(log, seat, "say", value),)))


def changed(table, log, change, number=0):
    """The log with a change."""
    return log.with_change(ChangeItem(log.head, change, number), table.game)


def crash(table, seat):
    """A machine starts again from its disk."""
    table.members[seat] = restart(seat, table.members[seat].kept)


def proof_against(log, seat):
    """Two entries of a seat on one head."""
    return find_contradiction(*(entry_of(log, seat, "say", value) for value in (0, 1)))


def answers(table, seat, vote):
    """What a member says to a vote: yes, no or nothing."""
    said = [m for m in table.tell(seat, vote) if isinstance(m, Ballot) and m.round == vote.round]
    return {True: "yes", False: "no"}[said[0].is_yes] if said else "nothing"


GONE = Change(3, REASON_SILENT)


def followed(table, seat=0):
    """A member of four that has followed the removal of 3; the log with it."""
    table.tell(seat, Silent(3))
    others = [other for other in (0, 1, 2) if other != seat]
    table.tell(seat, *(yes(table.start, other, GONE) for other in others))
    log = changed(table, table.start, GONE)
    assert table.log(seat).head == log.head
    return log


def unbound(table, seat, *inputs):
    """A member that has a reason, and has taken its own yes back."""
    table.tell(seat, *inputs, Unanswered())
    assert any(not vote.is_yes for vote in table.members[seat].kept.votes)
