"""Deals, as a bot values them: a resource is worth most to whoever has a use for it and none."""

from __future__ import annotations

from typing import Final, NamedTuple

import core.games.civilization.layout as c
from core.games.civilization.frames import CITY, SEAT, top
from core.games.civilization.learning import TRADE_NEEDED
from core.games.civilization.powers import POWERS
from core.games.civilization.trade import (
    AMOUNTS,
    CULTURE_KIND,
    FIRST_CARD_KIND,
    FIRST_TOKEN_KIND,
    TRADE_KIND,
    owned,
)
from core.games.civilization.wealth import knows
from core.requests import Player
from core.table import Table

_WORTH: Final = (10, 15, 20, 20, 20, 20, 40, 50, 40, 60, 80)  # Tenths of a trade, by kind.
_USEFUL: Final = 30  # More, for a resource that the seat can use and has none of.
_CAUTION: Final = 10
_PRICES: Final = (3, 4)  # Trade or culture offered or asked for a token.


class Exchange(NamedTuple):
    """One thing for another: what is given and asked, as numbers of the actions."""

    give: int
    ask: int


def worth(table: Table, seat: Player, kind: int) -> int:
    """What one of a kind is worth to a seat."""
    return _WORTH[kind] + (0 if owned(table, seat, kind) else _use(table, seat, kind))


def _use(table: Table, seat: Player, kind: int) -> int:
    """What the first one of a resource is worth more, because the seat can use it."""
    resource = kind - FIRST_TOKEN_KIND
    if not 0 <= resource < FIRST_CARD_KIND - FIRST_TOKEN_KIND:
        return 0
    for power in POWERS:
        if power.resource == resource and knows(table, seat, power.technology):
            return _USEFUL
    return 0


def gain(table: Table, seat: Player, gets: list[int], gives: list[int]) -> int:
    """What an exchange brings to a seat."""
    kinds = [kind for kind in range(c.DEAL_KINDS) if gets[kind] or gives[kind]]
    return sum([worth(table, seat, kind) * gets[kind] for kind in kinds]) - sum(
        [_price(table, seat, kind) * gives[kind] for kind in kinds]
    )


def _price(table: Table, seat: Player, kind: int) -> int:
    """What a seat loses with one of a kind that it has."""
    return _WORTH[kind] + (0 if owned(table, seat, kind) > 1 else _use(table, seat, kind))


def answer_worth(table: Table, seat: Player) -> int:
    """What the offer on the table brings to whoever answers; of two seats, beside the other."""
    counters = table.counters
    given = counters[c.GIVEN : c.GIVEN + c.DEAL_KINDS]
    asked = counters[c.ASKED : c.ASKED + c.DEAL_KINDS]
    found = gain(table, seat, given, asked) - _CAUTION
    if table.layout.players == 2:
        giver = counters[top(table) - c.FIELDS + SEAT]
        found = min(found, found - gain(table, giver, asked, given))
    return found


def proposal(table: Table, seat: Player, partner: Player) -> Exchange | None:
    """The exchange that brings most to both, if there is one that the partner can want."""
    best, found = 0, None
    for give in _lots(table, seat):
        for ask in _lots(table, partner):
            if give[0] == ask[0]:
                continue
            given, asked = [0] * c.DEAL_KINDS, [0] * c.DEAL_KINDS
            given[give[0]], asked[ask[0]] = give[1], ask[1]
            mine = gain(table, seat, asked, given)
            theirs = gain(table, partner, given, asked)
            is_fair = table.layout.players > 2 or mine == theirs + _CAUTION or mine == theirs
            if mine > 0 and theirs > _CAUTION and is_fair and mine + theirs > best:
                best = mine + theirs
                found = Exchange(give[1] + AMOUNTS * give[0], ask[1] + AMOUNTS * ask[0])
    return found


def _lots(table: Table, seat: Player) -> list[tuple[int, int]]:
    """What a seat could give in a deal of one thing for another: kind and amount."""
    found = [(kind, 1) for kind in range(FIRST_TOKEN_KIND, FIRST_CARD_KIND)
             if owned(table, seat, kind)]  # fmt: skip
    spare = owned(table, seat, TRADE_KIND)
    spare = spare - TRADE_NEEDED[1] if spare >= TRADE_NEEDED[1] else spare
    found += [(TRADE_KIND, price) for price in _PRICES if spare >= price]
    found += [(CULTURE_KIND, price) for price in _PRICES[:1]
              if owned(table, seat, CULTURE_KIND) >= price]  # fmt: skip
    return found


def under_way(table: Table, seat: Player) -> Exchange | None:
    """What the seat that is making an offer means to say."""
    return proposal(table, seat, table.counters[top(table) + CITY])
