"""The games that are kept on this machine: what each is, whether it is over, whose turn it was.

A file is named so that a person finds it again: the day, the game, the opponents.  The name decides
nothing: which game it is stands in the roster inside, and a file may be renamed together with its
secrets file.

Whose turn it was cannot be read from a log in a moment, for every proof in it would have to be
checked.  So a program that plays writes it beside the file, in `NAME.turn`, whenever it changes;
and in the end that all have left for good, which no log says either.  That is a hint for the lobby:
where the file is missing or wrong, nobody is named, and whoever goes on is told that nobody can.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from p2p.base.entry import parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import FRAME_BYTES_MAX
from p2p.base.roster import Roster, parse_roster
from p2p.base.wire import FRAME_HEADER_BYTES, decode
from p2p.log.game_file import ACKS, MAGIC, SUFFIX
from p2p.session.news import News, TableChanged

if TYPE_CHECKING:  # Else a list of files would need all that runs a table, before the first paint.
    from p2p.session.table import Publish

TURN_SUFFIX: Final = ".turn"
GAMES_MAX: Final = 256  # The newest of them are held against a tag,
LOOKED_INTO_MAX: Final = 24  # and of so many is known whether they are over.
NAME_LETTERS: Final = 12  # Of each opponent in the name of a file,
NAMES_BYTES_MAX: Final = 80  # and of all of them.
ID_DIGITS: Final = 8  # Of a game's id, which keep apart two games of one evening.
_NOTE_BYTES_MAX: Final = 100
_UNKNOWN: Final = (-1,)  # Nothing was noted yet.
_LEFT_BY_ALL: Final = "left by all"
_LAST_KINDS: Final = ("finish", "open keys")  # Of entries with which a log ends.


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game file, as a lobby shows it."""

    roster: Roster
    last_at: float  # When something was written last, in seconds since 1970.
    is_over: bool | None = None  # None: nobody has looked.
    to_act: tuple[int, ...] = ()  # Whose turn it was, if that is known.
    is_left_by_all: bool = False  # For good: it is over, and has no result.

    @property
    def is_unfinished(self) -> bool:
        """Whether it is known that it can go on."""
        return self.is_over is False


def table_id_of(roster: Roster) -> str:
    """The id by which the table of a game is announced: 16 hexadecimal digits."""
    return roster.seats[0].nonce.hex()[:16]


def file_stem(roster: Roster, me: bytes, now: float) -> str:
    """The name of a new file: the day, the game, the opponents, and a part of the game's id."""
    day = time.strftime("%Y-%m-%d", time.localtime(now))
    names = [_plain(seat.name) for seat in roster.seats if seat.identity != me]
    while len("-".join(names).encode()) > NAMES_BYTES_MAX:
        names.pop()
    return "-".join([day, roster.game, *filter(None, names), roster.game_id.hex()[:ID_DIGITS]])


def _plain(name: str) -> str:
    """A name with letters and digits alone, which every file system and shell takes."""
    letters = "".join(letter if letter.isalnum() else " " for letter in name)
    return "-".join(letters.split())[:NAME_LETTERS].strip("-")


def newest_files(folder: Path) -> list[Path]:
    """The game files in a folder, the newest first."""
    times = {path: _written_at(path) for path in folder.glob(f"*{SUFFIX}")}
    return sorted(times, key=lambda path: times[path], reverse=True)


def _written_at(path: Path) -> float:
    """When something was written last, in seconds since 1970; 0 where there is no file any more."""
    try:
        return path.stat().st_mtime
    except OSError:  # Somebody deletes or renames games while we look.
        return 0.0


def games_of(folder: Path, me: bytes) -> dict[Path, ListedGame]:
    """The newest games in a folder at which I have a seat; what cannot be read is none."""
    kept: dict[Path, ListedGame] = {}
    for path in newest_files(folder)[:GAMES_MAX]:
        game = look_into(path) if len(kept) < LOOKED_INTO_MAX else _unread(path)
        if game is not None and game.roster.seat_of(me) is not None:
            kept[path] = game
    return kept


