"""Who is on this network: told to my screen, and of myself if my person allows it.

Only beacons are used: a network that drops them costs the list of people, and nobody a game.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2p.base.limits import BEACON_INTERVAL_S, PERSON_EXPIRY_S, PERSON_INTERVAL_S
from p2p.base.steps import sleep_in_step
from p2p.net import beacon
from p2p.net.announcements import Key
from p2p.net.people import LOBBY, SOME_TABLE, Neighbor, Neighbors
from p2p.session.news import PeopleSeen


class Neighborhood:
    """See the module's docstring."""

    def __init__(
        self, identity: bytes, name: str, shout: Callable[..., object] = beacon.shout_person
    ) -> None:
        """`shout` sends one beacon."""
        self._neighbors, self._shout = Neighbors(identity), shout
        self._identity, self._name, self._where = identity, name, LOBBY
        self._is_seen, self._allowed = False, trio.Event()
        self._has_begun = False

    def be_seen(self, is_seen: bool) -> None:
        """Say from now on that I am here, or say it no more."""
        if is_seen == self._is_seen:
            return
        if not is_seen:
            self._shout(self._me(), is_gone=True)
            self._allowed = trio.Event()
        self._is_seen = is_seen
        if is_seen:
            self._allowed.set()
            self._tell()

    def begin(self, nursery: trio.Nursery, publish: Callable[[PeopleSeen], object]) -> None:
        """Hear who is here, and say what may be said of me, from now on."""
        if not self._has_begun:
            self._has_begun = True
            nursery.start_soon(self.announce)
            nursery.start_soon(self.watch, publish)

    async def announce(self) -> None:
        """Say again and again where I am, as long as that is allowed, until cancelled."""
        try:
            while True:
                await self._allowed.wait()
                self._tell()
                await sleep_in_step(PERSON_INTERVAL_S)
        finally:
            self.be_seen(False)

    def sit(self, table: Key = SOME_TABLE) -> None:
        """I am at this table now; without it, at one that others are not told of."""
        self._go(table)

    def stay(self, table: Key = SOME_TABLE) -> None:
        """I play: at the table where I sit, or else at this one."""
        if self._where == LOBBY:
            self.sit(table)

    def get_up(self) -> None:
        """I am in the lobby again."""
        self._go(LOBBY)

    async def watch(self, publish: Callable[[PeopleSeen], object]) -> None:
        """Tell of others whenever that changes, once a second at most, until cancelled."""
        told: tuple[Neighbor, ...] = ()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(beacon.listen_for_people, self.hear)
            while True:
                if (now := self._neighbors.current()) != told:
                    told = now
                    publish(PeopleSeen(told))
                await sleep_in_step(BEACON_INTERVAL_S)

    def hear(self, person: Neighbor, host: str, is_there: bool) -> None:
        """Somebody says where they are, or are no more."""
        if is_there:
            self._neighbors.hear(person, host, PERSON_EXPIRY_S)
        else:
            self._neighbors.lose(person, host)

    def _go(self, where: Key) -> None:
        if where == self._where:
            return
        if self._is_seen:
            self._shout(self._me(), is_gone=True)
        self._where = where
        self._tell()

    def _tell(self) -> None:
        if self._is_seen:
            self._shout(self._me())

    def _me(self) -> Neighbor:
        return Neighbor(self._identity, self._name, self._where)
