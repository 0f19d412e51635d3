"""What seats say of their logs, true or not."""

from __future__ import annotations

from p2p.base.identity import Identity
from p2p.log.membership.log import ChangeItem, Log, ack_of
from p2p.log.membership.messages import Ack, message_of, sign_as
from p2p.log.replica import Replica


def acknowledging(log: Log, seat: int, by: Identity | None = None) -> Ack:
    """What a seat says that has this log, of its last item; signed `by` somebody or not at all."""
    ack = ack_of(log, seat)
    if isinstance(log.item, ChangeItem):
        ack = ack._replace(change=log.item.change, round=log.item.round)
    game = next(each for each in log.down() if each.below is None).head
    return ack if by is None else sign_as(by, game, ack)


def claimed(replica: Replica, seat: int, height: int, head: bytes) -> Ack:
    """That a seat has a log with this height and head, as a replica would say it; not signed."""
    known = next((log for log in replica.tip.down() if log.height == height), None)
    if known is not None and known.head == head and known.below is not None:
        return acknowledging(known, seat)
    return Ack(replica.tip.epoch, seat, height, replica.head, head)


def acknowledged(replica: Replica, height: int, head: bytes) -> list[object]:
    """The message of its seat, signed."""
    assert replica.identity is not None and replica.me is not None, "whoever says so has a seat"
    ack = claimed(replica, replica.me, height, head)
    return message_of(sign_as(replica.identity, replica.game_id, ack))


def hear(replica: Replica, ack: Ack) -> None:
    """Let a machine hear what a seat says of its log."""
    replica.acks.receive(ack, replica.committed, replica.height)
