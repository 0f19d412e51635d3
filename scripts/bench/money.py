"""Fixed strategies of Dominion, written once and played by two engines: ours, and pyminion's.

A strategy sees its own deck, its coins and the supply, and nothing by chance: whatever differs
between the results of two engines is a difference of their rules.  Used by `pyminion_games.py` and
`dominion.py`, which has it compiled along with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from core.chance import Chance
from core.engine import run_until_choice, start
from core.games.dominion import GAME as DOMINION
from core.games.dominion.cards import (
    ACTING,
    ALL,
    BOUGHT,
    BUYING,
    CHAPEL,
    CHAPELING,
    COINS,
    COPPER,
    CURSE,
    DISCARDING,
    DUCHY,
    ESTATE,
    GAINING,
    GARDENS,
    GOLD,
    HAND,
    IS_TREASURE,
    LABORATORY,
    MARKET,
    MILITIA,
    MONEY,
    PHASE,
    PROVINCE,
    SILVER,
    SMITHY,
    TURNS,
    VILLAGE,
    WITCH,
    WORKSHOP,
)
from core.games.dominion.choices import BY_CARD
from core.games.dominion.scoring import owned
from core.requests import Action, Choice, Face, Over, Player, make_action
from core.table import Observation, Table

KINGDOM: Final = "cellar,chapel,gardens,laboratory,market,militia,smithy,village,witch,workshop"
CHOICES_MAX: Final = 20_000
# From the card that is discarded first to the one that is kept longest.
WORST_FIRST: Final = (
    CURSE, ESTATE, DUCHY, PROVINCE, GARDENS, COPPER, CHAPEL, VILLAGE, WORKSHOP, SILVER,
    MILITIA, SMITHY, MARKET, LABORATORY, WITCH, GOLD,
)  # fmt: skip
_RANK: Final = {face: rank for rank, face in enumerate(WORST_FIRST)}


# What is bought, the best first: from the coins, the Provinces that are left, and what counts how
# many cards of each kind one has.
Count = Callable[[], Sequence[int]]
Buys = Callable[[int, int, Count], tuple[Face, ...]]


@dataclass(frozen=True, slots=True)
class Strategy:
    """Actions, the first to play first; what is bought, the best first; what Workshops gain."""

    name: str
    plays: tuple[Face, ...]
    buys: Buys
    gains: tuple[Face, ...] = ()


class Result(NamedTuple):
    """How a game ended: turns of all seats together, points by strategy, places of the winners."""

    turns: int
    points: tuple[int, ...]
    won: tuple[int, ...]


# ---- the strategies ----


def _money(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
    if coins >= 8:
        return PROVINCE, GOLD, SILVER
    return (GOLD, SILVER) if coins >= 6 else (SILVER,) if coins >= 3 else ()


def _smithy(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
    return (SMITHY, SILVER) if coins == 4 else _money(coins, provinces, count)


def _ultimate(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
    cards = count() if coins >= 4 else ()
    wishes: list[Face] = []
    if coins >= 8 and sum([cards[face] * COINS[face] for face in (COPPER, SILVER, GOLD)]) > 15:
        wishes.append(PROVINCE)
    if provinces < 5 and coins >= 5:
        wishes.append(DUCHY)
    if provinces < 3 and coins >= 2:
        wishes.append(ESTATE)
    if coins >= 6:
        wishes.append(GOLD)
    if provinces < 7 and coins >= 5:
        wishes.append(DUCHY)
    if coins >= 4 and 11 * cards[SMITHY] < cards[COPPER] + cards[SILVER] + cards[GOLD]:
        wishes.append(SMITHY)
    if coins >= 3:
        wishes.append(SILVER)
    return tuple(wishes)


def _some(face: Face, cost: int, enough: int) -> Buys:
    """Money, and so many of one Action, bought with just what it costs or one coin more."""

    def buys(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
        if cost <= coins <= cost + 1 and count()[face] < enough:
            return (face, SILVER)
        return _money(coins, provinces, count)

    return buys


def _drawing(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
    """Laboratories and Markets as they come, Villages with three coins, two Smithies."""
    cards = count()
    if coins >= 8:
        return PROVINCE, GOLD
    if coins >= 5:
        labs_first = cards[LABORATORY] <= cards[MARKET]
        return (LABORATORY, MARKET, GOLD) if labs_first else (MARKET, LABORATORY, SILVER)
    if coins == 4 and cards[SMITHY] < 2:
        return (SMITHY, SILVER)
    wants_village = coins >= 3 and cards[VILLAGE] < cards[SMITHY]
    return (VILLAGE, SILVER) if wants_village else (SILVER,) if coins >= 3 else ()


def _gardens(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
    """Gardens and Workshops, then Estates, then anything: three piles run out."""
    cards = count()
    if coins >= 4:
        return GARDENS, WORKSHOP, ESTATE, SILVER, COPPER
    if coins >= 3:
        return (WORKSHOP, ESTATE, COPPER) if cards[WORKSHOP] < 5 else (ESTATE, SILVER, COPPER)
    return (ESTATE, COPPER) if coins == 2 else (COPPER,)


def _chapel(coins: int, provinces: int, count: Count) -> tuple[Face, ...]:
    if provinces > 4 and coins in (2, 3) and not count()[CHAPEL]:
        return (CHAPEL, SILVER)
    return _ultimate(coins, provinces, count)


STRATEGIES: Final = {
    each.name: each
    for each in (
        Strategy("money", (), _money),
        Strategy("smithy", (SMITHY,), _smithy),
        Strategy("ultimate", (SMITHY,), _ultimate),
        Strategy("witches", (WITCH,), _some(WITCH, 5, 2)),
        Strategy("militia", (MILITIA,), _some(MILITIA, 4, 1)),
        Strategy("drawing", (VILLAGE, LABORATORY, MARKET, SMITHY), _drawing),
        Strategy("gardens", (WORKSHOP,), _gardens, (GARDENS, WORKSHOP, ESTATE, COPPER)),
        Strategy("chapel", (CHAPEL, SMITHY), _chapel),
    )
}


def next_to_trash(hand: Sequence[Face], worth: int, provinces: int) -> Face | None:
    """What a Chapel takes next: Curses, Estates but late, Copper while four coins remain."""
    if CURSE in hand:
        return CURSE
    if ESTATE in hand and provinces > 4:
        return ESTATE
    return COPPER if COPPER in hand and worth > 4 else None


# ---- our engine, with everything that hides faces ----


@dataclass
class Ours:
    """Games on our rules: every shuffle, look and reveal is asked for and answered."""

    strategies: tuple[Strategy, ...]
    kingdom: str = KINGDOM

    def __post_init__(self) -> None:
        self.game = DOMINION
        self.fresh = start(self.game, len(self.strategies), {"kingdom": self.kingdom})

    def play(self, seed: int) -> Result:
        """One game to its end."""
        game, table, chance = self.game, self.fresh.copy(), Chance(seed)
        deal = table.face[:]
        strategies = self.strategies
        counts = [partial(owned, table, seat) for seat in range(table.layout.players)]
        pending = run_until_choice(game, table, deal, chance)
        for _ in range(CHOICES_MAX):
            if not isinstance(pending, Choice):
                break
            seat = pending.player
            game.apply(table, seat, decide(strategies[seat], table, seat, deal, counts[seat]))
            pending = run_until_choice(game, table, deal, chance)
        assert isinstance(pending, Over), f"no end, seed {seed}"
        turns = sum([table.counters[TURNS[seat]] for seat in range(table.layout.players)])
        return Result(turns, game.scores(table), game.winners(table))


def decide(
    strategy: Strategy, table: Table, seat: Player, observation: Observation, count: Count
) -> Action:
    """What the strategy does; `observation` are read for the seat's own hand only."""
    phase = table.counters[PHASE]
    if phase == BUYING:
        return _buy(strategy, table, seat, observation, count)
    if phase == ACTING:
        for face in strategy.plays:
            for card in table.zones[HAND[seat]]:
                if observation[card] == face:
                    return _PLAY[card]
        return _STOP
    return _answer(strategy, table, seat, observation, count)


