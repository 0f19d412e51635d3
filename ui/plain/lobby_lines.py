"""The lobby in lines of text: what is there, each with a number, and what a typed line asks for.

Tables and own games are numbered apart, as in `join 2` and `resume 1`.  Each keeps its number for
as long as the program runs: lists change while somebody reads them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

from core.game import usual_seats
from core.games import GAMES, find_game
from p2p.net.announcements import TableAd
from p2p.net.people import Neighbor
from p2p.session.commands import JoinTable, OpenTable, Resume, Watch
from p2p.session.news import OwnGame, OwnGames, PeopleSeen, TablesSeen
from ui.language.text import Words
from ui.lobby.open_tables import table_note
from ui.lobby.own_games import game_text, state_text
from ui.lobby.people import by_table, people_lines
from ui.model.lesson import first_game
from ui.port import UiCommand

OWN_TOLD_MAX: Final = 4  # Games that are not over.
Known = TypeVar("Known", str, Path)


class LobbyLines:
    """What was told of the lobby last."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._tables: tuple[TableAd, ...] = ()
        self._told: list[str] = []  # The lines of them: much that changes is not among these.
        self._own: tuple[OwnGame, ...] = ()
        self._people: tuple[Neighbor, ...] = ()
        self._targets: list[str] = []  # By their numbers, from 1 on;
        self._paths: list[Path] = []  # so are the files of my games.

    def help(self) -> list[str]:
        """What can be typed here."""
        games = [f"  {slug}: {self._words.name('game', slug)}" for slug in GAMES]
        return [self._words("plain.lobby"), *games]

    def everything(self) -> list[str]:
        """All tables and own games once more."""
        lines = [*self._table_lines(), *self._own_lines()]
        return lines or [self._words("plain.no_tables")]

    def hear(self, news: TablesSeen | PeopleSeen | OwnGames) -> list[str]:
        """What is to be told of it at once; of people nothing: they come and go all evening."""
        match news:
            case TablesSeen(tables):
                return self._hear_tables(tables)
            case OwnGames(games):
                return self._hear_own(games)
            case PeopleSeen(people):
                self._people = people
        return []

    def _hear_tables(self, tables: tuple[TableAd, ...]) -> list[str]:
        """The tables, when they have changed."""
        self._tables = tables
        before, self._told = self._told, self._table_lines()
        return [] if self._told == before else self._told

    def people(self, *, am_i_seen: bool) -> list[str]:
        """Who is on this network, and where."""
        return people_lines(self._words, self._people, self._tables, am_i_seen=am_i_seen)

    def _hear_own(self, games: tuple[OwnGame, ...]) -> list[str]:
        """My games that are not over, when another comes; and who is at one, when somebody does."""
        before, self._own = {game.path: game for game in self._own}, games
        shown = games[:OWN_TOLD_MAX]
        lines = self._own_lines() if any(game.path not in before for game in shown) else []
        came = [
            game
            for game in games
            if game.here and (game.path not in before or before[game.path].here != game.here)
        ]
        return [*lines, *(self._who_came(game) for game in came)]

    def _table_lines(self) -> list[str]:
        rows = [f"  {_number(self._targets, ad.target)}  {self._row(ad)}" for ad in self._tables]
        return [self._words("plain.tables"), *rows] if rows else []

    def _row(self, ad: TableAd) -> str:
        words, note = self._words, table_note(self._words, ad)
        game = words.name("game", ad.game)
        row = words("lobby.row", name=ad.shown_name, game=game, taken=ad.taken, seats=ad.seats)
        names = words.listed(each.shown_name for each in by_table(self._people, [ad])[ad.key])
        return "  ".join(filter(None, [row, names, note]))

    def _own_lines(self) -> list[str]:
        words, now = self._words, time.time()
        rows = [
            f"  {_number(self._paths, game.path)}  {game_text(words, game)}, "
            f"{state_text(words, game, now)}"
            for game in self._own[:OWN_TOLD_MAX]
        ]
        return [words("kept.plain"), *rows] if rows else []

    def _who_came(self, game: OwnGame) -> str:
        words, names = self._words, self._words.listed(game.here)
        name, number = words.name("game", game.game), _number(self._paths, game.path)
        return words("plain.own", names=names, game=name, number=number)

    def _joined(self, typed: str) -> JoinTable:
        """The table that was typed; behind the number of one that asks stands its password."""
        number, _, password = typed.partition(" ")
        target = _numbered(self._targets, number)
        asking = any(ad.asks_password for ad in self._tables if ad.target == target)
        if target and password and asking:
            return JoinTable(target, password=password.strip())
        return JoinTable(_numbered(self._targets, typed) or typed)

    def read(self, text: str) -> UiCommand | None:
        """What a typed line asks for; None: it means nothing here."""
        verb, _, rest = text.partition(" ")
        match verb:
            case "join" if rest:
                return self._joined(rest)
            case "watch":
                return Watch(_numbered(self._targets, rest) or rest)
            case "resume" if rest:
                path = _numbered(self._paths, rest)
                return None if path is None and rest.isdecimal() else Resume(path or Path(rest))
            case "play":
                return _against_bots(rest or next(iter(GAMES)))
            case "learn":
                return first_game(rest or next(iter(GAMES)))
            case "open":
                return _opened(rest or next(iter(GAMES)))
        return self._meant(text)

    def _meant(self, typed: str) -> UiCommand | None:
        """What a number alone stands for: a table or a game of mine, if it is not both."""
        table, path = _numbered(self._targets, typed), _numbered(self._paths, typed)
        if path is None:
            return None if table is None else JoinTable(table)
        return Resume(path) if table is None else None

    def unknown(self, typed: str) -> str:
        """The answer to a line that means nothing here."""
        verb, _, number = typed.partition(" ")
        if verb == "resume" and number:
            return self._words("kept.no_number", number=number)
        return self._words("plain.unknown_here", text=typed)


def _number(known: list[Known], each: Known) -> int:
    """The number of this; the next one where it has none yet."""
    if each not in known:
        known.append(each)
    return known.index(each) + 1


def _numbered(known: Sequence[Known], typed: str) -> Known | None:
    """What has the number that was typed; None where it is no such number."""
    return dict(zip(map(str, range(1, len(known) + 1)), known, strict=True)).get(typed)


def _against_bots(game: str) -> OpenTable:
    seats = usual_seats(find_game(game))
    return OpenTable(game, seats, seats - 1, is_local=True)


def _opened(typed: str) -> OpenTable:
    """A table for others, as in `dominion` or `dominion 2`."""
    game, _, seats = typed.partition(" ")
    return OpenTable(game, int(seats) if seats.isdigit() else usual_seats(find_game(game)))
