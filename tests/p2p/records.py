"""Game files in memory, whole and changed."""

from __future__ import annotations

from collections.abc import Iterable

from p2p.log.ledger import GameRecord
from p2p.log.notes import Evidence
from p2p.log.recovery import read_record
from p2p.log.replica import Replica


def record_of(replica: Replica, more: Iterable[bytes] = ()) -> GameRecord:
    """The record of what a machine holds, with `more` entries behind it.

    The offset of an entry is its place.
    """
    raws = [*(entry.raw for entry in replica.log), *more]
    return GameRecord(replica.roster, list(enumerate(raws)), size=len(raws))


def accused(record: GameRecord, seat: int, raws: Iterable[bytes]) -> GameRecord:
    """The record with an accusation at its end."""
    note = Evidence(seat, "words that nobody reads", list(raws), record.size)
    return GameRecord(record.roster, record.entries, [*record.evidence, note], size=record.size + 1)


def heard(record: GameRecord) -> Replica:
    """A spectator who has heard and verified the whole record; raises like `read_record`."""
    replica = Replica(record.roster)
    read_record(record, replica)
    return replica
