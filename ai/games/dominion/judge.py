"""What a card is worth in the many small questions: what to play, discard, trash, put or take.

More is better; less than nothing is worse than to decline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.games.dominion.cards import (
    ACTING,
    ACTIONS,
    ADVENTURER,
    ARTISAN,
    BANDIT,
    BANDITING,
    BUREAUCRAT,
    CELLAR,
    CELLARING,
    CHANCELLOR,
    CHAPEL,
    CHAPELING,
    COINS,
    COPPER,
    COST,
    COUNCIL_ROOM,
    CURSE,
    DISCARDING,
    ESTATE,
    FEAST,
    FESTIVAL,
    GOLD,
    HAND,
    HARBINGER,
    HARBINGING,
    IS_ACTION,
    IS_TREASURE,
    IS_VICTORY,
    LABORATORY,
    LIBRARY,
    LIBRARYING,
    MARKET,
    MERCHANT,
    MILITIA,
    MINE,
    MINING,
    MOAT,
    MONEYLENDER,
    PHASE,
    POACHER,
    PROVINCE,
    REMODEL,
    REMODELING,
    SENTRY,
    SENTRY_DISCARDING,
    SENTRY_ORDERING,
    SENTRY_TRASHING,
    SILVER,
    SMITHY,
    SPY,
    SPYING,
    THIEF,
    THIEF_GAINING,
    THRONE_ROOM,
    THRONING,
    TOPDECKING,
    TOPPING,
    VASSAL,
    VILLAGE,
    WHOSE,
    WITCH,
    WOODCUTTER,
    WORKSHOP,
)
from core.games.dominion.scoring import owned
from core.requests import Action, Face, Player
from core.table import Observation, Table

# Which Action to play first: those that leave another one to play, then the strongest.
_PLAY_ORDER: Final = (
    FESTIVAL, VILLAGE, LABORATORY, MARKET, SPY, SENTRY, POACHER, MERCHANT, HARBINGER, CELLAR,
    THRONE_ROOM, WITCH, COUNCIL_ROOM, SMITHY, LIBRARY, BANDIT, MILITIA, ADVENTURER, VASSAL,
    MONEYLENDER, ARTISAN, MINE, BUREAUCRAT, WOODCUTTER, CHANCELLOR, FEAST, THIEF, MOAT, WORKSHOP,
    REMODEL, CHAPEL,
)  # fmt: skip
# Those that leave another one to play.
GOES_ON: Final = _PLAY_ORDER[: _PLAY_ORDER.index(CELLAR)]
_LAND_COUNTS: Final = 2  # With so few Provinces left an Estate is worth its point.
_COINS_KEPT: Final = 8  # Copper is trashed as long as so many coins are left in the deck.


def goodness(table: Table, player: Player, observation: Observation, action: Action) -> int:
    """How good an answer to a question about a card is; to decline is worth nothing."""
    counters = table.counters
    phase = counters[PHASE]
    if not action.cards:  # Chancellor turns the deck over, and a kingdom is drafted by price.
        return COST[action.number] if action.verb == "choose" else int(action.verb == "turn")
    face = observation[action.cards[0]]
    if phase in (ACTING, THRONING):
        return _judge_play(table, player, observation, face)
    if phase == SPYING:
        good = usefulness(face) > 1
        return int((action.verb == "discard") != (good == (counters[WHOSE] == player)))
    if phase == LIBRARYING:
        return int((action.verb == "aside") == (IS_ACTION[face] and not counters[ACTIONS]))
    rule = _RULES.get(phase)
    return usefulness(face) + 1 if rule is None else rule(table, player, face)


def usefulness(face: Face) -> int:
    """What a card is worth in a hand: land and Curses nothing, Copper little."""
    if face == CURSE:
        return -1
    if IS_TREASURE[face]:
        return (1, 4, 8)[face]
    return 2 + COST[face] if IS_ACTION[face] else 0


def _judge_play(table: Table, player: Player, observation: Observation, face: Face) -> int:
    """By the order of play; what needs a certain card in the hand, only with that card."""
    hand = [observation[card] for card in table.zones[HAND[player]]]
    rank = _RANKS[face]
    if face == CHAPEL:
        return rank if any(_judge_trash(table, player, held) > 0 for held in hand) else -1
    if face == REMODEL:
        return rank if CURSE in hand or ESTATE in hand or GOLD in hand else -1
    if face == MONEYLENDER:
        return rank if COPPER in hand else 0
    if face == MINE:
        return rank if COPPER in hand or SILVER in hand else 0
    if face == THRONE_ROOM:
        return rank if sum([IS_ACTION[held] for held in hand]) > 1 else 0
    return rank


def _judge_waste(table: Table, player: Player, face: Face) -> int:
    """Discard the worst."""
    return 20 - usefulness(face)


def _judge_junk(table: Table, player: Player, face: Face) -> int:
    """Discard land and Curses, and nothing else."""
    return 1 - usefulness(face) if usefulness(face) <= 0 else -1


def _judge_trash(table: Table, player: Player, face: Face) -> int:
    """Trash Curses, early Estates, and Copper when there is money enough without it."""
    if face == CURSE:
        return 3
    if face == ESTATE:
        return 2 if len(table.zones[PROVINCE]) > _LAND_COUNTS else -1
    if face != COPPER:
        return -1
    counts = owned(table, player)
    coins = sum([counts[kind] * COINS[kind] for kind in (COPPER, SILVER, GOLD)])
    return 1 if coins > _COINS_KEPT else -1


def _judge_exchange(table: Table, player: Player, face: Face) -> int:
    """Remodel Gold into a Province, or else whatever is worst."""
    return 50 if face == GOLD and table.zones[PROVINCE] else 20 - usefulness(face)


def _judge_mine(table: Table, player: Player, face: Face) -> int:
    """Silver into Gold, Copper into Silver."""
    return (1, 2, -1)[face]


def _judge_recall(table: Table, player: Player, face: Face) -> int:
    """Harbinger: only something better than a Copper."""
    return usefulness(face) - 1


def _judge_topdeck(table: Table, player: Player, face: Face) -> int:
    """Keep for the next turn an Action that cannot be played in this one, or else a Copper."""
    if IS_ACTION[face] and not table.counters[ACTIONS]:
        return 50 + COST[face]
    return 0 if IS_VICTORY[face] else 20 - usefulness(face)


_RANKS: Final = {face: len(_PLAY_ORDER) - rank for rank, face in enumerate(_PLAY_ORDER)}
_RULES: Final[dict[int, Callable[[Table, Player, Face], int]]] = {
    CELLARING: _judge_junk,
    CHAPELING: _judge_trash,
    REMODELING: _judge_exchange,
    MINING: _judge_mine,
    HARBINGING: _judge_recall,
    SENTRY_TRASHING: _judge_trash,
    SENTRY_DISCARDING: _judge_junk,
    SENTRY_ORDERING: _judge_waste,
    BANDITING: _judge_waste,
    DISCARDING: _judge_waste,
    TOPDECKING: _judge_topdeck,
    TOPPING: _judge_waste,
    THIEF_GAINING: _judge_recall,
}
