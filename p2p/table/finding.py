"""Which table somebody means: by its id, the beginning of it, its name, or its address.

A name may be that of several tables, and so may be no name at all.  Then nobody is seated
anywhere: the tables are listed, and one of them can be named by its id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.identity import words
from p2p.base.limits import NAME_LETTERS_MAX
from p2p.base.version import PROTOCOL_VERSION
from p2p.net.discovery import TableAd, browsing, parse_address
from p2p.net.interfaces import shown_address
from p2p.net.unreachable import GET_NETWORK, is_alone
from p2p.session.places import Address

FIND_TABLE_S: Final = 6.0  # How long a table is looked for before we say that it is not there.
OTHERS_S: Final = 1.2  # After the first one: another of that name has said so by then.
ID_LETTERS: Final = 8  # Of a table's id, which are shown and are enough to name it.
LISTED_MAX: Final = 6  # Tables in one sentence.

Wanted = Callable[[TableAd], bool]


async def find_table(target: str, is_wanted: Wanted) -> tuple[list[Address], bytes | None]:
    """Where a table is (empty: any), the best address first, and who must answer there.

    Raises:
        HostlessError: there is none, or there are several.
    """
    if ":" in target:
        return [parse_address(target)], None
    called: list[TableAd] = []
    with trio.move_on_after(FIND_TABLE_S) as looking:
        async with browsing() as sightings:
            async for tables in sightings:
                called = [ad for ad in tables if _is_called(ad, target)]
                wanted = [ad for ad in called if is_wanted(ad)]
                if any(ad.table_id == target for ad in wanted):
                    break
                if wanted:
                    looking.deadline = min(looking.deadline, trio.current_time() + OTHERS_S)
    return choose(target, called, is_wanted)


def choose(
    target: str, called: Sequence[TableAd], is_wanted: Wanted
) -> tuple[list[Address], bytes | None]:
    """The one table among those of this name where one can do what is wanted.

    Raises:
        HostlessError: there is none, or there are several.
    """
    wanted = [ad for ad in called if is_wanted(ad)]
    if not wanted:
        raise why_none(target, called)
    if len(wanted) > 1:
        raise _several(target, wanted)
    return wanted[0].places, wanted[0].opener


def _is_called(ad: TableAd, target: str) -> bool:
    is_part = len(target) >= ID_LETTERS and ad.table_id.startswith(target)
    return is_part or target in ("", ad.table_id, ad.name)


def _several(target: str, tables: Sequence[TableAd]) -> HostlessError:
    listed = [
        f"{ad.table_id[:ID_LETTERS]} {ad.name!r} of {words(ad.opener)} "
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
                f"the table {table.name!r} speaks version {table.version} of the protocol, "
                f"this program {PROTOCOL_VERSION}",
                "let everybody use the same version of hostless",
            )
    if called:
        what = f"the table {called[0].name!r}"
        if called[0].is_played:
            return HostlessError(f"{what} is full", "look on with watch")
        return HostlessError(f"{what} has not begun", "take a seat with join")
    what = f"no table called {target[:NAME_LETTERS_MAX]!r}" if target else "no table"
    if is_alone():
        return HostlessError(f"{what} was seen: this machine is on no network", GET_NETWORK)
    return HostlessError(f"{what} was seen on this network", "try join HOST:PORT")
