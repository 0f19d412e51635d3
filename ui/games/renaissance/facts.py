"""What stands beside the events: stones, culture rows, characters, signs of genius, the display."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rich.cells import cell_len

from core.games.renaissance.cards import FIRST_PERSON, SYMBOL_BITS
from core.games.renaissance.printed import STONES, SYMBOLS
from core.requests import Player
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, FAINT, LIT, MUTED, UNSEEN, YOU, color_of
from ui.draw.panels import ABOUT, panel, wrapped
from ui.draw.scene import Scene
from ui.games.renaissance.graph import CULTURE_COLOR, GENIUS_SIGN, PERSON_COLOR, stone
from ui.games.renaissance.position import NUMBERS, can_turn, genius_signs, is_most, symbol_count
from ui.games.renaissance.why import ON_DISPLAY, TALON_PLACE
from ui.terminal.spans import Row, Span, pad, row_width

_NAME_CELLS: Final = 10
COUNT_CELLS: Final = 5
BAR_CELLS: Final = 44
DISPLAY_ROWS: Final = 2
MOST_SIGN: Final = "▲"
_TURNABLE: Final = "+"  # A double on top that counts one as yet.


def side(scene: Scene, width: int) -> list[Row]:
    """The panels beside the events."""
    words, inner = scene.words, width - 4
    return [
        *panel(words("renaissance.stones"), stone_rows(scene, inner), width),
        *panel(words("renaissance.rows"), culture_rows(scene, inner), width),
        *panel(words("renaissance.display"), display_rows(scene), width,
               is_live=is_taking(scene)),
    ]  # fmt: skip


def is_taking(scene: Scene) -> bool:
    """Whether a card of the display or the talon can be taken now."""
    return any(pick.offer.action.verb in ("take", "draw") for pick in scene.model.picks)


def chip(seat: Player) -> Span:
    """The stone of a seat."""
    return Span(*stone(1 + seat))


def seats_of(scene: Scene) -> list[Player]:
    """Everybody, the most stones first."""
    return sorted(range(scene.view.players), key=lambda seat: -stones_of(scene, seat))


def stones_of(scene: Scene, seat: Player) -> int:
    """The stones of a supply, of whatever color."""
    return sum(scene.view.counters[f"seat{seat}.stones.{color}"] for color in STONES)


def stone_text(scene: Scene, seat: Player) -> str:
    """`8`, or `6+2` where two of them are of other colors."""
    own = scene.view.counters[f"seat{seat}.stones.{STONES[seat]}"]
    foreign = stones_of(scene, seat) - own
    return f"{own}+{foreign}" if foreign else str(own)


def stone_rows(scene: Scene, width: int) -> list[Row]:
    """Who has how many stones, the marker, the cards in hand."""
    rows: list[Row] = []
    for seat in seats_of(scene):
        has_marker = scene.view.counters[f"seat{seat}.genius"]
        hand = scene.words("term.hand", number=len(scene.view.zones[f"seat{seat}.hand"]))
        bar = "■" * stones_of(scene, seat) if width >= BAR_CELLS else ""
        rows.append([
            chip(seat),
            Span(" " + pad(scene.name_of(seat), _NAME_CELLS), scene.style_of(seat)),
            Span(pad(stone_text(scene, seat), COUNT_CELLS), LIT),
            Span(GENIUS_SIGN + " " if has_marker else "  ", YOU),
            Span(f" {pad(hand, 8)}", MUTED),
            Span(bar, scene.style_of(seat)),
        ])  # fmt: skip
    return [*rows, [Span(scene.words("renaissance.stones_note"), MUTED)]]


def culture_rows(scene: Scene, width: int) -> list[Row]:
    """What every seat counts for every symbol; then characters in the pile, and signs."""
    words, look = scene.words, scene.model.look
    shorts = [words.name("renaissance", symbol) for symbol in SYMBOLS]
    cells = max(map(cell_len, shorts)) + 1
    head: Row = [Span("    ")]
    for symbol, short in zip(SYMBOLS, shorts, strict=True):
        head.append(Span(pad(short, cells), f"bold {color_of(look.face(symbol))}".strip()))
    signs = (Span("▌", PERSON_COLOR), Span(GENIUS_SIGN, CULTURE_COLOR),
             Span(GENIUS_SIGN, PERSON_COLOR))  # fmt: skip
    is_tight = row_width(head) + 2 * len(signs) > width
    seats = range(scene.view.players)  # Who places a stone would change places with another.
    rows = [[*head, *signs], *(_seat_row(scene, seat, cells) for seat in seats)]
    return [_spaced(row, len(signs), is_tight=is_tight) for row in rows]


def _spaced(row: Row, count: int, *, is_tight: bool) -> Row:
    """A row with a gap before each of its last spans; a tight one is narrower at its stone.

    Without gaps, 0 1 0 would be read as one number.
    """
    stone, middle, last = row[0], row[1:-count], row[-count:]
    if is_tight:
        stone = stone._replace(text=stone.text.strip() or "  ")
        middle, last = [*middle, last[0]], last[1:]
    return [stone, *middle, *(each._replace(text=f" {each.text}") for each in last)]


def _seat_row(scene: Scene, seat: Player, cells: int) -> Row:
    view, row = scene.view, list[Span]()
    row += [chip(seat), Span(" ")]
    for symbol in range(len(SYMBOLS)):
        count = symbol_count(view, seat, symbol)
        most = MOST_SIGN if is_most(view, seat, symbol) else ""
        text = f"{count}{most}{_TURNABLE * can_turn(view, seat, symbol)}"
        row.append(Span(pad(f" {text}" if count else " ·", cells), LIT if count else FAINT))
    persons = len(view.zones[f"seat{seat}.persons"])
    blue, red = (genius_signs(view, seat, color) for color in ("blue", "red"))
    return [
        *row, Span(str(persons), LIT), Span(str(blue), CULTURE_COLOR), Span(str(red), PERSON_COLOR),
    ]  # fmt: skip


# ---- cards ----


def card_row(scene: Scene, face: str) -> Row:
    """A card in words: its symbols in their colors, then what else is on it."""
    if not face:
        return [Span(UNSEEN, MUTED)]
    words, look, number = scene.words, scene.model.look, NUMBERS[face]
    row: Row = []
    for symbol, name in enumerate(SYMBOLS):
        if SYMBOL_BITS[number] >> symbol & 1:
            row += [Span("/", MUTED)] if row else []
            row.append(Span(words.name("face", name), f"bold {color_of(look.face(name))}"))
    row = row or [Span(words.name("face", face), LIT)]
    kind = kind_row(scene, face)
    return [*row, *([Span(" "), *kind] if kind else [])]


def kind_row(scene: Scene, face: str) -> Row:
    """What is on a card beside its symbols."""
    words, end = scene.words, face.rpartition(".")[2]
    if NUMBERS[face] >= FIRST_PERSON and not SYMBOL_BITS[NUMBERS[face]]:
        return [Span(words("renaissance.no_symbol"), MUTED)]
    if NUMBERS[face] >= FIRST_PERSON:
        return [Span(words("renaissance.person", value=end))]
    if end == "double":
        return [Span(words("renaissance.double"))]
    if end in ("blue", "red"):
        left, right = "()" if end == "blue" else "[]"  # As the spaces that it is for.
        color = CULTURE_COLOR if end == "blue" else PERSON_COLOR
        return [Span(f"{left}{GENIUS_SIGN}{right}", color)]
    return []


def display_rows(scene: Scene) -> list[Row]:
    """What lies open, equal cards together, with the keys that take it; then the talon."""
    words, view = scene.words, scene.view
    rows = []
    for face, number in Counter(card.face for card in view.zones["display"]).items():
        count = [Span(f" ×{number}", LIT)] if number > 1 else []
        rows.append(_hot([*_taking(scene, face), *_open(scene, face), *count], ON_DISPLAY, face))
    draw = scene.pick_of("draw")
    cap_row = [Span(f" {draw.label} ", CAP, draw.label), Span(" ")] if draw else []
    text = words("renaissance.talon", number=len(view.zones["talon"]))
    return [*rows, _hot([*cap_row, Span(text, LIT if draw else MUTED)], TALON_PLACE)]


def _open(scene: Scene, face: str | None) -> Row:
    """A card of the display; dim where others can be taken and this one cannot."""
    row = card_row(scene, face or "")
    is_dim = is_taking(scene) and scene.pick_of(f"take {face}") is None
    return [span._replace(style=FAINT) for span in row] if is_dim else row


def _taking(scene: Scene, face: str | None) -> Row:
    pick = scene.pick_of(f"take {face}")
    if pick is None:
        return [Span("    ")] if is_taking(scene) else []
    return [Span(f" {pick.label} ", CAP, pick.label), Span(" ")]


def _hot(row: Row, place: str, face: str | None = "") -> Row:
    """The whole row does what its key does; without one it says why."""
    hot = next((span.hot for span in row if span.hot), f"{ABOUT}{place}{face}")
    return [span._replace(hot=hot) for span in row]


def display_lines(scene: Scene, width: int, height: int) -> list[Row]:
    """The same in a few lines, where there is no room beside the events."""
    *cells, last = display_rows(scene)
    title = [Span(scene.words("term.display"), MUTED)]
    parts = [title, *([*cell, Span(" ·", FAINT)] for cell in cells), last]
    flown = flow_cells(parts, width - 2, 1)
    if len(flown) > DISPLAY_ROWS:  # The events need a line more than whole names do.
        together = [span for part in parts for span in (*part, Span(" "))]
        flown = wrapped(together[:-1], width - 2)
    return [[Span(" "), *row] for row in flown][:height]


def seat_lines(scene: Scene, width: int, height: int) -> list[Row]:
    """Everybody's stones and rows, in as few lines as they need and as many words as fit."""
    seats, rows = range(scene.view.players), list[Row]()  # As the culture rows stand.
    for lines in range(1, height + 1):
        for kind, has_hidden in (("face", True), ("renaissance", True), ("renaissance", False)):
            cells = [_seat_cell(scene, seat, kind, has_hidden=has_hidden) for seat in seats]
            rows = flow_cells(cells, width - 1)
            if len(rows) <= lines and max(map(row_width, rows)) < width:
                return [[Span(" "), *row] for row in rows]
    return [[Span(" "), *row] for row in rows[:height]]


def _seat_cell(scene: Scene, seat: Player, kind: str, *, has_hidden: bool) -> Row:
    """A stone, whose it is, how many there are; what the rows count, and hidden characters."""
    view, words = scene.view, scene.words
    marker = GENIUS_SIGN if view.counters[f"seat{seat}.genius"] else ""
    row: Row = [chip(seat), Span(f" {scene.name_of(seat)}", scene.style_of(seat)),
                Span(f" {stone_text(scene, seat)}{marker}", LIT)]  # fmt: skip
    rows: Row = []
    for symbol, name in enumerate(SYMBOLS):
        if count := symbol_count(view, seat, symbol):
            style = f"bold {color_of(scene.model.look.face(name))}".strip()
            rows += [Span(f" {words.name(kind, name)}", style), Span(f" {count}")]
    if (persons := len(view.zones[f"seat{seat}.persons"])) and has_hidden:
        before = words("list.comma") if rows else " "
        rows.append(Span(f"{before}{words('renaissance.hidden', number=persons)}", MUTED))
    return [*row, Span(":", MUTED), *rows] if rows else row