def open_tables(folder: Path, me: bytes) -> dict[str, Path]:
    """The files of my games that are not over, by the ids of their tables."""
    kept = games_of(folder, me)
    return {table_id_of(game.roster): path for path, game in kept.items() if game.is_unfinished}


def look_into(path: Path) -> ListedGame | None:
    """What can be said of a game file without reading all of it."""
    game = _unread(path)
    if game is None:
        return None
    is_left = _noted(path) == _LEFT_BY_ALL
    is_over = _is_over(path) or is_left
    return ListedGame(game.roster, game.last_at, is_over, noted_turn(path), is_left)


def _unread(path: Path) -> ListedGame | None:
    roster = roster_in(path)
    return None if roster is None else ListedGame(roster, _written_at(path))


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


def _is_over(path: Path) -> bool:
    """Whether nothing is left to be played: the result is signed, or the table was given up."""
    try:
        match _last_record(path):
            case ["entry", bytes(raw)]:
                return parse_entry(raw).kind in _LAST_KINDS
            case ["evidence" | "claim", *_]:
                return True
    except (OSError, MalformedFrame, BadSignature):
        return False  # Damaged at its end: whoever resumes it mends it.
    return False


def _last_record(path: Path) -> object:
    """The last whole record but acknowledgements; of others only the lengths are read."""
    with path.open("rb") as file:
        end, offset = os.fstat(file.fileno()).st_size, len(MAGIC)
        last = offset, offset
        while offset + FRAME_HEADER_BYTES <= end:
            file.seek(offset)
            following = offset + FRAME_HEADER_BYTES + int.from_bytes(file.read(FRAME_HEADER_BYTES))
            if following > end:
                break
            if file.read(len(ACKS)) != ACKS:
                last = offset + FRAME_HEADER_BYTES, following
            offset = following
        file.seek(last[0])
        return decode(file.read(last[1] - last[0]))


def file_of(folder: Path, game_id: bytes) -> Path | None:
    """The newest file of one game in a folder, whatever it is called."""
    for path in newest_files(folder):
        roster = roster_in(path)
        if roster is not None and roster.game_id == game_id:
            return path
    return None


# ---- whose turn it was ----


def noting_turns(path: Path, publish: Publish) -> Publish:
    """Publish as before, and keep beside a game file whose turn it is, while I sit there."""
    noted: tuple[int, ...] | None = _UNKNOWN

    def tell(news: News) -> None:
        nonlocal noted
        if isinstance(news, TableChanged) and (now := _turn_in(news)) != noted:
            noted = now
            _note(path, now)
        publish(news)

    return tell


def _turn_in(news: TableChanged) -> tuple[int, ...] | None:
    """Whose turn it is; None when the game is over, or goes on without me: I hear no more of it."""
    is_without_me = any(seat.link == "me" and seat.is_bot for seat in news.seats)
    return None if news.view.is_over or is_without_me else news.view.to_act


def note_left_by_all(path: Path) -> None:
    """Keep beside a game file that all have left for good: nobody can go on there."""
    _note(path, _LEFT_BY_ALL)


def noted_turn(path: Path) -> tuple[int, ...]:
    """Whose turn it was at a game when it was played here last; nobody where that is unknown."""
    seats = _noted(path)
    if not isinstance(seats, list) or any(type(seat) is not int for seat in seats):
        return ()
    return tuple(seats)


def _note(path: Path, said: Sequence[int] | str | None) -> None:
    with suppress(OSError):  # It costs a word in the lobby; a disk that is full says so elsewhere.
        note = path.with_suffix(TURN_SUFFIX)
        if said is None:
            note.unlink(missing_ok=True)
        else:
            note.write_text(json.dumps(said), encoding="utf-8")


def _noted(path: Path) -> object:
    try:
        with path.with_suffix(TURN_SUFFIX).open("rb") as file:
            return json.loads(file.read(_NOTE_BYTES_MAX))
    except (OSError, ValueError):
        return None
