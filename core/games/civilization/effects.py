"""What events and resource abilities do once nobody has cancelled them (3.1, 3.3).

The play that has them done touches the table, so coins and hands are looked at after that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from core.games.civilization import powers
from core.games.civilization.board import (
    AROUND,
    CITY_MARK,
    DESERT,
    DISASTER,
    GRASSLAND,
    PERSON_MARK,
)
from core.games.civilization.faces import FIRST_WONDER
from core.games.civilization.figures import (
    clear_mark,
    kill_person,
    set_figure,
    take_city,
)
from core.games.civilization.frames import (
    CANCELLED,
    GAIN,
    GIFT_CANCELLED,
    KILL_UNIT,
    NOTE,
    STAGE,
    TEACH,
    pop,
    push,
    top,
    touch,
)
from core.games.civilization.layout import (
    ANARCHY_SINCE,
    ARMIES,
    BOX,
    CITY_AT,
    CULTURE,
    EXTRA,
    FIELDS,
    FIGURES,
    FORCES,
    FROZEN,
    GOVERNMENT,
    GROUND,
    GROUP,
    IDLE,
    LEFT,
    MARK,
    MOVE_AT,
    MOVED,
    MOVER,
    OBSOLETE,
    TASK_COINS,
    TASK_TIMES,
    TURN,
    UNIT_DEAD,
    WALLS,
    WONDER_MARKET,
)
from core.games.civilization.powers import POWERS
from core.games.civilization.printed import EVENT_KINDS
from core.games.civilization.setup import fill_market
from core.games.civilization.targets import (
    BUILDING_TARGET,
    DAYS,
    DEFECTIONS,
    DEFORESTATION,
    DISASTER_EVENT,
    DONE,
    DROUGHT,
    IDEAS,
    PERSON_KIND,
    REVOLTS,
    SABOTAGES,
    SHIFTS,
    UNIT_TARGET,
)
from core.games.civilization.wealth import ANARCHY, cities_of, figures_at, gain_trade, resting
from core.requests import Request, Roll, Shuffle
from core.table import Table

Aims: TypeAlias = tuple[int, int, int]  # First and second target, and what an answer answers.
Effect: TypeAlias = Callable[[Table, int, int, Aims], None]


def do_event(table: Table, seat: int, number: int, aims: Aims) -> None:
    """What an event does."""
    _EVENTS.get(number, _cancel_event)(table, seat, number, aims)


def do_power(table: Table, seat: int, number: int, aims: Aims) -> None:
    """What a resource ability does."""
    _POWERS[number](table, seat, number, aims)


# ---- cancelling ----


def _cancel_event(table: Table, seat: int, number: int, aims: Aims) -> None:
    cancel(table, aims[2])


def _cancel(table: Table, seat: int, number: int, aims: Aims) -> None:
    cancel(table, aims[2])


def cancel(table: Table, which: int) -> None:
    """4.2: the play below the row on top, or the gift in its payment, is cancelled."""
    at = top(table) - FIELDS
    table.counters[at + NOTE] |= GIFT_CANCELLED if which else CANCELLED


# ---- events ----


def _defect(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.3: one or two figures are killed, or a great person."""
    for aim in aims[:2]:
        if aim == DONE:
            continue
        code, square = divmod(aim, 256)
        owner, kind = divmod(code, 3)
        if kind != PERSON_KIND:
            kill_figure(table, owner, square, bool(kind))
        elif PERSON_MARK <= table.counters[MARK + square] < CITY_MARK:
            kill_person(table, square)


def kill_figure(table: Table, owner: int, square: int, is_scout: bool) -> None:
    """A figure on a square goes back to the supply; one that moves before one that rests there."""
    counters = table.counters
    group = counters[GROUP] if counters[MOVER] == owner + 1 else 0
    fit = [at for at in figures_at(table, owner, square) if not group >> at & 1]
    if counters[MOVE_AT] == square:
        fit = [at for at in range(FIGURES) if group >> at & 1] + fit
    fit = [at for at in fit if (at >= ARMIES) == is_scout]
    if fit:
        if group:
            counters[GROUP] = group & ~(1 << fit[0])
        set_figure(table, owner, fit[0], -1)


