"""What a choice does: one rule for every verb of every phase, and what it refuses.

Whatever everybody can see to be against the rules is refused here, before anything has changed.
"""

from __future__ import annotations

from typing import Final

import core.games.carta.cards as c
from core.games.carta.cards import area_of, banned
from core.games.carta.choices import BY_CARD, is_asked
from core.games.carta.effects import (
    EFFECTS,
    begin_effect,
    copy_effect,
    effect_name,
    inquisition_targets,
    is_marker_target,
    is_usable,
    settle_coin,
)
from core.games.carta.story import DEMOCRACY_LIES, EMBARGO_LIES
from core.games.carta.turn import end_draft, take_place
from core.requests import Action, Card, Claim
from core.table import HIDDEN, RulesError, Table


def apply(table: Table, seat: int, action: Action) -> None:
    """Carry out an action.

    Raises:
        RulesError: it is visibly against the rules; the table is as it was.
    """
    counters = table.counters
    phase = counters[c.PHASE]
    verb, cards, number = action
    if table.checks_offers():
        _check(table, seat, action)
    if phase == c.USING_EFFECTS:  # The commonest first: imagined games come here all the time.
        if verb == "end":
            _end(table, number)
        else:
            _use(table, seat, number)
    elif phase in (c.PLAYING_CARD, c.PLAYING_MORE):
        if verb == "play":
            _play(table, seat, cards[0])
        else:
            _skip(table, seat, number)
    elif phase == c.DISCARDING_HAND:
        _discard_hand(table, seat, cards[0])
    elif phase == c.GIVING:
        _give(table, seat, cards[0])
    elif cards:
        _with_card(table, seat, phase, cards[0])
    else:
        _with_number(table, seat, phase, number)


def _with_card(table: Table, seat: int, phase: int, card: Card) -> None:
    """The rarer choices that name a card."""
    if phase == c.ATTACKING:
        _attack(table, seat, card)
    elif phase == c.RETURNING:
        _return(table, seat, card)
    elif phase == c.DISCARDING_AREA:
        _discard_area(table, seat, card)
    elif phase == c.TAKING:
        _take(table, seat, card)
    elif phase == c.KEEPING:
        _keep(table, seat, card)
    else:
        _take_middle(table, seat, card)


def _with_number(table: Table, seat: int, phase: int, number: int) -> None:
    """The rarer choices that name a number."""
    if phase == c.INQUIRING:
        _rob(table, seat, number)
    elif phase == c.LAYING_EMBARGO:
        _embargo(table, seat, number)
    elif phase == c.LAYING_DEMOCRACY:
        _democracy(table, seat, number)
    else:
        copy_effect(table, seat, number)


def _check(table: Table, seat: int, action: Action) -> None:
    """Whether it is for this seat to do something of the kind now."""
    phase = table.counters[c.PHASE]
    verb, cards, number = action
    if verb not in _CARD_VERBS[phase] and verb not in _PLAIN_VERBS[phase]:
        raise RulesError(f"nobody can {verb} now: the phase is {c.PHASES[phase]}")
    if not is_asked(table, seat):
        raise RulesError("it is not for this seat to choose")
    is_shaped = not cards or (len(cards) == 1 and not number)
    if not is_shaped or verb not in (_CARD_VERBS[phase] if cards else _PLAIN_VERBS[phase]):
        raise RulesError(f"{verb} names one card, or one number, or nothing")


def claim(table: Table, seat: int, action: Action) -> Claim | None:
    """F4, E1: who skips says that every card in hand is of an embargoed domain."""
    if action.verb != "skip":
        return None
    bans = banned(table, seat)
    hidden = [card for card in table.zones[c.HAND[seat]] if table.face[card] == HIDDEN]
    faces = tuple(domain for domain in range(len(c.DOMAINS)) if bans >> domain & 1)
    return Claim(tuple(hidden), faces) if hidden else None


def _keep(table: Table, seat: int, card: Card) -> None:
    """2.4: `keep`."""
    if len(table.zones[c.KEPT[seat]]) >= table.counters[c.DRAFT_ROUND]:
        raise RulesError("this seat has kept a card already")
    table.move(card, c.HAND[seat], c.KEPT[seat])


