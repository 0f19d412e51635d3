"""The course of the game (2, 3 and 6): set-up, draft, turns and the end, without any choice.

`advance` carries on until something is needed from outside.  Every phase that needs no choice is
one function here; it returns a request, or None when the table goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import core.games.carta.cards as c
from core.games.carta.cards import banned, has_option
from core.games.carta.effects import end_coin_turn, hand_limit, settle_coin
from core.games.carta.moves import draw, mix_hidden, mix_whole
from core.games.carta.story import HEGEMONY_OF
from core.native import i64
from core.requests import Card, Choice, Over, Request, Roll, Secret, Shuffle
from core.table import RulesError, Table

_HAND_CARDS: Final = 3
_DRAFT_CARDS: Final = 4
_BOXED: Final = tuple(card for pile in c.PILES for card in pile[:3])  # With 2 or 3 seats.
_UNBOXED: Final = tuple(card for card in range(len(c.BACKS)) if card not in _BOXED)
_OVER: Final = Over()
_CHOICES: Final = tuple(Choice(seat) for seat in range(c.SEATS_MAX))  # Made once, for speed.


def advance(table: Table) -> Request:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed."""
    counters = table.counters
    while True:
        phase = counters[c.PHASE]
        if phase == c.USING_EFFECTS:  # The commonest: imagined games come here all the time.
            return _CHOICES[counters[c.TURN]]
        if phase == c.DRAWING:
            request = _draw(table)
        elif phase == c.PLAYING_CARD:
            request = _play(table)
        else:
            step = _STEPS[phase]
            if step is None:
                seat = middle_chooser(table) if phase == c.CHOOSING_MIDDLE else counters[c.TURN]
                return _CHOICES[seat]
            request = step(table)
        if request is not None:
            return request
        if table.owed:
            return table.owed[0]


# ---- 2: set-up ----


def _shuffle(table: Table) -> Request:
    table.counters[c.PHASE] = c.ROLLING
    return Shuffle(c.PILES)  # 2.1: each age by itself.


def _roll(table: Table) -> Request:
    table.counters[c.PHASE] = c.DEALING
    if table.layout.players < 4:  # 2.1: three of every age go back unseen, from the bottom.
        table.zones[c.BOX] += _BOXED
        table.zones[c.DECK] = list(_UNBOXED)
    return Roll(table.layout.players)  # 2.2


def _deal(table: Table) -> None:
    counters, players = table.counters, table.layout.players
    counters[c.START] = counters[c.TURN] = table.rolled
    is_draft = has_option(table, "deal", "draft")
    for step in range(players):  # 2.3, 2.4: the start player draws first.
        draw(table, (table.rolled + step) % players, _DRAFT_CARDS if is_draft else _HAND_CARDS)
    counters[c.DRAFT_ROUND] = 1 if is_draft else 0
    counters[c.PHASE] = c.KEEPING if is_draft else c.PLAYING_CARD


def _keep(table: Table) -> Request | None:
    """2.4: everybody keeps a card in secret."""
    players = table.layout.players
    left = _DRAFT_CARDS - table.counters[c.DRAFT_ROUND]
    if any(len(table.zones[c.HAND[seat]]) > left for seat in range(players)):
        return Secret(tuple(range(players)))
    table.counters[c.PHASE] = c.PASSING
    return None


def _pass(table: Table) -> None:
    """2.4: the rest goes to the left; the last card goes face up into the middle."""
    counters, zones, players = table.counters, table.zones, table.layout.players
    counters[c.DRAFT_ROUND] += 1
    hands = [zones[c.HAND[seat]][:] for seat in range(players)]
    if counters[c.DRAFT_ROUND] == _DRAFT_CARDS:
        for seat, hand in enumerate(hands):
            table.move(hand[0], c.HAND[seat], c.MIDDLE)
            table.tell("middle", seat, (hand[0],))
        counters[c.PHASE] = c.CHOOSING_MIDDLE
        return
    for seat, hand in enumerate(hands):
        for card in hand:
            table.move(card, c.HAND[seat], c.HAND[(seat + 1) % players])
    counters[c.PHASE], counters[c.NEED] = c.MIXING_DEAL, 0


def middle_chooser(table: Table) -> int:
    """2.4: from the start player's right, counter-clockwise, the start player last."""
    left, players = len(table.zones[c.MIDDLE]), table.layout.players
    return (table.counters[c.START] + left - 1) % players


