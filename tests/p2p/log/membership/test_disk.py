"""What a member has put on disk is what it finds there after a crash, whatever has happened."""

import random

import pytest

from p2p.base.errors import MalformedFrame
from p2p.base.wire import decode, encode
from p2p.log.membership.disk import parse_record, plain_record, read_again
from p2p.log.membership.evidence import RuleViolation
from p2p.log.membership.log import StepItem
from p2p.log.membership.messages import REASON_SILENT, Ballot, Change
from p2p.log.membership.state import Appended, Convicting, PersistentState, Refusal, Store, Voted
from tests.p2p.log.membership.bounds import Bounds
from tests.p2p.log.membership.toy import ToyGame, entry_of, first_log, stamp
from tests.p2p.log.membership.walking import walk
from tests.p2p.log.membership.world import World

KINDS = {
    "farewell",
    "wrote",
    "step",
    "change",
    "cut",
    "vote",
    "refusal",
    "evidence",
    "in force",
    "end",
}


class Recorded(World):
    """A world in which everything that goes to disk is read again, byte by byte."""

    kinds: set[str]

    def receive(self, member, given):
        after, effects = super().receive(member, given)
        said = [plain_record(effect.record) for effect in effects if isinstance(effect, Store)]
        self.kinds |= {str(record[0]) for record in said}
        records = [decode(encode(record)) for record in said]
        assert read_again(member.kept, records, self.game) == after.kept
        return after, effects


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(4, ("each", "secret"), rounds=3, epochs=3, crashes=1, suspects=(1, 2, 3),
               restores=True),
        Bounds(3, ("run of 2", "each"), evil=2, rounds=2, crashes=1),
        Bounds(4, ("run of 3", "secret"), evil=3, rounds=2, epochs=2, suspects=(0, 1, 2, 3)),
        Bounds(3, ("each", "secret"), rounds=2, suspects=(), leavers=(1,)),
    ],
)  # fmt: skip
def test_whatever_is_put_on_disk_is_there_after_a_crash(bounds, seed):
    world = Recorded(bounds)
    world.kinds = set()
    found = walk(world, random.Random(seed).random(), 60, walks=12)
    assert not found.wrong, str(found)
    assert world.kinds >= {"wrote", "step", "vote"} and world.kinds <= KINDS


def kept():
    """A disk on which nothing is yet."""
    return PersistentState(first_log(3))


def test_every_kind_of_record_is_read_as_it_was_written():
    game, log = ToyGame(("each",)), first_log(3)
    step = StepItem(tuple(entry_of(log, seat, "say") for seat in range(3)))
    no = stamp(Ballot(log.epoch, 0, 1))
    yes = stamp(Ballot(log.epoch, 0, 0, log.head, Change(2, REASON_SILENT)))
    convicting = Convicting(RuleViolation(2, (step.entries[2].raw,)))
    appended = Appended(log.with_step(step), None)
    for record in (Voted(yes), Refusal(no), convicting, appended):
        plain = decode(encode(plain_record(record)))
        assert parse_record(log, plain, game) == record


@pytest.mark.parametrize(
    "record",
    [
        None, [], ["step", [], None], ["step", [b"x"], None], ["cut", bytes(32)],
        ["change", [0, "silent", b""], True, None], ["change", [0, "tired", b""], 0, None],
        ["change", [0, "silent", b""], 0, ["vote"]], ["refusal", ["ack"]], ["end", bytes(32)],
        ["in force", first_log(3).head, [None]], ["evidence", b"", b""],
        ["misplay", 2, [None]], ["anything", 1],
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused(record):
    with pytest.raises(MalformedFrame):
        read_again(kept(), [record], ToyGame(("each",)))


def test_a_step_that_answers_another_log_is_refused():
    game, log = ToyGame(("each", "each")), first_log(3)
    step = StepItem(tuple(entry_of(log, seat, "say") for seat in range(3)))
    record = plain_record(Appended(log.with_step(step), None))
    assert read_again(kept(), [record], game).log.height == 3
    with pytest.raises(MalformedFrame, match="another log"):
        read_again(kept(), [record, record], game)
