"""What events and abilities are aimed at and whose that is; what figures and wonders leave."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.games.civilization import powers
from core.games.civilization.aftermath import destroy_city
from core.games.civilization.board import FIRST_BUILDING, PERSON_MARK
from core.games.civilization.faces import event
from core.games.civilization.figures import (
    clear_mark,
    kill_person,
    place_person,
    put_city,
    put_mark,
    set_figure,
    take_city,
)
from core.games.civilization.layout import GREAT_DECK
from core.games.civilization.payments import is_power_ready, may_pay
from core.games.civilization.targets import (
    BUILDING_TARGET,
    DAYS,
    DISASTER_EVENT,
    DROUGHT,
    REVOLTS,
    SABOTAGES,
    SHIFTS,
    UNIT_TARGET,
    event_owners,
    event_targets,
    figures_on,
    power_owners,
    second_figures,
)
from core.games.civilization.wealth import coins
from core.requests import Action
from core.table import Table
from tests.core.games.civilization.stage import Stage, at
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_plays import card_of
from tests.core.games.civilization.test_windows import three

ONE = 1 << 1  # Seat 1 alone, as bits.
SCOUT = 7  # The number of the first one.


def aims(stage: Stage, key: str) -> list[int]:
    """What seat 0 can aim an event at."""
    return event_targets(stage.table, 0, event(key))


# ---- whose it is (4.4 bit 0) ----


def test_an_event_is_aimed_at_the_owner_of_what_it_names() -> None:
    """4.4, IW1: figures, buildings, squares; both of a Disaster's buildings."""
    stage = three().army(1, "5.5").mark("library", "13.1").mark("granary", "13.13")
    assert event_owners(stage.table, SHIFTS[0], at("5.5"), at("5.6")) == ONE
    assert event_owners(stage.table, SABOTAGES[0], at("13.1"), 0) == ONE
    assert event_owners(stage.table, DROUGHT, at("13.0"), 0) == ONE
    both = event_owners(stage.table, DISASTER_EVENT, at("13.1"), at("13.13"))
    assert both == ONE | 1 << 2
    assert event_owners(stage.table, REVOLTS[0], 1, 0) == ONE, "a seat, and not a square"
    assert event_owners(stage.table, DAYS[0], 1, 0) == 0, "an own city"


def test_an_ability_is_aimed_at_the_owner_of_what_it_names() -> None:
    """4.4, IW3: a unit, a wonder on the map, a building, a city, a figure that is stopped."""
    stage = three().mark("stonehenge", "13.1").mark("library", "13.0").army(1, "5.5")
    table = stage.table
    assert power_owners(table, powers.MONARCHY, UNIT_TARGET + 1) == ONE
    assert power_owners(table, powers.MONARCHY, 0) == ONE
    stage.mark("hut", "15.15").army(2, "0.0")
    assert power_owners(table, powers.MONARCHY, 1) == 0, "in the market it is nobody's"
    assert power_owners(table, powers.GUNPOWDER, BUILDING_TARGET + at("13.0")) == ONE
    assert power_owners(table, powers.ATOMIC_BOMB, 3 * 1) == ONE
    assert power_owners(table, powers.COMMUNISM, at("5.5")) == ONE
    assert power_owners(table, powers.POTTERY_POWER, 0) == 0


# ---- what can be aimed at ----


def test_defection_persuades_no_great_people() -> None:
    """3.3 defection: the others of its kind do, and those take one target then."""
    stage = base().army(0, "13.12").mark("artist", "13.13").holds(0, "defection").phase("move")
    stage.do("event defection")
    assert not [text for text in stage.texts() if "artist" in text or "person" in text]
    more = base().army(0, "13.12").mark("artist", "13.13").holds(0, "mass_defection")
    more.phase("move").do("event mass_defection")
    person = next(text for text in more.texts() if "army" not in text)
    more.do(person)
    assert more.asks != "target"
    assert more.cards("box") == ["artist"]


def test_steps_are_counted_on_the_map_alone() -> None:
    """C97: not through what is unexplored; and without a limit beyond it, too."""
    stage = base().ground("??", *[f"{x}.{y}" for x in range(5, 16) for y in range(16)])
    stage.army(0, "4.8").army(1, "7.8").ground("g.", "7.8", "6.8")
    own, foreign = at("4.8"), at("7.8") + 256 * 3
    assert aims(stage, "defection") == [own]
    assert aims(stage, "wholesale_defection") == [own, foreign]
    assert aims(stage.ground("g.", "5.8"), "defection") == [own, foreign]


