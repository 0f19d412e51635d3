"""What a seat may do in every phase of Carta, and the notation of it.

`_LEGAL` lists the actions of every phase in which somebody chooses.  Equal cards are offered once,
so a hand of three Science cards of one age is one choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    KIND,
    LAYING_DEMOCRACY,
    LAYING_EMBARGO,
    MIDDLE,
    NOBODY,
    PHASE,
    PLAYING_CARD,
    PLAYING_MORE,
    RETURNING,
    SEATS_MAX,
    TAKING,
    TURN,
    USING_EFFECTS,
    UTOPIA,
    banned,
)
from core.games.carta.effects import (
    copyable,
    effect_name,
    inquisition_targets,
    marker_targets,
    usable_effects,
)
from core.games.carta.turn import middle_chooser
from core.requests import Action, Card
from core.table import HIDDEN, Eyes, RulesError, Table

# Actions are made once: search asks for them millions of times.
_CARD_VERBS: Final = ("play", "discard", "return", "take", "give", "keep")
BY_CARD: Final = {
    verb: tuple(Action(verb, (card,)) for card in range(len(BACKS))) for verb in _CARD_VERBS
}
EFFECTS: Final = 4 * len(DOMAINS)
_USE: Final = tuple(Action("use", (), number) for number in range(EFFECTS))
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
    return _LEGAL[table.counters[PHASE]](table, seat, eyes)


def is_asked(table: Table, seat: int) -> bool:
    """Whether `seat` has to choose in the phase as it is."""
    phase = table.counters[PHASE]
    if phase == KEEPING:
        return 0 <= seat < table.layout.players
    if phase == CHOOSING_MIDDLE:
        return seat == middle_chooser(table)
    return phase in _LEGAL and seat == table.counters[TURN]


def _distinct(table: Table, cards: Iterable[Card], eyes: Eyes) -> list[Card]:
    """One card of each domain and age; one that everybody knows anyway before one hidden."""
    face, kinds, hidden = table.face, 0, []
    found = []
    for card in cards:
        if face[card] == HIDDEN:
            hidden.append(card)
        elif not kinds >> (kind := KIND[card] + face[card]) & 1:
            kinds |= 1 << kind
            found.append(card)
    for card in hidden:
        if not kinds >> (kind := KIND[card] + eyes[card]) & 1:
            kinds |= 1 << kind
            found.append(card)
    return found


def _from_hand(verb: str) -> Callable[[Table, int, Eyes], list[Action]]:
    actions = BY_CARD[verb]

    def choices(table: Table, seat: int, eyes: Eyes) -> list[Action]:
        return [actions[card] for card in _distinct(table, table.zones[HAND[seat]], eyes)]

    return choices


def _from_area(verb: str) -> Callable[[Table, int, Eyes], list[Action]]:
    actions = BY_CARD[verb]

    def choices(table: Table, seat: int, eyes: Eyes) -> list[Action]:
        first = AREA[seat]
        return [actions[zone[-1]] for zone in table.zones[first : first + 6] if zone]

    return choices


def _from_pile(source: int) -> Callable[[Table, int, Eyes], list[Action]]:
    actions = BY_CARD["take"]

    def choices(table: Table, seat: int, eyes: Eyes) -> list[Action]:
        return [actions[card] for card in _distinct(table, table.zones[source], eyes)]

    return choices


def _plays(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    """3.1, E31: every card that can be played; `skip` only when there is none (F4)."""
    actions, bans = BY_CARD["play"], banned(table, seat)
    cards = _distinct(table, table.zones[HAND[seat]], eyes)
    if not bans:
        return [actions[card] for card in cards]
    return [actions[card] for card in cards if not bans >> eyes[card] & 1] or [_SKIP]


def _effects(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    return [*[_USE[number] for number in usable_effects(table, seat)], _END]


def _victims(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    can_be_robbed = enumerate(inquisition_targets(table, seat))
    return [_TARGET[target_number(other)] for other, can in can_be_robbed if can]


def _marker_places(domain: int) -> Callable[[Table, int, Eyes], list[Action]]:
    def choices(table: Table, seat: int, eyes: Eyes) -> list[Action]:
        targets = marker_targets(table, seat, domain)
        return [_TARGET[target_number(other, lain_on)] for other, lain_on in targets]

    return choices


def _copies(table: Table, seat: int, eyes: Eyes) -> list[Action]:
    return [_COPY[number] for number in copyable(table, seat)]


_LEGAL: Final[dict[int, Callable[[Table, int, Eyes], list[Action]]]] = {
    KEEPING: _from_hand("keep"),
    CHOOSING_MIDDLE: _from_pile(MIDDLE),
    PLAYING_CARD: _plays,
    USING_EFFECTS: _effects,
    DISCARDING_HAND: _from_hand("discard"),
    DISCARDING_AREA: _from_area("discard"),
    RETURNING: _from_area("return"),
    PLAYING_MORE: _plays,
    ATTACKING: _from_area("discard"),
    INQUIRING: _victims,
    GIVING: _from_hand("give"),
    TAKING: _from_pile(DISCARD),
    LAYING_EMBARGO: _marker_places(ECONOMY),
    LAYING_DEMOCRACY: _marker_places(UTOPIA),
    COPYING: _copies,
}


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
