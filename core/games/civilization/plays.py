"""Announce, pay, window, effect: one small machine for events and resource abilities (4.2, 10.2).

A city action and a leg of a move go through the same windows; their frames are made elsewhere.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.answers import judge_answer
from core.games.civilization.culture import by_face
from core.games.civilization.effects import do_event, do_power
from core.games.civilization.faces import (
    ERA_OF_CARD,
    FIRST_EVENT,
    FIRST_PERSON,
)
from core.games.civilization.frames import (
    AIM,
    BASE,
    CANCELLED,
    CITY,
    CONSENT,
    CONSENTED,
    EVENT_PLAY,
    GIFT_CANCELLED,
    HAS_GIFT,
    IS_ANSWER,
    ITEM,
    MASK,
    NOTE,
    OTHER,
    PAID,
    PAY,
    PLAY,
    POWER_PLAY,
    ROW,
    SEAT,
    STAGE,
    TARGET,
    TYPE,
    WHICH,
    pop,
    push,
    top,
    touch,
)
from core.games.civilization.layout import (
    BOX,
    EVENT_DISCARD,
    EVENTS,
    FIELDS,
    MARKET,
    MARKET_TOKENS,
    PLAYED,
    REFUSED,
    SHEET_COINS,
    TOKENS,
    USED,
)
from core.games.civilization.payments import (
    check_payer,
    check_payment,
    gifts_of,
    is_power_ready,
    payments,
)
from core.games.civilization.powers import ANY, OF_PHASE, POWERS
from core.games.civilization.printed import EVENT_KINDS, MARKET_KINDS
from core.games.civilization.targets import (
    DONE,
    GIFT_FROM_AFAR,
    event_owners,
    event_targets,
    others,
    power_owners,
    power_targets,
    second_event_targets,
    water_squares,
)
from core.games.civilization.wealth import UNITED_NATIONS, has_wonder, set_used, techs
from core.requests import Action, Request, numbered
from core.table import HIDDEN, Observation, RulesError, Table

# Stages.
JUDGE: Final = 0
PAYING: Final = 1
FROM_AFAR: Final = 2
FIRST_AIM: Final = 3
SECOND_AIM: Final = 4
OPEN_ROW: Final = 5
RESOLVE: Final = 6
_AFAR_BASE: Final = 8  # More than there are seats.

# ---- what can be begun ----


def is_event_open(table: Table, seat: int, number: int, phase: str) -> bool:
    """C77, C78, C180: whether an event can be played in a phase, with somebody to aim at."""
    return EVENT_KINDS[number].phase == phase and bool(event_targets(table, seat, number))


def event_offers(phase: str, table: Table, seat: int, observation: Observation) -> list[Action]:
    """Events of the own hand that can be played now."""
    hand = [
        card for card in table.zones[EVENTS[seat]]
        if EVENT_KINDS[observation[card] - FIRST_EVENT].phase == phase
    ]  # fmt: skip
    found = by_face("event", hand, observation, table.face)
    return [
        each for each in found
        if is_event_open(table, seat, observation[each.cards[0]] - FIRST_EVENT, phase)
    ]  # fmt: skip


def play_event(table: Table, seat: int, action: Action) -> None:
    """C77: the card is turned up; then it is judged."""
    card = action.cards[0]
    if card not in table.zones[EVENTS[seat]]:
        raise RulesError("this seat does not hold that card")
    begin_play(table, seat, EVENT_PLAY, 0)
    table.move(card, EVENTS[seat], PLAYED)


def begin_play(table: Table, seat: int, sort: int, item: int) -> int:
    """A new play; gives its first counter."""
    at = push(table, PLAY, seat, item=item)
    table.counters[at + TYPE] = sort
    table.counters[at + BASE] = len(table.zones[PLAYED])
    return at


def power_offers(phase: str, table: Table, seat: int, observation: Observation) -> list[Action]:
    """Resource abilities of a phase that the seat can use and pay for."""
    have, found = techs(table, seat), []
    for number in OF_PHASE[phase]:
        if have >> POWERS[number].technology & 1:  # For speed.
            ways = payments(table, seat, number, observation)
            if ways and is_power_ready(table, seat, number):
                found += [Action("power", way, number) for way in ways]
    return found


def use_power(phase: str, table: Table, seat: int, action: Action) -> None:
    """C86: announce a resource ability; hidden cards that pay for it are turned up."""
    _, cards, number = action
    is_known = number < len(POWERS) and POWERS[number].phase == phase
    if not is_known or not is_power_ready(table, seat, number):
        raise RulesError("this seat cannot use that ability now")
    check_payment(table, seat, number, cards)
    announce_power(table, seat, number, cards)


def announce_power(table: Table, seat: int, number: int, cards: tuple[int, ...]) -> int:
    """C86: it counts as used from now on; gives the first counter of the play."""
    at = begin_play(table, seat, POWER_PLAY, number)
    power = POWERS[number]
    set_used(table, seat, number)
    if not cards and power.resource != ANY:
        _spend_market(table, at, power.resource)
    for card in cards:
        pay_with(table, seat, card)
    return at


def _spend_market(table: Table, at: int, kind: int) -> None:
    seat = table.counters[at + SEAT]
    table.counters[MARKET_TOKENS[seat] + kind] -= 1
    table.counters[at + PAID] += 1 << 2 * kind


def pay_with(table: Table, seat: int, card: int) -> None:
    """Turn up a marker or event that pays."""
    source = EVENTS[seat] if card in table.zones[EVENTS[seat]] else TOKENS[seat]
    table.move(card, source, PLAYED)


# ---- the course of a play ----


def step(table: Table) -> Request | None:
    """The next stage of the play on top."""
    at = top(table)
    stage = table.counters[at + STAGE]
    table.counters[at + STAGE] += 1
    _STAGES[stage](table, at)
    return None


def played(table: Table, at: int) -> list[int]:
    """The cards of a play: those of plays that answer it have gone when this is asked."""
    return table.zones[PLAYED][table.counters[at + BASE] :]


def _judge(table: Table, at: int) -> None:
    """What has been turned up is what was said, or the choice was against the rules."""
    counters = table.counters
    seat, sort, note = counters[at + SEAT], counters[at + TYPE], counters[at + NOTE]
    if note & IS_ANSWER:
        judge_answer(table, at, table.public_face(played(table, at)[0]))
    elif sort == EVENT_PLAY:
        number = table.public_face(played(table, at)[0]) - FIRST_EVENT
        counters[at + ITEM] = number
        if not is_event_open(table, seat, number, _phase_key(table)):
            raise RulesError("this event cannot be played now")
    else:
        power = POWERS[counters[at + ITEM]]
        wanted = -1 if power.resource == ANY else 1 << power.resource
        for card in played(table, at):
            check_payer(table.public_face(card), wanted)
            if FIRST_EVENT <= table.public_face(card) < FIRST_PERSON:
                counters[at + NOTE] |= HAS_GIFT


def _phase_key(table: Table) -> str:
    return ("", "start", "trade", "city", "move", "", "")[table.counters[0]]


def _pay(table: Table, at: int) -> None:
    """C86: abilities that cost several of any kind are paid one by one."""
    counters = table.counters
    if counters[at + TYPE] != POWER_PLAY:
        return
    if unpaid(table, at) > 0:
        counters[at + STAGE] = PAYING
        push(table, PAY, counters[at + SEAT])


def unpaid(table: Table, at: int) -> int:
    """How many resources are still to be paid for a play."""
    paid = table.counters[at + PAID]
    market = sum([paid >> 2 * kind & 3 for kind in range(MARKET_KINDS)])
    return POWERS[table.counters[at + ITEM]].tokens - market - len(played(table, at))


def pay_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C87: market tokens first, then markers, then gift events."""
    counters = table.counters
    found = [numbered("pay", kind) for kind in range(MARKET_KINDS)
             if counters[MARKET_TOKENS[seat] + kind]]  # fmt: skip
    found += by_face("pay", table.zones[TOKENS[seat]], observation, table.face)
    return found + by_face("pay", gifts_of(table, seat, observation), observation, table.face)


