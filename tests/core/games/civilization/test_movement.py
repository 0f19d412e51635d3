"""Movement: groups, ways, water, discovering, huts and villages, Russia, what may interrupt."""

from __future__ import annotations

import pytest

from core.games.civilization.board import turned
from core.games.civilization.layout import FROZEN, HUT_PILE, TILE_PILE, VILLAGE_PILE
from core.games.civilization.ways import Group, way
from core.games.civilization.wealth import stacking, travel
from core.requests import Action
from tests.core.games.civilization.stage import ALL_GUARDS, Stage, at


def base(civs: str = "germany china") -> Stage:
    """A capital of each seat, far from what happens in the middle."""
    return Stage(civs).city(0, "1.1").city(1, "14.14")


def dead_end(stage: Stage, *ways_out: str) -> Stage:
    """Everything around 8.8 is water, but for these squares."""
    every = [f"{x}.{y}" for x in range(4, 13) for y in range(4, 13) if (x, y) != (8, 8)]
    return stage.ground("w.", *[square for square in every if square not in ways_out])


@pytest.mark.parametrize(
    ("technology", "speed", "limit"),
    [("pottery", 2, 2), ("horseback_riding", 3, 2), ("sailing", 4, 2), ("steam_power", 5, 2),
     ("flight", 6, 2), ("masonry", 2, 3), ("printing_press", 2, 4), ("biology", 2, 5),
     ("replaceable_parts", 2, 6)],
)  # fmt: skip
def test_technologies_raise_speed_and_stacking(technology: str, speed: int, limit: int) -> None:
    """C90, 3.2, C184; Russia one more."""
    for civ, more in (("germany", 0), ("russia", 1)):
        stage = Stage(f"{civ} china").tech(0, technology)
        assert travel(stage.table, 0) == speed
        assert stacking(stage.table, 0) == limit + more


def test_steps_are_orthogonal() -> None:
    """C89, C91, D1: twelve destinations at speed 2."""
    stage = base().army(0, "8.8").phase("move").do("move 8.8 1+0")
    assert len(stage.offered("go")) == 12
    assert "10.8" in stage.offered("go")
    assert "10.10" not in stage.offered("go")
    stage.do("go 9.9")
    assert stage.rests("9.9") == (0, 1, 0)
    assert stage.asks != "move"


def test_any_part_of_a_square_can_move_as_a_group() -> None:
    """C92, E62: each part moves once, nobody has to join; C93: one after the other."""
    stage = base().tech(0, "masonry").army(0, "8.8", 2).scout(0, "8.8").phase("move")
    assert stage.offered("move") == ["8.8 0+1", "8.8 1+0", "8.8 1+1", "8.8 2+0", "8.8 2+1"]
    stage.do("move 8.8 1+1", "go 9.8")
    assert stage.rests("9.8") == (0, 1, 1)
    assert stage.offered("move") == ["8.8 1+0"]


def test_a_stack_passes_a_stack_and_does_not_end_on_it() -> None:
    """C94, E63."""
    stage = base().army(0, "8.8", 2).army(0, "9.8", 2).phase("move").do("move 8.8 2+0")
    assert "9.8" not in stage.offered("go")
    assert "10.8" in stage.offered("go")


def test_water_without_a_technology_is_closed() -> None:
    """C95."""
    stage = dead_end(base(), "8.9").army(0, "8.8").phase("move").do("move 8.8 1+0")
    assert stage.offered("go") == ["8.9"]


def test_navigation_crosses_water_and_ends_on_land() -> None:
    """C95, E74, 3.2: a leg over water only where an end is in reach."""
    stage = dead_end(base(), "10.8").tech(0, "navigation").army(0, "8.8").phase("move")
    stage.do("move 8.8 1+0")
    assert stage.offered("go") == ["10.8"]
    assert "9.8" in stage.offered("via")


def test_sailing_stops_on_water() -> None:
    """C95, 3.2 sailing."""
    stage = dead_end(base()).tech(0, "sailing").army(0, "8.8").phase("move").do("move 8.8 1+0")
    assert "9.8" in stage.offered("go")


def test_own_cities_are_passed_and_no_end() -> None:
    """C106."""
    stage = base().city(0, "9.8").army(0, "8.8").phase("move").do("move 8.8 1+0")
    assert "9.8" not in stage.offered("go")
    assert "10.8" in stage.offered("go")


