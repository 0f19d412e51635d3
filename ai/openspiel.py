"""Our games as games of OpenSpiel (Lanctot and others 2019), for its algorithms.

    import pyspiel  # pip install "hostless[openspiel]"
    from ai.openspiel import register  # Installed: from hostless.ai.openspiel import register

    register()
    game = pyspiel.load_game("hostless_carta", {"seats": 3, "deal": "draft"})

A game begins with one chance node, which picks one of `deals` seeds; all shuffles and rolls follow
from it.  Search that must not know them asks `resample_from_infostate`, as OpenSpiel's ISMCTS does:
that deals anew what a seat does not know, and what is to come.  Its plain MCTS knows every card.

An action is its place among the legal actions of its state, which are in the same order wherever
the information state is the same.  Where seats choose in secret they do so one after the other, and
none sees what the others chose.  A seat gets -1 when it has not won, and the winners share the rest
of a pot to which everybody has paid one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from core.game import Game
from core.games import GAMES
from core.match import Match
from core.table import RulesError

PREFIX: Final = "hostless_"
DEALS: Final = 1000  # Seeds that the chance node picks from, unless told otherwise.
ACTIONS_MAX: Final = 4096  # More than can be legal at once.
_CHOICES_MAX: Final = 20_000  # Of one game.


def register(spiel: Any = None) -> list[str]:
    """Make our games known to OpenSpiel, once in a process; gives their names there.

    Raises:
        RulesError: OpenSpiel is not installed.
    """
    if spiel is None:
        try:
            spiel = import_module("pyspiel")
        except ImportError as error:
            raise RulesError("OpenSpiel is not here: pip install open_spiel brings it") from error
    known = set(spiel.registered_names())
    for rules in GAMES.values():
        if PREFIX + rules.slug not in known:
            spiel.register_game(_game_type(spiel, rules), game_class(spiel, rules))
    return [PREFIX + slug for slug in GAMES]


def game_class(spiel: Any, rules: Game) -> type:
    """The class of a game of OpenSpiel; `spiel` is its module."""
    state = type("MatchState", (MatchState, spiel.State), {"spiel": spiel})
    names = {"spiel": spiel, "rules": rules, "state_class": state}
    return type("MatchGame", (MatchGame, spiel.Game), names)


def returns(match: Match) -> list[float]:
    """What every seat gets: nothing before the end, and in the end as much in all."""
    if not match.is_over:
        return [0.0] * match.seats
    share = match.seats / len(match.winners)
    return [share - 1.0 if seat in match.winners else -1.0 for seat in range(match.seats)]


class MatchGame:
    """A game of OpenSpiel whose states are matches, beside its class `Game`."""

    spiel: Any
    rules: Game
    state_class: Callable[[MatchGame], Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = dict(params or {})
        self.seats = int(chosen.pop("seats", self.rules.players[0]))
        self.deals = int(chosen.pop("deals", DEALS))
        self.options = chosen
        self.begin(0)  # Wrong options are said now.
        super().__init__(*self._terms(params or {}))

    def _terms(self, params: dict[str, Any]) -> tuple[Any, ...]:
        size = self.spiel.GameInfo(
            num_distinct_actions=ACTIONS_MAX,
            max_chance_outcomes=self.deals,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=self.seats - 1.0,
            utility_sum=0.0,
            max_game_length=_CHOICES_MAX,
        )
        return _game_type(self.spiel, self.rules), size, params

    def begin(self, seed: int) -> Match:
        """The match of one seed."""
        return Match(self.rules, seats=self.seats, seed=seed, **self.options)

    def new_initial_state(self) -> Any:
        """The chance node, before anything has been dealt."""
        return self.state_class(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What tells states as text."""
        return Observer(iig_obs_type is not None and bool(iig_obs_type.perfect_recall))


class MatchState:
    """A state of OpenSpiel that is a match, or the chance node before it, beside `State`."""

    spiel: Any

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)  # type: ignore[call-arg]  # That of OpenSpiel's State.
        self.match: Match | None = None
        self.deals, self.seats = game.deals, game.seats

    def current_player(self) -> int:
        """Who has to choose."""
        if self.match is None:
            return int(self.spiel.PlayerId.CHANCE)
        if self.match.is_over:
            return int(self.spiel.PlayerId.TERMINAL)
        return self.match.to_act[0]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.match is not None and self.match.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every seed, as likely as any other."""
        return [(seed, 1 / self.deals) for seed in range(self.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        count = len(self._match.legal_actions(player))
        assert count <= ACTIONS_MAX, f"{count} actions are legal; ACTIONS_MAX has to be larger."
        return list(range(count))

    def _apply_action(self, action: int) -> None:
        if self.match is None:
            self.match = self.get_game().begin(action)  # type: ignore[attr-defined]
            return
        seat = self.match.to_act[0]
        self.match.apply(seat, self.match.legal_actions(seat)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if self.match is None:
            return f"seed {action}"
        return self.match.text(player, self.match.legal_actions(player)[action])

    def returns(self) -> list[float]:
        """What every seat gets."""
        return returns(self.match) if self.match else [0.0] * self.seats

    def information_state_string(self, player: int | None = None) -> str:
        """Everything that a seat has seen, in order."""
        seat = self.current_player() if player is None else player
        return self.match.information_state_string(seat) if self.match else ""

    def observation_string(self, player: int | None = None) -> str:
        """What a seat sees now."""
        seat = self.current_player() if player is None else player
        return self.match.observation_string(seat) if self.match else ""

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Any:
        """A state that the seat cannot tell from this one."""
        made = self.clone()  # type: ignore[attr-defined]
        made.match = self._match.imagined(player, int(sampler() * 2**53))
        return made

    @property
    def _match(self) -> Match:
        assert self.match is not None, "Nothing has been dealt yet."
        return self.match

    def __str__(self) -> str:
        return self.match.observation_string(None) if self.match else "before the deal"


class Observer:
    """Tells states as text; there are no tensors."""

    tensor: Any = None

    def __init__(self, recalls: bool) -> None:
        self._recalls = recalls
        self.dict: dict[str, Any] = {}

    def set_from(self, state: MatchState, player: int) -> None:
        """Nothing, for there are no tensors."""

    def string_from(self, state: MatchState, player: int) -> str:
        """What the seat has seen, or what it sees."""
        tell = state.information_state_string if self._recalls else state.observation_string
        return tell(player)


def _game_type(spiel: Any, rules: Game) -> Any:
    kinds = spiel.GameType
    options = {option.key: option.values[0] for option in rules.options}
    return kinds(
        short_name=PREFIX + rules.slug,
        long_name=f"hostless: {rules.slug}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=rules.players[-1],
        min_num_players=rules.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"seats": rules.players[0], "deals": DEALS, **options},
    )