def _take_middle(table: Table, seat: int, card: Card) -> None:
    """2.4, E33: a card from the middle goes into the own area, and triggers nothing."""
    if card not in table.zones[c.MIDDLE]:
        raise RulesError(f"card {card} is not in the middle")
    table.move(card, c.MIDDLE, c.AREA[seat] + table.public_face(card))
    settle_coin(table)
    if not table.zones[c.MIDDLE]:
        end_draft(table)


def _play(table: Table, seat: int, card: Card) -> None:
    """3.1, 5.3, 5.4: turn a hand card up; whether it could be played is seen then."""
    counters, is_checked = table.counters, table.checks_offers()
    if is_checked:
        _check_embargo(table, seat, card)
        table.move(card, c.HAND[seat], c.PLAYING[seat])
    if counters[c.PHASE] == c.PLAYING_MORE:
        counters[c.PLAYS] = counters[c.PLAYS] - 1
    if is_checked:
        counters[c.PHASE] = c.REVEALING
    else:  # It was offered, so it could be played.
        take_place(table, seat, card, c.HAND[seat], table.counted()[card])


def _check_embargo(table: Table, seat: int, card: Card) -> None:
    """E1: what everybody knows to be banned is refused at once."""
    bans = banned(table, seat)
    if bans and card in table.zones[c.HAND[seat]]:
        domain = table.face[card]
        if domain != HIDDEN and bans >> domain & 1:
            raise RulesError(f"{c.DOMAINS[domain]} is under an embargo")


def _skip(table: Table, seat: int, number: int) -> None:
    """F4, E1, E2: no card in hand can be played."""
    bans = banned(table, seat)
    for card in table.zones[c.HAND[seat]]:
        domain = table.face[card]
        if not bans or (domain != HIDDEN and not bans >> domain & 1):  # E31
            raise RulesError("this seat has a card that can be played")
    if number:
        raise RulesError("skip has no number")
    table.counters[c.PHASE], table.counters[c.PLAYS] = c.USING_EFFECTS, 0


def _use(table: Table, seat: int, number: int) -> None:
    """3.2: begin an effect."""
    if table.checks_offers() and not is_usable(table, seat, number):
        known = number < EFFECTS
        name = effect_name(number) if known else f"effect {number}"
        raise RulesError(f"{name} cannot be used now")
    begin_effect(table, seat, number)


def _end(table: Table, number: int) -> None:
    """3.3: no further effects; step 3 follows."""
    if number:
        raise RulesError("end has no number")
    table.counters[c.PHASE] = c.DRAWING


def _one_less(table: Table, following: int) -> None:
    """One of the cards that the effect needs is done; after the last comes another phase."""
    counters = table.counters
    counters[c.NEED] = left = counters[c.NEED] - 1
    if not left:
        counters[c.PHASE] = following


def _discard_hand(table: Table, seat: int, card: Card) -> None:
    """5.1, 5.4: discard from hand."""
    table.move(card, c.HAND[seat], c.DISCARD)
    _one_less(table, c.USING_EFFECTS)


def _leave_area(table: Table, seat: int, card: Card, target: int) -> int:
    """Move a card of the own area; gives the zone that it has left."""
    zone = area_of(table, seat, card)
    if zone == c.NOBODY:
        raise RulesError(f"card {card} is not in the area of this seat")
    table.move(card, zone, target)
    return zone


def _discard_area(table: Table, seat: int, card: Card) -> None:
    """5.3, E10, E11: Development and Monopoly discard first and play afterwards."""
    _leave_area(table, seat, card, c.DISCARD)
    settle_coin(table)
    _one_less(table, c.PLAYING_MORE)


def _return(table: Table, seat: int, card: Card) -> None:
    """5.4, E11: Experiment and Research take back first and play afterwards."""
    _leave_area(table, seat, card, c.HAND[seat])
    settle_coin(table)
    _one_less(table, c.PLAYING_MORE)


def _attack(table: Table, seat: int, card: Card) -> None:
    """5.1, F7, E13: one card of the chosen domain from everybody who has one, all at once."""
    domain = _leave_area(table, seat, card, c.DISCARD) - c.AREA[seat]
    for other in range(table.layout.players):
        theirs = c.AREA[other] + domain
        if other != seat and table.zones[theirs]:
            lost = table.zones[theirs][-1]
            table.move(lost, theirs, c.DISCARD)
            if table.told is not None:
                table.tell("lost", other, (lost,), 0, seat)
    settle_coin(table)  # E14
    table.counters[c.PHASE] = c.USING_EFFECTS


