"""The course of a game: what random games ask its rules at every choice, as methods of one object.

Compiled code calls a method of a compiled class as C calls a function.  A function that it was
handed it calls by way of Python, and what that takes is an eighth of a random game of Carta.  So a
game can make the three that are called at every choice methods of an object, and hand them over
in its `Game` like any other functions.
"""

from __future__ import annotations

from core.game import Game
from core.native import mypyc_attr
from core.requests import Action, Player, Request
from core.table import Observation, Table


@mypyc_attr(allow_interpreted_subclasses=True)
class GameCourse:
    """`advance`, `legal_actions` and `apply` of a game; each is what `Game` says of it."""

    def advance(self, table: Table) -> Request | None:
        """See `Game.advance`."""
        raise NotImplementedError

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """See `Game.legal_actions`."""
        raise NotImplementedError

    def apply(self, table: Table, player: Player, action: Action) -> None:
        """See `Game.apply`."""
        raise NotImplementedError


class _ByFunctions(GameCourse):
    """The course of a game of which some are functions."""

    def __init__(self, game: Game) -> None:
        self._advance, self._legal_actions, self._apply = (
            game.advance,
            game.legal_actions,
            game.apply,
        )

    def advance(self, table: Table) -> Request | None:
        return self._advance(table)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        return self._legal_actions(table, player, observation)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        self._apply(table, player, action)


def course_of(game: Game) -> GameCourse:
    """The object of which all three are methods, where there is one; otherwise one that calls them.

    It is asked of the three themselves, so a game in which one was replaced has its own course.
    """
    functions = (game.advance, game.legal_actions, game.apply)
    owners = [getattr(function, "__self__", None) for function in functions]
    course = owners[0]
    if isinstance(course, GameCourse) and owners.count(course) == len(owners):
        return course
    return _ByFunctions(game)
