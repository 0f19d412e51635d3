"""The technologies of a seat as a pyramid, and those that can be learned now with their keys."""

from __future__ import annotations

from collections.abc import Sequence

from core.games.civilization.faces import TECH_KEYS
from core.games.civilization.layout import CIV, TRADE
from core.games.civilization.learning import TRADE_NEEDED, counts
from core.games.civilization.printed import CIVILIZATIONS, TECHNOLOGIES
from core.games.civilization.wealth import known
from core.requests import Player
from core.table import Table
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, GOOD, LIT, MUTED
from ui.draw.panels import ABOUT, cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.words import tech_name
from ui.terminal.spans import Row, Span

_LEVELS = (5, 4, 3, 2, 1)
_WIDEST = 5  # Boxes of a level, where they stand apart.
_INDENT_USUAL = 5
_INDENT_NARROW = 2
_MORE = "  … +{}"  # How many more there are.
_NARROW = 40  # Cells, below which the end of a list of names is worth more than air before it.


def pyramid_rows(scene: Scene, table: Table, width: int, seat: Player | None) -> list[Row]:
    """Level by level from the top; what can be learned now has its key."""
    if seat is None or table.counters[CIV[seat]] < 0:
        return []
    have = counts(table, seat)
    air = _INDENT_NARROW if width < _NARROW else _INDENT_USUAL
    apart = " " if max(have) <= _WIDEST else ""  # Ten of a level have room.
    rows: list[Row] = []
    top = 5 if scene.is_broad else _highest(scene, have, seat)
    if top < 5:  # Rows are dear: what nobody can learn yet is one.
        prices = " ".join(str(TRADE_NEEDED[level]) for level in range(5, top, -1))
        levels = f"5-{top + 1}" if top < 4 else "5"
        said = scene.words("civilization.levels", what=levels, number=prices)
        rows += wrapped([Span(said, MUTED)], width, "  ")
    for level in _LEVELS[5 - top :]:
        mine = _known(table, seat, level)
        offered = _offered(scene, level) if seat == scene.view.seat else []
        free = max(have[level - 1] - 1 - have[level], 0) if level > 1 else 0
        block = f"■{apart}" * have[level] + f"·{apart}" * free
        indent = " " * (level - 1)  # Each stands between two of the level below.
        row: Row = [Span(f"{level} ", MUTED), Span(f"{indent}{block}".ljust(11), GOOD)]
        row.append(Span(f"{TRADE_NEEDED[level]:>2}", MUTED))
        first, *others = flow_cells([row, *_names(scene, mine), *offered], width - air)
        rows += [first, *([Span(" " * air), *each] for each in others)]
    return [*rows, *_next(scene, table, width, seat)]


def name_rows(scene: Scene, table: Table, width: int, height: int) -> list[Row]:
    """My technologies by their names alone, the highest first; how many more there are."""
    seat = scene.view.seat
    if seat is None or table.counters[CIV[seat]] < 0:
        return []
    rows, price = _by_level(scene, table, width, seat), _next(scene, table, width, seat)
    if len(rows) <= height:
        return [*rows, *(price if len(rows) + len(price) <= height else [])]
    rows = _by_level(scene, table, width - len(_MORE), seat)
    left_out = sum(span.hot.startswith(ABOUT) for row in rows[height:] for span in row)
    return [*rows[: height - 1], [*rows[height - 1], Span(_MORE.format(left_out), MUTED)]]


def _by_level(scene: Scene, table: Table, width: int, seat: Player) -> list[Row]:
    rows: list[Row] = []
    for level in _LEVELS:
        names = _names(scene, _known(table, seat, level))
        if names:
            names[0].insert(0, Span(f"{level} ", MUTED))
            first, *others = flow_cells(names, width - _INDENT_NARROW)
            rows += [first, *([Span(" " * _INDENT_NARROW), *each] for each in others)]
    return rows


def _known(table: Table, seat: Player, level: int) -> list[str]:
    """The technologies of a level of a seat; that of its civilization lies on the first."""
    start = CIVILIZATIONS[table.counters[CIV[seat]]].technology
    levels = {TECH_KEYS[at]: TECHNOLOGIES[at].level for at in known(table, seat)}
    levels.update({start: 1} if start in levels else {})
    return [key for key, each in levels.items() if each == level]


def _names(scene: Scene, keys: Sequence[str]) -> list[Row]:
    return [[Span(tech_name(scene.words, key), LIT, f"{ABOUT}tech.{key}")] for key in keys]


def _highest(scene: Scene, have: Sequence[int], seat: Player) -> int:
    """The highest level with a technology, or with room for one."""
    is_mine = seat == scene.view.seat
    return next(
        (level for level in _LEVELS
         if have[level] or have[level - 1] > 1 or (is_mine and _offered(scene, level))), 1
    )  # fmt: skip


def _offered(scene: Scene, level: int) -> list[Row]:
    """What can be learned, each with its key before it in one cell."""
    cells: list[Row] = []
    for pick in scene.model.picks:
        verb, *rest = pick.offer.text.split()
        if verb not in ("learn", "liberty") or not rest or rest[0] not in TECH_KEYS:
            continue
        if TECHNOLOGIES[TECH_KEYS.index(rest[0])].level != level:
            continue
        style = CAP if pick.label in scene.picked else "$accent"
        text = f" {tech_name(scene.words, rest[0])}"
        cells.append([*cap(pick.label), Span(text, style, pick.label)])
    return cells


def _next(scene: Scene, table: Table, width: int, seat: Player) -> list[Row]:
    """How much trade the next level takes, and what is missing below it."""
    words, have = scene.words, counts(table, seat)
    level = next((at for at in range(2, 5) if have[at] < have[at - 1] - 1), 1)
    text = words("civilization.next_tech", level=level, need=TRADE_NEEDED[level],
                 trade=table.counters[TRADE[seat]])  # fmt: skip
    return wrapped([Span(text, MUTED)], width, "  ")
