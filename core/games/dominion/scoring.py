"""D17, D18: points and winners.  Nothing has to be opened for it.

What a seat owns came to it in the open, so the hidden cards of its deck, hand and discard pile are
exactly known as a multiset: their families hold nothing else.
"""

from __future__ import annotations

from core.game import POINTS_CRITERION, Account, Source
from core.games.dominion.cards import ALL, DECK, GARDENS, KEYS, POINTS, SCORING, SHOWN, TURNS
from core.native import i64
from core.requests import Player
from core.table import HIDDEN, Table


def owned(table: Table, seat: Player) -> list[int]:
    """How many cards of each face a seat has, wherever they lie."""
    counts: list[int] = [0] * len(ALL)
    families: list[int] = []
    card: i64
    last: i64 = HIDDEN
    known, family_of = table.counted(), table.family_of
    for zone in table.zones[DECK[seat] : SHOWN[seat] + 1]:
        for card in zone:
            face: i64 = known[card]
            if face != HIDDEN:
                counts[face] = counts[face] + 1  # Faster than += when compiled.
            elif family_of[card] != last:  # Most cards are of one family.
                last = family_of[card]
                if last not in families:
                    families.append(last)
    for family in families:
        for face, count in enumerate(table.family_counts[family]):
            if count:
                counts[face] = counts[face] + count
    return counts


def points(table: Table, seat: Player) -> int:
    """D17: the victory points of a seat; Gardens count one for every ten cards."""
    counts = owned(table, seat)
    gardens = counts[GARDENS]
    total = gardens * (sum(counts) // 10) if gardens else 0
    for face in SCORING:
        total += counts[face] * POINTS[face]
    return total


def scores(table: Table) -> tuple[int, ...]:
    """D17: the points of every seat."""
    return tuple(points(table, seat) for seat in range(table.layout.players))


def account(table: Table) -> Account:
    """D17, D18: the points by kinds of cards, then the turns."""
    seats = range(table.layout.players)
    sources = tuple([_sources(owned(table, seat)) for seat in seats])
    turns = tuple([-table.counters[TURNS[seat]] for seat in seats])  # Fewer are better.
    return Account(sources, ((POINTS_CRITERION, scores(table)), ("turns", turns)))


def _sources(counts: list[int]) -> tuple[Source, ...]:
    worth = {face: POINTS[face] for face in SCORING} | {GARDENS: sum(counts) // 10}
    return tuple([
        Source(KEYS[face], counts[face], counts[face] * each, each)
        for face, each in worth.items()
        if counts[face]
    ])  # fmt: skip


def winners(table: Table) -> tuple[Player, ...]:
    """D18: most points; if equal, fewer turns; if still equal, the victory is shared."""
    ranks = [(-score, table.counters[TURNS[seat]]) for seat, score in enumerate(scores(table))]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == min(ranks))
