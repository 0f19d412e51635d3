"""The supply: every pile as a card with its cost, how many are left, its type and its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rich.cells import cell_len

from core.games.dominion.cards import KEYS
from ui.draw.marks import CAP, FAINT, GOOD, LIT, MUTED, color_of, labels_of
from ui.draw.panels import Edge, cut, fill, fit, framed, ruled, wrapped
from ui.draw.scene import Scene
from ui.games.dominion.owned import owned
from ui.look import Ware
from ui.terminal.spans import Row, Span, beside, pad, row_width

_BASIC_PILES: Final = 7
BASIC_ROWS: Final = 5
BASIC_ROWS_BROAD: Final = 4  # Where cost, height and worth stand in one row.
_FACTS_CELLS: Final = 12  # Of that row.
KINGDOM_ROWS: Final = 9
KINGDOM_ROWS_BROAD: Final = 10  # One more, for who owns how many under the longest text.
KINGDOM_ROWS_MIN: Final = 5
_CELLS_MIN: Final = 80  # Of the board, for piles that are cards.
TABLE_CELLS: Final = 24  # Of a pile that is a line.
DENSE_ACROSS: Final = 3
ACROSS: Final = 5
_CURSE: Final = "curse"
NEAR: Final = "+t"  # Within reach once the Treasures of the hand are played, which that key does.


def draw_supply(scene: Scene, width: int, height: int) -> list[Row]:
    """As cards where there is room for their texts, else as a table.

    Two columns on a small screen would take the rows of what happened, and hide the last piles.
    """
    wares = scene.model.look.wares(scene.view)
    title, is_live = _title(scene), scene.model.is_my_turn
    lines = (len(wares) - _BASIC_PILES + ACROSS - 1) // ACROSS
    is_kingdom = wares and wares[0].face == KEYS[0] and len(wares) > _BASIC_PILES
    basic_rows = BASIC_ROWS_BROAD if _is_basic_broad(width) else BASIC_ROWS
    most = KINGDOM_ROWS_BROAD if scene.is_broad else KINGDOM_ROWS
    rows_each = min((height - 1 - basic_rows) // max(lines, 1), most)
    least = KINGDOM_ROWS_MIN if scene.has_side else KINGDOM_ROWS  # Narrow texts are long ones.
    if width < _CELLS_MIN or not is_kingdom or rows_each < least:
        if scene.is_tiny:
            return _down_to(dense_table(scene, wares, width), width, height)
        is_dense = width < DENSE_ACROSS * TABLE_CELLS and not scene.is_roomy
        table = (dense_table if is_dense else pile_table)(scene, wares, width - 1)
        return _down_to(ruled(title, table, width, is_live=is_live), width, height)
    rows = ruled(title, [], width, is_live=is_live)
    rows += _line_of(scene, wares[:_BASIC_PILES], width, basic_rows, _basic)
    decks = owned(scene.model.news.lines, scene.view.players) if scene.is_broad else []
    for start in range(_BASIC_PILES, len(wares), ACROSS):
        line = wares[start : start + ACROSS]
        rows += _line_of(scene, line, width, rows_each, partial(_kingdom, decks=decks))
    return rows


def _down_to(table: list[Row], width: int, height: int) -> list[Row]:
    """As many rows as there is room for; the last of them says that there are more."""
    if len(table) <= height or height <= 0:
        return table
    return [*table[: height - 1], [*fit(table[height - 1], width - 1), Span("▼", "$accent")]]


def _title(scene: Scene) -> str:
    words, view = scene.words, scene.view
    if view.phase == "draft":
        return words("dominion.drafted")
    ends = words("dominion.ends", **ending(scene))
    return (
        f"{words('dominion.supply')}   {ends}" if not scene.has_side else words("dominion.supply")
    )


def ending(scene: Scene) -> dict[str, int]:
    """How near the end is: Provinces left, piles that are empty, and how many end the game."""
    view = scene.view
    empty = sum(not ware.height for ware in scene.model.look.wares(view))
    return {
        "left": len(view.zones["supply.province"]), "all": provinces(view.players),
        "empty": empty, "piles": 3 if view.players <= 4 else 4,
    }  # fmt: skip


def provinces(players: int) -> int:
    """How many Provinces there were at the beginning."""
    return {2: 8, 5: 15, 6: 18}.get(players, 12)


# ---- as cards ----


def _is_basic_broad(width: int) -> bool:
    """Whether a basic pile of a board so wide says in one row what else takes two."""
    return width // _BASIC_PILES - 4 >= _FACTS_CELLS


def _line_of(
    scene: Scene,
    wares: Sequence[Ware],
    width: int,
    height: int,
    draw: Callable[[Scene, Ware, int, int], list[Row]],
) -> list[Row]:
    across = _BASIC_PILES if draw is _basic else ACROSS
    cells = [width // across + (at < width % across) for at in range(across)]
    return fill(
        beside([draw(scene, ware, cells[at], height) for at, ware in enumerate(wares)]),
        width, height,
    )  # fmt: skip


def is_marked(scene: Scene, ware: Ware, label: str) -> bool:
    """Whether the Treasures of my hand would pay for it; of a Curse nobody wants to know."""
    return scene.model.is_my_turn and ware.is_near and not label and ware.face != _CURSE


def _edge(scene: Scene, ware: Ware) -> tuple[str, str, str]:
    """The label, the style of the frame, that of the name: by what may be done with the pile."""
    label = labels_of(scene.model, ware.zone)
    color = color_of(scene.model.look.face(ware.face)) or "$foreground"
    if label and label in scene.picked:
        return label, "$accent", f"bold {color}"
    if ware.face == _CURSE:  # Legal, but nobody should read it as an offer.
        return label, "$rule", MUTED if label or ware.is_near else FAINT
    if label:
        return label, color, f"bold {color}"
    return label, "$rule", color if ware.is_near else FAINT


def _boxed(
    scene: Scene, ware: Ware, size: tuple[int, int], title: Row, rows: list[Row]
) -> list[Row]:
    label, frame, name = _edge(scene, ware)
    kind = "heavy" if label and label in scene.picked else "round"
    facts: Row = []
    if title:
        facts = [Span(f"({ware.cost}) ", name), *_height(ware, name)]
    hot = label or f"about:{ware.face}"
    drawn = framed(rows, size, Edge(kind, frame, title, facts))
    return [[span if span.hot else span._replace(hot=hot) for span in row] for row in drawn]


def _height(ware: Ware, style: str) -> Row:
    return [Span(f"×{ware.height}", style if ware.height else "bold $error")]


def _basic(scene: Scene, ware: Ware, width: int, height: int) -> list[Row]:
    """A small pile: its key and name, cost and height, what it is worth."""
    label, _, name = _edge(scene, ware)
    words = scene.words
    key = [Span(label, CAP, label), Span(" ")] if label else []
    title = pad(words.name("face", ware.face), width - 4 - 2 * bool(label))
    worth = [Span(scene.model.look.face(ware.face).letter, name if label else MUTED)]
    worth += [Span(f"  {NEAR}", "$accent")] if is_marked(scene, ware, label) else []
    facts = [Span(f"({ware.cost})", name), Span(" "), *_height(ware, name)]
    rows = [[*key, Span(title, name)], facts, worth]
    if height == BASIC_ROWS_BROAD:
        rows = [[*key, Span(title, name)], [*facts, Span("  "), *worth]]
    return _boxed(scene, ware, (width, height), [], rows)


def _kingdom(
    scene: Scene, ware: Ware, width: int, height: int, *, decks: Sequence[Counter[str]]
) -> list[Row]:
    """A pile with its text, as far as there is room; the key for texts shows all of it.

    Where a row is left, it says who owns how many.
    """
    label, _, name = _edge(scene, ware)
    words, inner = scene.words, width - 4
    is_lit = bool(label) or ware.is_near
    key = [Span(f" {label} ", CAP, label), Span(" ")] if label else []
    kinds = kinds_of(scene, ware.face, inner - row_width(key))
    if label and cell_len(kinds) > inner - row_width(key):  # Before a word its air is cut.
        key = [Span(label, CAP, label), Span(" " * (cell_len(kinds) + 2 <= inner))]
    rows: list[Row] = [fit([*key, Span(kinds, name if is_lit else FAINT)], inner)]
    text = [Span(text_of(scene, ware), "$foreground" if is_lit else FAINT)]
    lines = cut(wrapped(text, inner), inner, height - 3)
    title = [Span(words.name("face", ware.face), name)]
    free = height - 3 - len(lines)
    owners = cut(wrapped(_owners(scene, decks, ware.face), inner), inner, free) if free else []
    air: list[Row] = [[]] * (free - len(owners))
    return _boxed(scene, ware, (width, height), title, [*rows, *lines, *air, *owners])


def _owners(scene: Scene, decks: Sequence[Counter[str]], face: str) -> Row:
    """Who owns how many of a card, as everybody could count it."""
    row: Row = []
    for seat, deck in enumerate(decks):
        if deck[face]:
            row += [Span("  " if row else ""), Span(f"{scene.name_of(seat)} ", MUTED)]
            row.append(Span(str(deck[face]), scene.style_of(seat)))
    return row


def kinds_of(scene: Scene, face: str, width: int) -> str:
    """The types of a card; where they do not fit, only the last.

    That is Attack or Reaction, and all of these are Actions as well.
    """
    names = [scene.words(kind) for kind in scene.model.look.kinds(face)]
    kinds = "·".join(names)
    return kinds if cell_len(kinds) <= width else names[-1]


def text_of(scene: Scene, ware: Ware) -> str:
    """What a card says."""
    keys = scene.model.look.texts(scene.view.options, ware.face)
    return scene.words.in_a_row(scene.words(key) for key in keys)


# ---- as a table ----


def pile_table(scene: Scene, wares: Sequence[Ware], width: int) -> list[Row]:
    """The piles in columns: key, name, cost, what is left."""
    across = max(width // TABLE_CELLS, 1)
    cells = width // across
    rows = []
    for start in range(0, len(wares), across):
        row: Row = []
        for ware in wares[start : start + across]:
            row += fit(_cell(scene, ware, cells), cells)
        rows.append(row)
    return rows


def dense_table(scene: Scene, wares: Sequence[Ware], width: int) -> list[Row]:
    """The same in three columns, without the brackets and the air."""
    cells = width // DENSE_ACROSS
    lines = [wares[at : at + DENSE_ACROSS] for at in range(0, len(wares), DENSE_ACROSS)]
    return [
        [span for ware in line for span in fit(_dense(scene, ware, cells - 1), cells)]
        for line in lines
    ]


def _dense(scene: Scene, ware: Ware, cells: int) -> Row:
    """A key or the sign of what is near, the name, the cost, what is left."""
    label, _, name = _edge(scene, ware)
    sign = Span("   ")
    if ware.is_chosen:
        sign = Span(" ✓ ", GOOD)
    elif label:
        mark = "▶" if label in scene.picked else " "
        sign = Span(f" {label}{mark}", CAP, label)
    elif is_marked(scene, ware, label):
        sign = Span(f"{NEAR} ", "$accent")
    title = scene.words.name("face", ware.face)
    left = Span(pad(f"×{ware.height}", 3), MUTED if ware.height else "bold $error")
    facts = [Span(f" {ware.cost}", name), Span(" "), left]
    if cell_len(title) > cells - row_width([sign, *facts]):
        del facts[1]
    shown = Span(pad(title, cells - row_width([sign, *facts])), name)
    hot = label or f"about:{ware.face}"
    return [span._replace(hot=hot) for span in (sign, shown, *facts)]


def _cell(scene: Scene, ware: Ware, cells: int) -> Row:
    label, _, name = _edge(scene, ware)
    hot = label or f"about:{ware.face}"
    sign = Span(f" {label} ", CAP, label) if label else Span("   ", FAINT)
    if ware.is_chosen:
        sign = Span(" ✓ ", GOOD)
    is_picked = bool(label) and label in scene.picked
    title = pad(scene.words.name("face", ware.face), cells - 14)
    near = is_marked(scene, ware, label)
    left: Row = [Span(f"×{ware.height}", "bold $error" if not ware.height else MUTED)]
    left += [Span(NEAR, "$accent")] if near else []
    cost = pad(f"({ware.cost})", 4)
    mark = "▶" if is_picked else " "
    row = [sign, Span(mark, LIT), Span(f"{title} ", name), Span(cost, name), *left]
    return [span if span.hot else span._replace(hot=hot) for span in row]
