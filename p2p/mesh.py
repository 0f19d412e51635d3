"""Keeping in touch: of two seats the one with the higher number calls, and calls again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio

from p2p.errors import HostlessError, PeerError
from p2p.link import Link, connect
from p2p.session import Session

if TYPE_CHECKING:
    from p2p.node import NodeConfig

REDIAL_FIRST_S: Final = 0.1
REDIAL_LAST_S: Final = 2.0


async def keep_linked(
    session: Session,
    config: NodeConfig,
    place: tuple[int, bytes, tuple[str, int]],
    link: Link | None,
) -> None:
    """Stay linked to the seat at `place` = (seat, identity, address), beginning with `link`."""
    seat, identity, address = place
    pause_s = REDIAL_FIRST_S
    while True:
        link = link or await _call(session, config, identity, address)
        if link is not None:
            await session.attend(seat, link)
            link, pause_s = None, REDIAL_FIRST_S
        await trio.sleep(pause_s)
        pause_s = min(2 * pause_s, REDIAL_LAST_S)


async def _call(
    session: Session, config: NodeConfig, identity: bytes, address: tuple[str, int]
) -> Link | None:
    try:
        link = await connect(address, config.identity, config.name, expected=identity)
        await link.send(["mesh", session.replica.game_id])
    except (OSError, HostlessError, PeerError, trio.BrokenResourceError):
        return None  # Not there, or somebody else is; the caller tries again.
    return link
