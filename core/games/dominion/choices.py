"""What a seat may do whenever it is asked, and the notation of it.

Equal cards are offered once, so a hand of three Coppers is one choice.  What moves the game on is
offered last, so that even players who always take the last offer come to an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import core.games.dominion.cards as c
from core.games.dominion.cards import pile_heights
from core.games.dominion.kingdoms import VETO, kinds_of
from core.games.dominion.picks import DECLINES, PICKS, cards_to_pick, must_pick
from core.games.dominion.steps import gainable
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
_STOP: Final = Action("stop")
_COINS_MAX: Final = max(c.COST)  # No kind costs more.
# By coins: the kinds that cost no more, the cheapest first.
_WITHIN: Final[tuple[tuple[Face, ...], ...]] = tuple(
    tuple(face for face in sorted(c.ALL, key=c.COST.__getitem__) if c.COST[face] <= coins)
    for coins in range(_COINS_MAX + 1)
)
BY_FACE: Final = ("buy", "gain", "choose", "strike")


def legal_actions(table: Table, seat: Player, observation: Observation) -> list[Action]:
    """Everything `seat` may do now, in an order that is the same everywhere."""
    check_asked(table, seat)
    phase = table.counters[c.PHASE]
    if phase == c.BUYING:
        return _purchases(table, seat, observation)
    if phase == c.ACTING:
        playable = [card for card in table.zones[c.HAND[seat]] if c.IS_ACTION[observation[card]]]
        return [_STOP, *_distinct(table, playable, observation, "play")]
    if phase == c.GAINING:
        return [_GAIN[face] for face in gainable(table)]
    if phase == c.DRAFTING:
        whole = _STRIKE if is_veto(table) else _CHOOSE
        return [whole[face] for face in draftable(table)]
    if phase == c.CHANCELLING:
        return [Action("turn"), Action("pass")]
    return _picks(table, observation)


def check_asked(table: Table, seat: Player) -> None:
    """Refuse a seat that has nothing to choose now.

    Raises:
        RulesError: it is not for this seat to choose.
    """
    phase = table.counters[c.PHASE]
    if not c.STARTING < phase <= c.LAST_ASKING or table.counters[c.CHOOSER] != seat:
        raise RulesError(f"it is not for this seat to choose: the phase is {c.PHASES[phase]}")


def _distinct(
    table: Table, cards: Sequence[Card], observation: Observation, verb: str
) -> list[Action]:
    """One card of each face, in the order of the faces; one that all know before one hidden."""
    by_face: dict[Face, Card] = {}
    known, actions = table.face, BY_CARD[verb]
    for card in cards:
        face = observation[card]
        if face not in by_face or (known[by_face[face]] == HIDDEN and known[card] != HIDDEN):
            by_face[face] = card
    return [actions[by_face[face]] for face in sorted(by_face)]


def _purchases(table: Table, seat: Player, observation: Observation) -> list[Action]:
    """D9: purchases, and until the first of them Treasures, one by one or all at once."""
    actions = [_END, *[_BUY[face] for face in buyable(table)]]
    if not table.counters[c.BOUGHT]:
        cards = [card for card in table.zones[c.HAND[seat]] if c.IS_TREASURE[observation[card]]]
        actions += _distinct(table, cards, observation, "play")
        if len(cards) > 1:
            actions.append(_all_at_once(cards, observation))
    return actions


def all_treasures(table: Table, seat: Player, observation: Observation) -> Action | None:
    """The one of the legal actions that plays most Treasures; None when there is none to play."""
    if table.counters[c.BOUGHT]:
        return None
    cards = [card for card in table.zones[c.HAND[seat]] if c.IS_TREASURE[observation[card]]]
    if len(cards) > 1:
        return _all_at_once(cards, observation)
    return BY_CARD["play"][cards[0]] if cards else None


def _all_at_once(cards: list[Card], observation: Observation) -> Action:
    order = [observation[card] * _CARDS_MAX + card for card in cards]
    order.sort()
    return make_action("treasures", tuple([each % _CARDS_MAX for each in order]))


def buyable(table: Table) -> list[Face]:
    """The kinds that the coins reach, the cheapest first."""
    counters, zones = table.counters, table.zones
    if not counters[c.BUYS]:
        return []
    return [face for face in _WITHIN[min(counters[c.MONEY], _COINS_MAX)] if zones[face]]


def is_buyable(table: Table, face: Face) -> bool:
    """Whether the coins reach this kind: `face in buyable`, but sooner."""
    counters, is_kind = table.counters, 0 <= face < len(c.COST)
    is_paid = is_kind and counters[c.BUYS] > 0 and c.COST[face] <= counters[c.MONEY]
    return is_paid and bool(table.zones[face])


def draftable(table: Table) -> list[Face]:
    """D5: the kinds of the edition that nobody has chosen or struck out yet."""
    chosen = table.counters[c.KINGDOM : c.KINGDOM + c.KINGDOM_KINDS]
    kinds = kinds_of(table.layout.options["edition"])
    return [face for face in kinds if table.zones[face] and face not in chosen]


def is_veto(table: Table) -> bool:
    """D5: whether the draft strikes kinds out, until ten are left."""
    return table.layout.options["kingdom"] == VETO


def _picks(table: Table, observation: Observation) -> list[Action]:
    phase, actions = table.counters[c.PHASE], list[Action]()
    for pick in PICKS[phase]:
        cards = cards_to_pick(table, pick)
        if len(pick.faces) < len(c.KEYS):
            cards = [card for card in cards if observation[card] in pick.faces]
        actions += _distinct(table, cards, observation, pick.verb)
    if phase in DECLINES and not (actions and must_pick(table)):
        actions.append(Action(DECLINES[phase]))
    return actions


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
