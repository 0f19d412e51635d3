"""Roster, entries, their chain and what stands between them: sections 6, 7, 13, 14 and 18.1.

The middle of `verifier.py`; written from the document, and imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.p2p.verifier_proofs import Refused, decode, encode, need, signed


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
        self.open = [s[0] == s[4] == self.nobody(s[2]) for s in seats]
        self.all = list(range(len(seats)))
        self.sponsors = [s[4] for s in seats]
        self.live = [j for j in self.all if not self.open[j]]
        behind = {seats[j][4] if self.bots[j] else seats[j][0] for j in self.live}
        self.escrow = bool(more and more[0] and more[0][2]) and len(behind - {b""}) > 2

    @staticmethod
    def nobody(nonce: bytes) -> bytes:
        secret = sha256(b"hostless open seat" + nonce).digest()
        return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


@dataclass(frozen=True)
class Entry:
    seat: int
    height: int
    parent: bytes
    digest: bytes
    kind: str
    body: Any
    hash: bytes


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
    if kind in ("replace", "restore"):
        raise NotImplementedError("changes of members, section 18")
    need(epoch == 0, "an entry of a seat epoch that has not begun")
    mine = signed(roster.keys[seat], value[1], b"hostless entry" + value[0])
    need(mine, "an entry with a false signature")
    own = sha256(b"hostless entry" + content).digest()
    return Entry(seat, height, parent, digest, kind, body, own)


class Log:
    """The chain: entries step by step, with the height and the head behind each."""

    def __init__(self, roster: Roster, entries: list[Entry]) -> None:
        self.roster, self.entries = roster, entries
        self.height, self.head = 0, roster.id
        self.ends = {0: (roster.id, roster.id)}

    def coming(self) -> list[Entry]:
        """The entries that answer the log as it is."""
        rest = self.entries[self.height :]
        answers = [(e.height, e.parent) == (self.height, self.head) for e in rest]
        return rest[: answers.index(False) if False in answers else len(rest)]

    def check_order(self, step: Sequence[Entry], writers: Sequence[int]) -> None:
        for number, entry in enumerate(step):
            twice = any(e.seat == entry.seat and e.hash != entry.hash for e in step[:number])
            need(not twice, "it has signed two entries that answer one head", entry.seat)
            is_due = number < len(writers) and entry.seat == writers[number]
            need(is_due, f"at {self.height} others write than {writers}")

    def step(self, kind: str, writers: list[int]) -> list[Entry]:
        step = self.coming()
        is_last = self.height + len(step) == len(self.entries)
        self.check_order(step, writers)
        if is_last and len(step) < len(writers):
            raise Ended(f"`{kind}` is due at entry {self.height}")
        need(len(step) == len(writers), f"not all write `{kind}` at entry {self.height}")
        for entry in step:
            need(entry.kind == kind, f"`{entry.kind}` instead of `{kind}`", entry.seat)
            early = kind in ("key seal", "key")
            need(not early or not any(entry.digest), "a digest before the keys", entry.seat)
        before, self.height = self.head, self.height + len(step)
        hashes = b"".join(entry.hash for entry in step)
        self.head = sha256(b"hostless head" + before + hashes).digest()
        self.ends[self.height] = (before, self.head)
        return step


# -- Section 14: what stands between the entries --------------------------------------------------


def judge_records(records: Sequence[Any], log: Log, is_over: bool) -> None:
    """Acknowledgements, evidence and a claim; the rest belongs to section 18."""
    height = 0
    for number, record in enumerate(records):
        match record:
            case ["entry", _]:
                height += 1
            case ["acks", at, signatures]:
                need(at == height and at in log.ends, "`acks` where no step ends")
                judge_acks(log, at, signatures)
            case ["evidence", _, _, signed_things]:
                judge_evidence(log, signed_things)
            case ["claim", *fields]:
                need(number == len(records) - 1 and not is_over, "a claim that is out of place")
                judge_claim(log, fields)
            case ["in force" | "objection" as kind, *_]:
                raise NotImplementedError(f"the record `{kind}`, section 18")
            case _:
                raise Refused(None, "a record that is none")


def judge_acks(log: Log, height: int, signatures: Sequence[Any]) -> None:
    roster, (before, head) = log.roster, log.ends[height]
    need(len(signatures) == len(roster.all), "`acks` of another number of seats")
    for seat in roster.all:
        fields = [roster.id, roster.id, seat, height, before, head, None, 0, []]
        said = b"hostless ack" + encode(fields)
        mine = signatures[seat]
        good = mine is None or (seat in roster.live and signed(roster.keys[seat], mine, said))
        need(good, f"a false `ack` of seat {seat} at {height}")


def judge_evidence(log: Log, raws: Sequence[bytes]) -> None:
    """E1: an entry beside the log, for a head that its seat has answered in the log or here."""
    entries = list(log.entries)
    for raw in raws:
        if not isinstance(decode(raw)[0], bytes):
            raise NotImplementedError("evidence of section 18")
        entry = read_entry(raw, log.roster)
        same = [e for e in entries if (e.seat, e.parent) == (entry.seat, entry.parent)]
        if any(e.hash != entry.hash for e in same) and not log.roster.open[entry.seat]:
            raise Refused(entry.seat, "it has signed two entries that answer one head")
        if not same:
            raise NotImplementedError("evidence of one entry")
        entries.append(entry)


def judge_claim(log: Log, fields: Sequence[Any]) -> None:
    seat, silent, height, head, signature = fields
    roster = log.roster
    need(seat in roster.live and (height, head) == (log.height, log.head), "a claim on another log")
    others = [j for j in roster.live if j != seat and roster.sponsors[j] != roster.keys[seat]]
    need(silent == others, "a claim about other seats")
    said = b"hostless claim" + encode([roster.id, height, head, seat, silent])
    need(signed(roster.keys[seat], signature, said), "a claim with a false signature")
