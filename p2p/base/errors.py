"""What peers can do wrong, and what a person has to know: one class each.

A bug of ours is neither: it fails an `assert` and ends the node.  Whatever a peer sends ends in a
`PeerError`, which closes that peer's link and disturbs nobody else.  Whatever a person has to know
ends in a `core.errors.HostlessError`, whose text is one line for the screen.
"""

from __future__ import annotations

from typing import TypeVar, cast

E = TypeVar("E", bound=Exception)


class PeerError(Exception):
    """A peer misbehaved; its link is closed, and at a table everybody is told who and what.

    `peer` is the identity to blame (None while nobody knows whose bytes these are), `seat` its
    place at the table if it has one, `evidence` the signed entries that convince anybody else.
    """

    def __init__(self, peer: bytes | None, text: str) -> None:
        super().__init__(text)
        self.peer = peer
        self.seat: int | None = None
        self.evidence: list[bytes] = []
        self.offset: int | None = None  # In the file in which it was found.
        self.is_too_late = False  # The table has gone on with what was wrong, and has to stop.


class _BroughtError(PeerError):
    """Found in bytes whose author is not certain: whoever brought them is to blame."""

    def __init__(self, text: str, peer: bytes | None = None) -> None:
        super().__init__(peer, text)


class MalformedFrame(_BroughtError):
    """Bytes that nobody following the protocol would send; the link that brought them closes."""


class BadSignature(_BroughtError):
    """The identity did not sign these bytes; the link that brought them closes."""


class HandshakeFailed(PeerError):
    """Whoever called, or answered, did not prove who they are in time; there is no link."""


class WrongVersion(HandshakeFailed):
    """The peer speaks another version of the protocol; there is no link, one side must update."""


class Flooding(PeerError):
    """The peer takes in less, or sends more, than our queues hold; its link closes."""


class BrokenChain(PeerError):
    """A signed entry is of another kind, or another table, than is due: its seat is convicted."""


class Equivocation(PeerError):
    """A seat signed two things that contradict each other: evidence; the seat is convicted."""


class IllegalMove(PeerError):
    """A signed action is against the rules: evidence; the seat is convicted."""


class BadProof(PeerError):
    """A proof about cards in a signed entry does not hold: evidence; the seat is convicted."""


def first_of(group: BaseExceptionGroup[E]) -> E:
    """The first exception of a group, however deep; one is enough to stop."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return cast("E", error)
