"""Looking on: hear the log of a table without a seat at it, and check all of it.

Whoever looks on holds no secret, is shown none and keeps no file.  Every signature, every order
and every proof is verified here as at a seat, entry by entry; the snapshot is the public one.  The
status of the table comes behind the log, and whenever it changes (`p2p.session.table_status`).  The
seat that shows all this may go while the others play on: then another one of them shows it.

What this does not protect against: who is a member, and the status of the table, it believes
whoever shows it the log.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.entry import parse_entry
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import REASON_LETTERS_MAX
from p2p.base.names import one_line
from p2p.base.roster import Roster, parse_roster
from p2p.log.replica import Replica
from p2p.net.dialling import connect_any
from p2p.net.discovery import TableAd, browsing
from p2p.net.link import RECEIVE_ERRORS, Link
from p2p.session.news import Notice
from p2p.session.snapshot import public_snapshot
from p2p.session.table import Publish
from p2p.session.table_status import TableStatus, parse_status
from p2p.session.taking_back import taken_back_notices
from p2p.table.kept_games import table_id_of

AGAIN_S: Final = 12.0  # For another seat to announce the table, and to answer.


class TableClosedError(HostlessError):
    """Whoever showed the game has gone before its end; `shown` is what there was of it."""

    def __init__(self, shown: Replica) -> None:
        super().__init__("the table has closed", "what was shown until then holds")
        self.shown = shown


async def watch(link: Link, me: tuple[Identity, str], publish: Publish) -> None:
    """Look on at the game at the other end of `link`; if that goes, through others who play there.

    Raises:
        HostlessError: there is no game, or nobody shows it any more.
        PeerError: an entry does not hold; what came before it does.
    """
    shown: Replica | None = None
    while True:
        try:
            await look_on(link, publish, shown=shown)
            return
        except TableClosedError as closed:
            shown = closed.shown
            publish(Notice("the machine that showed this table has gone", "looking for another"))
            again = await _link_again(shown.roster, me)
            if again is None:
                raise
        finally:
            with trio.CancelScope(shield=True):
                await link.aclose()
        link = again


async def _link_again(roster: Roster, me: tuple[Identity, str]) -> Link | None:
    """A link to somebody of this table who announces it; None: nobody does in time."""
    with trio.move_on_after(AGAIN_S):
        async with browsing() as sightings:
            return await _first_link(sightings, roster, me)
    return None


async def _first_link(
    sightings: AsyncIterator[Sequence[TableAd]], roster: Roster, me: tuple[Identity, str]
) -> Link:
    players = {seat.identity for seat in roster.seats if not seat.is_bot}
    called = set[TableAd]()
    async for tables in sightings:
        there = {ad for ad in tables if ad.table_id == table_id_of(roster) and ad.is_played}
        for ad in {each for each in there if each.opener in players} - called:
            called.add(ad)  # Whoever has gone is announced for a little longer.
            with suppress(HostlessError, PeerError):
                return await connect_any(ad.places, *me, expected=ad.opener)
    raise AssertionError("sightings have no end")


async def look_on(
    link: Link,
    publish: Publish,
    shown: Replica | None = None,
) -> None:
    """Follow the game at the other end of `link` until it ends, a snapshot for each entry.

    What was `shown` before is not shown again.

    Raises:
        TableClosedError: the table has closed before its end.
        HostlessError: there is no game.
        PeerError: an entry does not hold; what came before it does.
    """
    replica: Replica | None = None
    status: TableStatus | None = None
    height = 0 if shown is None else len(shown.log)
    try:
        await link.send(["watch"])
        while replica is None or not replica.is_over:
            match await link.receive():
                case ["roster", value, _]:
                    replica, status = _begin(parse_roster(value), replica or shown), None
                case ["entry", bytes(raw)] if replica is not None:
                    await _receive(replica, raw)
                    if status is not None or len(replica.log) >= height:
                        _show(replica, status, publish)
                case ["beside", *_] as message if replica is not None:
                    status = parse_status(message, replica)
                    _show(replica, status, publish)
                case ["refused", str(reason)]:
                    raise HostlessError(one_line(reason, REASON_LETTERS_MAX))
    except RECEIVE_ERRORS as error:
        if replica is None:
            raise HostlessError("no game is played there yet", "try again when it is") from error
        raise TableClosedError(replica) from error


def _begin(roster: Roster, before: Replica | None) -> Replica:
    """The game from its beginning; once more, if all have gone back (`p2p.session.membership`).

    Raises:
        HostlessError: it is not the game that was shown `before`.
    """
    if before is not None and before.game_id != roster.game_id:
        raise HostlessError("the table shows another game now", "look on once more")
    return Replica(roster)


async def _receive(replica: Replica, raw: bytes) -> None:
    """One entry of the log; its proofs are verified beside the loop."""
    replica.take_in_logged(parse_entry(raw))
    while await trio.to_thread.run_sync(replica.advance) or replica.obligations:
        while replica.obligations:
            entry, obligation = replica.obligations[0]
            await trio.to_thread.run_sync(replica.verify_obligation, entry, obligation)
            replica.obligations.pop(0)


def _show(replica: Replica, status: TableStatus | None, publish: Publish) -> None:
    """Publish the newest snapshot; what was taken back before all of the log was here is old."""
    snapshot, notices = public_snapshot(replica), taken_back_notices(replica)
    publish(replace(snapshot, is_past=True) if status is None else status.on(snapshot))
    for notice in notices if status is not None else ():
        publish(notice)
