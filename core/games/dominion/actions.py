"""What a choice does, and what everybody can see to be against the rules.

That is refused before anything has changed; a hidden card is judged once it is turned up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import core.games.dominion.cards as c
from core.games.dominion.choices import BY_FACE, draftable, is_buyable, is_veto, not_asked
from core.games.dominion.picks import (
    DECLINES,
    PICKS,
    TOLD_BY_OWNER,
    Pick,
    cards_to_pick,
    must_pick,
)
from core.games.dominion.piles import gain, show_top
from core.games.dominion.steps import gainable
from core.games.dominion.turn import begin_clean_up, draft, strike
from core.native import i64
from core.requests import Action, Card, Claim, Face, Player
from core.table import HIDDEN, RulesError, Table


def apply(table: Table, seat: Player, action: Action) -> None:
    """Carry out an action.

    Raises:
        RulesError: it is visibly against the rules; the table is as it was.
    """
    phase = table.counters[c.PHASE]
    if not c.IS_CHOICE[phase] or table.counters[c.CHOOSER] != seat:
        raise not_asked(phase)
    verb, cards, number = action
    if phase == c.BUYING:  # The commonest by far.
        if verb == "buy" and not cards:
            _buy(table, seat, number)
        elif verb == "treasures" and len(cards) > 1 and not number:
            _play_treasures(table, seat, cards)
        else:
            _spend(table, seat, verb, cards, number)
        return
    rule = _RULES[phase].get(verb)
    if rule is not None:
        _check_shape(verb, cards, number)
        rule(table, seat, action)
        return
    for pick in PICKS.get(phase, ()):
        if pick.verb == verb:
            _check_shape(verb, cards, number, 1)
            _pick(table, seat, pick, cards[0])
            return
    if DECLINES.get(phase) != verb:
        raise RulesError(f"nobody can {verb} now: the phase is {c.PHASES[phase]}")
    _check_shape(verb, cards, number)
    _decline(table, seat)


def _check_shape(verb: str, cards: tuple[Card, ...], number: int, wanted: int = 0) -> None:
    count = len(cards)
    if verb == "play":
        wanted = 1
    elif verb == "treasures":
        wanted = count if count > 1 else 2
    if count != wanted:
        raise RulesError(f"{verb} does not name {count} cards")
    if number and verb not in BY_FACE:
        raise RulesError(f"{verb} has no number")


def claim(table: Table, seat: Player, action: Action) -> Claim | None:
    """First edition: who declines where a card must be picked says that the hand has none."""
    counters = table.counters
    phase = counters[c.PHASE]
    if phase == c.BUREAUCRATING or DECLINES.get(phase) != action.verb or not must_pick(table):
        return None
    hidden = [card for card in table.zones[c.HAND[seat]] if table.face[card] == HIDDEN]
    others = tuple(face for face in range(len(c.KEYS)) if face not in PICKS[phase][0].faces)
    return Claim(tuple(hidden), others) if hidden else None


# ---- the answers to a question of a card ----


def _pick(table: Table, seat: Player, pick: Pick, card: Card) -> None:
    counters, face = table.counters, table.face[card] if card < len(table.face) else HIDDEN
    if card not in cards_to_pick(table, pick):
        raise RulesError(f"card {card} is not one of those to {pick.verb}")
    if face != HIDDEN and face not in pick.faces:
        raise RulesError(f"{c.KEYS[face]} is not a card to {pick.verb} now")
    source, target = pick.source[counters[c.WHOSE]], pick.target[counters[c.WHOSE]]
    phase = counters[c.PHASE]
    if face == HIDDEN and len(pick.faces) < len(c.KEYS):
        counters[c.CHECK] = phase
    if source != target:
        table.move(card, source, target)
    if phase in TOLD_BY_OWNER:
        table.tell(TOLD_BY_OWNER[phase][pick.verb], counters[c.WHOSE], (card,), 0, seat)
    if pick.is_shown and face == HIDDEN:
        table.owe((card,), None)
    if pick.is_last:
        counters[c.LAST] -= 1
    if phase == c.REACTING:
        counters[c.SHIELDS] |= 1 << seat
    counters[c.PICKED] = card
    counters[c.NEED] -= 1
    if not counters[c.NEED] or not table.zones[source]:
        counters[c.PHASE] = c.CLEANING if phase == c.TOPPING else c.RESOLVING


def _decline(table: Table, seat: Player) -> None:
    counters = table.counters
    if must_pick(table):
        hand, face = table.zones[c.HAND[seat]], table.face
        wanted = PICKS[counters[c.PHASE]][0].faces
        if any(face[card] in wanted for card in hand):
            raise RulesError("this seat has a card that has to be picked")
        if counters[c.PHASE] == c.BUREAUCRATING:  # The hand is shown, and judged by the next step.
            hidden = tuple(card for card in hand if face[card] == HIDDEN)
            if hidden:
                table.owe(hidden, None)
            table.tell("revealed", seat, tuple(hand))
    counters[c.PHASE] = c.RESOLVING


# ---- turns ----


def _check_known(
    table: Table, seat: Player, cards: tuple[Card, ...], fits: tuple[bool, ...], name: str
) -> None:
    """Refuse hand cards of which everybody knows better.  What is not in the hand cannot move."""
    known = table.face
    card: i64
    for card in table.zones[c.HAND[seat]]:
        face: i64 = known[card]
        if face != HIDDEN and not fits[face] and card in cards:
            raise RulesError(f"{c.KEYS[face]} is not {name}")


def _play_action(table: Table, seat: Player, action: Action) -> None:
    """D8: an Action goes from the hand into play."""
    if table.checks_offers():
        _check_known(table, seat, action.cards, c.IS_ACTION, "an Action")
    table.move(action.cards[0], c.HAND[seat], c.PLAY[seat])
    counters = table.counters
    counters[c.ACTIONS], counters[c.PHASE] = counters[c.ACTIONS] - 1, c.PLAYED


def _stop_actions(table: Table, seat: Player, action: Action) -> None:
    table.counters[c.PHASE] = c.BUYING


def _spend(table: Table, seat: Player, verb: str, cards: tuple[Card, ...], number: int) -> None:
    """D9: what is rarer than to buy or to play several Treasures; those with a wrong shape, too."""
    if verb not in ("treasures", "play", "buy", "end"):
        raise RulesError(f"nobody can {verb} now: the phase is {c.PHASES[c.BUYING]}")
    _check_shape(verb, cards, number)
    if verb == "end":
        begin_clean_up(table)
    else:
        _play_treasures(table, seat, cards)


def _play_treasures(table: Table, seat: Player, cards: tuple[Card, ...]) -> None:
    """D9: one Treasure, or several at once."""
    counters = table.counters
    if counters[c.BOUGHT]:
        raise RulesError("no Treasure is played after the first card is bought")
    if table.checks_offers():
        _check_known(table, seat, cards, c.IS_TREASURE, "a Treasure")
    table.move_all(cards, c.HAND[seat], c.PLAY[seat])
    counters[c.NEED], counters[c.PHASE] = len(cards), c.TREASURES_PLAYED


def _buy(table: Table, seat: Player, face: Face) -> None:
    """D9: from one common sum of coins."""
    counters = table.counters
    if table.checks_offers() and not is_buyable(table, face):
        raise RulesError(f"that cannot be bought with {counters[c.MONEY]} coins")
    buys = counters[c.BUYS] - 1
    counters[c.MONEY] = counters[c.MONEY] - c.COST[face]  # Faster than -= when compiled.
    counters[c.BUYS], counters[c.BOUGHT] = buys, counters[c.BOUGHT] + 1
    gain(table, face, c.DISCARD[seat])
    if not buys:
        begin_clean_up(table)


def _gain(table: Table, seat: Player, action: Action) -> None:
    """D15: a card that the effect allows."""
    counters = table.counters
    if table.checks_offers() and action.number not in gainable(table):
        raise RulesError("that cannot be gained now")
    if counters[c.GAIN_TO] == c.HAND[seat]:
        table.tell("taken", seat, (table.zones[action.number][-1],))
    gain(table, action.number, counters[c.GAIN_TO])
    counters[c.PHASE] = c.RESOLVING


def _choose(table: Table, seat: Player, action: Action) -> None:
    """D5: a kind for the kingdom."""
    if is_veto(table) or action.number not in draftable(table):
        raise RulesError("that is not a kind to choose from")
    draft(table, action.number)


def _strike(table: Table, seat: Player, action: Action) -> None:
    """D5: a kind that will not be in the kingdom."""
    if not is_veto(table) or action.number not in draftable(table):
        raise RulesError("that is not a kind to strike out")
    strike(table, action.number)


def _turn_deck(table: Table, seat: Player, action: Action) -> None:
    """Chancellor: the deck is turned over onto the discard pile."""
    zones = table.zones
    zones[c.DISCARD[seat]] += zones[c.DECK[seat]][::-1]
    zones[c.DECK[seat]] = []
    show_top(table, seat)
    table.counters[c.PHASE] = c.RESOLVING


def _keep_deck(table: Table, seat: Player, action: Action) -> None:
    table.counters[c.PHASE] = c.RESOLVING


_RULES_OF: Final[dict[int, dict[str, Callable[[Table, Player, Action], None]]]] = {
    c.ACTING: {"play": _play_action, "stop": _stop_actions},
    c.GAINING: {"gain": _gain},
    c.DRAFTING: {"choose": _choose, "strike": _strike},
    c.CHANCELLING: {"turn": _turn_deck, "pass": _keep_deck},
}
# By phase; empty where cards are picked.
_RULES: Final = tuple(_RULES_OF.get(phase, {}) for phase in range(len(c.PHASES)))
