"""Who has held up a table that fills, and sits down there no more.

A table is full when all seats are taken, and begins when all have the game on their disks.
Whoever has a seat then and does not say so, or gets up, lets all others wait and fill it anew; so
does a bot that is never measured, or goes before it is.  That may happen to anybody, and once more.
But whoever comes with one reason, that the table never begins, comes again and again: it gets no
seat at this table after the second time.  An identity costs nothing, so hosts are counted as well,
twice as far: several persons may be behind one.  This machine is not counted, nor are the opener's
bots.

What this does not protect against: somebody with many hosts, or on the opener's machine.  There a
password helps.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from p2p.base.limits import HELD_UP_BY_HOST_MAX, HELD_UP_BY_ONE_MAX
from p2p.base.roster import Seat
from p2p.net.interfaces import is_here

HASTE_S: Final = 5.0  # Who gets up so soon when the table is full lets all others fill it anew.


class HeldUp:
    """How often each identity and host has let a table wait for nothing."""

    def __init__(self) -> None:
        self._by_one, self._by_host = Counter[bytes](), Counter[str]()

    def note(self, seat: Seat, host: str) -> None:
        """The table has waited for this guest in vain."""
        if not seat.sponsor:  # Bots of the opener are started again by its own program.
            self._by_one[seat.identity] += 1
            self._by_host[host] += not is_here(host)

    def is_too_often(self, seat: Seat, host: str) -> bool:
        """Whether this guest, or others of its host, have done so too often to get a seat."""
        is_host = not seat.sponsor and self._by_host[host] >= HELD_UP_BY_HOST_MAX
        return self._by_one[seat.identity] >= HELD_UP_BY_ONE_MAX or is_host
