"""What everybody can get cards from: each pile with its letter, cost, name and height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import KEY, MUTED, color_of, labels_of
from ui.ink import Row, Span, pad
from ui.look import Ware
from ui.picture import Picture

_CELLS_MIN: Final = 19  # Of a pile: letter, cost, a name of twelve, a height of three.
NEAR: Final = "+"  # In place of the letter: within reach, once what I hold has been played.
CHOSEN: Final = "✓"
FAR: Final = "·"


def draw_shelf(picture: Picture, picked: Sequence[str], width: int) -> list[Row]:
    """The piles in columns, then the open pile that belongs to nobody."""
    columns = max(width // (_CELLS_MIN + 1), 1)
    cells = width // columns - 1
    piles = [_ware(picture, ware, picked, cells) for ware in picture.look.wares(picture.view)]
    piles.append([_open_pile(picture, cells)])
    return [
        [span for pile in piles[start : start + columns] for span in (Span(" "), *pile)]
        for start in range(0, len(piles), columns)
    ]


def _ware(picture: Picture, ware: Ware, picked: Sequence[str], cells: int) -> Row:
    label = labels_of(picture, ware.zone)
    mark = CHOSEN if ware.is_chosen else NEAR if ware.is_near else FAR
    style = _style(picture, ware, bool(label), label in picked)
    name = pad(picture.words.name("face", ware.face), cells - 7)
    height = f"×{ware.height}"
    return [
        Span(label or mark, KEY if label and label not in picked else style, label),
        Span(f" {ware.cost} {name}{height:>3}", style, label),
    ]


def _style(picture: Picture, ware: Ware, is_offered: bool, is_picked: bool) -> str:
    """Bold: can be had now; dim: cannot be."""
    weight = "bold" if is_offered else "" if ware.is_near or ware.is_chosen else "dim"
    turned = "reverse" if is_offered and is_picked else ""
    return " ".join(filter(None, (weight, color_of(picture.look.face(ware.face)), turned)))


def _open_pile(picture: Picture, cells: int) -> Span:
    zone = picture.look.open_pile
    height = f"×{len(picture.view.zones.get(zone, ()))}"
    name = pad(f"    {picture.words.name('term', zone)}", cells - cell_len(height))
    return Span(name + height, MUTED, "pile")
