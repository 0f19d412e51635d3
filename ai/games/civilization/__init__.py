"""What a bot is told about Civilization: settle, build, discover, learn, and fight when stronger.

Every action has a worth by its verb and by what it names (`plan.py`), so that the policy costs one
pass over what is legal.  How much each is worth was learned from games of plans (`worths.py`).  An
unfinished game is evaluated by what each seat has (`evaluation.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import core.games.civilization.layout as c
from ai.games.civilization import styles, war
from ai.games.civilization.evaluation import seat_points
from ai.games.civilization.plan import Plan, armies_of
from ai.games.civilization.worths import LEARNED, Worths
from ai.search.knowledge import Knowledge, best_place
from ai.search.softmax import softmax
from core.games.civilization.cities import CITY_STEP
from core.games.civilization.faces import BUILDING_KEYS, WONDER_KEYS
from core.games.civilization.items import ITEM_KEYS
from core.games.civilization.wealth import stacking
from core.requests import Action, Player
from core.table import Observation, Table

_CANDIDATES_MAX: Final = 8


class CivilizationKnowledge(Knowledge):
    """A plan by the worth of verbs, and an evaluation by the four victories."""

    rollout_choices_max = 60
    exploration_percent = 40
    expansion_visits = 10**9
    random_once_in = 8
    mistake_permille = 30  # With less, a gentle bot loses to hardly anybody: its plan is so good.
    speed = 100
    compiled_speed = 600
    worths: Worths = LEARNED
    strategies: Mapping[str, str] = {"plan": "policy", "war": "warlord"}

    def policy(self, table: Table, player: Player, observation: Observation) -> Action:
        """What is worth most."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        worth = self.prior(table, player, actions, observation)
        return actions[best_place(worth)]

    def warlord(self, table: Table, player: Player, observation: Observation) -> Action:
        """A plain player who arms for war before anything else."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        worth = self.prior(table, player, actions, observation)
        zeal = [_zeal(table, player, action) for action in actions]
        return actions[best_place([a + b for a, b in zip(worth, zeal, strict=True)])]

    def candidates(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """The few actions that are worth most, in the order of the rules."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) <= _CANDIDATES_MAX:
            return actions
        worth = self.prior(table, player, actions, observation)
        ranks = sorted(range(len(actions)), key=lambda at: (-worth[at], at))
        best = {*ranks[:_CANDIDATES_MAX]}
        return [action for at, action in enumerate(actions) if at in best]

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], observation: Observation
    ) -> list[int]:
        """What each action is worth by its verb and by what it names."""
        if len(actions) == 1:
            return [0]
        plan = Plan(table, player, observation, self.worths)
        return [plan.worth(action) for action in actions]

    def evaluate(self, table: Table) -> list[int]:
        """Shares by what each seat has.  Who is ruined changes nothing between the others."""
        return softmax([seat_points(table, seat) for seat in range(table.layout.players)])

    def lean(
        self, style: str, table: Table, player: Player, action: Action, observation: Observation
    ) -> int:
        """By verbs, by what cities make, and by where figures go."""
        return styles.lean(style, table, player, action)


KNOWLEDGE: Final = CivilizationKnowledge


def _zeal(table: Table, seat: Player, action: Action) -> int:
    """How much more a warlord thinks of arms."""
    if action.verb not in ("make", "also"):
        return 0
    key = ITEM_KEYS.get(action.number % CITY_STEP, "")
    armies = armies_of(table, seat)
    if key == "army":
        return 60 if armies < stacking(table, seat) else 0
    if key in ("barracks", "academy"):
        return 40
    is_unit = key not in ("scout", "walls") and key not in BUILDING_KEYS and key not in WONDER_KEYS
    forces = len(table.zones[c.FORCES[seat]])
    return 60 if is_unit and forces < war.units_wanted(table, seat) else 0
