"""The files of several players of one game together: where they part, and who signed both sides.

One file shows what one player has heard.  Two entries of one seat with one number, in two files,
prove that it cheated, also where each file alone holds.  Where two files differ and nobody signed
both, all whose entries stand in one of them are named: they can say who is right, a file cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from core.errors import HostlessError
from p2p.audit.seats import is_owned
from p2p.base.entry import Entry, check_signature, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.roster import Roster
from p2p.log.ledger import GameRecord, read_game


@dataclass(frozen=True, slots=True)
class TwoVersions:
    """Two entries that one seat has signed with one number."""

    seat: int
    number: int
    files: tuple[int, int]  # Which of the files hold them.


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two files go on in different ways."""

    height: int  # They have so many entries in common.
    files: tuple[int, int]
    signers: tuple[tuple[int, ...], tuple[int, ...]]  # Whose entries follow in each.


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several files of one game say together."""

    names: tuple[str, ...]  # Of the seats.
    lengths: tuple[int, ...]  # Entries in each file.
    same: int  # So many entries at the beginning are in all of them.
    contradictions: tuple[TwoVersions, ...]
    partings: tuple[Parting, ...]

    @property
    def agrees(self) -> bool:
        """Whether no file contradicts another: some may only end earlier."""
        return not (self.contradictions or self.partings)

    def plain(self) -> dict[str, object]:
        """The comparison as JSON values."""
        return {
            "same": self.same,
            "lengths": list(self.lengths),
            "contradictions": [
                {"seat": each.seat, "number": each.number, "files": list(each.files)}
                for each in self.contradictions
            ],
            "partings": [
                {"height": each.height, "files": list(each.files),
                 "signers": [list(seats) for seats in each.signers]}
                for each in self.partings
            ],
        }  # fmt: skip


def compare(paths: Sequence[Path]) -> Comparison:
    """Read the files of several players together.

    Raises:
        GameFileError: one of them is no game file, or cannot be read.
        HostlessError: they are of different games.
    """
    records = [read_game(path) for path in paths]
    if len({record.roster.game_id() for record in records}) > 1:
        raise HostlessError("these files are of different games", "audit them one by one")
    roster = records[0].roster
    logs = [[raw for _, raw in record.entries] for record in records]
    return Comparison(
        tuple(seat.name for seat in roster.seats),
        tuple(map(len, logs)),
        min((_common(*pair) for pair in combinations(logs, 2)), default=len(logs[0])),
        tuple(_contradictions(roster, records)),
        tuple(_partings(roster, logs)),
    )


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many entries two logs have in common from their beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _partings(roster: Roster, logs: Sequence[Sequence[bytes]]) -> list[Parting]:
    found = []
    for (a, one), (b, other) in combinations(enumerate(logs), 2):
        height = _common(one, other)
        if height < min(len(one), len(other)):
            signers = _signers(roster, one[height:]), _signers(roster, other[height:])
            found.append(Parting(height, (a, b), signers))
    return found


def _signers(roster: Roster, raws: Sequence[bytes]) -> tuple[int, ...]:
    signed = (_signed(roster, raw) for raw in raws)
    return tuple(sorted({entry.seat for entry in signed if entry is not None}))


def _contradictions(roster: Roster, records: Sequence[GameRecord]) -> list[TwoVersions]:
    """What seats have signed twice, each the first time."""
    known: dict[tuple[int, int], tuple[int, bytes]] = {}
    found: dict[int, TwoVersions] = {}
    for at, record in enumerate(records):
        noted = [raw for evidence in record.evidence for raw in evidence.raws]
        for raw in [*(raw for _, raw in record.entries), *noted]:
            entry = _signed(roster, raw)
            if entry is None:
                continue
            first, hashed = known.setdefault((entry.seat, entry.number), (at, entry.hash))
            if hashed != entry.hash:
                two = TwoVersions(entry.seat, entry.number, (first, at))
                found.setdefault(entry.seat, two)
    return [found[seat] for seat in sorted(found)]


def _signed(roster: Roster, raw: bytes) -> Entry | None:
    """An entry that the owner of a seat has signed in this game; None for anything else."""
    try:
        entry = parse_entry(raw)
        if entry.game != roster.game_id() or entry.seat >= len(roster.seats):
            return None
        seat = roster.seats[entry.seat]
        if seat.is_open or not is_owned(entry.number):
            return None  # Anybody can sign there.
        check_signature(entry, seat.identity)
    except (MalformedFrame, BadSignature):
        return None
    return entry
