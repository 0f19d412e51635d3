"""What stands in a file between its entries: section 14 of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.p2p.verifier.log import Log
from tests.p2p.verifier.members import Members, Note
from tests.p2p.verifier.reading import Reading
from tests.p2p.verifier.values import Refused, encode, need, signed


def notes_of(records: Sequence[Any]) -> dict[int, Note]:
    """The records `in force`, by the height behind their changes."""
    found, height = {}, 0
    for record in records:
        match record:
            case ["entry", _]:
                height += 1
            case ["in force", int(end), list(acks), list(proof)]:
                need(end <= height, "a change is in force that has not come")
                found[end] = Note(acks, proof)
    return found


def judge_records(records: Sequence[Any], members: Members, reading: Reading) -> None:
    """All of them, in their order."""
    height, log = 0, members.log
    ends = {change.end for change in members.changes}
    for number, record in enumerate(records):
        match record:
            case ["entry", _]:
                height += 1
            case ["acks", at, list(signatures)]:
                is_end = at == height and at in log.items and log.items[at].is_step
                need(is_end, "`acks` where no step ends")
                judge_acks(log, at, signatures)
            case ["evidence", _, _, list(raws)]:
                reading.convicted |= members.convicted_by(raws)
            case ["in force", end, list(_), list(_)]:
                need(end in ends or end > log.height, "a change is in force that is none")
            case ["objection", at, seat, signature]:
                judge_objection(members, at, seat, signature)
            case ["claim", *fields]:
                is_last = number == len(records) - 1 and not reading.is_signed
                need(is_last, "a claim that is out of place")
                judge_claim(log, fields)
            case _:
                raise Refused(None, "a record that is none")


def judge_acks(log: Log, height: int, signatures: Sequence[Any]) -> None:
    roster, item = log.roster, log.items[height]
    need(len(signatures) == len(roster.all), "`acks` of another number of seats")
    for seat, mine in enumerate(signatures):
        fields = [item.table_epoch, seat, height, item.parent, item.head, None, 0, []]
        said = b"hostless ack" + encode([roster.id, *fields])
        good = mine is None or (seat in item.live and signed(roster.keys[seat], mine, said))
        need(good, f"a false `ack` of seat {seat} at {height}")


def judge_objection(members: Members, height: int, seat: int, signature: Any) -> None:
    """A seat says that it was not silent."""
    silent = [c for c in members.changes if (c.end, c.reason, c.seat) == (height, "silent", seat)]
    need(silent, "an objection to no change of its seat")
    roster = members.roster
    said = b"hostless objection" + encode([roster.id, height, silent[0].head, seat])
    need(signed(roster.keys[seat], signature, said), "an objection with a false signature")


def judge_claim(log: Log, fields: Sequence[Any]) -> None:
    """One live seat says that all others have fallen silent."""
    need(len(fields) == 5, "a claim of another form")
    seat, silent, height, head, signature = fields
    roster = log.roster
    need(seat in log.live and (height, head) == (log.height, log.head), "a claim on another log")
    others = [j for j in log.live if j != seat and roster.sponsors[j] != roster.keys[seat]]
    need(silent == others, "a claim about other seats")
    said = b"hostless claim" + encode([roster.id, height, head, seat, silent])
    need(signed(roster.keys[seat], signature, said), "a claim with a false signature")
