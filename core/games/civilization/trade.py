"""Trade (C43 to C49, D6): one floor for each seat, offers in small steps, one answer."""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.answers import NO_DEALS
from core.games.civilization.culture import by_face
from core.games.civilization.faces import BACK_KINDS, FIRST_ERA_KIND, KIND_OF_CARD
from core.games.civilization.frames import (
    ANSWER_DEAL,
    CITY,
    DEAL,
    HAND_OVER,
    HAND_OVER_ONE,
    ITEM,
    KIND,
    MASK,
    NOTE,
    SEAT,
    pop,
    push,
    top,
    touch,
)
from core.games.civilization.layout import (
    ASKED,
    CULTURE,
    DEAL_KINDS,
    EVENTS,
    FIELDS,
    GIVEN,
    GUARD,
    MARKET_TOKENS,
    NEW_CARD,
    NEWS,
    OFFERS,
    TOKENS,
    TRADE,
)
from core.games.civilization.payments import is_power_ready, may_pay
from core.games.civilization.printed import RESOURCES
from core.games.civilization.targets import others
from core.games.civilization.wealth import gain_trade
from core.requests import Action, Request, numbered
from core.table import HIDDEN, Observation, RulesError, Table

# Kinds of what changes hands: trade, culture, market tokens, then cards by their backs.
TRADE_KIND: Final = 0
CULTURE_KIND: Final = 1
FIRST_TOKEN_KIND: Final = 2
FIRST_CARD_KIND: Final = 6
DEAL_KEYS: Final = ("trade", "culture", *RESOURCES[:4], *BACK_KINDS)
AMOUNTS: Final = 128  # A number is amount + 128 * kind.
_DONE: Final = Action("done")  # Made once, for speed.
_ACCEPT: Final = Action("accept")
_REFUSE: Final = Action("refuse")


def owned(table: Table, seat: int, kind: int) -> int:
    """How much of a kind a seat has to give."""
    counters = table.counters
    if kind == TRADE_KIND:
        return counters[TRADE[seat]]
    if kind == CULTURE_KIND:
        return counters[CULTURE[seat]]
    if kind < FIRST_CARD_KIND:
        return counters[MARKET_TOKENS[seat] + kind - FIRST_TOKEN_KIND]
    return len(cards_of(table, seat, kind - FIRST_CARD_KIND))


def _zones(back: int) -> tuple[int, ...]:
    return EVENTS if back >= FIRST_ERA_KIND else TOKENS


def cards_of(table: Table, seat: int, back: int) -> list[int]:
    """The markers or event cards of a seat with a kind of back."""
    return [card for card in table.zones[_zones(back)[seat]] if KIND_OF_CARD[card] == back]


# ---- the floor ----


def partners(table: Table, seat: int) -> list[int]:
    """C48: seats with which deals are possible; none for a seat that wants no deals."""
    guard = [table.counters[GUARD[each]] >> NO_DEALS & 1 for each in range(table.layout.players)]
    if guard[seat] or not table.counters[OFFERS[seat]]:
        return []
    return [each for each in others(table, seat) if not guard[each]]


def is_floor_empty(table: Table, seat: int) -> bool:
    """D11: neither a deal nor Horseback Riding is possible, by what everybody sees."""
    if offer_offers(table, seat, table.face):
        return False
    ride = powers.HORSEBACK_POWER
    return not (is_power_ready(table, seat, ride) and may_pay(table, seat, ride))


def offer_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C48: with whom; between the two there is something that can change hands."""
    return [
        numbered("offer", each)
        for each in partners(table, seat)
        if any(owned(table, who, kind) for who in (seat, each) for kind in range(DEAL_KINDS))
    ]


def begin_offer(table: Table, seat: int, action: Action) -> None:
    """C48: at most two in a floor."""
    table.counters[OFFERS[seat]] -= 1
    push(table, DEAL, seat, city=action.number)


def show_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C49: a kept marker can be turned up for good."""
    hidden = [card for card in table.zones[TOKENS[seat]] if table.face[card] == HIDDEN]
    return by_face("show", hidden, observation, table.face)


def show(table: Table, seat: int, action: Action) -> None:
    """C49: it stays open from now on."""
    card = action.cards[0]
    if card not in table.zones[TOKENS[seat]] or table.face[card] != HIDDEN:
        raise RulesError("this seat has no such marker to show")
    table.owe((card,), None)


# ---- making an offer ----


def _amounts(verb: str, table: Table, seat: int, block: int) -> list[Action]:
    counters = table.counters
    return [
        numbered(verb, amount + AMOUNTS * kind)
        for kind in range(DEAL_KINDS)
        if not counters[block + kind]
        and (kind >= FIRST_CARD_KIND or not counters[GIVEN + kind] + counters[ASKED + kind])
        for amount in range(1, min(owned(table, seat, kind), AMOUNTS - 1) + 1)
    ]


