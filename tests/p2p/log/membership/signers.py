"""Members with real keys, and what they sign about small logs."""

from p2p.base.entry import DIGEST_BYTES, Position, sign_entry
from p2p.base.identity import Identity
from p2p.log.membership.evidence import entry_checker
from p2p.log.membership.log import ChangeItem, Log, StepItem, empty_log, entry_ref
from p2p.log.membership.messages import Ack, Ballot, sign_as, verifier_of
from tests.p2p.log.membership.toy import ToyGame

GAME = bytes(range(32))
OWNERS = [Identity.generate() for _ in range(4)]
VERIFY = verifier_of([owner.public for owner in OWNERS], GAME)
CHECK_ENTRY = entry_checker([owner.public for owner in OWNERS])
START_LOG = empty_log(GAME, range(4))


NEVER = ToyGame(())  # In which nothing was answered for any seat.


def entry(log: Log, seat: int, body: object = None):
    """An entry of a seat that answers a log."""
    at = Position(log.height, log.head, bytes(DIGEST_BYTES))
    return entry_ref(sign_entry(OWNERS[seat], GAME, (seat, 0), at, ["say", body]))


def step(log: Log, seat: int, body: object = None) -> Log:
    """The log with a step of one seat."""
    return log.with_step(StepItem((entry(log, seat, body),)))


def changed(log: Log, change, number: int = 0) -> Log:
    """The log with a change of members."""
    return log.with_change(ChangeItem(log.head, change, number), NEVER)


def ack(log: Log, seat: int, *excuses: Ballot) -> Ack:
    """What a member signs when it has the last item of a log."""
    below, item = log.below, log.item
    assert below is not None
    what = (item.change, item.round) if isinstance(item, ChangeItem) else (None, 0)
    place = (below.epoch, seat, log.height, below.head, log.head)
    return sign_as(OWNERS[seat], GAME, Ack(*place, *what, tuple(excuses)))


def vote(log: Log, seat: int, change=None, number: int = 0) -> Ballot:
    """A yes to a change behind a log, or a no."""
    head = b"" if change is None else log.head
    return sign_as(OWNERS[seat], GAME, Ballot(log.epoch, number, seat, head, change))
