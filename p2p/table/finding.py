"""What is to be found on the network: the table that somebody means, and games that are going on.

Somebody names a table by its id, the beginning of it, its name, or its address.  A name may be that
of several tables, and so may be no name at all.  Then nobody is seated anywhere: the tables are
listed, and one of them can be named by its id.

The lobby first offers games of mine that others are playing, or waiting at, right now, and then
those that are not over.  Every seat
of a running or resumed game announces itself by a tag that only those who hold the game can
recognise (`p2p.net.announcements`).  Here the tags are compared with the games that are kept on
this machine.  Only beacons are listened to; where a network drops them, `resume` finds the others
as before.

What this does not protect against: whoever has ever looked on at a game can announce its seats.
Then it is offered, and nobody who can prove to sit there is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import trio

from core.errors import HostlessError
from p2p.base.identity import words
from p2p.base.limits import (
    BEACON_EXPIRY_S,
    BEACON_INTERVAL_S,
    NAME_LETTERS_MAX,
    PROTOCOL_VERSION,
    TAGS_SEEN_MAX,
)
from p2p.base.steps import sleep_in_step
from p2p.net import beacon
from p2p.net.announcements import Key
from p2p.net.discovery import TableAd, browsing, parse_address
from p2p.net.interfaces import GET_NETWORK, is_alone, shown_address
from p2p.net.link import Address
from p2p.net.presence import Presence, seat_of
from p2p.session.news import OwnGame, OwnGames
from p2p.table.kept_games import StoredGame, noted_turn, table_id_of

FIND_TABLE_S: Final = 6.0  # How long a table is looked for before we say that it is not there.
OTHERS_S: Final = 1.2  # After the first one: another of that name has said so by then.
ID_LETTERS: Final = 8  # Of a table's id, which are shown and are enough to name it.
LISTED_MAX: Final = 6  # Tables in one sentence.

Wanted = Callable[[TableAd], bool]
FIRST_LOOK_S: Final = 0.3  # The first paint of a screen comes before any file is read.

SavedSeat = tuple[Path, int]  # A game file of mine, and a seat of that game.


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


class Waiting:
    """My games that are not over, and which seats of games of mine are announced at present."""

    def __init__(self, games: Callable[[], dict[Path, StoredGame]], me: bytes) -> None:
        """`games` reads the games that are kept here; `me` is my identity."""
        self._games, self._me = games, me
        self._known: dict[bytes, SavedSeat | None] = {}  # By salt: whose tag it is, if one of ours.
        self._kept: dict[Path, StoredGame] = {}
        self.has_looked = False  # At the files, at least once.
        self._until: dict[SavedSeat, float] = {}  # When a seat is forgotten that says nothing more.

    def is_new(self, heard: Presence) -> bool:
        """Whether the files have to be read to know whose this is."""
        return heard.salt not in self._known and len(self._known) < TAGS_SEEN_MAX

    def look(self) -> None:
        """Read the files.  Takes a moment; may run in a thread."""
        self._kept, self.has_looked = self._games(), True

    def learn(self, heard: Presence) -> None:
        """Read the files to know whose this is.  Takes a moment; may run in a thread."""
        self.look()
        self._known[heard.salt] = self._find(heard)

    def ignore(self, mine: Presence) -> None:
        """What this program says of itself tells nothing new."""
        self._known[mine.salt] = None

    def _find(self, heard: Presence) -> SavedSeat | None:
        for path, game in self._kept.items():
            persons = [at for at, seat in enumerate(game.roster.seats) if not seat.is_bot]
            seat = seat_of(heard, game.roster.game_id, persons)
            if seat is not None:
                return path, seat
        return None

    def receive(self, heard: Presence) -> None:
        """A seat says that it is there."""
        seat = self._known.get(heard.salt)
        if seat is not None:
            self._until[seat] = trio.current_time() + BEACON_EXPIRY_S

    def lose(self, salt: bytes) -> None:
        """A seat says that it leaves; whatever is said by that salt after it is a copy."""
        seat = self._known.get(salt)
        if seat is not None:
            self._known[salt] = None
            self._until.pop(seat, None)

    def games(self) -> tuple[OwnGame, ...]:
        """Those where somebody is now, and those that are not over, the newest first."""
        now = trio.current_time()
        self._until = {seat: until for seat, until in self._until.items() if until > now}
        here: dict[Path, list[int]] = {}  # Of others; a bot says no more than whoever runs it.
        for path, at in sorted(self._until):
            if not self._is_mine(path, at):
                here.setdefault(path, []).append(at)
        kept = [path for path, game in self._kept.items() if game.is_unfinished or path in here]
        kept = [path for path in kept if not self._kept[path].is_over]  # There people talk on.
        kept.sort(key=lambda path: (path not in here, -self._kept[path].last_at))
        return tuple(self._game(path, here.get(path, [])) for path in kept)

    def _is_mine(self, path: Path, at: int) -> bool:
        return path in self._kept and self._kept[path].roster.seats[at].identity == self._me

    def _game(self, path: Path, here: list[int]) -> OwnGame:
        game = self._kept[path]
        seats = game.roster.seats
        to_act = noted_turn(path) if here else game.to_act  # Another program of mine may play it.
        asked = [at for at in to_act if at in range(len(seats))]
        return OwnGame(
            path, game.roster.game, table_id_of(game.roster),
            tuple(seat.shown_name for seat in seats if seat.identity != self._me),
            tuple(seats[at].shown_name for at in here), game.last_at,
            tuple(seats[at].shown_name for at in asked if seats[at].identity != self._me),
            any(seats[at].identity == self._me for at in asked),
            any(each == path and self._is_mine(path, at) for each, at in self._until),
            any(not seat.is_bot and seat.identity != self._me for seat in seats),
        )  # fmt: skip


async def watch_own_games(
    waiting: Waiting, publish: Callable[[OwnGames], object], changed: Callable[[], trio.Event]
) -> None:
    """Tell of my games once they are known and whenever that changes, until cancelled.

    `changed` is what happens next to the files: a game of mine has begun or was left.
    """
    uplink, heard = trio.open_memory_channel[Presence | bytes](TAGS_SEEN_MAX)

    def hear(said: Presence | bytes, host: str = "") -> None:
        try:
            uplink.send_nowait(said)
        except trio.WouldBlock:
            return  # It says so again in a second, or is forgotten a little later.

    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon.listen_for_seats, hear, hear)
        nursery.start_soon(_look_again, waiting, changed)
        nursery.start_soon(_tell, waiting, publish)
        async for said in heard:
            if isinstance(said, bytes):
                waiting.lose(said)
                continue
            if waiting.is_new(said):
                await trio.to_thread.run_sync(waiting.learn, said)
            waiting.receive(said)


async def _look_again(waiting: Waiting, changed: Callable[[], trio.Event]) -> None:
    await trio.sleep(FIRST_LOOK_S)
    while True:
        following = changed()
        await trio.to_thread.run_sync(waiting.look)
        await following.wait()


async def _tell(waiting: Waiting, publish: Callable[[OwnGames], object]) -> None:
    told: tuple[OwnGame, ...] | None = None
    while True:
        if (now := waiting.games()) != told and waiting.has_looked:
            told = now
            publish(OwnGames(told))
        await sleep_in_step(BEACON_INTERVAL_S)