def _sabotage(table: Table, seat: int, number: int, aims: Aims) -> None:
    destroy_building(table, aims[0])


def _disaster(table: Table, seat: int, number: int, aims: Aims) -> None:
    for aim in aims[:2]:
        if aim != DONE:
            destroy_building(table, aim)


def destroy_building(table: Table, square: int) -> None:
    """C179: the marker returns to the market; for walls the city marker is turned back."""
    counters = table.counters
    mark = counters[MARK + square]
    if mark >= CITY_MARK:
        seat, city = divmod(mark - CITY_MARK, 3)
        counters[WALLS[seat] + city] = 0
    else:
        clear_mark(table, square)


def _dry(table: Table, seat: int, number: int, aims: Aims) -> None:
    """C179: the square is desert or grassland for good, without its former symbols."""
    terrain = DESERT if number == DROUGHT else GRASSLAND
    table.counters[GROUND + aims[0]] = 1 + terrain + 5 * DISASTER


def _shift(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.3: all figures of a square are moved together."""
    square, aim, _ = aims
    owner = resting(table, square)[0]
    for figure in figures_at(table, owner, square):
        set_figure(table, owner, figure, aim)


def _day(table: Table, seat: int, number: int, aims: Aims) -> None:
    table.counters[EXTRA[seat] + aims[0]] += EVENT_KINDS[number].amount


def _revolt(table: Table, seat: int, number: int, aims: Aims) -> None:
    """E26 to E28: Anarchy at once, and an idle capital."""
    enter_anarchy(table, aims[0])


def enter_anarchy(table: Table, seat: int) -> None:
    """C40, C41: the capital is idle in this turn."""
    counters = table.counters
    counters[GOVERNMENT[seat]], counters[ANARCHY_SINCE[seat]] = ANARCHY, counters[TURN]
    counters[IDLE[seat]] = 1
    touch(table)


def _share(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.3: the actor learns of the other seat, then the other one of the actor."""
    push(table, TEACH, seat, item=EVENT_KINDS[number].amount, city=aims[0])


_EVENTS: Final[dict[int, Effect]] = {
    **dict.fromkeys(DEFECTIONS, _defect), **dict.fromkeys(SABOTAGES, _sabotage),
    DISASTER_EVENT: _disaster, DROUGHT: _dry, DEFORESTATION: _dry,
    **dict.fromkeys(SHIFTS, _shift), **dict.fromkeys(DAYS, _day),
    **dict.fromkeys(REVOLTS, _revolt), **dict.fromkeys(IDEAS, _share),
}  # fmt: skip

# ---- resource abilities ----


def _gain_culture(table: Table, seat: int, number: int, aims: Aims) -> None:
    table.counters[CULTURE[seat]] += POWERS[number].amount


def _ride(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.1: 9 trade, and 6 for the seat that was named; dials stop at 27."""
    gain_trade(table, seat, 9)
    gain_trade(table, aims[0], 6)


def _find_person(table: Table, seat: int, number: int, aims: Aims) -> None:
    push(table, GAIN, seat)


def _pottery(table: Table, seat: int, number: int, aims: Aims) -> None:
    do_task(table, seat, powers.TASK_POTTERY)


def do_task(table: Table, seat: int, task: int) -> None:
    """C141: a coin token on the technology, at most four times."""
    counters = table.counters
    if counters[TASK_TIMES[seat] + task] < powers.TASK_TIMES_MAX:
        counters[TASK_TIMES[seat] + task] += 1
        counters[TASK_COINS[seat] + task] += 1
        touch(table)


def _produce_more(table: Table, seat: int, number: int, aims: Aims) -> None:
    table.counters[EXTRA[seat] + aims[0]] += POWERS[number].amount


def _monarchy(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.1: a wonder, or a random unit of another seat's standing forces."""
    if aims[0] >= UNIT_TARGET:
        push(table, KILL_UNIT, aims[0] - UNIT_TARGET)
    else:
        make_obsolete(table, aims[0])


def _gunpowder(table: Table, seat: int, number: int, aims: Aims) -> None:
    if aims[0] >= BUILDING_TARGET:
        destroy_building(table, aims[0] - BUILDING_TARGET)
    else:
        make_obsolete(table, aims[0])


def make_obsolete(table: Table, wonder: int) -> None:
    """C158, C159: on the map it loses its ability; in the market it goes to the box."""
    for card in table.zones[WONDER_MARKET]:
        if table.face[card] == FIRST_WONDER + wonder:
            table.move(card, WONDER_MARKET, BOX)
            fill_market(table)
            return
    table.counters[OBSOLETE] |= 1 << wonder


def _sail(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.1: all own figures of a square to water; they do not move in this turn's Movement."""
    for figure in figures_at(table, seat, aims[0]):
        set_figure(table, seat, figure, aims[1])
        table.counters[MOVED[seat]] |= 1 << figure


def _freeze(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.1: no figure leaves that square until the end of the turn."""
    table.counters[FROZEN + seat] = aims[0] + 1


def _act_again(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.1, C41: a further action for each own city, but not for a capital in Anarchy."""
    counters = table.counters
    for city in cities_of(table, seat):
        if city or not counters[IDLE[seat]]:
            counters[LEFT[seat] + city] += 1


def _bomb(table: Table, seat: int, number: int, aims: Aims) -> None:
    """3.1: the city, and everything in its outskirts."""
    counters = table.counters
    owner, city = divmod(aims[0], 3)
    square = counters[CITY_AT[owner] + city] - 1
    for at in AROUND[square]:
        if PERSON_MARK <= counters[MARK + at] < CITY_MARK:
            kill_person(table, at)
        else:
            clear_mark(table, at)
        someone = resting(table, at)[0]
        for figure in figures_at(table, someone, at):
            set_figure(table, someone, figure, -1)
    take_city(table, aims[0])


_POWERS: Final[dict[int, Effect]] = {
    powers.CURRENCY: _gain_culture, powers.CHIVALRY: _gain_culture,
    powers.METAL_CASTING: _gain_culture, powers.HORSEBACK_POWER: _ride,
    powers.PHILOSOPHY: _find_person, powers.POTTERY_POWER: _pottery,
    powers.CONSTRUCTION: _produce_more, powers.BANKING: _produce_more,
    powers.MONARCHY: _monarchy, powers.GUNPOWDER: _gunpowder, powers.STEAM: _sail,
    powers.ATOMIC_ACTIONS: _act_again, powers.ATOMIC_BOMB: _bomb, powers.COMMUNISM: _freeze,
    powers.WRITING: _cancel, powers.CIVIL_SERVICE_POWER: _cancel,
    powers.MASS_MEDIA_POWER: _cancel,
}  # fmt: skip

# ---- what takes several steps ----


def kill_unit(table: Table) -> Request | None:
    """3.1: a random unit dies: the owner mixes the forces, then one is rolled and turned up."""
    at = top(table)
    counters = table.counters
    seat, stage = counters[at + 1], counters[at + STAGE]
    forces = table.zones[FORCES[seat]]
    counters[at + STAGE] += 1
    if stage == 0:
        return Shuffle((tuple(forces),), seat) if len(forces) > 1 else None
    if stage == 1:
        return Roll(len(forces)) if len(forces) > 1 else None
    card = forces[table.rolled if len(forces) > 1 else 0] if stage == 2 else counters[at + 3]
    if stage == 2:
        counters[at + 3] = card
        table.owe((card,), None)
        table.tell("doomed", seat)
        return None
    pop(table)
    table.move(card, FORCES[seat], UNIT_DEAD + table.public_face(card) // 3)
    touch(table)
    return None
