"""What depends on a picture alone is drawn once: while somebody only picks, it stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ui.ink import Row
from ui.picture import Picture

Draw: TypeAlias = Callable[[Picture, int, int], Sequence[Row]]  # Width and height.


def once_for_a_picture(draw: Draw) -> Draw:
    """Keep what was drawn of the last picture, by its size."""
    of: Picture | None = None
    kept: dict[tuple[int, int], Sequence[Row]] = {}

    def drawn(picture: Picture, width: int, height: int) -> Sequence[Row]:
        nonlocal of
        if picture is not of:
            of = picture
            kept.clear()
        if (width, height) not in kept:
            kept[width, height] = draw(picture, width, height)
        return kept[width, height]

    return drawn
