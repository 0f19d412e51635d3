"""A game that nobody has told bots anything about: they go by its own score.

The score of a game is a function of the table, so it mostly says something before the game is
over, too: what everybody would have if it ended now.  With that an imagined player can look one
move ahead, take what leaves it best off and do something else now and then; and a victory by a lot
counts for more than one by a little.  Search thinks about the moves that look best that way, and
no level misjudges them.  Where a score says nothing before the end, or raises an error there, an
imagined player still takes a victory when it can, and plays at random otherwise.

The cards that a seat cannot see are guessed by the score as well: rivals have kept what suits them,
so their hands are better than hands by lot.

What a score can say, and how large it is, is found out once by a few random games.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from ai.imagined import go_on
from ai.knowledge import REWARD_ONE, Knowledge, best_place
from core.chance import Chance
from core.engine import Pending, start
from core.game import Game
from core.imagine import Unseen, imagine
from core.native import mypyc_attr
from core.requests import Action, Choice, Face, Over, Player
from core.table import Observation, OptionValue, Table

_GAMES: Final = 8  # Played at random, to learn what a score is like.
_CHOICES_MAX: Final = 1000  # Of one of them.
_ACTIONS_MAX: Final = 16  # So many are looked at by an imagined player.
_PRIOR_DEALS: Final = 6
_CANDIDATES: Final = 6  # Of many moves so many are thought about, each of them more often.
_STRIDE: Final = 4  # Every so many choices of a random game the score is asked.
_LOOKS_PER_S: Final = 30_000  # In plain Python on an ordinary machine, ...
_COMPILED_LOOKS_PER_S: Final = 50_000  # ... and with engine and search compiled, the rules plain.
_IMAGINED_CHOICES: Final = 10  # Then an imagined game is judged.
_DEALS_EACH: Final = 8  # Of so many that are imagined, one is played out.


class Nature(NamedTuple):
    """What random games of some kind are like."""

    scale: int  # By how much the best side is usually ahead at the end.
    tells_early: bool  # Whether the score says who is ahead before the end.
    looks: int  # How many moves are looked at in an imagined game.


@mypyc_attr(allow_interpreted_subclasses=True)
class ByScore(Knowledge):
    """The score of the game, one move ahead."""

    choices_max = _IMAGINED_CHOICES
    patience = 10**9
    random_once_in = 8
    mistake_permille = 0  # Search gains 2 to 5 at a choice of gin rummy, and 1 is enough to decide.

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        seats = game.players[0]
        usual = tuple([(option.key, option.values[0]) for option in game.options])
        looks = nature_of(game, seats, usual).looks
        self.speed = max(1, _LOOKS_PER_S // looks)
        self.compiled_speed = max(1, _COMPILED_LOOKS_PER_S // looks)

    def imagine(
        self, table: Table, player: Player, unseen: Unseen, chance: Chance
    ) -> list[Face]:
        """Of some deals the one in which the rivals are best off: they did not play at random."""
        found = unseen.imagine(chance)
        if not self._nature(table).tells_early:
            return found
        least = margins(self.game, shown(table, found))[player]
        for _ in range(_DEALS_EACH - 1):
            deal = unseen.imagine(chance)
            ahead = margins(self.game, shown(table, deal))[player]
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
        unseen = Unseen(table, observation)
        for _ in range(_PRIOR_DEALS):
            deal, luck = unseen.imagine(chance), chance.next()
            for place, action in enumerate(actions):
                worth[place] = worth[place] + self._look(table, deal, player, action, luck)
        return worth

    def rollout(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """What leaves the own side best off at once, or now and then any legal action."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) == 1 or not chance.below(self.random_once_in):
            return chance.pick(actions)
        first = chance.below(len(actions))
        looked_at = (actions[first:] + actions[:first])[:_ACTIONS_MAX]
        deal = observation if table.deal is not None else imagine(table, observation, chance)
        luck, best, most = chance.next(), looked_at[0], -(1 << 60)
        for action in looked_at:
            worth = self._look(table, deal, player, action, luck)
            if worth > most:
                best, most = action, worth
        return best

    def _look(
        self, table: Table, deal: Observation, player: Player, action: Action, luck: int
    ) -> int:
        """By how much the side of `player` is ahead when somebody has to choose again."""
        copy, faces = table.copy(), list(deal)
        chance = Chance(luck)
        pending = go_on(self.game, copy, faces, chance)
        if not isinstance(pending, Choice):
            return 0  # A secret choice says nothing alone.
        self.game.mechanics.apply(copy, player, action)
        pending = go_on(self.game, copy, faces, chance)
        return self._margins(copy, faces, pending)[player]

    def evaluate(self, table: Table) -> list[int]:
        """By the score as it would be if the game ended now."""
        if table.deal is None or not self._nature(table).tells_early:
            return super().evaluate(table)
        return self._shares(table, margins(self.game, shown(table, table.deal)))

    def rewards(self, table: Table) -> list[int]:
        """Half for the victory, half by the margin: a lucky game says less than a clear one."""
        open_table = shown(table, table.deal)
        won = super().rewards(open_table)
        shares = self._shares(table, margins(self.game, open_table))
        return [(mine + share) // 2 for mine, share in zip(won, shares, strict=True)]

    def _margins(self, table: Table, deal: list[int], pending: Pending) -> list[int]:
        nature = self._nature(table)
        if not (isinstance(pending, Over) or nature.tells_early):
            return [0] * table.layout.players
        open_table = shown(table, deal)
        ahead = margins(self.game, open_table)
        if not isinstance(pending, Over):
            return ahead
        won = self.game.winners(open_table)
        return [each + (nature.scale if seat in won else 0) for seat, each in enumerate(ahead)]

    def _nature(self, table: Table) -> Nature:
        layout = table.layout
        return nature_of(self.game, layout.players, tuple(layout.options.items()))

    def _shares(self, table: Table, ahead: list[int]) -> list[int]:
        """What each seat's side has by its margin; all sides together have REWARD_ONE."""
        scale, sides = self._nature(table).scale, self.sides(table)
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


def margins(game: Game, table: Table) -> list[int]:
    """By how much the side of every seat is ahead of the best other one; all cards are shown."""
    scores, sides = (
        game.scores(table),
        [game.team(table, seat) for seat in range(table.layout.players)],
    )
    points = [0] * (max(sides) + 1)
    for seat, side in enumerate(sides):
        points[side] += scores[seat]
    if len(points) == 1:
        return [points[0]] * len(sides)
    return [
        points[side] - max([each for other, each in enumerate(points) if other != side])
        for side in sides
    ]


@cache
def nature_of(game: Game, players: int, options: tuple[tuple[str, OptionValue], ...]) -> Nature:
    """What games of this kind are like; the same whenever it is asked."""
    chance = Chance(players)
    ends, early, looks, choices, tells_early = 0, 0, 0, 0, True
    for _ in range(_GAMES):
        table = start(game, players, dict(options))
        deal = table.face[:]
        pending = go_on(game, table, deal, chance)
        for number in range(_CHOICES_MAX):
            if isinstance(pending, Over):
                ends += max(margins(game, shown(table, deal)))
                break
            if tells_early and number % _STRIDE == 0:
                found = _early(game, table, deal)
                tells_early = found is not None
                early += max(found or [0])
            seats = (pending.player,) if isinstance(pending, Choice) else pending.players
            for seat in seats:
                actions = game.mechanics.legal_actions(table, seat, deal)
                looks += min(len(actions), _ACTIONS_MAX)
                choices += 1
                game.mechanics.apply(table, seat, chance.pick(actions))
            pending = go_on(game, table, deal, chance)
    scale = max(1, abs(ends) // _GAMES)
    looks = looks * min(choices, _IMAGINED_CHOICES * _GAMES) // (max(choices, 1) * _GAMES)
    return Nature(scale, tells_early and early != 0, max(1, looks))


def _early(game: Game, table: Table, deal: list[int]) -> list[int] | None:
    """Who would be ahead by how much; None where the game cannot say so before its end."""
    try:
        return margins(game, shown(table, deal))
    except Exception:  # noqa: BLE001 - scores need not work before the end; then we go without.
        return None
