"""The log as a file has it: who signed what, in which order, on top of what.

docs/protocol.md, sections 7, 8 and 13, for somebody who only reads.  There are three ways in which
reading stops before the end of the game, an exception each: the file ends, the file does not
hold what was signed, or a seat signed what it must not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Final, TypeAlias, TypeVar

from core.table import RulesError, Table
from p2p.cards.errors import ProofError
from p2p.entry import DIGEST_BYTES, START, Entry, check_signature, next_head, parse_entry
from p2p.errors import BadSignature, MalformedFrame
from p2p.roster import Roster

SECTION_BYTES: Final = 8  # Of a digest.
T = TypeVar("T")
Read: TypeAlias = Callable[[int, object], T]  # (seat, body) -> its value; or what is wrong with it.


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


class Log:
    """Reads entries step by step."""

    def __init__(self, roster: Roster, records: Iterable[tuple[int, bytes]]) -> None:
        """`records` are the entries in the order of the file, each with its offset."""
        self.seats = roster.seats
        self.game_id = roster.game_id()
        self.entries: list[tuple[int, Entry]] = []  # Each with its offset.
        self.height, self.head = 0, self.game_id  # Of the log when the open step began.
        self._last = [START] * len(self.seats)  # The hash of every seat's last entry,
        self._count = [0] * len(self.seats)  # and how many it has written.
        self._signed: dict[tuple[int, int], Entry] = {}  # By seat and number.
        self._records = iter(records)

    def step(
        self, kind: str, writers: Sequence[int], read: Read[T], table: Table | None
    ) -> list[T]:
        """What each of `writers` says in the open step, on top of the state of `table`.

        Raises:
            Stop: see its kinds.
        """
        entries = [self._next(kind, writers[at:]) for at in range(len(writers))]
        sections = [] if table is None else list(table.sections())
        digest = bytes(DIGEST_BYTES) if table is None else table.digest()
        values = []
        for entry in entries:
            _check_digest(entry, digest, sections)
            if entry.kind != kind:
                raise Guilty(entry.seat, f"wrote {entry.kind!r} where {kind!r} was due")
            values.append(_value(entry, read))
        for entry in entries:
            self.head = next_head(self.head, entry)
        self.height = len(self.entries)
        return values

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
            Guilty: a seat has signed two for one number, or does not continue its own.
            Damaged: what was noted was not signed by anybody at this table.
        """
        for entry in [self._parse(offset, raw) for raw in raws]:
            if self.seats[entry.seat].is_open:
                continue  # Anybody can sign in its name.
            self._is_known(offset, entry)
            if (entry.head, entry.number) == (self.head, self._count[entry.seat]):
                self._check_parent(offset, entry)

    # ---- one entry ----

    def _next(self, kind: str, writers: Sequence[int]) -> Entry:
        """The next entry of the file, which has to be that of the first of `writers`."""
        seat = writers[0]
        try:
            offset, raw = next(self._records)
        except StopIteration:
            raise Ended(kind, writers) from None
        entry = self._parse(offset, raw)
        if self._is_known(offset, entry):
            raise Damaged(offset, "the entry is there twice")
        if (entry.height, entry.head) != (self.height, self.head):
            raise Damaged(offset, "the entry does not answer the log before it")
        if (entry.seat, entry.number) != (seat, self._count[seat]):
            found = f"entry {entry.number} of {self.seats[entry.seat].name}"
            due = f"entry {self._count[seat]} of {self.seats[seat].name}"
            raise Damaged(offset, f"{found} stands where {due} is due")
        self._check_parent(offset, entry)
        self._last[seat], self._count[seat] = entry.hash, entry.number + 1
        self.entries.append((offset, entry))
        return entry

    def _parse(self, offset: int, raw: bytes) -> Entry:
        try:
            entry = parse_entry(raw)
            if entry.game != self.game_id or entry.seat >= len(self.seats):
                raise MalformedFrame("the entry belongs to another game")
            check_signature(entry, self.seats[entry.seat].identity)
        except (MalformedFrame, BadSignature) as error:
            raise Damaged(offset, str(error)) from error
        return entry

    def _is_known(self, offset: int, entry: Entry) -> bool:
        known = self._signed.setdefault((entry.seat, entry.number), entry)
        if known.hash != entry.hash:
            raise Guilty(entry.seat, f"signed two entries number {entry.number}", offset)
        return known is not entry

    def _check_parent(self, offset: int, entry: Entry) -> None:
        if entry.parent != self._last[entry.seat]:
            raise Guilty(entry.seat, "does not continue its own entries", offset)


def _check_digest(entry: Entry, digest: bytes, sections: Sequence[str]) -> None:
    """The signer saw the table as we do."""
    if entry.digest == digest:
        return
    parts = range(0, DIGEST_BYTES, SECTION_BYTES)
    differs = [entry.digest[at : at + SECTION_BYTES] != digest[at : at + SECTION_BYTES]
               for at in parts]  # fmt: skip
    names = " and ".join(compress(sections, differs)) or "sections before there is a table"
    raise Guilty(entry.seat, f"has other {names} than we")


def _value(entry: Entry, read: Read[T]) -> T:
    try:
        return read(entry.seat, entry.body)
    except (ProofError, RulesError) as error:
        raise Guilty(entry.seat, str(error)) from error
