"""The game file: one file is the save game, the replay, the evidence and the bug report.

    hostless game 9\\n
    frame ["roster", roster]
    frame ["entry", bytes]            in the order of the log, the same on every machine
    frame ["acks", height, [signature or None, ...]]     who has acknowledged the log, by seat
    frame ["in force", height, [ack, ...], [bytes, ...]]     a change of members: by whom, and why
    frame ["evidence", seat, sentence, [bytes, ...]]     where somebody cheated
    frame ["objection", height, seat, signature]     of a seat that was let go: `p2p.log.objection`
    frame ["claim", ...]              at the end, where one is left: see `p2p.log.claim`

A frame is a 4-byte big-endian length and canonical CBOR.  Beside it lies `NAME.secret`, readable
by its owner only: this seat's seed, its sealed choices, and every entry it has signed, written
and synced *before* the entry is sent, so that a machine that crashed says again what it said.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from core.errors import HostlessError
from p2p.base.disk import lock, open_binary, replace, sync, sync_data
from p2p.base.errors import MalformedFrame
from p2p.base.limits import FRAME_BYTES_MAX
from p2p.base.roster import Roster, parse_roster
from p2p.base.wire import FRAME_HEADER_BYTES, decode, encode, frame
from p2p.log import notes
from p2p.log.claim import WinClaim, parse_claim
from p2p.log.objection import Objection, parse_objection

FILE_VERSION: Final = 9
MAGIC: Final = b"hostless game %d\n" % FILE_VERSION
ACKS: Final = b"\x83dacks"  # How such a record begins.
SECRET_MAGIC: Final = b"hostless secret 2\n"
OLD_SECRET_MAGIC: Final = b"hostless secret 1\n"  # Without checks.
CHECK_BYTES: Final = 8
SUFFIX: Final = ".hostless"
SECRET_SUFFIX: Final = ".secret"
CUT_SUFFIX: Final = ".cut"  # Of a game file that is about to take the place of a longer one.
GAME_SEED_BYTES: Final = 32
MAKE_ROOM: Final = "make room there, then resume: what was played until now is kept"
GAME_BYTES_MAX: Final = 1 << 28  # Several hundred times a long game of four.
_OTHER_VERSION: Final = re.compile(rb"hostless game (\d{1,9})\n")
T = TypeVar("T")


class GameFileError(HostlessError):
    """This is not a whole game file."""


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
    content = _read(path)
    if not content.startswith(MAGIC):
        raise _no_game(path, content)
    try:
        return _collect(list(_frames(content, len(MAGIC))), len(content))
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


def _frames(content: bytes, offset: int) -> Iterator[tuple[int, object]]:
    """(offset, value) of every frame; the value of a torn last one is None."""
    while offset < len(content):
        body = offset + FRAME_HEADER_BYTES
        size = int.from_bytes(content[offset:body])
        if body <= len(content) and size > FRAME_BYTES_MAX:
            raise MalformedFrame(f"byte {offset}: no record is {size} bytes long")
        if body + size > len(content):
            yield offset, None
            return
        try:
            yield offset, decode(content[body : body + size])
        except MalformedFrame as error:
            raise MalformedFrame(f"byte {offset}: {error}") from error
        offset = body + size


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > GAME_BYTES_MAX:
            raise GameFileError(f"{path.name} is longer than any game")
        return path.read_bytes()
    except OSError as error:
        raise GameFileError(f"cannot read {path}: {error.strerror}") from error


class Ledger:
    """A game file that is being written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0  # Entries in the file,
        self.last = b""  # and the last of them.
        self.changes: list[notes.InForceNote] = []  # By whom changes in it are in force.
        self._claimed_at: int | None = None  # Where a claim begins, which is the end of the file.
        self._is_synced = False  # What was read after a crash may be in the memory of the system.
        self._file = _open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)

    @classmethod
    def create(cls, path: Path, roster: Roster) -> Ledger:
        """A new file for a new game; an older one of this name must not exist."""
        assert not path.exists(), "two games must not share a file"
        ledger = cls(path)
        ledger._write(MAGIC + frame(encode(["roster", roster.plain()])))
        sync(ledger._file)  # Entries can be had again from anybody; what is played cannot.
        return ledger

    @classmethod
    def reopen(cls, path: Path, record: GameRecord) -> Ledger:
        """The file of an unfinished game, to go on after what `record` has read of it.

        A torn last frame is cut off: what it began to say was never acted upon.
        """
        ledger = cls(path)
        ledger.count = len(record.entries)
        ledger.last = record.entries[-1][1] if record.entries else b""
        ledger.changes = list(record.changes)
        ledger._claimed_at = record.claim[0] if record.claim is not None else None
        if record.torn_at is not None:
            os.ftruncate(ledger._file, record.torn_at)
        return ledger

    def cut(self, count: int) -> None:
        """Forget all but the first entries: all others have gone on from there without us."""
        self.cut_at(read_game(self.path).entries[count][0])

    def cut_at(self, offset: int) -> None:
        """Forget the entries and acknowledgements from a byte on, where a record begins.

        Evidence stays; whenever the power fails, the file is the old or the new one.
        """
        record = read_game(self.path)
        kept = [raw for at, raw in record.entries if at < offset]
        late = [note for note in record.evidence if note.offset > offset]
        name = self.path.with_suffix(CUT_SUFFIX)
        name.unlink(missing_ok=True)
        shorter = Ledger(name)
        shorter._write(self.path.read_bytes()[:offset])
        for note in late:
            shorter.accuse(note.seat, note.sentence, note.raws)
        shorter.close()
        os.close(self._file)  # Windows does not replace a file that is open.
        try:
            replace(name, self.path)
        except OSError as error:
            raise GameFileError(f"cannot write {self.path}: {error.strerror}") from error
        finally:
            self._file = _open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.count, self.last, self._claimed_at = len(kept), kept[-1] if kept else b"", None
        self.changes = [note for note in self.changes if note.height <= self.count]

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

    def accuse(self, seat: int, sentence: str, raws: list[bytes]) -> None:
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
        _write_all(self._file, content, self.path)


