"""The two scorings (6 to 8), step by step.

    score    the pieces come back                       fight    whose turn in the duel it is
    name     each names a symbol                        duel     call a person, or pass
    owe, pay the winner is paid (payment.py)            reveal   the card is judged
    settle   cards are discarded, one is kept (keep)    ready    hands are mixed before a duel

"First" is the seat that has brought the scoring about, "other" its opponent, if there is one.
"""

from __future__ import annotations

import core.games.renaissance.cards as c
from core.games.renaissance.cards import has_option
from core.games.renaissance.hands import is_person, mix_before_duel, person_total, take
from core.games.renaissance.payment import begin_debt
from core.games.renaissance.rows import discard_top, leave, row_of, symbol_count, top_value
from core.games.renaissance.stones import (
    event_at,
    event_zone,
    piece_owner,
    pieces_at,
    return_piece,
    stake_at,
)
from core.games.renaissance.story import COUNTS_IN, SCORING_OF
from core.native import i64
from core.requests import Card, Face, Request
from core.table import RulesError, Table


def ask(table: Table, phase: int, seat: int) -> None:
    """Let a seat choose, once all that is owed has been shown."""
    table.counters[c.PHASE], table.counters[c.CHOOSER] = phase, seat


def begin_scoring(table: Table) -> None:
    """6.2, 6.3: who takes part; then all pieces go back to their owners."""
    counters = table.counters
    first, at = counters[c.TURN], counters[c.SCORED]
    counters[c.OTHER] = c.NOBODY
    if table.told is not None:
        event = table.zones[event_zone(table, at)][-1]
        table.tell(SCORING_OF[counters[c.SCORED_COLOR]], first, (event,), stake_at(table, at))
    for space, piece in enumerate(pieces_at(table, at)):
        if piece:
            if piece_owner(piece) != first:
                counters[c.OTHER] = piece_owner(piece)
            return_piece(table, c.SPACES_MAX * at + space)
    counters[c.SCORINGS] += 1
    counters[c.WINNER] = counters[c.NAMED_FIRST] = counters[c.NAMED_OTHER] = c.NOBODY
    counters[c.SETTLED] = counters[c.PASSES] = counters[c.PAID] = 0
    counters[c.DUELIST] = first
    if counters[c.SCORED_COLOR] == c.BLUE:
        name_next(table)
    else:
        counters[c.PHASE] = c.READYING


# ---- 7: culture ----


def nameable(table: Table) -> tuple[int, ...]:
    """7.1, 9.2: the symbols of the event."""
    event = event_at(table, table.counters[c.SCORED])
    return c.SYMBOLS_IN[c.SYMBOL_BITS[c.FIRST_EVENT + event]]


def name_next(table: Table) -> None:
    """7.1: first and other name a symbol, one after the other; of one symbol there is no choice."""
    counters = table.counters
    symbols = nameable(table)
    if len(symbols) == 1:
        counters[c.NAMED_FIRST] = counters[c.NAMED_OTHER] = symbols[0]
    if counters[c.NAMED_FIRST] == c.NOBODY:
        ask(table, c.NAMING, counters[c.TURN])
    elif counters[c.OTHER] != c.NOBODY and counters[c.NAMED_OTHER] == c.NOBODY:
        ask(table, c.NAMING, counters[c.OTHER])
    else:
        _compare_rows(table)


def named_by(table: Table, seat: int) -> int:
    """7.1: the symbol that a seat has named."""
    counters = table.counters
    return counters[c.NAMED_FIRST] if seat == counters[c.TURN] else counters[c.NAMED_OTHER]


