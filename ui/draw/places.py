"""Where on the screen the labels are, so that the arrow keys go to what lies beside."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from rich.cells import cell_len

from ui.draw.frame import Frame

ROW_CELLS: Final = 2  # A row is about as high as two cells are wide.
ASIDE: Final = 3  # Something aside is farther away than something straight ahead.
_STEPS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Spot(NamedTuple):
    """The middle of what a label is drawn on."""

    x: float
    y: float


def places_of(frame: Frame, labels: Collection[str]) -> dict[str, Spot]:
    """Where each of these labels is drawn; of several on one place, the first."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    left = [*frame.board, *frame.prompt, *frame.hand]
    x_side = sum(cell_len(span.text) for span in left[0]) if left else 0
    for x_first, rows in ((0, left), (x_side, frame.side)):
        for y, row in enumerate(rows):
            x = x_first
            for span in row:
                cells = cell_len(span.text)
                hot = next((each for each in span.hot.split(",") if each in labels), "")
                if hot and cells:
                    found.setdefault(hot, []).append((x, x + cells, y))
                x += cells
    return {
        label: Spot(
            (min(part[0] for part in parts) + max(part[1] for part in parts)) / 2,
            (parts[0][2] + parts[-1][2]) / 2,
        )
        for label, parts in found.items()
    }


def neighbor(places: Mapping[str, Spot], label: str, direction: str) -> str:
    """The label that lies nearest in a direction; none where nothing lies there."""
    here = places.get(label)
    if here is None:
        return ""
    right, down = _STEPS[direction]
    best, shortest = "", 0.0
    for other, place in places.items():
        across, along = place.x - here.x, (place.y - here.y) * ROW_CELLS
        ahead, aside = (across * right, abs(along)) if right else (along * down, abs(across))
        far = ahead + ASIDE * aside
        if ahead > 1 and ahead * ASIDE > aside and (not best or far < shortest):
            best, shortest = other, far
    return best