def end_draft(table: Table) -> None:
    """2.4: three kept cards are the hand, one card is in play."""
    for seat in range(table.layout.players):
        for card in table.zones[c.KEPT[seat]][:]:
            table.move(card, c.KEPT[seat], c.HAND[seat])
    table.counters[c.PHASE], table.counters[c.NEED] = c.MIXING_DEAL, 0


def _mix_deal(table: Table) -> Request | None:
    """Hands that were passed on are mixed, so that whoever passed a card loses track of it."""
    counters = table.counters
    seat = counters[c.NEED]
    if seat < table.layout.players:
        counters[c.NEED] += 1
        return mix_hidden(table, seat)
    counters[c.NEED] = 0
    is_done = counters[c.DRAFT_ROUND] == _DRAFT_CARDS
    counters[c.PHASE] = c.PLAYING_CARD if is_done else c.KEEPING
    return None


# ---- 3: a turn ----


def _play(table: Table) -> Request | None:
    """3.1: step 1; an empty hand skips it (E25)."""
    if table.told is not None:  # Here and there, where games of search pass often.
        _tell_turn(table)
    turn = table.counters[c.TURN]
    if table.zones[c.HAND[turn]]:
        return _CHOICES[turn]
    table.counters[c.PHASE] = c.USING_EFFECTS
    return None


def _reveal(table: Table) -> None:
    """A card from the hand has been turned up: it takes its place in the area, or is refused."""
    turn = table.counters[c.TURN]
    source = c.PLAYING[turn]
    card = table.zones[source][-1]
    domain = table.public_face(card)
    if banned(table, turn) >> domain & 1:  # E1
        raise RulesError(f"a card was played of {c.DOMAINS[domain]}, which is under an embargo")
    take_place(table, turn, card, source, domain)


def take_place(table: Table, seat: int, card: Card, source: int, domain: int) -> None:
    """A card that is played goes into the area; what follows is another one, or effects."""
    counters = table.counters
    table.move(card, source, c.AREA[seat] + domain)
    if domain == c.CULTURE:
        settle_coin(table)
    counters[c.PHASE] = c.PLAYING_MORE if counters[c.PLAYS] else c.USING_EFFECTS


def _play_more(table: Table) -> Request | None:
    """5.3, 5.4: the cards that an effect lets play, as far as there are any (E2)."""
    turn = table.counters[c.TURN]
    if table.zones[c.HAND[turn]]:
        return _CHOICES[turn]
    table.counters[c.PHASE], table.counters[c.PLAYS] = c.USING_EFFECTS, 0
    return None


def _mix_drawn(table: Table) -> Request | None:
    """5.4: after Discovery's draw; the discards come next."""
    table.counters[c.PHASE] = c.DISCARDING_HAND
    return mix_hidden(table, table.counters[c.TURN])


def _mix_taken(table: Table) -> Request | None:
    """5.2, E15: only thief and victim shall know which cards go back."""
    counters = table.counters
    counters[c.PHASE], counters[c.NEED] = c.GIVING, counters[c.TAKEN]
    return mix_whole(table, counters[c.TURN])


def _mix_given(table: Table) -> Request | None:
    counters = table.counters
    victim = counters[c.VICTIM]
    counters[c.PHASE], counters[c.VICTIM], counters[c.TAKEN] = c.USING_EFFECTS, c.NOBODY, 0
    return mix_whole(table, victim)


def _draw(table: Table) -> Request | None:
    """3.3: step 3; at or over the limit nothing is drawn and nothing discarded (E34)."""
    counters = table.counters
    turn = counters[c.TURN]
    missing = hand_limit(table, turn) - len(table.zones[c.HAND[turn]])
    if missing > 0:
        counters[c.DRAWN] = draw(table, turn, missing)
        if table.owed:
            counters[c.PHASE] = c.MIXING
            return None
    return _end(table)


def _mix(table: Table) -> Request | None:
    mixed = mix_hidden(table, table.counters[c.TURN])
    if mixed is None:
        return _end(table)
    table.counters[c.PHASE] = c.ENDING
    return mixed


# ---- 6: the end of a turn, and of the game ----


