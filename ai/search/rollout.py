"""Rollouts: an imagined game is played on to its end, or to where it is evaluated.

What each seat does is up to the rollout policy of the game's knowledge, which is all that search
has for a model of the others.  `Rollout` is also the game in which the tree walks before.
"""

from __future__ import annotations

from ai.search.knowledge import IMAGINED_CHOICES_MAX, Knowledge
from ai.search.transitions import CommonShuffles, fast_forward
from core.chance import Chance
from core.determinization import observation_of
from core.engine import Pending
from core.requests import Action, Choice, Face, Over, Player, Secret
from core.table import Table


class Rollout:
    """One imagined game: its table, the whole deal, and the chance by which it goes on."""

    __slots__ = ("chance", "deal", "game", "knowledge", "shuffles", "table")

    def __init__(
        self,
        knowledge: Knowledge,
        table: Table,
        deal: list[Face],
        chance: Chance,
        shuffles: CommonShuffles | None = None,
    ) -> None:
        """The table is changed from here on, and so are deal and chance."""
        self.knowledge, self.game = knowledge, knowledge.game
        self.table, self.deal = table, deal
        self.chance, self.shuffles = chance, shuffles

    def fast_forward(self) -> Pending:
        """Go on until somebody must choose or the game is over."""
        return fast_forward(self.game, self.table, self.deal, self.chance, self.shuffles)

    def choose_secretly(
        self, secret: Secret, mine: Action | None = None, me: Player = -1
    ) -> None:
        """Let everybody choose at once: by what each of them has seen, no more; I do `mine`."""
        table, policy = self.table, self.knowledge.rollout_policy
        actions = [
            mine
            if mine is not None and seat == me
            else policy(table, seat, observation_of(table, self.deal, seat), self.chance)
            for seat in secret.players
        ]
        for seat, action in zip(secret.players, actions, strict=True):
            self.game.mechanics.apply(table, seat, action)

    def play_on(self, pending: Pending) -> list[int]:
        """Play to the end, or to where the game is evaluated; its value to every seat."""
        knowledge, table = self.knowledge, self.table
        for _ in range(knowledge.rollout_choices_max):
            if isinstance(pending, Over):
                return knowledge.value(table, pending)
            pending = self._choose(pending)
        unsettled = knowledge.unsettled(table)
        for _ in range(IMAGINED_CHOICES_MAX if unsettled else 0):
            if isinstance(pending, Over) or knowledge.unsettled(table) != unsettled:
                break
            pending = self._choose(pending)
        return knowledge.value(table, pending)

    def _choose(self, pending: Choice | Secret) -> Pending:
        """Let who has to choose do so, and go on."""
        if isinstance(pending, Choice):
            player = pending.player
            action = self.knowledge.rollout_policy(self.table, player, self.deal, self.chance)
            self.game.mechanics.apply(self.table, player, action)
        else:
            self.choose_secretly(pending)
        return self.fast_forward()
