"""Keeping in touch: of two seats the one with the higher number calls, and calls again."""

from __future__ import annotations

from typing import Final, TypeAlias

import trio

from p2p.errors import HostlessError, PeerError
from p2p.identity import Identity
from p2p.links.link import Link, connect
from p2p.session import Session

Me: TypeAlias = tuple[Identity, str]  # Who calls, and by which name.

REDIAL_FIRST_S: Final = 0.1
REDIAL_LAST_S: Final = 2.0


async def keep_linked(
    session: Session,
    me: Me,
    place: tuple[int, bytes, tuple[str, int]],
    link: Link | None,
) -> None:
    """Stay linked to the seat at `place` = (seat, identity, address), beginning with `link`."""
    seat, identity, address = place
    pause_s = REDIAL_FIRST_S
    while True:
        link = link or await _call(session, me, identity, address)
        if link is not None:
            await session.attend(seat, link)
            link, pause_s = None, REDIAL_FIRST_S
        await trio.sleep(pause_s)
        pause_s = min(2 * pause_s, REDIAL_LAST_S)


async def _call(session: Session, me: Me, identity: bytes, address: tuple[str, int]) -> Link | None:
    try:
        link = await connect(address, *me, expected=identity)
        await link.send(["mesh", session.replica.game_id])
    except (OSError, HostlessError, PeerError, trio.BrokenResourceError):
        return None  # Not there, or somebody else is; the caller tries again.
    return link
