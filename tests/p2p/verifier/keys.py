"""Keys: agreed on, put in escrow, put together, shown anew.  Sections 9, 10 and 18.4."""

from __future__ import annotations

from hashlib import sha256, sha512

from tests.p2p.verifier import proofs
from tests.p2p.verifier.escrow import escrow
from tests.p2p.verifier.group import NOTHING, L, Pair, add, base, point, scalar, sub, total
from tests.p2p.verifier.log import Entry
from tests.p2p.verifier.reading import Reading
from tests.p2p.verifier.values import encode, need


class Keys:
    """The key of every seat, and what is known of them."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.roster, self.log = reading, reading.roster, reading.log
        self.publics: list[bytes] = []
        self.joint = NOTHING
        self.secrets: dict[int, int] = {}  # Which all know.
        self.holders: list[int] = []  # The seats among which all keys are in escrow.
        self.parts: dict[int, dict[int, bytes]] = {}  # By dealer and recipient, `S_k`.
        self.returning: dict[int, bytes] = {}  # The new key that each owner has named.

    def agree(self) -> None:
        reading, ctx = self.reading, self.reading.ctx
        seals = {}
        for entry in reading.step("key seal", self.roster.all):
            seals[entry.seat] = reading.sealed(entry)
        for entry in reading.step("key", self.roster.all):
            seat, (public, proof, salt) = entry.seat, reading.items(entry, 3)
            reading.need(isinstance(salt, bytes) and len(salt) == 32, "a salt that is none", seat)
            with reading.of(seat):
                point(public)
            said = reading.commitment(seat, ctx(0, "key", 0), salt, public)
            reading.need(seals[seat] == said, "the key is not the sealed one", seat)
            reading.holds(seat, proofs.possession, public, proof, ctx(seat, "possession", 0))
            self.publics.append(public)
        self.joint = total(self.publics)
        last = self.log.live[-1]
        reading.need(self.joint != NOTHING, "the keys add up to nothing", last)

    # -- Escrow --

    def put_in_escrow(self) -> None:
        """If the table wants that, and others are there than at the last time."""
        live, at = list(self.log.live), self.log.height
        is_wanted = self.roster.escrow and len(self.roster.behind(live)) > 2
        if not is_wanted or self.holders == live:
            return
        self.holders, self.parts, boxes = live, {}, {}
        for entry in self.reading.step("escrow key", live):
            boxes[entry.seat] = self.box_of(entry, at)
        for entry in self.reading.step("escrow", live):
            others = [seat for seat in live if seat != entry.seat]
            ctx = self.reading.ctx(entry.seat, "escrow", at)
            keys, mine = [boxes[seat] for seat in others], self.publics[entry.seat]
            parts, _ = self.reading.holds(entry.seat, escrow, mine, keys, entry.body, ctx)
            self.parts[entry.seat] = dict(zip(others, parts, strict=True))

    def box_of(self, entry: Entry, at: int) -> bytes:
        """The key under which a seat gets its parts."""
        box, proof = self.reading.items(entry, 2)
        with self.reading.of(entry.seat):
            point(box)
        ctx = self.reading.ctx(entry.seat, "escrow", at)
        self.reading.holds(entry.seat, proofs.possession, box, proof, ctx)
        return box

    def is_in_parts(self, seat: int, others: list[int]) -> bool:
        """Whether just these others together have the key of a seat."""
        return seat in self.parts and set(self.holders) == {seat, *others}

    def put_together(self, seat: int) -> int:
        """The step `part`, by all who stay."""
        found = 0
        for entry in self.reading.step("part", list(self.log.live)):
            with self.reading.of(entry.seat):
                part = scalar(entry.body)
                due = self.parts[seat][entry.seat]
                need(base(part) == due, "another part than it was dealt")
            found += part
        return found % L

    # -- Seats that go and come back --

    def known(self, seat: int, secret: int) -> None:
        need(base(secret) == self.publics[seat], "this is not the key of that seat")
        self.secrets[seat] = secret
        self.returning.pop(seat, None)

    def lose(self, seat: int) -> None:
        """A seat whose key is lost has that of an open seat (section 19)."""
        nonce = self.roster.open_nonce(seat, self.log.epochs[seat])
        seed = sha256(b"hostless open seed" + nonce).digest()
        root = sha256(encode([seed, self.roster.id, "key secret"])).digest()
        secret = int.from_bytes(sha512(root).digest(), "little") % L
        self.replace(seat, base(secret))
        self.known(seat, secret)

    def replace(self, seat: int, public: bytes) -> None:
        self.joint = add(sub(self.joint, self.publics[seat]), public)
        need(self.joint != NOTHING, "the keys add up to nothing")
        self.publics[seat] = public

    def welcome(self, seat: int, named: bytes) -> None:
        """Its owner has a seat again, and has named a new key."""
        point(named)
        old = self.publics[seat]
        added = sub(named, old)
        none = NOTHING in (added, add(self.joint, added))
        need(not none, "a new key that is none, or leaves no deck closed")
        self.returning[seat] = named
        self.holders, self.parts = [], {}

    def shown_anew(self, seat: int, joint: list[Pair]) -> list[Pair]:
        """The step `new key`: what is added to each JOINT card."""
        reading, at, old = self.reading, self.log.height, self.publics[seat]
        (entry,) = reading.step("new key", [seat])
        named, possession, added, proof = reading.items(entry, 4)
        reading.need(named == self.returning[seat], "another new key than it has named", seat)
        ctx = reading.ctx(seat, "possession", at)
        reading.holds(seat, proofs.possession, named, possession, ctx)
        keys = sub(old, named), add(sub(self.joint, old), named)
        with reading.of(seat):
            need(NOTHING not in keys, "a new key that is none, or leaves no deck closed")
        if not joint:
            reading.need((added, proof) == (b"", b""), "a proof of nothing", seat)
            return []
        pairs, ctx = reading.pairs(seat, added, len(joint)), reading.ctx(seat, "new key", at)
        reading.holds(seat, proofs.rekey, keys, joint, pairs, proof, ctx)
        return pairs
