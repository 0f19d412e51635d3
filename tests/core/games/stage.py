"""A position of any game, set up by hand and played in the notation."""

from __future__ import annotations

from typing import Self

from core.chance import Chance
from core.determinization import observation_of
from core.engine import Pending, run_until_choice
from core.game import Game
from core.requests import Action, Choice, Over
from core.table import Table
from core.view import offers


class GameStage:
    """What every game's stage can do; how a position is set up is the game's own."""

    game: Game
    table: Table
    deal: list[int]
    chance: Chance
    pending: Pending

    # ---- playing ----

    @property
    def chooser(self) -> int:
        """The seat that has to choose."""
        assert isinstance(self.pending, Choice), self.pending
        return self.pending.player

    @property
    def legal(self) -> list[str]:
        """What the seat that has to choose may do, in notation."""
        seat = self.chooser
        return [offer.text for offer in offers(self.game, self.table, self.observation(seat), seat)]

    def do(self, *texts: str) -> Self:
        """Let whoever has to choose do this, one after another."""
        for text in texts:
            seat = self.chooser
            for offer in offers(self.game, self.table, self.observation(seat), seat):
                if offer.text == text:
                    self.act(offer.action)
                    break
            else:
                raise AssertionError(f"{text!r} is not legal: {self.legal}")
        return self

    def act(self, action: Action) -> None:
        """One action, legal or not."""
        self.game.apply(self.table, self.chooser, action)
        self.pending = run_until_choice(self.game, self.table, self.deal, self.chance)

    # ---- looking ----

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.pending, Over)

    def cards(self, zone: str) -> list[int]:
        """The numbers of the cards in a zone."""
        return self.table.zones[self.table.layout.zone_index[zone]]

    def observation(self, seat: int | None) -> list[int]:
        """What a seat, or a spectator, knows of all cards."""
        return observation_of(self.table, self.deal, seat)

    def counter(self, name: str) -> int:
        """A counter by its name."""
        return self.table.counters[self.table.layout.counters.index(name)]
