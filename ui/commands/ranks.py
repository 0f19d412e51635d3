"""The standings of a tournament as a table whose columns are aligned, also in wide letters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ai.tournaments.standings import Ranking
from ui.language.text import Words
from ui.terminal.spans import pad, right

_GAP = "  "


def rank_lines(words: Words, standings: Sequence[Ranking]) -> list[str]:
    """A line of headings, and one for every player; its seats only where somebody has several."""
    has_seats = any(each.seats > 1 for each in standings)
    heads = ["player", *(["seats"] if has_seats else []), "won", "games", "rate", "interval", "elo"]
    rows = [[words(f"arena.{head}") for head in heads]]
    rows += [_cells(each, has_seats=has_seats) for each in standings]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, widths) for row in rows]


def _cells(standing: Ranking, *, has_seats: bool) -> list[str]:
    low, high = 100 * standing.at_least, 100 * standing.at_most
    return [
        standing.player,
        *([str(standing.seats)] if has_seats else []),
        f"{standing.won:g}",
        str(standing.games),
        f"{100 * standing.rate:.1f} %",
        f"{low:.1f} - {high:.1f} %",
        f"{round(standing.elo):+d} ± {standing.elo_reach:.0f}",
    ]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [right(cell, width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return _GAP.join([pad(row[0], widths[0]), *numbers])
