"""A game of Civilization for tests of the screen, in which every kind of thing happens."""

from __future__ import annotations

from core.games.civilization import GAME
from core.requests import Action
from tests.ui.fakes import PracticePort


class Chooser(PracticePort):
    """Dice that try every kind of thing, and seldom end a phase at once."""

    def _any(self, seat: int) -> Action:
        verbs: dict[str, list[Action]] = {}
        for action in self.game.legal_actions(self.table, seat, self.observation(seat)):
            verbs.setdefault(action.verb, []).append(action)
        for verb, often in (("guard", 9), ("end", 6), ("offer", 4)):
            if len(verbs) > 1 and verb in verbs and self.chance.below(often):
                del verbs[verb]
        return self.chance.pick(verbs[self.chance.pick(sorted(verbs))])


def a_port(seed: int = 3, players: int = 3, turns: int = 12) -> PracticePort:
    options = {"max_turns": turns}
    return Chooser(seed=seed, players=players, game=GAME, options=options).begin()
