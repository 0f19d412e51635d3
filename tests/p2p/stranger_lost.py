"""A second reader of a game in which a key is lost, written from `docs/protocol.md` alone.

Three seats play beads; the last is lost as the die is to be rolled.  See `tests.p2p.stranger`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.p2p.stranger import (
    FACES,
    G,
    L,
    Pair,
    Reader,
    less,
    points,
    read_claim,
    scalar,
    shares,
    times,
    total,
)
from tests.p2p.stranger_stock import Rows, blinded, full, struck

LOST: Final = 2
TURN: Final = 65_536
CARDS: Final = range(18)
HANDS: Final = [[17, 16], [15, 14], [13, 12]]


class LostReader(Reader):
    """Reads on without a key."""

    lost: int | None = None

    def is_bot(self, seat: int) -> bool:
        return seat == self.lost or super().is_bot(seat)

    # ---- section 18 ----

    def read_stand_in(self, void: tuple[int, ...]) -> None:
        """Seat 2 is gone and its key is lost; `void` are the writers of the open step."""
        nonce = hashlib.sha256(
            b"hostless stand-in"
            + self.game
            + LOST.to_bytes(4, "little")
            + (1).to_bytes(4, "little")
        ).digest()
        secret = hashlib.sha256(b"hostless open seat" + nonce).digest()
        key = Ed25519PrivateKey.from_private_bytes(secret)
        self.signers[LOST], self.count[LOST] = key.public_key().public_bytes_raw(), TURN
        head = self.head
        ((number, signatures, no_key),) = self.step("stand in", LOST)
        assert no_key is None
        live = [seat for seat in self.seats if seat != LOST]
        for seat, signature in zip(live, signatures, strict=True):
            said = [self.game, self.height, head, seat, LOST, number, None]
            identity = Ed25519PublicKey.from_public_bytes(self.signers[seat])
            identity.verify(signature, b"hostless absence" + cbor2.dumps(said, canonical=True))
        for seat in void:
            self.count[seat] += seat != LOST
        self.lost = LOST
        seed = hashlib.sha256(b"hostless open seed" + nonce).digest()
        derived = hashlib.sha256(cbor2.dumps([seed, self.game, "key secret"], canonical=True))
        drawn = int.from_bytes(hashlib.sha512(derived.digest()).digest(), "little") % L
        self.keys[LOST] = times(drawn, G)
        self.joint = total(*self.keys)
        self.close()

    def read_strike(self, seat: int, stocks: list[Rows], held: dict[int, list[int]]) -> None:
        """A seat strikes what it holds of each family."""
        (body,) = self.step("strike", seat)
        for (at, cards), said in zip(held.items(), body, strict=True):
            pairs, context = (
                [self.cards[card] for card in cards],
                self.context(seat, f"strike {at}"),
            )
            keys = self.keys[seat], self.joint
            stocks[at] = struck(keys, stocks[at], pairs, context, said)
        self.close()

    def read_blindings(self, decks: list[list[Pair]]) -> list[Pair]:
        """All rows, times what all live seats have drawn."""
        live, sums = [seat for seat in self.seats if seat != LOST], list[list[Pair]]()
        for seat, body in zip(live, self.step("blind", *live), strict=True):
            rows = [row for at, (deck, said) in enumerate(zip(decks, body, strict=True))
                    for row in blinded(deck, self.context(seat, f"blind {at}"), said)]  # fmt: skip
            sums.append(rows)
        self.close()
        return [(total(*(a for a, _ in each)), total(*(b for _, b in each)))
                for each in zip(*sums, strict=True)]  # fmt: skip

    def read_layers(self, kind: str, seats: list[int], pairs: list[Pair]) -> list[Pair]:
        """The same pairs without the layers of these seats."""
        bare = pairs
        for seat, (joined, proof) in zip(seats, self.step(kind, *seats), strict=True):
            given = points(joined)
            shares(self.keys[seat], pairs, given, self.context(seat, kind), proof)
            bare = [(a, less(b, share)) for (a, b), share in zip(bare, given, strict=True)]
        self.close()
        return bare

    def deal_anew(self, families: list[tuple[list[int], dict[int, list[int]]]]) -> None:
        """For each family its dead cards, and what every seat holds; three beads of each face."""
        stocks = [full(self.joint, [(face, 3) for face in self.faces]) for _ in families]
        for seat in self.seats:
            held = {at: mine[seat] for at, (_, mine) in enumerate(families) if seat in mine}
            if held:
                self.read_strike(seat, stocks, held)
        decks = self.read_decks([[row for _, rows in stock for row in rows] for stock in stocks])
        raised = self.read_blindings(decks)
        bare = iter(self.read_layers("sort out", list(self.seats), raised))
        for (dead, _), deck in zip(families, decks, strict=True):
            left = [row for row in deck if next(bare)[1] != bytes(32)]
            mine = [card for card in dead if card in HANDS[LOST]]
            if mine:
                pairs = self.read_layers("share", [0, 1], left[: len(mine)])
                self.cards.update(zip(mine, pairs, strict=True))
            others = [card for card in dead if card not in mine]
            self.cards.update(zip(others, left[len(mine) :], strict=True))

    def hand_of_the_lost(self, secret: int) -> list[int]:
        """The faces of the hand that was dealt anew."""
        pairs = [self.cards[card] for card in HANDS[LOST]]
        return [self.faces.index(less(b, times(secret, a))) for a, b in pairs]


def read_lost_beads(roster: list[Any], entries: Iterator[bytes]) -> tuple[list[bytes], Any]:
    """The heads of a whole game and the result that was signed, all checked."""
    reader = LostReader(roster, entries)
    reader.read_keys()
    for card in CARDS:
        reader.cards[card] = (G, total(reader.faces[card % FACES], reader.joint))
    reader.read_shuffles([list(CARDS[:9]), list(CARDS[9:])])
    for seat, hand in enumerate(HANDS):
        reader.read_shares("share", {other: hand for other in reader.seats if other != seat})
    reader.read_mix(0, HANDS[0])
    reader.read_stand_in(void=reader.seats)
    held = {0: sorted(HANDS[0]), 1: sorted(HANDS[1])}
    reader.deal_anew([(list(CARDS[:9]), {}), (list(CARDS[9:14]), held)])
    points_won = reader.read_roll(6)
    reader.read_lots(0, 1, 2)
    bids = reader.read_bids()
    read_claim(reader)
    (((_, (given,), _), _),) = reader.step("choose", 1)
    reader.close()
    reader.read_rekeying("pass", 1, reader.keys[0], [given])
    (((_, (played,), _), _),) = reader.step("choose", 0)
    reader.close()
    reader.read_shares("open", {0: [played]})
    kept = sum(HANDS[1]) - given
    reader.read_rekeying("return", 1, reader.joint, [kept])
    reader.read_shuffles([[*CARDS[:12], kept]])
    reader.read_shares("open", {key: [kept] for key in reader.seats})
    assert {reader.face_of(played), reader.face_of(kept)} <= set(range(FACES))
    results = reader.step("finish", *reader.seats)
    scores = [bids[0] + points_won, *bids[1:]]
    winners = [seat for seat in reader.seats if scores[seat] == max(scores)]
    assert results == [[scores, winners]] * len(reader.seats)
    reader.close()
    ((secret,),) = [reader.step("open keys", LOST)]
    number = int.from_bytes(secret, "little")
    assert scalar(number) == secret and times(number, G) == reader.keys[LOST]
    assert len(reader.hand_of_the_lost(number)) == len(HANDS[LOST])
    assert next(entries, None) is None
    return reader.heads, results[0]
