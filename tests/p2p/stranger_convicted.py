"""A second reader of a game in which a cheater is replaced, with its key from escrow.

Written from sections 12.7, 13 and 18 of `docs/spec/protocol.md` alone; see `tests.p2p.stranger`.
Three play beads; the last tells each of the others another bid, and all go back to where all are to
bid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.p2p.stranger import G, L, points, possession, scalar, times
from tests.p2p.stranger_dealt import deal, part
from tests.p2p.stranger_seats import (
    Notes,
    ReturnedReader,
    read_choices,
    read_first_hands,
    read_result,
)


class ConvictedReader(ReturnedReader):
    """Reads on with a key from escrow."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.parts: dict[int, list[int]] = {}

    def followed(self, root: bytes, purpose: str) -> bytes:
        """What a seed gives for a purpose."""
        return hashlib.sha256(cbor2.dumps([root, self.game, purpose], canonical=True)).digest()

    def read_escrow(self, seeds: list[bytes]) -> None:
        """All keys go into parts; `seeds` open the boxes, each of which holds its part."""
        asked, opened = f"escrow {self.height}", [self.context(j, "escrow") for j in self.seats]
        secrets = [hashlib.sha512(self.followed(seed, asked)).digest() for seed in seeds]
        numbers = [int.from_bytes(secret, "little") % L for secret in secrets]
        boxes = []
        shown_keys = self.step("escrow key", *self.seats)
        for seat, (key, proof) in zip(self.seats, shown_keys, strict=True):
            possession(key, opened[seat], proof)
            boxes.append(points(key)[0])
        self.close()
        for dealer, said in zip(self.seats, self.step("escrow", *self.seats), strict=True):
            others = [seat for seat in self.seats if seat != dealer]
            keys, place = [boxes[seat] for seat in others], opened[dealer]
            shown, covered = deal(self.keys[dealer], keys, place, said)
            for at, seat in enumerate(others):
                found = {part(numbers[seat], at, boxes[seat], place, each) for each in covered}
                assert [times(each, G) for each in found] == [shown[at]]
                self.parts.setdefault(dealer, []).extend(found)
        self.close()

    def read_conviction(self) -> None:
        """The last seat has cheated, and the others put its key together."""
        self.hand_over(1)
        assert self.read_change("replace", "convicted") == b""
        assert check_two_entries(self.roster, self.proof) == self.gone
        given = self.step("part", *self.seats[:-1])
        assert given == [scalar(part) for part in self.parts[self.gone]]
        self.secret = sum(self.parts[self.gone]) % L
        assert times(self.secret, G) == self.keys[self.gone]
        self.is_replaced = True
        self.close()  # Nothing counts of the current step.


def read_convicted_beads(
    roster: list[Any], entries: Iterator[bytes], notes: Notes, seeds: list[bytes]
) -> tuple[list[bytes], Any]:
    """The heads of a whole game and the result that was signed, all checked."""
    reader = ConvictedReader(roster, entries, notes=notes)
    reader.read_keys()
    reader.read_escrow(seeds)
    read_first_hands(reader)
    points_won = reader.read_roll(6)
    reader.read_conviction()
    bids = reader.read_bids()
    read_choices(reader)
    result = read_result(reader, [bids[0] + points_won, *bids[1:]])
    assert reader.step("open keys", reader.gone) == [scalar(reader.secret)]
    reader.close()
    assert next(entries, None) is None
    return reader.heads, result


def check_evidence(roster: list[Any], record: list[Any]) -> int:
    """The seat that has signed two entries that answer one log (sections 7.1, 13 and 14)."""
    kind, seat, sentence, raws = record
    assert kind == "evidence" and isinstance(sentence, str)
    assert check_two_entries(roster, raws) == seat
    return int(seat)


def check_two_entries(roster: list[Any], raws: list[bytes]) -> int:
    """The seat that has signed both of these, which answer one log."""
    seat = cbor2.loads(cbor2.loads(raws[0])[0])[1]
    payloads, identity = [], Ed25519PublicKey.from_public_bytes(roster[5][seat][0])
    for payload, signature in map(cbor2.loads, raws):
        identity.verify(signature, b"hostless entry" + payload)
        payloads.append(cbor2.loads(payload))
    one, two = payloads
    game = hashlib.sha256(b"hostless game" + cbor2.dumps(roster, canonical=True)).digest()
    assert one != two and one[:5] == two[:5] and one[:3] == [game, seat, 0]
    return int(seat)