def test_the_way_avoids_foreign_outskirts_then_goes_north_first() -> None:
    """D1: the shortest way, the fewest foreign outskirts, then north, east, south, west."""
    stage = base().army(0, "8.8")
    group = Group(stage.table, 0, 1, at("8.8"))
    assert way(stage.table, group, at("8.8"), at("9.7")) == [at("8.8"), at("8.7"), at("9.7")]
    stage.city(1, "7.6")
    assert way(stage.table, group, at("8.8"), at("9.7")) == [at("8.8"), at("9.8"), at("9.7")]


# ---- discovering ----


def unexplored() -> Stage:
    """The tile 8.4 to 11.7 of three seats lies face down."""
    stage = Stage("germany china russia").city(0, "1.1").city(1, "14.14")
    return stage.ground("??", *[f"{x}.{y}" for x in range(8, 12) for y in range(4, 8)])


def test_discovering_costs_a_point_and_leaves_the_figure_where_it_is() -> None:
    """C97, C98, E12: it may go on with what is left."""
    stage = unexplored().scout(0, "8.8").next_in(TILE_PILE, "tile.1").phase("move")
    stage.do("move 8.8 0+1")
    assert not [text for text in stage.offered("go") if text == "8.7"]
    stage.do("discover north")
    assert stage.get("move.points") == 1
    assert stage.get("ground.120") > 0
    assert "8.7" not in stage.offered("go")  # A hut: scouts cannot enter (C101).
    assert stage.cards("map") == ["tile.1"]


def test_a_tile_is_turned_away_from_its_discoverer() -> None:
    """C99: its bottom edge touches the side of the discoverer."""
    rows = ("a b", "c d")
    assert turned(rows, 0) == [["a", "b"], ["c", "d"]]
    assert turned(rows, 1) == [["c", "a"], ["d", "b"]]
    stage = unexplored().scout(0, "7.4").next_in(TILE_PILE, "tile.1").phase("move")
    stage.do("move 7.4 0+1", "discover east")
    assert [stage.lies("8.4"), stage.lies("11.4")] == ["hut", "village"]


def test_huts_and_villages_get_markers() -> None:
    """C100, E14: an army may enter a hut of a new tile, and stops there."""
    stage = unexplored().army(0, "8.8").next_in(TILE_PILE, "tile.1").next_in(HUT_PILE, "hut.spy")
    stage.phase("move").do("move 8.8 1+0", "discover north", "go 8.7")
    assert stage.cards("seat0.tokens") == ["hut.spy"]
    assert stage.lies("8.7") == ""
    assert stage.rests("8.7") == (0, 1, 0)


def test_a_corner_is_not_enough_to_discover() -> None:
    """E10."""
    stage = unexplored().scout(0, "7.8").phase("move").do("move 7.8 0+1")
    assert not stage.offered("discover")


def test_each_direction_names_a_tile() -> None:
    """E11: a square that borders two unexplored tiles."""
    both = Stage("germany china russia").city(0, "1.1").city(1, "14.14")
    both.ground("??", *[f"{x}.{y}" for x in range(4, 12) for y in range(4, 8)])
    both.ground("g.", "7.5").scout(0, "7.5").phase("move").do("move 7.5 0+1")
    assert both.offered("discover") == ["north", "east", "south", "west"]


def test_navigation_discovers_only_with_land_in_reach() -> None:
    """E13, C95."""
    stage = unexplored().tech(0, "navigation").ground("w.", "8.8", "9.8", "8.9", "7.8")
    stage.army(0, "7.9").phase("move").do("move 7.9 1+0")
    assert "8.8" not in stage.offered("via")


# ---- huts and villages ----


def test_scouts_keep_out_of_huts_and_villages() -> None:
    """C101, C104: and so does a group with a scout; a Republic's may explore huts."""
    stage = base().mark("hut", "9.8").mark("village", "7.8").scout(0, "8.8").phase("move")
    stage.do("move 8.8 0+1")
    assert not {"9.8", "7.8"} & set(stage.offered("go"))
    republic = base().mark("hut", "9.8").mark("village", "7.8").scout(0, "8.8")
    republic.rules_by(0, "republic").phase("move").do("move 8.8 0+1")
    assert {"9.8", "7.8"} & set(republic.offered("go")) == {"9.8"}


def test_entering_a_hut_ends_the_move() -> None:
    """C101, C102, E65: the owner alone looks at the marker."""
    stage = base("germany china").mark("hut", "9.8").army(0, "8.8").phase("move")
    stage.do("move 8.8 1+0")
    assert "10.8" not in stage.offered("go")
    assert "9.8" not in stage.offered("via")
    stage.do("go 9.8")
    card = stage.table.zones[stage.table.layout.zone_index["seat0.tokens"]][0]
    assert stage.is_hidden(card) and stage.table.seen[card] == 1


