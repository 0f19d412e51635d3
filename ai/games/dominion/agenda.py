"""What to buy, in which order and how much of it: an agenda, and when land is worth more.

An agenda is a short text, `gold witch*2 chapel silver`: the first kind that the coins reach and of
which there is not enough yet is bought.  A kind may come again with a larger number.  Land is the
same for all agendas: Province whenever it can be had, Duchy and Estate when few Provinces are left.
"""

from __future__ import annotations

from typing import Final

from core.games.dominion.cards import (
    COST,
    DUCHY,
    ESTATE,
    GARDENS,
    GOLD,
    KEYS,
    POINTS,
    PROVINCE,
    TURNS,
    empty_piles,
)
from core.games.dominion.scoring import owned, points
from core.requests import Face, Player
from core.table import Table

NOTHING: Final = -1  # In place of a kind.
_PLENTY: Final = 99
# Provinces left for each pair of seats, from which on is bought ...
_DUCHY_BEFORE_GOLD: Final = 4
_DUCHY_BEFORE_SILVER: Final = 5
_ESTATE_BEFORE_SILVER: Final = 2
_ESTATE_BEFORE_NOTHING: Final = 3
_DUCHY_THINKABLE: Final = 8  # ... or thought about by search.
_ESTATE_THINKABLE: Final = 5
_GARDENS_POINTS_MIN: Final = 3
_GARDENS_CARDS: Final = 10  # For each point.
_PILES_MAX: Final = 2  # With one pile more the game ends, for up to four seats.


class Agenda:
    """Kinds to buy, the most wanted first, each with how many are enough.

    >>> Agenda("gold smithy*2 silver").enough
    [99, 2, 99]
    """

    __slots__ = ("enough", "order", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.order: list[Face] = []
        self.enough: list[int] = []
        for wish in text.split():
            key, _, count = wish.partition("*")
            self.order.append(KEYS.index(key))
            self.enough.append(int(count) if count else _PLENTY)

    def purchases(
        self, table: Table, player: Player, most: int, *, is_one_enough: bool = False
    ) -> list[Face]:
        """What may be worth having for at most so many coins, the best first; never empty.

        The first is what the agenda says, which may be NOTHING; what follows is worth a thought,
        and where one is enough it may be left out, but not behind a Province.
        """
        zones = table.zones
        is_late = len(zones[PROVINCE]) <= 1 or empty_piles(table) >= _PILES_MAX
        is_one_enough = is_one_enough and not is_late
        counts: list[int] = []  # Only made when a kind is limited that could be had.
        left = len(zones[PROVINCE]) * 2 // table.layout.players
        wanted: list[Face] = []
        others: list[Face] = []
        if most >= COST[PROVINCE] and zones[PROVINCE]:
            wanted.append(PROVINCE)
        land = _land(table, player, most, left)
        has_estate = most >= COST[ESTATE] and len(zones[ESTATE]) > 0
        if left <= _DUCHY_BEFORE_GOLD:
            wanted += land
        if has_estate and left <= _ESTATE_BEFORE_SILVER:
            wanted.append(ESTATE)
        if is_one_enough and wanted and wanted[0] != PROVINCE:
            return wanted
        for place, face in enumerate(self.order):
            cost = COST[face]
            if cost > most or not zones[face]:
                continue
            enough = self.enough[place]
            if enough < _PLENTY and not counts:
                counts = owned(table, player)
            if enough < _PLENTY and counts[face] >= enough:
                others.append(face)
                continue
            if left <= _DUCHY_BEFORE_SILVER and cost < COST[GOLD]:
                wanted += land
            wanted.append(face)
            if is_one_enough and wanted[0] != PROVINCE:
                return wanted
        if has_estate and left <= _ESTATE_BEFORE_NOTHING:
            wanted.append(ESTATE)
        if not wanted:
            wanted.append(NOTHING)
        if left <= _DUCHY_THINKABLE:
            others += land
        if has_estate and left <= _ESTATE_THINKABLE:
            others.append(ESTATE)
        found = list(dict.fromkeys(wanted + others))
        return _at_the_end(table, player, most, found) if is_late else found


def _land(table: Table, player: Player, most: int, left: int) -> list[Face]:
    """Duchy and Gardens, so far as the coins reach them, the one with more points first.

    Gardens only from so many points on, and when land is thought about at all.
    """
    zones = table.zones
    land = [DUCHY] if most >= COST[DUCHY] and zones[DUCHY] else []
    if left > _DUCHY_THINKABLE or most < COST[GARDENS] or not zones[GARDENS]:
        return land
    worth = (sum(owned(table, player)) + 1) // _GARDENS_CARDS
    if worth < _GARDENS_POINTS_MIN:
        return land
    return [GARDENS, *land] if worth > POINTS[DUCHY] else [*land, GARDENS]


def _at_the_end(table: Table, player: Player, most: int, found: list[Face]) -> list[Face]:
    """Take the card that ends the game with a victory; take none that ends it without."""
    zones, piles = table.zones, empty_piles(table)
    lasts = [
        face
        for face, pile in enumerate(zones[: len(KEYS)])
        if len(pile) == 1 and COST[face] <= most and (face == PROVINCE or piles >= _PILES_MAX)
    ]
    for face in lasts:
        if _would_win(table, player, face):
            return [face]
    return [face for face in found if face not in lasts] or [NOTHING]


def _would_win(table: Table, player: Player, face: Face) -> bool:
    """Whether nobody else would have more points, or as many after fewer turns (D18)."""
    mine, turns = points(table, player) + POINTS[face], table.counters[TURNS[player]]
    for seat in range(table.layout.players):
        theirs = points(table, seat)
        if seat != player and (theirs, -table.counters[TURNS[seat]]) > (mine, -turns):
            return False
    return True
