"""The new key of a seat that is its owner's again.

docs/spec/protocol.md, section 18.4, for somebody who only reads.
"""

from __future__ import annotations

from typing import NamedTuple

from p2p.audit.bodies import read_deck
from p2p.audit.rebuilt import StepReader
from p2p.crypto.group import IDENTITY, Point
from p2p.crypto.keys import verify_possession
from p2p.crypto.masking import Masked
from p2p.crypto.rekey import Rekeying, verify_rekey
from p2p.crypto.transcript import ProofError


class BeforeRenewal(NamedTuple):
    """What a new key is about."""

    named: bytes  # By the owner, when it wanted its seat back.
    old: Point  # Of which all know the secret.
    joint_key: Point
    joint: list[Masked]  # Cards.
    is_believed: bool  # The proof.


class Renewal(NamedTuple):
    """The new key of a seat."""

    public: Point
    joint: Point  # Of all keys, with this one.
    added: list[Masked]  # To every joint card.


def read_renewal(around: StepReader, before: BeforeRenewal, seat: int, body: object) -> Renewal:
    """The key that a seat has named, and what it adds to every joint card.

    Raises:
        ProofError: it is none, or not proven.
    """
    match body:
        case [bytes(encoded), bytes(possession), bytes(joined), bytes(proof)]:
            public = Point.parse(encoded)
        case _:
            raise ProofError("a new key, and what it adds to every joint card, were expected")
    verify_possession(public, around.context(seat, "possession"), possession)
    gap = before.old - public
    whole = before.joint_key - gap
    if IDENTITY in (public, gap, whole):
        raise ProofError("this is no new key")
    if encoded != before.named:
        raise ProofError("this is another key than its owner has named")
    if not before.joint and not joined + proof:
        return Renewal(public, whole, [])
    added = read_deck(joined, len(before.joint))
    if not before.is_believed:
        statement = Rekeying(gap, whole, before.joint, added)
        verify_rekey(statement, proof, around.context(seat, "new key"))
    return Renewal(public, whole, added)
