"""The events as cards: title, symbols, stake, the drawn spaces, and what a piece there would do."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import CAP, FAINT, LIT, MUTED, YOU, color_of
from ui.draw.panels import ABOUT, TITLE_AIR, Edge, Light, fill, fit, framed, window
from ui.draw.scene import Scene
from ui.games.renaissance.graph import (
    CULTURE_COLOR,
    PERSON_COLOR,
    contents,
    draw_graph,
    hot_of,
    labels_at,
)
from ui.games.renaissance.notes import is_scored, notes_of, short_note
from ui.games.renaissance.position import CULTURE_SPACE, Location, closed_to, locations
from ui.terminal.spans import Row, Span, beside, row_width

EVENT_ROWS_MAX: Final = 14
_YEAR: Final = re.compile(r"(?:, |、)\d{4}$")
EVENT_ROWS_MIN: Final = 6  # A frame, the symbols, two rows of spaces, a note.
TWO_NOTES_ROWS: Final = 8


def draw_events(scene: Scene, width: int, height: int) -> list[Row]:
    """All of them in two rows; one and the others as lines where there is little room."""
    places = locations(scene.view)
    if height < 12:
        return _one_and_lines(scene, places, width, height)
    across = 2 if len(places) <= 4 else 3
    lines = (len(places) + across - 1) // across
    each, rows = min(height // lines, EVENT_ROWS_MAX), list[Row]()
    for start in range(0, len(places), across):
        line = places[start : start + across]
        cells = [width // across + (at < width % across) for at in range(across)]
        blocks = [draw_event(scene, place, cells[at], each) for at, place in enumerate(line)]
        rows += fill(beside(blocks), width, each)
    return rows


def _one_and_lines(scene: Scene, places: list[Location], width: int, height: int) -> list[Row]:
    """The event that is being looked at, and each other one as a line; all as lines, if need be."""
    here = scene.cursor or scene.typed or scene.read.removeprefix(ABOUT)
    letter = here.removeprefix("g")[:1]
    shown = next((place for place in places if place.letter == letter), None)
    scored = scene.view.counters["scored"]
    if shown is None:
        shown = places[scored] if scored >= 0 else _first_open(scene, places)
    others = [place for place in places if place is not shown]
    room = height - len(others)
    if room < EVENT_ROWS_MIN:  # A card without all its spaces would say something else.
        at = places.index(shown)
        return window(_lines(scene, places, width), height, at, width)
    return fill(
        [*draw_event(scene, shown, width, room), *_lines(scene, others, width)], width, height
    )


def _first_open(scene: Scene, places: list[Location]) -> Location:
    return next((place for place in places if any(labels_at(scene, place))), places[0])


def _lines(scene: Scene, places: list[Location], width: int) -> list[Row]:
    """A line for each: its symbols and spaces, then what a piece would do, or the title."""
    heads = [_symbols_line(scene, place) for place in places]
    spaces = [_spaces_line(scene, place) for place in places]
    columns = max(map(row_width, heads)), max(map(row_width, spaces))
    return [
        _line(scene, place, [*fit(head, columns[0]), *fit(spots, columns[1])], width)
        for place, head, spots in zip(places, heads, spaces, strict=True)
    ]


def _line(scene: Scene, place: Location, head: Row, width: int) -> Row:
    labels, is_next = labels_at(scene, place), is_scored(scene, place)
    letter = Span(f" {place.letter} ", CAP if any(labels) else LIT if is_next else FAINT)
    room = width - row_width(head) - cell_len(letter.text) - 2
    told = short_note(scene, place, labels, room) if place.event else []
    if not told:
        stake = scene.words("renaissance.stake", number=place.stake)
        before = f"{stake}  " if place.stake > 1 else ""
        title = title_in(scene, place, room - cell_len(before))
        told = [Span(before), Span(title, MUTED)]
    return fit([letter, Span(" "), *head, Span(" "), *told], width)


def _symbols_line(scene: Scene, place: Location) -> Row:
    row: Row = []
    for symbol in place.event.symbols if place.event else ():
        style = f"bold {color_of(scene.model.look.face(symbol))}"
        row += [Span(scene.words.name("renaissance", symbol), style), Span(" ")]
    return row


def _spaces_line(scene: Scene, place: Location) -> Row:
    row: Row = []
    labels = labels_at(scene, place)
    for space, label in enumerate(labels):
        assert place.event is not None, "a closed location has no spaces"
        is_culture = place.event.plan.spaces[space] == CULTURE_SPACE
        hot = hot_of(place, space, label)
        style = CULTURE_COLOR if is_culture else PERSON_COLOR
        style = YOU if hot in (scene.cursor, scene.read) else style
        inside = [span._replace(text=span.text.strip()) for span in contents(place, space, label)]
        opened, closed = "()" if is_culture else "[]"
        row += [Span(opened, style, hot), *inside, Span(closed, style, hot)]
    return row


def title_of(scene: Scene, place: Location) -> str:
    """What lies there; nothing as yet in a set-up."""
    words = scene.words
    if not place.face:
        return "" if scene.view.zones["events"] else words("renaissance.closed")
    return words.name("face", place.face)


def title_in(scene: Scene, place: Location, width: int) -> str:
    """The title; where it is too long, without its year, which nobody plays by, or a short one."""
    title, key = title_of(scene, place), f"renaissance.short.{place.face}"
    bare = _YEAR.sub("", title)
    short = scene.words(key) if scene.words.has(key) else bare
    return next((each for each in (title, bare) if cell_len(each) <= width), short)


def draw_event(scene: Scene, place: Location, width: int, height: int) -> list[Row]:
    """A card of this size."""
    labels = labels_at(scene, place)
    light = _light(scene, place, labels)
    is_dim = light is Light.FAINT
    kind = "heavy" if light is Light.CHOSEN else "round"
    edge = {Light.CHOSEN: "$accent", Light.LEGAL: "$foreground"}.get(light, "$rule")
    style = FAINT if is_dim else LIT if light is not Light.QUIET else MUTED
    name = [Span(place.letter, style)]
    if any(labels) and place.event:
        name = [Span(f" {place.letter} ", CAP, next(filter(None, labels)))]
    room = width - TITLE_AIR - row_width(name) - 1
    title = [*name, Span(f" {title_in(scene, place, room)}", style)]
    corner = [Span(who_may(scene, place), FAINT if is_dim else MUTED)]
    if place.event is None:
        return framed([], (width, height), Edge(kind, edge, title, corner))
    inner = width - 4
    note_rows = 2 if height >= TWO_NOTES_ROWS else 1
    room = height - 3 - note_rows
    rows = [
        _symbols(scene, place, inner, is_dim),
        *draw_graph(scene, place, inner, room)[:room],
        *notes_of(scene, place, labels, inner, note_rows),
    ]
    return framed(rows, (width, height), Edge(kind, edge, title, corner))


def _light(scene: Scene, place: Location, labels: list[str]) -> Light:
    is_typed = scene.typed.removeprefix("g") == place.letter and any(labels)
    if is_scored(scene, place) or is_typed or (scene.cursor and scene.cursor in labels):
        return Light.CHOSEN
    if any(labels):
        return Light.LEGAL
    seat = scene.view.seat
    is_closed = seat is not None and bool(closed_to(scene.view, place, seat))
    return Light.FAINT if is_closed else Light.QUIET


def who_may(scene: Scene, place: Location) -> str:
    """Who may place here."""
    if place.between is None:
        return scene.words("renaissance.everyone")
    one, other = place.between
    if other == scene.view.seat:
        one, other = other, one
    names = {"one": scene.name_of(one), "other": scene.name_of(other)}
    return scene.words("renaissance.between", **names)


def _symbols(scene: Scene, place: Location, width: int, is_dim: bool) -> Row:
    assert place.event is not None, "a closed location has no symbols"
    words, look = scene.words, scene.model.look
    stake = Span(f" {words('renaissance.stake', number=place.stake)}", FAINT if is_dim else LIT)
    row: Row = []
    for kind in ("face", "renaissance"):  # Whole names; short ones where those are too long.
        row = []
        for symbol in place.event.symbols:
            style = FAINT if is_dim else f"bold {color_of(look.face(symbol))}"
            row += [Span(words.name(kind, symbol), style), Span(" ")]
        row.append(stake)
        if row_width(row) <= width:
            break
    return row
