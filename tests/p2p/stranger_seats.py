"""A second reader of seats that change hands, and of one that its owner has back.

Written from section 18 of `docs/protocol.md` alone; see `tests.p2p.stranger`.  Three seats play
beads; the last leaves as the die is to be rolled, and asks for its seat when all bid.
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
    Reader,
    less,
    pairs,
    points,
    possession,
    read_claim,
    rekeying,
    scalars,
    times,
    total,
)

GONE: Final = 2
TURN: Final = 65_536
CARDS: Final = range(18)
HANDS: Final = [[17, 16], [15, 14], [13, 12]]


class SeatsReader(Reader):
    """Reads on when another signs for seat 2."""

    stood_in = False

    def is_bot(self, seat: int) -> bool:
        return (self.stood_in and seat == GONE) or super().is_bot(seat)

    def hand_over(self, turn: int) -> bytes:
        """Seat 2 goes on in this turn, under an identity that everybody knows; gives its nonce."""
        place = GONE.to_bytes(4, "little") + turn.to_bytes(4, "little")
        nonce = hashlib.sha256(b"hostless stand-in" + self.game + place).digest()
        secret = hashlib.sha256(b"hostless open seat" + nonce).digest()
        key = Ed25519PrivateKey.from_private_bytes(secret)
        self.signers[GONE] = key.public_key().public_bytes_raw()
        self.count[GONE] = turn * TURN
        return nonce

    def check_words(self, number: int, signatures: list[bytes], answer: bool | None) -> None:
        """Every other seat has said so of seat 2, at the open step."""
        live = [seat for seat in self.seats if seat != GONE]
        for seat, signature in zip(live, signatures, strict=True):
            said = [self.game, self.height, self.answered, seat, GONE, number, answer]
            identity = Ed25519PublicKey.from_public_bytes(self.signers[seat])
            identity.verify(signature, b"hostless absence" + cbor2.dumps(said, canonical=True))

    def void(self, *writers: int) -> None:
        """The open step counts no more; each of its writers has used a number up."""
        for seat in writers:
            self.count[seat] += seat != GONE
        self.close()


class ReturnedReader(SeatsReader):
    """Reads on with a key that was given, and when its owner shows a new one."""

    secret = 0

    def read_stand_in(self) -> None:
        """Seat 2 has given its key; the open step stays open."""
        self.hand_over(1)
        ((number, signatures, key),) = self.step("stand in", GONE)
        self.check_words(number, signatures, answer=True)
        (self.secret,) = scalars(key)
        assert times(self.secret, G) == self.keys[GONE]
        self.stood_in = True

    def read_back(self, writers: tuple[int, ...]) -> None:
        """All agree that seat 2 is its owner's again."""
        self.hand_over(2)
        ((number, signatures, asked),) = self.step("back", GONE)
        assert TURN // 4 <= number < TURN // 2
        self.check_words(number, signatures, answer=True)
        said = cbor2.dumps([self.game, GONE, 1], canonical=True)
        owner = self.signers[GONE] = self.roster[5][GONE][0]
        Ed25519PublicKey.from_public_bytes(owner).verify(asked, b"hostless return" + said)
        self.count[GONE] = 3 * TURN
        self.stood_in = False
        self.void(*writers)

    def read_new_key(self, joint_cards: list[int]) -> None:
        """Nobody but its owner knows the new layer of a card that all have."""
        ((key, proof, joined, rekeyed),) = self.step("new key", GONE)
        (fresh,) = points(key)
        possession(fresh, self.context(GONE, "possession"), proof)
        joint = total(less(self.joint, self.keys[GONE]), fresh)
        old, added = [self.cards[card] for card in joint_cards], pairs(joined)
        keys = less(self.keys[GONE], fresh), joint
        rekeying(keys, old, added, self.context(GONE, "new key"), rekeyed)
        for card, (a, _), (c, d) in zip(joint_cards, old, added, strict=True):
            self.cards[card] = (total(a, c), d)
        for card in HANDS[GONE]:
            a, b = self.cards[card]
            self.cards[card] = (G, total(less(b, times(self.secret, a)), fresh))
        self.keys[GONE], self.joint = fresh, joint
        self.close()


def read_returned_beads(roster: list[Any], entries: Iterator[bytes]) -> tuple[list[bytes], Any]:
    """The heads of a whole game and the result that was signed, all checked."""
    reader = ReturnedReader(roster, entries)
    read_first_deal(reader)
    reader.read_stand_in()
    points_won = reader.read_roll(6)
    reader.read_lots(*reader.seats)
    reader.read_back(reader.seats)
    reader.read_new_key(list(CARDS[:12]))
    bids = reader.read_bids()
    read_choices(reader)
    result = read_result(reader, [bids[0] + points_won, *bids[1:]])
    assert next(reader.entries, None) is None
    return reader.heads, result


def read_first_deal(reader: Reader) -> None:
    """Keys, two piles shuffled, two cards for each seat, and the first seat mixes its own."""
    reader.read_keys()
    for card in CARDS:
        reader.cards[card] = (G, total(reader.faces[card % FACES], reader.joint))
    reader.read_shuffles([list(CARDS[:9]), list(CARDS[9:])])
    for seat, hand in enumerate(HANDS):
        reader.read_shares("share", {other: hand for other in reader.seats if other != seat})
    reader.read_mix(0, HANDS[0])


def read_choices(reader: Reader) -> None:
    """A claim; a card is given, played, kept, shuffled into the deck and opened."""
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


def read_result(reader: Reader, scores: list[int]) -> list[Any]:
    """All sign the scores, and who has won."""
    results = reader.step("finish", *reader.seats)
    winners = [seat for seat in reader.seats if scores[seat] == max(scores)]
    assert results == [[scores, winners]] * len(reader.seats)
    reader.close()
    return results[0]
