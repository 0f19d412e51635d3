"""The course of the game (2, 3, 9, 12, 13): set-up, turns, refills, new events, the end.

`advance` carries on until something is needed from outside.  Every phase that asks nobody is one
function; it returns a request, or None when the table goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.games.renaissance.cards import (
    ACTED,
    ACTING,
    ACTIONS,
    BLUE,
    BOX,
    CHOOSER,
    DEALING,
    DISCARD,
    DISPLAY,
    ENDING,
    EVENT_DECK,
    EVENTS_UNSEEN,
    FINISHING,
    FIRST_EVENT,
    GONE,
    HAND,
    JOINING,
    LAYING,
    LIFTED_FROM,
    LOCATIONS,
    MARKER,
    MIXING,
    NOBODY,
    OTHER,
    OVER,
    PHASE,
    PLACING,
    REFILLING,
    ROLLING,
    ROW,
    ROWS,
    SCORED,
    SCORED_COLOR,
    SCORING,
    SEATS_MAX,
    SERIES_IN,
    SERIES_OF,
    SORTING,
    SPACES_MAX,
    START,
    STARTING,
    SUPPLY,
    SWEPT,
    TALON,
    TURN,
    TURNS,
    has_option,
)
from core.games.renaissance.ending import level_seats
from core.games.renaissance.hands import is_person, mix_before_actions
from core.games.renaissance.payment import owe
from core.games.renaissance.printed import SERIES
from core.games.renaissance.rows import discard_top, free_row, join, joinable, rotatable
from core.games.renaissance.scoring import ask, begin_scoring, fight, judge_shown, ready, settle
from core.games.renaissance.stones import event_zone, pieces_at, return_piece
from core.requests import Choice, Over, Request, Roll, Shuffle
from core.table import HIDDEN, RulesError, Table

STONES_EACH: Final = 7  # 2.3
_DEALT: Final = 2
_DISPLAY_CARDS: Final = 4  # 2.4
_LAST_LOCATIONS: Final = 2  # 13.1
_OVER: Final = Over()
_CHOICES: Final = tuple([Choice(seat) for seat in range(SEATS_MAX)])  # Made once, for speed.


def advance(table: Table) -> Request:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed."""
    counters = table.counters
    while True:
        phase = counters[PHASE]
        if phase >= PLACING:
            return _CHOICES[counters[CHOOSER]]
        request = _STEPS[phase](table)
        if request is not None:
            return request
        if table.owed:
            return table.owed[0]


def new_counters(table: Table) -> None:
    """2.3: stones and genius markers; and the counters that begin with nobody."""
    counters = table.counters
    for seat in range(table.layout.players):
        counters[SUPPLY[seat] + seat], counters[MARKER[seat]] = STONES_EACH, 1
    for counter in (CHOOSER, TURN, START, SERIES_IN, LIFTED_FROM, SCORED, OTHER):
        counters[counter] = NOBODY


# ---- 2: set-up ----


def _draw_series(table: Table) -> Request | None:
    """2.1: one series is in play for certain, by lot unless the table has chosen it."""
    table.counters[PHASE] = SORTING
    series = table.layout.options["series"]
    if series == "lot":
        return Roll(len(SERIES))
    assert isinstance(series, str), "a series is chosen by its name"
    table.counters[SERIES_IN] = SERIES.index(series)
    return None


def _sort_events(table: Table) -> Request | None:
    """2.1, 2.4: the other events are shuffled; so are culture and character cards."""
    counters = table.counters
    if counters[SERIES_IN] == NOBODY:
        counters[SERIES_IN] = table.rolled
    for card in table.zones[EVENT_DECK][:]:
        if SERIES_OF[table.public_face(card) - FIRST_EVENT] != counters[SERIES_IN]:
            table.move(card, EVENT_DECK, BOX)
    counters[PHASE] = STARTING
    return Shuffle((tuple(table.zones[BOX]), tuple(table.zones[TALON])))


def _start(table: Table) -> Request | None:
    """2.1: some unseen events are shuffled into those of the series."""
    for card in table.zones[BOX][-EVENTS_UNSEEN[table.layout.players] :]:
        table.move(card, BOX, EVENT_DECK)
    table.counters[PHASE] = ROLLING
    return Shuffle((tuple(table.zones[EVENT_DECK]),))


def _roll(table: Table) -> Request | None:
    """2.5: the start player."""
    table.counters[PHASE] = DEALING
    return Roll(table.layout.players)


def _deal(table: Table) -> Request | None:
    """2.2, 2.4: an event on every location, two cards for each seat, four in the display."""
    counters, players = table.counters, table.layout.players
    counters[START] = counters[TURN] = table.rolled
    for at in range(LOCATIONS[players]):
        _lay_event(table, at)
    for step in range(players):
        for _ in range(_DEALT):
            table.move(table.zones[TALON][-1], TALON, HAND[(table.rolled + step) % players])
    for _ in range(_DISPLAY_CARDS):
        table.move(table.zones[TALON][-1], TALON, DISPLAY)
    ask(table, PLACING, counters[TURN])
    return None


def _lay_event(table: Table, at: int) -> None:
    table.move(table.zones[EVENT_DECK][-1], EVENT_DECK, event_zone(table, at))


# ---- 3 and 5: card actions ----


