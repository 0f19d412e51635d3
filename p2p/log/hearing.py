"""Feed the record of a game to a replica, as if its entries had just come over a link.

This is how a seat finds back into its game.  An audit reads a record by itself: see `p2p.audit`.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p.base.entry import Entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.log.ledger import GameRecord
from p2p.log.replica import Replica


def hear(record: GameRecord, replica: Replica) -> None:
    """Take in a record entry by entry.

    Raises:
        PeerError: a seat broke the protocol or the rules.
        MalformedFrame, BadSignature: the file does not hold what was signed; says at which byte.
    """
    for offset, raw in record.entries:
        try:
            if replica.receive(raw) is None:
                raise MalformedFrame("the entry is there twice")
        except (MalformedFrame, BadSignature) as error:
            found = type(error)(f"byte {offset}: {error}")
            found.offset = offset
            raise found from error
        while replica.advance() or replica.obligations:
            while replica.obligations:
                replica.settle_obligation(*replica.obligations.pop(0))


def hear_again(log: Iterable[Entry], replica: Replica) -> None:
    """Take in what I have verified once."""
    for known in log:
        replica.receive(known.raw)
        while replica.advance() or replica.obligations:
            replica.obligations.clear()
