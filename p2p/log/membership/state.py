"""What a member keeps, what it hears, and what it does about it.

    PersistentState  on disk: it is the same after a crash
    Member           that and what it has heard: the whole state of one machine
    inputs           what may happen to it: a message, an offered item, a timeout
    effects          what it does, in order: `Store` is on disk before the `Say` that follows it

Kept are the log, my own entries, votes, acknowledgements and farewells, the no of another that ends
what I had agreed to, and evidence.  Not kept: the yes and the acknowledgements of others, which can
be asked for again; those by which something came in force are stored for the audit (`InForce`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from p2p.log.membership.evidence import CheatProof, ConflictingPair, RuleViolation
from p2p.log.membership.log import ChangeItem, EntryRef, Log, StepItem
from p2p.log.membership.messages import Ack, Ballot, Farewell, RestoreWish, Signed

VOTE_ANSWER_S: Final = 2.0  # For all others to answer my yes, before I take it back.
BACK_OFF_FIRST_S: Final = 1.0  # Before I propose again what was refused,
BACK_OFF_LAST_S: Final = 16.0  # when it was refused again and again.

# ---- records: what is put on disk ----


class Wrote(NamedTuple):
    """An entry of mine, signed."""

    entry: EntryRef


class Appended(NamedTuple):
    """The log has one item more; `ack` is mine of it, unless I only look on."""

    log: Log
    ack: Ack | None


class CutTo(NamedTuple):
    """The log ends here again.  What stood above it, and my acknowledgements, stay as a note."""

    log: Log


class Voted(NamedTuple):
    """A vote of mine."""

    vote: Ballot


class Left(NamedTuple):
    """My farewell: I sign nothing more in its epoch, also when I start again."""

    farewell: Farewell


class Refusal(NamedTuple):
    """The no of another, by which something that bound me is over."""

    no: Ballot


class Convicting(NamedTuple):
    """What a member has signed and must not have."""

    evidence: CheatProof


class InForce(NamedTuple):
    """The acknowledgements by which the log came in force up to its end."""

    log: Log
    acks: tuple[Ack, ...]


class SessionEnded(NamedTuple):
    """Two logs that part are in force: the session is over, and goes on from where they part."""

    parts_at: Log


DiskRecord: TypeAlias = (
    Wrote | Appended | CutTo | Voted | Left | Refusal | Convicting | InForce | SessionEnded
)


class PersistentState(NamedTuple):
    """What is on disk."""

    log: Log
    entries: frozenset[EntryRef] = frozenset()
    acks: frozenset[Ack] = frozenset()
    votes: frozenset[Ballot] = frozenset()
    noes: frozenset[Ballot] = frozenset()
    farewells: frozenset[Farewell] = frozenset()
    guilty: tuple[CheatProof, ...] = ()
    has_ended: bool = False

    def with_record(self, record: DiskRecord) -> PersistentState:
        """The disk with a record more: the same function for the machine and for its restart."""
        match record:
            case Wrote(entry):
                return self._replace(entries=self.entries | {entry})
            case Appended(log, None):
                return self._replace(log=log)
            case Appended(log, Ack() as ack):
                return self._replace(log=log, acks=self.acks | {ack})
            case CutTo(log):
                return self._replace(log=log)
            case Voted(vote):
                return self._replace(votes=self.votes | {vote})
            case Left(farewell):
                return self._replace(farewells=self.farewells | {farewell})
            case Refusal(no):
                return self._replace(noes=self.noes | {no})
            case Convicting(evidence):
                return self._replace(guilty=(*self.guilty, evidence))
            case SessionEnded():
                return self._replace(has_ended=True)
        return self


class Member(NamedTuple):
    """One machine at the table, or one that only looks on or was removed."""

    me: int
    kept: PersistentState
    heard: frozenset[Ballot] = frozenset()  # Votes of others, of this epoch and of the last change.
    acks: frozenset[Ack] = frozenset()  # Of others, of what is not in force yet.
    silent: frozenset[int] = frozenset()  # Of whom nothing was heard for the time of grace.
    asked: frozenset[Farewell | RestoreWish] = frozenset()  # In this epoch.
    committed: int = 0  # The height up to which I know that the log is in force.

    @property
    def log(self) -> Log:
        """The log."""
        return self.kept.log


# ---- inputs: what may happen; two of one kind are never the same as one of another ----


class Write(NamedTuple):
    """My entry of the current step is made; it is said if I may say it now."""

    entry: EntryRef


class Presented(NamedTuple):
    """Somebody shows an item of its log, with acknowledgements of it.

    The game has found that its entries hold; of a change it has checked the reason's proof.
    """

    item: StepItem | ChangeItem
    acks: tuple[Ack, ...] = ()
    leaves_me: bool = False  # A change shown with it lets me go: I am not asked for this one.


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing was heard of a member for the time of grace."""

    seat: int


@dataclass(frozen=True, slots=True)
class HeardAgain:
    """A member is heard again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Retry:
    """The time to propose once more has come."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """My yes is older than `VOTE_ANSWER_S`."""


@dataclass(frozen=True, slots=True)
class Departing:
    """My owner leaves, and gives the secret of its key, if it has one."""

    key: bytes = b""


MemberInput: TypeAlias = (
    Write
    | Presented
    | Silent
    | HeardAgain
    | Retry
    | Unanswered
    | Departing
    | Signed
    | ConflictingPair
    | RuleViolation
)


# ---- effects: what a member does ----


class Store(NamedTuple):
    """Put this on disk, and go on when it is there."""

    record: DiskRecord


class Say(NamedTuple):
    """Tell everybody."""

    message: Signed | EntryRef | CheatProof


class Wake(NamedTuple):
    """Come back with this input after so many seconds."""

    given: Retry | Unanswered
    seconds: float


MemberEffect: TypeAlias = Store | Say | Wake
