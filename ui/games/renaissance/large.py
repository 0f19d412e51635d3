"""Below the events, where the screen is large: who would win each of them now, and every row."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from core.games.renaissance.printed import SYMBOLS
from core.requests import Player
from ui.draw.marks import FAINT, GOOD, LIT, MUTED, color_of
from ui.draw.panels import fit, panel
from ui.draw.scene import Scene
from ui.games.renaissance.events import title_in
from ui.games.renaissance.facts import MOST_SIGN, card_row, chip
from ui.games.renaissance.notes import BRACKETS
from ui.games.renaissance.position import (
    CULTURE_SPACE,
    PERSON_SPACE,
    ROW_NUMBERS,
    Location,
    is_most,
    locations,
    ranked_in_culture,
    symbol_count,
)
from ui.terminal.spans import Row, Span, pad, row_width

TITLE_CELLS: Final = 38
CULTURE_CELLS: Final = 56
COUNTS_CELLS: Final = 70
_BETWEEN: Final = " · "


def large(scene: Scene, width: int, height: int) -> list[Row]:
    """Two panels; the events first, where there is room for one."""
    places = [place for place in locations(scene.view) if place.event is not None]
    frame, needed = 2, len(places) + scene.view.players + 4
    if height < needed:
        return everybody(scene, width, height)
    now = panel(scene.words("renaissance.now"), [_event(scene, place) for place in places], width)
    return [*now, *everybody(scene, width, height - len(places) - frame)]


# ---- events ----


def _event(scene: Scene, place: Location) -> Row:
    """Its title, who would win in culture and by how much, and what is known of a duel."""
    title = f"{place.letter} {title_in(scene, place, TITLE_CELLS - 2)}"
    return [
        Span(pad(title, TITLE_CELLS), LIT), Span(" "),
        *_culture(scene, place), *_duel(scene, place),
    ]  # fmt: skip


def _culture(scene: Scene, place: Location) -> Row:
    words, (bracket, style) = scene.words, BRACKETS[CULTURE_SPACE]
    row: Row = [Span(f"{bracket} ", style)]
    if not place.owners:
        return [*row, Span(pad(words("renaissance.nobody"), CULTURE_CELLS), FAINT)]
    ranked = ranked_in_culture(scene.view, place, place.owners)
    told = words.listed(f"{scene.name_of(seat)} {words.name('face', SYMBOLS[at])} {count}"
                        for seat, at, count in ranked)  # fmt: skip
    (first, _, most), *others = ranked
    lead = most - (others[0][2] if others else 0)
    level = "renaissance.level_short" if others else "renaissance.nothing"
    verdict = _wins(scene, first, lead) if lead else words(level)
    free = CULTURE_CELLS - cell_len(told) - 2
    return [*row, Span(f"{told}: "), Span(pad(verdict, free), GOOD if lead else MUTED)]


def _wins(scene: Scene, seat: Player, number: int) -> str:
    if seat == scene.view.seat:
        return scene.words("renaissance.win", number=number)
    return scene.words("renaissance.wins", name=scene.name_of(seat), number=number)


def _duel(scene: Scene, place: Location) -> Row:
    """The stake, and how many characters lie hidden before those who stand there."""
    words, (bracket, style) = scene.words, BRACKETS[PERSON_SPACE]
    row: Row = [Span(f"{bracket} ", style), Span(words("renaissance.duel", stake=place.stake))]
    hidden = [
        f"{scene.name_of(seat)} "
        + words("renaissance.hidden", number=len(scene.view.zones[f"seat{seat}.persons"]))
        for seat in place.owners
    ]
    return [*row, Span(f": {words.listed(hidden)}", MUTED)] if hidden else row


# ---- rows ----


def everybody(scene: Scene, width: int, height: int) -> list[Row]:
    """What the rows of every seat count, and beside that their cards."""
    seats, rows = range(scene.view.players), list[Row]()
    told = [_counts(scene, seat) for seat in seats]
    cells = min(max(map(row_width, told)), COUNTS_CELLS)
    for counts, seat in zip(told, seats, strict=True):
        rows.append([*fit(counts, cells), Span("   "), *_cards(scene, seat)])
    return panel(scene.words("renaissance.everybody"), rows, width, height)


def _counts(scene: Scene, seat: Player) -> Row:
    """Whole names of the symbols, and who has most of them; then the hidden characters."""
    words, look, view = scene.words, scene.model.look, scene.view
    row: Row = [chip(seat), Span(f" {scene.name_of(seat)}: ", scene.style_of(seat))]
    parts: list[Row] = []
    for symbol, name in enumerate(SYMBOLS):
        if count := symbol_count(view, seat, symbol):
            style = f"bold {color_of(look.face(name))}".strip()
            most = MOST_SIGN if is_most(view, seat, symbol) else ""
            parts.append([Span(words.name("face", name), style), Span(f" {count}{most}", LIT)])
    if persons := len(view.zones[f"seat{seat}.persons"]):
        parts.append([Span(words("renaissance.hidden", number=persons), MUTED)])
    return [*row, *_joined(parts or [[Span(words("term.empty"), FAINT)]])]


def _cards(scene: Scene, seat: Player) -> Row:
    """The cards as they lie, the top one of each row last."""
    zones = (f"seat{seat}.row{number}" for number in range(1, ROW_NUMBERS + 1))
    cards = [card_row(scene, card.face or "") for zone in zones for card in scene.view.zones[zone]]
    return _joined(cards)


def _joined(parts: list[Row]) -> Row:
    row: Row = []
    for part in parts:
        row += [Span(_BETWEEN, FAINT)] if row else []
        row += part
    return row
