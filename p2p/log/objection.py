"""An objection: a seat was let go as silent while its program ran, and says so in its own file.

    ["objection", height, seat, signature]

It stands anywhere behind the change of members that it is about, behind which the log has this
height, and is no entry of the log: the others have gone on.  It counts for no more than it says.
Either the network was cut between this seat and all others, or they did not want to hear it; no
file can tell these two apart.  What the others have signed stands beside it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.wire import encode

_LABEL: Final = b"hostless objection"


class Objection(NamedTuple):
    """What a seat says about the change by which it went."""

    height: int  # Of the log with this change behind it.
    seat: int
    signature: bytes = b""

    def plain(self) -> list[object]:
        """The objection as a record of the file."""
        return ["objection", self.height, self.seat, self.signature]

    def said(self, game: bytes, head: bytes) -> bytes:
        """What is signed; `head` is the one behind the change."""
        return _LABEL + encode([game, self.height, head, self.seat])

    def sign(self, identity: Identity, game: bytes, head: bytes) -> Objection:
        """The objection with its signature, the same bytes each time."""
        return self._replace(signature=identity.sign(self.said(game, head)))


def parse_objection(record: object, count: int) -> Objection:
    """The objection of a record; `count`: how many entries stand before it.

    Raises:
        MalformedFrame: it is none, or about something further on; no signature is checked yet.
    """
    match record:
        case ["objection", int(height), int(seat), bytes(signature)] if (
            type(height) is int and type(seat) is int and 0 < height <= count and seat >= 0
        ):
            return Objection(height, seat, signature)
    raise MalformedFrame("this record is none that we know")
