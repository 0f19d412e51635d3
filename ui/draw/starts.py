"""What starts a game in the lobby: a line for each, or a card with a small picture of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len

from core.games import GAMES
from ui.draw.marks import CAP, MUTED
from ui.draw.panels import fit
from ui.ink import Row, Span
from ui.text import Words

START_ROWS: Final = 4  # The last one parts it from the next.
START_CELLS_MIN: Final = 76
_PICTURE_CELLS: Final = 17
_GOAL_AIR: Final = 3  # Between what a line starts and what the game is about.
_KEY_CELLS: Final = 4
# What one sees of each game, in few cells; of a game that nobody has drawn nothing.
_PICTURES: Final[Mapping[str, tuple[Row, Row, Row]]] = {
    "carta": (
        [Span("■■■ ■■ □·", "$c-red")],
        [Span("■■· ·· ··", "$c-violet")],
        [Span("■·· ·· ··", "$c-green")],
    ),
    "dominion": (
        [Span("╭───╮", "$c-yellow"), Span("╭───╮", "$c-blue"), Span("╭───╮", "$c-green")],
        [Span("│ $ │", "$c-yellow"), Span("│ + │", "$c-blue"), Span("│ 6 │", "$c-green")],
        [Span("╰───╯", "$c-yellow"), Span("╰───╯", "$c-blue"), Span("╰───╯", "$c-green")],
    ),
    "renaissance": (
        [Span("( Y )", "$c-blue"), Span("────", MUTED), Span("[ 2 ]", "$c-red")],
        [Span("  │        │  ", MUTED)],
        [Span("[ R ]", "$c-red"), Span("────", MUTED), Span("( 3 )", "$c-blue")],
    ),
    "civilization": (
        [Span("^ ^ ", MUTED), Span("% . . ", "$c-green"), Span("~ ~ ~", "$c-blue")],
        [Span(": : ", "$c-yellow"), Span("*b ", "bold $c-red"), Span(". ", "$c-green"),
         Span("2b ", "bold $c-red"), Span("~ ~", "$c-blue")],
        [Span("^ : ", "$c-yellow"), Span("% % . . ", "$c-green"), Span("~ ~", "$c-blue")],
    ),
}  # fmt: skip
_NO_PICTURE: Final[tuple[Row, Row, Row]] = ([], [], [])


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
    seats = range(min(GAMES[game].players), max(GAMES[game].players) + 1)
    who = words("lobby.players", few=seats[0], many=seats[-1])
    air = " " * _KEY_CELLS
    rows: list[Row] = [first, [Span(air + goal)], [Span(air + who, MUTED)]]
    pictures = _PICTURES.get(game, _NO_PICTURE)
    return [
        *([Span("  "), *fit(picture, _PICTURE_CELLS), *row]
          for picture, row in zip(pictures, rows, strict=True)),
        [Span(" ")],
    ]  # fmt: skip
