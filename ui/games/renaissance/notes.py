"""The last rows of an event: what a piece there would do, who leads, or how its scoring stands.

Each note is a list of rows that say the same, the longest first; the first that fits is drawn.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from core.games.renaissance.printed import SYMBOLS
from core.requests import Player
from ui.draw.marks import BAD, CAP, FAINT, GOOD, LIT, MUTED
from ui.draw.panels import wrapped
from ui.draw.scene import Scene
from ui.games.renaissance.graph import CULTURE_COLOR, PERSON_COLOR
from ui.games.renaissance.position import (
    CULTURE_SPACE,
    PERSON_SPACE,
    Location,
    closed_to,
    culture_outcome,
    duel_outcome,
    person_total,
    ranked_in_culture,
    symbol_count,
)
from ui.terminal.spans import Row, Span, row_width

Note: TypeAlias = list[Row]
BRACKETS: Final = {CULTURE_SPACE: ("( )", CULTURE_COLOR), PERSON_SPACE: ("[ ]", PERSON_COLOR)}


def notes_of(
    scene: Scene, place: Location, labels: list[str], width: int, height: int
) -> list[Row]:
    """At most so many rows."""
    if is_scored(scene, place):
        notes = _scored(scene, place)
        if len(notes) < height and row_width(notes[0][0]) > width:
            return wrapped(notes[0][0], width)[:height]
    elif filling := _filling(scene, place, labels):
        return _outcome_rows(scene, place, labels, filling, (width, height))
    else:
        notes = _quiet(scene, place, labels)
    return [_fitting(note, width) for note in notes if note][:height]


def short_note(scene: Scene, place: Location, labels: list[str], width: int) -> Row:
    """What a piece there would do, or how its scoring stands, in one row; nothing else."""
    if is_scored(scene, place):
        return _fitting(_scored(scene, place)[0], width)
    if filling := _filling(scene, place, labels):
        return _together(scene, place, labels, filling, width)
    return []


def _fitting(note: Note, width: int) -> Row:
    return next((row for row in note if row_width(row) <= width), note[-1])


def is_scored(scene: Scene, place: Location) -> bool:
    """Whether a scoring comes next here, or is going on."""
    return scene.view.counters["scored"] == place.at and scene.view.phase != "place"


# ---- what a piece would do ----


def _filling(scene: Scene, place: Location, labels: list[str]) -> list[int]:
    """The spaces that would start a scoring; under the cursor, that one alone."""
    spaces = [space for space, label in enumerate(labels) if label and place.filled_by(space)]
    if scene.view.seat is None or scene.cursor not in filter(None, labels):
        return spaces
    here = labels.index(scene.cursor)
    return [here] if here in spaces else []


def _outcome_rows(
    scene: Scene, place: Location, labels: list[str], filling: list[int], size: tuple[int, int]
) -> list[Row]:
    """A row for each space that would start a scoring; one for both, where there is one."""
    width, height = size
    notes = [_outcome(scene, place, space, labels[space]) for space in filling]
    if len(notes) > height:
        return [_together(scene, place, labels, filling, width)]
    if len(notes) > 1:
        return [_fitting(note, width) for note in notes]
    broken = wrapped(notes[0][0], width)
    if 1 < len(broken) <= height:
        return broken
    return [_fitting(notes[0], width), _free(scene, place)[-1]][:height]


def _together(
    scene: Scene, place: Location, labels: list[str], filling: list[int], width: int
) -> Row:
    notes = [_outcome(scene, place, space, labels[space]) for space in filling]
    rows = []
    for length in (-2, -1):
        first, *more = (note[length] for note in notes)
        rows.append([*first, *(part for each in more for part in (Span("  "), *each))])
    return _fitting(rows, width)


def _outcome(scene: Scene, place: Location, space: int, label: str) -> Note:
    """Its key, which spaces it fills, what is compared, and who would win."""
    color, spot = place.filled_by(space), f"{place.letter}{space + 1}"
    words, (bracket, style) = scene.words, BRACKETS[color]
    key, bare = Span(f" {spot} ", CAP, label), Span(spot, CAP, label)
    fills = [Span(f" {words('renaissance.fills')} ", LIT), Span(bracket, style), Span(":", MUTED)]
    reason = [Span(f" {_reason(scene, place, color)} ")]
    verdict, short = (_verdict(scene, place, color, is_short=each) for each in (False, True))
    return [
        [key, *fills, *reason, verdict], [key, *reason, verdict], [key, *reason, short],
        [key, Span(" "), short], [bare, Span(" "), short],
    ]  # fmt: skip


def _reason(scene: Scene, place: Location, color: str) -> str:
    """The numbers that would be compared, mine first."""
    words, seat = scene.words, scene.view.seat
    assert seat is not None, "only who has a seat is asked for a space"
    if color == PERSON_SPACE:
        out = duel_outcome(scene.view, place, seat)
        if out.other is None:
            return words("renaissance.duel_alone", mine=out.mine)
        name = scene.name_of(out.other)
        return words("renaissance.duel_to", mine=out.mine, theirs=out.theirs, name=name)
    out = culture_outcome(scene.view, place, seat)
    what = words.name("face", out.symbol)
    if out.other is None:
        return words("renaissance.alone", what=what, mine=out.mine)
    key = "renaissance.to" if out.symbol == out.their_symbol else "renaissance.apart"
    name, other = scene.name_of(out.other), words.name("face", out.their_symbol)
    return words(key, what=what, mine=out.mine, theirs=out.theirs, name=name, other=other)


def _verdict(scene: Scene, place: Location, color: str, *, is_short: bool = False) -> Span:
    words, seat = scene.words, scene.view.seat
    assert seat is not None, "only who has a seat is asked for a space"
    is_duel = color == PERSON_SPACE
    out = (duel_outcome if is_duel else culture_outcome)(scene.view, place, seat)
    if is_duel and out.other is not None:
        return Span(words("renaissance.duel", stake=place.stake), LIT)
    lead = out.mine - out.theirs
    if is_duel:  # 8.8: alone one must reach the stake.
        lead = place.stake if out.mine >= place.stake else 0
    if lead > 0:
        return Span(words("renaissance.win", number=lead), GOOD)
    if lead < 0:
        return Span(words("renaissance.lose", number=-lead), BAD)
    if out.other is None:
        return Span(words("renaissance.nothing"), MUTED)
    return Span(words(f"renaissance.level{'_short' * is_short}"), MUTED)


# ---- where nothing would be scored ----


def _quiet(scene: Scene, place: Location, labels: list[str]) -> list[Note]:
    """Why I cannot place there, or what is free; then who leads in culture."""
    seat = scene.view.seat
    reason = closed_to(scene.view, place, seat) if seat is not None and not any(labels) else ""
    first = _free(scene, place)
    if reason:
        first = [[Span(scene.words(f"renaissance.{reason}"), FAINT)]]
    return [first, _leaders(scene, place, any(labels))]


def _free(scene: Scene, place: Location) -> Note:
    """How many spaces of each color are still free."""
    row: Row = []
    for color, (bracket, style) in BRACKETS.items():
        if place.spaces_of(color):
            text = scene.words("renaissance.free", number=place.free_of(color))
            row += [Span(bracket, style), Span(f" {text}  ", MUTED)]
    if any(place.pieces):
        return [row]
    return [[*row, Span(scene.words("renaissance.any_space"), MUTED)], row]


def _leaders(scene: Scene, place: Location, is_open: bool) -> Note:
    """What those on the event count there, who may come on it among them."""
    view, words = scene.view, scene.words
    seats: list[Player] = place.owners
    if is_open and view.seat is not None and view.seat not in seats and len(seats) == 1:
        seats = [*seats, view.seat]
    if not seats or place.event is None:
        return []
    ranked = ranked_in_culture(view, place, seats)
    note = []
    for kind in ("face", "renaissance", ""):
        told = words.listed(
            f"{scene.name_of(seat)} {f'{words.name(kind, SYMBOLS[at])} ' if kind else ''}{count}"
            for seat, at, count in ranked
        )
        note.append([Span(words("renaissance.leads", what=told), MUTED)])
    return note


# ---- the scoring that comes next, or is going on ----


def _scored(scene: Scene, place: Location) -> list[Note]:
    view = scene.view
    color = CULTURE_SPACE if view.counters["scored.color"] == 0 else PERSON_SPACE
    if any(place.pieces):
        return _scored_soon(scene, place, color)
    counters = view.counters
    seats = [seat for seat in (counters["turn"], counters["other"]) if seat >= 0]
    if color == CULTURE_SPACE:
        return [_named(scene, seats), _compared(scene, place, _mine_first(scene, seats))]
    return _duel(scene, place, _mine_first(scene, seats))


def _mine_first(scene: Scene, seats: list[Player]) -> list[Player]:
    """As everywhere where numbers are compared: mine, then theirs."""
    return sorted(seats, key=lambda seat: seat != scene.view.seat)


def _scored_soon(scene: Scene, place: Location, color: str) -> list[Note]:
    """While the pieces stand there as yet: what I would win, or who leads."""
    soon, seat = Span(scene.words("renaissance.next"), LIT), scene.view.seat
    if seat in place.owners:
        if color == CULTURE_SPACE:  # The action itself may change it.
            soon = Span(scene.words("renaissance.next_now"), LIT)
        verdict = _verdict(scene, place, color)
        return [[[soon, Span("  "), verdict], [verdict]]]
    if color == CULTURE_SPACE:
        return [[[soon]], _leaders(scene, place, False)]
    duel = Span(scene.words("renaissance.duel", stake=place.stake), LIT)
    return [[[soon, Span("  "), duel], [duel]]]


def _named(scene: Scene, seats: list[Player]) -> Note:
    """Who has named which symbol."""
    counters, words = scene.view.counters, scene.words
    named = dict(zip(seats, (counters["named.first"], counters["named.other"]), strict=False))
    title, note = Span(f"{words('renaissance.culture')}  ", LIT), list[Row]()
    for kind, unnamed in (("face", words("renaissance.not_named")), ("renaissance", "?")):
        parts = []
        for seat in _mine_first(scene, seats):
            what, symbol = unnamed, named[seat]
            if symbol >= 0:
                count = symbol_count(scene.view, seat, symbol)
                what = f"{words.name(kind, SYMBOLS[symbol])} {count}"
            parts.append(f"{scene.name_of(seat)}: {what}")
        told = Span("   ".join(parts))
        note += [[title, told], [told]]
    return note


def _compared(scene: Scene, place: Location, seats: list[Player]) -> Note:
    """What each could name, in the same order."""
    assert place.event is not None, "a closed location is not scored"
    note = []
    for kind in ("face", "renaissance"):
        parts = []
        for symbol in place.event.symbols:
            at = SYMBOLS.index(symbol)
            counts = ":".join(str(symbol_count(scene.view, seat, at)) for seat in seats)
            parts.append(f"{scene.words.name(kind, symbol)} {counts}")
        note.append([Span("  ".join(parts), MUTED)])
    return note


def _duel(scene: Scene, place: Location, seats: list[Player]) -> list[Note]:
    """What each has called so far, and what is needed."""
    words = scene.words
    totals = {seat: person_total(scene.view.zones[f"seat{seat}.duel"]) for seat in seats}
    told = words.listed(f"{scene.name_of(seat)} {total}" for seat, total in totals.items())
    title = Span(words("renaissance.duel", stake=place.stake), LIT)
    key = "renaissance.least" if len(seats) > 1 else "renaissance.least_alone"
    need = [Span(words(key, number=place.stake), MUTED)]
    return [[[title, Span(f"  {told}")], [Span(told)]], [need]]
