"""What a member keeps, as records: one after the other, and read again after a crash.

A machine keeps its votes, its farewells and refusals so, in the secrets file.
The rest stands in that file in a form that an audit reads (`p2p.session.restarting` puts both
together), and has this form where tests start members again.

    ["wrote", entry]                        an entry of mine
    ["step", [entry, ...], ack]             the log has a step more; nothing in place of the ack
    ["change", change, round, ack]          or a change of members, of those who only look on
    ["cut", head]                           the log ends here again
    ["vote", ...]                           a vote of mine, as it was said
    ["farewell", ...]                       that I leave, as it was said
    ["refusal", vote]                       the no of another, by which I have gone back
    ["evidence", first, second]             what somebody has signed twice
    ["misplay", seat, [entry, ...]]         or must not have signed in this game
    ["in force", head, [ack, ...]]          by what the log came in force
    ["end", head]                           the session is over, and goes on from there

What stands above a cut stays in the file: my acknowledgements of it exist.  A record is read by the
log before it, so a file that was cut off anywhere gives what was on disk by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from p2p.base.errors import MalformedFrame
from p2p.log.membership.evidence import RuleViolation, parse_evidence
from p2p.log.membership.log import ChangeItem, Log, LogGame, StepItem, parse_entry_ref
from p2p.log.membership.messages import (
    Ack,
    Ballot,
    Farewell,
    message_of,
    parse_change,
    parse_signed,
)
from p2p.log.membership.state import (
    Appended,
    Convicting,
    CutTo,
    DiskRecord,
    InForce,
    Left,
    PersistentState,
    Refusal,
    SessionEnded,
    Voted,
    Wrote,
)


def plain_record(record: DiskRecord) -> list[object]:
    """The record as it is put on disk."""
    match record:
        case Wrote(entry):
            return ["wrote", entry.raw]
        case Appended(Log(item=StepItem(entries)), ack):
            return ["step", [entry.raw for entry in entries], _plain_ack(ack)]
        case Appended(Log(item=ChangeItem(_, change, number)), ack):
            return ["change", change.plain(), number, _plain_ack(ack)]
        case CutTo(log):
            return ["cut", log.head]
        case Voted(vote):
            return message_of(vote)
        case Left(farewell):
            return message_of(farewell)
        case Refusal(no):
            return ["refusal", message_of(no)]
        case Convicting(evidence):
            return evidence.plain()
        case InForce(log, acks):
            return ["in force", log.head, [message_of(ack) for ack in acks]]
        case SessionEnded(log):
            return ["end", log.head]
    raise AssertionError("a log that was appended to has an item")


def _plain_ack(ack: Ack | None) -> list[object] | None:
    return None if ack is None else message_of(ack)


def read_again(kept: PersistentState, records: Iterable[object], game: LogGame) -> PersistentState:
    """What is on disk behind `kept`, once these records are.

    Raises:
        MalformedFrame: they do not follow from each other.
    """
    for plain in records:
        kept = kept.with_record(parse_record(kept.log, plain, game))
    return kept


def parse_record(log: Log, plain: object, game: LogGame) -> DiskRecord:
    """A record, read where the log was this one.

    Raises:
        MalformedFrame: it is none, or is about another log.
    """
    match plain:
        case ["wrote", bytes(raw)]:
            return Wrote(parse_entry_ref(raw))
        case ["step", list(raws), ack] if raws and all(isinstance(raw, bytes) for raw in raws):
            step = StepItem(tuple(map(parse_entry_ref, cast("list[bytes]", raws))))
            if {entry.parent for entry in step.entries} != {log.head}:
                raise MalformedFrame("this step answers another log")
            return Appended(log.with_step(step), _parse_ack(ack))
        case ["change", value, int(number), ack] if type(number) is int and number >= 0:
            change = parse_change(value)
            decided = ChangeItem(log.head, change, number)
            after = log.with_change(decided, game)
            return Appended(after, _parse_ack(ack))
        case ["cut", bytes(head)]:
            return CutTo(_find(log, head))
        case ["vote", *fields]:
            return Voted(_parse_ballot(["vote", *fields]))
        case ["farewell", *fields]:
            return Left(_parse_farewell(["farewell", *fields]))
        case ["refusal", list(vote)]:
            return Refusal(_parse_ballot(vote))
        case ["evidence", *fields]:
            return Convicting(parse_evidence(["evidence", *fields]))
        case ["misplay", int(seat), list(raws)] if all(isinstance(raw, bytes) for raw in raws):
            return Convicting(RuleViolation(seat, tuple(cast("list[bytes]", raws))))
        case ["in force", bytes(head), list(acks)]:
            return InForce(_find(log, head), tuple(_the_ack(ack) for ack in acks))
        case ["end", bytes(head)]:
            return SessionEnded(_find(log, head))
    raise MalformedFrame("this record is none that we know")


def _find(log: Log, head: bytes) -> Log:
    found = log.find(head)
    if found is None:
        raise MalformedFrame("this log has no such head")
    return found


def _parse_ack(value: object) -> Ack | None:
    return None if value is None else _the_ack(value)


def _the_ack(value: object) -> Ack:
    said = parse_signed(value) if isinstance(value, list) else None
    if isinstance(said, Ack):
        return said
    raise MalformedFrame("this is no acknowledgement")


def _parse_farewell(value: list[object]) -> Farewell:
    said = parse_signed(value)
    assert isinstance(said, Farewell), "its kind says so"
    return said


def _parse_ballot(value: list[object]) -> Ballot:
    said = parse_signed(value)
    if isinstance(said, Ballot):
        return said
    raise MalformedFrame("this is no vote")