def _rob(table: Table, seat: int, number: int) -> None:
    """5.2, E15: Inquisition takes the whole hand of another seat."""
    victim = number // 8
    if number % 8 or victim not in inquisition_targets(table, seat):
        raise RulesError("Inquisition needs another seat that has cards in hand")
    counters, cards = table.counters, tuple(table.zones[c.HAND[victim]])
    table.move_all(cards, c.HAND[victim], c.HAND[seat])
    table.tell("robbed", victim, cards, len(cards), seat)
    counters[c.VICTIM], counters[c.TAKEN], counters[c.PHASE] = victim, len(cards), c.MIXING_TAKEN


def _give(table: Table, seat: int, card: Card) -> None:
    """5.2: as many cards as were taken go back, of the thief's choice."""
    victim = table.counters[c.VICTIM]
    table.move(card, c.HAND[seat], c.HAND[victim])
    _one_less(table, c.MIXING_GIVEN)


def _take(table: Table, seat: int, card: Card) -> None:
    """5.5: Oligarchy and Republic take from the discard pile."""
    table.move(card, c.DISCARD, c.HAND[seat])
    _one_less(table, c.USING_EFFECTS)


def _lay_marker(table: Table, seat: int, number: int, domain: int) -> tuple[int, int]:
    """Turn an Economy or Utopia card over and lay it on its target; gives the target."""
    victim, lain_on = number // 8, number % 8 - 1
    if not is_marker_target(table, seat, domain, number):
        raise RulesError("the card has to lie on another seat's domain that has a card in it")
    source = c.AREA[seat] + domain
    card = table.zones[source][-1]
    if domain == c.ECONOMY:
        table.move(card, source, c.EMBARGO[victim])
        table.tell(EMBARGO_LIES[lain_on], victim, (card,), 0, seat)
    else:
        table.move(card, source, c.DEMOCRACY[victim])
        table.tell(DEMOCRACY_LIES[lain_on], victim, (card,), 0, seat)
    table.counters[c.PHASE] = c.USING_EFFECTS
    return victim, lain_on


def _embargo(table: Table, seat: int, number: int) -> None:
    """5.3, E3, E4: the domain is forbidden in the victim's next turn."""
    victim, domain = _lay_marker(table, seat, number, c.ECONOMY)
    counters, laid = table.counters, c.EMBARGOED[victim] + domain
    counters[laid] = counters[laid] + 1  # Faster than += when compiled.
    if victim == seat:
        counters[c.FRESH + domain] = counters[c.FRESH + domain] + 1


def _democracy(table: Table, seat: int, number: int) -> None:
    """5.5, E6: the victim needs one card more in that domain for the rest of the game."""
    victim, domain = _lay_marker(table, seat, number, c.UTOPIA)
    marks = c.MARKED[victim] + domain
    table.counters[marks] = table.counters[marks] + 1


_VERB_OF: Final = {
    c.KEEPING: ("keep",),
    c.CHOOSING_MIDDLE: ("take",),
    c.PLAYING_CARD: ("play", "skip"),
    c.USING_EFFECTS: ("use", "end"),
    c.DISCARDING_HAND: ("discard",),
    c.DISCARDING_AREA: ("discard",),
    c.RETURNING: ("return",),
    c.PLAYING_MORE: ("play", "skip"),
    c.ATTACKING: ("discard",),
    c.INQUIRING: ("target",),
    c.GIVING: ("give",),
    c.TAKING: ("take",),
    c.LAYING_EMBARGO: ("target",),
    c.LAYING_DEMOCRACY: ("target",),
    c.COPYING: ("copy",),
}
# By phase: the verbs that name a card, and those that name a number or nothing.
_CARD_VERBS: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(verb for verb in _VERB_OF.get(phase, ()) if verb in BY_CARD)
    for phase in range(len(c.PHASES))
)
_PLAIN_VERBS: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(verb for verb in _VERB_OF.get(phase, ()) if verb not in BY_CARD)
    for phase in range(len(c.PHASES))
)
