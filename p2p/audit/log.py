"""The log as a file has it: who signed what, in which order, on top of what.

docs/spec/protocol.md, sections 7, 8 and 13, for somebody who only reads.  Reading may stop
before the end of the game for three reasons, each with an exception of its own: the file ends, the
file does not hold what was signed, or a seat signed what it must not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from itertools import compress
from typing import Final, TypeAlias, TypeVar

from core.table import RulesError, Table
from p2p.audit.changes import (
    REPLACE_KIND,
    Certificates,
    UnfinishedChange,
    are_in_force,
    is_convicting,
    is_kind_of_change,
    parse_body,
)
from p2p.audit.seats import ChangeEffect, Seats, Withheld, is_owned
from p2p.base.entry import DIGEST_BYTES, Entry, check_signature, next_head, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.crypto.transcript import ProofError
from p2p.log.game_file import GameRecord
from p2p.log.membership.evidence import parse_statement
from p2p.log.membership.log import ChangeItem, EntryRef
from p2p.log.membership.messages import REASON_SILENT, Change
from p2p.log.notes import Evidence, LogEnd

SECTION_BYTES: Final = 8  # Of a digest.
CHOICES: Final = ("choose", "seal")  # Steps at which a seat may go back to its owner.
OPENINGS: Final = ("unseal", "roll", "share", "open", "pass", "return", "sort out")
_ANSWERS: Final = ("choose", "unseal")  # Entries by which a seat has answered a request.
T = TypeVar("T")
# (seat, body) -> its value; raises what is wrong with it.
ReadBody: TypeAlias = Callable[[int, object], T]
# The kind that is due, the digest there, its sections.
EntryForm: TypeAlias = tuple[str, bytes, Sequence[str]]


class Stop(Exception):
    """The game cannot be read any further."""


class Ended(Stop):
    """The file ends here; these seats have not written an entry of this kind yet."""

    def __init__(self, kind: str, seats: Sequence[int]) -> None:
        super().__init__(f"{kind} is missing")
        self.kind, self.seats = kind, tuple(seats)


class Damaged(Stop):
    """What stands at this byte is no part of this log: nobody has signed that it stands there."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"byte {offset}: {reason}")
        self.offset = offset


class Guilty(Stop):
    """A seat has signed what the protocol or the rules forbid.

    `offset` is the byte of an entry that is not in the log; None for the seat's last in the log.
    """

    def __init__(self, seat: int, reason: str, offset: int | None = None) -> None:
        super().__init__(reason)
        self.seat, self.reason, self.offset = seat, reason, offset


class Lost(Exception):
    """Seats have changed hands, and the current step is void."""


