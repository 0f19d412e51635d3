"""What each action of a choice in Civilization is worth to a bot that does not search.

By its verb and by what it names, with the numbers of `worths.py`; a whole move of figures is one
aim (`war.py`), battles are in `fights.py`, deals in `deals.py`.
"""

from __future__ import annotations

from typing import Final

import core.games.civilization.layout as c
from ai.games.civilization import deals, fights, war
from ai.games.civilization.worths import FORCES_MAX, TURNS_MAX, Worths
from core.games.civilization.board import (
    AROUND,
    CITY_MARK,
    FIRST_BUILDING,
    HUT,
    VILLAGE_MARK,
    icons_at,
)
from core.games.civilization.cities import CITY_STEP
from core.games.civilization.course import OFFERS_MAX
from core.games.civilization.frames import CITY, top
from core.games.civilization.items import (
    ARMY,
    FIRST_BUILDING_ITEM,
    FIRST_UNIT,
    FIRST_WONDER_ITEM,
    SCOUT,
    WALLS_ITEM,
    sites,
)
from core.games.civilization.learning import is_unlocked
from core.games.civilization.movement import ARMY_BITS
from core.games.civilization.printed import BUILDINGS, GOVERNMENTS
from core.games.civilization.start_of_turn import is_site
from core.games.civilization.ways import COUNT
from core.games.civilization.wealth import arts, cities_of, city_limit, rank, resting
from core.native import i64
from core.requests import Action, Player
from core.table import Observation, Table

_UNKNOWN: Final = -2  # Not looked for yet; -1: there is nothing.
_OTHER: Final = 6  # Of what is not named anywhere.
_NEVER: Final = -90
_AIRCRAFT: Final = 3
_NAMING: Final = frozenset((  # Verbs with which it matters what is named.
    "go", "via", "make", "move", "also", "arts", "harvest", "learn", "capital", "site", "place",
    "accept", "offer", "give", "ask", "done", "play", "front", "new", "free", "split", "found",
    "settle", "great", "reap", "advance", "government", "anarchy",
))  # fmt: skip


