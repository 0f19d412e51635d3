"""What the score of a game says before its end, as a few random games show.

How large it is, whether it tells before the end who is ahead, and whether it tells one move from
another at once.  `ai.search.by_score` plays by that.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ai.search.transitions import fast_forward
from core.chance import Chance
from core.engine import Pending, start
from core.game import Game
from core.requests import Choice, Over, Player, to_act
from core.table import OptionValue, Table

_GAMES: Final = 8  # Played at random, to learn what a score is like.
_CHOICES_MAX: Final = 1000  # Of one of them.
_STRIDE: Final = 7  # Every so many choices of one the moves are looked at.
_TELLING_PERCENT: Final = 25  # In so many of these choices the score tells moves apart.
ACTIONS_LOOKED_AT: Final = 16  # So many are looked at by an imagined player.
ROLLOUT_CHOICES: Final = 10  # Then an imagined game is judged, or when the score moves next.


class ScoreProfile(NamedTuple):
    """What the score says in games of some kind."""

    scale: int  # By how much the best side is usually ahead at the end.
    tells_early: bool  # Whether the score says who is ahead before the end.
    tells_moves: bool  # Whether it mostly tells one move from another at once.
    looks: int  # How many moves are looked at in an imagined game, or made at random.


@cache
def profile_of(
    game: Game, players: int, options: tuple[tuple[str, OptionValue], ...]
) -> ScoreProfile:
    """What the score of such a game says; the same whenever it is asked."""
    chance, seen = Chance(players), _RandomGames(game)
    for _ in range(_GAMES):
        seen.play(start(game, players, dict(options)), chance)
    return seen.profile()


class _RandomGames:
    """What was seen of the score in random games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ends = 0  # By how much the best sides were ahead at the end, together.
        self.tells_early, self.is_even = True, True  # Before the end, as far as was seen.
        self.choices = self.looks = 0
        self.looked_at = self.told_apart = 0  # Choices, and those whose moves the score told apart.
        self.waits = 0  # From each choice on, how many are left until the score moves; together.

    def play(self, table: Table, chance: Chance) -> None:
        """Play one at random."""
        deal, before, since = table.face[:], None, 0
        for number in range(_CHOICES_MAX):
            pending = fast_forward(self.game, table, deal, chance)
            if isinstance(pending, Over):
                self.ends += max(open_margins(self.game, table, deal))
                break
            found = self._early(table, deal)
            if found != before:
                self._note_wait(since)
                before, since = found, 0
            if number % _STRIDE == 0 and isinstance(pending, Choice):
                self._look_ahead(table, deal, pending.player)
            since += self._choose(table, deal, pending, chance)
        self._note_wait(since)

    def _early(self, table: Table, deal: list[int]) -> list[int] | None:
        """Who would be ahead by how much; None where the game cannot say so before its end."""
        found = _margins_or_none(self.game, table, deal) if self.tells_early else None
        self.tells_early = found is not None
        self.is_even = self.is_even and not any(found or ())
        return found

    def _look_ahead(self, table: Table, deal: list[int], player: Player) -> None:
        """Whether the score tells the moves of a choice apart."""
        actions = self.game.mechanics.legal_actions(table, player, deal)[:ACTIONS_LOOKED_AT]
        found: list[list[int] | None] = []
        for action in actions:
            copy, faces, chance = table.copy(), deal[:], Chance(self.choices)
            fast_forward(self.game, copy, faces, chance)
            self.game.mechanics.apply(copy, player, action)
            fast_forward(self.game, copy, faces, chance)
            found.append(_margins_or_none(self.game, copy, faces))
        if len(actions) > 1:
            self.looked_at += 1
            self.told_apart += any(each != found[0] for each in found)

    def _choose(self, table: Table, deal: list[int], pending: Pending, chance: Chance) -> int:
        """Let everybody choose who has to; gives how many that were."""
        seats: tuple[int, ...] = ()
        if not isinstance(pending, Over):
            seats = to_act(pending)
        for seat in seats:
            actions = self.game.mechanics.legal_actions(table, seat, deal)
            self.looks += min(len(actions), ACTIONS_LOOKED_AT)
            self.choices += 1
            self.game.mechanics.apply(table, seat, chance.pick(actions))
        return len(seats)

    def _note_wait(self, choices: int) -> None:
        """The score has moved after so many choices: from the first so many, from the last one."""
        self.waits += choices * (choices + 1) // 2

    def profile(self) -> ScoreProfile:
        """What all this says of the score."""
        choices, tells_early = max(self.choices, 1), self.tells_early and not self.is_even
        tells = tells_early and self.told_apart * 100 > self.looked_at * _TELLING_PERCENT
        fewest = min(choices, ROLLOUT_CHOICES * _GAMES)  # Of as many rollouts together.
        looks = self.looks * fewest // choices if tells else fewest + self.waits * _GAMES // choices
        scale = max(1, abs(self.ends) // _GAMES)
        return ScoreProfile(scale, tells_early, tells, max(1, looks // _GAMES))


def _margins_or_none(game: Game, table: Table, deal: list[int]) -> list[int] | None:
    """Who would be ahead by how much; None where the game cannot say so before its end."""
    try:
        return open_margins(game, table, deal)
    except Exception:  # noqa: BLE001 - scores need not work before the end; then we go without.
        return None


def open_margins(game: Game, table: Table, deal: list[int]) -> list[int]:
    """`margins` with every card of `table` face up for so long: sooner than of a copy."""
    closed, table.face = table.face, deal
    try:
        return margins(game, table)
    finally:
        table.face = closed


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
