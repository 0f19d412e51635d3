"""A machine stays to be found while a game is played, wherever it goes.

    I announce my seat           so that those who play with me learn where it is
    I hear others announce       and call them there
    my addresses change          links that began at one that is gone end at once, and every seat
                                 that I reach, or reach again, is told and tells the others
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

import trio

from p2p.base.limits import NETWORK_POLL_S
from p2p.base.steps import sleep_in_step
from p2p.net import beacon, dns_sd
from p2p.net.interfaces import LOOPBACK, Interface, interfaces_up, is_ours
from p2p.net.link import Address
from p2p.net.presence import Presence, new_presence, seat_of
from p2p.session.session import Session
from p2p.table.mesh import Mesh
from p2p.table.router import LinkRouter

_log: Final = logging.getLogger("hostless.lan")


async def stay_found(
    session: Session, mesh: Mesh, router: LinkRouter, introduce: Callable[[Presence], object]
) -> None:
    """Be found at this port until cancelled; by this machine alone if nobody else may come.

    What will be said of my seat is shown to `introduce` first, for who would take it for others'.
    """
    replica, places = session.replica, session.relaying.places
    port, is_local = router.port, router.is_local
    assert replica.me is not None, "whoever plays has a seat"
    presence = new_presence(replica.game_id, replica.me, port)
    introduce(presence)

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
        if replica.roster.seats[replica.me].bot_terms is None:  # Bots are near such a seat.
            nursery.start_soon(dns_sd.meet_seats, presence, notice)
        await follow_networks(session, mesh, presence)


async def follow_networks(session: Session, mesh: Mesh, presence: Presence) -> None:
    """Tell the others whenever this machine is somewhere else, at once and by all ways."""
    before: list[Interface] = []
    while True:
        now = interfaces_up()
        if now != before:
            _log.info("this machine is at %s", ", ".join(each.address for each in now))
            session.failure_detector.note_network(is_alone=all(each.is_loopback for each in now))
            if before:
                mesh.moved(is_ours)
                beacon.shout_seat(presence)
            await session.relaying.move(_places(now, presence.port))
            before = now
        await sleep_in_step(NETWORK_POLL_S)


def _places(interfaces: list[Interface], port: int) -> list[Address]:
    """Where others may reach me; how they name their own interfaces is their affair."""
    return [(str(each.at.ip), port) for each in interfaces if not each.is_loopback]