class LogReader:
    """Reads entries step by step."""

    def __init__(self, record: GameRecord) -> None:
        """What was noted as evidence is tried at the step that it answers."""
        roster = record.roster
        noted = [(note.offset, raw) for note in record.evidence for raw in note.raws]
        noted += [(note.offset, raw) for note in record.changes for raw in note.proof]
        self.roster, self.seats, self.seating = roster, roster.seats, Seats(roster)
        self._certificates = Certificates(roster, record.changes)
        self._unfinished: list[UnfinishedChange] = []  # Of those who are not in force yet.
        self.convictions: list[Evidence] = []  # For which seats have gone.
        self.is_void, self._is_later = False, False  # The current step, once a key is there.
        self.gone: set[int] = set()  # By the last changes.
        self.game_id = roster.game_id
        self.entries: list[tuple[int, Entry]] = []  # Each with its offset.
        self.height = 0  # Of the log when the current step began,
        self.place, self.head = 0, self.game_id  # and of what is answered now;
        self.ends = dict[int, LogEnd]()  # by height, wherever a step ends.
        self._epoch = self.game_id
        self._signed: dict[tuple[int, int, bytes], Entry] = {}  # By seat, epoch and head.
        self._records, self._read_count = record.entries, 0  # Each with its offset.
        self._suspects = [self._suspect(*each) for each in noted]
        self._tried: dict[bytes, Guilty] = {}  # By the hash of an entry that does not hold.
        self.is_sealed: Callable[[], bool] = lambda: False
        """Whether somebody has sealed its choice in the current request."""
        self.trial: Callable[[], AbstractContextManager[None]] = nullcontext
        """Around everything that is read on trial: it leaves no traces."""

    # ---- seats that change hands ----

    def change_hands(
        self, table: Table | None, writers: Sequence[int] | None = None, kind: str = ""
    ) -> None:
        """Read which seats change hands at the current step, if there are any.

        Without `writers` of the step, as far as it stays: what was said in it comes first.

        Raises:
            Stop: see its kinds.
            Lost: one has cheated, is lost, or is its owner's again: the step is void to all.
        """
        while True:
            found = self._next_change(is_step_kept=writers is None)
            if found is None and (not self.seating.keyless or self._is_later):
                return
            if found is None:
                self._read_parts(table)
            else:
                is_between = kind in CHOICES and not self.is_sealed() and not self.seating.keyless
                opens = writers or () if kind in OPENINGS else ()
                effect = self._change(found, kind, is_between=is_between)
                self._note_withheld(found[1].change, effect.lost.intersection(opens), kind)
            if self.is_void and not self.seating.keyless:
                self.height, self.is_void = self.place, False
                raise Lost
            if not self.seating.keyless:
                self.gone.clear()

    def _next_change(self, *, is_step_kept: bool) -> tuple[int, ChangeItem, Entry] | None:
        """The change that comes next, if one does; with `is_step_kept` only if the step stays."""
        self._is_later = False
        if self._read_count == len(self._records):
            return None
        offset, raw = self._records[self._read_count]
        entry = self._parse(offset, raw)
        if not is_kind_of_change(entry.kind) or is_owned(entry.seat_epoch):
            return None
        try:
            decided = parse_body(entry)
            self._is_later = is_step_kept and self.seating.makes_void(decided.change)
        except (MalformedFrame, ProofError) as error:
            raise Damaged(offset, str(error)) from error
        if self._is_later:
            return None
        self._read_count += 1
        self._check_place(offset, entry, entry.seat, self.seating.seat_epochs[entry.seat] + 1)
        return offset, decided, entry

    def _change(
        self, found: tuple[int, ChangeItem, Entry], kind: str, *, is_between: bool
    ) -> ChangeEffect:
        (offset, decided, entry), seating = found, self.seating
        change, before = decided.change, frozenset(seating.live)
        if entry.raw != seating.entry_of(decided, self.place):
            raise Damaged(offset, "everybody would write other bytes for this change")
        try:
            effect = seating.change_hands(change, kind, is_between=is_between)
        except ProofError as error:
            raise Damaged(offset, str(error)) from error
        gone = change.gone if entry.kind == REPLACE_KIND else frozenset[int]()
        self.is_void |= effect.is_void
        self.gone |= change.gone | effect.lost
        epoch = self._epoch
        self._add(offset, entry)
        self._go_on([entry])
        self._epoch = self.head
        ackers = self._ackers_of(decided, epoch, (before | change.gone) - gone)
        unfinished = UnfinishedChange(
            offset, self.place - 1, gone, change.gone - gone, frozenset(seating.live), ackers
        )
        self._unfinished.append(unfinished)
        if are_in_force(self._unfinished):
            for each in self._unfinished:
                seating.replaced |= dict.fromkeys(each.gone, each.place)
                seating.restored |= dict.fromkeys(each.back, each.place)
                seating.agreed |= dict.fromkeys(each.gone, tuple(sorted(each.ackers)))
            self._unfinished.clear()
        return effect

    def _ackers_of(self, decided: ChangeItem, epoch: bytes, needed: Set[int]) -> frozenset[int]:
        """Who has acknowledged a change at the end of the log, as the file says."""
        note, change = self._certificates.of(self.place), decided.change
        if note is None:
            return frozenset()
        try:
            self._certificates.check_reason(note, change, epoch, needed)
            acks = self._certificates.acks(note, decided, self.ends[self.place])
        except (MalformedFrame, BadSignature) as error:
            raise Damaged(note.offset, str(error)) from error
        if is_convicting(change):
            count = len(note.proof) - len(change.leavers)
            self.convictions.append(
                Evidence(change.seat, "", list(note.proof[:count]), note.offset)
            )
        return frozenset(ack.seat for ack in acks)

    def _note_withheld(self, change: Change, seats: Set[int], kind: str) -> None:
        if not is_convicting(change):
            at = len(self.entries) - 1
            self.seating.withheld |= dict.fromkeys(seats, Withheld(at, kind))

    def _read_parts(self, table: Table | None) -> None:
        """The key of a seat that is gone is put together; the current step waits for that."""
        writers, form = self.seating.live, _form("part", table)
        self._try_all(writers, form, self.seating.read_part)
        self.seating.put_together(self._read(writers, form, self.seating.read_part))

    def step(
        self, kind: str, writers: Sequence[int], read: ReadBody[T], table: Table | None
    ) -> list[T]:
        """What each of `writers` says in the current step, on top of the state of `table`.

        Raises:
            Stop, Lost: see their kinds.
        """
        form, place = _form(kind, table), self.place
        self._try_all(writers, form, read)
        self.change_hands(table, writers, kind)
        if self.place != place:
            self._try_all(writers, form, read)
        values = self._read(writers, form, read)
        self.height = self.place
        return values

    def _read(self, writers: Sequence[int], form: EntryForm, read: ReadBody[T]) -> list[T]:
        entries = [self._next(form[0], writers[at:]) for at in range(len(writers))]
        values = []
        for entry in entries:
            try:
                _check_form(entry, *form)
                values.append(_value(entry, read))
            except Guilty as error:
                if is_owned(entry.seat_epoch):
                    raise
                raise Damaged(self._offset_of(entry), error.reason) from error
        self._go_on(entries)
        return values

    def _go_on(self, entries: Sequence[Entry]) -> None:
        """The log is longer by entries that answer its head."""
        parent, self.head = self.head, next_head(self.head, entries)
        self.place = len(self.entries)
        self.ends[self.place] = LogEnd(self._epoch, parent, self.head)

    # ---- what was noted beside the log ----

    def _suspect(self, offset: int, raw: bytes) -> Entry | None:
        """An entry that was noted as evidence; None if it is none, which is told later."""
        try:
            entry = self._parse(offset, raw)
        except Damaged:
            return None
        return entry if is_owned(entry.seat_epoch) else None

    def _is_next(self, entry: Entry) -> bool:
        """Whether the entry could stand here."""
        place = (entry.height, entry.parent, entry.seat_epoch)
        return place == (self.place, self.head, self.seating.seat_epochs[entry.seat])

    def _try_all(self, writers: Sequence[int], form: EntryForm, read: ReadBody[T]) -> None:
        for entry in self._suspects:
            if entry is not None and entry.seat in writers and self._is_next(entry):
                self._try(entry, form, read)

    def _try(self, entry: Entry, form: EntryForm, read: ReadBody[T]) -> None:
        try:
            with self.trial():
                _check_form(entry, *form)
                _value(entry, read)
        except Guilty as guilty:
            self._tried[entry.hash] = guilty

    def _offset_of(self, entry: Entry) -> int:
        return next(offset for offset, each in self.entries if each is entry)

    def finish(self) -> None:
        """Make sure that nothing stands behind the end of the game.

        Raises:
            Damaged: something does.
        """
        self._check_unfinished()
        if self._read_count < len(self._records):
            offset, _ = self._records[self._read_count]
            raise Damaged(offset, "the game was over before this entry")

    def _check_unfinished(self) -> None:
        """Make sure that no member has written behind changes that never came in force.

        What all write for open seats may stand there: that waits for nobody.

        Raises:
            Damaged: one has.
        """
        changes = self._unfinished
        above = self.entries[changes[0].place :] if changes else []
        if any(is_owned(each.seat_epoch) and not self.seats[each.seat].is_open
               for _, each in above):  # fmt: skip
            text = "not all whom this change leaves have acknowledged it"
            raise Damaged(changes[0].offset, text)

    def check_certificates(self) -> None:
        """Make sure that nothing is said of changes that there are not, in what has been read.

        Raises:
            Damaged: something is.
        """
        changes = {at for at, (_, each) in enumerate(self.entries, 1)
                   if is_kind_of_change(each.kind)}  # fmt: skip
        offset = self._certificates.outside(changes, self.place)
        if offset is not None:
            raise Damaged(offset, "no seat changed hands there")

    def let_go(self, height: int) -> frozenset[int]:
        """Who was let go as silent by the change behind which the log has this height."""
        _, entry = self.entries[height - 1]
        if not is_kind_of_change(entry.kind):
            return frozenset()
        change = parse_body(entry).change
        return frozenset({change.seat}) if change.reason == REASON_SILENT else frozenset()

    def last_of(self, seat: int) -> tuple[int | None, int | None]:
        """Where the last entry of a seat stands: its place in the log, and its byte."""
        for place, (offset, entry) in reversed(list(enumerate(self.entries))):
            if entry.seat == seat:
                return place, offset
        return None, None

    def judge(self, offset: int, raws: Sequence[bytes]) -> None:
        """Look at entries that were noted beside the log, after it has been read.

        Raises:
            Guilty: a seat has signed two for one head, or one that did not hold where it belonged.
            Damaged: what was noted was not signed by anybody at this table.
        """
        try:
            entries = [raw for raw in raws if isinstance(parse_statement(raw), EntryRef)]
            said = self._certificates.contradictions([raw for raw in raws if raw not in entries])
        except (MalformedFrame, BadSignature) as error:
            raise Damaged(offset, str(error)) from error
        for entry in [self._parse(offset, raw) for raw in entries]:
            if self.seats[entry.seat].is_open or not is_owned(entry.seat_epoch):
                continue  # Anybody can sign in its name.
            self._is_known(offset, entry)
            if entry.hash in self._tried:
                raise Guilty(entry.seat, self._tried[entry.hash].reason, offset)
        for seat, reason in said.items():
            if not self.seats[seat].is_open:
                raise Guilty(seat, reason, offset)

    # ---- one entry ----

    def _next(self, kind: str, writers: Sequence[int]) -> Entry:
        """The next entry of the file, which has to be that of the first of `writers`."""
        seat = writers[0]
        if self._read_count == len(self._records):
            self._check_unfinished()
            raise Ended(kind, writers)
        offset, raw = self._records[self._read_count]
        self._read_count += 1
        entry = self._parse(offset, raw)
        self._check_place(offset, entry, seat, self.seating.seat_epochs[seat])
        self._add(offset, entry)
        return entry

    def _check_place(self, offset: int, entry: Entry, seat: int, seat_epoch: int) -> None:
        """The entry answers the log before it, and is of this seat in this epoch."""
        if self._is_known(offset, entry):
            raise Damaged(offset, "the entry is there twice")
        if (entry.height, entry.parent) != (self.place, self.head):
            raise Damaged(offset, "the entry does not answer the log before it")
        if (entry.seat, entry.seat_epoch) != (seat, seat_epoch):
            found = f"{self.seats[entry.seat].shown_name} in epoch {entry.seat_epoch}"
            due = f"{self.seats[seat].shown_name} in epoch {seat_epoch}"
            raise Damaged(offset, f"an entry of {found} stands where one of {due} is due")

    def _add(self, offset: int, entry: Entry) -> None:
        self.seating.answers[entry.seat] += entry.kind in _ANSWERS
        self.entries.append((offset, entry))

    def _parse(self, offset: int, raw: bytes) -> Entry:
        try:
            entry = parse_entry(raw)
            if entry.game != self.game_id or entry.seat >= len(self.seats):
                raise MalformedFrame("the entry belongs to another game")
            check_signature(entry, self.seating.signer(entry.seat, entry.seat_epoch))
        except (MalformedFrame, BadSignature) as error:
            raise Damaged(offset, str(error)) from error
        return entry

    def _is_known(self, offset: int, entry: Entry) -> bool:
        known = self._signed.setdefault((entry.seat, entry.seat_epoch, entry.parent), entry)
        if known.hash != entry.hash and not is_owned(entry.seat_epoch):
            raise Damaged(offset, "anybody can sign for this seat")
        if known.hash != entry.hash:
            raise Guilty(entry.seat, "signed two entries that answer one log", offset)
        return known is not entry


def _form(kind: str, table: Table | None) -> EntryForm:
    digest = bytes(DIGEST_BYTES) if table is None else table.digest()
    return kind, digest, [] if table is None else list(table.sections())


def _check_form(entry: Entry, kind: str, digest: bytes, sections: Sequence[str]) -> None:
    """The signer saw the table as we do, and wrote what is due."""
    if entry.digest == digest and entry.kind == kind:
        return
    if entry.digest == digest:
        raise Guilty(entry.seat, f"wrote {entry.kind!r} where {kind!r} was due")
    parts = range(0, DIGEST_BYTES, SECTION_BYTES)
    differs = [entry.digest[at : at + SECTION_BYTES] != digest[at : at + SECTION_BYTES]
               for at in parts]  # fmt: skip
    names = " and ".join(compress(sections, differs)) or "sections before there is a table"
    raise Guilty(entry.seat, f"has other {names} than we")


def _value(entry: Entry, read: ReadBody[T]) -> T:
    try:
        return read(entry.seat, entry.body)
    except (ProofError, RulesError) as error:
        raise Guilty(entry.seat, str(error)) from error
