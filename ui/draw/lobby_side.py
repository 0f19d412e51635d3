"""The lobby where there is room: headings in its list, and panels beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p.net.people import Neighbor
from ui.draw.marks import LINK_DOT, MUTED, YOU, clip
from ui.draw.panels import fill, panel, ruled
from ui.draw.people import name_span
from ui.language.text import Words
from ui.lobby.own_games import GameFileSummary
from ui.terminal.spans import Row, Span, wrap

_PEOPLE_MAX: Final = 8  # Rows; a page shows all.
_GAME_ROWS: Final = 2
_READING_CELLS_MAX: Final = 110  # As in `app.tcss`.
_AIR: Final = 4  # Of a panel: its two edges, and a space inside of each.


class LobbySide(NamedTuple):
    """What the panels beside the list tell."""

    name: str
    four_words: str  # By which others know me; empty: nobody has a key here.
    is_newcomer: bool
    people: Sequence[tuple[Neighbor, str]]  # Who else is here, and where.
    games: Sequence[GameFileSummary]  # My newest.


def heading(title: str, width: int, *, is_live: bool = False) -> Row:
    """A line that says what the rows below it are."""
    return ruled(title, [], width, is_live=is_live)[0]


def draw_aim(words: Words, game: str, width: int) -> list[Row]:
    """What a game is about and how a turn goes; nothing for a game without a commentary."""
    if not words.explains(game):
        return []
    text = words.of(game)(f"lesson.{game}.goal")
    return panel(words.name("game", game), _lines(text, min(width, _READING_CELLS_MAX)), width)


def draw_lobby_side(words: Words, side: LobbySide, width: int, height: int) -> list[Row]:
    """Panels: what this is, for a newcomer; who I am to others; what I have played last."""
    panels = [_first(words, width)] if side.is_newcomer else []
    panels += [_me(words, side, width)] if side.four_words else []
    panels += [_people(words, side.people, width)] if side.people else []
    high = sum(len(each) + 1 for each in panels)
    shown = max((height - high - 2) // _GAME_ROWS, 1)
    panels += [_games(words, side.games[:shown], width)] if side.games else []
    rows: list[Row] = []
    for each in panels:
        if len(rows) + len(each) <= height:
            rows += [*each, []]
    return fill(rows, width, min(len(rows), height))


def _first(words: Words, width: int) -> list[Row]:
    return panel(words("lobby.first_title"), _lines(words("lobby.first_text"), width), width)


def _me(words: Words, side: LobbySide, width: int) -> list[Row]:
    rows: list[Row] = [[Span(side.name, YOU)]]
    rows += [[Span(line, "$text-accent")] for line in wrap(side.four_words, width - _AIR)]
    rows += _lines(words("lobby.me_text"), width)
    return panel(words("lobby.me_title"), rows, width)


def _people(words: Words, people: Sequence[tuple[Neighbor, str]], width: int) -> list[Row]:
    shown = people if len(people) <= _PEOPLE_MAX else people[: _PEOPLE_MAX - 1]
    rows = [
        clip([Span(*LINK_DOT["up"]), Span(" "), name_span(person), Span(f" {where}", MUTED)],
             width - _AIR)
        for person, where in shown
    ]  # fmt: skip
    if more := len(people) - len(shown):
        rows.append([Span(words("people.more", number=more), MUTED)])
    return panel(words("lobby.people_title"), rows, width)


def _games(words: Words, games: Sequence[GameFileSummary], width: int) -> list[Row]:
    rows: list[Row] = []
    for each in games:
        rows.append(clip([Span(each.game)], width - _AIR))
        rows.append(clip([Span(f"  {each.played_at} · {each.names}", MUTED)], width - _AIR))
    return panel(words("lobby.last_title"), rows, width)


def _lines(text: str, width: int) -> list[Row]:
    return [[Span(line, MUTED)] for line in wrap(text, width - _AIR)]
