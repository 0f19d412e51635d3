"""Boards in the middle: events with their symbols and dice, every space and what stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import KEY, MUTED, clip
from ui.ink import Row, Span, pad, row_width
from ui.look import Board, Space
from ui.picture import Picture

NAME_CELLS: Final = 24
NAME_CELLS_MIN: Final = 8
FREE: Final = "·"


def draw_boards(picture: Picture, picked: Sequence[str], width: int) -> list[Row]:
    """A line for each board; the ways between its spaces where there is room for them."""
    return [_board(picture, board, picked, width) for board in picture.look.boards(picture.view)]


def _board(picture: Picture, board: Board, picked: Sequence[str], width: int) -> Row:
    if not board.face:
        return [Span(f" {board.letter} ", "bold"), Span(picture.words("term.empty"), "dim")]
    spaces = [part for space in board.spaces for part in _space(picture, space, picked)]
    head = [Span(f" {pad(board.symbols, 3)} ▣{board.dice} ", "bold")]
    room = width - row_width([*head, *spaces]) - 3
    name = pad(picture.words.name("face", board.face), max(min(room, NAME_CELLS), NAME_CELLS_MIN))
    row = [Span(f" {board.letter} ", "bold"), Span(name), *head, *spaces]
    paths = f" {board.paths}"
    if row_width(row) + cell_len(paths) <= width:
        row.append(Span(paths, MUTED))
    return clip(row, width)


def _space(picture: Picture, space: Space, picked: Sequence[str]) -> Row:
    """`B1·`, or the letter of the piece; where a piece may be placed now, the key that does it."""
    keys = _keys(picture, space.name)
    hot = ",".join(keys)
    number = space.name.partition(".")[2]
    style = f"ansi_{space.color}"
    chosen = " reverse" if set(keys) & set(picked) else ""
    parts = [Span(f"{space.letter}{number}", style + chosen, hot)]
    if space.piece:
        color = f" ansi_{space.piece_color}" if space.piece_color else ""
        parts.append(Span(pad(space.piece, 2), f"bold{color}{chosen}", hot))
    elif keys:
        parts.append(Span(pad(f"={keys[0]}", 3), KEY + chosen, hot))
    else:
        parts.append(Span(f"{FREE} ", "dim"))
    return [*parts, Span(" ")]


def keys_on_boards(picture: Picture) -> set[str]:
    """The labels that stand on the boards, and need not be listed once more."""
    spaces = [space for board in picture.look.boards(picture.view) for space in board.spaces]
    return {keys[0] for space in spaces if not space.piece and (keys := _keys(picture, space.name))}


def _keys(picture: Picture, name: str) -> list[str]:
    """The labels of the picks that mean this space, the plainest first: rules offer it last."""
    labels = [pick.label for pick in picture.picks if pick.offer.text.endswith(f" {name}")]
    return labels[::-1]


def draw_stock(picture: Picture, seat: int) -> Row:
    """The pieces that a seat has, by letter and color."""
    row: Row = []
    for letter, color, count in picture.look.stock(picture.view, seat):
        text = letter if letter == "*" else f"{letter}{count}"
        row += [Span(text, f"bold ansi_{color}" if color else "bold"), Span(" ")]
    return row
