"""What a seat may do in every phase of Carta, and the notation of it.

Equal cards are offered once, so a hand of three Science cards of one age is one choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.games.carta.cards import (
    AREA,
    ATTACKING,
    BACKS,
    CHOOSING_MIDDLE,
    COPYING,
    DISCARD,
    DISCARDING_AREA,
    DISCARDING_HAND,
    DOMAINS,
    ECONOMY,
    GIVING,
    HAND,
    INQUIRING,
    KEEPING,
    KIND_BIT,
    LAYING_DEMOCRACY,
    LAYING_EMBARGO,
    MIDDLE,
    NOBODY,
    PHASE,
    PHASES,
    PLAYING_CARD,
    PLAYING_MORE,
    RETURNING,
    SEATS_MAX,
    TURN,
    USING_EFFECTS,
    UTOPIA,
    banned,
)
from core.games.carta.effects import (
    EFFECTS,
    copyable,
    effect_actions,
    effect_name,
    inquisition_targets,
    marker_targets,
)
from core.games.carta.turn import middle_chooser
from core.requests import Action
from core.table import HIDDEN, Eyes, RulesError, Table

# Actions are made once: search asks for them millions of times.
_CARD_VERBS: Final = ("play", "discard", "return", "take", "give", "keep")
BY_CARD: Final = {
    verb: tuple(Action(verb, (card,)) for card in range(len(BACKS))) for verb in _CARD_VERBS
}
HAND_VERBS: Final = tuple(  # By phase: what is done with one card of the hand.
    {KEEPING: "keep", DISCARDING_HAND: "discard", GIVING: "give"}.get(phase, "")
    for phase in range(len(PHASES))
)
_PLAY: Final = BY_CARD["play"]
_TAKE: Final = BY_CARD["take"]
_COPY: Final = tuple(Action("copy", (), number) for number in range(EFFECTS))
_END: Final = Action("end")
_SKIP: Final = Action("skip")
_TARGET: Final = tuple(Action("target", (), number) for number in range(8 * SEATS_MAX))


def target_number(seat: int, domain: int = NOBODY) -> int:
    """The number of a `target` action: 8 * seat, and 1 + the domain where there is one."""
    return 8 * seat + domain + 1


# ---- what may be done ----


def legal_actions(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    """Everything `seat` may do now, in an order that is the same everywhere."""
    if not is_asked(table, seat):
        raise RulesError("it is not for this seat to choose")
    phase = table.counters[PHASE]
    if phase == USING_EFFECTS:  # The commonest first, as everywhere that search passes.
        return _effects(table, seat)
    if phase in (PLAYING_CARD, PLAYING_MORE):
        return _plays(table, seat, eyes)
    verb = HAND_VERBS[phase]
    if verb:
        return _distinct(table, HAND[seat], eyes, BY_CARD[verb], 0)
    return _other_actions(table, seat, eyes)


def _other_actions(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    phase = table.counters[PHASE]
    if phase in (ATTACKING, DISCARDING_AREA):
        return _from_area(table, seat, "discard")
    if phase == RETURNING:
        return _from_area(table, seat, "return")
    if phase == INQUIRING:
        return _victims(table, seat)
    if phase == LAYING_EMBARGO:
        return _marker_places(table, seat, ECONOMY)
    if phase == LAYING_DEMOCRACY:
        return _marker_places(table, seat, UTOPIA)
    if phase == COPYING:
        return [_COPY[number] for number in copyable(table, seat)]
    return _distinct(table, MIDDLE if phase == CHOOSING_MIDDLE else DISCARD, eyes, _TAKE, 0)


def is_asked(table: Table, seat: int) -> bool:
    """Whether `seat` has to choose in the phase as it is."""
    counters = table.counters
    phase = counters[PHASE]
    if KEEPING < phase <= COPYING and phase != CHOOSING_MIDDLE:
        return seat == counters[TURN]
    if phase == KEEPING:
        return 0 <= seat < table.layout.players
    return phase == CHOOSING_MIDDLE and seat == middle_chooser(table)


def _distinct(
    table: Table, zone: int, eyes: Eyes, actions: tuple[Action, ...], bans: int
) -> list[Action]:
    """An action for one card of each domain and age, but for the banned domains.

    A card that everybody knows anyway comes before one that is hidden.
    """
    cards, face, kinds, hidden_count = table.zones[zone], table.face, 0, 0
    found: list[Action] = []
    for card in cards:
        domain = face[card]
        if domain == HIDDEN:
            hidden_count += 1
            continue
        bit = KIND_BIT[card] << domain
        if not kinds & bit and not bans >> domain & 1:
            kinds |= bit
            found.append(actions[card])
    if hidden_count:
        for card in cards:
            if face[card] == HIDDEN:
                domain = eyes[card]
                bit = KIND_BIT[card] << domain
                if not kinds & bit and not bans >> domain & 1:
                    kinds |= bit
                    found.append(actions[card])
    return found


def _from_area(table: Table, seat: int, verb: str) -> list[Action]:
    actions, first = BY_CARD[verb], AREA[seat]
    return [actions[zone[-1]] for zone in table.zones[first : first + 6] if zone]


def _plays(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    """3.1, E31: every card that can be played; `skip` only when there is none (F4)."""
    actions = _distinct(table, HAND[seat], eyes, _PLAY, banned(table, seat))
    return actions or [_SKIP]


def _effects(table: Table, seat: int) -> list[Action]:
    actions = effect_actions(table, seat)
    actions.append(_END)
    return actions


def _victims(table: Table, seat: int) -> list[Action]:
    can_be_robbed = enumerate(inquisition_targets(table, seat))
    return [_TARGET[target_number(other)] for other, can in can_be_robbed if can]


def _marker_places(table: Table, seat: int, domain: int) -> list[Action]:
    targets = marker_targets(table, seat, domain)
    return [_TARGET[target_number(other, lain_on)] for other, lain_on in targets]


# ---- words ----


def describe(table: Table, action: Action, eyes: Sequence[int]) -> str:
    """The notation of an action; a card that `eyes` do not know is `?`."""
    verb, number = action.verb, action.number
    if action.cards:
        card = action.cards[0]
        face = eyes[card] if card < len(eyes) else HIDDEN
        return f"{verb} {DOMAINS[face] if face != HIDDEN else '?'}"
    if verb in ("use", "copy") and number < EFFECTS:
        return f"{verb} {effect_name(number)}"
    if verb == "target":
        seat, domain = divmod(number, 8)
        return f"target seat{seat}" + (f" {DOMAINS[domain - 1]}" if 0 < domain < 7 else "")
    return verb
