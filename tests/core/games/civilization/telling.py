"""A position of Civilization that is told while it is played on."""

from __future__ import annotations

from core.determinization import observation_of
from core.engine import shuffle_deal
from core.games.civilization import GAME
from core.games.civilization.natives import natives_action
from core.narrate import Line, Narrator
from core.requests import (
    Choice,
    Chosen,
    Event,
    Fact,
    Over,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from tests.core.games.civilization.stage import Stage


class Narrated:
    """A stage, and its story from now on."""

    def __init__(self, stage: Stage, reader: int | None = None) -> None:
        self.stage, self.narrator = stage, Narrator(GAME, reader=reader)
        self.entry = 0  # So many events were told.

    @property
    def lines(self) -> list[Line]:
        """What was told."""
        return self.narrator.lines

    @property
    def facts(self) -> list[Fact]:
        """What followed, in its order."""
        return [line.fact for line in self.lines if line.fact is not None]

    def of_kind(self, *kinds: str) -> list[Fact]:
        """The facts of some kinds."""
        return [fact for fact in self.facts if fact.kind.split()[0] in kinds]

    def do(self, *texts: str) -> Narrated:
        """Let whoever is asked do it."""
        for text in texts:
            self.answer(Chosen(self.stage.action(text, self.stage.asked)))
        return self

    def let_natives(self) -> Narrated:
        """The seat that plays natives leaves it to its program, as long as they are asked."""
        stage = self.stage
        while isinstance(stage.pending, Choice):
            observation = observation_of(stage.table, stage.deal, stage.asked)
            action = natives_action(stage.table, stage.asked, observation)
            if action is None:
                break
            self.answer(Chosen(action))
        return self

    def answer(self, event: Event) -> None:
        """Answer what is open, and go on until somebody must choose."""
        stage = self.stage
        request: Request = stage.pending
        while True:
            request = self.narrator.apply(stage.table, request, event, stage.deal)
            self.entry += 1
            if isinstance(request, Choice | Secret | Over):
                stage.pending = request
                return
            event = self._answer(request)

    def _answer(self, request: Request) -> Event:
        stage = self.stage
        match request:
            case Reveal(cards, None):
                return Revealed(tuple(stage.deal[card] for card in cards))
            case Shuffle(piles, _):
                for pile in piles:
                    shuffle_deal(stage.deal, pile, stage.chance)
                return Shuffled()
            case Roll(sides):
                return Rolled(stage.chance.below(sides))
        return Revealed(())
