"""The links of a running game: how every seat stays linked to every other.

Both ends of a pair call each other, and one link stays:

    caller    ["mesh", game id, claim]
    called    ["meshed", claim]
    caller    ["meshed"]          from here on the link is the one of these two seats

Either says instead that it hears another program on the seat of the other: see
`p2p.session.instances`.

How far a link has come says `LINK_LIFE` in `p2p.table.life_cycles`.

Whoever has no link to a seat calls it, at all places that are known, again and again.  So whoever
is called by a seat lets go of an older link to it, as the other end has done, when the caller has
answered: a question that was given up may arrive late.  When two seats call each other in the
same moment, both questions are on their way: then the call of the lower seat counts.  The lower
one does not answer before it has its own answer, the higher one answers and gives its own call up.
The lower seat also begins to call a little later, so that this is rare.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

import trio

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import (
    ANSWER_S,
    GIVING_WAY_S,
    REDIAL_FIRST_S,
    REDIAL_LAST_S,
    Role,
)
from p2p.net.dialling import connect_any
from p2p.net.interfaces import shown_address
from p2p.net.link import RECEIVE_ERRORS, Address, Link
from p2p.session.session import Session
from p2p.table.life_cycles import LINK_LIFE, LifeCycle, LinkEvent, LinkPhase

Me: TypeAlias = tuple[Identity, str]  # Who calls, and by which name.

_log: Final = logging.getLogger("hostless.links")
_MESHED: Final = ["meshed"]
_lan_log: Final = logging.getLogger("hostless.lan")


class Mesh:
    """My links to all other seats of a running game."""

    def __init__(self, session: Session, me: Me) -> None:
        self._session, replica = session, session.replica
        others = set(range(len(replica.roster.seats))) - {replica.me}  # Who is out may come back.
        called = others - set(replica.roster.open_seats())
        self._connections = {seat: PeerConnection(session, me, seat) for seat in called}
        session.relaying.places.on_news = self._call_again

    def begin(self, nursery: trio.Nursery, links: dict[int, Link]) -> None:
        """Stay linked to everybody from now on, beginning with these links."""
        for seat, connection in self._connections.items():
            nursery.start_soon(connection.keep, links.get(seat))

    async def take_in(self, seat: int, link: Link, claim: object) -> None:
        """A seat has called, and says which program it is: hear it until the link ends.

        Raises:
            MalformedFrame, BadSignature: it does not say that.
        """
        if seat in self._connections:
            refusal = await self._session.instances.refusal(seat, claim)
            if refusal is not None:
                await link.send(refusal)
                await link.aclose()
                return
            link.become(Role.MEMBER)
            await self._connections[seat].take_in(link)

    def moved(self, is_mine: Callable[[str], bool]) -> None:
        """My addresses are others now: let go of links that begin at one that is gone."""
        for connection in self._connections.values():
            connection.moved(is_mine)

    def _call_again(self, seat: int) -> None:
        if seat in self._connections:
            self._connections[seat].hurry()


class PeerConnection:
    """My side of what there is between me and one other seat: one link, or attempts at one."""

    def __init__(self, session: Session, me: Me, seat: int) -> None:
        replica = session.replica
        assert replica.me is not None, "whoever has a seat calls others"
        self._session, self._me, self._seat = session, me, seat
        self._places = session.relaying.places
        self._identity = replica.roster.seats[seat].identity
        self._is_lower = replica.me < seat
        self._luck = random.Random(replica.game_id + bytes([replica.me, seat]))
        self._link: Link | None = None
        self._lives: dict[Link, LifeCycle[LinkPhase, LinkEvent]] = {}  # As far as they have begun.
        self._calling = trio.CancelScope()
        self._is_asking = False  # My question is on its way to the other end,
        self._answers = 0  # and so are so many answers of mine to its own.
        self._changed = trio.Event()  # A link has come or gone, or a question has been answered.
        self._hurry = trio.Event()

    # ---- calling ----

    async def keep(self, link: Link | None) -> None:
        """Stay linked until cancelled."""
        if link is not None:
            self._move(link, LinkEvent.BEGIN)
            self._take(link, None)
            await self._listen(link)
        pause_s = REDIAL_FIRST_S
        while True:
            while self._link is not None or self._answers:
                pause_s = REDIAL_FIRST_S
                await self._changed.wait()
            is_first = pause_s == REDIAL_FIRST_S
            if is_first and self._is_lower and await self._is_linked_by(GIVING_WAY_S):
                continue
            link = await self._call()
            if link is not None:
                await self._listen(link)
            else:
                pause_s = await self._rest(pause_s)

    async def _is_linked_by(self, seconds: float) -> bool:
        """Whether the other end calls within this time."""
        with trio.move_on_after(seconds):
            while self._link is None:
                await self._changed.wait()
        return self._link is not None

    async def _rest(self, pause_s: float) -> float:
        """Wait until it is worth another attempt; gives how long to wait after that one."""
        with trio.move_on_after(pause_s * self._luck.uniform(0.5, 1.0)):
            await self._hurry.wait()
            return REDIAL_FIRST_S
        return min(2 * pause_s, REDIAL_LAST_S)

    def hurry(self) -> None:
        """The seat, or this machine, may be somewhere else now: call at once."""
        self._hurry.set()
        if not self._is_asking:
            self._calling.cancel()  # Where nobody answers one waits for long.

    async def _call(self) -> Link | None:
        """A link that the other end takes as well; None if there is none, or it has called."""
        self._hurry = trio.Event()
        places = self._places.of(self._seat)
        if not places:
            return None
        with trio.CancelScope() as self._calling:
            try:
                link = await connect_any(places, *self._me, expected=self._identity)
            except (HostlessError, PeerError) as error:
                _log.info("seat %d is not reached at %s: %s", self._seat, _shown(places), error)
                return None
            if await self._is_taken(link):
                self._take(link, link.remote_port)
                return link
        return None

    async def _is_taken(self, link: Link) -> bool:
        """Whether the other end answers that it takes this link; else it is closed."""
        self._is_asking = True
        try:
            with trio.move_on_after(ANSWER_S):
                mine = self._session.instances.mine()
                await link.send(["mesh", self._session.replica.game_id, mine])
                self._move(link, LinkEvent.MESH)
                await self._hear_answer(link, await link.receive())
        except RECEIVE_ERRORS:
            _log.info("seat %d does not take our link", self._seat)
        except PeerError as error:
            _log.info("seat %d answers what is no answer: %s", self._seat, error)
        finally:
            self._is_asking = False
            if not self._is_linked(link):
                self._let_go(link)
                self._change()
        return self._is_linked(link)

    async def _hear_answer(self, link: Link, answer: object) -> None:
        """The other end says whether it takes our link; then I say whether I hear its program."""
        match answer:
            case ["meshed", claim]:
                self._move(link, LinkEvent.MESHED)
                refusal = await self._session.instances.refusal(self._seat, claim)
                said = _MESHED if refusal is None else refusal
                await link.send(said)
                self._move(link, LinkEvent(str(said[0])))
            case ["busy" | "fenced" as word, *_]:
                self._move(link, LinkEvent(word))
                await self._session.tell(self._seat, link, answer)

    # ---- being called ----

    async def take_in(self, link: Link) -> None:
        """The other end has called, and asks whether we take its link."""
        if self._is_lower and await self._has_been_answered():
            link.give_up()  # It has taken mine.
            return
        self._move(link, LinkEvent.MESH)
        if await self._has_confirmed(link):
            self._take(link, None)
            await self._listen(link)
        else:
            self._let_go(link)

    async def _has_confirmed(self, link: Link) -> bool:
        """Whether the caller still wants this link when it has our answer."""
        self._calling.cancel()
        self._answers += 1
        try:
            with suppress(*RECEIVE_ERRORS), trio.move_on_after(ANSWER_S):
                await link.send([*_MESHED, self._session.instances.mine()])
                self._move(link, LinkEvent.MESHED)
                answer = await link.receive()
                if answer == _MESHED:
                    self._move(link, LinkEvent.MESHED)
                else:
                    await self._session.tell(self._seat, link, answer)
        finally:
            self._answers -= 1
            self._change()
        return self._is_linked(link)

    async def _has_been_answered(self) -> bool:
        """Whether the link that we ask the other end to take, if we do, is taken."""
        was_asking = self._is_asking
        while self._is_asking:
            await self._changed.wait()
        return was_asking and self._link is not None

    # ---- the link ----

    def _move(self, link: Link, event: LinkEvent) -> None:
        """Something was said or heard by a link, or it has ended."""
        life = self._lives.setdefault(link, LifeCycle(LINK_LIFE, LinkPhase.NONE))
        if life.change(event) is LinkPhase.NONE:
            del self._lives[link]

    def _is_linked(self, link: Link) -> bool:
        return link in self._lives and self._lives[link].phase is LinkPhase.LINKED

    def _let_go(self, link: Link) -> None:
        """End a link by which the two ends do not hear each other."""
        if link in self._lives:
            self._move(link, LinkEvent.CLOSED)
        link.give_up()

    def _take(self, link: Link, port: int | None) -> None:
        """From now on this is the link, and not an older one."""
        older, self._link = self._link, link
        way = "a call from" if port is None else "our call to"
        where = shown_address(link.remote_host, link.remote_port)
        _log.info("linked with seat %d by %s %s", self._seat, way, where)
        if older is not None:
            _log.info("the older link with seat %d ends: it has called again", self._seat)
            older.give_up()
        self._places.link(self._seat, link.remote_host, port)
        self._session.instances.note_free(self._seat)
        self._change()

    async def _listen(self, link: Link) -> None:
        """Hear the seat by this link until it ends."""
        try:
            await self._session.attend(self._seat, link)
        finally:
            self._move(link, LinkEvent.CLOSED)
            if self._link is link:
                self._link = None
                _log.info("no link with seat %d any more: %s", self._seat, link.fault or "it ended")
                self._change()

    def moved(self, is_mine: Callable[[str], bool]) -> None:
        """My addresses are others now."""
        if self._link is not None and not is_mine(self._link.local_host):
            _log.info("the link with seat %d began at an address that is gone", self._seat)
            self._link.give_up()
        self.hurry()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _shown(places: list[Address]) -> str:
    return ", ".join(shown_address(*place) for place in places)
