"""A second reader of seats that change hands, and of one that its owner has back.

Written from section 18 of `docs/spec/protocol.md` alone; see `tests.p2p.stranger`.  Seats play
beads; the last leaves as the die is to be rolled, and may ask for its seat when all bid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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

Notes: TypeAlias = dict[int, tuple[list[Any], list[bytes]]]  # Acknowledgements, and a proof.


@dataclass
class SeatsReader(Reader):
    """Reads on when another signs for the last seat."""

    is_replaced: bool = False
    notes: Notes = field(default_factory=dict)  # By height, what puts a change in force.

    def __post_init__(self) -> None:
        super().__post_init__()
        self.table_epoch, self.proof = self.game, list[bytes]()
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

    def read_change(self, kind: str, reason: str) -> bytes:
        """All have agreed on a change of the last seat, and acknowledged it; gives its key.

        The step stays the current one, and keeps its contexts.
        """
        parent, epoch = self.answered, self.table_epoch
        ((why, key, leavers, number),) = self.step(kind, self.gone)
        assert (why, leavers) == (reason, [])
        self.go_on()
        self.table_epoch = self.answered
        acks, self.proof = self.notes[self.place]
        change = [self.gone, why, key, leavers]
        stay = [seat for seat in self.seats if seat != self.gone or reason == "restore"]
        assert [ack[2] for ack in acks] == stay
        for word, *fields, signature in acks:
            place = [epoch, fields[1], self.place, parent, self.answered]
            assert (word, fields) == ("ack", [*place, change, number, []])
            self.check_signed(fields[1], "ack", fields, signature)
        return bytes(key)

    def check_signed(self, seat: int, kind: str, fields: list[Any], signature: bytes) -> None:
        """The owner of a seat has signed a message of this game (section 4.2)."""
        said = f"hostless {kind}".encode() + cbor2.dumps([self.game, *fields], canonical=True)
        Ed25519PublicKey.from_public_bytes(self.roster[5][seat][0]).verify(signature, said)

    def check_proof(self, kind: str, epoch: bytes, key: bytes, *more: bytes) -> None:
        """The owner of the last seat has said so in this epoch of the table."""
        ((word, *fields, signature),) = map(cbor2.loads, self.proof)
        assert (word, fields) == (kind, [epoch, self.gone, key, *more])
        self.check_signed(self.gone, kind, fields, signature)


class ReturnedReader(SeatsReader):
    """Reads on with a key that was given, and when its owner shows a new one."""

    secret = 0

    def read_replacement(self) -> None:
        """The last seat has left, and given its key."""
        epoch = self.table_epoch
        self.hand_over(1)
        key = self.read_change("replace", "left")
        self.check_proof("farewell", epoch, key)
        (self.secret,) = scalars(key)
        assert times(self.secret, G) == self.keys[self.gone]
        self.is_replaced = True

    def read_back(self) -> bytes:
        """All agree that the last seat is its owner's again; gives the key that it has named."""
        epoch = self.table_epoch
        self.hand_over(2)
        key = self.read_change("restore", "restore")
        self.check_proof("wish", epoch, key, b"")
        self.signers[self.gone] = self.roster[5][self.gone][0]
        self.epochs[self.gone] = 3
        self.is_replaced = False
        self.close()  # Nothing counts of the current step.
        return key

    def read_new_key(self, named: bytes, joint_cards: list[int]) -> None:
        """Nobody but its owner knows the new layer of a card that all have."""
        ((key, proof, joined, rekeyed),) = self.step("new key", self.gone)
        assert key == named
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


def read_returned_beads(
    roster: list[Any], entries: Iterator[bytes], notes: Notes
) -> tuple[list[bytes], Any]:
    """The heads of a whole game and the result that was signed, all checked."""
    reader = ReturnedReader(roster, entries, notes=notes)
    read_first_deal(reader)
    reader.read_replacement()
    points_won = reader.read_roll(6)
    bids = reader.read_bids()  # A bot bids for the last seat, so its owner may be back now.
    reader.read_new_key(reader.read_back(), list(reader.deck))
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
