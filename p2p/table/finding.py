"""What is to be found on the network: the table that somebody means, and games that are going on.

Somebody names a table by its id, the beginning of it, its name, or its address.  A name may be that
of several tables, and so may be no name at all.  Then nobody is seated anywhere: the tables are
listed, and one of them can be named by its id.

The lobby first offers games of mine that others are playing, or waiting at, right now.  Every seat
of a running or resumed game announces itself by a tag that only those who hold the game can
recognise (`p2p.net.announcements`).  Here the tags are compared with the games that are kept on
this machine.  Only beacons are listened to; where a network drops them, `resume` finds the others
as before.

What this does not protect against: whoever has ever looked on at a game can announce its seats.
Then it is offered, and nobody who can prove to sit there is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.errors import MalformedFrame
from p2p.base.identity import words
from p2p.base.limits import (
    BEACON_EXPIRY_S,
    BEACON_INTERVAL_S,
    FRAME_BYTES_MAX,
    NAME_LETTERS_MAX,
    PROTOCOL_VERSION,
    TABLES_SEEN_MAX,
)
from p2p.base.roster import Roster, parse_roster
from p2p.base.wire import FRAME_HEADER_BYTES, decode
from p2p.log.ledger import MAGIC, SUFFIX
from p2p.net import beacon
from p2p.net.discovery import TableAd, browsing, parse_address
from p2p.net.interfaces import GET_NETWORK, is_alone, shown_address
from p2p.net.link import Address
from p2p.net.presence import Presence, seat_of
from p2p.session.news import OwnGame, OwnGames

FIND_TABLE_S: Final = 6.0  # How long a table is looked for before we say that it is not there.
OTHERS_S: Final = 1.2  # After the first one: another of that name has said so by then.
ID_LETTERS: Final = 8  # Of a table's id, which are shown and are enough to name it.
LISTED_MAX: Final = 6  # Tables in one sentence.

Wanted = Callable[[TableAd], bool]
GAMES_MAX: Final = 256  # The newest of them are held against a tag.
TAGS_MAX: Final = 4 * TABLES_SEEN_MAX  # Of strangers; who announces more is not heard.

SavedSeat = tuple[Path, int]  # A game file of mine, and a seat of that game.


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


class Waiting:
    """Which seats of which games of mine are announced at present."""

    def __init__(self, games: Callable[[], dict[Path, Roster]], me: bytes) -> None:
        """`games` reads the games that are kept here; `me` is my identity."""
        self._games, self._me = games, me
        self._known: dict[bytes, SavedSeat | None] = {}  # By salt: whose tag it is, if one of ours.
        self._rosters: dict[Path, Roster] = {}
        self._until: dict[SavedSeat, float] = {}  # When a seat is forgotten that says nothing more.

    def is_new(self, heard: Presence) -> bool:
        """Whether the files have to be read to know whose this is."""
        return heard.salt not in self._known and len(self._known) < TAGS_MAX

    def learn(self, heard: Presence) -> None:
        """Read the files to know whose this is.  Takes a moment; may run in a thread."""
        self._rosters = self._games()
        self._known[heard.salt] = self._find(heard)

    def _find(self, heard: Presence) -> SavedSeat | None:
        for path, roster in self._rosters.items():
            others = [at for at, seat in enumerate(roster.seats) if seat.identity != self._me]
            seat = seat_of(heard, roster.game_id(), others)
            if seat is not None:
                return path, seat
        return None

    def receive(self, heard: Presence) -> None:
        """A seat says that it is there."""
        seat = self._known.get(heard.salt)
        if seat is not None:
            self._until[seat] = trio.current_time() + BEACON_EXPIRY_S

    def games(self) -> tuple[OwnGame, ...]:
        """The games where somebody is now, in an order that stays."""
        now = trio.current_time()
        self._until = {seat: until for seat, until in self._until.items() if until > now}
        here: dict[Path, list[int]] = {}
        for path, at in sorted(self._until):
            here.setdefault(path, []).append(at)
        return tuple(self._game(path, seats) for path, seats in here.items())

    def _game(self, path: Path, here: list[int]) -> OwnGame:
        roster = self._rosters[path]
        others = tuple(seat.name for seat in roster.seats if seat.identity != self._me)
        names = tuple(roster.seats[at].name for at in here)
        return OwnGame(path, roster.game, roster.seats[0].nonce.hex()[:16], others, names)


async def watch_own_games(folder: Path, me: bytes, publish: Callable[[OwnGames], object]) -> None:
    """Tell of my games where somebody is, whenever that changes, until cancelled."""
    waiting = Waiting(partial(games_of, folder, me), me)
    uplink, heard = trio.open_memory_channel[Presence](TAGS_MAX)

    def notice(presence: Presence, host: str) -> None:
        try:
            uplink.send_nowait(presence)
        except trio.WouldBlock:
            return  # It says so again in a second.

    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon.listen_for_seats, notice)
        nursery.start_soon(_tell, waiting, publish)
        async for presence in heard:
            if waiting.is_new(presence):
                await trio.to_thread.run_sync(waiting.learn, presence)
            waiting.receive(presence)


async def _tell(waiting: Waiting, publish: Callable[[OwnGames], object]) -> None:
    told: tuple[OwnGame, ...] = ()
    while True:
        if (now := waiting.games()) != told:
            told = now
            publish(OwnGames(told))
        await trio.sleep(BEACON_INTERVAL_S)


def games_of(folder: Path, me: bytes) -> dict[Path, Roster]:
    """The newest games in a folder at which I have a seat; what cannot be read is none."""
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    rosters = {path: roster_in(path) for path in files[:GAMES_MAX]}
    return {
        path: roster
        for path, roster in rosters.items()
        if roster is not None and roster.seat_of(me) is not None
    }


def roster_in(path: Path) -> Roster | None:
    """The roster at the beginning of a game file; None if there is none that we understand."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return None
            size = int.from_bytes(file.read(FRAME_HEADER_BYTES))
            match decode(file.read(min(size, FRAME_BYTES_MAX))):
                case ["roster", value]:
                    return parse_roster(value)
    except (OSError, MalformedFrame):
        return None
    return None
