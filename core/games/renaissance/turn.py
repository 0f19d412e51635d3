"""The course of the game (2, 3, 9, 12, 13): set-up, turns, refills, new events, the end.

`advance` carries on until something is needed from outside.  Every phase that asks nobody is one
function; it returns a request, or None when the table goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import core.games.renaissance.cards as c
from core.games.renaissance.cards import has_option
from core.games.renaissance.ending import level_seats
from core.games.renaissance.hands import is_person, mix_before_actions
from core.games.renaissance.payment import owe
from core.games.renaissance.printed import SERIES
from core.games.renaissance.rows import discard_top, free_row, join, joinable, rotatable
from core.games.renaissance.scoring import ask, begin_scoring, fight, judge_shown, ready, settle
from core.games.renaissance.stones import event_zone, pieces_at, return_piece
from core.games.renaissance.story import CLOSED_AT, LAID_AT, SERIES_DRAWN
from core.requests import Choice, Over, Request, Roll, Shuffle
from core.table import HIDDEN, RulesError, Table

STONES_EACH: Final = 7  # 2.3
_DEALT: Final = 2
_DISPLAY_CARDS: Final = 4  # 2.4
_LAST_LOCATIONS: Final = 2  # 13.1
_OVER: Final = Over()
_CHOICES: Final = tuple([Choice(seat) for seat in range(c.SEATS_MAX)])  # Made once, for speed.


def advance(table: Table) -> Request:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed."""
    counters = table.counters
    while True:
        phase = counters[c.PHASE]
        if phase >= c.PLACING:
            return _CHOICES[counters[c.CHOOSER]]
        request = _STEPS[phase](table)
        if request is not None:
            return request
        if table.owed:
            return table.owed[0]


def new_counters(table: Table) -> None:
    """2.3: stones and genius markers; and the counters that begin with nobody."""
    counters = table.counters
    for seat in range(table.layout.players):
        counters[c.SUPPLY[seat] + seat], counters[c.MARKER[seat]] = STONES_EACH, 1
    for counter in (c.CHOOSER, c.TURN, c.START, c.SERIES_IN, c.LIFTED_FROM, c.SCORED, c.OTHER):
        counters[counter] = c.NOBODY


# ---- 2: set-up ----


def _draw_series(table: Table) -> Request | None:
    """2.1: one series is in play for certain, by lot unless the table has chosen it."""
    table.counters[c.PHASE] = c.SORTING
    series = table.layout.options["series"]
    if series == "lot":
        return Roll(len(SERIES))
    assert isinstance(series, str), "a series is chosen by its name"
    table.counters[c.SERIES_IN] = SERIES.index(series)
    return None


def _sort_events(table: Table) -> Request | None:
    """2.1, 2.4: the other events are shuffled; so are culture and character cards."""
    counters = table.counters
    if counters[c.SERIES_IN] == c.NOBODY:
        counters[c.SERIES_IN] = table.rolled
    table.tell(SERIES_DRAWN[counters[c.SERIES_IN]])
    zones, series = table.zones, counters[c.SERIES_IN]
    cards, zones[c.EVENT_DECK] = zones[c.EVENT_DECK], []
    for card in cards:
        is_in = c.SERIES_OF[table.public_face(card) - c.FIRST_EVENT] == series
        zones[c.EVENT_DECK if is_in else c.BOX].append(card)
    counters[c.PHASE] = c.STARTING
    return Shuffle((tuple(zones[c.BOX]), tuple(zones[c.TALON])))


def _start(table: Table) -> Request | None:
    """2.1: some unseen events are shuffled into those of the series."""
    box, deck = table.zones[c.BOX], table.zones[c.EVENT_DECK]
    first = len(box) - c.EVENTS_UNSEEN[table.layout.players]
    deck += box[first:]
    del box[first:]
    table.counters[c.PHASE] = c.ROLLING
    return Shuffle((tuple(deck),))


def _roll(table: Table) -> Request | None:
    """2.5: the start player."""
    table.counters[c.PHASE] = c.DEALING
    return Roll(table.layout.players)


def _deal(table: Table) -> Request | None:
    """2.2, 2.4: an event on every location, two cards for each seat, four in the display."""
    counters, players = table.counters, table.layout.players
    counters[c.START] = counters[c.TURN] = table.rolled
    for at in range(c.LOCATIONS[players]):
        _lay_event(table, at)
    for step in range(players):
        for _ in range(_DEALT):
            table.move(table.zones[c.TALON][-1], c.TALON, c.HAND[(table.rolled + step) % players])
    for _ in range(_DISPLAY_CARDS):
        _display(table)
    _tell_turn(table)
    ask(table, c.PLACING, counters[c.TURN])
    return None


def _lay_event(table: Table, at: int) -> None:
    card = table.zones[c.EVENT_DECK][-1]
    table.move(card, c.EVENT_DECK, event_zone(table, at))
    table.tell(LAID_AT[at], c.NOBODY, (card,))


def _display(table: Table) -> None:
    card = table.zones[c.TALON][-1]
    table.move(card, c.TALON, c.DISPLAY)
    if table.told is not None:
        table.tell("display", c.NOBODY, (card,))