def begin_actions(table: Table) -> None:
    """3.1, 3.2: two card actions; one when a scoring has been brought about; G31."""
    counters = table.counters
    is_short = counters[TURNS] == 0 and has_option(table, "balance", True)
    counters[ACTIONS] = 1 if counters[SCORED] != NOBODY or is_short else 2
    counters[ACTED], counters[PHASE] = 0, MIXING


def end_action(table: Table) -> None:
    """5.3: a card action is done; gaps in the display come next."""
    table.counters[ACTED] += 1
    table.counters[ACTIONS] -= 1
    table.counters[PHASE] = REFILLING


def _mix(table: Table) -> Request | None:
    """The next card action, unless there is none to be done."""
    counters, zones = table.counters, table.zones
    turn = counters[TURN]
    if not zones[TALON] and zones[DISCARD]:
        return _restock(table)
    if zones[TALON] or zones[DISPLAY] or zones[HAND[turn]] or rotatable(table, turn):
        ask(table, ACTING, turn)
        return mix_before_actions(table, turn)
    counters[ACTIONS], counters[PHASE] = 0, REFILLING
    return None


def _lay(table: Table) -> Request | None:
    """5.4, 5.6: a hand card has been turned up: it joins a row or begins one, or is refused."""
    turn = table.counters[TURN]
    face = table.public_face(table.zones[LAYING[turn]][-1])
    if is_person(face):
        raise RulesError("a person was laid into a row of culture cards")
    rows = joinable(table, turn, face)
    if len(rows) > 1:
        ask(table, JOINING, turn)
    else:
        join(table, turn, rows[0] if rows else free_row(table, turn))
        end_action(table)
    return None


def _refill(table: Table) -> Request | None:
    """5.3, G7: the display has four cards again, as far as there are any (12.1, 12.2, G25)."""
    counters, zones = table.counters, table.zones
    is_later = counters[ACTIONS] > 0 and has_option(table, "refill", "turn")
    while True:
        if not zones[TALON] and zones[DISCARD]:
            mix = _restock(table)
            if mix is not None:
                return mix
        if is_later or len(zones[DISPLAY]) >= _DISPLAY_CARDS:
            break
        if zones[TALON]:
            table.move(zones[TALON][-1], TALON, DISPLAY)
        elif counters[SWEPT]:
            break
        else:
            _sweep(table)
    counters[SWEPT] = 0
    if counters[ACTIONS]:
        counters[PHASE] = MIXING
    else:
        counters[PHASE] = ENDING if counters[SCORED] == NOBODY else SCORING
    return None


def _restock(table: Table) -> Request | None:
    """12.1: the discard pile is the new talon; a single card needs no shuffle."""
    cards = table.zones[DISCARD]
    table.zones[TALON], table.zones[DISCARD] = cards, []
    return Shuffle((tuple(cards),)) if len(cards) > 1 else None


def _sweep(table: Table) -> None:
    """12.2: every seat discards the top card of each of its rows, once for a refill."""
    table.counters[SWEPT] = 1
    for seat in range(table.layout.players):
        for row in range(ROWS):
            if table.zones[ROW[seat] + row]:
                discard_top(table, seat, row)


# ---- 9 and 13: new events, the next turn, the end ----


def _renew(table: Table) -> Request | None:
    """9.1 to 9.3, G29: a new event, or a location less; with two left the game is over."""
    counters, zones = table.counters, table.zones
    at = counters[SCORED]
    if counters[SCORED_COLOR] != BLUE or not zones[EVENT_DECK]:
        for card in zones[event_zone(table, at)][:]:
            table.move(card, event_zone(table, at), GONE)
    counters[SCORED], counters[PHASE] = NOBODY, ENDING
    if zones[EVENT_DECK]:
        _lay_event(table, at)
    else:
        first = event_zone(table, 0)
        open_count = sum([1 for zone in zones[first:] if zone])
        if open_count == _LAST_LOCATIONS:
            counters[PHASE] = FINISHING
    return None


def _end(table: Table) -> Request | None:
    """2.5: the next turn, clockwise."""
    counters = table.counters
    counters[TURNS] += 1
    counters[TURN] = (counters[TURN] + 1) % table.layout.players
    ask(table, PLACING, counters[TURN])
    return None


def _finish(table: Table) -> Request | None:
    """13.1, 13.2: pieces go back unscored; sides that are level show their hands."""
    for at in range(LOCATIONS[table.layout.players]):
        for space, piece in enumerate(pieces_at(table, at)):
            if piece:
                return_piece(table, SPACES_MAX * at + space)
    seats = level_seats(table)
    hidden = [card for seat in seats for card in table.zones[HAND[seat]]
              if table.face[card] == HIDDEN]  # fmt: skip
    if hidden:
        table.owe(tuple(hidden), None)
    table.counters[PHASE] = OVER
    return None


def _score(table: Table) -> Request | None:
    begin_scoring(table)
    return None


def _judge(table: Table) -> Request | None:
    judge_shown(table)
    return None


def _over(_: Table) -> Request | None:
    return _OVER


_STEPS: Final[tuple[Callable[[Table], Request | None], ...]] = (  # By phase, up to `over`.
    _draw_series, _sort_events, _start, _roll, _deal, _mix, _lay, _refill, _score, ready, fight,
    _judge, owe, settle, _renew, _end, _finish, _over,
)  # fmt: skip
