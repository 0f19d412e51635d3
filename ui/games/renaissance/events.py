"""The events as cards: title, symbols, stake, the drawn spaces, and what a piece there would do."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

from core.games.renaissance.printed import SYMBOLS
from core.requests import Player
from ui.draw.marks import BAD, CAP, FAINT, GOOD, LIT, MUTED, color_of
from ui.draw.panels import ABOUT, TITLE_AIR, Edge, Light, fill, fit, framed, wrapped
from ui.draw.scene import Scene
from ui.games.renaissance.graph import (
    CULTURE_COLOR,
    PERSON_COLOR,
    contents,
    draw_graph,
    hot_of,
    labels_at,
)
from ui.games.renaissance.position import (
    CULTURE_SPACE,
    PERSON_SPACE,
    Location,
    closed_to,
    culture_outcome,
    duel_outcome,
    locations,
    person_total,
    symbol_count,
)
from ui.ink import Row, Span, beside, pad, row_width

EVENT_ROWS_MAX: Final = 14
_YEAR: Final = re.compile(r"(?:, |、)\d{4}$")
BRACKETS: Final = {CULTURE_SPACE: ("( )", CULTURE_COLOR), PERSON_SPACE: ("[ ]", PERSON_COLOR)}


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
    """The event that is being looked at, and each other one as a line."""
    here = scene.cursor or scene.typed or scene.read.removeprefix(ABOUT)
    letter = here.removeprefix("g")[:1]
    shown = next((place for place in places if place.letter == letter), None)
    scored = scene.view.counters["scored"]
    if shown is None:
        shown = places[scored] if scored >= 0 else _first_open(scene, places)
    others = [place for place in places if place is not shown]
    rows = draw_event(scene, shown, width, max(height - len(others), 5))
    return fill([*rows, *(_line(scene, place, width) for place in others)], width, height)


def _first_open(scene: Scene, places: list[Location]) -> Location:
    return next((place for place in places if any(labels_at(scene, place))), places[0])


def _line(scene: Scene, place: Location, width: int) -> Row:
    labels = labels_at(scene, place)
    row: Row = [Span(f" {place.letter} ", CAP if any(labels) else FAINT)]
    row.append(Span(" " + pad(title_of(scene, place), width - 45), MUTED))
    for space, label in enumerate(labels):
        assert place.event is not None, "a closed location has no spaces"
        opened, closed = "()" if place.event.plan.spaces[space] == CULTURE_SPACE else "[]"
        color = CULTURE_COLOR if opened == "(" else PERSON_COLOR
        inside = [span._replace(text=span.text.strip()) for span in contents(place, space, label)]
        hot = hot_of(place, space, label)
        row += [Span(opened, color, hot), *inside, Span(closed, color, hot)]
    return fit([*row, Span("  "), *_short_note(scene, place, labels)], width)


def title_of(scene: Scene, place: Location) -> str:
    """What lies there."""
    words = scene.words
    return words.name("face", place.face) if place.face else words("renaissance.closed")


def _title_in(scene: Scene, place: Location, width: int) -> str:
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
    title = [*name, Span(f" {_title_in(scene, place, room)}", style)]
    corner = [Span(who_may(scene, place), FAINT if is_dim else MUTED)]
    if place.event is None:
        return framed([], (width, height), Edge(kind, edge, title, corner))
    inner = width - 4
    note_rows = 2 if height >= 11 else 1
    note = wrapped(note_of(scene, place, labels), inner)
    if len(note) > note_rows:
        note = [_short_note(scene, place, labels) or note[0]]
    rows = [
        _symbols(scene, place, inner, is_dim),
        *draw_graph(scene, place, inner, height - 3 - note_rows)[: height - 3 - note_rows],
        *note[:note_rows],
    ]
    return framed(rows, (width, height), Edge(kind, edge, title, corner))


def _light(scene: Scene, place: Location, labels: list[str]) -> Light:
    is_typed = scene.typed.removeprefix("g") == place.letter and any(labels)
    if _is_scored(scene, place) or is_typed or (scene.cursor and scene.cursor in labels):
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
    words, look = scene.words, scene.picture.look
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


# ---- what it means ----


def note_of(scene: Scene, place: Location, labels: list[str]) -> Row:
    """What a piece on the space under the cursor does; else the first space that would score."""
    view, words = scene.view, scene.words
    if _is_scored(scene, place):
        return _scored(scene, place)
    seat = view.seat
    if seat is None or not any(labels):
        reason = closed_to(view, place, seat) if seat is not None else ""
        return [Span(words(f"renaissance.{reason}"), FAINT)] if reason else _missing(scene, place)
    spaces = [space for space, label in enumerate(labels) if label and not place.pieces[space]]
    if scene.cursor and scene.cursor in labels:
        spaces = [labels.index(scene.cursor)]
    filling = [space for space in spaces if place.filled_by(space)]
    if not filling:
        return _missing(scene, place)
    first, *more = (_filling(scene, place, space, seat) for space in filling[:2])
    return [*first, *(part for each in more for part in (Span("· ", MUTED), *each))]


def _short_note(scene: Scene, place: Location, labels: list[str]) -> Row:
    """What matters most of a note, where the card has one row for it."""
    if _is_scored(scene, place):
        return _scored(scene, place, is_short=True)
    seat = scene.view.seat
    filling = [space for space, label in enumerate(labels) if label and place.filled_by(space)]
    if seat is None or not filling:
        return []
    is_here = scene.cursor and scene.cursor in labels
    space = labels.index(scene.cursor) if is_here else filling[0]
    color = place.filled_by(space)
    number = Span(f" {space + 1} ", CAP, labels[space])
    return [number, Span(" "), *_verdict(scene, place, color, seat)] if color else []


def _missing(scene: Scene, place: Location) -> Row:
    """How many spaces of each color are still free."""
    row: Row = []
    for color, (bracket, style) in BRACKETS.items():
        free = place.free_of(color)
        if place.spaces_of(color):
            text = scene.words("renaissance.free", number=free)
            row += [Span(bracket, style), Span(f" {text}  ", MUTED)]
    if not any(place.pieces):  # Last: where there is one row for it, the rest is worth more.
        row.append(Span(scene.words("renaissance.any_space"), MUTED))
    return row


def _filling(scene: Scene, place: Location, space: int, seat: Player) -> Row:
    color = place.filled_by(space)
    bracket, style = BRACKETS[color]
    words = scene.words
    row: Row = [
        Span(words("renaissance.fills", space=space + 1), LIT),
        Span(f" {bracket}", style),
        Span(": ", MUTED),
    ]
    if color == CULTURE_SPACE:
        out = culture_outcome(scene.view, place, seat)
        name = words.name("face", out.symbol)
        key = "renaissance.alone" if out.other is None else "renaissance.to"
        other = "" if out.other is None else scene.name_of(out.other)
        row.append(Span(words(key, what=name, mine=out.mine, theirs=out.theirs, name=other)))
    else:
        out = duel_outcome(scene.view, place, seat)
        key = "renaissance.duel_alone" if out.other is None else "renaissance.duel_to"
        other = "" if out.other is None else scene.name_of(out.other)
        values = {"stake": place.stake, "mine": out.mine, "theirs": out.theirs, "name": other}
        row.append(Span(words(key, **values)))
    return [*row, Span(" "), *_verdict(scene, place, color, seat), Span("  ")]


def _verdict(scene: Scene, place: Location, color: str, seat: Player) -> Row:
    words = scene.words
    if color == PERSON_SPACE:
        out = duel_outcome(scene.view, place, seat)
        if out.other is None:  # 8.8: alone one must reach the stake.
            if out.mine < place.stake:
                return [Span(words("renaissance.level"), MUTED)]
            return [Span(words("renaissance.win", number=place.stake), GOOD)]
        return [Span(words("renaissance.duel", stake=place.stake), LIT)]
    out = culture_outcome(scene.view, place, seat)
    lead = out.mine - out.theirs
    if lead > 0:
        return [Span(words("renaissance.win", number=lead), GOOD)]
    if lead < 0:
        return [Span(words("renaissance.lose", number=-lead), BAD)]
    return [Span(words("renaissance.level"), MUTED)]


def _is_scored(scene: Scene, place: Location) -> bool:
    """Whether a scoring comes next here, or is going on."""
    return scene.view.counters["scored"] == place.at and scene.view.phase != "place"


def _scored(scene: Scene, place: Location, *, is_short: bool = False) -> Row:
    """The scoring that comes next, or is going on: what was named, or how the duel stands."""
    view, words = scene.view, scene.words
    counters = view.counters
    if any(place.pieces) and view.seat is not None:
        color = CULTURE_SPACE if counters["scored.color"] == 0 else PERSON_SPACE
        verdict = _verdict(scene, place, color, view.seat)
        return verdict if is_short else [Span(words("renaissance.next"), LIT), Span("  "), *verdict]
    seats = [seat for seat in (counters["turn"], counters["other"]) if seat >= 0]
    parts = []
    if counters["scored.color"] == 0:
        named = dict(zip(seats, (counters["named.first"], counters["named.other"]), strict=False))
        for seat, symbol in named.items():
            what = "?" if is_short else words("renaissance.not_named")
            if symbol >= 0:
                count = symbol_count(view, seat, symbol)
                kind = "renaissance" if is_short else "face"
                what = f"{words.name(kind, SYMBOLS[symbol])} {count}"
            parts.append(f"{scene.name_of(seat)}: {what}")
        title = words("renaissance.culture")
    else:
        duels = [(seat, view.zones[f"seat{seat}.duel"]) for seat in seats]
        parts = [f"{scene.name_of(seat)} {person_total(cards)}" for seat, cards in duels]
        title = words("renaissance.duel", stake=place.stake)
    heading = [] if is_short else [Span(f"{title}  ", LIT)]
    return [*heading, Span("   ".join(parts))]
