"""What the cards of a game say: name, cost and types, and the text under or beside them."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from ui.draw.marks import MUTED, color_of
from ui.ink import Row, Span, pad, wrap
from ui.look import Ware
from ui.picture import Picture

TEXTS_MIN: Final = 4  # With fewer of them in view it is not worth looking there.


def draw_texts(picture: Picture, width: int, height: int) -> list[Row]:
    """The texts of the wares in as many rows as there are; the dearest first, each one whole."""
    wares = picture.look.wares(picture.view)[::-1]
    names = [cell_len(picture.words.name("face", ware.face)) for ware in wares]
    blocks = [_beside(picture, ware, max(names) + 1, width) for ware in wares]
    rows: list[Row] = []
    shown = 0
    for block in blocks:
        if len(rows) + len(block) > height:
            break
        rows, shown = [*rows, *block], shown + 1
    return rows if shown >= TEXTS_MIN else []


def _beside(picture: Picture, ware: Ware, cells: int, width: int) -> list[Row]:
    words, look = picture.words, picture.look
    style = f"bold {color_of(look.face(ware.face))}".strip()
    text = " ".join(words(key) for key in look.texts(picture.view.options, ware.face))
    first, *rest = wrap(text, width - cells - 2)
    name = Span(pad(f" {words.name('face', ware.face)}", cells + 1), style)
    return [
        [name, Span(first, MUTED)],
        *([Span(" " * (cells + 1)), Span(line, MUTED)] for line in rest),
    ]


def draw_card(picture: Picture, face: str, width: int) -> list[Row]:
    """Name, cost and types in one line, the text under it, and an empty line."""
    words, look = picture.words, picture.look
    costs = [ware.cost for ware in look.wares(picture.view) if ware.face == face]
    facts = [words("texts.cost", cost=cost) for cost in costs]
    facts += [words(key) for key in look.kinds(face)]
    name = Span(f" {words.name('face', face)}", f"bold {color_of(look.face(face))}".strip())
    rows: list[Row] = [[name, Span(f"  {', '.join(facts)}".rstrip(), MUTED)]]
    for key in look.texts(picture.view.options, face):
        rows += [[Span(f"   {line}")] for line in wrap(words(key), width - 5)]
    return [*rows, []]
