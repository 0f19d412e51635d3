"""The keys of seats that are gone, as far as they are here.

Whoever leaves says farewell and gives its key to all: signed by its identity, for the epoch of its
seat, because others know the key of a seat that has just come back.  A key in escrow is put
together once all who are left have given their parts of it (`p2p.crypto.key_sharing`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

from p2p.base.errors import MalformedFrame
from p2p.base.identity import verify
from p2p.base.wire import encode
from p2p.crypto.group import parse_scalar, scalar_to_bytes
from p2p.crypto.key_sharing import put_together
from p2p.crypto.transcript import ProofError
from p2p.log.replica import Replica
from p2p.log.votes import REBUILDERS_MIN, parse_key
from p2p.session.table import RunningTable

_LABEL: Final = b"hostless leaving"


class LostKeys:
    """Keys that were given, and parts of others."""

    def __init__(self, table: RunningTable) -> None:
        self._table, self._replica = table, table.replica
        self._given: dict[int, int] = {}  # By seats that have left.
        self._parts: dict[int, dict[int, int]] = {}  # By seat that is gone, and by holder.

    def forget(self, seat: int) -> None:
        """A seat is its owner's again, who will show a new key."""
        self._given.pop(seat, None)
        self._parts.pop(seat, None)

    def forget_parts(self, seat: int) -> None:
        """Everybody has the key of a seat by now."""
        self._parts.pop(seat, None)

    @property
    def given(self) -> Container[int]:
        """The seats that have given their keys away."""
        return self._given.keys()

    # ---- in ----

    def receive_farewell(self, seat: int, epoch: int, key: bytes, signature: bytes) -> bool:
        """A seat leaves and gives its key; whether that is news.

        Raises:
            MalformedFrame: that is not its key; BadSignature: it has not said so.
        """
        replica, dealing = self._replica, self._replica.play.dealing
        if dealing is None or seat not in replica.seats:
            raise MalformedFrame("who has no key cannot leave it")
        is_live = seat in replica.others and replica.seating.epochs[seat] == epoch
        if seat in self._given or not is_live:
            return False  # Said before, or about a seat for which everybody speaks by now.
        owner = replica.roster.seats[seat].identity
        verify(owner, signature, _farewell(replica.game_id, seat, epoch, key))
        self._given[seat] = parse_key(key, dealing.publics[seat])
        return True

    def receive_part(self, seat: int, gone: int, part: bytes) -> bool:
        """A seat gives its part of the key of another one; whether that is news.

        Raises:
            MalformedFrame: that is not its part.
        """
        live, escrow = self._replica.play.live, self._replica.play.escrow
        if seat not in live or gone not in live or gone == seat or not escrow.covers(gone, live):
            return False  # About a key that everybody has by now.
        try:
            number = parse_scalar(part)
            escrow.check_part(gone, seat, number)
        except ProofError as error:
            raise MalformedFrame(str(error)) from error
        parts = self._parts.setdefault(gone, {})
        is_news, parts[seat] = seat not in parts, number
        return is_news

    # ---- what is here ----

    def known(self, seat: int) -> int | None:
        """The key of a seat that has given it, or has shown no new one since all knew it."""
        dealing = self._replica.play.dealing
        if seat in self._replica.play.returning and dealing is not None:
            return dealing.secrets[seat]
        return self._given.get(seat)

    def is_in_reach(self, seat: int) -> bool:
        """Whether the others have the key of a seat, or can have it."""
        play = self._replica.play
        return self.known(seat) is not None or play.escrow.covers(seat, play.live)

    # ---- out ----

    async def gather(self, gone: int, holders: Iterable[int], me: int) -> int | None:
        """The key of a seat that is gone, once all have given their parts of it; I give mine."""
        escrow = self._replica.play.escrow
        if not escrow.covers(gone, self._replica.play.live):
            return None
        parts = self._parts.setdefault(gone, {})
        if me not in parts:
            parts[me] = escrow.part_of(gone)
            await self._give_part(gone, me)
        if any(holder not in parts for holder in holders):
            return None
        return put_together([parts[holder] for holder in holders])

    async def repeat(self, me: int) -> None:
        """Give my parts again: a link may have swallowed them."""
        for gone in list(self._parts):  # While I send, the session may put another key together.
            await self._give_part(gone, me)

    async def _give_part(self, gone: int, me: int) -> None:
        mine = self._parts[gone].get(me)
        if mine is not None:
            await self._table.broadcast(["part", me, gone, scalar_to_bytes(mine)])

    async def give_mine(self, me: int) -> None:
        """Say farewell and give my own key to all others."""
        if self._replica.play.dealing is not None:
            await self._table.broadcast(farewell(self._replica, me))


def farewell(replica: Replica, me: int) -> list[object]:
    """The message by which I leave for good."""
    dealing, identity = replica.play.dealing, replica.identity
    assert dealing is not None and identity is not None, "whoever leaves has a seat and a key"
    epoch, key = replica.seating.epochs[me], scalar_to_bytes(dealing.secrets[me])
    signature = identity.sign(_farewell(replica.game_id, me, epoch, key))
    return ["leaving", me, epoch, key, signature]


def _farewell(game: bytes, seat: int, epoch: int, key: bytes) -> bytes:
    return _LABEL + encode([game, seat, epoch, key])


def may_do_without(replica: Replica, seat: int, keys: Container[int] = ()) -> bool:
    """Whether the others can play for a seat: with its key, or by dealing anew what it held.

    To deal anew takes two who agree, or both halves of a table that is split would go on.
    """
    play = replica.play
    if replica.roster.replacement is None or not replica.is_seated or seat not in replica.others:
        return False
    if seat in keys or seat in play.returning or play.escrow.covers(seat, play.live):
        return True
    return len(play.live) > REBUILDERS_MIN and play.may_lose(seat)