class SecretsFile:
    """The secret companion of a game file: see `p2p.game.steps.SeatSecrets`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seed = b""
        self.is_old = False  # The game had begun before this program did.
        self.rank = 0  # How often this seat was taken over: see `p2p.session.instances`.
        self.fence: int | None = None  # The rank of the program that has stopped this one.
        self.claims: list[list[object]] = []  # Of other seats, that were taken over.
        self._hidden: dict[int, Sequence[object]] = {}
        self.entries: list[bytes] = []  # Everything this seat has signed, in order.
        self.addresses: list[tuple[str, int]] = []  # Where every seat was heard last.
        self.places: dict[int, list[object]] = {}  # By seat: where it has signed that it is.
        self.said: list[list[object]] = []  # What binds this seat: see `p2p.log.membership.disk`.
        self.roster: Roster | None = None  # So that a damaged game file can begin anew.
        self.clock: list[int] = []  # What each person had left, in milliseconds.
        self.is_mended = False  # Something was lost: others know what this seat has signed.
        self._check: bytes | None = b""  # Of the last record; None in an older file.
        self._file = _open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)

    @classmethod
    def create(cls, path: Path) -> SecretsFile:
        """The file of secrets of a new game, with a new seed."""
        assert not path.exists(), "two games must not share a seed"
        secrets = cls(path)
        secrets.seed = os.urandom(GAME_SEED_BYTES)
        _write_all(secrets._file, SECRET_MAGIC, path)
        secrets._keep(["seed", secrets.seed])
        secrets.sync()
        return secrets

    @classmethod
    def reopen(cls, path: Path) -> SecretsFile:
        """The secrets of a game that goes on; a torn last record is cut off, it was never used.

        Raises:
            GameFileError: it is not there, or damaged: without it this seat cannot go on.
        """
        content = _read(path)
        if not content.startswith((SECRET_MAGIC, OLD_SECRET_MAGIC)):
            raise GameFileError(f"{path.name} is not the secret part of a game")
        secrets = cls(path)
        secrets.is_old = True
        secrets._check = b"" if content.startswith(SECRET_MAGIC) else None
        try:
            secrets._take_in(content)
        except BaseException:
            secrets.close()
            raise
        return secrets

    def _take_in(self, content: bytes) -> None:
        try:
            for offset, value in _frames(content, len(SECRET_MAGIC)):
                self._recall(offset, self._checked(offset, value))
        except MalformedFrame as error:
            raise GameFileError(f"{self.path.name}: {error}") from error
        if len(self.seed) != GAME_SEED_BYTES:
            raise GameFileError(f"{self.path.name} has lost its seed; this seat cannot go on")

    def _checked(self, offset: int, value: object) -> object:
        """A record of the file, if it is the one that was written there."""
        if self._check is None or value is None:
            return value
        match value:
            case [record, bytes(check)] if check_of(self._check, record) == check:
                self._check = check
                return record
        raise MalformedFrame(f"byte {offset}: this record is not the one that was written")

    def _recall(self, offset: int, record: object) -> None:
        match record:
            case ["roster", value]:
                self.roster = parse_roster(value)
            case ["mended"]:
                self.is_mended = True
            case ["seed", bytes(kept)]:
                self.seed = kept
            case ["hidden", int(height), list(value)]:
                self._hidden[height] = value
            case ["entry", bytes(raw)]:
                self.entries.append(raw)
            case ["said", list(said)]:
                self.said.append(said)
            case ["addresses", list(places)]:
                self.addresses = [notes.parse_address(place) for place in places]
            case ["at", int(seat), int(count), list(places), bytes(signature)]:
                self.places[seat] = ["at", seat, count, places, signature]
            case ["rank", int(rank)]:
                self.rank, self.fence = rank, None
            case ["fence", int(rank)]:
                self._note_fence(rank)
            case ["clock", list(kept)] if all(type(each) is int for each in kept):
                self.clock = kept
            case ["here", list(claim)]:
                self.claims.append(claim)
            case None:
                os.ftruncate(self._file, offset)
            case _:
                raise MalformedFrame(f"byte {offset}: this record is none that we know")

    def remember(self, height: int, value: Sequence[object]) -> None:
        """Keep what an entry hides, for a later one that shows or proves it."""
        self._hidden[height] = value
        self._keep(["hidden", height, list(value)])

    def recall(self, height: int) -> Sequence[object]:
        """What the entry at this height hides."""
        return self._hidden[height]

    def keep_said(self, said: list[object]) -> None:
        """Note what binds this seat.  It may be sent after the next `sync`."""
        self.said.append(said)
        self._keep(["said", said])

    def keep_addresses(self, addresses: Sequence[tuple[str, int]]) -> None:
        """Keep where the seats listen, to find them again after a restart."""
        self.addresses = list(addresses)
        self._keep(["addresses", [list(address) for address in addresses]])

    def keep_clock(self, left_ms: list[int]) -> None:
        """Keep how much time each person has left, to go on from there."""
        self.clock = left_ms
        self._keep(["clock", list(left_ms)])

    def keep_place(self, seat: int, message: list[object]) -> None:
        """Keep what a seat has signed about where it is."""
        self.places[seat] = message
        self._keep(message)

    def keep_rank(self, rank: int) -> None:
        """Put on disk that this program has taken the seat over."""
        self.rank, self.fence = rank, None
        self._keep(["rank", rank])
        self.sync()

    def keep_fence(self, rank: int) -> None:
        """Put on disk that another program has: what I have signed and not sent is void."""
        self._note_fence(rank)
        self._keep(["fence", rank])
        self.sync()

    def _note_fence(self, rank: int) -> None:
        self.fence = rank
        self.entries.clear()

    def keep_claim(self, claim: list[object]) -> None:
        """Put on disk which program is heard on another seat."""
        self.claims.append(claim)
        self._keep(["here", claim])
        self.sync()

    def keep_entry(self, raw: bytes) -> None:
        """Note an entry that I have signed.  It may be sent after the next `sync`."""
        self.entries.append(raw)
        self._keep(["entry", raw])

    def sync(self) -> None:
        """Wait until everything noted is on disk."""
        sync_data(self._file)

    def lock(self) -> None:
        """Let no other program of this machine use the file.

        Raises:
            GameFileError: one does already.
        """
        if not lock(self._file):
            self.close()
            raise GameFileError(
                f"{self.path.stem} is played by another program on this machine",
                "go on there, or close that program first",
            )

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def keep_roster(self, roster: Roster) -> None:
        """Keep which game it is, beside the game file."""
        self.roster = roster
        self._keep(["roster", roster.plain()])

    def note_loss(self) -> None:
        """Put on disk that something that this seat has signed was lost here."""
        if not self.is_mended:
            self.is_mended = True
            self._keep(["mended"])
            self.sync()

    def _keep(self, record: list[object]) -> None:
        value: list[object] = record
        if self._check is not None:
            self._check = check_of(self._check, record)
            value = [record, self._check]
        _write_all(self._file, frame(encode(value)), self.path)


def check_of(before: bytes, record: object) -> bytes:
    """What stands behind a record, by which it is seen that none was changed or left out."""
    hashed = hashlib.sha256(b"hostless secret" + before + encode(record))
    return hashed.digest()[:CHECK_BYTES]


def _open(path: Path, flags: int, mode: int) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open_binary(path, flags, mode)
    except OSError as error:
        raise GameFileError(
            f"cannot write {path}: {error.strerror}; choose another place with --home DIR"
        ) from error


def _write_all(file: int, content: bytes, path: Path) -> None:
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(file, view) :]
        except OSError as error:
            raise GameFileError(f"cannot write {path}: {error.strerror}", MAKE_ROOM) from error
