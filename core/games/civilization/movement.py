"""Movement (C89 to C110): groups, legs, discovering, exploring, arriving."""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.answers import is_hostile
from core.games.civilization.board import (
    FIRST_BUILDING,
    HUT,
    NEIGHBOURS,
    VILLAGE_MARK,
    WONDER_MARK,
    distance,
    lay_discovered,
    step_to,
    turn_up_tile,
)
from core.games.civilization.effects import destroy_building
from core.games.civilization.figures import city_at, remove_enemies, set_figure
from core.games.civilization.frames import (
    AIM,
    ARRIVE,
    BATTLE,
    CITY,
    END_MOVE,
    ITEM,
    LEG,
    LEG_PLAY,
    LOOT,
    LOSER_MIX,
    MOVING,
    NOTE,
    OTHER,
    RAZE,
    ROW,
    SEAT,
    STAGE,
    STUDY,
    TYPE,
    pop,
    push,
    top,
)
from core.games.civilization.layout import (
    ARMIES,
    CITIES,
    CITY_AT,
    CIV,
    CULTURE,
    FIGURE,
    FIGURES,
    GROUP,
    HUT_PILE,
    MARK,
    MOVE_AT,
    MOVE_FROM,
    MOVED,
    MOVER,
    NEW_CARD,
    NEWS,
    NOBODY,
    POINTS,
    SQUARES,
    TOKENS,
    WALKED,
)
from core.games.civilization.learning import learnable
from core.games.civilization.targets import others
from core.games.civilization.ways import (
    COUNT,
    ENTER,
    PASS,
    REST,
    Group,
    can_go,
    discoveries,
    is_frozen,
    move_points,
    moving_group,
    reach,
    use_of,
    way_of_leg,
)
from core.games.civilization.wealth import (
    CHINA,
    COMBUSTION,
    RUSSIA,
    figures_at,
    is_used,
    knows,
    owner_at,
    resting,
    set_used,
    travel,
)
from core.native import i64
from core.requests import Action, Request, numbered
from core.table import Observation, Table

CULTURE_OF_CHINA: Final = 3  # C102, C103
ARMY_BITS: Final = (1 << ARMIES) - 1
SPYING: Final = 2  # What a leg is: 0 via, 1 go, 2 into a city to learn.

# ---- groups ----


def unmoved(table: Table, seat: int) -> list[tuple[int, int]]:
    """The squares on which figures of a seat rest that have not moved, and those as bits (C89)."""
    counters, found = table.counters, []
    first: i64 = FIGURE[seat]
    done: i64 = counters[MOVED[seat]]
    figure: i64
    other: i64
    for figure in range(FIGURES):
        place = counters[first + figure]
        if done >> figure & 1 or not place:
            continue
        together: i64 = 1 << figure
        for other in range(figure + 1, FIGURES):
            if not done >> other & 1 and counters[first + other] == place:
                together |= 1 << other
        done |= together
        found.append((place - 1, int(together)))
    return found


def unmoved_at(table: Table, seat: int, square: int) -> list[int]:
    """The figures of a seat that rest on a square and have not moved; armies come first."""
    moved = table.counters[MOVED[seat]]
    return [at for at in figures_at(table, seat, square) if not moved >> at & 1]


def groups(table: Table, seat: int) -> list[tuple[int, int, int]]:
    """C92: squares with how many armies and scouts of them can move off as a group."""
    found: list[tuple[int, int, int]] = []
    group = Group(table, seat, 0, NOBODY)
    for square, figures in unmoved(table, seat):
        if is_frozen(table, square):
            continue
        group.take(figures, square)
        is_free = _can_rest_beside(table, group)
        armies, scouts = COUNT[figures & ARMY_BITS], COUNT[figures >> ARMIES]
        found += [
            (square, more, also)
            for more in range(armies + 1)
            for also in range(scouts + 1)
            if more + also and (is_free or can_move(table, group, square, more, also))
        ]
    return found


