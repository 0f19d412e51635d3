"""What a machine notes in its game file beside the log: evidence, and who has acknowledged the log.

    ["evidence", seat, sentence, [bytes, ...]]
    ["acks", height, [signature or None, ...]]      by seat

The second stands behind so many entries.  A signature is that of the message `ack` with the head
that the log has there (docs/spec/protocol.md, sections 4 and 14): whoever reads the file checks it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.identity import SIGNATURE_BYTES, verify
from p2p.base.roster import Roster
from p2p.base.wire import encode


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was noted when a seat cheated."""

    seat: int
    sentence: str
    raws: list[bytes]
    offset: int


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The acknowledgements of the log when it had so many entries."""

    height: int
    signatures: tuple[bytes | None, ...]  # By seat; None: there is none.
    offset: int  # Of the record in the file.

    def has(self, roster: Roster, seat: int, head: bytes) -> bool:
        """Whether a seat has signed that its log has this head, by the identity of its owner."""
        signature, said = self.signatures[seat], [roster.game_id(), seat, self.height, head]
        if signature is None:
            return False
        try:
            verify(roster.seats[seat].identity, signature, b"hostless ack" + encode(said))
        except BadSignature:
            return False
        return True

    def forged(self, roster: Roster, head: bytes) -> int | None:
        """The first seat that has not signed what is noted of it; None if there is none."""
        named = (seat for seat, signature in enumerate(self.signatures) if signature is not None)
        return next((seat for seat in named if not self.has(roster, seat, head)), None)


def parse_acks(record: object, place: tuple[int, int], offset: int) -> Acknowledged:
    """A record of a file; `place`: how many entries stand before it, and how many seats there are.

    Raises:
        MalformedFrame: it is none, or stands elsewhere; no signature is checked yet.
    """
    match record:
        case ["acks", int(height), list(signatures)] if type(height) is int:
            kept = cast("list[bytes | None]", signatures)
            if (height, len(kept)) == place and all(map(_is_signature, signatures)):
                return Acknowledged(height, tuple(kept), offset)
    raise MalformedFrame("these acknowledgements belong to another place")


def _is_signature(value: object) -> bool:
    return value is None or (isinstance(value, bytes) and len(value) == SIGNATURE_BYTES)
