"""The secrets file, beside the game file: what this seat alone knows, and all that it has signed.

    hostless secret 2\\n
    frame [record, check]     see docs/spec/protocol.md, section 14

It is `NAME.secret` beside the game file, readable by its owner only: this seat's seed, its sealed
choices, and every entry it has signed, written and synced *before* the entry is sent, so that a
machine that crashed says again what it said.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from p2p.base.disk import lock, mark_of, sync_data
from p2p.base.errors import MalformedFrame
from p2p.base.roster import Roster, parse_roster
from p2p.base.wire import encode, frame
from p2p.log import notes
from p2p.log.files import GameFileError, frames_in, open_file, read_bytes, write_all

SECRET_MAGIC: Final = b"hostless secret 2\n"
OLD_SECRET_MAGIC: Final = b"hostless secret 1\n"  # Without checks.
CHECK_BYTES: Final = 8
SECRET_SUFFIX: Final = ".secret"
GAME_SEED_BYTES: Final = 32


class SecretsFile:
    """The secrets file of a game: see `p2p.game.steps.SeatSecrets`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seed = b""
        self.is_old = False  # The game had begun before this program did.
        self.rank = 0  # How often this seat was taken over: see `p2p.session.instances`.
        self.fence: int | None = None  # The rank of the program that has stopped this one.
        self.claims: list[list[object]] = []  # Of other seats, that were taken over.
        self.instances: set[bytes] = set()  # Of all programs that sat here with this very file.
        self._hidden: dict[int, Sequence[object]] = {}
        self.entries: list[bytes] = []  # Everything this seat has signed, in order.
        self.addresses: list[tuple[str, int]] = []  # Where every seat was heard last.
        self.places: dict[int, list[object]] = {}  # By seat: where it has signed that it is.
        self.said: list[list[object]] = []  # What binds this seat: see `p2p.log.membership.disk`.
        self.roster: Roster | None = None  # So that a damaged game file can begin anew.
        self.clock: list[int] = []  # What each person had left, and when mine ran: see `Clocks`.
        self.has_lost_records = False  # Of what this seat has signed: others know it.
        self._check: bytes | None = b""  # Of the last record; None in an older file.
        self._file = open_file(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._mark = mark_of(self._file)

    @classmethod
    def create(cls, path: Path) -> SecretsFile:
        """The secrets file of a new game, with a new seed."""
        assert not path.exists(), "two games must not share a seed"
        secrets = cls(path)
        secrets.seed = os.urandom(GAME_SEED_BYTES)
        write_all(secrets._file, SECRET_MAGIC, path)
        secrets._keep(["seed", secrets.seed])
        secrets.sync()
        return secrets

    @classmethod
    def reopen(cls, path: Path) -> SecretsFile:
        """The secrets of a game that goes on; a torn last record is cut off, it was never used.

        Raises:
            GameFileError: it is not there, or damaged: without it this seat cannot go on.
        """
        content = read_bytes(path)
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
            for offset, value in frames_in(content, len(SECRET_MAGIC)):
                self._apply(offset, self._checked(offset, value))
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

    def _apply(self, offset: int, record: object) -> None:
        """Know what a record of the file says; cut it off where it is torn."""
        match record:
            case ["roster", value]:
                self.roster = parse_roster(value)
            case ["mended"]:
                self.has_lost_records = True
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
            case ["instance", bytes(instance), bytes(mark)]:
                if mark == self._mark:  # The program of which this is a copy may be there.
                    self.instances.add(instance)
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
        """Keep how much time each person has left, and when mine ran, to go on from there."""
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

    def keep_instance(self, instance: bytes) -> None:
        """Keep which program sits here: once its lock is gone, so is that program."""
        self.instances.add(instance)
        self._keep(["instance", instance, self._mark])

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

    def note_lost_records(self) -> None:
        """Put on disk that something that this seat has signed was lost here."""
        if not self.has_lost_records:
            self.has_lost_records = True
            self._keep(["mended"])
            self.sync()

    def _keep(self, record: list[object]) -> None:
        value: list[object] = record
        if self._check is not None:
            self._check = check_of(self._check, record)
            value = [record, self._check]
        write_all(self._file, frame(encode(value)), self.path)


def check_of(before: bytes, record: object) -> bytes:
    """What stands behind a record, by which it is seen that none was changed or left out."""
    hashed = hashlib.sha256(b"hostless secret" + before + encode(record))
    return hashed.digest()[:CHECK_BYTES]