def _compare_rows(table: Table) -> None:
    """7.2, 7.5: the higher number wins the difference; alone one wins one's own number."""
    counters = table.counters
    first, other = counters[c.TURN], counters[c.OTHER]
    lead = _count_named(table, first, counters[c.NAMED_FIRST])
    if other != c.NOBODY:
        lead -= _count_named(table, other, counters[c.NAMED_OTHER])
    if lead > 0:
        _win(table, first, other, lead)
    elif lead < 0:
        _win(table, other, first, -lead)
    else:
        table.tell("level")
        counters[c.PHASE] = c.SETTLING


def _count_named(table: Table, seat: int, symbol: int) -> int:
    count = symbol_count(table, seat, symbol)
    if table.told is not None:
        table.tell(COUNTS_IN[symbol], seat, (), count)
    return count


def _win(table: Table, winner: int, loser: int, stones: int) -> None:
    table.counters[c.WINNER] = winner
    table.tell("wins", winner, (), stones)
    begin_debt(table, winner, loser, stones)
    table.counters[c.PHASE] = c.OWING


# ---- 8: characters ----


def ready(table: Table) -> Request | None:
    """Whoever takes part in the duel mixes the unseen cards that have come since."""
    counters = table.counters
    for seat in (counters[c.TURN], counters[c.OTHER]):
        mix = mix_before_duel(table, seat) if seat != c.NOBODY else None
        if mix is not None:
            return mix
    counters[c.PHASE] = c.FIGHTING
    return None


def fight(table: Table) -> Request | None:
    """8.2: the next in the duel calls a person or passes; who has no card at all passes."""
    counters = table.counters
    passes_needed = 1 if counters[c.OTHER] == c.NOBODY else 2
    while counters[c.PASSES] < passes_needed:
        seat = counters[c.DUELIST]
        if table.zones[c.HAND[seat]] or table.zones[c.PILE[seat]]:
            ask(table, c.DUELING, seat)
            return None
        table.tell("passes", seat)
        pass_duel(table)
    _compare_duels(table)
    return None


def pass_duel(table: Table) -> None:
    """8.2: passing is not final, but two in a row end the duel."""
    table.counters[c.PASSES] += 1
    _next_duelist(table)


def _next_duelist(table: Table) -> None:
    counters = table.counters
    first, other = counters[c.TURN], counters[c.OTHER]
    if other != c.NOBODY:
        counters[c.DUELIST] = other if counters[c.DUELIST] == first else first
    counters[c.PHASE] = c.FIGHTING


def call_up(table: Table, seat: int, card: Card, source: int) -> None:
    """8.3: turn up a card of the hand, or the top one of the pile."""
    table.counters[c.FROM_HAND] = 1 if source == c.HAND[seat] else 0
    table.counters[c.PASSES] = 0
    table.move(card, source, c.DUEL[seat])
    table.counters[c.PHASE] = c.REVEALING


def is_usable(table: Table, face: Face) -> bool:
    """8.3: whether a card of the hand may be used: a person with a symbol of the event."""
    return bool(usable_kinds(table) >> face & 1)


def usable_kinds(table: Table) -> i64:
    """8.3: the faces that may be used, as bits."""
    event = c.FIRST_EVENT + event_at(table, table.counters[c.SCORED])
    return c.PERSONS_OF[c.SYMBOL_BITS[event]]


def judge_shown(table: Table) -> None:
    """8.3: the card that has been turned up takes its place, or is refused."""
    counters = table.counters
    face = table.public_face(table.zones[c.DUEL[counters[c.DUELIST]]][-1])
    if counters[c.FROM_HAND] and not is_usable(table, face):
        raise RulesError("a card called from the hand is no character with a symbol of the event")
    assert is_person(face), "who laid it on the pile has proven that it is a person"
    _next_duelist(table)


def duel_total(table: Table, seat: int) -> int:
    """8.5, G11: what a seat's side of the duel counts: nothing below the stake."""
    total = person_total([table.public_face(card) for card in table.zones[c.DUEL[seat]]])
    return total if total >= stake_at(table, table.counters[c.SCORED]) else 0


