"""The files of several players of one game together: where they part, and who signed both sides.

One file shows what one player has heard.  Two entries of one seat that answer one head, in two
files, prove that it cheated, also where each file alone holds.  Where two files differ and nobody
signed both, all whose entries stand in one of them are named: they can say who is right, a file
cannot.
Whoever has signed a longer log in one file, once all had acknowledged it, and another in the other
is named as well: so a table is found out that has played an end once more without somebody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from core.errors import HostlessError
from p2p.audit.changes import RESTORE_KIND, Certificates, is_kind_of_change, parse_body
from p2p.audit.seats import is_owned
from p2p.base.entry import Entry, check_signature, heads_of, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.roster import Roster
from p2p.log.ledger import GameRecord, read_game
from p2p.log.membership.evidence import find_contradiction
from p2p.log.membership.messages import Ack
from p2p.log.notes import LogEnd


@dataclass(frozen=True, slots=True)
class TwoVersions:
    """Two entries that one seat has signed in answer to one log."""

    seat: int
    height: int  # Of that log.
    files: tuple[int, int]  # Which of the files hold them.


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two files go on in different ways."""

    height: int  # They have so many entries in common.
    files: tuple[int, int]
    signers: tuple[tuple[int, ...], tuple[int, ...]]  # Whose entries follow in each.
    both: tuple[int, ...]  # Who has signed a longer log than this in each.


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
                {"seat": each.seat, "height": each.height, "files": list(each.files)}
                for each in self.contradictions
            ],
            "partings": [
                {"height": each.height, "files": list(each.files),
                 "signers": [list(seats) for seats in each.signers], "both": list(each.both)}
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
        tuple(seat.shown_name for seat in roster.seats),
        tuple(map(len, logs)),
        min((_common(*pair) for pair in combinations(logs, 2)), default=len(logs[0])),
        tuple(_contradictions(roster, records)),
        tuple(_partings(roster, records)),
    )


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many entries two logs have in common from their beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _partings(roster: Roster, records: Sequence[GameRecord]) -> list[Parting]:
    found, logs = [], [_Log(roster, record) for record in records]
    for (a, one), (b, other) in combinations(enumerate(logs), 2):
        height = _common(one.raws, other.raws)
        if height < min(len(one.raws), len(other.raws)):
            signers = one.signers(height), other.signers(height)
            both = _bound_by_both(one, other, height)
            found.append(Parting(height, (a, b), signers, tuple(sorted(both))))
    return found


class _Log:
    """The log of one file, as far as it can be read: by height its head, and who sits there."""

    def __init__(self, roster: Roster, record: GameRecord) -> None:
        self._roster, self._record = roster, record
        self.raws = [raw for _, raw in record.entries]
        self._entries: list[Entry] = []
        self._members = [frozenset(at for at, seat in enumerate(roster.seats) if not seat.is_open)]
        for raw in self.raws:
            try:
                entry = parse_entry(raw)
            except MalformedFrame:
                break  # The audit of this file says so.
            self._entries.append(entry)
            self._members.append(_members_behind(entry, self._members[-1]))
        game = roster.game_id()
        self._heads = {0: game, **dict(heads_of(self._entries, 0, game))}
        self._ends = dict(ends_of(self._entries, game))
        self._acks = [acks for acks in self._all_acks() if acks]

    def signers(self, height: int) -> tuple[int, ...]:
        """Whose entries stand above a height, in answer to this log."""
        return tuple(sorted({entry.seat for _, entry in self._answers(height)}))

    def _answers(self, height: int) -> Iterator[tuple[int, Entry]]:
        """The entries above a height that their owners have signed for this log and no other."""
        for at, entry in enumerate(self._entries[height:], height):
            is_here = entry.height <= at and entry.head == self._heads.get(entry.height)
            if is_here and _signed(self._roster, entry.raw) is not None:
                yield at, entry

    def bound(self, height: int) -> set[int]:
        """Who has signed a head of this log above a height, after all had acknowledged it.

        From there on no honest program goes back.  Whoever acknowledges before that may have to,
        if somebody else cheats, and so may whoever only goes on with a run of its own.
        """
        seats, first = set[int](), dict[int, int]()  # By seat, where its first answer stands.
        for at, entry in self._answers(height):
            if any(place < entry.height for seat, place in first.items() if seat != entry.seat):
                seats.add(entry.seat)
            first.setdefault(entry.seat, at)
        for acks in self._acks:
            there = self._members[acks[0].height]
            if height < acks[0].height and there <= {ack.seat for ack in acks}:
                seats |= there
        return seats

    def acks_on(self, height: int) -> dict[int, Ack]:
        """What seats have acknowledged on top of so many entries."""
        head = self._heads.get(height)
        return {ack.seat: ack for acks in self._acks for ack in acks if ack.parent == head}

    def _all_acks(self) -> Iterator[list[Ack]]:
        """What was signed of each log of which something is noted."""
        for each in self._record.acks:
            if (end := self._ends.get(each.height)) is not None:
                place = each.height, end.parent, end.head
                yield [
                    Ack(end.epoch, seat, *place, signature=signature)
                    for seat, signature in enumerate(each.signatures)
                    if signature is not None and each.has(self._roster, seat, end)
                ]
        certificates = Certificates(self._roster, self._record.changes)
        for note in self._record.changes:
            if (end := self._ends.get(note.height)) is not None:
                try:
                    decided = parse_body(self._entries[note.height - 1])
                    yield certificates.acks(note, decided, end)
                except (MalformedFrame, BadSignature):
                    continue  # The audit of this file says so.


