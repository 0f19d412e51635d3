"""Keys in escrow: how all others get each key in parts, at first and whenever somebody has gone.

docs/spec/protocol.md, sections 10 and 12.7, for somebody who only reads.
"""

from __future__ import annotations

from p2p.audit.bodies import read_bytes
from p2p.audit.rebuilt import StepReader
from p2p.audit.seats import EscrowedKeys, Seats
from p2p.base.roster import Roster
from p2p.crypto.group import Point
from p2p.crypto.key_sharing import Deal, check_deal
from p2p.crypto.keys import verify_possession
from p2p.crypto.transcript import ProofError


def read_escrow(around: StepReader, roster: Roster, seating: Seats) -> None:
    """What is said to put the keys of all who are there in escrow, if that is due.

    Raises:
        Stop: see `p2p.audit.log`.
    """
    live = seating.live
    if not roster.is_escrowed or not roster.may_escrow(live) or live == seating.escrow.seats:
        return
    seating.escrow = EscrowedKeys(live)
    contexts = {seat: around.context(seat, "escrow") for seat in live}

    def read_key(seat: int, body: object) -> Point:
        match body:
            case [bytes(encoded), bytes(proof)]:
                key = Point.parse(encoded)
                verify_possession(key, contexts[seat], proof)
                return key
        raise ProofError("a key for boxes and its proof were expected")

    keys = dict(zip(live, around.step("escrow key", live, read_key), strict=True))

    def read_parts(seat: int, body: object) -> dict[int, Point]:
        shown = Deal.parse(read_bytes(body), len(live) - 1)
        others = [each for each in live if each != seat]
        boxes = [keys[each] for each in others]
        check_deal(seating.publics[seat], boxes, shown, contexts[seat])
        return dict(zip(others, shown.parts, strict=True))

    parts = around.step("escrow", live, read_parts)
    seating.escrow = EscrowedKeys(live, dict(zip(live, parts, strict=True)))
