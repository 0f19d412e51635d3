"""The notation of actions, the same for ever.

A square is x.y from the top left, a city seat0.1 (its capital is .0), everything else its key:

    found 5.7            settle 5.7           make army 1          site 4.6
    move 4.6 2+1         go 6.6               via 5.6              discover north
    event drought        power pottery        target 4.6           pay silk
    answer ? 0           play mounted.2       front 1              new
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.games.civilization import powers
from core.games.civilization.faces import (
    BACK_KINDS,
    CIV_KEYS,
    FACES,
    PERSON_KEYS,
    TECH_KEYS,
    WONDER_KEYS,
)
from core.games.civilization.frames import (
    AIM,
    CITY,
    EVENT_PLAY,
    ITEM,
    KIND,
    STAGE,
    TARGET,
    TYPE,
    top,
)
from core.games.civilization.items import HARVEST, ITEM_KEYS
from core.games.civilization.layout import FIELDS
from core.games.civilization.powers import POWER_KEYS, TASKS
from core.games.civilization.printed import GOVERNMENTS, RESOURCES, UNIT_TYPES
from core.games.civilization.targets import (
    BUILDING_TARGET,
    DAYS,
    DEFECTIONS,
    IDEAS,
    REVOLTS,
    UNIT_TARGET,
)
from core.games.civilization.trade import AMOUNTS, DEAL_KEYS
from core.requests import Action
from core.table import HIDDEN, Observation, Table

DIRECTIONS: Final = ("north", "east", "south", "west")
GUARD_KEYS: Final = (
    "aimed", "events", "wonders", "actions", "powers", "near_moves", "moves", "consent", "no_deals",
)  # fmt: skip
PLACE_NAMES: Final = (*TASKS, "sheet", "panama_canal")
FIGURE_KEYS: Final = ("army", "scout", "person")


def describe(table: Table, action: Action, observation: Observation) -> str:
    """The notation of an action; a card that `observation` does not know is `?`."""
    verb, cards, number = action
    words = [verb]
    if (verb in _CARD_NUMBERS and not cards) or verb in _NUMBERS:
        words.append(_NUMBERS.get(verb, _CARD_NUMBERS.get(verb, str))(number))
    elif verb in ("power", "answer"):
        words.append(POWER_KEYS[number % len(POWER_KEYS)] if verb == "power" else str(number))
    elif verb == "target":
        words.append(target_name(table, number))
    words += [_face(card, observation) for card in cards]
    return " ".join(words)


def _face(card: int, observation: Observation) -> str:
    face = observation[card] if card < len(observation) else HIDDEN
    return FACES[face] if face != HIDDEN else "?"


def square_name(square: int) -> str:
    """`5.7`: the sixth column, the eighth row."""
    return f"{square % 16}.{square // 16}"


def city_name(city: int) -> str:
    """`seat0.1`: the second city of the first seat."""
    return f"seat{city // 3}.{city % 3}"


def _seat(number: int) -> str:
    return f"seat{number}"


def _key(keys: tuple[str, ...], number: int) -> str:
    return keys[number] if number < len(keys) else str(number)


def _of(keys: tuple[str, ...]) -> Callable[[int], str]:
    return lambda number: _key(keys, number)


def _item(number: int) -> str:
    city, item = divmod(number, 64)
    return f"{ITEM_KEYS.get(item, str(item))} {city}"


def _also(item: int) -> str:
    return ITEM_KEYS.get(item, str(item))


def _arts(number: int) -> str:
    return str(number // 64)


def _harvest(number: int) -> str:
    city, kind = divmod(number, 64)
    return f"{ITEM_KEYS.get(HARVEST + kind, str(kind))} {city}"


def _reap(number: int) -> str:
    city, pair = divmod(number, 64)
    return f"{RESOURCES[pair % 8 % 4]} {RESOURCES[pair // 8 % 4]} {city}"


def _group(number: int) -> str:
    code, square = divmod(number, 256)
    return f"{square_name(square)} {code % 16}+{code // 16}"


def _great(number: int) -> str:
    kind, square = divmod(number, 256)
    return f"{_key(PERSON_KEYS, kind)} {square_name(square)}"


def _direct(number: int) -> str:
    city, square = divmod(number, 256)
    return f"{square_name(square)} {city}"


def _amount(number: int) -> str:
    kind, amount = divmod(number, AMOUNTS)
    return f"{_key(DEAL_KEYS, kind)} {amount}"


def _infiltrate(number: int) -> str:
    code, city = divmod(number, 16)
    kind, square = divmod(code, 256)
    return f"{_key(FIGURE_KEYS, kind)} {square_name(square)} {city_name(city)}"


def figure_name(number: int) -> str:
    """`seat1.army 5.7`: one of the figures of a square."""
    code, square = divmod(number, 256)
    owner, kind = divmod(code, 3)
    return f"seat{owner}.{FIGURE_KEYS[kind]} {square_name(square)}"


def target_name(table: Table, number: int) -> str:
    """What a number names that a play is aimed at, as far as the frames say what it is."""
    frame, counters = top(table), table.counters
    if counters[frame + KIND] != TARGET:
        return _seat(number)
    at, field = frame - FIELDS, counters[frame + STAGE]
    if field == CITY:
        return _seat(number)
    return _aim(table, at, number)


def aim_name(table: Table, at: int) -> str:
    """What the play in a frame is aimed at first."""
    return _aim(table, at, table.counters[at + AIM])


def _aim(table: Table, at: int, number: int) -> str:
    item = table.counters[at + ITEM]
    if table.counters[at + TYPE] == EVENT_PLAY:
        return _event_target(item, number)
    return _power_target(item, number)


def _event_target(event: int, number: int) -> str:
    if event in DEFECTIONS:
        return figure_name(number)
    if event in DAYS:
        return str(number)
    if event in REVOLTS or event in IDEAS:
        return _seat(number)
    return square_name(number)


def _power_target(power: int, number: int) -> str:
    if power == powers.HORSEBACK_POWER:
        return _seat(number)
    if power in (powers.CONSTRUCTION, powers.BANKING):
        return str(number)
    if power == powers.ATOMIC_BOMB:
        return city_name(number)
    if power in (powers.MONARCHY, powers.GUNPOWDER):
        if number >= BUILDING_TARGET:
            return square_name(number - BUILDING_TARGET)
        if number >= UNIT_TARGET:
            return _seat(number - UNIT_TARGET)
        return _key(WONDER_KEYS, number)
    return square_name(number)


_NUMBERS: Final[dict[str, Callable[[int], str]]] = {
    "civ": _of(CIV_KEYS), "capital": square_name, "site": square_name, "place": square_name,
    "found": square_name, "settle": square_name, "shift": square_name,
    "government": _of(GOVERNMENTS), "gardens": _of(FIGURE_KEYS), "liberty": _of(TECH_KEYS),
    "learn": _of(TECH_KEYS), "great": _great, "direct": _direct, "guard": _of(GUARD_KEYS),
    "offer": _seat, "give": _amount, "ask": _amount, "make": _item, "free": _item,
    "split": _item, "also": _also, "arts": _arts, "harvest": _harvest, "reap": _reap,
    "task": _of(TASKS), "move": _group, "go": square_name, "via": square_name,
    "discover": _of(DIRECTIONS), "infiltrate": _infiltrate, "front": str,
    "deck": _of(UNIT_TYPES), "loot": _of(("trade", "culture")), "seize": _of(BACK_KINDS),
    "ruin": _of(PLACE_NAMES), "coin": _of(PLACE_NAMES), "gift": _of(RESOURCES),
}  # fmt: skip
_CARD_NUMBERS: Final[dict[str, Callable[[int], str]]] = {
    "pay": _of(RESOURCES), "token": _of(RESOURCES),
}  # fmt: skip
