"""Staying to be found while a game is played, wherever this machine is and goes.

I announce my seat           so that those who play with me learn where it is
I hear others announce       and call them there
my addresses change          links that began at one that is gone end at once, and every seat
                             that I reach, or reach again, is told and tells the others
"""

from __future__ import annotations

import logging
from ipaddress import ip_address
from typing import Final

import trio

from p2p.base.limits import NETWORK_POLL_S
from p2p.net import beacon, dns_sd
from p2p.net.interfaces import Interface, interfaces_up, is_ours
from p2p.net.presence import Presence, new_presence, seat_of
from p2p.session.places import LOOPBACK, Address
from p2p.session.session import Session
from p2p.table.mesh import Mesh

_log: Final = logging.getLogger("hostless.lan")


async def stay_found(session: Session, mesh: Mesh, port: int, *, is_local: bool) -> None:
    """Be found at this port until cancelled; by this machine alone if `is_local`."""
    replica, places = session.replica, session.relaying.places
    assert replica.me is not None, "whoever plays has a seat"
    presence = new_presence(replica.game_id, replica.me, port)

    def notice(heard: Presence, host: str) -> None:
        seat = seat_of(heard, replica.game_id, replica.others)
        if seat is not None and (not is_local or ip_address(host).is_loopback):
            places.announce(seat, (host, heard.port))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: beacon.broadcast_seat(presence, is_local=is_local))
        nursery.start_soon(beacon.listen_for_seats, notice)
        if is_local:
            await session.relaying.move([(LOOPBACK, port)])
            return
        if replica.roster.seats[replica.me].mind is None:  # Bots are near somebody who does it.
            nursery.start_soon(dns_sd.meet_seats, presence, notice)
        await _follow_networks(session, mesh, port)


async def _follow_networks(session: Session, mesh: Mesh, port: int) -> None:
    """Tell the others whenever this machine is somewhere else."""
    before: list[Interface] = []
    while True:
        now = interfaces_up()
        if now != before:
            _log.info("this machine is at %s", ", ".join(each.address for each in now))
            if before:
                mesh.moved(is_ours)
            await session.relaying.move(_places(now, port))
            before = now
        await trio.sleep(NETWORK_POLL_S)


def _places(interfaces: list[Interface], port: int) -> list[Address]:
    """Where others may reach me; how they name their own interfaces is their affair."""
    return [(str(each.at.ip), port) for each in interfaces if not each.is_loopback]