def has_group(table: Table, seat: int) -> bool:
    """Whether any group could move: then some figure could by itself."""
    counters, moved = table.counters, table.counters[MOVED[seat]]
    group = Group(table, seat, 0, NOBODY)
    for figure in range(FIGURES):  # Nearly always the first that has not moved.
        square = counters[FIGURE[seat] + figure] - 1
        if square >= 0 and not moved >> figure & 1 and not is_frozen(table, square):
            is_army = figure < ARMIES
            if can_move(table, group, square, int(is_army), int(not is_army)):
                return True
    return False


def can_move(table: Table, group: Group, square: int, armies: int, scouts: int) -> bool:
    """Whether a group could do anything at all if it were so many figures on a square."""
    group.take((1 << armies) - 1 | (1 << scouts) - 1 << ARMIES, square)
    points = travel(table, group.seat)
    return can_go(table, group, square, points) or bool(discoveries(table, group, square, points))


def _can_rest_beside(table: Table, group: Group) -> bool:
    """Whether there is room for all of it next to where it stands, and so for each part of it."""
    return any(use_of(table, group, at) & REST for at in NEIGHBOURS[group.origin])


def move_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C89, C92: every group that can move."""
    return [
        numbered("move", square + 256 * (armies + 16 * scouts))
        for square, armies, scouts in groups(table, seat)
    ]


def begin_move(table: Table, seat: int, action: Action) -> None:
    """C92: the group sets off; of the armies the white one comes last."""
    code, square = divmod(action.number, 256)
    scouts, armies = divmod(code, 16)
    figures = unmoved_at(table, seat, square)
    chosen = [at for at in figures if at < ARMIES][:armies]
    chosen += [at for at in figures if at >= ARMIES][:scouts]
    set_off(table, seat, square, sum([1 << at for at in chosen]))
    push(table, MOVING, seat)


def set_off(table: Table, seat: int, square: int, figures: int) -> None:
    """C93: these figures, as bits, are moving now."""
    counters = table.counters
    counters[MOVER], counters[MOVE_FROM], counters[MOVE_AT] = seat + 1, square, square
    counters[POINTS], counters[WALKED], counters[GROUP] = travel(table, seat), 0, figures


def _clear_move(table: Table) -> None:
    for counter in (MOVER, MOVE_FROM, MOVE_AT, POINTS, GROUP, WALKED):
        table.counters[counter] = 0


# ---- legs ----

_GO: Final = tuple([Action("go", (), at) for at in range(SQUARES)])  # Made once, for speed.
_VIA: Final = tuple([Action("via", (), at) for at in range(SQUARES)])
_DISCOVER: Final = tuple([Action("discover", (), direction) for direction in range(4)])
_STOP: Final = Action("stop")


def moving_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """D1: where the group can end its move, what it can pass or wait at, tiles (C98), a stop.

    It waits only with points left and an end in reach.
    """
    group, points, start = moving_group(table), move_points(table), table.counters[MOVE_AT]
    found = reach(table, group, start, points)
    offers = [_GO[at] for at, _, use in found if use & (REST | ENTER)]
    ends = len(offers)
    for at, steps, use in found:
        is_on_the_way = use & PASS and steps < points and not is_hostile(table, at, seat)
        if is_on_the_way and (use & REST or can_go(table, group, at, points - steps)):
            offers.append(_VIA[at])
    tiles = discoveries(table, group, start, points)
    offers += [_DISCOVER[direction] for direction in tiles]
    if _may_stop(table, group, start) or not (ends or tiles):
        offers.append(_STOP)
    return offers


def _may_stop(table: Table, group: Group, at: int) -> bool:
    """D1: the group stays where it may; it also does where it can do nothing else."""
    if not table.counters[WALKED]:
        return False
    return at == group.origin or bool(use_of(table, group, at) & REST)


def announce_leg(table: Table, seat: int, action: Action) -> None:
    """D2: the leg is said first; who may interrupt is asked; then it is walked."""
    counters = table.counters
    counters[WALKED] = 1
    pop(table)
    at = push(table, LEG, seat, item=action.number)
    counters[at + TYPE] = LEG_PLAY
    counters[at + AIM] = int(action.verb == "go")


def leg(table: Table) -> Request | None:
    """D2, 4.2: open a row, then walk on as far as nobody has stopped the group."""
    counters, at = table.counters, top(table)
    seat, aim = counters[at + SEAT], counters[at + ITEM]
    if not counters[GROUP]:
        pop(table)
        push(table, END_MOVE, seat)
    elif counters[MOVE_AT] == aim:
        sort, city = counters[at + AIM], counters[at + CITY]
        pop(table)
        if sort == SPYING:
            _spy_out(table, seat, city)
        else:
            push(table, ARRIVE if sort else MOVING, seat)
    elif is_frozen(table, counters[MOVE_AT]):
        pop(table)
        push(table, ARRIVE, seat)
    elif not counters[at + STAGE]:
        counters[at + STAGE] = 1
        push(table, ROW, seat)
    else:
        rest = way_of_leg(table, at)
        walk(table, rest, len(rest) - 1)
    return None


def walk(table: Table, rest: list[int], place: int) -> None:
    """The group walks to a place of the rest of its way, 0 being where it stands."""
    counters = table.counters
    counters[MOVE_AT] = rest[place]
    counters[POINTS] -= place


# ---- discovering ----


def discover(table: Table, seat: int, action: Action) -> None:
    """C98: it costs a point, and the group stays."""
    counters = table.counters
    counters[POINTS] -= 1
    counters[WALKED] = 1
    card = turn_up_tile(table)
    at = top(table)
    counters[at + NOTE] = card + 1
    counters[at + ITEM] = action.number


def settle_discovery(table: Table) -> None:
    """C99, C100: the tile has been revealed: it is laid."""
    counters, at = table.counters, top(table)
    card, direction = counters[at + NOTE] - 1, counters[at + ITEM]
    counters[at + NOTE] = counters[at + ITEM] = 0
    lay_discovered(table, card, step_to(counters[MOVE_AT], direction), direction)


def stop(table: Table, seat: int, action: Action) -> None:
    """D1: the move ends where the group stands."""
    pop(table)
    push(table, ARRIVE, seat)


# ---- arriving ----


def arrive(table: Table) -> Request | None:
    """C101 to C106: what the group meets where its move ends."""
    counters = table.counters
    seat = counters[top(table) + SEAT]
    pop(table)
    push(table, END_MOVE, seat)
    square = counters[MOVE_AT]
    mark, owner = counters[MARK + square], resting(table, square)[0]
    if mark == HUT:
        explore(table, seat, square)
    elif mark == VILLAGE_MARK:
        at = push(table, BATTLE, seat, item=square)
        counters[at + OTHER] = 1
    elif city_at(table, square) >= 0 and city_at(table, square) // 3 != seat:
        push(table, BATTLE, seat, item=square)
    elif owner not in (-1, seat):
        meet(table, seat, square, owner)
    return None


def meet(table: Table, seat: int, square: int, owner: int) -> None:
    """C105: scouts alone give way, with loot; an army makes it a battle."""
    if resting(table, square)[1]:
        push(table, BATTLE, seat, item=square)
    else:
        push_loot(table, seat, owner, 1)


def push_loot(table: Table, winner: int, loser: int, points: int) -> None:
    """C126, section 6: the loser mixes what can be taken unseen; then the winner chooses."""
    push(table, LOOT, winner, item=points, city=loser)
    push(table, LOSER_MIX, loser)


def explore(table: Table, seat: int, square: int) -> None:
    """C102: the marker of a hut goes to the seat, face down."""
    counters = table.counters
    counters[MARK + square] = 0
    table.draw(1, HUT_PILE, TOKENS[seat])
    counters[NEWS[seat]] = NEW_CARD
    if counters[CIV[seat]] == CHINA:
        counters[CULTURE[seat]] += CULTURE_OF_CHINA


def end_move(table: Table) -> Request | None:
    """C155: the group rests; blockades, limits and coins are judged now.

    So those whom it has beaten are taken off only here: a blockade that passes on does not end.
    """
    counters = table.counters
    seat = counters[top(table) + SEAT]
    pop(table)
    square, group = counters[MOVE_AT], counters[GROUP]
    if group:
        remove_enemies(table, seat, square)
    for figure in range(FIGURES):
        if group >> figure & 1:
            set_figure(table, seat, figure, square)
            counters[MOVED[seat]] |= 1 << figure
    _clear_move(table)
    if group & ARMY_BITS and may_raze(table, seat, square):
        push(table, RAZE, seat, item=square)
    return None


def may_raze(table: Table, seat: int, square: int) -> bool:
    """C110: an army has ended its move on a foreign building."""
    if not knows(table, seat, COMBUSTION) or is_used(table, seat, powers.COMBUSTION_RAZE):
        return False
    mark = table.counters[MARK + square]
    return FIRST_BUILDING <= mark < WONDER_MARK and owner_at(table, square) != seat


def raze_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C110: it may be destroyed, and need not."""
    return [Action("raze"), Action("spare")]


