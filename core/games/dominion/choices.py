"""What a seat may do whenever it is asked, and the notation of it.

Equal cards are offered once, so a hand of three Coppers is one choice.  What moves the game on is
offered last, so that even players who always take the last offer come to an end.
"""

from __future__ import annotations

from typing import Final

import core.games.dominion.cards as c
from core.games.dominion.cards import pile_heights
from core.games.dominion.kingdoms import VETO, kinds_of
from core.games.dominion.picks import DECLINES, PICKS, cards_to_pick, must_pick
from core.games.dominion.steps import gainable
from core.native import i64
from core.requests import Action, Card, Face, Player, make_action
from core.table import HIDDEN, Observation, RulesError, Table

_BUY: Final = tuple(Action("buy", (), face) for face in c.ALL)  # Made once, for speed.
_GAIN: Final = tuple(Action("gain", (), face) for face in c.ALL)
_STRIKE: Final = tuple(Action("strike", (), face) for face in c.ALL)
_CHOOSE: Final = tuple(Action("choose", (), face) for face in c.ALL)
_CARDS_MAX: Final = sum(pile_heights(c.SEATS_MAX)) + 10 * c.SEATS_MAX  # Nobody's table has more.
BY_CARD: Final = {  # The actions that name one card, by verb and card.
    verb: tuple(Action(verb, (card,)) for card in range(_CARDS_MAX))
    for verb in ("play", *dict.fromkeys(pick.verb for picks in PICKS.values() for pick in picks))
}
_END: Final = Action("end")
_TURN: Final = Action("turn")
_PASS: Final = Action("pass")
_STOP: Final = Action("stop")
_DECLINE: Final = {phase: Action(verb) for phase, verb in DECLINES.items()}
_PLAY: Final = BY_CARD["play"]
CARD_BITS: Final = 10  # A card with its face in front is one number, by which both are sorted.
_CARD: Final = (1 << CARD_BITS) - 1
# By coins: the kinds that cost no more, the cheapest first.
_WITHIN: Final[tuple[tuple[Face, ...], ...]] = tuple(
    tuple(face for face in sorted(c.ALL, key=c.COST.__getitem__) if c.COST[face] <= coins)
    for coins in range(c.COST_MAX + 1)
)
BY_FACE: Final = ("buy", "gain", "choose", "strike")


def legal_actions(table: Table, seat: Player, observation: Observation) -> list[Action]:
    """Everything `seat` may do now, in an order that is the same everywhere."""
    phase = table.counters[c.PHASE]
    if not c.IS_CHOICE[phase] or table.counters[c.CHOOSER] != seat:
        raise not_asked(phase)
    if phase == c.BUYING:
        return _purchases(table, seat, observation)
    if phase == c.ACTING:
        cards = _one_of_each(table, table.zones[c.HAND[seat]], observation, c.ACTION_KINDS)
        return [_STOP, *[_PLAY[card & _CARD] for card in cards]]
    if phase == c.GAINING:
        return [_GAIN[face] for face in gainable(table)]
    if phase == c.DRAFTING:
        whole = _STRIKE if is_veto(table) else _CHOOSE
        return [whole[face] for face in draftable(table)]
    if phase == c.CHANCELLING:
        return [_TURN, _PASS]
    return _picks(table, observation)


def not_asked(phase: int) -> RulesError:
    """A seat has nothing to choose now."""
    return RulesError(f"it is not for this seat to choose: the phase is {c.PHASES[phase]}")


def _one_of_each(
    table: Table, cards: list[Card], observation: Observation, kinds: i64
) -> list[int]:
    """One card of each of `kinds`, in their order; one that all know before one hidden."""
    found: list[int] = []
    missing = _add_first(found, cards, table.face, kinds)
    _add_first(found, cards, observation, missing)
    if len(found) > 1:
        found.sort()
    return found


