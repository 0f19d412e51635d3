"""Who wins (6.2, 6.3 and 7): majorities, tie-breaks, teams."""

from __future__ import annotations

from typing import Final

from core.game import POINTS_CRITERION, Account, Source
from core.games.carta.cards import (
    CULTURE,
    DOMAINS,
    ECONOMY,
    HEGEMONY,
    MILITARY,
    NOBODY,
    RELIGION,
    SCIENCE,
    UTOPIA,
    domain_counts,
    is_team_game,
)
from core.table import Table

_TIE_BREAK: Final = (UTOPIA, CULTURE, SCIENCE, ECONOMY, RELIGION, MILITARY)  # 6.3


def side_of(table: Table, seat: int) -> int:
    """7.1: partners face each other, so sides alternate; otherwise every seat is its own side."""
    return seat % 2 if is_team_game(table.layout.options) else seat


def majority_points(table: Table) -> tuple[int, ...]:
    """6.2: one point in every domain for each seat that has most cards of it in play.

    In a team game every seat has the points of its team (7.2): one per domain in which a member
    has, or shares, the highest count of all four.
    """
    areas = [domain_counts(table, seat) for seat in range(table.layout.players)]
    points = [0] * len(areas)
    for domain in range(6):
        most = max(area[domain] for area in areas)
        if not most:  # E26
            continue
        sides = {side_of(table, seat) for seat, area in enumerate(areas) if area[domain] == most}
        for seat in range(len(areas)):
            points[seat] += side_of(table, seat) in sides
    return tuple(points)


def winning_seats(table: Table) -> tuple[int, ...]:
    """6.1 before 6.3: the hegemony, or most points with the tie-breaks; several share (E27)."""
    seats = range(table.layout.players)
    hegemon = table.counters[HEGEMONY]
    if hegemon != NOBODY:  # 7.1: a member wins for the team.
        return tuple(seat for seat in seats if side_of(table, seat) == side_of(table, hegemon))
    points = majority_points(table)
    ranks = [(points[seat], *_tie_break(table, seat)) for seat in seats]
    return tuple(seat for seat in seats if ranks[seat] == max(ranks))


def account(table: Table) -> Account:
    """6.1 to 6.3: a point for each domain, then what decides, in the order in which it does."""
    seats = range(table.layout.players)
    areas, points = [domain_counts(table, seat) for seat in seats], majority_points(table)
    earned = [[_earns(table, areas, seat, domain) for domain in range(6)] for seat in seats]
    sources = tuple([
        tuple([Source(DOMAINS[domain], areas[seat][domain], earned[seat][domain])
               for domain in range(6)])
        for seat in seats
    ])  # fmt: skip
    breaks = [_tie_break(table, seat) for seat in seats]
    criteria = [(POINTS_CRITERION, points)]
    for place, domain in enumerate(_TIE_BREAK):
        criteria.append((DOMAINS[domain], tuple([counts[place] for counts in breaks])))
    hegemon = table.counters[HEGEMONY]
    if hegemon != NOBODY:
        won = [int(side_of(table, seat) == side_of(table, hegemon)) for seat in seats]
        criteria.insert(0, ("hegemony", tuple(won)))
    return Account(sources, tuple(criteria))


def _earns(table: Table, areas: list[list[int]], seat: int, domain: int) -> int:
    """6.2, 7.2: whether the side of a seat has the point of a domain."""
    most = max([area[domain] for area in areas])
    if not most:
        return 0
    best = [other for other, area in enumerate(areas) if area[domain] == most]
    return int(side_of(table, seat) in {side_of(table, other) for other in best})


def _tie_break(table: Table, seat: int) -> list[int]:
    """6.3: cards in play, Utopia first; in a team game those of both partners (E28)."""
    side = side_of(table, seat)
    members = [mate for mate in range(table.layout.players) if side_of(table, mate) == side]
    areas = [domain_counts(table, mate) for mate in members]
    return [sum(area[domain] for area in areas) for domain in _TIE_BREAK]