def pay(table: Table, seat: int, action: Action) -> None:
    """C87: one resource of any kind."""
    _, cards, kind = action
    at = top(table) - FIELDS
    counters = table.counters
    if not cards:
        if kind >= MARKET_KINDS or not counters[MARKET_TOKENS[seat] + kind]:
            raise RulesError("this seat has no such token")
    elif (
        len(cards) != 1
        or kind
        or cards[0] not in table.zones[TOKENS[seat]] + table.zones[EVENTS[seat]]
    ):
        raise RulesError("this seat has no such card")
    elif table.face[cards[0]] != HIDDEN:
        check_payer(table.face[cards[0]], -1)
    pop(table)
    if cards:
        pay_with(table, seat, cards[0])
        counters[at + STAGE] = JUDGE
    else:
        _spend_market(table, at, kind)


def _afar(table: Table, at: int) -> None:
    """C144: each Gift from Afar in the payment names another seat."""
    faces = [table.public_face(card) for card in played(table, at)]
    if len(_named_afar(table, at)) < faces.count(FIRST_EVENT + GIFT_FROM_AFAR):
        table.counters[at + STAGE] = FROM_AFAR
        _ask(table, at, CITY, others(table, table.counters[at + SEAT]))


def _named_afar(table: Table, at: int) -> list[int]:
    """The seats that have been named so; each is a digit of the field."""
    found, left = list[int](), table.counters[at + CITY]
    while left:
        left, digit = divmod(left, _AFAR_BASE)
        found.append(digit - 1)
    return found


