"""Feed the record of a game to a replica, as if its entries had just come over a link."""

from __future__ import annotations

from collections.abc import Iterator

from p2p.errors import BadSignature, MalformedFrame
from p2p.ledger import GameRecord
from p2p.replica import Replica


def hear(
    record: GameRecord, replica: Replica, *, verify: bool = True
) -> Iterator[tuple[int, Replica]]:
    """Take in a record entry by entry; yields (byte offset, replica) after each.

    Without `verify` the slow proofs are left out, for a record that has been heard before.

    Raises:
        PeerError: a seat broke the protocol or the rules.
        MalformedFrame, BadSignature: the file does not hold what was signed; says at which byte.
    """
    for offset, raw in record.entries:
        try:
            if replica.receive(raw) is None:
                raise MalformedFrame("the entry is there twice")
        except (MalformedFrame, BadSignature) as error:
            raise type(error)(f"byte {offset}: {error}") from error
        while replica.advance():
            pass
        _settle(replica, verify=verify)
        yield offset, replica


def _settle(replica: Replica, *, verify: bool) -> None:
    while replica.obligations:
        entry, obligation = replica.obligations.pop(0)
        if verify:
            replica.settle_obligation(entry, obligation)


def heard(record: GameRecord) -> Replica:
    """A spectator who has heard and verified the whole record; raises like `hear`."""
    replica = Replica(record.roster)
    for _ in hear(record, replica):
        pass
    return replica