def test_a_group_that_moves_is_where_it_is() -> None:
    """E47, 3.3: what stays can be aimed at where it stays, and the others where they are."""
    stage = three().tech(0, "masonry").army(0, "5.5", 3).scout(0, "5.5").army(0, "5.7", 1)
    stage.phase("move").do("move 5.5 2+1").pass_all().do("via 5.6")
    stage.pass_all()
    assert figures_on(stage.table, at("5.5")) == [(0, 1, 0)]
    assert figures_on(stage.table, at("5.6")) == [(0, 2, 1)]
    assert figures_on(stage.table, at("5.7")) == [(0, 1, 0)]
    stage.army(1, "5.6").scout(1, "5.6")
    assert sorted(figures_on(stage.table, at("5.6"))) == [(0, 2, 1), (1, 1, 1)]
    both = second_figures(stage.table, 2, at("5.6") + 256 * 3)
    assert both == [at("5.6") + 256 * (3 + 1)]
    assert second_figures(stage.table, 2, at("5.6")) == [at("5.6"), at("5.6") + 256]
    assert figures_on(stage.table, at("9.9")) == []


def test_a_great_person_is_persuaded_alone() -> None:
    """3.3 mass_defection: not with the figures that stand beside him."""
    stage = base().army(1, "13.12").mark("artist", "13.12")
    assert second_figures(stage.table, 0, at("13.12") + 256 * (2 + 3)) == []


def test_a_drought_comes_over_open_ground() -> None:
    """3.3 drought, C180: no unexplored square, building or city, and no plain desert."""
    stage = base().mark("library", "1.2").ground("??", "5.5").ground("d.", "6.6")
    stage.ground("f.", "7.7").ground("dI", "8.8").ground("m.", "9.9")
    dry = aims(stage, "drought")
    assert {at("7.7"), at("8.8"), at("1.0")} <= {*dry}
    assert not {at(each) for each in ("1.2", "1.1", "5.5", "6.6", "9.9")} & {*dry}


def test_everybody_sees_whether_a_seat_may_be_able_to_pay() -> None:
    """4.3, C87: by the token it takes, by any event card, by a marker that is hidden or fits."""
    stage = three().has(0, wheat=1)
    assert may_pay(stage.table, 0, powers.CONSTRUCTION)
    assert not may_pay(stage.table, 0, powers.MONARCHY), "wheat is no silk"
    assert not may_pay(stage.table, 0, powers.WRITING), "no market has spies"
    assert not may_pay(stage.table, 0, powers.GUNPOWDER), "one source is not two"
    assert not may_pay(stage.table, 1, powers.CONSTRUCTION)
    assert may_pay(stage.holds(1, "drought").table, 1, powers.CONSTRUCTION)
    stage.holds(2, "hut.spy")
    assert may_pay(stage.table, 2, powers.CONSTRUCTION)
    card = card_of(stage, "hut.spy", "seat2.tokens")
    stage.table.turn_up((card,), [stage.deal[card]])
    assert not may_pay(stage.table, 2, powers.CONSTRUCTION)
    assert may_pay(stage.table, 2, powers.WRITING)


def test_figures_without_a_way_are_not_pushed() -> None:
    """3.3 disoriented, C180, C94: not through foreign centres, and not onto a full square."""
    stage = three().army(2, "8.8", 2).army(2, "8.9").holds(0, "disoriented")
    stage.ground("w.", "7.8", "9.8", "8.7", "7.9", "9.9", "8.10").phase("city")
    assert not stage.offered("event")
    alone = three().army(1, "2.1").ground("w.", "2.0", "2.2", "3.1").holds(0, "disoriented")
    alone.phase("city")
    assert not alone.offered("event"), "only the foreign centre 1.1 is beside it"


def test_an_ability_is_ready_while_it_can_do_something() -> None:
    """C86, C180: Philosophy while people are left, Pottery four times."""
    stage = Stage().city(0, "2.2").tech(0, "philosophy pottery currency")
    for number in (powers.PHILOSOPHY, powers.POTTERY_POWER, powers.CURRENCY):
        assert is_power_ready(stage.table, 0, number)
    stage.set("seat0.task.times.1", 4)
    index = stage.table.layout.zone_index
    stage.table.zones[index["box"]] += stage.table.zones[index["persons"]]
    stage.table.zones[index["persons"]] = []
    ready = [powers.PHILOSOPHY, powers.POTTERY_POWER, powers.CURRENCY]
    assert [is_power_ready(stage.table, 0, each) for each in ready] == [False, False, True]


def test_an_open_marker_pays_only_for_what_it_shows() -> None:
    """C87: refused at once, since everybody sees it."""
    stage = three().tech(0, "construction").holds(0, "hut.spy").has(0, wheat=1)
    card = card_of(stage, "hut.spy", "seat0.tokens")
    stage.table.turn_up((card,), [stage.deal[card]])
    stage.phase("city")
    assert stage.refuses(Action("power", (card,), powers.CONSTRUCTION))


# ---- figures and wonders ----