def _duel_result(table: Table, seat: int) -> int:
    total = duel_total(table, seat)
    if table.told is not None:
        shown = person_total([table.public_face(card) for card in table.zones[c.DUEL[seat]]])
        table.tell("total" if shown == total else "below", seat, (), shown)
    return total


def _compare_duels(table: Table) -> None:
    """8.5, 8.8: the higher total wins as many stones as the stake."""
    counters = table.counters
    first, other = counters[c.TURN], counters[c.OTHER]
    lead = _duel_result(table, first) - (_duel_result(table, other) if other != c.NOBODY else 0)
    stake = stake_at(table, counters[c.SCORED])
    if lead > 0:
        _win(table, first, other, stake)
    elif lead < 0:
        _win(table, other, first, stake)
    else:
        table.tell("level")
        counters[c.PHASE] = c.SETTLING


# ---- what happens to the cards used ----


def settle(table: Table) -> Request | None:
    """7.3, 7.4, 8.6, 8.7: first and other discard what they used, and may keep one of it."""
    counters = table.counters
    while counters[c.SETTLED] < 2:
        seat = counters[c.OTHER] if counters[c.SETTLED] else counters[c.TURN]
        counters[c.SETTLED] = counters[c.SETTLED] + 1  # Faster than += when compiled.
        if seat != c.NOBODY and _settle_cards(table, seat):
            ask(table, c.KEEPING, seat)
            return None
    counters[c.PHASE] = c.RENEWING
    return None


def _settle_cards(table: Table, seat: int) -> bool:
    """Whether a seat has to choose which card it keeps."""
    winner = table.counters[c.WINNER]
    if table.counters[c.SCORED_COLOR] == c.BLUE:
        if seat == winner:
            _discard_for_win(table, seat)
        if winner != c.NOBODY:
            return False
    elif seat == winner:
        table.tell("discarded", seat, tuple(table.zones[c.DUEL[seat]]))
        for card in table.zones[c.DUEL[seat]][:]:
            table.move(card, c.DUEL[seat], c.DISCARD)
    cards = used_cards(table, seat)
    if not cards:
        return False
    kept = table.public_face(cards[-1])
    for card in cards:
        if table.public_face(card) != kept:
            return True
    table.tell("kept", seat, (cards[-1],))
    keep_used(table, seat, cards[-1])
    return False


def _discard_for_win(table: Table, seat: int) -> None:
    """7.3, G10: as many cards as stones were won, top first; or cards that show as many symbols."""
    row, left = row_of(table, seat, named_by(table, seat)), table.counters[c.PAID]
    while left > 0 and table.zones[c.ROW[seat] + row]:
        left -= top_value(table, seat, row) if has_option(table, "culture_loss", "symbols") else 1
        discard_top(table, seat, row)


def used_cards(table: Table, seat: int) -> list[Card]:
    """The cards of which a seat may keep one: its side of the duel, or the row it has named."""
    if table.counters[c.SCORED_COLOR] != c.BLUE:
        return table.zones[c.DUEL[seat]]
    row = row_of(table, seat, named_by(table, seat))
    return [] if row == c.NOBODY else table.zones[c.ROW[seat] + row]


def keep_used(table: Table, seat: int, kept: Card) -> None:
    """7.4, 8.6, 8.7: one card returns to the hand, the others are discarded."""
    is_duel = table.counters[c.SCORED_COLOR] != c.BLUE
    row = c.NOBODY if is_duel else row_of(table, seat, named_by(table, seat))
    for card in used_cards(table, seat)[::-1]:
        if is_duel and card == kept:
            take(table, seat, card, c.DUEL[seat])
        elif is_duel:
            table.move(card, c.DUEL[seat], c.DISCARD)
        else:
            leave(table, seat, row, card, c.HAND[seat] if card == kept else c.DISCARD)
        if card != kept:
            table.tell("discarded", seat, (card,))
    table.counters[c.PHASE] = c.SETTLING
