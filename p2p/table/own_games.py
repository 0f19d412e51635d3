"""My own games that are not over, and who sits at them now, as their announcements say.

The lobby first offers games of mine that others are playing, or waiting at, right now, and then
those that are not over.  Every seat of a running or resumed game announces itself by a tag that
only those who hold the game can recognise (`p2p.net.announcements`).  Here the tags are compared
with the games that are kept on this machine.  Only beacons are listened to; where a network drops
them, `resume` finds the others as before.

What this does not protect against: whoever has ever looked on at a game can announce its seats.
Then it is offered, and nobody who can prove to sit there is found.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import trio

from p2p.base.limits import BEACON_EXPIRY_S, BEACON_INTERVAL_S, TAGS_SEEN_MAX
from p2p.base.steps import sleep_in_step
from p2p.net import beacon
from p2p.net.presence import Presence, seat_of
from p2p.session.news import OwnGame, OwnGames
from p2p.table.kept_games import ListedGame, noted_turn, table_id_of

FIRST_LOOK_S: Final = 0.3  # The first paint of a screen comes before any file is read.

SavedSeat: TypeAlias = tuple[Path, int]  # A game file of mine, and a seat of that game.


class OwnGamesTracker:
    """My games that are not over, and which seats of games of mine are announced at present."""

    def __init__(self, games: Callable[[], dict[Path, ListedGame]], me: bytes) -> None:
        """`games` reads the games that are kept here; `me` is my identity."""
        self._games, self._me = games, me
        self._known: dict[bytes, SavedSeat | None] = {}  # By salt: whose tag it is, if one of ours.
        self._kept: dict[Path, ListedGame] = {}
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
    tracker: OwnGamesTracker,
    publish: Callable[[OwnGames], object],
    changed: Callable[[], trio.Event],
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
        nursery.start_soon(_look_again, tracker, changed)
        nursery.start_soon(_tell, tracker, publish)
        async for said in heard:
            if isinstance(said, bytes):
                tracker.lose(said)
                continue
            if tracker.is_new(said):
                await trio.to_thread.run_sync(tracker.learn, said)
            tracker.receive(said)


async def _look_again(tracker: OwnGamesTracker, changed: Callable[[], trio.Event]) -> None:
    await trio.sleep(FIRST_LOOK_S)
    while True:
        following = changed()
        await trio.to_thread.run_sync(tracker.look)
        await following.wait()


async def _tell(tracker: OwnGamesTracker, publish: Callable[[OwnGames], object]) -> None:
    told: tuple[OwnGame, ...] | None = None
    while True:
        if (now := tracker.games()) != told and tracker.has_looked:
            told = now
            publish(OwnGames(told))
        await sleep_in_step(BEACON_INTERVAL_S)
