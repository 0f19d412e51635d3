"""Who wins (13.2, 14.4): most stones, then culture cards in hand, then persons in hand."""

from __future__ import annotations

from core.game import POINTS_CRITERION, Account, Source
from core.games.renaissance.cards import FIRST_PERSON, HAND, SUPPLY, side_of
from core.games.renaissance.hands import person_total
from core.games.renaissance.stones import stone_count
from core.requests import Player
from core.table import Table


def scores(table: Table) -> tuple[int, ...]:
    """13.2, 14.4, G18: the stones in the supply, of a team those of both; no genius markers."""
    seats = range(table.layout.players)
    return tuple([sum([stone_count(table, mate) for mate in mates(table, seat)]) for seat in seats])


def mates(table: Table, seat: Player) -> list[Player]:
    """14.1: a seat and its partner; in a game without teams the seat alone."""
    side = side_of(table, seat)
    return [mate for mate in range(table.layout.players) if side_of(table, mate) == side]


def level_seats(table: Table) -> list[Player]:
    """13.2: the seats of several sides that share the most stones; none when one side wins."""
    stones = scores(table)
    best = [seat for seat, count in enumerate(stones) if count == max(stones)]
    return best if len({side_of(table, seat) for seat in best}) > 1 else []


def winners(table: Table) -> tuple[Player, ...]:
    """13.2, 14.4: the seats that won; several sides when all of it is equal."""
    level = level_seats(table)
    if not level:
        stones = scores(table)
        return tuple([seat for seat, count in enumerate(stones) if count == max(stones)])
    ranks = [_hand_rank(table, seat) for seat in level]
    return tuple([seat for seat, rank in zip(level, ranks, strict=True) if rank == max(ranks)])


def account(table: Table) -> Account:
    """13.2, 14.4: the stones that were kept and those won from others; hands where shown."""
    seats, level = range(table.layout.players), level_seats(table)
    sources = []
    for seat in seats:
        side = mates(table, seat)
        every = sum([table.counters[SUPPLY[mate] + color] for mate in side for color in seats])
        own = sum([table.counters[SUPPLY[mate] + color] for mate in side for color in side])
        sources.append((
            Source("own_stones", own, own, 1), Source("won_stones", every - own, every - own, 1)
        ))  # fmt: skip
    criteria = [(POINTS_CRITERION, scores(table))]
    if level:
        ranks = [_hand_rank(table, seat) if seat in level else (0, 0) for seat in seats]
        criteria.append(("culture_in_hand", tuple([culture for culture, _ in ranks])))
        criteria.append(("persons_in_hand", tuple([persons for _, persons in ranks])))
    return Account(tuple(sources), tuple(criteria))


def _hand_rank(table: Table, seat: Player) -> tuple[int, int]:
    """13.2, 14.4: culture cards in hand, and the total of the persons; of a team in both hands."""
    faces = [
        [table.public_face(card) for card in table.zones[HAND[mate]]] for mate in mates(table, seat)
    ]
    culture = sum([1 for hand in faces for face in hand if face < FIRST_PERSON])
    return culture, sum([person_total(hand) for hand in faces])
