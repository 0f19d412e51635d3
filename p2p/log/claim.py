"""A claim: the one who is left says at the end of its game file that it claims the win.

    ["claim", seat, [silent seat, ...], height, head, signature]

It is no entry of the log, so the logs of honest seats stay alike; and it counts for no more than it
says: this seat, and nobody else, says that the others did not answer.  If they come back the game
goes on, and the claim is cut off with the next entry.

What this does not protect against: whoever pulls its own cable can claim as well.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.wire import encode

_LABEL: Final = b"hostless claim"


class WinClaim(NamedTuple):
    """What a seat says about the others at the end of the log."""

    seat: int
    silent: tuple[int, ...]  # All others at which somebody sits, but the bots of this one.
    height: int  # Of the log, which ends here,
    head: bytes
    signature: bytes = b""

    def plain(self) -> list[object]:
        """The claim as a record of the file."""
        place = [self.seat, list(self.silent), self.height, self.head]
        return ["claim", *place, self.signature]

    def said(self, game: bytes) -> bytes:
        """What is signed."""
        return _LABEL + encode([game, self.height, self.head, self.seat, list(self.silent)])

    def sign(self, identity: Identity, game: bytes) -> WinClaim:
        """The claim with its signature, the same bytes each time."""
        return self._replace(signature=identity.sign(self.said(game)))


def parse_claim(record: object) -> WinClaim:
    """The claim of a record; nothing in it is checked yet.

    Raises:
        MalformedFrame: it is none.
    """
    match record:
        case [
            "claim", int(seat), list(silent), int(height), bytes(head), bytes(signature)
        ] if all(type(each) is int and each >= 0 for each in [seat, height, *silent]):  # fmt: skip
            return WinClaim(seat, tuple(silent), height, head, signature)
    raise MalformedFrame("this record is none that we know")
