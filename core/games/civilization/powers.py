"""What can be used once per turn (C86, C170): a bit for each, and what resource abilities cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.games.civilization.faces import tech
from core.games.civilization.printed import RESOURCES

ANY: Final = -1  # A cost: every kind of resource (C87).


@dataclass(frozen=True, slots=True)
class Power:
    """A resource ability: its key, technology, phase, what it costs and how many tokens of that."""

    key: str
    technology: int
    phase: str
    resource: int
    tokens: int = 1
    amount: int = 0


def _power(key: str, phase: str, resource: str, count: int = 1, amount: int = 0) -> Power:
    technology = tech(key.split(":")[0])
    kind = RESOURCES.index(resource) if resource else ANY
    return Power(key, technology, phase, kind, count, amount)


POWERS: Final[tuple[Power, ...]] = (
    _power("currency", "city", "incense", amount=3),
    _power("chivalry", "city", "incense", amount=5),
    _power("metal_casting", "city", "incense", amount=7),
    _power("horseback_riding", "trade", "silk"),
    _power("philosophy", "city", "", 3),
    _power("pottery", "city", "", 2),
    _power("construction", "city", "wheat", amount=5),
    _power("banking", "city", "wheat", amount=7),
    _power("monarchy", "city", "silk"),
    _power("gunpowder", "city", "", 2),
    _power("steam_power", "city", "silk"),
    _power("atomic_theory:actions", "city", "uranium"),
    _power("atomic_theory:bomb", "move", "uranium"),
    _power("communism", "move", "spy"),
    _power("writing", "answer", "spy"),
    _power("civil_service", "answer", "spy"),
    _power("mass_media", "answer", "spy"),
    _power("metalworking", "battle", "iron", amount=3),
    _power("mathematics", "battle", "iron", amount=3),
    _power("ballistics", "battle", "iron", amount=6),
)
POWER_KEYS: Final = tuple([power.key for power in POWERS])
OF_PHASE: Final[dict[str, tuple[int, ...]]] = {
    phase: tuple([at for at, power in enumerate(POWERS) if power.phase == phase])
    for phase in ("trade", "city", "move", "answer", "battle")
}


def power(key: str) -> int:
    """The number of a resource ability."""
    return POWER_KEYS.index(key)


CURRENCY: Final = power("currency")
CHIVALRY: Final = power("chivalry")
METAL_CASTING: Final = power("metal_casting")
HORSEBACK_POWER: Final = power("horseback_riding")
PHILOSOPHY: Final = power("philosophy")
POTTERY_POWER: Final = power("pottery")
CONSTRUCTION: Final = power("construction")
BANKING: Final = power("banking")
MONARCHY: Final = power("monarchy")
GUNPOWDER: Final = power("gunpowder")
STEAM: Final = power("steam_power")
ATOMIC_ACTIONS: Final = power("atomic_theory:actions")
ATOMIC_BOMB: Final = power("atomic_theory:bomb")
COMMUNISM: Final = power("communism")
WRITING: Final = power("writing")
CIVIL_SERVICE_POWER: Final = power("civil_service")
MASS_MEDIA_POWER: Final = power("mass_media")
METALWORKING_POWER: Final = power("metalworking")
MATHEMATICS: Final = power("mathematics")
BALLISTICS: Final = power("ballistics")
# What costs no resource, and is once per turn all the same.
DEMOCRACY_TASK: Final = len(POWERS)
PRINTING_TASK: Final = DEMOCRACY_TASK + 1
LAWS_TASK: Final = DEMOCRACY_TASK + 2
ENGINEERING_SPLIT: Final = DEMOCRACY_TASK + 3
ANGKOR_HARVEST: Final = DEMOCRACY_TASK + 4
EGYPT_BUILDING: Final = DEMOCRACY_TASK + 5
RUSSIA_SPY: Final = DEMOCRACY_TASK + 6
COMBUSTION_RAZE: Final = DEMOCRACY_TASK + 7
GARDENS: Final = DEMOCRACY_TASK + 8
LIBERTY: Final = DEMOCRACY_TASK + 9
OPERA: Final = DEMOCRACY_TASK + 10

# C141: the coin tasks, in the order of their counters.
TASK_LAWS: Final = 0
TASK_POTTERY: Final = 1
TASK_DEMOCRACY: Final = 2
TASK_PRINTING: Final = 3
TASKS: Final = ("code_of_laws", "pottery", "democracy", "printing_press")
TASK_TIMES_MAX: Final = 4