def _add_first(found: list[int], cards: list[Card], faces: list[Face], wanted: i64) -> i64:
    """The first card of each wanted kind, with its face; gives the kinds still missing."""
    card: i64
    for card in cards:
        face: i64 = faces[card]
        if face != HIDDEN and wanted >> face & 1:
            wanted ^= (wanted >> face & 1) << face  # Compiled, `1 << face` has 32 bits.
            found.append(face << CARD_BITS | card)
    return wanted


def _purchases(table: Table, seat: Player, observation: Observation) -> list[Action]:
    """D9: purchases, and until the first of them Treasures, one by one or all at once."""
    counters, zones = table.counters, table.zones
    found = [_END]
    if counters[c.BUYS]:
        within = _WITHIN[min(counters[c.MONEY], c.COST_MAX)]
        found += [_BUY[face] for face in within if zones[face]]
    if not counters[c.BOUGHT]:
        hand = zones[c.HAND[seat]]
        kinds = _one_of_each(table, hand, observation, c.TREASURE_KINDS)
        found += [_PLAY[card & _CARD] for card in kinds]
        cards = _treasures(hand, observation)
        if len(cards) > 1:
            found.append(_all_at_once(cards))
    return found


def _treasures(hand: list[Card], observation: Observation) -> list[int]:
    """All Treasures with their faces, in the order of these."""
    cards: list[int] = []
    card: i64
    for card in hand:
        face: i64 = observation[card]
        if c.IS_TREASURE[face]:
            cards.append(face << CARD_BITS | card)
    if len(cards) > 1:
        cards.sort()
    return cards


def all_treasures(table: Table, seat: Player, observation: Observation) -> Action | None:
    """The one of the legal actions that plays most Treasures; None when there is none to play."""
    if table.counters[c.BOUGHT]:
        return None
    cards = _treasures(table.zones[c.HAND[seat]], observation)
    if len(cards) > 1:
        return _all_at_once(cards)
    return _PLAY[cards[0] & _CARD] if cards else None


def _all_at_once(cards: list[int]) -> Action:
    return make_action("treasures", tuple([card & _CARD for card in cards]))


def is_buyable(table: Table, face: Face) -> bool:
    """Whether the coins reach this kind, of which there is one."""
    counters = table.counters
    if not 0 <= face < len(c.COST) or c.COST[face] > counters[c.MONEY]:
        return False
    return counters[c.BUYS] > 0 and bool(table.zones[face])


def draftable(table: Table) -> list[Face]:
    """D5: the kinds of the edition that nobody has chosen or struck out yet."""
    chosen = table.counters[c.KINGDOM : c.KINGDOM + c.KINGDOM_KINDS]
    kinds = kinds_of(table.layout.options["edition"])
    return [face for face in kinds if table.zones[face] and face not in chosen]


def is_veto(table: Table) -> bool:
    """D5: whether the draft strikes kinds out, until ten are left."""
    return table.layout.options["kingdom"] == VETO


def _picks(table: Table, observation: Observation) -> list[Action]:
    phase = table.counters[c.PHASE]
    found: list[Action] = []
    for pick in PICKS[phase]:
        cards = _one_of_each(table, cards_to_pick(table, pick), observation, pick.kinds)
        actions = BY_CARD[pick.verb]
        found += [actions[card & _CARD] for card in cards]
    if phase in DECLINES and not (found and must_pick(table)):
        found.append(_DECLINE[phase])
    return found


# ---- words ----


def describe(table: Table, action: Action, observation: Observation) -> str:
    """The notation of an action; a card that `observation` does not know is `?`."""
    verb = action.verb
    if action.cards:
        known = len(observation)
        faces = [observation[card] if card < known else HIDDEN for card in action.cards]
        return " ".join([verb, *[c.KEYS[face] if face != HIDDEN else "?" for face in faces]])
    if verb in BY_FACE and action.number < len(c.KEYS):
        return f"{verb} {c.KEYS[action.number]}"
    return verb
