"""Positions to think about: a real game, played at random for a while, with its true deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice
from core.game import Game, complete_options
from core.requests import Action, Over, to_act
from core.table import OptionValue, Table


class Position(NamedTuple):
    """A table, the deal that nobody knows, and a seat that has to choose."""

    game: Game
    table: Table
    deal: list[int]
    seat: int

    @property
    def observation(self) -> list[int]:
        return observation_of(self.table, self.deal, self.seat)

    @property
    def actions(self) -> list[Action]:
        return self.game.legal_actions(self.table, self.seat, self.observation)


def positions(game: Game, seats: int, seed: int, **options: OptionValue) -> Iterator[Position]:
    """Every position of one random game; the yielded tables are copies."""
    table = game.setup(seats, complete_options(game, seats, options))
    deal, chance = table.face[:], Chance(seed)
    for _ in range(2_000):
        pending = run_until_choice(game, table, deal, chance)
        if isinstance(pending, Over):
            return
        asked = to_act(pending)
        for seat in asked:
            yield Position(game, table.copy(), deal[:], seat)
        answers = [chance.pick(game.legal_actions(table, seat, deal)) for seat in asked]
        for seat, action in zip(asked, answers, strict=True):
            game.apply(table, seat, action)


def real_choices(found: Iterator[Position], stride: int = 1) -> list[Position]:
    """Every `stride`-th position in which there is more than one legal action."""
    return [position for position in found if len(position.actions) > 1][::stride]
