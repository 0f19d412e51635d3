"""What depends on a view model alone is drawn once: it stays as it is while somebody only picks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ui.model.view_model import ViewModel
from ui.terminal.spans import Row

Draw: TypeAlias = Callable[[ViewModel, int, int], Sequence[Row]]  # Width and height.


def cached_for_model(draw: Draw) -> Draw:
    """Keep what was drawn of the last view model, by its size."""
    of: ViewModel | None = None
    kept: dict[tuple[int, int], Sequence[Row]] = {}

    def drawn(model: ViewModel, width: int, height: int) -> Sequence[Row]:
        nonlocal of
        if model is not of:
            of = model
            kept.clear()
        if (width, height) not in kept:
            kept[width, height] = draw(model, width, height)
        return kept[width, height]

    return drawn
