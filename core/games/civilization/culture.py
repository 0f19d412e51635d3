"""Culture (C70 to C80): the track, event cards in hand, great people."""

from __future__ import annotations

from core.games.civilization.faces import (
    ERA_OF_CARD,
    FIRST_PERSON,
    GREAT_MARKER,
    KIND_OF_CARD,
    PERSON_KEYS,
)
from core.games.civilization.figures import person_squares, place_person
from core.games.civilization.frames import (
    BY_CULTURE,
    DISCARD,
    DRAW,
    GAIN,
    HAND_OVER,
    HAND_OVER_ONE,
    ITEM,
    NOTE,
    OTHER,
    PERSON,
    SEAT,
    STEP,
    pop,
    push,
    top,
    touch,
    win,
)
from core.games.civilization.layout import (
    ACTIVE,
    CULTURE,
    EVENT_DECK,
    EVENT_DISCARD,
    EVENTS,
    GREAT_DECK,
    GREAT_NEW,
    NEW_CARD,
    NEWS,
    SHEET,
    TOKENS,
    TRACK_AT,
    TRADE,
)
from core.games.civilization.printed import TRACK, TRACK_CULTURE, TRACK_TRADE
from core.games.civilization.wealth import hand_limit
from core.requests import Action, Request, Shuffle, make_action, numbered
from core.table import HIDDEN, Observation, RulesError, Table

_ERAS = {"a": 0, "m": 1, "n": 2}

# ---- the track ----


def can_advance(table: Table, seat: int) -> bool:
    """C71: whether the next space can be paid for, both parts in full."""
    counters = table.counters
    space = counters[TRACK_AT[seat]] + 1
    return counters[CULTURE[seat]] >= TRACK_CULTURE[space] and (
        counters[TRADE[seat]] >= TRACK_TRADE[space]
    )


def pay_step(table: Table, seat: int) -> None:
    """C71: pay for the next space and enter it."""
    counters = table.counters
    space = counters[TRACK_AT[seat]] + 1
    counters[CULTURE[seat]] -= TRACK_CULTURE[space]
    counters[TRADE[seat]] -= TRACK_TRADE[space]
    push(table, STEP, seat)


def step(table: Table) -> Request | None:
    """C72, C73: enter the next space; its reward comes before anything else."""
    counters = table.counters
    seat = counters[top(table) + SEAT]
    pop(table)
    counters[TRACK_AT[seat]] += 1
    space = TRACK[counters[TRACK_AT[seat]]]
    if space == "!":
        win(table, seat, BY_CULTURE)  # C171
    elif space == "p":
        push(table, GAIN, seat)
    else:
        push(table, DRAW, seat, item=_ERAS[space])
    return None


def draw_event(table: Table) -> Request | None:
    """C72, C74, C77: the top card of an era, if there is one."""
    at = top(table)
    seat, era = table.counters[at + SEAT], table.counters[at + ITEM]
    pop(table)
    table.draw(1, EVENT_DECK + era, EVENTS[seat])
    table.counters[NEWS[seat]] = NEW_CARD
    touch(table)
    return None


# ---- hands ----


def mix_hands(table: Table, seat: int, also_seen: bool = False) -> Shuffle | None:
    """Section 6: the hidden cards of a seat are mixed, each kind of back by itself.

    With them, if so wanted, events that everybody has seen; a marker that lies open stays so.
    """
    piles = []
    for zone in (EVENTS[seat], TOKENS[seat]):
        cards = table.zones[zone]
        if zone == TOKENS[seat] or not also_seen:
            cards = [card for card in cards if table.face[card] == HIDDEN]
        for kind in sorted({KIND_OF_CARD[card] for card in cards}):
            pile = tuple([card for card in cards if KIND_OF_CARD[card] == kind])
            if len(pile) > 1:
                piles.append(pile)
    return Shuffle(tuple(piles), seat) if piles else None


