"""A table at which people play stays in every lobby, so that others find it and look on.

Whoever opened it announces it for as long as that program runs, and again after coming back.  While
the opener is not there, the person on the lowest seat that is announces it instead: under the own
identity, because whoever is announced has to answer there and prove to be that.  It stops when
somebody on a lower seat is linked again, so for a moment a table may be seen twice, and both ways
lead to it.  Nobody is asked and nothing is agreed on: where a network has fallen into parts, each
part announces the table that it plays.

What this does not protect against: whoever sits on a lower seat, stays linked and announces
nothing.  Then others find the table by its address alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p.base.limits import BEACON_EXPIRY_S, BEACON_INTERVAL_S, PERSONS_MIN
from p2p.base.names import clean_name
from p2p.base.roster import Roster
from p2p.base.steps import sleep_in_step
from p2p.net.announcements import Key, TableAd
from p2p.net.discovery import announcing
from p2p.net.interfaces import address_here
from p2p.net.link import Address
from p2p.session.commands import OpenTable
from p2p.session.session import Session
from p2p.table.kept_games import table_id_of
from p2p.table.terms import options_text, terms_text

INSTEAD_S: Final = BEACON_EXPIRY_S  # Till others have forgotten what a lower seat announced.


async def stay_announced(session: Session, port: int) -> None:
    """Announce the table of a running game while that is up to me, until cancelled."""
    roster, me = session.replica.roster, session.replica.me
    assert me is not None, "whoever looks on announces nothing"
    lower = [at for at in _persons(roster) if at < me]
    if roster.seats[me].is_bot or len(_persons(roster)) < PERSONS_MIN:
        return

    def is_mine() -> bool:
        return not any(at in session.links for at in lower)

    while True:
        await _until(is_mine, INSTEAD_S if lower else 0.0)
        async with announcing(played_ad(roster, me, port)):
            await _until(lambda: not is_mine())


def opening_ad(
    command: OpenTable, nonce: bytes, me: tuple[bytes, str], address: Address
) -> TableAd:
    """What `me`, by identity and name, announces of a table that it opens at an address."""
    host, port = address
    identity, name = me
    return TableAd(
        table_id=nonce.hex()[:16],
        name=clean_name(command.name or name),
        game=command.game,
        seats=command.seats,
        taken=1,
        opener=identity,
        opener_name=name,
        host=host,
        port=port,
        options=terms_text(command),
    )


def played_ad(roster: Roster, seat: int, port: int) -> TableAd:
    """What the person on this seat announces of a table that is played."""
    terms = [] if roster.replacement is None else roster.replacement.options()
    announcer = roster.seats[seat]
    return TableAd(
        table_id=table_id_of(roster),
        name=roster.table,
        game=roster.game,
        seats=len(roster.seats),
        taken=len(roster.seats),
        opener=announcer.identity,
        opener_name=announcer.name,
        host=address_here(),
        port=port,
        options=options_text(
            roster.options, terms, opens_hands=roster.opens_hands, clock=roster.clock
        ),
    )


def opened_key(roster: Roster) -> Key:
    """The table as whoever opened it announces it."""
    return table_id_of(roster), roster.seats[0].identity


def _persons(roster: Roster) -> list[int]:
    return [at for at, seat in enumerate(roster.seats) if not seat.is_bot]


async def _until(holds: Callable[[], bool], seconds: float = 0.0) -> None:
    """Wait until something has held for so long."""
    held_s = -BEACON_INTERVAL_S
    while held_s < seconds:
        await sleep_in_step(BEACON_INTERVAL_S)
        held_s = held_s + BEACON_INTERVAL_S if holds() else -BEACON_INTERVAL_S
