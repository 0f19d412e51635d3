"""What search thinks of a choice, as something that can be shown: in words, and as JSON.

One shape for everybody: the screen, lines of text, the referee and foreign programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ai.games import find_knowledge
from ai.levels import LEVELS, SearchSettings, decide, level_of
from ai.search.search import Decision
from ai.search.tree import Move
from core.game import Game
from core.requests import Action, Player
from core.table import HIDDEN, Observation, RulesError, Table

USUAL: Final = "steady"  # The level of a hint for a program that names none.


class Prospect(NamedTuple):
    """One legal action, and what it promises; the chance to win is in thousandths."""

    action: Action
    text: str  # Its notation.
    visits: int  # How many imagined games began with it; 0: it was not tried.
    win_permille: int


class Expected(NamedTuple):
    """A move that search expects, in the notation of the game."""

    seat: Player
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """All legal actions in the order of the rules, the best of them, and what is expected then."""

    seat: Player
    best: Action
    iterations: int  # 0 where only one action is worth a thought.
    prospects: tuple[Prospect, ...]
    line: tuple[Expected, ...]  # Begins with the best action.

    def ranked(self) -> list[Prospect]:
        """The best first, then by how long search stayed with them."""
        return sorted(self.prospects, key=lambda each: (each.action != self.best, -each.visits))

    def json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "seat": self.seat,
            "iterations": self.iterations,
            "actions": [self._prospect_json(each) for each in self.prospects],
            "line": [expected._asdict() for expected in self.line],
        }

    def _prospect_json(self, prospect: Prospect) -> dict[str, Any]:
        verb, cards, number = prospect.action
        return {
            "verb": verb,
            "cards": list(cards),
            "number": number,
            "text": prospect.text,
            "best": prospect.action == self.best,
            "visits": prospect.visits,
            "win": prospect.win_permille / 1000 if prospect.visits else None,
        }


def explain(
    game: Game, table: Table, observation: Observation, player: Player, decision: Decision
) -> Explanation:
    """The decision of a search from `player`'s observation, told."""
    prospects = tuple(
        Prospect(action, game.describe(table, action, observation), visits, win_permille)
        for action, visits, win_permille in decision.outlooks
    )
    best = Expected(player, game.describe(table, decision.action, observation))
    later = [Expected(move.player, notation(game, table, move)) for move in decision.line[1:]]
    return Explanation(player, decision.action, decision.iterations, prospects, (best, *later))


def advise(
    game: Game, table: Table, observation: Observation, player: Player, level: str
) -> dict[str, Any]:
    """What search at a level thinks of a choice, as JSON; the same whenever it is asked.

    Raises:
        RulesError: no level is called so.
    """
    name = known_level(level)
    budget = usual_iterations(game, name)
    decision = decide(game, table, observation, player, SearchSettings(0, name, budget))
    return explain(game, table, observation, player, decision).json()


def known_level(name: str) -> str:
    """The level of that name; the usual one for "".

    Raises:
        RulesError: no level is called so; the message lists them.
    """
    if name and name not in LEVELS:
        raise RulesError(f"no level is called {name[:40]!r}; there are {', '.join(LEVELS)}")
    return name or USUAL


def usual_iterations(game: Game, level: str) -> int:
    """The budget of a level on a machine of usual speed, so that a hint is the same everywhere."""
    return level_of(level).iterations(find_knowledge(game).speed)


def notation(game: Game, table: Table, move: Move) -> str:
    """The notation of a move that names faces and no cards: any cards will do that show them."""
    faces = list(move.faces)
    observation = faces + [HIDDEN] * (len(table.face) - len(faces))
    return game.describe(
        table, Action(move.verb, tuple(range(len(faces))), move.number), observation
    )
