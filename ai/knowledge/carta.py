"""What a bot is told about Carta: rush for hegemony, and do every small step sensibly.

The policy is a plain rush player: play what is nearest to hegemony, use no effects.  The steps of
an effect that search has begun are played sensibly all the same: throw away what is least wanted,
aim at whoever is ahead.  Imagined games follow the policy three times out of four.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ai.knowledge import REWARD_ONE, Knowledge
from core.chance import Chance
from core.games.carta.cards import (
    AREA,
    ATTACKING,
    DISCARDING_AREA,
    DISCARDING_HAND,
    GIVING,
    HAND,
    LAYING_DEMOCRACY,
    LAYING_EMBARGO,
    MARKED,
    PHASE,
    PLAYING_CARD,
    RETURNING,
    USING_EFFECTS,
    banned,
)
from core.games.carta.choices import BY_CARD
from core.requests import Action, Player
from core.table import Eyes, Table

_PLAY: Final = BY_CARD["play"]
_END: Final = Action("end")
_WASTING: Final = (DISCARDING_AREA, DISCARDING_HAND, GIVING, RETURNING)
_AIMING: Final = (LAYING_EMBARGO, LAYING_DEMOCRACY)
_FAITH: Final = 3  # Of four moves in imagined games, so many follow the policy.


class CartaKnowledge(Knowledge):
    """Rush for hegemony."""

    choices_max = 120
    strategies = {"rush": "policy"}

    def policy(self, table: Table, player: Player, eyes: Eyes) -> Action:
        """Play what is nearest to hegemony; use no effects."""
        actions = self.game.legal_actions(table, player, eyes)
        priors = self.prior(table, player, actions, eyes)
        return actions[priors.index(max(priors))]

    def rollout(self, table: Table, player: Player, eyes: Eyes, chance: Chance) -> Action:
        """The policy three times out of four, then any legal action."""
        if not chance.next() >> 62:
            return chance.pick(self.game.legal_actions(table, player, eyes))
        phase = table.counters[PHASE]
        if phase == USING_EFFECTS:
            return _END
        if phase == PLAYING_CARD and not banned(table, player):
            return _PLAY[_nearest(table, player, eyes)]
        return self.policy(table, player, eyes)

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], eyes: Eyes
    ) -> list[int]:
        """By how much nearer to hegemony the action brings its player, roughly."""
        phase = table.counters[PHASE]
        mine = progress(table, player)
        if phase == USING_EFFECTS:
            return [1 if action.verb == "end" else 0 for action in actions]
        if phase in _AIMING:
            return [_threat(table, action.number) for action in actions]
        if not actions[0].cards:
            return [0] * len(actions)
        faces = [eyes[action.cards[0]] for action in actions]
        if phase in _WASTING:
            return [-mine[face] for face in faces]
        if phase == ATTACKING:
            theirs = rivals_progress(self.game.team, table, player)
            return [2 * theirs[face] - mine[face] for face in faces]
        return [mine[face] for face in faces]

    def evaluate(self, table: Table) -> list[int]:
        """Shares by the sides' best progress, four times as good for every card."""
        sides = self.sides(table)
        weights = [0] * (max(sides) + 1)
        for seat, side in enumerate(sides):
            weights[side] = max(weights[side], 1 << 2 * max(0, 16 + max(progress(table, seat))))
        whole = sum(weights)
        return [REWARD_ONE * weights[side] // whole for side in sides]


def progress(table: Table, seat: Player) -> list[int]:
    """Cards of every domain in play, less the Democracy markers that lie on it."""
    zones, counters, first, marks = table.zones, table.counters, AREA[seat], MARKED[seat]
    return [len(zones[first + domain]) - counters[marks + domain] for domain in range(6)]


def rivals_progress(
    team: Callable[[Table, Player], int], table: Table, player: Player
) -> list[int]:
    """The most that any seat of another side has, for every domain."""
    side = team(table, player)
    rivals = [seat for seat in range(table.layout.players) if team(table, seat) != side]
    return [max(each) for each in zip(*(progress(table, seat) for seat in rivals), strict=True)]


def _threat(table: Table, number: int) -> int:
    seat, domain = divmod(number, 8)
    return progress(table, seat)[domain - 1] if domain else 0


def _nearest(table: Table, player: Player, eyes: Eyes) -> int:
    zones, counters, first, marks = table.zones, table.counters, AREA[player], MARKED[player]
    best, most = -1, -99
    for card in zones[HAND[player]]:
        domain = eyes[card]
        count = len(zones[first + domain]) - counters[marks + domain]
        if count > most:
            best, most = card, count
    return best
