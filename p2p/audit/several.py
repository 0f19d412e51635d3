"""The files of several players of one game together: where they part, and who signed both sides.

One file shows what one player has heard.  All that was signed in them is held against each other
(`p2p.log.membership.evidence`): two entries or acknowledgements of one seat on one head, in two
files, prove that it cheated, also where each file alone holds.  Where two files differ and nobody
signed both, all whose entries stand in one of them are named: they can say who is right, a file
cannot.
Whoever has signed a longer log in one file, once all had acknowledged it, and another in the other
is named as well: so a table is found out that has played an end once more without somebody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path

from core.errors import HostlessError
from p2p.audit.changes import RESTORE_KIND, Certificates, is_kind_of_change, parse_body
from p2p.audit.seats import is_owned
from p2p.base.entry import Entry, check_signature, heads_of, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.roster import Roster
from p2p.log.game_file import GameRecord, read_game
from p2p.log.membership.evidence import (
    SignedStatement,
    find_all,
    find_contradiction,
    parse_statement,
)
from p2p.log.membership.log import EntryRef
from p2p.log.membership.messages import Ack, Ballot, verifier_of
from p2p.log.notes import LogEnd


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two things that one seat has signed, of which no honest program signs both."""

    seat: int
    kind: str  # E1 to E4: see `p2p.log.membership.evidence`.
    height: int  # Of the log that its entries answer, or that it has acknowledged or voted on.
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
    contradictions: tuple[Contradiction, ...]  # The first of each seat.
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
                {"seat": each.seat, "kind": each.kind, "height": each.height,
                 "files": list(each.files)}
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
    if len({record.roster.game_id for record in records}) > 1:
        raise HostlessError("these files are of different games", "audit them one by one")
    roster = records[0].roster
    logs = [_Log(roster, record) for record in records]
    raws = [log.raws for log in logs]
    return Comparison(
        tuple(seat.shown_name for seat in roster.seats),
        tuple(map(len, raws)),
        min((_common(*pair) for pair in combinations(raws, 2)), default=len(raws[0])),
        tuple(_contradictions(roster, logs)),
        tuple(_partings(logs)),
    )


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many entries two logs have in common from their beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _partings(logs: Sequence[_Log]) -> list[Parting]:
    found = []
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
        self._game = game = roster.game_id
        self._heads = {0: game, **dict(heads_of(self._entries, 0, game))}
        self.heights = {head: height for height, head in self._heads.items()}
        self._ends = dict(ends_of(self._entries, game))
        self._acks = [acks for acks in self._all_acks() if acks]

    def signers(self, height: int) -> tuple[int, ...]:
        """Whose entries stand above a height, in answer to this log."""
        return tuple(sorted({entry.seat for _, entry in self._answers(height)}))

    def _answers(self, height: int) -> Iterator[tuple[int, Entry]]:
        """The entries above a height that their owners have signed for this log and no other."""
        for at, entry in enumerate(self._entries[height:], height):
            is_here = entry.height <= at and entry.parent == self._heads.get(entry.height)
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

    def said(self) -> Iterator[SignedStatement]:
        """What owners of seats have signed, of all that stands in the file."""
        verify = verifier_of([seat.identity for seat in self._roster.seats], self._game)
        noted = [raw for evidence in self._record.evidence for raw in evidence.raws]
        for raw in [*self.raws, *noted]:
            try:
                said = parse_statement(raw)
                if not isinstance(said, EntryRef):
                    verify(said)
                    yield said
                elif _signed(self._roster, raw) is not None:
                    yield said
            except (MalformedFrame, BadSignature):
                continue  # The audit of this file says so.
        for ack in chain.from_iterable(self._acks):
            yield ack
            yield from ack.excuses

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


def _contradictions(roster: Roster, logs: Sequence[_Log]) -> list[Contradiction]:
    """What seats have signed against their own word, the first of each."""
    files: dict[SignedStatement, int] = {}  # In which each was found first.
    for at, log in enumerate(logs):
        for said in log.said():
            files.setdefault(said, at)
    heights = {head: height for log in logs for head, height in log.heights.items()}
    found: dict[int, Contradiction] = {}
    for two in find_all(files):
        if not roster.seats[two.seat].is_open:
            places = (_height_of(each, heights) for each in (two.first, two.second))
            one, other = sorted((files[two.first], files[two.second]))
            each = Contradiction(two.seat, two.kind, max(places), (one, other))
            found.setdefault(two.seat, each)
    return [found[seat] for seat in sorted(found)]


def _height_of(said: SignedStatement, heights: Mapping[bytes, int]) -> int:
    """Of the log that something signed is about; 0 if it does not say that."""
    match said:
        case Ack():
            return said.height
        case EntryRef() | Ballot():
            return heights.get(said.parent, 0)
    return 0


def _signed(roster: Roster, raw: bytes) -> Entry | None:
    """An entry that the owner of a seat has signed in this game; None for anything else."""
    try:
        entry = parse_entry(raw)
        if entry.game != roster.game_id or entry.seat >= len(roster.seats):
            return None
        seat = roster.seats[entry.seat]
        if seat.is_open or not is_owned(entry.seat_epoch):
            return None  # Anybody can sign there.
        check_signature(entry, seat.identity)
    except (MalformedFrame, BadSignature):
        return None
    return entry
