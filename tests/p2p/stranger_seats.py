"""A second reader of seats that change hands, and of one that its owner has back.

Written from section 18 of `docs/spec/protocol.md` alone; see `tests.p2p.stranger`.  Seats play
beads; the last leaves as the die is to be rolled, and may ask for its seat when all bid.
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

ROUNDS: Final = 65_536


class SeatsReader(Reader):
    """Reads on when another signs for the last seat."""

    is_replaced = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.gone, self.beads = self.seats[-1], range(6 * len(self.seats))
        self.deck = self.beads[: -2 * len(self.seats)]
        self.hands = [[self.beads[-1 - 2 * seat], self.beads[-2 - 2 * seat]] for seat in self.seats]

    def is_bot(self, seat: int) -> bool:
        return (self.is_replaced and seat == self.gone) or super().is_bot(seat)

    def hand_over(self, epoch: int) -> bytes:
        """The last seat goes on in this epoch, by an identity that all know; gives its nonce."""
        place = self.gone.to_bytes(4, "little") + epoch.to_bytes(4, "little")
        nonce = hashlib.sha256(b"hostless stand-in" + self.game + place).digest()
        secret = hashlib.sha256(b"hostless open seat" + nonce).digest()
        key = Ed25519PrivateKey.from_private_bytes(secret)
        self.signers[self.gone] = key.public_key().public_bytes_raw()
        self.epochs[self.gone] = epoch
        return nonce

    def check_words(self, number: int, signatures: list[bytes], answer: bool | None) -> None:
        """Every other seat has said so of the last seat, at the open step."""
        live = [seat for seat in self.seats if seat != self.gone]
        assert len(live) > 1 or answer is not None
        for seat, signature in zip(live, signatures, strict=True):
            said = [self.game, self.place, self.answered, seat, self.gone, number, answer]
            identity = Ed25519PublicKey.from_public_bytes(self.signers[seat])
            identity.verify(signature, b"hostless absence" + cbor2.dumps(said, canonical=True))



class ReturnedReader(SeatsReader):
    """Reads on with a key that was given, and when its owner shows a new one."""

    secret = 0

    def read_replacement(self) -> int:
        """All have the key of the last seat; gives the round in which they said that it is gone."""
        self.hand_over(1)
        ((number, signatures, key),) = self.step("stand in", self.gone)
        self.check_words(number, signatures, answer=True)
        (self.secret,) = scalars(key)
        assert times(self.secret, G) == self.keys[self.gone]
        self.is_replaced = True
        self.go_on()  # The open step stays open, and keeps its contexts.
        return int(number)

    def read_back(self) -> None:
        """All agree that the last seat is its owner's again."""
        self.hand_over(2)
        ((number, signatures, asked),) = self.step("back", self.gone)
        assert ROUNDS // 4 <= number < ROUNDS // 2
        self.check_words(number, signatures, answer=True)
        said = cbor2.dumps([self.game, self.gone, 1], canonical=True)
        owner = self.signers[self.gone] = self.roster[5][self.gone][0]
        Ed25519PublicKey.from_public_bytes(owner).verify(asked, b"hostless return" + said)
        self.epochs[self.gone] = 3
        self.is_replaced = False
        self.close()  # Nothing counts of the open step.

    def read_new_key(self, joint_cards: list[int]) -> None:
        """Nobody but its owner knows the new layer of a card that all have."""
        ((key, proof, joined, rekeyed),) = self.step("new key", self.gone)
        (fresh,) = points(key)
        possession(fresh, self.context(self.gone, "possession"), proof)
        joint = total(less(self.joint, self.keys[self.gone]), fresh)
        old, added = [self.cards[card] for card in joint_cards], pairs(joined)
        keys = less(self.keys[self.gone], fresh), joint
        rekeying(keys, old, added, self.context(self.gone, "new key"), rekeyed)
        for card, (a, _), (c, d) in zip(joint_cards, old, added, strict=True):
            self.cards[card] = (total(a, c), d)
        for card in self.hands[self.gone]:
            a, b = self.cards[card]
            self.cards[card] = (G, total(less(b, times(self.secret, a)), fresh))
        self.keys[self.gone], self.joint = fresh, joint
        self.close()


def read_returned_beads(roster: list[Any], entries: Iterator[bytes]) -> tuple[list[bytes], Any]:
    """The heads of a whole game and the result that was signed, all checked."""
    reader = ReturnedReader(roster, entries)
    read_first_deal(reader)
    assert reader.read_replacement() < ROUNDS // 4
    points_won = reader.read_roll(6)
    bids = reader.read_bids()  # A bot bids for the last seat, so its owner may be back now.
    reader.read_back()
    reader.read_new_key(list(reader.deck))
    read_choices(reader)
    result = read_result(reader, [bids[0] + points_won, *bids[1:]])
    assert next(reader.entries, None) is None
    return reader.heads, result


def read_first_deal(reader: SeatsReader) -> None:
    """Keys, and what `read_first_hands` reads."""
    reader.read_keys()
    read_first_hands(reader)


def read_first_hands(reader: SeatsReader) -> None:
    """Two piles shuffled, two cards for each seat, and the first seat mixes its own."""
    half = len(reader.beads) // 2
    for card in reader.beads:
        reader.cards[card] = (G, total(reader.faces[card % FACES], reader.joint))
    reader.read_shuffles([list(reader.beads[:half]), list(reader.beads[half:])])
    for seat, hand in enumerate(reader.hands):
        reader.read_shares("share", {other: hand for other in reader.seats if other != seat})
    reader.read_mix(0, reader.hands[0])


def read_choices(reader: SeatsReader) -> None:
    """A claim; a card is given, played, kept, shuffled into the deck and opened."""
    read_claim(reader)
    reader.read_vrf_values(1)
    (((_, (given,), _), _),) = reader.step("choose", 1)
    reader.close()
    reader.read_rekeying("pass", 1, reader.keys[0], [given])
    (((_, (played,), _), _),) = reader.step("choose", 0)
    reader.close()
    reader.read_shares("open", {0: [played]})
    kept = sum(reader.hands[1]) - given
    reader.read_rekeying("return", 1, reader.joint, [kept])
    reader.read_shuffles([[*reader.deck, kept]])
    reader.read_shares("open", {key: [kept] for key in reader.seats})
    assert {reader.face_of(played), reader.face_of(kept)} <= set(range(FACES))


def read_result(reader: Reader, scores: list[int]) -> list[Any]:
    """All sign the scores, and who has won."""
    results = reader.step("finish", *reader.seats)
    winners = [seat for seat in reader.seats if scores[seat] == max(scores)]
    assert results == [[scores, winners]] * len(reader.seats)
    reader.close()
    return results[0]