def test_china_gains_culture_for_a_hut() -> None:
    """C102, 3.6 China."""
    stage = base("china germany").mark("hut", "9.8").army(0, "8.8").phase("move")
    stage.do("move 8.8 1+0", "go 9.8")
    assert stage.get("seat0.culture") == 3


def test_a_village_is_won_against_natives() -> None:
    """C103, C111, C137, IW8, E100: one unit of each type, played by the left neighbour."""
    stage = base().mark("village", "9.8").army(0, "8.8").next_in(VILLAGE_PILE, "village.iron")
    stage.holds(0, "mounted.3 mounted.3 mounted.3").phase("move").do("move 8.8 1+0", "go 9.8")
    assert (stage.asks, stage.asked) == ("fight", 1)
    assert [key.split(".")[0] for key in stage.cards("seat1.battle")] == [
        "artillery", "infantry", "mounted",
    ]  # fmt: skip
    fight_on(stage)
    assert stage.asks != "village" or stage.texts() == ["keep village.iron"]


def fight_on(stage: Stage) -> Stage:
    """Play whatever is offered first, until the battle is over."""
    while stage.asks in ("fight", "front"):
        stage.do(stage.texts()[0])
    return stage


def taken_village(marker: str, forces: str) -> Stage:
    """An army has taken a village with this marker, and what is too much is thrown away."""
    stage = base("rome china").mark("village", "9.8").army(0, "8.8")
    stage.next_in(VILLAGE_PILE, marker).mark("general", "2.2", "2.1", "2.0")
    fight_on(stage.holds(0, forces).phase("move").do("move 8.8 1+0", "go 9.8"))
    while stage.asks == "discard":
        stage.do(stage.texts()[0])
    return stage


@pytest.mark.parametrize("marker", ["village.iron", "village.great"])
def test_the_marker_of_a_village_is_kept_or_opened(marker: str) -> None:
    """C103, E103, E135, section 6: a resource stays hidden, a great person is drawn."""
    stage = taken_village(marker, "mounted.3 mounted.3 mounted.3 infantry.3")
    assert stage.asks == "village", stage.texts()
    assert stage.get("seat0.track") == 1  # C135: Rome's step comes before the marker.
    if marker == "village.iron":
        stage.do("keep village.iron")
        assert stage.cards("seat0.tokens") == ["village.iron"]
    else:
        stage.do("open village.great")
        assert stage.asks == "person"
        stage.do("sheet")
        assert len(stage.cards("seat0.sheet")) == 1
    assert stage.rests("9.8") == (0, 1, 0)


def test_a_lost_village_costs_the_figures_and_nothing_else() -> None:
    """C103, C125, C126."""
    stage = base().mark("village", "9.8").army(0, "8.8").has(0, trade=5).phase("move")
    stage.do("move 8.8 1+0", "go 9.8")
    fight_on(stage)
    assert stage.rests("9.8") == (-1, 0, 0)
    assert stage.lies("9.8") == "village"
    assert stage.get("seat0.trade") == 5
    assert len(stage.cards("dead.infantry")) == 1


def test_a_missing_native_comes_from_another_deck() -> None:
    """C137, E101: the natives' player names it."""
    stage = base().mark("village", "9.8").army(0, "8.8")
    stage.table.zones[23] += stage.table.zones[0]
    stage.table.zones[0] = []
    stage.phase("move").do("move 8.8 1+0", "go 9.8")
    assert (stage.asks, stage.asked) == ("natives", 1)
    stage.do("deck artillery")
    assert [key.split(".")[0] for key in stage.cards("seat1.battle")] == [
        "artillery", "artillery", "mounted",
    ]  # fmt: skip


# ---- enemies ----


def test_lone_scouts_are_removed_with_loot() -> None:
    """X5, C105, E50, C134: no battle, so Code of Laws gains nothing."""
    stage = base().army(0, "8.8").scout(1, "9.8").tech(0, "code_of_laws").has(1, trade=2)
    stage.phase("move").do("move 8.8 1+0", "go 9.8")
    assert stage.asks == "loot"
    stage.do("loot trade")
    assert stage.get("seat0.trade") == 2
    assert stage.rests("9.8") == (0, 1, 0)
    assert stage.coins(0) == 0


