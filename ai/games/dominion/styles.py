"""What bots with a style like in Dominion: `ai.search.styles` says what the styles are."""

from __future__ import annotations

from typing import Final

import core.games.dominion.cards as c
from ai.search.styles import ATTACKER_STYLE, BUILDER_STYLE, FULL, OPPORTUNIST_STYLE
from core.requests import Action
from core.table import Observation

# What draws cards, gives Actions or makes cards better: decks that grow.
_GROWING: Final = (
    c.ARTISAN, c.CELLAR, c.CHAPEL, c.COUNCIL_ROOM, c.FESTIVAL, c.HARBINGER, c.LABORATORY, c.LIBRARY,
    c.MARKET, c.MERCHANT, c.MINE, c.POACHER, c.REMODEL, c.SENTRY, c.SMITHY, c.THRONE_ROOM,
    c.VILLAGE, c.WORKSHOP,
)  # fmt: skip
_JUNK: Final = (c.COPPER, c.ESTATE, c.CURSE)
_ATTACKS: Final[tuple[int, ...]] = c.of_type(c.ATTACK)
_PAYING: Final = (c.SILVER, c.GOLD, c.DUCHY, c.PROVINCE)
_LIKED: Final = {
    BUILDER_STYLE: (*_GROWING, c.GOLD),
    ATTACKER_STYLE: _ATTACKS,
    OPPORTUNIST_STYLE: _PAYING,
}
_GETTING: Final = ("buy", "gain")


def lean(style: str, action: Action, observation: Observation) -> int:
    """How much a style likes to buy, gain, play or trash what an action names."""
    verb, cards, number = action
    if verb in _GETTING:
        return FULL if number in _LIKED[style] else 0
    if verb == "play" and cards:
        return FULL if observation[cards[0]] in _LIKED[style] else 0
    is_cleared = verb == "trash" and bool(cards) and observation[cards[0]] in _JUNK
    return FULL if is_cleared and style == BUILDER_STYLE else 0
