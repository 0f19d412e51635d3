"""Who is in reach, linked to me or to a neighbour of mine, and how long all others are silent.

A seat is late when it has been silent for the time of grace that the table agreed on.  A switch
that was off parts all from all, for longer perhaps, and they find each other one by one: whoever is
last has some seconds before anybody says that it is gone.
"""

from __future__ import annotations

from typing import Final, Protocol

import trio

from p2p.log.replica import Replica
from p2p.session.relaying import Relaying

GATHER_S: Final = 10.0  # For all to meet again whom one switch had parted.
MEET_S: Final = 3.0  # For all to meet at the beginning, before anybody is said to be away.


class Network(Protocol):
    """What reach depends on in a running game."""

    replica: Replica
    relaying: Relaying


class Reach:
    """Since when each of the others is silent, as I know."""

    def __init__(self, session: Network) -> None:
        self._session, self._replica = session, session.replica
        self._heard: dict[int, float] = {}  # When a seat was in reach, or said something, last.
        self._met = set[int]()  # Who has been in reach.
        self._begun = 0.0
        self._silent = set[int]()  # Who is out of reach,
        self._since = 0.0  # and since when they are, and nobody else.

    def begin(self) -> None:
        """The session begins: from now on seats are waited for."""
        self._begun = trio.current_time()
        self._heard = dict.fromkeys(self._replica.seats, self._begun)

    def hear(self, seat: int) -> None:
        """A link has broken now, or somebody has passed on what a seat says."""
        self._heard[seat] = trio.current_time()

    def look(self) -> None:
        """Note who is in reach now."""
        silent = {seat for seat in self._replica.others if not self.has(seat)}
        for seat in self._replica.others:
            if seat not in silent:
                self.hear(seat)
                self._met.add(seat)
        if silent != self._silent:
            self._silent, self._since = silent, trio.current_time()

    def has(self, seat: int) -> bool:
        """Whether a seat is linked to me, or to a neighbour of mine."""
        return self._session.relaying.reaches(seat)

    def has_all_but(self, seat: int) -> bool:
        """Whether all others are in reach."""
        return self._silent <= {seat}

    def misses(self, seat: int) -> bool:
        """Whether a seat is late, and could be met again since others were silent as well."""
        return not self.has(seat) and trio.current_time() >= self.missed_at(seat)

    def missed_at(self, seat: int) -> float:
        """When a seat that is silent from now on will be missed, if the table knows a grace."""
        return max(self.late_at(seat), self._since + min(GATHER_S, self._grace_s))

    def is_late(self, seat: int) -> bool:
        """Whether a seat has been silent for the time of grace, if the table knows one."""
        return not self.has(seat) and trio.current_time() >= self.late_at(seat)

    def late_at(self, seat: int) -> float:
        """When the time of grace of a seat that is silent from now on is over."""
        return self._heard[seat] + self._grace_s

    def silent(self) -> list[int]:
        """Who is out of reach and has been in it, or has had the time to come."""
        has_met_all = trio.current_time() >= self._begun + MEET_S
        return sorted(seat for seat in self._silent if has_met_all or seat in self._met)

    @property
    def _grace_s(self) -> float:
        terms = self._replica.roster.stand_in
        return float("inf") if terms is None else terms.grace_s
