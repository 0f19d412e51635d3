"""What a card is worth in the many small questions: what to play, discard, trash, put or take.

More is better; less than nothing is worse than to decline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import core.games.dominion.cards as c
from core.games.dominion.scoring import owned
from core.requests import Action, Face, Player
from core.table import Observation, Table

# Which Action to play first: those that leave another one to play, then the strongest.
_PLAY_ORDER: Final = (
    c.FESTIVAL, c.VILLAGE, c.LABORATORY, c.MARKET, c.SPY, c.SENTRY, c.POACHER, c.MERCHANT,
    c.HARBINGER, c.CELLAR, c.THRONE_ROOM, c.WITCH, c.COUNCIL_ROOM, c.SMITHY, c.LIBRARY, c.BANDIT,
    c.MILITIA, c.ADVENTURER, c.VASSAL, c.MONEYLENDER, c.ARTISAN, c.MINE, c.BUREAUCRAT, c.WOODCUTTER,
    c.CHANCELLOR, c.FEAST, c.THIEF, c.MOAT, c.WORKSHOP, c.REMODEL, c.CHAPEL,
)  # fmt: skip
# Those that leave another one to play.
GOES_ON: Final = _PLAY_ORDER[: _PLAY_ORDER.index(c.CELLAR)]
BEFORE_ALL: Final = len(_PLAY_ORDER) + 1  # For what should be played first without a thought.
_LAND_COUNTS: Final = 2  # With so few Provinces left an Estate is worth its point.
_LIBRARY_CARDS: Final = 7  # Up to so many it draws; it is still in the hand itself.
_COINS_KEPT: Final = 4  # Copper is trashed as long as so many coins are left in the deck,
_PRICES: Final = (c.COST[c.PROVINCE], c.COST[c.GOLD])  # and those of this turn buy the same.


def goodness(table: Table, player: Player, observation: Observation, action: Action) -> int:
    """How good an answer to a question about a card is; to decline is worth nothing."""
    counters = table.counters
    phase = counters[c.PHASE]
    if not action.cards:  # Chancellor turns the deck over, and a kingdom is drafted by price.
        return c.COST[action.number] if action.verb == "choose" else int(action.verb == "turn")
    face = observation[action.cards[0]]
    if phase in (c.ACTING, c.THRONING):
        return _judge_play(table, player, observation, face)
    if phase == c.VASSALING:  # It need not be played, and most are better than nothing.
        return _judge_play(table, player, observation, face)
    if phase == c.SPYING:
        good = usefulness(face) > 1
        return int((action.verb == "discard") != (good == (counters[c.WHOSE] == player)))
    if phase == c.LIBRARYING:
        return int((action.verb == "aside") == (c.IS_ACTION[face] and not counters[c.ACTIONS]))
    if phase == c.CHAPELING:
        return _judge_chapel(table, player, _hand(table, player, observation), face)
    rule = _RULES.get(phase)
    return usefulness(face) + 1 if rule is None else rule(table, player, face)


def usefulness(face: Face) -> int:
    """What a card is worth in a hand: land and Curses nothing, Copper little."""
    if face == c.CURSE:
        return -1
    if c.IS_TREASURE[face]:
        return (1, 4, 8)[face]
    return 2 + c.COST[face] if c.IS_ACTION[face] else 0


def _judge_play(table: Table, player: Player, observation: Observation, face: Face) -> int:
    """By the order of play; what needs a certain card in the hand, only with that card."""
    hand = _hand(table, player, observation)
    rank = _RANKS.get(face, 0)  # Last of all, if it is not in the order.
    if face == c.CHAPEL:
        trashes = [_judge_chapel(table, player, hand, held) > 0 for held in dict.fromkeys(hand)]
        return rank if any(trashes) else -1
    if face == c.REMODEL:
        return rank if c.CURSE in hand or c.ESTATE in hand or c.GOLD in hand else -1
    if face == c.MONEYLENDER:
        return rank if c.COPPER in hand else 0
    if face == c.MINE:
        return rank if c.COPPER in hand or c.SILVER in hand else 0
    if face == c.LIBRARY:
        return _judge_library(table, player, hand)
    return _judge_throne_room(table, player, observation, hand) if face == c.THRONE_ROOM else rank


def _hand(table: Table, player: Player, observation: Observation) -> list[Face]:
    return [observation[card] for card in table.zones[c.HAND[player]]]


def _judge_library(table: Table, player: Player, hand: list[Face]) -> int:
    """Nothing for a full hand; before other cards that draw, as long as these can follow."""
    if len(hand) > _LIBRARY_CARDS:
        return 0
    can_follow = table.counters[c.ACTIONS] > 1 and table.counters[c.PHASE] == c.ACTING
    return _RANKS[c.WITCH if can_follow else c.LIBRARY]


def _judge_throne_room(
    table: Table, player: Player, observation: Observation, hand: list[Face]
) -> int:
    """Before everything else where only what goes on is left to double, and for nothing never."""
    doubled = [
        face
        for face in dict.fromkeys(hand)
        if c.IS_ACTION[face]
        and face != c.THRONE_ROOM
        and _judge_play(table, player, observation, face) > 0
    ]
    if not doubled:
        return 0
    goes_on = all(face in GOES_ON for face in doubled)
    return BEFORE_ALL if goes_on else _RANKS[c.THRONE_ROOM]


def _judge_waste(table: Table, player: Player, face: Face) -> int:
    """Discard the worst."""
    return 20 - usefulness(face)


def _judge_junk(table: Table, player: Player, face: Face) -> int:
    """Discard land and Curses, and nothing else."""
    return 1 - usefulness(face) if usefulness(face) <= 0 else -1


def _judge_trash(table: Table, player: Player, face: Face) -> int:
    """Trash Curses, early Estates, and Copper when there is money enough without it."""
    if face == c.CURSE:
        return 3
    if face == c.ESTATE:
        return 2 if len(table.zones[c.PROVINCE]) > _LAND_COUNTS else -1
    if face != c.COPPER:
        return -1
    counts = owned(table, player)
    coins = sum([counts[kind] * c.COINS[kind] for kind in (c.COPPER, c.SILVER, c.GOLD)])
    return 1 if coins > _COINS_KEPT else -1


def _judge_chapel(table: Table, player: Player, hand: list[Face], face: Face) -> int:
    """Trash from the hand: no Copper with which this turn buys a Province or Gold."""
    if face == c.COPPER:
        held = sum([c.COINS[each] for each in hand if c.IS_TREASURE[each]])
        if table.counters[c.MONEY] + held in _PRICES:
            return -1
    return _judge_trash(table, player, face)


def _judge_exchange(table: Table, player: Player, face: Face) -> int:
    """Remodel Gold into a Province, or else whatever is worst."""
    return 50 if face == c.GOLD and table.zones[c.PROVINCE] else 20 - usefulness(face)


def _judge_mine(table: Table, player: Player, face: Face) -> int:
    """Silver into Gold, Copper into Silver."""
    return (1, 2, -1)[face]


def _judge_recall(table: Table, player: Player, face: Face) -> int:
    """Harbinger: only something better than a Copper."""
    return usefulness(face) - 1


def _judge_topdeck(table: Table, player: Player, face: Face) -> int:
    """Keep for the next turn an Action that cannot be played in this one, or else a Copper."""
    if c.IS_ACTION[face] and not table.counters[c.ACTIONS]:
        return 50 + c.COST[face]
    return 0 if c.IS_VICTORY[face] else 20 - usefulness(face)


_RANKS: Final = {face: len(_PLAY_ORDER) - rank for rank, face in enumerate(_PLAY_ORDER)}
_RULES: Final[dict[int, Callable[[Table, Player, Face], int]]] = {
    c.CELLARING: _judge_junk,
    c.REMODELING: _judge_exchange,
    c.MINING: _judge_mine,
    c.HARBINGING: _judge_recall,
    c.SENTRY_TRASHING: _judge_trash,
    c.SENTRY_DISCARDING: _judge_junk,
    c.SENTRY_ORDERING: _judge_waste,
    c.BANDITING: _judge_waste,
    c.DISCARDING: _judge_waste,
    c.TOPDECKING: _judge_topdeck,
    c.TOPPING: _judge_waste,
    c.THIEF_GAINING: _judge_recall,
}
