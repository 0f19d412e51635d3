"""Two signed things that no honest member signs both: they prove a cheat to anybody, without a log.

    E1   two entries of one seat on one head
    E2   two acknowledgements of one member on one head, unless the later one excuses the earlier
    E3   two yes of one member in one round, for another change or at another head
    E4   a no, and the acknowledgement of what its round decided

A member may acknowledge a change, see it refused, and acknowledge something else on that head: then
the second acknowledgement has to contain the refusal, a no of a needed member in that round.  A
step may be followed on its head by the conviction of somebody who wrote two versions of it; that
has evidence of its own.

So two logs in force that part always convict somebody: at the head where they part, any two
changes, or a change and a step, need a member in common, and what it signed there is E2, or E4 of
the one whose no it shows.  No set of acknowledgements has to be complete.

A `RuleViolation` is what the game finds wrong: it proves itself against the log in which it stands,
so everybody finds it by itself, and nobody believes it.

What this does not find: a member that says nothing, or always no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple, TypeAlias

from p2p.base.entry import check_signature, parse_entry
from p2p.base.errors import MalformedFrame
from p2p.base.wire import decode, encode
from p2p.log.membership.log import Certificate, EntryRef, Log, needed, parse_entry_ref
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
    Signed,
    Verify,
    message_of,
    parse_signed,
)

HONEST_MIN: Final = 2  # One alone does not go back to a change.
SignedStatement: TypeAlias = EntryRef | Signed  # All that a seat signs of the log and its members.
CheckEntry: TypeAlias = Callable[[EntryRef], None]  # That its seat has signed it.


class ConflictingPair(NamedTuple):
    """Two things that one seat has signed; `kind` says why they contradict each other."""

    kind: str
    seat: int
    first: SignedStatement
    second: SignedStatement

    def plain(self) -> list[object]:
        """The message, and the record of the file."""
        return ["evidence", raw_of(self.first), raw_of(self.second)]


class RuleViolation(NamedTuple):
    """Entries that a seat must not have signed, as the game finds where they stand."""

    seat: int
    entries: tuple[bytes, ...]

    def plain(self) -> list[object]:
        """The record of the file."""
        return ["misplay", self.seat, list(self.entries)]


CheatProof: TypeAlias = ConflictingPair | RuleViolation
FindViolation: TypeAlias = Callable[[RuleViolation], None]  # MalformedFrame: there is none.
MayCallSilent: TypeAlias = Callable[[int, frozenset[int]], bool]  # As `LogGame` has it.


def find_contradiction(first: SignedStatement, second: SignedStatement) -> ConflictingPair | None:
    """The evidence in two signed things, if there is any; signatures are checked elsewhere."""
    if first.seat != second.seat:
        return None
    kind = _kind_of(first, second)
    if not kind and type(first) is not type(second):  # Of two alike either may be the first.
        kind = _kind_of(second, first)
    return ConflictingPair(kind, first.seat, first, second) if kind else None


def find_all(said: Iterable[SignedStatement]) -> list[ConflictingPair]:
    """Every contradiction in what was signed: of a game, or of the files of several players."""
    together: dict[object, list[SignedStatement]] = {}
    for each in said:
        for place in _places_of(each):
            together.setdefault(place, []).append(each)
    pairs = chain.from_iterable(combinations(each, 2) for each in together.values())
    found = (find_contradiction(*pair) for pair in pairs)
    return list(dict.fromkeys(each for each in found if each is not None))


def _places_of(said: SignedStatement) -> Iterator[tuple[int, object]]:
    """By seat the head, and the round, that something signed answers: it contradicts no other."""
    match said:
        case EntryRef():
            yield said.seat, said.parent
        case Ack():
            yield said.seat, (said.parent, "ack")
            if said.change is not None:
                yield said.seat, (said.epoch, said.round)
        case Ballot():
            yield said.seat, (said.epoch, said.round)


def _kind_of(first: SignedStatement, second: SignedStatement) -> str:
    match first, second:
        case EntryRef(), EntryRef():
            is_two = first.parent == second.parent and first.hash != second.hash
            return "E1" if is_two else ""
        case Ack(), Ack():
            is_two = first.parent == second.parent and first.head != second.head
            return "E2" if is_two and not _may_have_left(first, second) else ""
        case Ballot(), Ballot() if first.is_yes and second.is_yes:
            is_one_round = first.ballot_round == second.ballot_round
            return "E3" if is_one_round and first.proposal != second.proposal else ""
        case Ballot(), Ack() if not first.is_yes and second.change is not None:
            is_one_round = first.ballot_round == (second.epoch, second.round)
            return "E4" if is_one_round else ""
    return ""


def _may_have_left(one: Ack, other: Ack) -> bool:
    """Whether one of these may be acknowledged after the other."""
    return any(_is_excused(earlier, later) for earlier, later in ((one, other), (other, one)))


def _is_excused(earlier: Ack, later: Ack) -> bool:
    if earlier.change is None:  # A cheater wrote two versions of the step.
        return later.change is not None and later.change.reason == REASON_CONVICTED
    return any(ends(no, earlier) for no in later.excuses)


def ends(no: Ballot, ack: Ack) -> bool:
    """Whether the no of a needed member ends the change that somebody acknowledged."""
    assert ack.change is not None, "a step is ended by nobody's no"
    is_of_round = no.ballot_round == (ack.epoch, ack.round)
    return is_of_round and not no.is_yes and no.seat not in ack.change.gone | {ack.seat}


# ---- from bytes, and signatures ----


def parse_evidence(message: list[object]) -> ConflictingPair:
    """Evidence as it comes; signatures are not checked yet.

    Raises:
        MalformedFrame: these two contradict nothing.
    """
    match message:
        case ["evidence", bytes(first), bytes(second)]:
            found = find_contradiction(parse_statement(first), parse_statement(second))
            if found is not None:
                return found
    raise MalformedFrame("this is no evidence")


def entry_checker(identities: Sequence[bytes]) -> CheckEntry:
    """What makes sure that an entry was signed by the identity of its seat."""

    def check(entry: EntryRef) -> None:
        if entry.seat not in range(len(identities)):
            raise MalformedFrame("there is no such seat")
        check_signature(parse_entry(entry.raw), identities[entry.seat])

    return check


def check_evidence(evidence: ConflictingPair, verify: Verify, check_entry: CheckEntry) -> None:
    """Make sure that both were signed, and that they are no invention of who shows them.

    Raises:
        MalformedFrame: they contradict nothing; BadSignature: one of them was not signed.
    """
    if find_contradiction(evidence.first, evidence.second) != evidence:
        raise MalformedFrame("this is no evidence")
    for each in (evidence.first, evidence.second):
        if isinstance(each, EntryRef):
            check_entry(each)
        else:
            verify(each)


class ProofChecks(NamedTuple):
    """How the proof of a change is checked."""

    verify: Verify
    check_entry: CheckEntry
    find_violation: FindViolation
    may_call_silent: MayCallSilent


def check_proof(certificate: Certificate, below: Log, checks: ProofChecks) -> None:
    """Make sure that a change has the reason that it gives; `below` is the log that it stands on.

    Silence is what several persons say who are needed, whoever else has acknowledged it.

    Raises:
        MalformedFrame: it has another; BadSignature: what proves it was not signed.
    """
    change, raws, verify = certificate.decided.change, certificate.proof, checks.verify
    epoch, voters = below.epoch, needed(below.members, change)
    count = len(raws) - len(change.leavers)
    if count >= 0:
        proof, farewells = raws[:count], raws[count:]
        for seat, raw in zip(change.leavers, farewells, strict=True):
            _check_said(Change(seat, REASON_LEFT, _key_in(raw)), raw, epoch, verify)
        is_silent = change.reason == REASON_SILENT and not proof
        if is_silent and checks.may_call_silent(change.seat, voters):
            return
        if change.reason == REASON_CONVICTED and proof:
            _check_conviction(change.seat, proof, checks)
            return
        if change.reason in (REASON_LEFT, REASON_RESTORE) and len(proof) == 1:
            _check_said(change, proof[0], epoch, verify)
            return
    raise MalformedFrame("nothing proves the reason of this change")


def _check_conviction(seat: int, proof: Sequence[bytes], checks: ProofChecks) -> None:
    try:
        found = parse_evidence(["evidence", *proof])
    except MalformedFrame:
        checks.find_violation(RuleViolation(seat, tuple(proof)))
        return
    check_evidence(found, checks.verify, checks.check_entry)
    if found.seat != seat:
        raise MalformedFrame("this convicts another seat")


def _key_in(raw: bytes) -> bytes:
    """The key that somebody gives who leaves beside another."""
    said = parse_statement(raw)
    return said.key if isinstance(said, Farewell) else b""


def _check_said(change: Change, raw: bytes, epoch: bytes, verify: Verify) -> None:
    """Make sure that whom a change is about has said farewell, or wishes to be back."""
    said = parse_statement(raw)
    kinds = {REASON_LEFT: Farewell, REASON_RESTORE: RestoreWish}
    if not isinstance(said, Farewell | RestoreWish) or not isinstance(said, kinds[change.reason]):
        raise MalformedFrame("nothing proves the reason of this change")
    if said.key != change.key:
        raise MalformedFrame("another key was given than all have agreed on")
    if (said.epoch, said.seat) != (epoch, change.seat):
        raise MalformedFrame("this was said of another epoch, or of another seat")
    verify(said)


def raw_of(said: SignedStatement) -> bytes:
    """The bytes of something that a seat has signed, as evidence holds them."""
    return said.raw if isinstance(said, EntryRef) else encode(message_of(said))


def parse_statement(raw: bytes) -> SignedStatement:
    """Something that a seat has signed, as evidence holds it; its signature is not checked yet.

    Raises:
        MalformedFrame: it is nothing of that kind.
    """
    match decode(raw):
        case [str() as kind, *fields]:
            return parse_signed([kind, *fields])
    return parse_entry_ref(raw)
