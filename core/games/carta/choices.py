"""What a seat may do in every phase of Carta, and the notation of it.

Equal cards are offered once, so a hand of three Science cards of one age is one choice.
"""

from __future__ import annotations

from typing import Final

import core.games.carta.cards as c
from core.games.carta.cards import banned
from core.games.carta.effects import (
    EFFECTS,
    copyable,
    effect_actions,
    effect_name,
    inquisition_targets,
    marker_targets,
    target_number,
)
from core.games.carta.turn import middle_chooser
from core.native import i64
from core.requests import Action, Card
from core.table import HIDDEN, Observation, RulesError, Table

# Actions are made once: search asks for them millions of times.
_CARD_VERBS: Final = ("play", "discard", "return", "take", "give", "keep")
BY_CARD: Final = {
    verb: tuple(Action(verb, (card,)) for card in range(len(c.BACKS))) for verb in _CARD_VERBS
}
_HAND_VERBS: Final = {c.KEEPING: "keep", c.DISCARDING_HAND: "discard", c.GIVING: "give"}
_HAND_ACTIONS: Final[tuple[tuple[Action, ...], ...]] = tuple(  # By phase, with a card of the hand.
    BY_CARD[_HAND_VERBS[phase]] if phase in _HAND_VERBS else () for phase in range(len(c.PHASES))
)
_PLAY: Final = BY_CARD["play"]
_TAKE: Final = BY_CARD["take"]
_COPY: Final = tuple(Action("copy", (), number) for number in range(EFFECTS))
_END: Final = Action("end")
_SKIP: Final = Action("skip")
_TARGET: Final = tuple(Action("target", (), number) for number in range(8 * c.SEATS_MAX))


# ---- what may be done ----


def legal_actions(table: Table, seat: int, observation: Observation) -> list[Action]:
    """Everything `seat` may do now, in an order that is the same everywhere."""
    counters = table.counters
    phase = counters[c.PHASE]
    if seat == counters[c.TURN]:  # The commonest first, as everywhere that search passes.
        if phase == c.USING_EFFECTS:
            actions = effect_actions(table, seat)
            actions.append(_END)
            return actions
        if phase in (c.PLAYING_CARD, c.PLAYING_MORE):
            return _plays(table, seat, observation)
        if phase in (c.DISCARDING_HAND, c.GIVING):
            return _from_hand(table, seat, observation)
    if not is_asked(table, seat):
        raise RulesError("it is not for this seat to choose")
    if phase == c.KEEPING:
        return _from_hand(table, seat, observation)
    return _other_actions(table, seat, observation)


def _from_hand(table: Table, seat: int, observation: Observation) -> list[Action]:
    actions = _HAND_ACTIONS[table.counters[c.PHASE]]
    return _distinct(table, table.zones[c.HAND[seat]], observation, actions, 0)


def _other_actions(table: Table, seat: int, observation: Observation) -> list[Action]:
    phase = table.counters[c.PHASE]
    if phase in (c.ATTACKING, c.DISCARDING_AREA):
        return _from_area(table, seat, "discard")
    if phase == c.RETURNING:
        return _from_area(table, seat, "return")
    if phase == c.INQUIRING:
        return _victims(table, seat)
    if phase == c.LAYING_EMBARGO:
        return _marker_places(table, seat, c.ECONOMY)
    if phase == c.LAYING_DEMOCRACY:
        return _marker_places(table, seat, c.UTOPIA)
    if phase == c.COPYING:
        return [_COPY[number] for number in copyable(table, seat)]
    zone = c.MIDDLE if phase == c.CHOOSING_MIDDLE else c.DISCARD
    return _distinct(table, table.zones[zone], observation, _TAKE, 0)


def is_asked(table: Table, seat: int) -> bool:
    """Whether `seat` has to choose in the phase as it is."""
    counters = table.counters
    phase = counters[c.PHASE]
    if phase > c.CHOOSING_MIDDLE:
        return phase <= c.COPYING and seat == counters[c.TURN]
    if phase == c.KEEPING:
        return 0 <= seat < table.layout.players
    return phase == c.CHOOSING_MIDDLE and seat == middle_chooser(table)


def _distinct(
    table: Table,
    cards: list[Card],
    observation: Observation,
    actions: tuple[Action, ...],
    bans: int,
) -> list[Action]:
    """An action for one card of each domain and age, but for the banned domains.

    A card that everybody knows anyway comes before one that is hidden.
    """
    face, has_hidden = table.face, False
    kinds: i64 = bans * c.EVERY_AGE if bans else 0
    found: list[Action] = []
    card: i64
    for card in cards:
        if face[card] == HIDDEN:
            has_hidden = True
        elif has_hidden:
            return _distinct(table, _known_first(table, cards), observation, actions, bans)
        kind: i64 = observation[card]  # Equal cards are of one domain and one age.
        if card >= c.FIRST_OF_AGE_II:
            kind += 6 if card < c.FIRST_OF_AGE_I else 12
        bit: i64 = 1 << kind
        if not kinds & bit:
            kinds |= bit
            found.append(actions[card])
    return found


def _known_first(table: Table, cards: list[Card]) -> list[Card]:
    face = table.face
    known = [card for card in cards if face[card] != HIDDEN]
    return known + [card for card in cards if face[card] == HIDDEN]


def _from_area(table: Table, seat: int, verb: str) -> list[Action]:
    actions, first = BY_CARD[verb], c.AREA[seat]
    return [actions[zone[-1]] for zone in table.zones[first : first + 6] if zone]


def _plays(table: Table, seat: int, observation: Observation) -> list[Action]:
    """3.1, E31: every card that can be played; `skip` only when there is none (F4)."""
    actions = _distinct(table, table.zones[c.HAND[seat]], observation, _PLAY, banned(table, seat))
    return actions or [_SKIP]


def _victims(table: Table, seat: int) -> list[Action]:
    return [_TARGET[target_number(other)] for other in inquisition_targets(table, seat)]


def _marker_places(table: Table, seat: int, domain: int) -> list[Action]:
    return [_TARGET[number] for number in marker_targets(table, seat, domain)]


# ---- words ----


def describe(table: Table, action: Action, observation: Observation) -> str:
    """The notation of an action; a card that `observation` does not know is `?`."""
    verb, number = action.verb, action.number
    if action.cards:
        card = action.cards[0]
        face = observation[card] if card < len(observation) else HIDDEN
        return f"{verb} {c.DOMAINS[face] if face != HIDDEN else '?'}"
    if verb in ("use", "copy") and number < EFFECTS:
        return f"{verb} {effect_name(number)}"
    if verb == "target":
        seat, domain = divmod(number, 8)
        return f"target seat{seat}" + (f" {c.DOMAINS[domain - 1]}" if 0 < domain < 7 else "")
    return verb
