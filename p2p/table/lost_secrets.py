"""A seat whose file of secrets is lost: its key is gone, so it comes back as after an absence.

While this program is linked to the others as that seat, they hear it and replace nobody.  So it
looks on, as anybody can, until they have let a bot play for the seat.  Then it resumes: the seat is
its owner's again, with a new key from a new file of secrets.  Nothing is signed before that, since
nobody here knows what the seat has signed already.

What this does not do: whoever shows an old log can make us resume too early.  Then we catch up,
find that the key in the log is none of ours, and sign nothing either.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.roster import Roster
from p2p.log.replica import Replica
from p2p.net import beacon
from p2p.net.dialling import connect_any
from p2p.net.link import Address, Link
from p2p.net.presence import Presence, seat_of
from p2p.session.table import Publish
from p2p.table.watching import Until, look_on

WATCH_AGAIN_S: Final = 1.0
_log: Final = logging.getLogger("hostless.links")


async def wait_until_replaced(
    roster: Roster, me: tuple[Identity, str], given: Sequence[Address], publish: Publish
) -> list[Address]:
    """Look on until a bot plays for my seat, or the game is over; gives where the others are."""
    identity, name = me
    mine = roster.seat_of(identity.public)
    assert mine is not None, "whoever resumes has a seat"

    def is_replaced(replica: Replica) -> bool:
        return replica.game_id == roster.game_id and mine in replica.open_seats

    while True:
        places = list(given) or [await _find(roster, mine)]
        try:
            link = await connect_any(places, identity, name)
            await _look_on(link, publish, is_replaced)
        except (HostlessError, PeerError) as error:
            _log.info("the others cannot be watched: %s", error)
            await trio.sleep(WATCH_AGAIN_S)
        else:
            return places


async def _look_on(link: Link, publish: Publish, is_replaced: Until) -> None:
    try:
        await look_on(link, publish, is_replaced)
    finally:
        await link.aclose()


async def _find(roster: Roster, mine: int) -> Address:
    """Where another seat of this game says that it is."""
    others = [seat for seat in range(len(roster.seats)) if seat != mine]
    found: list[Address] = []

    async with trio.open_nursery() as nursery:

        def notice(presence: Presence, host: str) -> None:
            if seat_of(presence, roster.game_id, others) is not None:
                found.append((host, presence.port))
                nursery.cancel_scope.cancel()

        await beacon.listen_for_seats(notice)
    return found[0]
