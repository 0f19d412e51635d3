"""Links that others begin: each says first what it wants, and goes where it belongs or is closed.

    guest        ["sit", ...]                while seats are free: see `p2p.table.gathering`
    seat         ["mesh", game id, claim]    of the game that is played here: see `p2p.table.mesh`
    spectator    ["watch"]                   see `p2p.table.watching`
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import trio

from p2p.base.errors import BadSignature, MalformedFrame, PeerError
from p2p.base.limits import FIRST_MESSAGE_S, GAME_BEGINS_S
from p2p.net.link import RECEIVE_ERRORS, Link, turn_away
from p2p.net.listening import Listener
from p2p.session.news import Notice
from p2p.session.session import Session
from p2p.session.table import Publish
from p2p.table.mesh import Mesh

_log: Final = logging.getLogger("hostless.links")


class SaysNothing(MalformedFrame):
    """A caller has kept quiet for too long."""


class PlaysAnother(MalformedFrame):
    """A caller dials its own game, at a place where it was played before."""


class LinkRouter:
    """Who may come in: guests while seats are free, seats and spectators of a running game."""

    def __init__(self, port: int, publish: Publish, *, is_local: bool = False) -> None:
        self.port, self.is_local = port, is_local  # Local: nobody else can come here.
        self.is_announced = False  # As an open table, from before its game began.
        self.admit: Callable[[Link, object], Awaitable[None]] | None = None
        self._publish = publish
        self._session: Session | None = None
        self._mesh: Mesh | None = None
        self._is_met = trio.Event()
        self._guests: list[trio.CancelScope] = []

    def take_over(self) -> None:
        """Stop listening to guests: from now on the session does."""
        self.admit = None
        for scope in self._guests:
            scope.cancel()

    def meet(self, session: Session, mesh: Mesh) -> None:
        """Let seats and spectators of this game in."""
        self._session, self._mesh = session, mesh
        self._is_met.set()

    async def welcome_all(self, listener: Listener) -> None:
        """Take in links until cancelled."""
        async with trio.open_nursery() as nursery:
            async for link in listener:
                nursery.start_soon(self._welcome, link)

    async def _welcome(self, link: Link) -> None:
        with suppress(*RECEIVE_ERRORS):
            try:
                await self._receive_first(link, await _first_message(link))
            except (MalformedFrame, BadSignature) as error:
                self._tell_turned_away(link, error)
                await link.aclose()

    def _tell_turned_away(self, link: Link, error: PeerError) -> None:
        """Say it, but not of a caller that does what every program does by itself.

        A seat may have called us while we called it, and has taken our call.  Those of a game that
        I have left call me again and again, until I come back to it.
        """
        calls_over = isinstance(error, SaysNothing) and self._sits_here(link.peer)
        if calls_over or isinstance(error, PlaysAnother):
            _log.info("%s was turned away: %s", link.peer_name, error)
        else:
            self._publish(Notice(f"{link.peer_name} was turned away: {error}"))

    async def _receive_first(self, link: Link, message: object) -> None:
        match message:
            case ["sit", *_] if self.admit is not None:
                await self._admit(link, message)
            case ["sit", *_]:
                await turn_away(link, self._why_full(link.peer))
            case ["mesh", bytes(game_id), claim]:
                await self._seat(link, game_id, claim)
            case ["watch"] if self._session:
                await self._session.spectators.welcome(link)
            case _:
                raise MalformedFrame("it asked for nothing that is to be had here")

    def _why_full(self, caller: bytes) -> str:
        if self._sits_here(caller):
            return "you sit here already; resume the game"
        return "the game has begun"

    def _sits_here(self, caller: bytes) -> bool:
        session = self._session
        return session is not None and session.replica.roster.seat_of(caller) is not None

    async def _admit(self, link: Link, message: object) -> None:
        assert self.admit is not None, "guests come while seats are free"
        with trio.CancelScope() as scope:
            self._guests.append(scope)
            await self.admit(link, message)
        self._guests.remove(scope)

    async def _seat(self, link: Link, game_id: bytes, claim: object) -> None:
        """Let a seat of our game in; it may have heard before us that the game begins."""
        with trio.move_on_after(GAME_BEGINS_S):
            await self._is_met.wait()
        session, mesh = self._session, self._mesh
        if session is None or mesh is None or session.replica.game_id != game_id:
            raise PlaysAnother("it plays another game")
        seat = session.replica.roster.seat_of(link.peer)
        if seat is None or seat == session.replica.me:
            raise MalformedFrame("it does not sit at this table")
        await mesh.take_in(seat, link, claim)


async def _first_message(link: Link) -> object:
    with trio.move_on_after(FIRST_MESSAGE_S):
        return await link.receive()
    raise SaysNothing("it did not say what it wants")