def mix_news(table: Table) -> Shuffle | None:
    """Section 6: whoever has drawn a card mixes it in, so that nobody can follow it.

    C46: a deal is carried out first: what was received in it lies last until then.
    """
    counters = table.counters
    for seat in range(table.layout.players):
        if counters[NEWS[seat]] == NEW_CARD:
            if counters[top(table)] in (HAND_OVER, HAND_OVER_ONE):
                return None
            counters[NEWS[seat]] = 1
            mixing = mix_hands(table, seat)
            if mixing is not None:
                return mixing
    return None


def check_hands(table: Table) -> None:
    """C76: whoever holds too many discards at once; the active seat first."""
    counters, players = table.counters, table.layout.players
    for step in range(players - 1, -1, -1):
        seat = (counters[ACTIVE] + step) % players
        hand = len(table.zones[EVENTS[seat]])
        if hand > 2 and hand > hand_limit(table, seat):
            at = top(table)
            if counters[at] != DISCARD or counters[at + SEAT] != seat:
                push(table, DISCARD, seat)


def discard_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C76: any card of the own hand."""
    return by_face("discard", table.zones[EVENTS[seat]], observation, table.face)


def by_face(
    verb: str, cards: list[int], observation: Observation, public: list[int]
) -> list[Action]:
    """An action for one card of each face and back; of equal ones one that everybody knows."""
    found: dict[int, int] = {}
    for card in cards:
        face = observation[card]
        if face not in found or public[card] != HIDDEN:
            found[face] = card
    return [make_action(verb, (card,)) for card in found.values()]


def discard(table: Table, seat: int, action: Action) -> None:
    """C76: face up under its deck; with enough of them gone, the frame closes by itself."""
    card = action.cards[0]
    table.move(card, EVENTS[seat], EVENT_DISCARD + ERA_OF_CARD[card])
    touch(table)


# ---- great people ----


def gain_person(table: Table) -> Request | None:
    """C79, C80: a random great person, turned up, to be placed at once."""
    at = top(table)
    seat, must_place = table.counters[at + SEAT], table.counters[at + NOTE]
    marker = table.counters[at + OTHER] - 1
    pop(table)
    if marker >= 0 and table.public_face(marker) != GREAT_MARKER:
        raise RulesError("this marker shows no great person")
    if table.zones[GREAT_DECK]:
        table.move(table.zones[GREAT_DECK][-1], GREAT_DECK, GREAT_NEW)
        at = push(table, PERSON, seat)
        table.counters[at + NOTE] = must_place
    return None


def person_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C79: an own square, or the sheet; in the set-up it must be placed (C25)."""
    found = [numbered("place", square) for square in person_squares(table, seat)]
    if not table.counters[top(table) + NOTE]:
        found.append(Action("sheet"))
    return found


def put_person(table: Table, seat: int, action: Action) -> None:
    """C79: place the great person just gained, or set it aside."""
    card = table.zones[GREAT_NEW][-1]
    pop(table)
    if action.verb == "sheet":
        table.move(card, GREAT_NEW, SHEET[seat])
    else:
        place_person(table, action.number, card, GREAT_NEW)


def _waiting(table: Table, seat: int) -> list[int]:
    """C79: who is set aside may be placed in any *later* segment.

    Those who lay on the sheet when the segment began lie first; the menu counts them.  Whoever is
    sent to the sheet in this segment waits for the next one, so nobody changes places for ever.
    """
    return table.zones[SHEET[seat]][: table.counters[top(table) + NOTE]]


def waiting_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C31, C79: people that were set aside, by kind and square."""
    kinds = sorted({table.face[card] - FIRST_PERSON for card in _waiting(table, seat)})
    return [
        numbered("great", 256 * kind + square)
        for kind in kinds
        for square in person_squares(table, seat)
    ]


def place_waiting(table: Table, seat: int, action: Action) -> None:
    """C79: place a great person that was set aside."""
    kind, square = divmod(action.number, 256)
    assert kind < len(PERSON_KEYS)
    cards = _waiting(table, seat)
    card = next(card for card in cards if table.face[card] == FIRST_PERSON + kind)
    table.counters[top(table) + NOTE] -= 1
    place_person(table, square, card, SHEET[seat])