def give_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C45: what the seat gives."""
    return _amounts("give", table, seat, GIVEN)


def ask_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C45: what it asks for."""
    return _amounts("ask", table, table.counters[top(table) + CITY], ASKED)


def name_amount(table: Table, seat: int, action: Action) -> None:
    """C48: one part of the deal."""
    kind, amount = divmod(action.number, AMOUNTS)
    table.counters[(GIVEN if action.verb == "give" else ASKED) + kind] = amount


def done_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C46: gifts are allowed, nothing at all is not a deal."""
    counters = table.counters
    is_something = any(counters[GIVEN : GIVEN + DEAL_KINDS] + counters[ASKED : ASKED + DEAL_KINDS])
    return [_DONE] if is_something else []


def finish_offer(table: Table, seat: int, action: Action) -> None:
    """C48: the partner answers at once."""
    push(table, ANSWER_DEAL, table.counters[top(table) + CITY])


def answer_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """IW5: yes or no."""
    return [_ACCEPT, _REFUSE]


def answer(table: Table, seat: int, action: Action) -> None:
    """C46: it is executed at once and completely, or not at all."""
    counters = table.counters
    at = pop(table)
    giver = counters[at + SEAT]
    pop(table)
    given = counters[GIVEN : GIVEN + DEAL_KINDS]
    asked = counters[ASKED : ASKED + DEAL_KINDS]
    counters[GIVEN : GIVEN + DEAL_KINDS] = counters[ASKED : ASKED + DEAL_KINDS] = [0] * DEAL_KINDS
    if action.verb == "accept":
        _exchange(table, (giver, seat), given, asked)
        _exchange(table, (seat, giver), asked, [0] * DEAL_KINDS)  # Is carried out first.


def _exchange(table: Table, way: tuple[int, int], amounts: list[int], received: list[int]) -> None:
    """C46: what one seat gives; cards that it has just received are not among them."""
    counters, (giver, receiver) = table.counters, way
    for kind, amount in enumerate(amounts):
        if not amount:
            continue
        if kind == TRADE_KIND:
            counters[TRADE[giver]] -= amount
            gain_trade(table, receiver, amount)  # C47
        elif kind == CULTURE_KIND:
            counters[CULTURE[giver]] -= amount
            counters[CULTURE[receiver]] += amount
        elif kind < FIRST_CARD_KIND:
            counters[MARKET_TOKENS[giver] + kind - FIRST_TOKEN_KIND] -= amount
            counters[MARKET_TOKENS[receiver] + kind - FIRST_TOKEN_KIND] += amount
        else:
            at = push(table, HAND_OVER, giver, item=kind - FIRST_CARD_KIND, city=receiver)
            counters[at + NOTE], counters[at + MASK] = amount, received[kind]


def hand_over(table: Table) -> Request | None:
    """C49: all cards of the kind go at once, or the giver picks them one by one."""
    counters, at = table.counters, top(table)
    giver, back, left = counters[at + SEAT], counters[at + ITEM], counters[at + NOTE]
    cards = cards_to_give(table, at)
    receiver = counters[at + CITY]
    if left and left < len(cards):
        push(table, HAND_OVER_ONE, giver)
        return None
    pop(table)
    if left:
        table.move_all(tuple(cards), _zones(back)[giver], _zones(back)[receiver])
    if counters[top(table) + KIND] != HAND_OVER:  # C46: hands are looked at when all is done.
        touch(table)
    counters[NEWS[receiver]] = NEW_CARD
    return None


def cards_to_give(table: Table, at: int) -> list[int]:
    """The cards of the kind agreed on, without those received in this deal, which lie last."""
    counters = table.counters
    cards = cards_of(table, counters[at + SEAT], counters[at + ITEM])
    return cards[: len(cards) - counters[at + MASK]]


def pick_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C49: the giver picks which one."""
    cards = cards_to_give(table, top(table) - FIELDS)
    return by_face("hand", cards, observation, table.face)


def pick(table: Table, seat: int, action: Action) -> None:
    """C49: only the receiver sees it."""
    at = top(table) - FIELDS
    back, receiver = table.counters[at + ITEM], table.counters[at + CITY]
    card = action.cards[0]
    if card not in cards_to_give(table, at):
        raise RulesError("this card is not of the kind that was agreed on")
    pop(table)
    table.counters[at + NOTE] -= 1
    table.move(card, _zones(back)[seat], _zones(back)[receiver])
