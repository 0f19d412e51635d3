"""How much a bot thinks of each thing that it can do in Civilization, as named numbers.

`lab.py learn_civilization` learns them (`weights.py`).  The greater is done, so all of them have
one scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ai.games.civilization.weights import WEIGHTS
from core.games.civilization.faces import BUILDING_KEYS, TECH_KEYS, WONDER_KEYS
from core.games.civilization.items import FIRST_BUILDING_ITEM, FIRST_WONDER_ITEM, WALLS_ITEM
from core.games.civilization.layout import ARMIES, SCOUTS
from core.games.civilization.printed import GOVERNMENTS, RESOURCES, UNIT_TYPES

FORCES_MAX: Final = 12  # More units than that are like so many.
TURNS_MAX: Final = 20  # From this turn on it does not get later.
_ICONS: Final = ("trade", "production", "culture", "coin")
_LATE: Final = (
    "army", "scout", "unit", "building", "walls", "wonder", "arts", "harvest", "advance",
)  # fmt: skip


class Worths:
    """What a plan is made of, read from numbers by name."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = numbers
        self.verbs = {name: number for name, number in numbers.items() if "." not in name}
        self.technologies = self._of("learn", TECH_KEYS)
        self.governments = self._of("government", GOVERNMENTS)
        self.anarchy = numbers["government.change"]  # So much better has the next one to be.
        self.items = self._items()
        # More for one, where there are so many.
        self.armies = self._of("armies", range(ARMIES + 1))
        self.scouts = self._of("scouts", range(SCOUTS + 1))
        self.forces = self._of("forces", range(FORCES_MAX + 1))
        self.rank = numbers["make.rank"]  # Of a unit, for each rank above the first.
        # More in ten turns.
        self.late = {name: numbers[f"late.{name}"] for name in _LATE}
        self.building = self._of("building", _ICONS)  # An icon more than what is covered has.
        self.cover = self._of("cover", _ICONS)  # What is lost with an icon.
        self.site = self._of("site", _ICONS)  # An icon in the outskirts.
        self.harvests = self._of("harvest", RESOURCES)
        self.culture = numbers["arts.culture"]
        self.kill, self.loss = numbers["fight.kill"], numbers["fight.loss"]  # By strength.
        self.front, self.front_strength = numbers["fight.front"], numbers["fight.front.strength"]
        self.hut, self.near = numbers["go.hut"], numbers["go.near"]
        self.village, self.village_lost = numbers["go.village"], numbers["go.village.lost"]
        self.city, self.city_lost = numbers["go.city"], numbers["go.city.lost"]
        self.capital, self.found = numbers["go.capital"], numbers["go.site"]
        self.weaker, self.stronger = numbers["go.weaker"], numbers["go.stronger"]
        self.scout_away, self.army_away = numbers["go.scout"], numbers["go.army"]
        self.gather = numbers["go.gather"]
        self.leave_city, self.leave = numbers["move.city"], numbers["move.open"]
        self.march_margin, self.attack_margin = numbers["war.march"], numbers["war.attack"]
        self.natives = numbers["war.natives"]
        self.war_army, self.war_unit = numbers["war.army"], numbers["war.unit"]
        self.threat_unit, self.threat_walls = numbers["threat.unit"], numbers["threat.walls"]

    def _of(self, group: str, keys: Sequence[object]) -> tuple[int, ...]:
        return tuple([self.numbers[f"{group}.{key}"] for key in keys])

    def _items(self) -> tuple[int, ...]:
        """By the number of the item, as `core.games.civilization.items` has them."""
        found = [0] * (FIRST_WONDER_ITEM + len(WONDER_KEYS))
        keys = ["army", "scout", *UNIT_TYPES, *BUILDING_KEYS]
        assert len(keys) == FIRST_BUILDING_ITEM + len(BUILDING_KEYS), "items have other numbers"
        for item, key in enumerate(keys):
            found[item] = self.numbers[f"make.{key}"]
        found[WALLS_ITEM] = self.numbers["make.walls"]
        for item, key in enumerate(WONDER_KEYS, FIRST_WONDER_ITEM):
            found[item] = self.numbers[f"make.{key}"]
        return tuple(found)


def read(text: str) -> dict[str, int]:
    """Numbers by name, one a line.

    >>> read("found 90\\nlearn.pottery 20")
    {'found': 90, 'learn.pottery': 20}
    """
    lines = [line.split() for line in text.strip().splitlines()]
    return {name: int(number) for name, number in lines}


LEARNED: Final = Worths(read(WEIGHTS))