def _ask(table: Table, at: int, field: int, choices: list[int]) -> None:
    """Let the actor name something; a single possibility needs no question."""
    if len(choices) == 1:
        _name(table, at, field, choices[0])
        return
    frame = push(table, TARGET, table.counters[at + SEAT])
    table.counters[frame + STAGE] = field


def _name(table: Table, at: int, field: int, number: int) -> None:
    counters = table.counters
    if field == CITY:
        counters[at + CITY] = _AFAR_BASE * counters[at + CITY] + 1 + number
    else:
        counters[at + field] = number


def aims(table: Table, at: int, field: int) -> list[int]:
    """What can be named in a field of a play."""
    counters = table.counters
    seat, item = counters[at + SEAT], counters[at + ITEM]
    if field == CITY:
        return others(table, seat)
    if counters[at + TYPE] == EVENT_PLAY:
        if field == AIM:
            return event_targets(table, seat, item)
        return second_event_targets(table, seat, item, counters[at + AIM])
    if field == AIM:
        return power_targets(table, seat, item) or []
    return water_squares(table, seat, counters[at + AIM])


def is_aimed(table: Table, at: int) -> bool:
    """Whether a play names something: most answers do not, but are about what they answer."""
    if table.counters[at + NOTE] & IS_ANSWER and not _aims_anew(table, at):
        return False
    sort, item = table.counters[at + TYPE], table.counters[at + ITEM]
    return sort == EVENT_PLAY or power_targets(table, table.counters[at + SEAT], item) is not None


def _first_aim(table: Table, at: int) -> None:
    if is_aimed(table, at):
        _ask(table, at, AIM, aims(table, at, AIM))


def _aims_anew(table: Table, at: int) -> bool:
    """Whether an answer names a target of its own: the Defection events do."""
    counters = table.counters
    is_event = counters[at + TYPE] == EVENT_PLAY
    return is_event and EVENT_KINDS[counters[at + ITEM]].phase == "move"


def _second_aim(table: Table, at: int) -> None:
    counters = table.counters
    _seat, sort, item = counters[at + SEAT], counters[at + TYPE], counters[at + ITEM]
    is_answer = bool(counters[at + NOTE] & IS_ANSWER) and not _aims_anew(table, at)
    if not is_answer and (sort == EVENT_PLAY or item == powers.STEAM):
        choices = aims(table, at, OTHER)
        if choices:
            _ask(table, at, OTHER, choices)
        else:
            counters[at + OTHER] = DONE


def _open_row(table: Table, at: int) -> None:
    """4.2: everything has been named; the others are asked."""
    counters = table.counters
    seat, item, aim = counters[at + SEAT], counters[at + ITEM], counters[at + AIM]
    is_answer = bool(counters[at + NOTE] & IS_ANSWER) and not _aims_anew(table, at)
    if is_answer:
        counters[at + MASK] = _seats_below(table, at)
    elif counters[at + TYPE] == EVENT_PLAY:
        counters[at + MASK] = event_owners(table, item, aim, counters[at + OTHER])
    else:
        counters[at + MASK] = power_owners(table, item, aim)
    owner = _to_consent(table, at)
    if owner >= 0:
        counters[at + STAGE] = OPEN_ROW
        push(table, CONSENT, owner)
    else:
        push(table, ROW, seat)


def _seats_below(table: Table, at: int) -> int:
    """An answer is aimed at whoever made the play that it answers."""
    return 1 << table.counters[at - 2 * FIELDS + SEAT]


