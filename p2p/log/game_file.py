"""The game file: one file is the save game, the replay, the evidence and the bug report.

    hostless game 13\\n
    frame ["roster", roster]
    frame ["entry", bytes]            in the order of the log, the same on every machine
    frame ["acks", height, [signature or None, ...]]     who has acknowledged the log, by seat
    frame ["in force", height, [ack, ...], [bytes, ...]]     a change of members: by whom, and why
    frame ["evidence", seat, sentence, [bytes, ...]]     where somebody cheated
    frame ["objection", height, seat, signature]     of a seat that was let go: `p2p.log.objection`
    frame ["claim", ...]              at the end, where one is left: see `p2p.log.claim`

A frame is a 4-byte big-endian length and canonical CBOR.  Beside it lies `NAME.secret`: see
`p2p.log.secrets_file`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from p2p.base.disk import replace, sync, sync_data
from p2p.base.errors import MalformedFrame
from p2p.base.roster import Roster, parse_roster
from p2p.base.wire import encode, frame
from p2p.log import notes
from p2p.log.claim import WinClaim, parse_claim
from p2p.log.files import GameFileError, frames_in, open_file, read_bytes, write_all
from p2p.log.objection import Objection, parse_objection

FILE_VERSION: Final = 13
MAGIC: Final = b"hostless game %d\n" % FILE_VERSION
ACKS: Final = b"\x83dacks"  # How such a record begins.
SUFFIX: Final = ".hostless"
CUT_SUFFIX: Final = ".cut"  # Of a game file that is about to take the place of a longer one.
_OTHER_VERSION: Final = re.compile(rb"hostless game (\d{1,9})\n")
T = TypeVar("T")


@dataclass(slots=True)
class GameRecord:
    """A game file, read."""

    roster: Roster
    entries: list[tuple[int, bytes]] = field(default_factory=list)  # (offset in bytes, entry)
    evidence: list[notes.Evidence] = field(default_factory=list)
    acks: list[notes.Acknowledged] = field(default_factory=list)
    changes: list[notes.InForceNote] = field(default_factory=list)
    objections: list[tuple[int, Objection]] = field(default_factory=list)  # (offset, objection)
    claim: tuple[int, WinClaim] | None = None  # (offset in bytes, what was claimed at the end)
    torn_at: int | None = None  # Where a last, incomplete frame begins.
    size: int = 0  # Of the file, in bytes.


def read_game(path: Path) -> GameRecord:
    """The records of a game file.  A torn last frame is noted, anything else is refused.

    Raises:
        GameFileError: it cannot be read, or is no game file; says at which byte.
    """
    content = read_bytes(path)
    if not content.startswith(MAGIC):
        raise _no_game(path, content)
    try:
        return _collect(list(frames_in(content, len(MAGIC))), len(content))
    except MalformedFrame as error:
        raise GameFileError(f"{path.name}: {error}") from error


def _no_game(path: Path, content: bytes) -> GameFileError:
    """Why this is no game file that we can read."""
    if not content:
        return GameFileError(f"{path.name} is not a game file: it is empty")
    other = _OTHER_VERSION.match(content)
    if other:
        return GameFileError(
            f"{path.name} was written in version {int(other[1])} of the game file, "
            f"and this program reads {FILE_VERSION}",
            "use the version of hostless that wrote it, or a newer one",
        )
    at = next(at for at in range(len(MAGIC)) if content[at : at + 1] != MAGIC[at : at + 1])
    return GameFileError(f"{path.name} is not a game file: byte {at} is another")


def _collect(frames: list[tuple[int, object]], size: int) -> GameRecord:
    match frames[:1]:
        case [(offset, ["roster", value])]:
            game = GameRecord(_at(offset, parse_roster, value), size=size)
        case _:
            raise MalformedFrame(f"byte {len(MAGIC)}: the file does not begin with a roster")
    seats = len(game.roster.seats)
    for offset, record in frames[1:]:
        if game.claim is not None and record is not None:
            raise MalformedFrame(f"byte {offset}: nothing stands behind a claim")
        count = len(game.entries)
        match record:
            case ["entry", bytes(raw)]:
                game.entries.append((offset, raw))
            case ["evidence", *_]:
                game.evidence.append(_at(offset, notes.parse_evidence_note, record, seats, offset))
            case ["acks", *_]:
                game.acks.append(_at(offset, notes.parse_acks, record, (count, seats), offset))
            case ["in force", *_]:
                game.changes.append(_at(offset, notes.parse_in_force, record, count, offset))
            case ["objection", *_]:
                game.objections.append((offset, _at(offset, parse_objection, record, count)))
            case ["claim", *_]:
                game.claim = offset, _at(offset, parse_claim, record)
            case None:
                game.torn_at = offset
            case _:
                raise MalformedFrame(f"byte {offset}: this record is none that we know")
    return game


def _at(offset: int, parse: Callable[..., T], value: object, *place: object) -> T:
    try:
        return parse(value, *place)
    except MalformedFrame as error:
        raise MalformedFrame(f"byte {offset}: {error}") from error


class GameFile:
    """A game file that is being written: the log of a game on disk, and what is noted beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0  # Entries in the file,
        self.last = b""  # and the last of them.
        self.changes: list[notes.InForceNote] = []  # By whom changes in it are in force.
        self._claimed_at: int | None = None  # Where a claim begins, which is the end of the file.
        self._is_synced = False  # What was read after a crash may be in the memory of the system.
        self._file = open_file(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)

    @classmethod
    def create(cls, path: Path, roster: Roster) -> GameFile:
        """A new file for a new game; an older one of this name must not exist."""
        assert not path.exists(), "two games must not share a file"
        game_file = cls(path)
        game_file._write(MAGIC + frame(encode(["roster", roster.plain()])))
        sync(game_file._file)  # Entries can be had again from anybody; what is played cannot.
        return game_file

    @classmethod
    def reopen(cls, path: Path, record: GameRecord) -> GameFile:
        """The file of an unfinished game, to go on after what `record` has read of it.

        A torn last frame is cut off: what it began to say was never acted upon.
        """
        game_file = cls(path)
        game_file.count = len(record.entries)
        game_file.last = record.entries[-1][1] if record.entries else b""
        game_file.changes = list(record.changes)
        game_file._claimed_at = record.claim[0] if record.claim is not None else None
        if record.torn_at is not None:
            os.ftruncate(game_file._file, record.torn_at)
        return game_file

    def cut(self, count: int) -> None:
        """Forget all but the first entries: all others have gone on from there without us."""
        self.cut_at(read_game(self.path).entries[count][0])

    def cut_at(self, offset: int) -> None:
        """Forget the entries and acknowledgements from a byte on, where a record begins.

        Evidence stays, and by whom a change is in force that stays; whenever the power fails, the
        file is the old or the new one.
        """
        record = read_game(self.path)
        kept = [raw for at, raw in record.entries if at < offset]
        late = [note for note in record.evidence if note.offset > offset]
        of_kept = [note for note in record.changes if note.height <= len(kept)]
        name = self.path.with_suffix(CUT_SUFFIX)
        name.unlink(missing_ok=True)
        shorter = GameFile(name)
        shorter._write(self.path.read_bytes()[:offset])
        for change in of_kept:
            if change.offset > offset:
                shorter.note_in_force(change)
        for note in late:
            shorter.keep_evidence(note.seat, note.sentence, note.raws)
        shorter.close()
        os.close(self._file)  # Windows does not replace a file that is open.
        try:
            replace(name, self.path)
        except OSError as error:
            raise GameFileError(f"cannot write {self.path}: {error.strerror}") from error
        finally:
            self._file = open_file(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.count, self.last, self._claimed_at = len(kept), kept[-1] if kept else b"", None
        self.changes = [note for note in of_kept if note.offset != offset]

    def claim(self, claim: WinClaim) -> None:
        """Say at the end of the file that a seat claims the win; one claim takes another's place.

        Whatever is written behind it cuts it off: the game has gone on, or has been stopped.
        """
        self._write(b"")  # Cuts an older one off.
        at = os.fstat(self._file).st_size
        self._write(frame(encode(claim.plain())))
        sync(self._file)
        self._claimed_at = at

    def append(self, raw: bytes) -> None:
        """Add the next entry of the log."""
        self._write(frame(encode(["entry", raw])))
        self.count, self.last = self.count + 1, raw

    def acknowledge(self, signatures: Sequence[bytes | None]) -> None:
        """Add who has acknowledged the log with all entries that are in the file."""
        self._write(frame(encode(["acks", self.count, list(signatures)])))

    def note_in_force(self, note: notes.InForceNote) -> None:
        """Add by whom a change of members is in force, and what proves its reason."""
        self._write(frame(encode(note.plain())))
        self.changes.append(note)

    def keep_evidence(self, seat: int, sentence: str, raws: list[bytes]) -> None:
        """Add what proves that a seat cheated, and put it on disk: nobody may say it again."""
        self._write(frame(encode(["evidence", seat, sentence, list(raws)])))
        sync(self._file)

    def object(self, objection: Objection) -> None:
        """Add that a seat was let go while its program ran."""
        self._write(frame(encode(objection.plain())))

    def sync(self) -> None:
        """Wait until all entries are on disk."""
        if not self._is_synced:
            sync_data(self._file)
            self._is_synced = True

    def close(self) -> None:
        """Put everything on disk and let go of the file."""
        sync(self._file)
        os.close(self._file)

    def _write(self, content: bytes) -> None:
        if self._claimed_at is not None:
            os.ftruncate(self._file, self._claimed_at)
            self._claimed_at = None
        self._is_synced = False
        write_all(self._file, content, self.path)
