"""The log as a file has it: who signed what, in which order, on top of what.

docs/spec/protocol.md, sections 7, 8 and 13, for somebody who only reads.  Reading may stop
before the end of the game for three reasons, each with an exception of its own: the file ends, the
file does not hold what was signed, or a seat signed what it must not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, compress
from typing import Final, TypeAlias, TypeVar

from core.table import RulesError, Table
from p2p.audit.seats import (
    REPLACE_KIND,
    RESTORE_KIND,
    Seats,
    Withheld,
    is_owned,
    is_silent,
    makes_void,
)
from p2p.base.entry import DIGEST_BYTES, Entry, check_signature, next_head, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.roster import Roster
from p2p.crypto.transcript import ProofError
from p2p.log.notes import LogEnd

SECTION_BYTES: Final = 8  # Of a digest.
CHOICES: Final = ("choose", "seal")  # Steps at which a seat may go back to its owner.
OPENINGS: Final = ("unseal", "roll", "share", "open", "pass", "return", "sort out")
_ANSWERS: Final = ("choose", "unseal")  # Entries by which a seat has answered a request.
T = TypeVar("T")
# (seat, body) -> its value; raises what is wrong with it.
ReadBody: TypeAlias = Callable[[int, object], T]


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
    """A seat has changed hands, and the open step is void."""


class LogReader:
    """Reads entries step by step."""

    def __init__(
        self,
        roster: Roster,
        records: Iterable[tuple[int, bytes]],
        suspects: Iterable[tuple[int, bytes]] = (),
    ) -> None:
        """`records` are the entries in the order of the file, each with its offset.

        `suspects` are those that were noted as evidence: each is tried at the step that it answers.
        """
        self.seats, self.seating = roster.seats, Seats(roster)
        self.game_id = roster.game_id()
        self.entries: list[tuple[int, Entry]] = []  # Each with its offset.
        self.height = 0  # Of the log when the open step began,
        self.place, self.head = 0, self.game_id  # and of what is answered now;
        self.ends = dict[int, LogEnd]()  # by height, wherever a step ends.
        self._epoch = self.game_id
        self._signed: dict[tuple[int, int, bytes], Entry] = {}  # By seat, epoch and head.
        self._records: Iterator[tuple[int, bytes]] = iter(records)
        self._suspects = [self._suspect(*each) for each in suspects]
        self._tried: dict[bytes, Guilty] = {}  # By the hash of an entry that does not hold.
        self.is_sealed: Callable[[], bool] = lambda: False
        """Whether somebody has sealed its choice in the open request."""
        self.trial: Callable[[], AbstractContextManager[None]] = nullcontext
        """Around everything that is read on trial: it leaves no traces."""

    def change_hands(
        self, table: Table | None, writers: Sequence[int] | None = None, kind: str = ""
    ) -> None:
        """Read which seats change hands at the open step, if there are any.

        Without `writers` of the step, as far as it stays open: what was said in it comes first.

        Raises:
            Stop: see its kinds.
            Lost: one has cheated, or is its owner's again: the step is void to all its writers.
        """
        for offset, raw in self._records:
            entry = self._parse(offset, raw)
            is_later = writers is None and makes_void(entry)
            if entry.kind not in (REPLACE_KIND, RESTORE_KIND) or is_owned(entry.epoch) or is_later:
                self._records = chain([(offset, raw)], self._records)
                return
            self._check_place(offset, entry, entry.seat, self.seating.epochs[entry.seat] + 1)
            digest = bytes(DIGEST_BYTES) if table is None else table.digest()
            if entry.digest != digest:
                raise Damaged(offset, "the replacement saw another table")
            try:
                place = len(self.entries)
                is_between = kind in CHOICES and not self.is_sealed()
                is_void = self.seating.change_hands(entry, place, is_between=is_between)
            except ProofError as error:
                raise Damaged(offset, str(error)) from error
            if kind in OPENINGS and entry.seat in (writers or ()) and is_silent(entry):
                self.seating.withheld[entry.seat] = Withheld(place, kind)
            self._add(offset, entry)
            self._go_on([entry])
            self._epoch = self.head
            if is_void:
                self.height = self.place
                raise Lost

    def step(
        self, kind: str, writers: Sequence[int], read: ReadBody[T], table: Table | None
    ) -> list[T]:
        """What each of `writers` says in the open step, on top of the state of `table`.

        Raises:
            Stop, Lost: see their kinds.
        """
        sections = [] if table is None else list(table.sections())
        digest = bytes(DIGEST_BYTES) if table is None else table.digest()
        for entry in self._suspects:
            if entry is not None and entry.seat in writers and self._is_next(entry):
                self._try(entry, (kind, digest, sections), read)
        self.change_hands(table, writers, kind)
        entries = [self._next(kind, writers[at:]) for at in range(len(writers))]
        values = []
        for entry in entries:
            try:
                _check_form(entry, kind, digest, sections)
                values.append(_value(entry, read))
            except Guilty as error:
                if is_owned(entry.epoch):
                    raise
                raise Damaged(self._offset_of(entry), error.reason) from error
        self._go_on(entries)
        self.height = self.place
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
        return entry if is_owned(entry.epoch) else None

    def _is_next(self, entry: Entry) -> bool:
        """Whether the entry could stand here."""
        place = (entry.height, entry.head, entry.epoch)
        return place == (self.place, self.head, self.seating.epochs[entry.seat])

    def _try(self, entry: Entry, form: tuple[str, bytes, Sequence[str]], read: ReadBody[T]) -> None:
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
        for offset, _ in self._records:
            raise Damaged(offset, "the game was over before this entry")

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
        for entry in [self._parse(offset, raw) for raw in raws]:
            if self.seats[entry.seat].is_open or not is_owned(entry.epoch):
                continue  # Anybody can sign in its name.
            self._is_known(offset, entry)
            if entry.hash in self._tried:
                raise Guilty(entry.seat, self._tried[entry.hash].reason, offset)

    # ---- one entry ----

    def _next(self, kind: str, writers: Sequence[int]) -> Entry:
        """The next entry of the file, which has to be that of the first of `writers`."""
        seat = writers[0]
        try:
            offset, raw = next(self._records)
        except StopIteration:
            raise Ended(kind, writers) from None
        entry = self._parse(offset, raw)
        self._check_place(offset, entry, seat, self.seating.epochs[seat])
        self._add(offset, entry)
        return entry

    def _check_place(self, offset: int, entry: Entry, seat: int, epoch: int) -> None:
        """The entry answers the log before it, and is of this seat in this epoch."""
        if self._is_known(offset, entry):
            raise Damaged(offset, "the entry is there twice")
        if (entry.height, entry.head) != (self.place, self.head):
            raise Damaged(offset, "the entry does not answer the log before it")
        if (entry.seat, entry.epoch) != (seat, epoch):
            found = f"{self.seats[entry.seat].shown_name} in epoch {entry.epoch}"
            due = f"{self.seats[seat].shown_name} in epoch {epoch}"
            raise Damaged(offset, f"an entry of {found} stands where one of {due} is due")

    def _add(self, offset: int, entry: Entry) -> None:
        self.seating.answers[entry.seat] += entry.kind in _ANSWERS
        self.entries.append((offset, entry))

    def _parse(self, offset: int, raw: bytes) -> Entry:
        try:
            entry = parse_entry(raw)
            if entry.game != self.game_id or entry.seat >= len(self.seats):
                raise MalformedFrame("the entry belongs to another game")
            check_signature(entry, self.seating.signer(entry.seat, entry.epoch))
        except (MalformedFrame, BadSignature) as error:
            raise Damaged(offset, str(error)) from error
        return entry

    def _is_known(self, offset: int, entry: Entry) -> bool:
        known = self._signed.setdefault((entry.seat, entry.epoch, entry.head), entry)
        if known.hash != entry.hash and not is_owned(entry.epoch):
            raise Damaged(offset, "anybody can sign for this seat")
        if known.hash != entry.hash:
            raise Guilty(entry.seat, "signed two entries that answer one log", offset)
        return known is not entry


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
