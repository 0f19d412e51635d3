"""The table as rows of seats, piles and cards, for games whose own board is not drawn yet."""

from __future__ import annotations

from typing import Final

from ui.draw import bars
from ui.draw.hand import draw_hand
from ui.draw.scene import Column, GameBoard, Scene
from ui.draw.seats import draw_area, draw_seats
from ui.draw.zones import legend

SMALL_WIDTH: Final = 78  # Below, everything is a line instead of a box.
SMALL_HEIGHT: Final = 22


def column(scene: Scene, width: int, height: int) -> Column:
    """Seats, the middle and my area; then choices and hand."""
    picture, picked = scene.picture, scene.picked
    is_small = width < SMALL_WIDTH or scene.height < SMALL_HEIGHT
    is_roomy = scene.is_roomy and width > SMALL_WIDTH
    above = [
        *draw_seats(picture, width, is_small, is_roomy),
        *bars.draw_middle(picture, picked, width),
        *draw_area(picture, width, is_small),
    ]
    choices = bars.draw_choices(picture, picked, width, is_roomy, is_small)
    hand = draw_hand(picture, picked, width, is_small)
    return Column(above, [*choices[: height // 3], *hand])


CLASSIC: Final = GameBoard(column, lambda scene, width: [], lambda picture: "", legend)