def _bound_by_both(one: _Log, other: _Log, height: int) -> set[int]:
    """Who has signed a longer log than this in each, but whoever had a reason to leave one."""
    there, here = one.acks_on(height), other.acks_on(height)
    excused = {
        seat for seat in there.keys() & here.keys()
        if find_contradiction(there[seat], here[seat]) is None
    }  # fmt: skip
    return (one.bound(height) & other.bound(height)) - excused


def ends_of(entries: Sequence[Entry], game: bytes) -> Iterator[tuple[int, LogEnd]]:
    """(height, what an acknowledgement names there), wherever a step of a log ends."""
    epoch = parent = game
    for height, head in heads_of(entries, 0, game):
        yield height, LogEnd(epoch, parent, head)
        parent = head
        if is_kind_of_change(entries[height - 1].kind):
            epoch = head


def _members_behind(entry: Entry, members: frozenset[int]) -> frozenset[int]:
    """Who is a member behind an entry; the audit of its file says whether it holds."""
    try:
        gone = parse_body(entry).change.gone if is_kind_of_change(entry.kind) else frozenset[int]()
    except MalformedFrame:
        return members
    return members | gone if entry.kind == RESTORE_KIND else members - gone


def _contradictions(roster: Roster, records: Sequence[GameRecord]) -> list[TwoVersions]:
    """What seats have signed twice, each the first time."""
    known: dict[tuple[int, int, bytes], tuple[int, bytes]] = {}
    found: dict[int, TwoVersions] = {}
    for at, record in enumerate(records):
        noted = [raw for evidence in record.evidence for raw in evidence.raws]
        for raw in [*(raw for _, raw in record.entries), *noted]:
            entry = _signed(roster, raw)
            if entry is None:
                continue
            place = entry.seat, entry.epoch, entry.head
            first, hashed = known.setdefault(place, (at, entry.hash))
            if hashed != entry.hash:
                two = TwoVersions(entry.seat, entry.height, (first, at))
                found.setdefault(entry.seat, two)
    return [found[seat] for seat in sorted(found)]


def _signed(roster: Roster, raw: bytes) -> Entry | None:
    """An entry that the owner of a seat has signed in this game; None for anything else."""
    try:
        entry = parse_entry(raw)
        if entry.game != roster.game_id() or entry.seat >= len(roster.seats):
            return None
        seat = roster.seats[entry.seat]
        if seat.is_open or not is_owned(entry.epoch):
            return None  # Anybody can sign there.
        check_signature(entry, seat.identity)
    except (MalformedFrame, BadSignature):
        return None
    return entry
