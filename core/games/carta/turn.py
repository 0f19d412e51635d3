"""The course of the game (2, 3 and 6): set-up, draft, turns and the end, without any choice.

`advance` carries on until something is needed from outside.  Every phase that needs no choice is
one function here; it returns a request, or None when the table goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.games.carta.cards import (
    AREA,
    BACKS,
    BOX,
    CHOOSING_MIDDLE,
    COIN_DOMAIN,
    COIN_HOLDER,
    CULTURE,
    DEALING,
    DECK,
    DISCARD,
    DISCARDING_HAND,
    DOMAINS,
    DRAFT_ROUND,
    DRAWING,
    DRAWN,
    EMBARGO,
    EMBARGOED,
    ENDING,
    EXTRA_ROUNDS,
    FRESH,
    GIVING,
    HAND,
    HEGEMONY,
    KEEPING,
    KEPT,
    LAST_ROUND,
    MARKED,
    MIDDLE,
    MIXING,
    MIXING_DEAL,
    MIXING_DRAWN,
    MIXING_GIVEN,
    MIXING_TAKEN,
    NEED,
    NOBODY,
    OVER,
    PASSING,
    PHASE,
    PHASES,
    PILES,
    PLAYING,
    PLAYING_CARD,
    PLAYING_MORE,
    PLAYS,
    REVEALING,
    ROLLING,
    SEATS_MAX,
    SHUFFLING,
    START,
    TAKEN,
    TURN,
    TURNS,
    USED_DISCARD,
    USED_PERMANENT,
    USING_EFFECTS,
    VICTIM,
    banned,
    has_option,
)
from core.games.carta.effects import end_coin_turn, hand_limit, settle_coin
from core.games.carta.moves import draw, mix_hidden, mix_whole
from core.games.carta.story import HEGEMONY_OF
from core.requests import Choice, Over, Request, Roll, Secret, Shuffle
from core.table import RulesError, Table

_HAND_CARDS: Final = 3
_DRAFT_CARDS: Final = 4
_BOXED: Final = tuple(card for pile in PILES for card in pile[:3])  # With 2 or 3 seats.
_UNBOXED: Final = tuple(card for card in range(len(BACKS)) if card not in _BOXED)
_OVER: Final = Over()
_CHOICES: Final = tuple(Choice(seat) for seat in range(SEATS_MAX))  # Made once, for speed.


def advance(table: Table) -> Request:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed."""
    counters = table.counters
    while True:
        phase = counters[PHASE]
        if phase == USING_EFFECTS:  # The commonest first: imagined games come here all the time.
            return _CHOICES[counters[TURN]]
        if phase == REVEALING:
            request = _reveal(table)
        elif phase == DRAWING:
            request = _draw(table)
        elif phase == PLAYING_CARD:
            request = _play(table)
        else:
            step = _STEPS[phase]
            if step is None:
                seat = middle_chooser(table) if phase == CHOOSING_MIDDLE else counters[TURN]
                return _CHOICES[seat]
            request = step(table)
        if request is not None:
            return request
        if table.owed:
            return table.owed[0]


# ---- 2: set-up ----


def _shuffle(table: Table) -> Request:
    table.counters[PHASE] = ROLLING
    return Shuffle(PILES)  # 2.1: each age by itself.


def _roll(table: Table) -> Request:
    table.counters[PHASE] = DEALING
    if table.layout.players < 4:  # 2.1: three of every age go back unseen, from the bottom.
        table.zones[BOX] += _BOXED
        table.zones[DECK] = list(_UNBOXED)
    return Roll(table.layout.players)  # 2.2


def _deal(table: Table) -> None:
    counters, players = table.counters, table.layout.players
    counters[START] = counters[TURN] = table.rolled
    is_draft = has_option(table, "deal", "draft")
    for step in range(players):  # 2.3, 2.4: the start player draws first.
        draw(table, (table.rolled + step) % players, _DRAFT_CARDS if is_draft else _HAND_CARDS)
    counters[DRAFT_ROUND] = 1 if is_draft else 0
    counters[PHASE] = KEEPING if is_draft else PLAYING_CARD


def _keep(table: Table) -> Request | None:
    """2.4: everybody keeps a card in secret."""
    players = table.layout.players
    left = _DRAFT_CARDS - table.counters[DRAFT_ROUND]
    if any(len(table.zones[HAND[seat]]) > left for seat in range(players)):
        return Secret(tuple(range(players)))
    table.counters[PHASE] = PASSING
    return None