def raze(table: Table, seat: int, action: Action) -> None:
    """C110: once per turn."""
    square = table.counters[top(table) + ITEM]
    pop(table)
    if action.verb == "raze":
        set_used(table, seat, powers.COMBUSTION_RAZE)
        destroy_building(table, square)


# ---- Russia ----


def infiltrate_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C109: a single army or scout that can reach an enemy city centre and learn there.

    The number is city + 16 * (square + 256 * kind), kind 0 an army, 1 a scout.
    """
    counters = table.counters
    if counters[CIV[seat]] != RUSSIA or is_used(table, seat, powers.RUSSIA_SPY):
        return []
    found, points, start = [], travel(table, seat), unmoved(table, seat)
    near = [each for each in others(table, seat) if _has_city_near(table, each, start, points)]
    schools = [each for each in near if learnable(table, seat, each)]
    aims = {counters[CITY_AT[each] + i] - 1 for each in schools for i in range(3)} - {-1}
    for square, figures in start:
        if all(distance(square, aim) > points for aim in aims):  # For speed.
            continue
        for kind in range(2):
            if not (figures >> ARMIES if kind else figures & ARMY_BITS):
                continue
            group = Group(table, seat, 1 << (ARMIES if kind else 0), square)
            cities = _centres(table, group, aims, points)
            code = 16 * (square + 256 * kind)
            found += [numbered("infiltrate", city + code) for city in cities]
    return found


def _has_city_near(
    table: Table, seat: int, squares: list[tuple[int, int]], points: int
) -> bool:
    """For speed: whether a city of a seat is so near to one of these squares."""
    for city in range(CITIES):
        center = table.counters[CITY_AT[seat] + city] - 1
        if center >= 0:
            for square, _ in squares:
                if distance(square, center) <= points:
                    return True
    return False


def _centres(table: Table, group: Group, aims: set[int], points: int) -> list[int]:
    """The cities whose centre is one step from a square the figure can pass."""
    found = reach(table, group, group.origin, points - 1)
    passed = [at for at, _, use in found if use & PASS and not is_frozen(table, at)]
    if not is_frozen(table, group.origin):
        passed.append(group.origin)
    near = {at for square in passed for at in NEIGHBOURS[square]} & aims
    return sorted([city_at(table, at) for at in near])


def infiltrate(table: Table, seat: int, action: Action) -> None:
    """C109: the figure sets off; it may be stopped on its way (3.6)."""
    code, city = divmod(action.number, 16)
    kind, square = divmod(code, 256)
    figures = [at for at in unmoved_at(table, seat, square) if (at >= ARMIES) == bool(kind)]
    set_used(table, seat, powers.RUSSIA_SPY)
    set_off(table, seat, square, 1 << figures[0])
    counters = table.counters
    at = push(table, LEG, seat, item=counters[CITY_AT[city // 3] + city % 3] - 1)
    counters[at + TYPE], counters[at + AIM], counters[at + CITY] = LEG_PLAY, SPYING, city


def _spy_out(table: Table, seat: int, city: int) -> None:
    figure = table.counters[GROUP].bit_length() - 1
    _clear_move(table)
    push(table, STUDY, seat, item=4, city=city // 3)
    set_figure(table, seat, figure, -1)
