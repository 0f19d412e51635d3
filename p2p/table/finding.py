"""Which table on the network somebody means.

Somebody names a table by its id, the beginning of it, its name, or its address.  A name may be that
of several tables, and so may be no name at all.  Then nobody is seated anywhere: the tables are
listed, and one of them can be named by its id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import trio

from core.errors import HostlessError
from p2p.base.identity import words
from p2p.base.limits import NAME_LETTERS_MAX, PROTOCOL_VERSION
from p2p.net.announcements import Key
from p2p.net.discovery import TableAd, browsing, parse_address
from p2p.net.interfaces import GET_NETWORK, is_alone, shown_address
from p2p.net.link import Address

FIND_TABLE_S: Final = 6.0  # How long a table is looked for before we say that it is not there.
OTHERS_S: Final = 1.2  # After the first one: another of that name has said so by then.
ID_LETTERS: Final = 8  # Of a table's id, which are shown and are enough to name it.
LISTED_MAX: Final = 6  # Tables in one sentence.

Wanted = Callable[[TableAd], bool]


class Found(NamedTuple):
    """Where a table is, the best address first, who must answer there, and which table it is."""

    places: list[Address]
    opener: bytes | None = None  # None: it was given by its address, and nothing else is known.
    table_id: str = ""

    @property
    def keys(self) -> list[Key]:
        """The table as it is announced; nothing where it was given by its address."""
        return [] if self.opener is None else [(self.table_id, self.opener)]


async def find_table(target: str, is_wanted: Wanted) -> Found:
    """The table that somebody means (empty: any).

    Raises:
        HostlessError: there is none, or there are several.
    """
    if ":" in target:
        return Found([parse_address(target)])
    called: list[TableAd] = []
    with trio.move_on_after(FIND_TABLE_S) as looking:
        async with browsing() as sightings:
            async for tables in sightings:
                called = [ad for ad in tables if is_called(ad, target)]
                wanted = [ad for ad in called if is_wanted(ad)]
                if any(target in (ad.target, ad.table_id) for ad in wanted):
                    break
                if wanted:
                    looking.deadline = min(looking.deadline, trio.current_time() + OTHERS_S)
    return choose(target, called, is_wanted)


def choose(target: str, called: Sequence[TableAd], is_wanted: Wanted) -> Found:
    """The one table among those of this name where one can do what is wanted.

    Raises:
        HostlessError: there is none, or there are several.
    """
    wanted = [ad for ad in called if is_wanted(ad)]
    if not wanted:
        raise why_none(target, called)
    if len(wanted) > 1:
        raise _several(target, wanted)
    return Found(wanted[0].places, wanted[0].opener, wanted[0].table_id)


def is_called(ad: TableAd, target: str) -> bool:
    """Whether somebody who typed `target` may mean this table."""
    is_part = len(target) >= ID_LETTERS and ad.table_id.startswith(target)
    spoken = target.lower().replace("-", " ")  # The words of who opened it, as they are read aloud.
    named = ("", ad.table_id, ad.target, ad.name)
    return is_part or target in named or spoken == words(ad.opener)


def _several(target: str, tables: Sequence[TableAd]) -> HostlessError:
    listed = [
        f"{ad.table_id[:ID_LETTERS]} {ad.shown_name!r} of {words(ad.opener)} "
        f"at {shown_address(ad.host, ad.port)}"
        for ad in tables[:LISTED_MAX]
    ]
    rest = len(tables) - LISTED_MAX
    more = f", and {rest} more" if rest > 0 else ""
    called = f" called {target[:NAME_LETTERS_MAX]!r}" if target else ""
    first = tables[0].table_id[:ID_LETTERS]
    return HostlessError(
        f"there are {len(tables)} tables{called}: {', '.join(listed)}{more}",
        f"name one by the beginning of its line, for example {first}, or by its address",
    )


def why_none(target: str, called: Sequence[TableAd]) -> HostlessError:
    """Why nobody can sit down, or look on, at the tables that were seen and are called so."""
    for table in called:
        if not table.is_understood:
            return HostlessError(
                f"the table {table.shown_name!r} speaks version {table.version} of the protocol, "
                f"this program {PROTOCOL_VERSION}",
                "let everybody use the same version of hostless",
            )
    if called:
        what = f"the table {called[0].shown_name!r}"
        if called[0].is_played:
            return HostlessError(f"{what} is full", "look on with watch")
        return HostlessError(f"{what} has not begun", "take a seat with join")
    what = f"no table called {target[:NAME_LETTERS_MAX]!r}" if target else "no table"
    if is_alone():
        return HostlessError(f"{what} was seen: this machine is on no network", GET_NETWORK)
    return HostlessError(f"{what} was seen on this network", "try join HOST:PORT")
