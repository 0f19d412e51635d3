"""The file of a tournament: a line of JSON for what is played, and one for every game.

It can be gone on with at any moment, whatever killed the program: a game is written as soon as it
has ended, and half a line at the end is cut off.  The first line says what is played, and by which
source, because other rules or other bots would make another tournament of it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any, BinaryIO, Final

import ai
import core
from ai.players.foreign_program import can_be_started, files_digest
from ai.tournaments.arena import ARENA_GAMES_MAX, ArenaMatch, Result, Tournament
from core.errors import HostlessError
from core.games import GAMES, PACKAGES

_DIGEST_DIGITS: Final = 16
# Modules that no tournament imports.
UNINVOLVED: Final = (
    *("bot", "brain", "bot_terms", "open_bot", "openspiel", "program"),
    *("ratings", "results", "standings"),
    *("known_table", "match", "narrate", "playback", "information_state", "referee"),
)
# The same source says `core.table` in a clone and `hostless.core.table` once installed.
_INSIDE: Final = re.compile(r"\bhostless\.(?=(?:core|p2p|ai)\b)")
_BY_SEAT: Final = ("shares", "scores", "sides")


class ResultFile:
    """The results of a tournament on disk; `found` are those that were there, by their number."""

    def __init__(self, path: Path, file: BinaryIO, tournament: Tournament) -> None:
        self.found: dict[int, Result] = {}
        self._path, self._file = path, file
        head = f"{head_line(tournament)}\n".encode()
        file.seek(0)
        text = file.read()
        whole = text[: text.rfind(b"\n") + 1]  # What follows is half a line.
        if not whole and head.startswith(text):
            file.truncate(0)
            self._append(head)
            return
        first, *games = (whole or text).splitlines(keepends=True)
        self._check_head(first, head)
        file.truncate(len(whole))
        self._take_in(games, tournament)

    def write(self, number: int, result: Result) -> None:
        """Keep one more result."""
        self._append(f"{game_line(number, result)}\n".encode())

    def _append(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise self._refused(str(error.strerror), "make room, and go on with it") from error

    def _check_head(self, first: bytes, head: bytes) -> None:
        if first == head:
            return
        theirs, ours = _tournament(first), _tournament(head)
        if not theirs:
            raise self._refused("it is not the file of a tournament", "choose another name")
        other = next((key for key in ours if theirs.get(key) != ours[key]), "form")
        found, expected = (json.dumps(each.get(other)) for each in (theirs, ours))
        raise self._refused(
            f"it is of another tournament, whose {other} is {found} and not {expected}",
            "choose another name",
        )

    def _take_in(self, lines: Sequence[bytes], tournament: Tournament) -> None:
        read: list[tuple[int, dict[str, Any]]] = []
        for place, line in enumerate(lines, 2):
            fields = _parsed(line)
            number = fields.get("game")
            if not isinstance(number, int) or not 0 <= number < ARENA_GAMES_MAX:
                raise self._damaged(place)
            read.append((number, fields))
        last = max((number for number, _ in read), default=-1)
        matches = list(islice(tournament.matches(), last + 1))
        for place, (number, fields) in enumerate(read, 2):
            try:
                self.found[number] = _result(fields, matches[number])
            except (KeyError, TypeError, ValueError):
                raise self._damaged(place) from None

    def _damaged(self, place: int) -> HostlessError:
        return self._refused(f"line {place} is not a game of it", "remove that line")

    def _refused(self, text: str, hint: str) -> HostlessError:
        return HostlessError(f"{self._path}: {text}", hint)


@contextmanager
def open_results(path: Path, tournament: Tournament) -> Iterator[ResultFile]:
    """Begin the file of a tournament, or go on with it.

    Raises:
        HostlessError: it is of another tournament, damaged, or cannot be read or written.
    """
    try:
        file = path.open("a+b")
    except OSError as error:
        raise HostlessError(f"{path}: {error.strerror}", "choose another name") from error
    with file:
        yield ResultFile(path, file, tournament)


def begun_speed(path: Path) -> int | None:
    """The speed that the tournament of a file was begun with; None where there is none.

    Rules may have been compiled since, and the budgets of its players stay as they were.
    """
    try:
        with path.open("rb") as file:
            speed = _tournament(file.readline()).get("speed")
    except OSError:
        return None  # Whoever opens it to write says why.
    return speed if isinstance(speed, int) else None


def head_line(tournament: Tournament) -> str:
    """What is played, and by which source, as JSON."""
    head = {**asdict(tournament), "source": source_digest(tournament.game)}
    foreign = {name: files_digest(name) for name in tournament.players if can_be_started(name)}
    return json.dumps({"tournament": {**head, "programs": foreign} if foreign else head})


def game_line(number: int, result: Result) -> str:
    """How one game ended, as JSON."""
    match = result.match
    seated = {"game": number, "players": match.players, "deal": match.seed}
    told = {name: getattr(result, name) for name in _BY_SEAT}
    return json.dumps({**seated, **told, "choices": result.choices})


@cache
def source_digest(slug: str) -> str:
    """Some hex digits of the source of a game's rules and bots, compiled or not."""
    told = hashlib.sha256()
    for name, text in sources(slug):
        told.update(f"\n{name}\n{text}".encode())
    return told.hexdigest()[:_DIGEST_DIGITS]


def sources(slug: str) -> Iterator[tuple[str, str]]:
    """Name and text of every module of which results of a game may depend.

    What belongs to other games alone does not, nor what tells, shows or seats bots: results stay
    good when that changes.  Of the package of somebody else's game everything does.
    """
    others = {*UNINVOLVED, *GAMES} - {slug}
    for package in (core, ai):
        for name, text in _texts(package).items():
            if others.isdisjoint(PurePosixPath(name).with_suffix("").parts):
                yield name, text
    if slug in PACKAGES:
        yield from _texts(import_module(PACKAGES[slug])).items()


@cache
def _texts(module: ModuleType) -> dict[str, str]:
    """The source of a module, or of all in its folder, as it was when first asked for.

    A worker of a cluster lives for days and plays what it has loaded, not what was edited since.
    """
    path = Path(str(module.__file__))
    folder = path.parent
    files = sorted(folder.rglob("*.py")) if hasattr(module, "__path__") else [path]
    return {
        path.relative_to(folder.parent).as_posix(): _INSIDE.sub("", path.read_text("utf-8"))
        for path in files
    }


def _tournament(line: bytes) -> dict[str, Any]:
    """The fields of a first line; none where it is something else."""
    fields = _parsed(line).get("tournament")
    return fields if isinstance(fields, dict) else {}


def _parsed(line: bytes) -> dict[str, Any]:
    """The fields of a line; none where it is something else."""
    try:
        fields = json.loads(line)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def _result(fields: dict[str, Any], match: ArenaMatch) -> Result:
    """Raises KeyError, TypeError or ValueError when it is not a result of that match."""
    shares, scores, sides = (tuple(map(int, fields[name])) for name in _BY_SEAT)
    seats = len(match.players)
    if (fields["players"], fields["deal"]) != (list(match.players), match.seed):
        raise ValueError("another match")
    if not len(shares) == len(scores) == len(sides) == seats:
        raise ValueError("another number of seats")
    return Result(match, shares, scores, sides, int(fields["choices"]))