def _answer(
    strategy: Strategy, table: Table, seat: Player, observation: Observation, count: Count
) -> Action:
    """What it answers to the question of a card."""
    phase, hand = table.counters[PHASE], table.zones[HAND[seat]]
    if phase == GAINING:
        return _GAIN[next(face for face in strategy.gains if table.zones[face])]
    if phase == DISCARDING:
        return Action("discard", (min(hand, key=lambda card: _RANK[observation[card]]),))
    if phase == CHAPELING:
        worth = sum([cards * coins for cards, coins in zip(count(), COINS, strict=True)])
        trashed = next_to_trash(
            [observation[card] for card in hand], worth, len(table.zones[PROVINCE])
        )
        if trashed is None:
            return _STOP
        return Action("trash", (next(card for card in hand if observation[card] == trashed),))
    return DOMINION.legal_actions(table, seat, observation)[0]  # What lies on top of the discards.


_PLAY: Final = BY_CARD["play"]
_STOP: Final = Action("stop")
_END: Final = Action("end")
_BUY: Final = tuple(Action("buy", (), face) for face in ALL)
_GAIN: Final = tuple(Action("gain", (), face) for face in ALL)


def _buy(
    strategy: Strategy, table: Table, seat: Player, observation: Observation, count: Count
) -> Action:
    counters, zones = table.counters, table.zones
    if not counters[BOUGHT]:
        cards = tuple([card for card in zones[HAND[seat]] if IS_TREASURE[observation[card]]])
        if cards:
            return make_action("treasures" if len(cards) > 1 else "play", cards)
    for face in strategy.buys(counters[MONEY], len(zones[PROVINCE]), count):
        if zones[face]:
            return _BUY[face]
    return _END


def worst(hand: Sequence[Face], count: int) -> list[Face]:
    """The cards that are discarded first."""
    return sorted(hand, key=_RANK.__getitem__)[:count]
