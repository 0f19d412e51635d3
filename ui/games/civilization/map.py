"""The map: ground, what stands on it and whose, in squares of three sizes, with the cursor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rich.cells import cell_len

from core.games.civilization.board import (
    CITY_MARK,
    FIRST_BUILDING,
    HUT,
    PERSON_MARK,
    RESOURCE_OF,
    TERRAIN_OF,
    VILLAGE_MARK,
    WONDER_MARK,
    is_unexplored,
)
from core.games.civilization.layout import CITIES, CITY_AT, FROZEN, GROUND, MARK, MOVE_AT, WALLS
from core.games.civilization.printed import SYMBOLS
from core.games.civilization.ways import move_points, moving_group, reach
from core.games.civilization.wealth import owner_at
from core.requests import Player
from core.table import Table
from core.view import View
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, FAINT, LIT, MUTED
from ui.draw.panels import ABOUT
from ui.draw.scene import Scene
from ui.games.civilization.labels import squares_of
from ui.games.civilization.position import (
    COLUMNS,
    SEAT_LETTERS,
    answered_at,
    figures_on,
    map_size,
)
from ui.language.text import RAISED
from ui.terminal.spans import Row, Span, pad
from ui.terminal.themes import MAP_GROUNDS

_GROUND: Final = ".%^:~"  # By terrain.
_COLORS: Final = ("$c-green", "bold $c-green", "$muted", "$c-yellow", "$c-blue")
_UNDER: Final = tuple(f" on ${ground}" for ground in MAP_GROUNDS)  # By terrain.
_BUILDINGS: Final = "HPWILUGQMBTCKY"
_RESOURCES: Final = "isnw"
_SCOUTS: Final = " oO"
_FIGURE: Final = "reverse "  # Filled with the colour of their seat, which the letter names.
UNEXPLORED: Final = "?"
# As the legend writes signs that stand for many.
_SOME_ARMIES, _WITH_SCOUT, _ANY_BUILDING = "1-7", "1A", "A-Z"


class Size(NamedTuple):
    """How many cells a square takes."""

    across: int
    down: int


SIZES: Final = (Size(4, 2), Size(3, 1), Size(2, 1))
_MARGIN: Final = 3  # The numbers of the rows.


def size_for(scene: Scene, width: int, height: int) -> Size:
    """The largest squares with which the whole map fits; the smallest where it does not."""
    columns, rows = map_size(scene.view)
    for size in SIZES:
        if columns * size.across + _MARGIN <= width and rows * size.down < height:
            return size
    return SIZES[-1]


def map_width(scene: Scene, size: Size) -> int:
    """How many cells the whole map takes."""
    return map_size(scene.view)[0] * size.across + _MARGIN


def spots_of(scene: Scene) -> dict[int, list[str]]:
    """The labels of the picks that stand on each square."""
    found: dict[int, list[str]] = {}
    for pick in scene.model.picks:
        for square in (squares_of(pick.offer) or answered_at(scene.view, pick.offer))[:1]:
            found.setdefault(square, []).append(pick.label)
    return {square: sorted(labels, key=len) for square, labels in found.items()}


def is_square(place: str) -> bool:
    """Whether what is read is a square, by its number."""
    return place.removeprefix(ABOUT).isdigit()


def cursor_of(scene: Scene, spots: dict[int, list[str]]) -> int:
    """The square of what is picked or read; -1 where nothing on the map is."""
    if is_square(scene.read):
        return int(scene.read.removeprefix(ABOUT))
    return next((at for at, labels in spots.items() if scene.cursor in labels), -1)


class Sheet(NamedTuple):
    """What a map is drawn from."""

    scene: Scene
    table: Table
    size: Size
    spots: dict[int, list[str]]  # The labels on each square that can be chosen.
    cursor: int
    steps: Mapping[int, int]  # How far away each square is for whoever moves now.


def steps_of(scene: Scene, table: Table) -> dict[int, int]:
    """By square: how many steps the figures that move now need to get there."""
    if not any(pick.offer.action.verb in ("go", "via") for pick in scene.model.picks):
        return {}
    found = reach(table, moving_group(table), table.counters[MOVE_AT], move_points(table))
    return {square: steps for square, steps, _ in found}


def draw_map(scene: Scene, table: Table, size: Size, height: int) -> list[Row]:
    """Column letters, then the rows of squares that fit, the cursor's among them."""
    columns, _ = map_size(scene.view)
    spots = spots_of(scene)
    steps = steps_of(scene, table)
    sheet = Sheet(scene, table, size, spots, cursor_of(scene, spots), steps)
    heads = "".join(letter.center(size.across) for letter in COLUMNS[:columns])
    lit = {square % 16 for square in spots}
    found: list[Row] = [[Span(" " * _MARGIN)]]
    for x in range(columns):
        style = _edge_style(sheet, sheet.cursor % 16 == x, x in lit)
        found[0].append(Span(heads[x * size.across : (x + 1) * size.across], style))
    for y in _rows_shown(sheet, (height - 1) // size.down):
        found += _map_row(sheet, y)
    return found


def _edge_style(sheet: Sheet, is_cursor: bool, is_lit: bool) -> str:
    """How a letter or a number beside the map looks: filled at the cursor, bold where one may go.

    So it is found without the colour by which it differs from the squares around it.
    """
    if sheet.cursor >= 0 and is_cursor:
        return CAP
    return "bold $accent" if is_lit else MUTED


def _rows_shown(sheet: Sheet, room: int) -> range:
    """Which rows of the map, where not all fit."""
    _, rows = map_size(sheet.scene.view)
    if room >= rows:
        return range(rows)
    home = sheet.table.counters[CITY_AT[sheet.scene.view.seat or 0]] - 1
    focus = sheet.cursor if sheet.cursor >= 0 else next(iter(sheet.spots), home)
    first = max(0, min(max(focus, 0) // 16 - room // 2, rows - room))
    return range(first, first + room)


def _map_row(sheet: Sheet, y: int) -> list[Row]:
    """One row of squares."""
    lines: list[Row] = [[] for _ in range(sheet.size.down)]
    for down, line in enumerate(lines):
        is_lit = any(square // 16 == y for square in sheet.spots)
        edge = _edge_style(sheet, sheet.cursor // 16 == y, is_lit)
        line += [Span(f"{y + 1:>2}" if not down else "  ", "" if down else edge), Span(" ")]
    for square in range(16 * y, 16 * y + map_size(sheet.scene.view)[0]):
        labels = sheet.spots.get(square, [])
        hot = ",".join(labels) if labels else f"{ABOUT}{square}"
        cells, land = square_rows(sheet, square), _land(sheet.table, square)
        for line, spans in zip(lines, cells, strict=True):
            for span in spans:
                style = _lit(span, land) if labels else span.style
                line.append(Span(span.text, CAP if square == sheet.cursor else style, hot))
    return lines


def _lit(span: Span, land: str) -> str:
    """Of a square that can be chosen: its ground is bright, and who stands on it is dark there."""
    if span.style.startswith(_FIGURE):
        return span.style.removeprefix(_FIGURE)
    return f"reverse {land}"


def _land(table: Table, square: int) -> str:
    """The colour of the ground, and of the sign for it."""
    ground = table.counters[GROUND + square]
    terrain = TERRAIN_OF[ground]
    return f"{_COLORS[terrain]}{_UNDER[terrain]}" if ground else FAINT


# ---- one square ----


def mark_letter(table: Table, square: int) -> str:
    """The letter of what is built on a square; empty for nothing."""
    mark = table.counters[MARK + square]
    if mark >= CITY_MARK:
        return "*" if (mark - CITY_MARK) % 3 == 0 else "#"
    if mark >= PERSON_MARK:
        return "@"
    if mark >= WONDER_MARK:
        return "!"
    return _BUILDINGS[mark - FIRST_BUILDING] if mark >= FIRST_BUILDING else ""


def sign_letter(table: Table, square: int) -> str:
    """A hut, a village, walls, a resource or another symbol; a space for nothing."""
    counters = table.counters
    mark, ground = counters[MARK + square], counters[GROUND + square]
    if marker := _marker(table, square):
        return marker
    if mark >= CITY_MARK:
        seat, city = divmod(mark - CITY_MARK, 3)
        return "]" if counters[WALLS[seat] + city] else " "
    if mark >= FIRST_BUILDING or not ground:
        return " "
    if RESOURCE_OF[ground] >= 0:
        return _RESOURCES[RESOURCE_OF[ground]]
    symbol = SYMBOLS[(ground - 1) // 5]
    return {"*": "+", "$": "$"}.get(symbol, " ")


def _marker(table: Table, square: int) -> str:
    """The letter of a hut or a village; empty where there is none."""
    mark = table.counters[MARK + square]
    return "h" if mark == HUT else "v" if mark == VILLAGE_MARK else ""


def is_frozen_square(table: Table, square: int) -> bool:
    """Whether nobody may leave it in this turn (Communism)."""
    return square + 1 in table.counters[FROZEN : FROZEN + 4]


def square_rows(sheet: Sheet, square: int) -> list[Row]:
    """The cells of a square, row by row."""
    scene, table, size = sheet.scene, sheet.table, sheet.size
    if not table.counters[GROUND + square]:
        unseen = UNEXPLORED if is_unexplored(table, square) else " "
        return [[Span((unseen * 2).ljust(size.across), FAINT)] for _ in range(size.down)]
    letter, owner = mark_letter(table, square), owner_of(table, square)
    terrain = TERRAIN_OF[table.counters[GROUND + square]]
    land, under = _land(table, square), _UNDER[terrain]
    whose = scene.style_of(owner) + under if owner >= 0 else land
    first = Span(letter or _GROUND[terrain], whose if letter else land)
    seat_cell = Span(SEAT_LETTERS[owner], whose) if owner >= 0 else Span(" ", land)
    sign = Span(sign_letter(table, square), f"bold{under}")
    if size.down == 2:
        above = [first, sign, seat_cell, Span(_step_sign(sheet, square), land)]
        return [above, _people(sheet, square, land, under)]
    people = _figure_cells(sheet, square, under)
    if not people:
        cells = _narrow([first, sign, seat_cell], size, is_owned=bool(letter) and owner >= 0)
        return [_with_steps(cells, _step_sign(sheet, square))]
    return [[first, *people] if size.across > 2 else people]


def _figure_cells(sheet: Sheet, square: int, under: str) -> Row:
    """The figures of a square in two cells; where two seats meet, the letter of each.

    Where they meet natives, the sign of these and the letter of the seat.  Of a city that they
    attack the letter of its seat, where no cell before them has its sign.

    Filled they would be all of a square of two cells, as if it could be chosen.
    """
    people, filled = figures_on(sheet.table, square), _FIGURE * (sheet.size.across > 2)
    sign = _marker(sheet.table, square)
    attacked = (sheet.table.counters[MARK + square] - CITY_MARK) // CITIES
    if attacked >= 0 and sheet.size.across == 2 and people and people[0][0] != attacked:
        people = [*people, (attacked, 0, 0)]
    texts = [_figures(*each) for each in people]
    if len(people) > 1 or sign:
        texts = [sign + SEAT_LETTERS[seat] for seat, *_ in people]
    return [Span(text, f"{filled}{sheet.scene.style_of(seat)}{under}")
            for text, (seat, *_) in zip(texts, people, strict=True)]  # fmt: skip


def _step_sign(sheet: Sheet, square: int) -> str:
    """How many steps a square that can be chosen is away; a space for any other.

    Raised, since a figure before a letter is a number of armies.
    """
    steps = sheet.steps.get(square, -1) if square in sheet.spots else -1
    return RAISED[steps] if 0 <= steps < len(RAISED) else " "


def _with_steps(cells: Row, sign: str) -> Row:
    """The last cell says how far away the square is, where nothing else stands there."""
    *rest, last = cells
    return cells if last.text.strip() else [*rest, last._replace(text=sign)]


def _narrow(cells: Row, size: Size, *, is_owned: bool) -> Row:
    """A square of two cells: there the letter of a seat is worth more than a second sign."""
    first, sign, seat_cell = cells
    if size.across > 2:
        return cells
    return [first, seat_cell if is_owned else sign]


def owner_of(table: Table, square: int) -> int:
    """The seat of a square; -1 for nobody."""
    mark = table.counters[MARK + square]
    return (mark - CITY_MARK) // 3 if mark >= CITY_MARK else owner_at(table, square)


def _figures(seat: Player, armies: int, scouts: int) -> str:
    """Figures in two letters, as the legend says; scouts with armies are a capital letter.

    A building is a capital letter before the one of its seat: it cannot be taken for them.
    """
    letter = SEAT_LETTERS[seat]
    if armies and scouts:
        return f"{armies}{letter.upper()}"
    return (str(armies) if armies else _SCOUTS[min(scouts, 2)]) + letter


def _people(sheet: Sheet, square: int, land: str, under: str) -> Row:
    """The second row of a large square: who stands there, and whether they are held there."""
    people = figures_on(sheet.table, square)
    if len(people) > 1:  # Two seats meet there, and fight.
        texts = [_figures(*each) for each in people]
    else:
        texts = [f"{armies or ''}{_SCOUTS[min(scouts, 2)].strip()}{SEAT_LETTERS[owner]}"
                 for owner, armies, scouts in people]  # fmt: skip
    cells = [Span(text, f"{_FIGURE}{sheet.scene.style_of(seat)}{under}")
             for text, (seat, *_) in zip(texts, people, strict=True)]  # fmt: skip
    held = "x" if people and is_frozen_square(sheet.table, square) else ""
    return [*cells, Span(held.ljust(sheet.size.across - sum(map(len, texts))), land)]


def sign_rows(scene: Scene, width: int) -> list[Row]:
    """What the signs of the map mean, in columns; the grounds as they are painted there."""
    pairs = _signs(scene)
    sign_cells, name_cells = (max(map(cell_len, each)) for each in zip(*pairs, strict=True))
    across = max((width + 1) // (sign_cells + name_cells + 2), 1)
    rows: list[Row] = []
    for at, (sign, meaning) in enumerate(pairs):
        if at % across == 0:
            rows.append([])
        rows[-1] += [Span(sign.center(sign_cells), _sign_style(sign)),
                     Span(f" {pad(meaning, name_cells)} ")]  # fmt: skip
    return rows


def few_sign_rows(scene: Scene, table: Table, width: int, height: int) -> list[Row]:
    """The same one after the other in so few rows, if need be only the signs on the map now.

    None where not even these fit: the page of the keys has them all.
    """
    pairs, shown = _signs(scene), signs_shown(table, scene.view)
    for each in (pairs, [pair for pair in pairs if pair[0] in shown]):
        cells = [[Span(sign, _sign_style(sign)), Span(f" {meaning}")] for sign, meaning in each]
        rows = flow_cells(cells, width)
        if len(rows) <= height:
            return rows
    return []


def signs_shown(table: Table, view: View) -> set[str]:
    """The signs of the legend that stand on the map now."""
    columns, rows = map_size(view)
    found = set[str]()
    for square in (16 * y + x for y in range(rows) for x in range(columns)):
        ground = table.counters[GROUND + square]
        if not ground:
            found |= {UNEXPLORED} if is_unexplored(table, square) else set()
            continue
        mark = mark_letter(table, square)
        found |= {mark or _GROUND[TERRAIN_OF[ground]], sign_letter(table, square)}
        found |= {_ANY_BUILDING} if mark.isalpha() else set()
        for _, armies, scouts in figures_on(table, square):
            found |= {_SOME_ARMIES} if armies else set()
            found |= {_WITH_SCOUT if armies else "o"} if scouts else set()
    return found


def _signs(scene: Scene) -> list[tuple[str, str]]:
    """Every sign and what it means."""
    told = scene.words("civilization.plain_signs").replace(";", "").split()
    return list(zip(told[::2], told[1::2], strict=True))


def _sign_style(sign: str) -> str:
    terrain = _GROUND.find(sign)
    return LIT + (_UNDER[terrain] if terrain >= 0 else "")
