"""A roll: every seat commits to a share before any is shown (Blum 1981); two steps of entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from p2p.crypto.commitments import check_opening, commit, draw_below, mix, read_commitment
from p2p.crypto.transcript import ProofError
from p2p.game.steps import Script, Step

ROLL_BYTES: Final = 32  # Of one seat's share of a roll.


def roll(
    sides: int,
    seats: Sequence[int],
    context: bytes,
    mine: Callable[[], tuple[int, bytes, bytes]],
) -> Script[int]:
    """A number below `sides`; `mine` gives who writes, its share of the roll and its salt."""

    def seal(_: object) -> object:
        return commit(context, *mine())

    def unseal(_: object) -> object:
        return list(mine()[1:])

    sealed = yield Step("roll seal", tuple(seats), read_commitment, seal)
    commitments = cast("tuple[bytes, ...]", sealed)

    def read(seat: int, body: object) -> bytes:
        match body:
            case [bytes(value), bytes(opening)] if len(value) == ROLL_BYTES:
                check_opening(commitments[seat], context, seat, value, opening)
                return value
        raise ProofError("a share of a roll and its salt were expected")

    shares = yield Step("roll", tuple(seats), read, unseal)
    return draw_below(mix(context, cast("tuple[bytes, ...]", shares)), sides)
