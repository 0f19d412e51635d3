"""What a machine notes in its game file beside the log: evidence, and who has acknowledged the log.

    ["evidence", seat, sentence, [bytes, ...]]
    ["acks", height, [signature or None, ...]]      by seat
    ["in force", height, [ack, ...], [bytes, ...]]  of a change of members, with its reason's proof

The second stands behind so many entries.  A signature is that of the message `ack` with the head
that the log has there (docs/spec/protocol.md, sections 4 and 14): whoever reads the file checks it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, cast

from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.identity import SIGNATURE_BYTES
from p2p.base.limits import TABLE_SEATS_MAX
from p2p.base.roster import Roster
from p2p.log.membership.messages import Ack, message_of, parse_signed, verifier_of


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was noted when a seat cheated."""

    seat: int
    sentence: str
    raws: list[bytes]
    offset: int


def parse_evidence_note(record: object, seats: int, offset: int) -> Evidence:
    """A record of a file, of a game with so many seats.

    Raises:
        MalformedFrame: it is none; no signature is checked yet.
    """
    match record:
        case ["evidence", int(seat), str(sentence), list(raws)] if (
            type(seat) is int and 0 <= seat < seats and all(isinstance(raw, bytes) for raw in raws)
        ):
            return Evidence(seat, sentence, raws, offset)
    raise MalformedFrame("this record is none that we know")


class LogEnd(NamedTuple):
    """Where a step of a log ends, as an acknowledgement names it."""

    epoch: bytes  # Of the step: the head behind the last change below it.
    parent: bytes  # The head that it answers,
    head: bytes  # and the one behind it.


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The acknowledgements of the log when it had so many entries."""

    height: int
    signatures: tuple[bytes | None, ...]  # By seat; None: there is none.
    offset: int  # Of the record in the file.

    def has(self, roster: Roster, seat: int, end: LogEnd | None) -> bool:
        """Whether a seat has signed that its log ends so, by the identity of its owner."""
        signature = self.signatures[seat]
        if signature is None or end is None:
            return False
        ack = Ack(end.epoch, seat, self.height, end.parent, end.head, signature=signature)
        try:
            verifier_of([each.identity for each in roster.seats], roster.game_id)(ack)
        except BadSignature:
            return False
        return True

    def forged(self, roster: Roster, end: LogEnd | None) -> int | None:
        """The first seat that has not signed what is noted of it; None if there is none."""
        named = (seat for seat, signature in enumerate(self.signatures) if signature is not None)
        return next((seat for seat in named if not self.has(roster, seat, end)), None)


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


@dataclass(frozen=True, slots=True)
class InForceNote:
    """By whom the change that ends at a height is in force, and what proves its reason."""

    height: int  # Of the log with the change behind it.
    acks: tuple[Ack, ...]
    proof: tuple[bytes, ...] = ()
    offset: int = field(default=0, compare=False)  # Of the record in the file.

    def plain(self) -> list[object]:
        """As it stands in the file, and in messages."""
        return ["in force", self.height, [message_of(ack) for ack in self.acks], list(self.proof)]


def parse_in_force(record: object, count: int, offset: int = 0) -> InForceNote:
    """A record of a file, or a message; `count`: how many entries stand before it.

    Raises:
        MalformedFrame: it is none, or about something further on; no signature is checked yet.
    """
    match record:
        case ["in force", int(height), list(signed), list(proof)] if (
            type(height) is int and 0 < height <= count
            and len(signed) <= TABLE_SEATS_MAX and len(proof) <= TABLE_SEATS_MAX + 1
            and all(isinstance(each, bytes) for each in proof)
            and all(isinstance(each, list) for each in signed)
        ):  # fmt: skip
            acks = tuple(parse_signed(each) for each in cast("list[list[object]]", signed))
            kept = tuple(ack for ack in acks if isinstance(ack, Ack))
            if len(kept) == len(acks):
                return InForceNote(height, kept, tuple(cast("list[bytes]", proof)), offset)
    raise MalformedFrame("this does not say by whom a change of members is in force")


def parse_address(value: object) -> tuple[str, int]:
    """Where a seat listens, as the secrets file keeps it."""
    match value:
        case [str(host), int(port)] if 0 < port < 1 << 16:
            return host, port
    raise MalformedFrame("an address is a host and a port")


def _is_signature(value: object) -> bool:
    return value is None or (isinstance(value, bytes) and len(value) == SIGNATURE_BYTES)
