"""The spaces of an event and the paths between them, drawn.

A round bracket or box is a culture space, a square one a character space; a letter on its colour
is the stone that stands there, a number on amber a space where a piece may be placed now.  Both
together are a stone that may be taken from there.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from core.games.renaissance.printed import Plan
from ui.draw.canvas import Canvas
from ui.draw.marks import CAP, FAINT, MUTED, YOU
from ui.draw.panels import ABOUT
from ui.draw.scene import Scene
from ui.games.renaissance.position import CULTURE_SPACE, Location, is_genius, owner_of
from ui.terminal.spans import Row, Span

STONE_LETTERS: Final = "YRKW"
STONE_STYLES: Final = (  # In reverse, so that they are filled where there is no colour.
    "bold reverse $stone-yellow on $on-light-stone",
    "bold reverse $stone-red on $on-dark-stone",
    "bold reverse $stone-black on $on-dark-stone",
    "bold reverse $stone-white on $on-light-stone",
)
CULTURE_COLOR: Final = "$c-blue"
PERSON_COLOR: Final = "$c-red"
BIG_ROWS: Final = 7
BIG_CELLS: Final = 25
GENIUS_SIGN: Final = "★"
Grid = tuple[tuple[int, int], ...]  # Column and row of each space.

_GRIDS: Final[dict[tuple[tuple[int, int], ...], Grid]] = {
    ((0, 1),): ((0, 0), (1, 0)),
    ((0, 1), (1, 2), (0, 2)): ((0, 0), (2, 0), (1, 1)),
    ((0, 1), (1, 3), (3, 2), (2, 0)): ((0, 0), (1, 0), (0, 1), (1, 1)),
    ((0, 1), (0, 2), (1, 4), (2, 3), (3, 4)): ((0, 0), (1, 0), (0, 1), (2, 1), (2, 0)),
    ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)): (
        (0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1),
    ),
    ((0, 3), (3, 1), (1, 4), (4, 2), (2, 5), (5, 0)): (
        (0, 0), (2, 0), (1, 1), (1, 0), (2, 1), (0, 1),
    ),
}  # fmt: skip


class _Box(NamedTuple):
    """The place of a space on the canvas."""

    x: int
    y: int


def grid_of(plan: Plan) -> Grid:
    """Where its spaces stand; cards that nobody has drawn yet get two rows."""
    count = len(plan.spaces)
    across = (count + 1) // 2
    return _GRIDS.get(plan.paths) or tuple((at % across, at // across) for at in range(count))


def stone(piece: int) -> tuple[str, str]:
    """A piece as text and style: its letter on its colour."""
    sign = GENIUS_SIGN if is_genius(piece) else " "
    return f" {STONE_LETTERS[owner_of(piece)]}{sign}", STONE_STYLES[owner_of(piece)]


def hot_of(place: Location, space: int, label: str) -> str:
    """What a click on a space does: pick it, or say why it cannot be picked."""
    return label or f"{ABOUT}{place.letter}{space + 1}"


def contents(place: Location, space: int, label: str) -> Row:
    """What is on a space, three cells wide: its stone, its number, or both where both matter."""
    piece, number, hot = place.pieces[space], str(space + 1), hot_of(place, space, label)
    if not piece:
        mark = GENIUS_SIGN if label.startswith("g") else " "
        return [Span(f"{mark}{number} ", CAP if label else FAINT, hot)]
    text, style = stone(piece)
    if not label:
        return [Span(text, style, hot)]
    return [Span(text[1], style, label), Span(number, CAP, label), Span(text[2], style, label)]


def labels_at(scene: Scene, place: Location) -> list[str]:
    """By space: the label that places or moves a piece there; empty where none does."""
    prefix = "g" if "g" in (scene.typed[:1], scene.cursor[:1]) else ""
    found = []
    for space in range(len(place.pieces)):
        label = f"{place.letter}{space + 1}"
        pick = scene.model.pick(prefix + label) or scene.model.pick(label)
        found.append(pick.label if pick else "")
    return found


def draw_graph(scene: Scene, place: Location, width: int, height: int) -> list[Row]:
    """The spaces in at most so many rows."""
    assert place.event is not None, "a closed location has no spaces"
    grid = grid_of(place.event.plan)
    columns, rows = (1 + max(cell[axis] for cell in grid) for axis in (0, 1))
    is_big = height >= BIG_ROWS and width >= BIG_CELLS
    size = (7, 3) if is_big else (5, 1)
    across = min(15 if is_big else 12, (width - size[0]) // max(columns - 1, 1))
    down = size[1] + (2 if height > rows * (size[1] + 1) + 1 and rows > 1 else 1)
    if height < (rows - 1) * down + size[1]:
        down = size[1]  # Every space is worth more than the paths between the rows.
    canvas = Canvas(width, max(height, (rows - 1) * down + size[1]))
    left = (width - (columns - 1) * across - size[0]) // 2
    top = max((height - (rows - 1) * down - size[1]) // 2, 0)
    drawing = _Drawing(scene, place, canvas, size)
    boxes = [_Box(left + x * across, top + y * down) for x, y in grid]
    for one, other in place.event.plan.paths:
        drawing.path(boxes[one], boxes[other], drawing.path_style(one, other))
    for space, box in enumerate(boxes):
        drawing.space(space, box)
    return canvas.rows()


class _Drawing:
    """The spaces of one event on their way to a canvas."""

    def __init__(
        self, scene: Scene, place: Location, canvas: Canvas, size: tuple[int, int]
    ) -> None:
        assert place.event is not None, "a closed location has no spaces"
        self.here, self.place, self.plan = scene.cursor or scene.read, place, place.event.plan
        self.canvas, self.width, self.height = canvas, *size
        self.labels = labels_at(scene, place)
        self.hots = [hot_of(place, space, label) for space, label in enumerate(self.labels)]

    def path_style(self, one: int, other: int) -> str:
        """Amber from the cursor on, quiet where nothing happens."""
        if self.here in (self.hots[one], self.hots[other]):
            return YOU
        return MUTED if any(self.labels) or any(self.place.pieces) else FAINT

    def space(self, space: int, box: _Box) -> None:
        """A space, with its frame where there is room for one."""
        is_culture, label = self.plan.spaces[space] == CULTURE_SPACE, self.labels[space]
        color, hot = CULTURE_COLOR if is_culture else PERSON_COLOR, self.hots[space]
        is_here = hot == self.here
        edge = YOU if is_here else f"bold {color}" if label else color
        (x, y), (opened, closed) = box, "()" if is_culture else "[]"
        if self.height > 1:
            kind = "heavy" if is_here else "round" if is_culture else "square"
            self.canvas.box((x, y), (self.width, self.height), edge, kind, hot)
            x, y = x + 1, y + 1
        self.canvas.put(x, y, opened, edge, hot)
        at = x + 1
        for span in contents(self.place, space, label):
            self.canvas.put(at, y, span.text, span.style, hot)
            at += len(span.text)
        self.canvas.put(x + 4, y, closed, edge, hot)
        if is_here:
            self.canvas.put(box.x - 1, y, "▶", YOU, hot)

    def path(self, one: _Box, other: _Box, style: str) -> None:
        """Straight between neighbours; round one corner where they are not in line."""
        middle = self.height // 2
        if one.y == other.y:
            left, right = sorted((one, other))
            line = "─" * (right.x - left.x - self.width)
            self.canvas.put(left.x + self.width, left.y + middle, line, style)
            return
        upper, lower = sorted((one, other), key=lambda box: box.y)
        x = upper.x + self.width // 2
        end = lower.y if upper.x == lower.x else lower.y + middle
        for y in range(upper.y + self.height, end):
            self.canvas.put(x, y, "│", style)
        if upper.x < lower.x:
            self.canvas.put(x, end, "└" + "─" * (lower.x - x - 1), style)
        elif upper.x > lower.x:
            start = lower.x + self.width
            self.canvas.put(start, end, "─" * (x - start) + "┘", style)