def test_a_group_with_a_scout_cannot_attack() -> None:
    """C104, E64."""
    stage = base().army(0, "8.8").scout(0, "8.8").army(1, "9.8").phase("move").do("move 8.8 1+1")
    assert "9.8" not in stage.offered("go")


def test_an_enemy_square_is_not_passed_and_flight_passes_it() -> None:
    """C105, C108, E66, 3.2 flight: where the move ends it counts."""
    ring = ["8.7", "8.9", "7.8"]
    stage = base().army(0, "8.8").army(1, "9.8").ground("w.", *ring).phase("move")
    stage.do("move 8.8 1+0")
    assert stage.offered("go") == ["9.8"]
    flying = base().tech(0, "flight").army(0, "8.8").army(1, "9.8").mark("hut", "8.7")
    flying.phase("move").do("move 8.8 1+0")
    assert {"10.8", "8.6", "9.8", "8.7"} <= set(flying.offered("go"))


def test_democracy_attacks_no_city() -> None:
    """C106, E71, 3.5 Democracy: an army in the outskirts it may attack."""
    stage = base().city(1, "9.8").army(0, "7.8").army(1, "8.7").rules_by(0, "democracy")
    stage.phase("move").do("move 7.8 1+0")
    assert "9.8" not in stage.offered("go")
    assert "8.7" in stage.offered("go")


def test_two_armies_from_different_squares_fight_two_battles() -> None:
    """E73, C92."""
    stage = base().army(0, "8.8").army(0, "10.8").army(1, "9.8").holds(1, "infantry.3")
    stage.phase("move").do("move 8.8 1+0", "go 9.8")
    fight_on(stage)
    while stage.asks == "loot":
        stage.do("end")
    assert stage.rests("9.8") == (1, 1, 0)
    stage.do("move 10.8 1+0", "go 9.8")
    assert stage.get("battle") == 1 or stage.rests("9.8")[1]


def test_combustion_may_raze_a_foreign_building() -> None:
    """C110, 3.1 combustion: once per turn, optional."""
    stage = base().city(1, "9.8").mark("library", "8.8").army(0, "7.8").tech(0, "combustion")
    stage.phase("move").do("move 7.8 1+0", "go 8.8")
    assert stage.asks == "raze"
    stage.do("raze")
    assert stage.lies("8.8") == ""
    assert stage.get("buildings.3") == 6


def test_russia_learns_by_giving_up_a_figure() -> None:
    """C109, E76, 3.6 Russia: walls do not matter; no battle; once per turn."""
    stage = Stage("russia china").city(0, "1.1").city(1, "8.8", walls=True).scout(0, "6.8")
    stage.tech(1, "writing").army(0, "5.8").phase("move")
    assert stage.offered("infiltrate") == ["scout 6.8 seat1.0"]
    stage.do("infiltrate scout 6.8 seat1.0")
    assert stage.asks == "study"
    stage.do("learn writing")
    assert stage.get("seat0.technologies.low") == 1 << 9
    assert stage.get("seat0.figure7") == 0
    assert stage.asks == "move"
    assert not stage.offered("infiltrate")


def test_russia_has_a_seventh_army() -> None:
    """C2, C19, C124: the white one goes last."""
    stage = Stage("russia china").army(0, "8.8", 7)
    assert stage.rests("8.8") == (0, 7, 0)
    assert stage.get("seat0.figure6") == at("8.8") + 1


# ---- rest, coins, freezing ----


def test_blockades_are_judged_when_the_move_has_ended() -> None:
    """C155, E72, C140, X8: the owner of the square left wins in the other's segment."""
    stage = base().city(1, "9.8").ground("m$", "8.8").army(0, "8.8")
    stage.table.counters[stage.table.layout.counters.index("seat1.sheet.coins")] = 14
    assert stage.coins(1) == 14
    stage.phase("move").do("move 8.8 1+0", "via 7.8")
    assert stage.ended == (0, 0)
    stage.do("go 6.8")
    assert stage.ended == (3, 1)


def test_a_scouts_coin_counts_where_it_rests() -> None:
    """C139, C140: whatever city the square is sent to."""
    stage = base().scout(0, "8.8").ground("m$", "8.8")
    stage.table.counters[stage.table.layout.counters.index("seat0.ready")] = 0
    assert stage.coins(0) == 1


def test_a_frozen_square_is_entered_and_not_left() -> None:
    """3.1 communism, E68."""
    stage = base().army(0, "8.8")
    stage.table.counters[FROZEN + 1] = at("9.8") + 1
    stage.phase("move").do("move 8.8 1+0")
    assert "9.8" in stage.offered("go")
    assert "10.8" not in stage.offered("go")
    stuck = base().army(0, "8.8")
    stuck.table.counters[FROZEN + 1] = at("8.8") + 1
    stuck.phase("move")
    assert stuck.asks != "move"


