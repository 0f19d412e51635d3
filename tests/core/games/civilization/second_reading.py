"""A random game in which both readings of the rules are compared at every step.

The rules are listened to where battles are decided, by standing in front of three of their
functions; everything else is compared between two choices.
"""

from __future__ import annotations

from collections import Counter
from unittest import mock

from core.determinization import observation_of
from core.games.civilization import GAME, battle_turns, battles, choices
from core.games.civilization.frames import SEAT, top
from core.requests import Choice, Secret
from core.table import OptionValue, Table
from core.testing.worlds import OpenGame, any_setting
from tests.core.games.civilization.naive import Reading, asked, check_table
from tests.core.games.civilization.naive_battle import battle_on
from tests.core.games.civilization.rich import FierceGame

CULTURE, WAR = 1, 4


class Comparison:
    """What has been compared, by what it was; and what a battle must leave behind."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self._fallen_capital: tuple[int, int] | None = None  # Who took it, from whom.
        self._armies: dict[int, int] = {}

    def play(self, seed: int, stride: int = 1, turns: int = 0) -> Table:
        """A whole game by a seed; between battles, so many choices are left out."""
        self._fallen_capital, self._armies = None, {}
        players, options = any_setting(GAME, seed)
        settings: dict[str, OptionValue] = {**options, "max_turns": turns or options["max_turns"]}
        kind = (OpenGame, FierceGame)[seed % 2]  # Whoever chooses at random seldom fights.
        world = kind(GAME, players, settings, seed)
        with (
            mock.patch.object(battles, "_compare", self._compare),
            mock.patch.object(battles, "_add_bonuses", self._add_bonuses),
            mock.patch.object(battle_turns, "_fight_out", self._fight_out),
        ):
            for pending in world.play():
                self._check_losses(world.table)
                if world.choices % stride == 0:
                    self._check(world, pending)
        check_table(world.table)
        self._check_end(world.table)
        return world.table

    def _check(self, world: OpenGame, pending: Choice | Secret) -> None:
        table = world.table
        check_table(table)
        self.compared["tables"] += 1
        if not isinstance(pending, Choice) or asked(table) != "moving":
            return
        observation = observation_of(table, world.deal, pending.player)
        actions = choices.legal_actions(table, pending.player, observation)
        ends = {action.number for action in actions if action.verb == "go"}
        stops = {action.number for action in actions if action.verb == "via"}
        assert ends == Reading(table).destinations()
        assert stops == Reading(table).waypoints()
        self.compared["moves"] += 1

    # ---- battles ----

    def _add_bonuses(self, table: Table) -> None:
        battle, counters = battle_on(table), table.counters
        for side in (0, 1):
            drawn = len(battle.units(side, "battle"))
            left = 0 if battle.is_native(side) else len(battle.units(side, "forces"))
            size = 3 if battle.is_native(side) else battle.hand(side)
            assert drawn == size or (drawn < size and not left)
        _ADD_BONUSES(table)
        found = battle_on(table).read
        assert (found.get("battle.bonus0"), found.get("battle.bonus1")) == battle.lead()
        assert counters is table.counters
        self.compared["musters"] += 1

    def _fight_out(self, table: Table, side: int, card: int, rival: int) -> None:
        battle = battle_on(table)
        expected = battle.fight(side, card, rival)
        _FIGHT_OUT(table, side, card, rival)
        standing = [*battle.units(0), *battle.units(1)]
        for each, wounds in expected.items():
            assert (each in standing) == (wounds >= 0)
            assert battle.read.get(f"wounds.{each}") == max(wounds, 0)
        self.compared["attacks"] += 1

    def _compare(self, table: Table) -> None:
        battle = battle_on(table)
        side = battle.winner()
        _COMPARE(table)
        assert table.counters[top(table) + SEAT] == battle.seat(side)
        self.compared["battles"] += 1
        if side == 0 and battle.city >= 0 and battle.city % 3 == 0:
            self._fallen_capital = battle.attacker, battle.defender
        elif not battle.read.get("battle.placed"):
            self._armies = self._left_after(table, side)

    def _left_after(self, table: Table, winner: int) -> dict[int, int]:
        """By seat: the armies on the map once the battle is over."""
        battle, left = battle_on(table), dict[int, int]()
        for side in (0, 1):
            if battle.is_native(side):
                continue
            there = battle.armies(side)
            killed = battle.read.get(f"battle.killed{side}")
            lost = there if side != winner else max(min(killed // 2, there - 1), 0)
            before = [kind for kind, _ in battle.read.figures(battle.seat(side))].count("army")
            left[battle.seat(side)] = before - lost
        return left

    def _check_losses(self, table: Table) -> None:
        read = Reading(table)
        if read.get("battle") or not self._armies:
            return
        for seat, expected in self._armies.items():
            assert [kind for kind, _ in read.figures(seat)].count("army") == expected
        self._armies = {}
        self.compared["losses"] += 1

    # ---- the end ----

    def _check_end(self, table: Table) -> None:
        """A capital that falls ends the game at that moment, and nothing else ends it by war."""
        read = Reading(table)
        has_fallen = self._fallen_capital is not None
        assert (read.get("how") == WAR) == has_fallen
        if self._fallen_capital:
            assert read.get("winner") == self._fallen_capital[0]
        self.compared[f"end {read.get('how')}"] += 1


_COMPARE = battles._compare
_ADD_BONUSES = battles._add_bonuses
_FIGHT_OUT = battle_turns._fight_out
