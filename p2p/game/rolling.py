"""Chance that nobody decides: rolls, and what decides a bot's ties.

A roll: every seat commits to a share before any is shown (Blum 1981); two steps of entries.
A lot: every seat shows the VRF value of its key at this place; one step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from p2p.crypto.commitments import check_opening, commit, draw_below, mix, read_commitment
from p2p.crypto.transcript import ProofError
from p2p.crypto.vrf import vrf_prove, vrf_verify
from p2p.game.dealing import Dealing
from p2p.game.steps import Script, Step

ROLL_BYTES: Final = 32  # Of one seat's share of a roll.


def roll(
    sides: int,
    seats: Sequence[int],
    context: bytes,
    mine: Callable[[], tuple[int, bytes, bytes]],
    is_followed: Callable[[int, bytes, bytes], bool],
) -> Script[int]:
    """A number below `sides`; `mine` gives who writes, its share of the roll and its salt.

    `is_followed`: share and salt follow from the key of a seat for which everybody speaks.  They
    count, whatever its owner has sealed.
    """

    def seal(_: object) -> object:
        return commit(context, *mine())

    def unseal(_: object) -> object:
        return list(mine()[1:])

    sealed = yield Step("roll seal", tuple(seats), read_commitment, seal)
    commitments = cast("tuple[bytes, ...]", sealed)

    def read(seat: int, body: object) -> bytes:
        match body:
            case [bytes(value), bytes(opening)] if len(value) == ROLL_BYTES:
                try:
                    check_opening(commitments[seat], context, seat, value, opening)
                except ProofError:
                    if not is_followed(seat, value, opening):
                        raise
                return value
        raise ProofError("a share of a roll and its salt were expected")

    shares = yield Step("roll", tuple(seats), read, unseal)
    return draw_below(mix(context, cast("tuple[bytes, ...]", shares)), sides)


def draw_lots(
    dealing: Dealing, seats: Sequence[int], place: bytes, context: Callable[[int], bytes]
) -> Script[tuple[bytes, ...]]:
    """The VRF value of every seat at this place; `context` binds the proof of one."""

    def write(_: object) -> object:
        seat = dealing.speaker
        return vrf_prove(dealing.secrets[seat], dealing.publics[seat], place, context(seat))

    def read(seat: int, body: object) -> bytes:
        if not isinstance(body, bytes):
            raise ProofError("a VRF value and its proof were expected")
        return vrf_verify(dealing.publics[seat], place, body, context(seat))

    return cast("tuple[bytes, ...]", (yield Step("lot", tuple(seats), read, write)))