def _end(table: Table) -> Request | None:
    counters, players = table.counters, table.layout.players
    turn = counters[c.TURN]
    if has_hegemony(table, turn):  # 6.1, F19: only at the end of the own turn.
        counters[c.HEGEMONY], counters[c.PHASE] = turn, c.OVER
        _tell_hegemony(table, turn)
        return None
    if table.zones[c.EMBARGO[turn]]:
        _lift_embargoes(table, turn)
    if counters[c.COIN_HOLDER] == turn:
        end_coin_turn(table)
    counters[c.USED_PERMANENT] = counters[c.USED_DISCARD] = counters[c.DRAWN] = 0
    if not counters[c.LAST_ROUND] and not table.zones[c.DECK]:  # 6.2, E24
        counters[c.LAST_ROUND] = 1
        table.tell("last_round")
    following = (turn + 1) % players
    if counters[c.LAST_ROUND] and following == counters[c.START]:
        counters[c.EXTRA_ROUNDS] -= 1
        if counters[c.EXTRA_ROUNDS] < 0:  # F16
            counters[c.PHASE] = c.OVER
            table.tell("majority")
            return None
        table.tell("extra_round")
    counters[c.TURN], counters[c.PHASE] = following, c.PLAYING_CARD
    counters[c.TURNS] = counters[c.TURNS] + 1  # Faster than += when compiled.
    return None


def _tell_turn(table: Table) -> None:
    """Whose turn it is, and the how manieth of this seat."""
    counters = table.counters
    table.tell("turn", counters[c.TURN], (), counters[c.TURNS] // table.layout.players + 1)


def _tell_hegemony(table: Table, seat: int) -> None:
    goal, first, marks = hegemony_goal(table), c.AREA[seat], c.MARKED[seat]
    for domain in range(6):
        count = len(table.zones[first + domain])
        if count >= goal + table.counters[marks + domain]:
            table.tell(HEGEMONY_OF[domain], seat, (), count)


def hegemony_goal(table: Table) -> int:
    """6.1: the cards of one domain that win."""
    return 8 if table.layout.players == 2 else 7


def has_hegemony(table: Table, seat: int) -> bool:
    """6.1, E23: 7 cards of one domain (8 with two seats), and one more for each marker on it."""
    goal, first, marks = hegemony_goal(table), c.AREA[seat], c.MARKED[seat]
    zones, counters = table.zones, table.counters
    domain: i64
    for domain in range(6):
        count = len(zones[first + domain])
        if count >= goal and count >= goal + counters[marks + domain]:
            return True
    return False


def _lift_embargoes(table: Table, seat: int) -> None:
    """5.3, E3, E5: embargoes that bound this turn go to the discard pile, face up."""
    markers, counters, first = table.zones[c.EMBARGO[seat]], table.counters, c.EMBARGOED[seat]
    lifted = len(markers)
    for domain in range(6):  # F8: laid on oneself this turn, on top of the others.
        fresh = counters[c.FRESH + domain]
        if counters[first + domain] != fresh:
            counters[first + domain] = fresh
        if fresh:
            counters[c.FRESH + domain] = 0
            lifted -= fresh
    for _ in range(lifted):
        if table.told is not None:
            table.tell("lifted", seat, (markers[0],))
        table.move(markers[0], c.EMBARGO[seat], c.DISCARD)


def new_counters(table: Table) -> None:
    """The counters that do not begin at zero."""
    counters = table.counters
    for counter in (c.TURN, c.START, c.VICTIM, c.COIN_HOLDER, c.COIN_DOMAIN, c.HEGEMONY):
        counters[counter] = c.NOBODY
    counters[c.EXTRA_ROUNDS] = 1 if has_option(table, "extra_last_round", True) else 0


def _over(_: Table) -> Request:
    return _OVER


_STEP_OF: Final[dict[int, Callable[[Table], Request | None]]] = {
    c.SHUFFLING: _shuffle,
    c.ROLLING: _roll,
    c.DEALING: _deal,
    c.REVEALING: _reveal,
    c.KEEPING: _keep,
    c.PASSING: _pass,
    c.MIXING: _mix,
    c.ENDING: _end,
    c.MIXING_DEAL: _mix_deal,
    c.PLAYING_MORE: _play_more,
    c.MIXING_DRAWN: _mix_drawn,
    c.MIXING_TAKEN: _mix_taken,
    c.MIXING_GIVEN: _mix_given,
    c.OVER: _over,
}
# By phase; None where somebody chooses without more ado.
_STEPS: Final = tuple(_STEP_OF.get(phase) for phase in range(len(c.PHASES)))