def _tell_turn(table: Table) -> None:
    """Whose turn it is, and the how manieth of this seat."""
    counters = table.counters
    table.tell("turn", counters[c.TURN], (), counters[c.TURNS] // table.layout.players + 1)


# ---- 3 and 5: card actions ----


def begin_actions(table: Table) -> None:
    """3.1, 3.2: two card actions; one when a scoring has been brought about; G31."""
    counters = table.counters
    is_short = counters[c.TURNS] == 0 and has_option(table, "balance", True)
    counters[c.ACTIONS] = 1 if counters[c.SCORED] != c.NOBODY or is_short else 2
    counters[c.ACTED], counters[c.PHASE] = 0, c.MIXING


def end_action(table: Table) -> None:
    """5.3: a card action is done; gaps in the display come next."""
    counters = table.counters
    counters[c.ACTED] = counters[c.ACTED] + 1  # Faster than += when compiled.
    counters[c.ACTIONS] = counters[c.ACTIONS] - 1
    counters[c.PHASE] = c.REFILLING


def _mix(table: Table) -> Request | None:
    """The next card action, unless there is none to be done."""
    counters, zones = table.counters, table.zones
    turn = counters[c.TURN]
    if not zones[c.TALON] and zones[c.DISCARD]:
        return _restock(table)
    if zones[c.TALON] or zones[c.DISPLAY] or zones[c.HAND[turn]] or rotatable(table, turn):
        ask(table, c.ACTING, turn)
        return mix_before_actions(table, turn)
    counters[c.ACTIONS], counters[c.PHASE] = 0, c.REFILLING
    return None


def _lay(table: Table) -> Request | None:
    """5.4, 5.6: a hand card has been turned up: it joins a row or begins one, or is refused."""
    turn = table.counters[c.TURN]
    face = table.public_face(table.zones[c.LAYING[turn]][-1])
    if is_person(face):
        raise RulesError("a character was laid into a row of culture cards")
    rows = joinable(table, turn, face)
    if len(rows) > 1:
        ask(table, c.JOINING, turn)
    else:
        join(table, turn, rows[0] if rows else free_row(table, turn))
        end_action(table)
    return None


def _refill(table: Table) -> Request | None:
    """5.3, G7: the display has four cards again, as far as there are any (12.1, 12.2, G25)."""
    counters, zones = table.counters, table.zones
    while True:
        if not zones[c.TALON] and zones[c.DISCARD]:
            mix = _restock(table)
            if mix is not None:
                return mix
        if len(zones[c.DISPLAY]) >= _DISPLAY_CARDS or _waits_for_turn(table):
            break
        if zones[c.TALON]:
            _display(table)
        elif counters[c.SWEPT]:
            break
        else:
            _sweep(table)
    counters[c.SWEPT] = 0
    if counters[c.ACTIONS]:
        counters[c.PHASE] = c.MIXING
    else:
        counters[c.PHASE] = c.ENDING if counters[c.SCORED] == c.NOBODY else c.SCORING
    return None


def _waits_for_turn(table: Table) -> bool:
    """G7: whether the display is left as it is until the last action of the turn."""
    return table.counters[c.ACTIONS] > 0 and has_option(table, "refill", "turn")


def _restock(table: Table) -> Request | None:
    """12.1: the discard pile is the new talon; a single card needs no shuffle."""
    cards = table.zones[c.DISCARD]
    table.zones[c.TALON], table.zones[c.DISCARD] = cards, []
    table.tell("restocked", c.NOBODY, (), len(cards))
    return Shuffle((tuple(cards),)) if len(cards) > 1 else None


def _sweep(table: Table) -> None:
    """12.2: every seat discards the top card of each of its rows, once for a refill."""
    table.counters[c.SWEPT] = 1
    table.tell("swept")
    for seat in range(table.layout.players):
        for row in range(c.ROWS):
            if table.zones[c.ROW[seat] + row]:
                discard_top(table, seat, row)


# ---- 9 and 13: new events, the next turn, the end ----


def _renew(table: Table) -> Request | None:
    """9.1 to 9.3, G29: a new event, or a location less; with two left the game is over."""
    counters, zones = table.counters, table.zones
    at = counters[c.SCORED]
    if counters[c.SCORED_COLOR] != c.BLUE or not zones[c.EVENT_DECK]:
        table.tell("gone", c.NOBODY, tuple(zones[event_zone(table, at)]))
        for card in zones[event_zone(table, at)][:]:
            table.move(card, event_zone(table, at), c.GONE)
    counters[c.SCORED], counters[c.PHASE] = c.NOBODY, c.ENDING
    if zones[c.EVENT_DECK]:
        _lay_event(table, at)
    else:
        table.tell(CLOSED_AT[at])
        first = event_zone(table, 0)
        open_count = sum([1 for zone in zones[first:] if zone])
        if open_count == _LAST_LOCATIONS:
            counters[c.PHASE] = c.FINISHING
    return None


def _end(table: Table) -> Request | None:
    """2.5: the next turn, clockwise."""
    counters = table.counters
    counters[c.TURNS] += 1
    counters[c.TURN] = (counters[c.TURN] + 1) % table.layout.players
    if table.told is not None:
        _tell_turn(table)
    ask(table, c.PLACING, counters[c.TURN])
    return None


def _finish(table: Table) -> Request | None:
    """13.1, 13.2: pieces go back unscored; sides that are level show their hands."""
    for at in range(c.LOCATIONS[table.layout.players]):
        for space, piece in enumerate(pieces_at(table, at)):
            if piece:
                return_piece(table, c.SPACES_MAX * at + space)
    table.tell("locations")
    seats = level_seats(table)
    hidden = [card for seat in seats for card in table.zones[c.HAND[seat]]
              if table.face[card] == HIDDEN]  # fmt: skip
    for seat in seats:
        table.tell("revealed", seat, tuple(table.zones[c.HAND[seat]]))
    if hidden:
        table.owe(tuple(hidden), None)
    table.counters[c.PHASE] = c.OVER
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
