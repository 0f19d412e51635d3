"""Game files in memory, whole and changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from p2p.log.game_file import GameRecord
from p2p.log.notes import Evidence, InForceNote
from p2p.log.replay import read_record
from p2p.log.replica import Replica


def record_of(
    replica: Replica, more: Iterable[bytes] = (), notes: Sequence[InForceNote] = ()
) -> GameRecord:
    """The record of what a machine holds, with `more` entries behind it.

    The offset of an entry is its place, and that of a note the place of its change.  `notes` say
    by whom changes of members are in force.
    """
    raws = [*(entry.raw for entry in replica.log), *more]
    kept = [replace(note, offset=note.height - 1) for note in notes]
    return GameRecord(replica.roster, list(enumerate(raws)), changes=kept, size=len(raws))


def accused(record: GameRecord, seat: int, raws: Iterable[bytes]) -> GameRecord:
    """The record with an accusation at its end."""
    note = Evidence(seat, "words that nobody reads", list(raws), record.size)
    return replace(record, evidence=[*record.evidence, note], size=record.size + 1)


def heard(record: GameRecord) -> Replica:
    """A spectator who has heard and verified the whole record; raises like `read_record`."""
    replica = Replica(record.roster)
    read_record(record, replica)
    return replica