def _pass(table: Table) -> None:
    """2.4: the rest goes to the left; the last card goes face up into the middle."""
    counters, zones, players = table.counters, table.zones, table.layout.players
    counters[DRAFT_ROUND] += 1
    hands = [zones[HAND[seat]][:] for seat in range(players)]
    if counters[DRAFT_ROUND] == _DRAFT_CARDS:
        for seat, hand in enumerate(hands):
            table.move(hand[0], HAND[seat], MIDDLE)
            table.tell("middle", seat, (hand[0],))
        counters[PHASE] = CHOOSING_MIDDLE
        return
    for seat, hand in enumerate(hands):
        for card in hand:
            table.move(card, HAND[seat], HAND[(seat + 1) % players])
    counters[PHASE], counters[NEED] = MIXING_DEAL, 0


def middle_chooser(table: Table) -> int:
    """2.4: from the start player's right, counter-clockwise, the start player last."""
    left, players = len(table.zones[MIDDLE]), table.layout.players
    return (table.counters[START] + left - 1) % players


def end_draft(table: Table) -> None:
    """2.4: three kept cards are the hand, one card is in play."""
    for seat in range(table.layout.players):
        for card in table.zones[KEPT[seat]][:]:
            table.move(card, KEPT[seat], HAND[seat])
    table.counters[PHASE], table.counters[NEED] = MIXING_DEAL, 0


def _mix_deal(table: Table) -> Request | None:
    """Hands that were passed on are mixed, so that whoever passed a card loses track of it."""
    counters = table.counters
    seat = counters[NEED]
    if seat < table.layout.players:
        counters[NEED] += 1
        return mix_hidden(table, seat)
    counters[NEED] = 0
    is_done = counters[DRAFT_ROUND] == _DRAFT_CARDS
    counters[PHASE] = PLAYING_CARD if is_done else KEEPING
    return None


# ---- 3: a turn ----


def _play(table: Table) -> Request | None:
    """3.1: step 1; an empty hand skips it (E25)."""
    if table.told is not None:  # Here and there, where games of search pass often.
        _tell_turn(table)
    turn = table.counters[TURN]
    if table.zones[HAND[turn]]:
        return _CHOICES[turn]
    table.counters[PHASE] = USING_EFFECTS
    return None


def _reveal(table: Table) -> Request | None:
    """A card from the hand has been turned up: it takes its place in the area, or is refused."""
    counters = table.counters
    turn, zones = counters[TURN], table.zones
    card = zones[PLAYING[turn]][-1]
    domain = table.public_face(card)
    if banned(table, turn) >> domain & 1:  # E1
        raise RulesError(f"a card was played of {DOMAINS[domain]}, which is under an embargo")
    zones[PLAYING[turn]].pop()
    zones[AREA[turn] + domain].append(card)
    if domain == CULTURE:
        settle_coin(table)
    counters[PHASE] = PLAYING_MORE if counters[PLAYS] else USING_EFFECTS
    return None


def _play_more(table: Table) -> Request | None:
    """5.3, 5.4: the cards that an effect lets play, as far as there are any (E2)."""
    turn = table.counters[TURN]
    if table.zones[HAND[turn]]:
        return _CHOICES[turn]
    table.counters[PHASE], table.counters[PLAYS] = USING_EFFECTS, 0
    return None


def _mix_drawn(table: Table) -> Request | None:
    """5.4: after Discovery's draw; the discards come next."""
    table.counters[PHASE] = DISCARDING_HAND
    return mix_hidden(table, table.counters[TURN])


def _mix_taken(table: Table) -> Request | None:
    """5.2, E15: only thief and victim shall know which cards go back."""
    counters = table.counters
    counters[PHASE], counters[NEED] = GIVING, counters[TAKEN]
    return mix_whole(table, counters[TURN])


def _mix_given(table: Table) -> Request | None:
    counters = table.counters
    victim = counters[VICTIM]
    counters[PHASE], counters[VICTIM], counters[TAKEN] = USING_EFFECTS, NOBODY, 0
    return mix_whole(table, victim)


def _draw(table: Table) -> Request | None:
    """3.3: step 3; at or over the limit nothing is drawn and nothing discarded (E34)."""
    counters = table.counters
    turn = counters[TURN]
    missing = hand_limit(table, turn) - len(table.zones[HAND[turn]])
    counters[DRAWN] = draw(table, turn, missing) if missing > 0 else 0
    if counters[DRAWN]:
        counters[PHASE] = MIXING
        return None if table.owed else _mix(table)
    return _end(table)


