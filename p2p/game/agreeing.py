"""The keys of a game: all commit to theirs first, so that none is chosen after another.

Each comes with a proof of possession, or one could be a difference of others (`p2p.crypto.keys`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from p2p.crypto.group import Point, base
from p2p.crypto.keys import prove_possession, verify_possession
from p2p.crypto.transcript import ProofError
from p2p.game.commitments import check_opening, commit
from p2p.game.rolling import read_seal
from p2p.game.steps import Script, Step


class Own(NamedTuple):
    """Who writes, the secret of its key, and the salt of its commitment."""

    seat: int
    secret: int
    salt: bytes


def agree_on_keys(
    seats: tuple[int, ...], mine: Callable[[], Own], context: Callable[[int, str], bytes]
) -> Script[tuple[Point, ...]]:
    """The keys of all seats; `mine` gives the own one, `context` is by seat and purpose."""
    sealing = context(0, "key")

    def seal(_: object) -> object:
        seat, secret, salt = mine()
        return commit(sealing, seat, base(secret).encoded, salt)

    def show(_: object) -> object:
        seat, secret, salt = mine()
        proof = prove_possession(secret, base(secret), context(seat, "possession"))
        return [base(secret).encoded, proof, salt]

    sealed = yield Step("key seal", seats, read_seal, seal)
    commitments = cast("tuple[bytes, ...]", sealed)

    def read(seat: int, body: object) -> Point:
        match body:
            case [bytes(encoded), bytes(proof), bytes(salt)]:
                check_opening(commitments[seat], sealing, seat, encoded, salt)
                key = Point.parse(encoded)
                verify_possession(key, context(seat, "possession"), proof)
                return key
        raise ProofError("a key, its proof and the opening were expected")

    keys = yield Step("key", seats, read, show, is_irreversible=True)
    return cast("tuple[Point, ...]", keys)
