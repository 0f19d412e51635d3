"""What events and abilities are aimed at and whose that is; what figures and wonders leave."""

from __future__ import annotations

import pytest

from core.games.civilization import powers
from core.games.civilization.aftermath import destroy_city
from core.games.civilization.figures import set_figure
from core.games.civilization.payments import is_power_ready
from core.games.civilization.targets import (
    BUILDING_TARGET,
    DISASTER_EVENT,
    DROUGHT,
    SABOTAGES,
    SHIFTS,
    UNIT_TARGET,
    event_owners,
    power_owners,
)
from core.games.civilization.wealth import coins
from core.requests import Action
from tests.core.games.civilization.stage import Stage, at
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_plays import card_of
from tests.core.games.civilization.test_windows import three

ONE = 1 << 1  # Seat 1 alone, as bits.
SCOUT = 7  # The number of the first one.

# ---- whose it is (4.4 bit 0) ----


def test_an_event_is_aimed_at_the_owner_of_what_it_names() -> None:
    """4.4, IW1: figures, buildings, squares; both of a Disaster's buildings."""
    stage = three().army(1, "5.5").mark("library", "13.1").mark("granary", "13.13")
    assert event_owners(stage.table, SHIFTS[0], at("5.5"), at("5.6")) == ONE
    assert event_owners(stage.table, SABOTAGES[0], at("13.1"), 0) == ONE
    assert event_owners(stage.table, DROUGHT, at("13.0"), 0) == ONE
    both = event_owners(stage.table, DISASTER_EVENT, at("13.1"), at("13.13"))
    assert both == ONE | 1 << 2


def test_an_ability_is_aimed_at_the_owner_of_what_it_names() -> None:
    """4.4, IW3: a unit, a wonder on the map, a building, a city, a figure that is stopped."""
    stage = three().mark("stonehenge", "13.1").mark("library", "13.0").army(1, "5.5")
    table = stage.table
    assert power_owners(table, powers.MONARCHY, UNIT_TARGET + 1) == ONE
    assert power_owners(table, powers.MONARCHY, 0) == ONE
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
    outskirts = stage.get("outskirts.255")
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
    assert stage.get("outskirts.255") == outskirts


@pytest.mark.parametrize(("wonder", "sheet", "left"), [("panama_canal", 2, 0), ("oracle", 0, 2)])
def test_the_tokens_of_a_lost_canal_go_to_the_sheet(wonder: str, sheet: int, left: int) -> None:
    """3.4 panama_canal, C131: and the wonder is nowhere any more."""
    stage = Stage().city(0, "2.2").city(0, "8.8").mark(wonder, "9.9").set("panama", 2)
    stage.mark("stonehenge", "1.1")
    destroy_city(stage.table, 1)
    assert [stage.get("seat0.sheet.coins"), stage.get("panama")] == [sheet, left]
    assert stage.get(f"wonder.{wonder}") == 0
    assert (stage.cards("box"), stage.cards("seat0.wonders")) == ([wonder], ["stonehenge"])
    assert coins(stage.table, 0) == sheet


def test_a_fallen_city_stops_only_what_was_sent_to_it() -> None:
    """C146: the square of another scout works on."""
    stage = Stage().city(0, "2.2").city(0, "8.8").scout(0, "3.3").scout(0, "9.9")
    destroy_city(stage.table, 1)
    assert [stage.get(f"seat0.direct{scout}") for scout in (0, 1)] == [0, -1]