def test_a_scout_that_comes_back_begins_anew() -> None:
    """C145, C146, C89: it gathers from the next turn on, for whom it would by default."""
    stage = Stage().city(0, "2.2").city(0, "14.14").scout(0, "8.8").army(0, "6.6")
    stage.set("seat0.direct0", 2).set("seat0.moved", 1 << SCOUT | 1)
    set_figure(stage.table, 0, SCOUT, at("8.8"))
    assert [stage.get("seat0.direct0"), stage.get("seat0.ready") & 1] == [2, 1]
    set_figure(stage.table, 0, SCOUT, at("9.9"))
    assert [stage.get("seat0.direct0"), stage.get("seat0.ready") & 1] == [0, 1]
    set_figure(stage.table, 0, 0, at("6.7"))
    assert stage.get("seat0.moved") == 1 << SCOUT | 1
    stage.set("seat0.direct0", 2)
    set_figure(stage.table, 0, SCOUT, -1)
    assert [stage.get(f"seat0.{key}") for key in ("direct0", "moved")] == [0, 1]
    assert not stage.get("seat0.ready") & 1
    stage.set("seat0.ready", 3)
    set_figure(stage.table, 0, SCOUT, at("5.5"))
    assert not stage.get("seat0.ready") & 1
    assert stage.get("outskirts.255") == 1 + 1, "the last square of the map, beside the city"


@pytest.mark.parametrize(("wonder", "sheet", "left"), [("panama_canal", 2, 0), ("oracle", 0, 2)])
def test_the_tokens_of_a_lost_canal_go_to_the_sheet(wonder: str, sheet: int, left: int) -> None:
    """3.4 panama_canal, C131: and the wonder is nowhere any more."""
    stage = Stage().city(0, "2.2").city(0, "8.8").mark("stonehenge", "1.1").mark(wonder, "9.9")
    stage.set("panama", 2)
    destroy_city(stage.table, 1)
    assert [stage.get("seat0.sheet.coins"), stage.get("panama")] == [sheet, left]
    assert stage.get(f"wonder.{wonder}") == 0
    assert (stage.cards("box"), stage.cards("seat0.wonders")) == ([wonder], ["stonehenge"])
    assert coins(stage.table, 0) == sheet


def test_a_city_that_falls_leaves_no_action_and_no_production_behind() -> None:
    """C41, C55: another one that is founded as the same begins without them, and without walls."""
    stage = Stage().city(0, "2.2").city(0, "8.8", walls=True)
    stage.set("seat0.actions1", 1).set("seat0.production1", 3)
    destroy_city(stage.table, 1)
    assert [stage.get(f"seat0.{key}1") for key in ("walls", "actions", "production")] == [0, 0, 0]


def test_a_fallen_city_stops_only_what_was_sent_to_it() -> None:
    """C146: the square of another scout works on."""
    stage = Stage().city(0, "2.2").city(0, "8.8").scout(0, "3.3").scout(0, "9.9")
    destroy_city(stage.table, 1)
    assert [stage.get(f"seat0.direct{scout}") for scout in (0, 1)] == [0, -1]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: set_figure(table, 0, 0, at("5.5")),
        lambda table: clear_mark(table, at("1.1")),
        lambda table: put_mark(table, at("1.2"), FIRST_BUILDING),
        lambda table: kill_person(table, at("1.3")),
        lambda table: place_person(table, at("2.1"), table.zones[GREAT_DECK][-1], GREAT_DECK),
        lambda table: put_city(table, 0, at("12.12")),
        lambda table: take_city(table, 0),
    ],
)
def test_coins_and_hands_are_looked_at_after_whatever_changes_on_the_map(
    change: Callable[[Table], object],
) -> None:
    """C155, C173: whoever has 15 coins now has won, whatever it was that brought them."""
    stage = Stage().city(0, "2.2").mark("library", "1.1").mark("artist", "1.3")
    card = stage.table.zones[GREAT_DECK][-1]
    stage.table.turn_up((card,), [stage.deal[card]])
    stage.set("check", 0)
    change(stage.table)
    assert stage.get("check")


@pytest.mark.parametrize("mark", range(FIRST_BUILDING, PERSON_MARK))
def test_what_is_put_on_a_square_leaves_everything_else_alone(mark: int) -> None:
    """C68: a wonder is known by its square, too; a building is not."""
    stage = Stage().city(0, "2.2")
    before = [*stage.table.counters]
    put_mark(stage.table, at("1.1"), mark)
    names = stage.table.layout.counters
    changed = {name for name, was, now in zip(names, before, stage.table.counters, strict=True)
               if was != now} - {"check"}  # fmt: skip
    wonders = {f"wonder.{stage.lies('1.1')}"} & {*names}
    assert changed == {f"mark.{at('1.1')}"} | wonders
