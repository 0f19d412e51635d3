"""A grid of cells for what is drawn freely: boxes, and the ways between them."""

from __future__ import annotations

from itertools import groupby
from typing import Final, NamedTuple

from rich.cells import cell_len

from ui.terminal.spans import Row, Span


class Corners(NamedTuple):
    """The letters of a frame."""

    top_left: str
    top_right: str
    low_left: str
    low_right: str
    across: str
    down: str


FRAME_KINDS: Final = {  # Furniture, a card one can take, what is chosen.
    "square": Corners(*"┌┐└┘─│"),
    "round": Corners(*"╭╮╰╯─│"),
    "heavy": Corners(*"┏┓┗┛━┃"),
}


class Cell(NamedTuple):
    """One letter; nothing where the wide letter before it goes on."""

    letter: str = " "
    style: str = ""
    hot: str = ""


class Canvas:
    """Letters at places, which knows that some of them take two cells."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[Cell()] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "", hot: str = "") -> int:
        """Write from a place on, cut at the edges; gives where the text ends."""
        for letter in text:
            cells = cell_len(letter)
            if 0 <= y < self.height and x >= 0 and x + cells <= self.width:
                self._cells[y][x : x + cells] = [
                    Cell(letter, style, hot),
                    *[Cell("", style, hot)] * (cells - 1),
                ]
            x += cells
        return x

    def box(
        self, place: tuple[int, int], size: tuple[int, int], style: str, kind: str, hot: str = ""
    ) -> None:
        """A frame of one of the `FRAME_KINDS`."""
        (x, y), (width, height), lines = place, size, FRAME_KINDS[kind]
        line = lines.across * (width - 2)
        self.put(x, y, lines.top_left + line + lines.top_right, style, hot)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, lines.down, style, hot)
            self.put(x + width - 1, row, lines.down, style, hot)
        self.put(x, y + height - 1, lines.low_left + line + lines.low_right, style, hot)

    def rows(self) -> list[Row]:
        """What was drawn, letters of one kind together."""
        return [
            [
                Span("".join(cell.letter for cell in like), style, hot)
                for (style, hot), like in groupby(line, key=lambda cell: (cell.style, cell.hot))
            ]
            for line in self._cells
        ]
