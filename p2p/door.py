"""Who may come in: guests while seats are free, then the seats and spectators of the game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio

from p2p.errors import MalformedFrame
from p2p.link import Link, Listener
from p2p.news import Notice
from p2p.session import Publish, Session


class Door:
    """Who may come in: guests while seats are free, seats and spectators of a running game."""

    def __init__(self, port: int, publish: Publish) -> None:
        self.port = port
        self.admit: Callable[[Link, object], Awaitable[None]] | None = None
        self._publish = publish
        self._session: Session | None = None
        self._guests: list[trio.CancelScope] = []

    def take_over(self) -> None:
        """Stop listening to guests: from now on the session does."""
        self.admit = None
        for scope in self._guests:
            scope.cancel()

    def meet(self, session: Session) -> None:
        """Let seats and spectators of this game in."""
        self._session = session

    async def welcome_all(self, listener: Listener) -> None:
        """Take in links until cancelled."""
        async with trio.open_nursery() as nursery:
            async for link in listener:
                nursery.start_soon(self._welcome, link)

    async def _welcome(self, link: Link) -> None:
        with suppress(trio.EndOfChannel, trio.ClosedResourceError, trio.BrokenResourceError):
            try:
                await self._hear_first(link, await link.receive())
            except MalformedFrame as error:
                self._publish(Notice(f"{link.peer_name} was turned away: {error}"))
                await link.aclose()

    async def _hear_first(self, link: Link, message: object) -> None:
        session = self._session
        match message:
            case ["sit", *_] if self.admit is not None:
                with trio.CancelScope() as scope:
                    self._guests.append(scope)
                    await self.admit(link, message)
            case ["sit", *_]:
                await link.send(["refused", "the game has begun"])
                await link.aclose()
            case ["mesh", bytes(game_id)] if session and game_id == session.replica.game_id:
                seat = session.replica.roster.seat_of(link.peer)
                if seat is None:
                    raise MalformedFrame("it does not sit at this table")
                await session.attend(seat, link)
            case ["watch"] if session:
                await session.watch(link)
            case _:
                raise MalformedFrame("it asked for nothing that is to be had here")