def _to_consent(table: Table, at: int) -> int:
    """IW0: the owner of a United Nations who has to be asked, -1 for nobody."""
    counters = table.counters
    if counters[at + TYPE] != EVENT_PLAY or counters[at + NOTE] & CONSENTED:
        return -1
    if counters[at + NOTE] & IS_ANSWER and not _aims_anew(table, at):
        return -1
    for owner in range(table.layout.players):
        is_aimed = counters[at + MASK] >> owner & 1 and owner != counters[at + SEAT]
        if is_aimed and has_wonder(table, owner, UNITED_NATIONS):
            return owner
    return -1


def consent_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """IW0: the owner of the United Nations agrees or not."""
    return [Action("consent"), Action("refuse")]


def consent(table: Table, seat: int, action: Action) -> None:
    """IW0: without consent the card goes back to the hand, and that seat is not named again.

    E143: whoever has answered with it is asked again.
    """
    at = pop(table)
    counters = table.counters
    if action.verb == "consent":
        counters[at + NOTE] |= CONSENTED
        return
    actor, is_answer = counters[at + SEAT], counters[at + NOTE] & IS_ANSWER
    counters[REFUSED[actor]] |= 1 << seat
    for card in played(table, at):
        table.move(card, PLAYED, EVENTS[actor])
    row = pop(table)
    if is_answer:
        counters[row + ITEM] -= 1


def _resolve(table: Table, at: int) -> None:
    """4.2: what was paid is gone, and the play is executed, unless it has been cancelled."""
    counters = table.counters
    note, seat, sort = counters[at + NOTE], counters[at + SEAT], counters[at + TYPE]
    item, aim, other = counters[at + ITEM], counters[at + AIM], counters[at + OTHER]
    which, afar = note // WHICH, _named_afar(table, at)
    if note & GIFT_CANCELLED:
        table.tell("unpaid", seat)
        _take_back(table, at)
        pop(table)
        return
    _put_away(table, at)
    pop(table)
    for each in afar:
        counters[SHEET_COINS[each]] += 1
    if note & CANCELLED:
        table.tell("cancelled", seat)
        return
    counters[top(table) + ITEM] = 0  # 4.2: against a leg a new row for the rest of the way.
    if sort == EVENT_PLAY:
        do_event(table, seat, item, (aim, other, which))
    else:
        do_power(table, seat, item, (aim, other, which))


def _put_away(table: Table, at: int) -> None:
    """C77, C83: events face up under their deck, markers to the box, tokens to the market."""
    counters = table.counters
    for card in played(table, at):
        era = ERA_OF_CARD[card]
        table.move(card, PLAYED, EVENT_DISCARD + era if era >= 0 else BOX)
    for kind in range(MARKET_KINDS):
        counters[MARKET + kind] += counters[at + PAID] >> 2 * kind & 3
    touch(table)


def _take_back(table: Table, at: int) -> None:
    """E141: a gift is gone, the rest of the payment stays, the ability counts as unused."""
    counters = table.counters
    seat, paid = counters[at + SEAT], played(table, at)
    gift = next(card for card in paid if ERA_OF_CARD[card] >= 0)
    table.move(gift, PLAYED, EVENT_DISCARD + ERA_OF_CARD[gift])
    for card in paid:
        if card != gift:
            table.move(card, PLAYED, EVENTS[seat] if ERA_OF_CARD[card] >= 0 else TOKENS[seat])
    for kind in range(MARKET_KINDS):
        counters[MARKET_TOKENS[seat] + kind] += counters[at + PAID] >> 2 * kind & 3
    unuse(table, seat, counters[at + ITEM])
    touch(table)


def unuse(table: Table, seat: int, number: int) -> None:
    """E141: an ability that was not paid is unused."""
    table.counters[USED[seat]] &= ~(1 << number)


_STAGES: Final = (_judge, _pay, _afar, _first_aim, _second_aim, _open_row, _resolve)

# ---- naming targets ----


def target_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """What the play below can be aimed at."""
    frame = top(table)
    choices = aims(table, frame - FIELDS, table.counters[frame + STAGE])
    return [Action("done") if each == DONE else numbered("target", each) for each in choices]


def name_target(table: Table, seat: int, action: Action) -> None:
    """A target is named."""
    frame = top(table)
    field = table.counters[frame + STAGE]
    at = pop(table)
    _name(table, at, field, DONE if action.verb == "done" else action.number)