def test_a_group_frozen_on_water_stays_there() -> None:
    """E67, C1, IW4, D2: Communism strikes at a place of the way."""
    stage = dead_end(base(), "10.8").tech(0, "navigation").army(0, "8.8").tech(1, "communism")
    stage.holds(1, "hut.spy").has(1, guard=ALL_GUARDS).phase("move")
    stage.do("move 8.8 1+0", "go 10.8")
    assert (stage.asks, stage.asked) == ("window", 1)
    assert stage.offered("answer") == ["0 hut.spy", "1 hut.spy", "2 hut.spy"]
    stage.do("answer 1 hut.spy")
    assert stage.rests("9.8") == (0, 1, 0)
    assert stage.cards("box") == ["hut.spy"]


def test_a_new_row_is_opened_for_the_rest_of_the_way() -> None:
    """4.2 item 4, IW4: what lies before is past."""
    stage = base("germany china russia").city(2, "9.3").army(0, "7.8", 2)
    stage.holds(1, "defection").holds(2, "hut.spy").tech(2, "communism")
    stage.has(1, guard=ALL_GUARDS).has(2, guard=ALL_GUARDS).phase("move")
    stage.army(1, "7.5")
    stage.do("move 7.8 2+0", "go 9.8", "1: answer 1 defection", "target seat0.army 8.8")
    assert (stage.asks, stage.asked) == ("window", 2)
    assert stage.offered("answer") == ["0 hut.spy", "1 hut.spy"]


def test_nobody_is_asked_who_cannot_answer_or_does_not_want_to() -> None:
    """4.3, 4.4, D4: no round trip where publicly nobody can answer; the guard is public."""
    quiet = base().city(1, "9.8").army(0, "7.8").has(1, guard=ALL_GUARDS).phase("move")
    quiet.do("move 7.8 1+0", "go 8.8")
    assert quiet.rests("8.8") == (0, 1, 0)
    far = base().army(0, "7.8").holds(1, "wholesale_defection").phase("move")
    far.do("move 7.8 1+0", "go 8.8")
    assert far.rests("8.8") == (0, 1, 0)
    near = base().city(1, "9.8").army(0, "7.8").holds(1, "wholesale_defection").phase("move")
    near.do("move 7.8 1+0", "go 8.8")
    assert (near.asks, near.asked) == ("window", 1)
    near.do("guard near_moves")
    assert near.get("seat1.guard") & 32 == 0


def test_a_move_that_cannot_be_made_is_refused() -> None:
    """C89, C91."""
    stage = base().army(0, "8.8").phase("move")
    assert stage.refuses(Action("move", (), at("8.8") + 256 * 2))
    stage.do("move 8.8 1+0")
    assert stage.refuses(Action("go", (), at("10.10")))


def test_atomic_theory_destroys_a_city_and_all_around_it() -> None:
    """3.1 atomic_theory, E127, C80: own figures too; no capital; people to the box."""
    stage = base().city(1, "8.8").mark("library", "7.7").mark("artist", "7.8").army(0, "9.9")
    stage.mark("stonehenge", "9.7").tech(0, "atomic_theory").holds(0, "village.uranium")
    stage.phase("move").do("power atomic_theory:bomb village.uranium")
    assert stage.site(1, 1) == -1
    assert stage.rests("9.9") == (-1, 0, 0)
    assert stage.get("buildings.3") == 6
    assert sorted(stage.cards("box")) == ["artist", "stonehenge", "village.uranium"]


def test_communism_in_the_own_segment_freezes_a_square() -> None:
    """3.1 communism."""
    stage = base().army(0, "8.8").tech(0, "communism").holds(0, "hut.spy").phase("move")
    stage.do("power communism hut.spy", "target 9.9")
    assert stage.table.counters[FROZEN] == at("9.9") + 1


def test_who_has_drawn_a_card_may_turn_the_guard_before_somebody_else_acts() -> None:
    """4.4: once, in a choice of its own."""
    stage = base().mark("hut", "9.8").army(0, "8.8").phase("move").do("move 8.8 1+0", "go 9.8")
    assert (stage.asks, stage.asked) == ("guarding", 0)
    stage.do("guard events", "end")
    assert stage.asks != "guarding"
    assert stage.get("seat0.guard") == 0b100111
