"""Who may come in: guests while seats are free, then the seats and spectators of the game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import trio

from p2p.base.errors import MalformedFrame
from p2p.net.link import Link, Listener
from p2p.session.news import Notice
from p2p.session.session import Publish, Session
from p2p.table.mesh import Mesh

FIRST_WORD_S: Final = 5.0  # For a caller to say what it wants.
GAME_BEGINS_S: Final = 10.0  # For our game to begin after another seat's.


class Door:
    """Who may come in: guests while seats are free, seats and spectators of a running game."""

    def __init__(self, port: int, publish: Publish, *, is_local: bool = False) -> None:
        self.port, self.is_local = port, is_local  # Local: nobody else can come here.
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
        with suppress(trio.EndOfChannel, trio.ClosedResourceError, trio.BrokenResourceError):
            try:
                await self._hear_first(link, await _first_word(link))
            except MalformedFrame as error:
                self._publish(Notice(f"{link.peer_name} was turned away: {error}"))
                await link.aclose()

    async def _hear_first(self, link: Link, message: object) -> None:
        match message:
            case ["sit", *_] if self.admit is not None:
                await self._admit(link, message)
            case ["sit", *_]:
                await link.send(["refused", "the game has begun"])
                await link.aclose()
            case ["mesh", bytes(game_id), claim]:
                await self._seat(link, game_id, claim)
            case ["watch"] if self._session:
                await self._session.onlookers.welcome(link)
            case _:
                raise MalformedFrame("it asked for nothing that is to be had here")

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
            raise MalformedFrame("it plays another game")
        seat = session.replica.roster.seat_of(link.peer)
        if seat is None or seat == session.replica.me:
            raise MalformedFrame("it does not sit at this table")
        await mesh.take_in(seat, link, claim)


async def _first_word(link: Link) -> object:
    with trio.move_on_after(FIRST_WORD_S):
        return await link.receive()
    raise MalformedFrame("it did not say what it wants")