class Plan:
    """One choice of a seat, and what was found out about the table for it."""

    __slots__ = ("_aim", "_marks", "_threat", "observation", "player", "table", "worths")

    def __init__(
        self, table: Table, player: Player, observation: Observation, worths: Worths
    ) -> None:
        self.table, self.player, self.observation = table, player, observation
        self.worths = worths
        self._aim, self._threat = _UNKNOWN, _UNKNOWN
        self._marks: list[int] | None = None

    def worth(self, action: Action) -> int:
        """The greatest is done."""
        verb, _, number = action
        table, worths = self.table, self.worths
        if verb not in _NAMING:  # What is offered most.
            return worths.verbs.get(verb, _OTHER)
        if verb in ("go", "via"):
            return self._goal(number) - (3 if verb == "via" else 0)
        if verb == "make":
            return self._item(number // CITY_STEP, number % CITY_STEP)
        if verb == "move":
            return self._move(number)
        if verb == "also":
            return self._item(table.counters[top(table) - c.FIELDS + CITY], number)
        if verb == "arts":
            culture = arts(table, self.player, number // CITY_STEP)
            return worths.verbs["arts"] + worths.culture * culture + self._late("arts")
        if verb == "harvest":
            return worths.harvests[number % CITY_STEP] + self._late("harvest")
        if verb == "learn":
            return worths.technologies[number]
        if verb in ("capital", "site", "place"):
            return self._place(number, is_city=verb == "capital")
        if verb in ("accept", "offer", "give", "ask", "done"):
            return self._deal(verb, number)
        return self._rare(action)

    def _rare(self, action: Action) -> int:
        """What is not asked at every step."""
        verb, cards, number = action
        table, worths = self.table, self.worths
        if verb == "play" and cards:
            face = self.observation[cards[0]]
            return worths.verbs["play"] + fights.unit_worth(table, self.player, face, worths)
        if verb == "front":
            return worths.verbs["front"] + fights.front_worth(table, number, worths)
        if verb == "new":
            return worths.verbs["front"] + fights.front_worth(table, 0, worths)
        if verb in ("free", "split"):
            item = self._item(number // CITY_STEP, number % CITY_STEP)
            return worths.verbs[verb] + (item if verb == "free" else item // 4)
        if verb in ("found", "settle") and 0 <= number < c.SQUARES:
            return worths.verbs[verb] + self._around(number)
        if verb == "great":
            return self._great(number % c.SQUARES)
        if verb == "reap":
            second, first = divmod(number % CITY_STEP, 8)
            both = worths.harvests[first] + worths.harvests[second]
            return both // 2 + self._late("harvest")
        if verb == "advance":
            return worths.verbs["advance"] + self._late("advance")
        if verb == "government":
            return _OTHER + self._gain(number)
        if verb == "anarchy":
            return _OTHER + self._best_gain() - worths.anarchy
        return worths.verbs.get(verb, _OTHER)

    def _late(self, what: str) -> int:
        return self.worths.late[what] * min(self.table.counters[c.TURN], TURNS_MAX) // 10

    # ---- governments ----

    def _gain(self, form: int) -> int:
        """What a government is worth more than today's."""
        governments = self.worths.governments
        return governments[form] - governments[self.table.counters[c.GOVERNMENT[self.player]]]

    def _best_gain(self) -> int:
        best = _NEVER
        for form in range(len(GOVERNMENTS)):
            if is_unlocked(self.table, self.player, form):
                best = max(best, self._gain(form))
        return best

    # ---- what cities make ----

    def _item(self, city: int, item: int) -> int:
        table, player, worths = self.table, self.player, self.worths
        worth = worths.items[item]
        if item >= FIRST_WONDER_ITEM:
            return worth + self._late("wonder")
        if item == WALLS_ITEM:
            return (
                worth + self._late("walls") + (worths.threat_walls if self._is_threatened() else 0)
            )
        if item >= FIRST_BUILDING_ITEM:
            return self._building(worth, city, item)
        if item >= FIRST_UNIT:
            return worth + self._unit(item - FIRST_UNIT)
        if item == SCOUT:
            return worth + worths.scouts[scouts_of(table, player)] + self._late("scout")
        assert item == ARMY, "a city makes nothing else"
        worth += worths.armies[armies_of(table, player)] + self._late("army")
        return worth + (worths.war_army if self._target() >= 0 else 0)

    def _building(self, worth: int, city: int, item: int) -> int:
        """By what it yields more than the least that it would cover."""
        table, weights = self.table, self.worths.building
        covered = [
            weighed(icons_at(table, at), weights) for at in sites(table, self.player, city, item)
        ]
        # There is no site yet if the first of two items makes room.
        least = min(covered, default=0)
        gain = weighed(BUILDINGS[item - FIRST_BUILDING_ITEM].icons, weights) - least
        if gain <= 0:
            return self.worths.verbs["end"] - 1
        return worth + gain + self._late("building")

    def _unit(self, kind: int) -> int:
        table, player, worths = self.table, self.player, self.worths
        worth = worths.forces[min(len(table.zones[c.FORCES[player]]), FORCES_MAX)]
        worth += self._late("unit")
        if kind != _AIRCRAFT:
            worth += worths.rank * (rank(table, player, kind) - 1)
        if self._target() >= 0:
            worth += worths.war_unit
        return worth + (worths.threat_unit if self._is_threatened() else 0)

    # ---- places ----

    def _place(self, square: int, *, is_city: bool) -> int:
        """A capital where there is much around it; everything else where little is lost."""
        if not 0 <= square < c.SQUARES:
            return _OTHER
        if is_city:
            return _OTHER + self._around(square)
        return self.worths.verbs["place"] - weighed(icons_at(self.table, square), self.worths.cover)

    def _around(self, square: int) -> int:
        table, weights = self.table, self.worths.site
        return sum([weighed(icons_at(table, each), weights) for each in AROUND[square]])

    def _great(self, square: int) -> int:
        if self.table.counters[c.MARK + square] >= FIRST_BUILDING:
            return 2  # Two great people would change places for ever.
        covered = weighed(icons_at(self.table, square), self.worths.cover)
        return self.worths.verbs["great"] - covered // 2

    # ---- figures ----

    def _move(self, number: int) -> int:
        """The largest group of armies first, if it has an aim; scouts wait where they can found."""
        table, worths = self.table, self.worths
        code, square = number // c.SQUARES, number % c.SQUARES
        scouts, armies = code // 16, code % 16
        if scouts and self._settles() and is_site(table, self.player, square):
            return worths.verbs["end"] - 1
        worth = worths.verbs["move"]
        if not armies:
            return worth
        if self._target() >= 0:
            return worth + armies
        is_city = table.counters[c.MARK + square] >= CITY_MARK
        return worth + (worths.leave_city if is_city else worths.leave)

    def _goal(self, square: int) -> int:
        """Where figures go: huts, villages and enemies who are weaker, a capital, or away."""
        table, seat, worths = self.table, self.player, self.worths
        counters = table.counters
        group, mark = counters[c.GROUP], counters[c.MARK + square]
        if group >> c.ARMIES and self._settles() and is_site(table, seat, square):
            return worths.found + self._around(square)
        armies = COUNT[group & ARMY_BITS]
        if mark == HUT:
            return worths.hut
        if mark == VILLAGE_MARK:
            return worths.village if self._beats_natives(armies) else worths.village_lost
        rival, theirs, _ = resting(table, square)
        if mark >= CITY_MARK and (mark - CITY_MARK) // c.CITIES != seat:
            return self._city(armies, mark - CITY_MARK)
        if rival not in (-1, seat):
            lead = war.strength(table, seat, armies) - war.strength(table, rival, theirs)
            return worths.weaker if lead > 0 or not theirs else worths.stronger
        if armies and self._target() >= 0:
            return war.march(table, seat, square, self._target(), worths.gather)
        return self._away(square, armies)

    def _city(self, armies: int, city: int) -> int:
        worths = self.worths
        if not war.takes(self.table, self.player, armies, city, worths.attack_margin):
            return worths.city_lost
        return worths.city + (0 if city % c.CITIES else worths.capital)

    def _away(self, square: int, armies: int) -> int:
        """Away from home, and armies to where they may find something."""
        home = self.table.counters[c.CITY_AT[self.player]] - 1
        if home < 0:
            return _OTHER
        away = min(chebyshev(square, home), 8)
        if not armies:
            return _OTHER + self.worths.scout_away * away
        worth = _OTHER + self.worths.army_away * away
        if self.worths.near:
            near = 8
            for at in self._places(armies):
                near = min(near, chebyshev(square, at))
            worth += self.worths.near * (8 - near)
        return worth

    def _places(self, armies: int) -> list[int]:
        """Where huts lie, and villages if so many armies, who are the group that moves, take them.

        It is looked up once: the group is the same for all actions of a choice.
        """
        if self._marks is None:
            last = VILLAGE_MARK if self._beats_natives(armies) else HUT
            marks = self.table.counters[c.MARK : c.MARK + c.SQUARES]
            found: list[int] = []
            for mark in range(HUT, last + 1):  # They are few among many squares.
                at = -1
                for _ in range(marks.count(mark)):
                    at = marks.index(mark, at + 1)
                    found.append(at)
            self._marks = found
        return self._marks

    def _beats_natives(self, armies: int) -> bool:
        return war.strength(self.table, self.player, armies) > self.worths.natives

    def _settles(self) -> bool:
        """Whether the seat may have one more city."""
        return len(cities_of(self.table, self.player)) < city_limit(self.table, self.player)

    def _target(self) -> int:
        """The capital that armies march to, or -1: the same for all actions of a choice."""
        if self._aim == _UNKNOWN:
            self._aim = war.target(self.table, self.player, self.worths.march_margin)
        return self._aim

    def _is_threatened(self) -> bool:
        if self._threat == _UNKNOWN:
            self._threat = int(war.is_threatened(self.table, self.player, self.worths.march_margin))
        return self._threat > 0

    # ---- deals ----

    def _deal(self, verb: str, number: int) -> int:
        """What the partner can want is offered once in a floor; answers are by their worth."""
        table, seat, verbs = self.table, self.player, self.worths.verbs
        if verb == "accept":
            return 10 + deals.answer_worth(table, seat)
        if verb == "offer":
            is_first = table.counters[c.OFFERS[seat]] == OFFERS_MAX
            is_wanted = is_first and deals.proposal(table, seat, number) is not None
            return verbs["offer"] if is_wanted else _NEVER
        if verb == "done":
            return verbs["end"]
        meant = deals.under_way(table, seat)
        is_meant = meant is not None and number == (meant.give if verb == "give" else meant.ask)
        return verbs["offer"] if is_meant else _NEVER


def weighed(icons: tuple[int, ...], weights: tuple[int, ...]) -> int:
    """What a square, or what is built there, is worth by its four icons."""
    trade, production, culture, coin = icons
    return weights[0] * trade + weights[1] * production + weights[2] * culture + weights[3] * coin


def chebyshev(first: i64, second: i64) -> i64:
    """The longer of the ways along the two axes; `board.distance` adds them up."""
    across, down = first % 16 - second % 16, first // 16 - second // 16
    if across < 0:  # A compiled `abs` calls Python.
        across = -across
    if down < 0:
        down = -down
    return max(across, down)


def armies_of(table: Table, seat: Player) -> int:
    """How many armies a seat has on the map."""
    return _on_map(table, c.FIGURE[seat], c.ARMIES)


def scouts_of(table: Table, seat: Player) -> int:
    """How many scouts."""
    return _on_map(table, c.SCOUT_AT[seat], c.SCOUTS)


def _on_map(table: Table, first: int, figures: int) -> int:
    found = 0
    for at in range(first, first + figures):
        if table.counters[at]:
            found += 1
    return found
