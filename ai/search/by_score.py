"""A game that nobody has told bots anything about: they go by its own score.

The score of a game is a function of the table, so it mostly says something before the game is
over, too: what everybody would have if it ended now.  Where it tells one move from another at once,
as in a race for points, an imagined player looks one move ahead, takes what leaves it best off and
does something else now and then; after a few choices the imagined game is judged.  Search thinks
about the moves that look best that way, and the cards that a seat cannot see are guessed by the
score as well: rivals have kept what suits them, so their hands are better than hands by lot.

Where the score moves seldom, as at the end of a round of tricks, to look one move ahead says
nothing.  There imagined players play at random, which is many times as fast, until it has moved;
and to the end of the game where it says nothing before that, or raises an error.

A victory by a lot counts for more than one by a little, and no level misjudges moves.  What a score
can say, how large it is and how often it moves, is found out once (`ai.search.score_profile`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ai.search.knowledge import REWARD_ONE, Knowledge, best_place
from ai.search.score_profile import (
    ACTIONS_LOOKED_AT,
    ROLLOUT_CHOICES,
    ScoreProfile,
    margins,
    open_margins,
    profile_of,
)
from ai.search.transitions import fast_forward
from core.chance import Chance
from core.determinization import Determinizer, determinize
from core.engine import Pending
from core.game import Game
from core.native import mypyc_attr
from core.requests import Action, Choice, Face, Over, Player
from core.table import Layout, Observation, Table

_PRIOR_DEALS: Final = 6
_CANDIDATES: Final = 6  # Of many moves so many are thought about, each of them more often.
_LOOKS_PER_S: Final = 30_000  # In plain Python on an ordinary machine, ...
_COMPILED_LOOKS_PER_S: Final = 50_000  # ... and with engine and search compiled, the rules plain.
_DEALS_EACH: Final = 8  # Of so many that are imagined, one is played out.


@mypyc_attr(allow_interpreted_subclasses=True)
class ByScore(Knowledge):
    """The score of the game, one move ahead or as far as it moves."""

    rollout_choices_max = ROLLOUT_CHOICES
    expansion_visits = 10**9
    random_once_in = 8
    mistake_permille = 0  # Search gains 2 to 5 at a choice of gin rummy, and 1 is enough to decide.

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        usual = tuple([(option.key, option.values[0]) for option in game.options])
        looks = profile_of(game, game.players[0], usual).looks
        # Of the table that was asked about last.
        self._known: tuple[Layout, ScoreProfile] | None = None
        self.speed = max(1, _LOOKS_PER_S // looks)
        self.compiled_speed = max(1, _COMPILED_LOOKS_PER_S // looks)

    def unsettled(self, table: Table) -> list[int]:
        """By how much every side is ahead, where that moves seldom, or else the end of the game."""
        if self._profile(table).tells_moves or table.deal is None:
            return []
        if not self._profile(table).tells_early:
            return [0]
        return open_margins(self.game, table, table.deal)

    def determinize(
        self, table: Table, player: Player, determinizer: Determinizer, chance: Chance
    ) -> list[Face]:
        """Of some deals the one in which the rivals are best off: they did not play at random."""
        found = determinizer.sample(chance)
        if not self._profile(table).tells_moves:
            return found
        least = open_margins(self.game, table, found)[player]
        for _ in range(_DEALS_EACH - 1):
            deal = determinizer.sample(chance)
            ahead = open_margins(self.game, table, deal)[player]
            if ahead < least:
                found, least = deal, ahead
        return found

    def policy(self, table: Table, player: Player, observation: Observation) -> Action | None:
        """What leaves the own side best off at once, on a few deals; None if that says nothing."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) == 1:
            return actions[0]
        worth = self.prior(table, player, actions, observation)
        best = best_place(worth)
        return None if worth[best] == min(worth) else actions[best]

    def candidates(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """Those that leave the own side best off at once; all that are as good as the last."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) <= _CANDIDATES:
            return actions
        worth = self.prior(table, player, actions, observation)
        least = sorted(worth)[-_CANDIDATES]
        return [action for action, each in zip(actions, worth, strict=True) if each >= least]

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], observation: Observation
    ) -> list[int]:
        """By how much each leaves the own side ahead at once, on a few deals together."""
        chance, worth = Chance(len(actions)), [0] * len(actions)
        determinizer = Determinizer(table, observation)
        for _ in range(_PRIOR_DEALS):
            deal, seed = determinizer.sample(chance), chance.next()
            for place, action in enumerate(actions):
                worth[place] = worth[place] + self._look(table, deal, player, action, seed)
        return worth

    def rollout_policy(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """What leaves the own side best off at once, or now and then any legal action."""
        if not self._profile(table).tells_moves:
            return self.random_action(table, player, observation, chance)
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) == 1 or not chance.below(self.random_once_in):
            return chance.pick(actions)
        first = chance.below(len(actions))
        looked_at = (actions[first:] + actions[:first])[:ACTIONS_LOOKED_AT]
        deal = observation if table.deal is not None else determinize(table, observation, chance)
        seed, best, most = chance.next(), looked_at[0], -(1 << 60)
        for action in looked_at:
            worth = self._look(table, deal, player, action, seed)
            if worth > most:
                best, most = action, worth
        return best

    def _look(
        self, table: Table, deal: Observation, player: Player, action: Action, seed: int
    ) -> int:
        """By how much the side of `player` is ahead when somebody has to choose again."""
        copy, faces = table.copy(), list(deal)
        chance = Chance(seed)
        pending = fast_forward(self.game, copy, faces, chance)
        if not isinstance(pending, Choice):
            return 0  # A secret choice says nothing alone.
        self.game.mechanics.apply(copy, player, action)
        pending = fast_forward(self.game, copy, faces, chance)
        return self._margins(copy, faces, pending)[player]

    def evaluate(self, table: Table) -> list[int]:
        """By the score as it would be if the game ended now."""
        if table.deal is None or not self._profile(table).tells_early:
            return super().evaluate(table)
        return self._shares(table, open_margins(self.game, table, table.deal))

    def rewards(self, table: Table) -> list[int]:
        """Half for the victory, half by the margin: a lucky game says less than a clear one."""
        open_table = shown(table, table.deal)
        won = super().rewards(open_table)
        shares = self._shares(table, margins(self.game, open_table))
        return [(mine + share) // 2 for mine, share in zip(won, shares, strict=True)]

    def _margins(self, table: Table, deal: list[int], pending: Pending) -> list[int]:
        profile = self._profile(table)
        if not (isinstance(pending, Over) or profile.tells_early):
            return [0] * table.layout.players
        ahead = open_margins(self.game, table, deal)
        if not isinstance(pending, Over):
            return ahead
        won = self.game.winners(shown(table, deal))
        return [each + (profile.scale if seat in won else 0) for seat, each in enumerate(ahead)]

    def _profile(self, table: Table) -> ScoreProfile:
        layout, known = table.layout, self._known  # Both at once: threads may ask together.
        if known is None or known[0] is not layout:
            profile = profile_of(self.game, layout.players, tuple(layout.options.items()))
            known = self._known = layout, profile
        return known[1]

    def _shares(self, table: Table, ahead: list[int]) -> list[int]:
        """What each seat's side has by its margin; all sides together have REWARD_ONE."""
        scale, sides = self._profile(table).scale, self.sides(table)
        weights = [0] * (max(sides) + 1)
        for seat, side in enumerate(sides):
            size = abs(ahead[seat]) + scale
            weights[side] = REWARD_ONE * (size + ahead[seat]) // (2 * size)
        whole = max(sum(weights), 1)
        return [REWARD_ONE * weights[side] // whole for side in sides]


def shown(table: Table, deal: list[int] | None) -> Table:
    """The same table with every card face up."""
    copy = table.copy()
    if deal is not None:
        copy.face = list(deal)
    return copy
