"""A log as membership sees it: steps and changes on top of each other, each with a head.

    step      the entries that answer one head, of all seats that were due there
    change    a seat goes or comes back: the next epoch begins

A `Log` is a value; it shares all that stands below its last item with the log from which it was
made.  What follows from a log alone is in it: members, epoch, who has gone and how often.  What is
due next is known by the game (`LogGame`), which is asked and never told.

An item is **in force** when all members that it leaves have acknowledged it, and all that it stands
on.  Nobody answers what is not in force, but its own author (`Log.is_barrier_to`); what is in
force is never cut off.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from p2p.base.entry import Entry, next_head, parse_entry
from p2p.base.errors import MalformedFrame
from p2p.base.wire import encode
from p2p.log.membership.messages import (
    REASON_RESTORE,
    Ack,
    Change,
    Signed,
    Verify,
    message_of,
)


class EntryRef(NamedTuple):
    """An entry, as far as membership depends on it: who says which bytes as an answer to a head."""

    seat: int
    parent: bytes
    hash: bytes
    raw: bytes


def entry_ref(entry: Entry) -> EntryRef:
    """What membership needs of an entry."""
    return EntryRef(entry.seat, entry.parent, entry.hash, entry.raw)


def parse_entry_ref(raw: bytes) -> EntryRef:
    """The same from bytes; its signature is not checked yet.

    Raises:
        MalformedFrame: they are no entry.
    """
    return entry_ref(parse_entry(raw))


class StepItem(NamedTuple):
    """The entries of one step of the game, in the order of their seats."""

    entries: tuple[EntryRef, ...]

    @property
    def parent(self) -> bytes:
        """The head that it stands on."""
        return self.entries[0].parent

    @property
    def seats(self) -> frozenset[int]:
        """Who has written in it."""
        return frozenset(entry.seat for entry in self.entries)


class ChangeItem(NamedTuple):
    """A change of members in a log: all whom it needs have agreed on it, in this round."""

    parent: bytes
    change: Change
    round: int


Item: TypeAlias = StepItem | ChangeItem


class Absent(NamedTuple):
    """A seat that has gone, or had: how often, and how many requests were answered for it then."""

    seat: int
    times: int
    answered: int


class LogGame(Protocol):
    """What follows from a log, but is known to the game alone."""

    def due(self, log: Log) -> frozenset[int]:
        """The seats of which the current step needs an entry; nobody: the game is over."""

    def is_between_requests(self, log: Log) -> bool:
        """Whether the current request has only been asked."""

    def answered(self, log: Log, seat: int) -> int:
        """How many requests have been answered for a seat, by whomever."""

    def may_change(self, log: Log, change: Change) -> bool:
        """Whether the game can go on with these members, as far as their keys allow it."""

    def may_call_silent(self, seat: int, voters: frozenset[int]) -> bool:
        """Whether the word of these members is that of several persons, and lets a seat go."""

    def head_behind(self, log: Log, decided: ChangeItem) -> bytes:
        """The head of a log that has a change behind it: a hash of its head, change and round."""


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """All that stands up to one head."""

    below: Log | None
    item: Item | None
    head: bytes
    height: int  # Entries and changes.
    epoch: bytes
    change_count: int  # Of changes, by which an exploration is bounded.
    members: frozenset[int]
    author: int | None = None  # The only member that wrote the last item; None: several, a change.
    absent: tuple[Absent, ...] = ()
    change_below: Log | None = None  # The log that ends with the last change below the last item.

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and self.head == other.head

    def __hash__(self) -> int:
        return hash(self.head)

    def with_step(self, step: StepItem) -> Log:
        """The log with a step behind it.

        What everybody writes for a seat that has gone is nobody's.
        """
        head = next_head(self.head, step.entries)
        height, there = self.height + len(step.entries), self.members & set(step.seats)
        author = next(iter(there)) if len(there) == 1 else None
        return Log(
            *(self, step, head, height, self.epoch, self.change_count, self.members, author),
            absent=self.absent, change_below=self.last_change,
        )  # fmt: skip

    def with_change(self, decided: ChangeItem, game: LogGame) -> Log:
        """The log with a change behind it."""
        change, members, absent = decided.change, self.members, self.absent
        head = game.head_behind(self, decided)
        if change.reason == REASON_RESTORE:
            members |= {change.seat}
        else:
            members -= change.gone
            for seat in sorted(change.gone):
                absent = _went(absent, seat, game.answered(self, seat))
        return Log(
            *(self, decided, head, self.height + 1, head, self.change_count + 1, members, None),
            absent=absent, change_below=self.last_change,
        )  # fmt: skip

    def down(self) -> Iterator[Log]:
        """This log, and each below it, down to the beginning."""
        log: Log | None = self
        while log is not None:
            yield log
            log = log.below

    def find(self, head: bytes) -> Log | None:
        """The log with this head on which mine stands."""
        return next((log for log in self.down() if log.head == head), None)

    def absence_of(self, seat: int) -> Absent | None:
        """When a seat went the last time."""
        return next((each for each in self.absent if each.seat == seat), None)

    def is_barrier_to(self, due: Collection[int]) -> bool:
        """The barrier: whether those who write next answer the log only once it is in force.

        They do, unless one seat alone goes on above its own step.  So who tells two seats two
        things parts their logs by its own last entries, on which nobody has built.  Where others
        write beside it, it waits as well: they would see its share or lot, and let it go below
        the choice that made it due.
        """
        return self.below is not None and {*due} != {self.author}

    @property
    def decision(self) -> tuple[Change | None, int]:
        """The change that the last item is, and the round of it; of a step: none, and 0."""
        item = self.item
        return (item.change, item.round) if isinstance(item, ChangeItem) else (None, 0)

    @property
    def last_change(self) -> Log | None:
        """The log that ends with the change that began this epoch."""
        return self if isinstance(self.item, ChangeItem) else self.change_below


def empty_log(game_id: bytes, members: Collection[int]) -> Log:
    """The log of a game that begins."""
    return Log(None, None, game_id, 0, game_id, 0, frozenset(members))


def _went(absent: tuple[Absent, ...], seat: int, answered: int) -> tuple[Absent, ...]:
    before = next((each for each in absent if each.seat == seat), Absent(seat, 0, 0))
    others = [each for each in absent if each.seat != seat]
    return tuple(sorted([*others, Absent(seat, before.times + 1, answered)]))


def needed(members: Collection[int], change: Change) -> frozenset[int]:
    """Who has to agree to a change: all members but those that it removes."""
    return frozenset(members) - change.gone


def is_in_force(log: Log, acks: Collection[Ack], committed: int = 0) -> bool:
    """Whether all members that a log leaves have acknowledged it and all that it stands on.

    What is not higher than `committed` is known to be in force.  What leaves nobody never is:
    anybody could show it.
    """
    if not log.members:
        return False
    by = {(ack.seat, ack.head) for ack in acks if ack.height > committed}
    for below in log.down():
        if below.height <= committed:
            break
        if any((seat, below.head) not in by for seat in log.members & below.members):
            return False
    return True


# ---- certificates ----


class Certificate(NamedTuple):
    """A change with the acknowledgements that put it in force, and with its reason's proof.

    `proof` is the farewell, the wish or the evidence, as messages; for silence the acknowledgements
    are all there is.  The farewells of the leavers follow, in the order of their seats.
    """

    decided: ChangeItem
    acks: tuple[Ack, ...]
    proof: tuple[bytes, ...] = ()
    steps: tuple[StepItem, ...] = ()  # For open seats, behind the change that stands below it.


def check_chain(
    log: Log, certificates: Collection[Certificate], verify: Verify, game: LogGame
) -> Log:
    """The log behind changes that stand on each other, if the last one is in force.

    `log` is the log that they stand on; the farewell, wish or evidence is judged by `check_proof`
    in `p2p.log.membership.evidence`.  A change may be in force only with the next one, by which
    those go who had not acknowledged it.  What everybody writes for open seats may stand between
    the two, since that waits for nobody: who has acknowledged the last change has that, too.

    Raises:
        MalformedFrame: it is not in force; BadSignature: a member did not sign its acknowledgement.
    """
    committed, acks, between = log.height, list[Ack](), list[Log]()
    for certificate in certificates:
        change = certificate.decided.change
        for step in certificate.steps:
            if step.parent != log.head or step.seats & log.members:
                raise MalformedFrame("a member has written between these changes")
            log = log.with_step(step)
            between.append(log)
        if certificate.decided.parent != log.head:
            raise MalformedFrame("this change stands on another log")
        check_members(log.members, change)
        log = log.with_change(certificate.decided, game)
        acks += [ack for ack in certificate.acks if is_of(ack, log)]
    for ack in acks:
        verify(ack)
    have_all = {ack.seat for ack in acks if ack.head == log.head}
    acks += [ack_of(each, seat) for each in between for seat in have_all & each.members]
    if not is_in_force(log, acks, committed):
        raise MalformedFrame("not all members that this change leaves have acknowledged it")
    return log


def check_members(members: Collection[int], change: Change) -> None:
    """Make sure that a change is about whom it can be about, and leaves somebody.

    Raises:
        MalformedFrame: not so.
    """
    there, is_back = frozenset(members), change.reason == REASON_RESTORE
    if (change.seat in there) if is_back else not change.gone <= there:
        raise MalformedFrame("nobody who is out can go, nobody who is there come back")
    if not is_back and not there - change.gone:
        raise MalformedFrame("somebody has to stay")


def is_of(ack: Ack, log: Log) -> bool:
    """Whether an acknowledgement is of the last item of this log, with every field."""
    below = log.below
    if ack.head != log.head or below is None:
        return False  # Most are of another log.
    place = (below.epoch, log.height, below.head)
    is_there = ack.seat in log.members and (ack.epoch, ack.height, ack.parent) == place
    return is_there and (ack.change, ack.round) == log.decision


def ack_of(log: Log, seat: int) -> Ack:
    """What a seat that has this log says of its last item; not signed, and without excuses."""
    below = log.below
    assert below is not None, "an empty log is acknowledged by nobody"
    return Ack(below.epoch, seat, log.height, below.head, log.head, *log.decision)


def signed_raw(message: Signed) -> bytes:
    """A signed message as bytes, for the proof of a change."""
    return encode(message_of(message))
