"""The claim at the end of a file: whether a seat has said it, of this log and of all others.

docs/spec/protocol.md, section 14, for somebody who only reads.
"""

from __future__ import annotations

from p2p.audit.log import Log
from p2p.base.entry import next_head
from p2p.base.errors import BadSignature
from p2p.base.identity import verify
from p2p.base.wire import encode
from p2p.log.claim import Claim


def read_claim(
    log: Log, noted: tuple[int, Claim] | None, *, is_over: bool
) -> tuple[Claim | None, str]:
    """(claim, what is wrong) of what was noted at a byte behind a log; nothing is wrong without."""
    if noted is None:
        return None, ""
    offset, claim = noted
    wrong = "the game was over before this claim" if is_over else _wrong(log, claim)
    return (None, f"byte {offset}: {wrong}") if wrong else (claim, "")


def _wrong(log: Log, claim: Claim) -> str:
    live, head = log.seating.live, log.game_id
    for _, entry in log.entries:
        head = next_head(head, entry)
    if claim.seat not in live:
        return "nobody sits there who could claim the win"
    if not claim.silent or list(claim.silent) != [seat for seat in live if seat != claim.seat]:
        return "the claim is not about all others"
    if (claim.height, claim.head) != (len(log.entries), head):
        return "the claim is about another log"
    place = [log.game_id, claim.height, claim.head, claim.seat, list(claim.silent)]
    try:
        verify(log.seats[claim.seat].identity, claim.signature, b"hostless claim" + encode(place))
    except BadSignature:
        return f"{log.seats[claim.seat].name} did not claim the win"
    return ""
