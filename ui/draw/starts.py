"""What starts a game in the lobby: a line for each, or a card with its emblem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len

from core.games import GAMES
from ui.draw.marks import CAP, MUTED, color_of
from ui.draw.panels import fit
from ui.games import look_of
from ui.language.text import Words
from ui.terminal.spans import Row, Span, center

START_ROWS: Final = 4  # The last one parts it from the next.
START_CELLS_MIN: Final = 76
_PICTURE_CELLS: Final = 17
_GOAL_AIR: Final = 3  # Between what a line starts and what the game is about.
_KEY_CELLS: Final = 4
_PICTURE_ROWS: Final = 3
_FACE_CELLS: Final = 3  # Inside of a card of a picture.


def draw_starts(
    words: Words, keys: Mapping[str, str], width: int, *, is_roomy: bool
) -> dict[str, list[Row]]:
    """By game, in the order of every list, the rows that start it against bots.

    `keys` are those of games that have one.  Where a line is wide it says what the game is about;
    where there is room for it, it is a card with a picture, which says who can play as well.
    """
    texts = {game: words("lobby.start", game=words.name("game", game)) for game in GAMES}
    cells = max(map(cell_len, texts.values())) + _KEY_CELLS
    found: dict[str, list[Row]] = {}
    for game, text in texts.items():
        key = Span(f" {keys[game]} ", CAP) if game in keys else Span("   ")
        goal = words.of(game).name("goal", game)
        goal = "" if goal == game else goal
        if is_roomy:
            found[game] = _card(words, game, [key, Span(f" {text}", "bold")], goal)
            continue
        row: Row = [key, Span(f" {text}")]
        if goal and cells + _GOAL_AIR + cell_len(goal) <= width:
            row = [*fit(row, cells + _GOAL_AIR), Span(goal, MUTED)]
        found[game] = [row]
    return found


def _card(words: Words, game: str, first: Row, goal: str) -> list[Row]:
    """A picture, beside it the line, what the game is about and who can play; then an empty row."""
    few, many = min(GAMES[game].players), max(GAMES[game].players)
    who = words("lobby.players" if few < many else "lobby.players_exactly", few=few, many=many)
    who += f" · {words('lobby.explained')}" if words.explains(game) else ""
    air = " " * _KEY_CELLS
    rows: list[Row] = [first, [Span(air + goal)], [Span(air + who, MUTED)]]
    return [
        *([Span("  "), *fit(picture, _PICTURE_CELLS), *row]
          for picture, row in zip(_picture(words, game), rows, strict=True)),
        [Span(" ")],
    ]  # fmt: skip


def _picture(words: Words, game: str) -> list[Row]:
    """What one sees of a game in three rows; of one that nobody has drawn, some of its cards."""
    drawn = [[Span(*inked) for inked in row] for row in look_of(game).emblem]
    return [*drawn, [], [], []][:_PICTURE_ROWS] if drawn else _some_cards(words, game)


def _some_cards(words: Words, game: str) -> list[Row]:
    """The first face of a game, one from the middle and the last."""
    faces = GAMES[game].faces
    keys = dict.fromkeys((faces[0], faces[len(faces) // 2], faces[-1]) if faces else ())
    cards = [_card_of(words, game, key) for key in keys]
    return [[card[at] for card in cards] for at in range(_PICTURE_ROWS)]


def _card_of(words: Words, game: str, key: str) -> Row:
    """A card from top to bottom: the name of its face, or its letter where that is too long."""
    look, name = look_of(game).face(key), words.of(game).name("face", key)
    text = name if cell_len(name) <= _FACE_CELLS else look.letter
    rows = ("╭───╮", f"│{center(text, _FACE_CELLS)}│", "╰───╯")
    return [Span(row, color_of(look)) for row in rows]
