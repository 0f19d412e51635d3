"""A stand-in for the module of OpenSpiel: what the adapter needs of it, as its Python games see it.

The real one takes 300 MB; `scripts/lab.py openspiel_games` tries the adapter on that.
"""

from __future__ import annotations

import copy
from enum import Enum
from types import SimpleNamespace
from typing import Any


class PlayerId(int, Enum):
    CHANCE = -1
    TERMINAL = -4


class Terms(SimpleNamespace):
    """A GameType or a GameInfo: names with values."""


class GameType(Terms):
    Dynamics = SimpleNamespace(SEQUENTIAL="sequential")
    ChanceMode = SimpleNamespace(EXPLICIT_STOCHASTIC="explicit")
    Information = SimpleNamespace(IMPERFECT_INFORMATION="imperfect")
    Utility = SimpleNamespace(ZERO_SUM="zero sum")
    RewardModel = SimpleNamespace(TERMINAL="terminal")


GameInfo = Terms


class Game:
    """What a game of OpenSpiel is to the Python class that is one."""

    def __init__(self, kind: GameType, size: Terms, params: dict[str, Any]) -> None:
        unknown = set(params) - set(kind.parameter_specification)
        assert not unknown, f"Unknown parameters: {unknown}"
        self.kind, self.size = kind, size


class State:
    """A state: the real one copies the Python side of it in the same way."""

    def __init__(self, game: Any) -> None:
        self._game = [game]

    def get_game(self) -> Any:
        return self._game[0]

    def num_players(self) -> int:
        return int(self.get_game().size.num_players)

    def is_chance_node(self) -> bool:
        return bool(self.current_player() == PlayerId.CHANCE)  # type: ignore[attr-defined]

    def legal_actions(self) -> list[int]:
        return list(self._legal_actions(self.current_player()))  # type: ignore[attr-defined]

    def apply_action(self, action: int) -> None:
        self._apply_action(action)  # type: ignore[attr-defined]

    def clone(self) -> Any:
        made = self.get_game().new_initial_state()
        kept = {name: value for name, value in self.__dict__.items() if name != "_game"}
        made.__dict__.update(copy.deepcopy(kept))
        return made


class Spiel(SimpleNamespace):
    """The module, with the games that have been made known to it."""

    def __init__(self) -> None:
        super().__init__(PlayerId=PlayerId, GameType=GameType, GameInfo=GameInfo, Game=Game)
        self.State, self.games = State, dict[str, type]()

    def registered_names(self) -> list[str]:
        return list(self.games)

    def register_game(self, kind: GameType, made: type) -> None:
        assert kind.short_name not in self.games, "A game is registered once."
        self.games[kind.short_name] = made

    def load_game(self, name: str, params: dict[str, Any] | None = None) -> Any:
        return self.games[name](params)
