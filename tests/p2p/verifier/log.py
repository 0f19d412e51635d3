"""The roster, entries and their chain: sections 6 to 8 of the protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.p2p.verifier.group import little
from tests.p2p.verifier.values import decode, encode, need, signed


class Ended(Exception):
    """The file ends where a step begins, or amid one: the game was not over."""


class Roster:
    def __init__(self, value: Any) -> None:
        need(isinstance(value, list) and 7 <= len(value) <= 9, "not a roster")
        first, self.game, _, self.options, self.table, seats, self.opens_hands, *more = value
        need(first == "hostless/1", "a roster of another version")
        self.id = sha256(b"hostless game" + encode(value)).digest()
        self.keys, self.names = [s[0] for s in seats], [s[1] for s in seats]
        need(1 <= len(seats) <= 8 and len(set(self.keys)) == len(seats), "an identity twice")
        self.bots = [s[3] is not None for s in seats]
        self.sponsors = [s[4] for s in seats]
        self.open = [s[0] == s[4] == public_of(open_identity(s[2])) for s in seats]
        self.all = list(range(len(seats)))
        self.replacement = more[0] if more else None
        self.escrow = bool(self.replacement and self.replacement[2])

    def behind(self, seats: Iterable[int]) -> set[bytes]:
        """The persons behind live seats."""
        return {self.sponsors[j] if self.bots[j] else self.keys[j] for j in seats} - {b""}

    def may_call_silent(self, seat: int, stay: Collection[int]) -> bool:
        """Section 18.2: whether those who stay are enough to say so of a seat."""
        if self.bots[seat] and self.sponsors[seat] in [self.keys[j] for j in stay]:
            return len(stay) >= 2
        return len(self.behind(stay) - {self.keys[seat]}) >= 2

    def open_nonce(self, seat: int, epoch: int) -> bytes:
        """Section 18.2: from which all secrets of a seat follow that has lost its owner."""
        said = b"hostless stand-in" + self.id + little(seat, 4) + little(epoch, 4)
        return sha256(said).digest()

    def signer(self, seat: int, epoch: int) -> bytes:
        """Whose identity signs for a seat in a seat epoch."""
        if epoch % 3 == 0:
            return self.keys[seat]
        return public_of(open_identity(self.open_nonce(seat, epoch)))


def open_identity(nonce: bytes) -> Ed25519PrivateKey:
    """Section 6: the identity of an open seat."""
    return Ed25519PrivateKey.from_private_bytes(sha256(b"hostless open seat" + nonce).digest())


def public_of(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


@dataclass(frozen=True)
class Entry:
    seat: int
    epoch: int
    height: int
    parent: bytes
    digest: bytes
    kind: str
    body: Any
    payload: bytes
    signature: bytes

    @property
    def hash(self) -> bytes:
        return sha256(b"hostless entry" + encode([self.payload, self.signature])).digest()

    @property
    def is_change(self) -> bool:
        return self.kind in ("replace", "restore")


def read_entry(content: Any, roster: Roster) -> Entry:
    value = decode(content)
    need(isinstance(value, list) and len(value) == 2 and isinstance(value[0], bytes), "no entry")
    fields = decode(value[0])
    need(isinstance(fields, list) and len(fields) == 8, "not the fields of an entry")
    game, seat, epoch, height, parent, digest, kind, body = fields
    need(game == roster.id, "an entry of another game")
    numbers = all(type(each) is int and 0 <= each < 1 << 32 for each in (seat, epoch, height))
    need(numbers and seat in roster.all, "an entry of no seat")
    need(isinstance(kind, str) and len(kind) <= 16, "a kind that is none")
    bytes_alone = isinstance(parent, bytes) and isinstance(digest, bytes)
    need(bytes_alone and (len(parent), len(digest)) == (32, 48), "a head or a digest that is none")
    mine = signed(roster.signer(seat, epoch), value[1], b"hostless entry" + value[0])
    need(mine, "an entry with a false signature")
    return Entry(seat, epoch, height, parent, digest, kind, body, *value)


class Item(NamedTuple):
    """A step or a change in the log: the head that it answers, and that behind it."""

    parent: bytes
    head: bytes
    table_epoch: bytes  # Of what it stands on.
    live: tuple[int, ...]
    is_step: bool
    is_by_members: bool  # Not only by open seats, for which all write.


class Log:
    """The chain: entries step by step, with the height and the head behind each."""

    def __init__(self, roster: Roster, entries: list[Entry]) -> None:
        self.roster, self.entries = roster, entries
        self.height, self.head = 0, roster.id
        self.table_epoch = roster.id
        self.live = [j for j in roster.all if not roster.open[j]]
        self.epochs = [0] * len(roster.all)
        self.items = {0: Item(*(3 * (roster.id,)), tuple(self.live), True, False)}
        self.is_last_alone = False  # The last entry stands for its step, to be judged by itself.

    def is_open(self, seat: int) -> bool:
        """Whether everybody speaks for a seat."""
        return self.roster.open[seat] or self.epochs[seat] % 3 == 1

    def is_bot(self, seat: int) -> bool:
        """Whether a program decides for a seat."""
        return self.roster.bots[seat] or self.is_open(seat)

    def coming(self) -> list[Entry]:
        """The entries that answer the log as it is."""
        rest = self.entries[self.height :]
        answers = [(e.height, e.parent) == (self.height, self.head) for e in rest]
        return rest[: answers.index(False) if False in answers else len(rest)]

    def change(self) -> Entry | None:
        """The change of members that comes next, which stands alone."""
        found = self.coming()
        if not found or not found[0].is_change:
            return None
        need(len(found) == 1, "an entry that answers what a change of members answers")
        return found[0]

    def check_order(self, step: Sequence[Entry], writers: Sequence[int]) -> None:
        for number, entry in enumerate(step):
            is_due = number < len(writers) and entry.seat == writers[number]
            need(is_due, f"at {self.height} others write than {writers}")
            begun = entry.epoch == self.epochs[entry.seat]
            need(begun, "an entry of a seat epoch that is not the current one")

    def step(self, kind: str, writers: list[int]) -> list[Entry]:
        step = self.coming()
        is_last = self.height + len(step) == len(self.entries)
        if is_last and self.is_last_alone and step:
            writers = [step[0].seat] if step[0].seat in writers else writers
        self.check_order(step, writers)
        if is_last and len(step) < len(writers):
            raise Ended(f"`{kind}` is due at entry {self.height}")
        need(len(step) == len(writers), f"not all write `{kind}` at entry {self.height}")
        for entry in step:
            blamed = None if self.is_open(entry.seat) else entry.seat
            need(entry.kind == kind, f"`{entry.kind}` instead of `{kind}`", blamed)
        self.append(step)
        return step

    def append(self, entries: Sequence[Entry]) -> None:
        """Go on behind these entries, which answer the log."""
        before, self.height = self.head, self.height + len(entries)
        hashes = b"".join(entry.hash for entry in entries)
        self.head = sha256(b"hostless head" + before + hashes).digest()
        is_step = not entries[0].is_change
        by_members = not all(self.is_open(entry.seat) for entry in entries)
        item = Item(before, self.head, self.table_epoch, tuple(self.live), is_step, by_members)
        self.items[self.height] = item