def _mix(table: Table) -> Request | None:
    table.counters[PHASE] = ENDING
    mixed = mix_hidden(table, table.counters[TURN])
    return _end(table) if mixed is None else mixed


# ---- 6: the end of a turn, and of the game ----


def _end(table: Table) -> Request | None:
    counters, players = table.counters, table.layout.players
    turn = counters[TURN]
    if has_hegemony(table, turn):  # 6.1, F19: only at the end of the own turn.
        counters[HEGEMONY], counters[PHASE] = turn, OVER
        _tell_hegemony(table, turn)
        return None
    if table.zones[EMBARGO[turn]]:
        _lift_embargoes(table, turn)
    if counters[COIN_HOLDER] == turn:
        end_coin_turn(table)
    counters[USED_PERMANENT] = counters[USED_DISCARD] = counters[DRAWN] = 0
    if not counters[LAST_ROUND] and not table.zones[DECK]:  # 6.2, E24
        counters[LAST_ROUND] = 1
        table.tell("last_round")
    following = (turn + 1) % players
    if counters[LAST_ROUND] and following == counters[START]:
        counters[EXTRA_ROUNDS] -= 1
        if counters[EXTRA_ROUNDS] < 0:  # F16
            counters[PHASE] = OVER
            table.tell("majority")
            return None
        table.tell("extra_round")
    counters[TURN], counters[PHASE] = following, PLAYING_CARD
    counters[TURNS] = counters[TURNS] + 1  # Faster than += when compiled.
    return None


def _tell_turn(table: Table) -> None:
    """Whose turn it is, and the how manieth of this seat."""
    counters = table.counters
    table.tell("turn", counters[TURN], (), counters[TURNS] // table.layout.players + 1)


def _tell_hegemony(table: Table, seat: int) -> None:
    goal, first, marks = hegemony_goal(table), AREA[seat], MARKED[seat]
    for domain in range(6):
        count = len(table.zones[first + domain])
        if count >= goal + table.counters[marks + domain]:
            table.tell(HEGEMONY_OF[domain], seat, (), count)


def hegemony_goal(table: Table) -> int:
    """6.1: the cards of one domain that win."""
    return 8 if table.layout.players == 2 else 7


def has_hegemony(table: Table, seat: int) -> bool:
    """6.1, E23: 7 cards of one domain (8 with two seats), and one more for each marker on it."""
    goal, first, marks = hegemony_goal(table), AREA[seat], MARKED[seat]
    zones, counters = table.zones, table.counters
    for domain in range(6):
        count = len(zones[first + domain])
        if count >= goal and count >= goal + counters[marks + domain]:
            return True
    return False


def _lift_embargoes(table: Table, seat: int) -> None:
    """5.3, E3, E5: embargoes that bound this turn go to the discard pile, face up."""
    markers, counters, first = table.zones[EMBARGO[seat]], table.counters, EMBARGOED[seat]
    lifted = len(markers)
    for domain in range(6):  # F8: laid on oneself this turn, on top of the others.
        fresh = counters[FRESH + domain]
        counters[first + domain], counters[FRESH + domain] = fresh, 0
        lifted -= fresh
    for _ in range(lifted):
        table.tell("lifted", seat, (markers[0],))
        table.move(markers[0], EMBARGO[seat], DISCARD)


def new_counters(table: Table) -> None:
    """The counters that do not begin at zero."""
    counters = table.counters
    for counter in (TURN, START, VICTIM, COIN_HOLDER, COIN_DOMAIN, HEGEMONY):
        counters[counter] = NOBODY
    counters[EXTRA_ROUNDS] = 1 if has_option(table, "extra_last_round", True) else 0


def _over(_: Table) -> Request:
    return _OVER


_STEP_OF: Final[dict[int, Callable[[Table], Request | None]]] = {
    SHUFFLING: _shuffle,
    ROLLING: _roll,
    DEALING: _deal,
    KEEPING: _keep,
    PASSING: _pass,
    MIXING: _mix,
    ENDING: _end,
    MIXING_DEAL: _mix_deal,
    PLAYING_MORE: _play_more,
    MIXING_DRAWN: _mix_drawn,
    MIXING_TAKEN: _mix_taken,
    MIXING_GIVEN: _mix_given,
    OVER: _over,
}
# By phase; None where somebody chooses without more ado.
_STEPS: Final = tuple(_STEP_OF.get(phase) for phase in range(len(PHASES)))
