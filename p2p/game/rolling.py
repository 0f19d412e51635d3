"""A roll: every seat commits to a share before any is shown (Blum 1981); two steps of entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from p2p.crypto.transcript import ProofError
from p2p.game.commitments import COMMITMENT_BYTES, check_opening, commit
from p2p.game.steps import Script, Step

ROLL_BYTES: Final = 32  # Of one seat's share of a roll.


def share_out(
    seats: Sequence[int], context: bytes, mine: Callable[[], tuple[int, bytes, bytes]]
) -> Script[tuple[bytes, ...]]:
    """The shares of all seats; `mine` gives who writes, its share and its salt."""

    def seal(_: object) -> object:
        return commit(context, *mine())

    def unseal(_: object) -> object:
        return list(mine()[1:])

    sealed = yield Step("roll seal", tuple(seats), read_seal, seal)
    commitments = cast("tuple[bytes, ...]", sealed)

    def read(seat: int, body: object) -> bytes:
        match body:
            case [bytes(value), bytes(opening)] if len(value) == ROLL_BYTES:
                check_opening(commitments[seat], context, seat, value, opening)
                return value
        raise ProofError("a share of a roll and its salt were expected")

    shares = yield Step("roll", tuple(seats), read, unseal, is_irreversible=True)
    return cast("tuple[bytes, ...]", shares)


def read_seal(seat: int, body: object) -> bytes:
    """A commitment as an entry has it; raises ProofError."""
    if isinstance(body, bytes) and len(body) == COMMITMENT_BYTES:
        return body
    raise ProofError("a commitment was expected")
