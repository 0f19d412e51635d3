"""Games kept on this machine, in words: what, with whom, when, and whose turn it was.

The node finds them and says who is there (`p2p/table/own_games.py`); a file is read by
`p2p/table/kept_games.py`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from p2p.session.news import OwnGame
from ui.language.text import Words

DAY_S = 86_400.0
FRESH_S = 6 * 3600.0  # A game of this evening goes before tables of others.


class GameFileSummary(NamedTuple):
    """A game file in words, for a list."""

    game: str
    names: str  # Of everybody at the table.
    played_at: str  # When something was written last.
    is_over: bool
    state: str = ""  # How it ended, where that was without a result, or that it has not.


def when(words: Words, at: float, now: float) -> str:
    """A moment as a person says it; times are of this machine's zone."""
    moment, clock = time.localtime(at), time.strftime("%H:%M", time.localtime(at))
    for key, day in (("today", now), ("yesterday", now - DAY_S)):
        if time.localtime(day)[:3] == moment[:3]:
            return words(f"kept.{key}", time=clock)
    return words("kept.day", date=time.strftime("%Y-%m-%d", moment), time=clock)


def game_text(words: Words, game: OwnGame) -> str:
    """What is played there, and with whom."""
    name, others = words.name("game", game.game), words.listed(game.others)
    return words("lobby.own", game=name, others=others)


def state_text(words: Words, game: OwnGame, now: float) -> str:
    """When it was played last, whose turn it was, and who of the others is there now."""
    parts = [when(words, game.last_at, now)] if game.last_at else []
    if game.is_my_turn:
        parts.append(words("table.your_turn_title"))
    elif game.to_act:
        parts.append(words("kept.turn", names=words.listed(game.to_act)))
    if game.am_i_there:
        parts.append(words("kept.open_here"))
    if game.here:
        parts.append(words("lobby.own_here", names=words.listed(game.here)))
    return " · ".join(parts)


def is_fresh(game: OwnGame, now: float) -> bool:
    """Whether I was there just now, and may have left by a crash or with the window."""
    return not game.am_i_there and now - game.last_at < FRESH_S


def awaited_at(games: Sequence[OwnGame], sits_at: Path | None) -> list[OwnGame]:
    """The games, other than the one at which I sit, where others are and it is my turn."""
    return [game for game in games if game.here and game.is_my_turn and game.path != sits_at]


def badge(words: Words, awaited: Sequence[OwnGame]) -> str:
    """What stands at a table while others wait for me somewhere else; empty: nobody does."""
    if len(awaited) > 1:
        return words("kept.badges", count=len(awaited))
    return words("kept.badge", game=words.name("game", awaited[0].game)) if awaited else ""


def summary_of(words: Words, path: Path, now: float) -> GameFileSummary | None:
    """What a game file is; none where it cannot be read."""
    from p2p.table.kept_games import look_into

    kept = look_into(path)
    if kept is None:
        return None
    names = words.listed(seat.shown_name for seat in kept.roster.seats)
    game, played_at = words.name("game", kept.roster.game), when(words, kept.last_at, now)
    state = "" if kept.is_over else words("kept.open")
    state = words("kept.left_by_all") if kept.is_left_by_all else state
    return GameFileSummary(game, names, played_at, bool(kept.is_over), state)


def file_row(words: Words, path: Path, told: GameFileSummary | None) -> tuple[str, str]:
    """A game file: what was played with whom, and when; its name where it cannot be read."""
    if told is None:
        return path.name, ""
    row = words("kept.file", game=told.game, names=told.names)
    return row, " · ".join(filter(None, [told.played_at, told.state]))
