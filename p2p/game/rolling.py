"""Chance that nobody decides: rolls, and what decides a bot's ties.

Every seat shows the VRF value of its key at this place of the log, in one step.  There is nothing
to choose and nothing to hide before: each seat has exactly one value, which it alone can compute.

What this does not protect against: whoever shows its value last knows the result first, and may
leave.  With keys in escrow the others compute that very value; without, the seat has a new key and
one roll is made anew (Cleve 1986).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from p2p.crypto.commitments import mix
from p2p.crypto.transcript import ProofError
from p2p.crypto.vrf import vrf_prove, vrf_verify
from p2p.game.dealing import Dealing
from p2p.game.steps import Script, Step


def draw_together(
    dealing: Dealing, kind: str, seats: Sequence[int], context: Callable[[int, str], bytes]
) -> Script[bytes]:
    """32 bytes that all seats make; `kind` names the entries, and is the purpose of the place."""
    place = context(0, kind)

    def write(_: object) -> object:
        seat = dealing.writer
        return vrf_prove(dealing.secrets[seat], dealing.publics[seat], place, context(seat, kind))

    def read(seat: int, body: object) -> bytes:
        if not isinstance(body, bytes):
            raise ProofError("a VRF value and its proof were expected")
        return vrf_verify(dealing.publics[seat], place, body, context(seat, kind))

    values = yield Step(kind, tuple(seats), read, write)
    return mix(place, cast("tuple[bytes, ...]", values))
