"""The Start of Turn segment: founding, governments, wonders, squares that are sent."""

from __future__ import annotations

import pytest

from core.games.civilization.figures import put_city, set_figure, supply_of
from core.games.civilization.start_of_turn import is_site
from core.games.civilization.wealth import output, trade_income
from tests.core.games.civilization.stage import Stage, at


def example_map() -> Stage:
    """X1: twelve by twelve squares, and what stands on them."""
    stage = Stage()
    for y in range(16):
        for x in range(16):
            if x >= 12 or y >= 12 or (x >= 8 and y <= 3):
                stage.ground("??", f"{x}.{y}")
    stage.ground("w.", "5.6").city(0, "2.2").mark("village", "7.9").army(1, "2.9")
    return stage


@pytest.mark.parametrize(
    ("square", "is_fit"),
    [("5.6", False), ("6.9", False), ("7.4", False), ("3.8", False), ("3.4", False),
     ("5.5", True), ("2.5", True), ("0.6", False)],
)  # fmt: skip
def test_the_places_of_the_founding_example(square: str, is_fit: bool) -> None:
    """X1, C33, E4, E5, E8: water, village, unexplored, enemy, distance, rim."""
    assert is_site(example_map().table, 0, at(square)) is is_fit


def test_the_founding_example_counts_49_squares() -> None:
    """X1, C33."""
    stage = example_map()
    assert sum(is_site(stage.table, 0, square) for square in range(256)) == 49


def test_the_village_gone_its_neighbour_is_fit() -> None:
    """X1: B."""
    stage = example_map()
    stage.table.counters[stage.table.layout.counters.index(f"mark.{at('7.9')}")] = 0
    assert is_site(stage.table, 0, at("6.9"))


def test_a_scout_founds_a_city_and_returns_to_the_supply() -> None:
    """C32, C34, C35, C31: the marker has no walls, its square yields nothing any more."""
    stage = Stage().city(0, "2.2").scout(0, "8.8").ground("f.", "8.8").phase("start")
    assert stage.offered("found") == ["8.8"]
    stage.do("found 8.8")
    assert stage.lies("8.8") == "city"
    assert stage.rests("8.8") == (-1, 0, 0)
    assert stage.get("seat0.figure7") == 0
    assert stage.get("seat0.walls1") == 0


def test_a_second_city_is_the_last_without_irrigation() -> None:
    """C32, C184: two cities, three with Irrigation; E6: the second counts the first."""
    stage = Stage().city(0, "2.2").scout(0, "8.8").scout(0, "12.12").tech(0, "irrigation")
    stage.scout(0, "8.8", 0).phase("start")
    assert stage.offered("found") == ["8.8", "12.12"]
    stage.do("found 8.8", "found 12.12")
    assert [stage.site(0, city) for city in range(3)] == [at("2.2"), at("8.8"), at("12.12")]
    poor = Stage().city(0, "2.2").city(0, "5.5").scout(0, "8.8").phase("start")
    assert poor.asks != "start"


def test_two_foundings_that_are_too_near_exclude_each_other() -> None:
    """E6: the second counts the first as an existing city."""
    stage = Stage().city(0, "2.2").scout(0, "8.8").scout(0, "10.10").tech(0, "irrigation")
    stage.phase("start").do("found 8.8")
    assert stage.asks != "start"


def test_an_army_founds_only_in_a_republic() -> None:
    """C34, 3.5 Republic; E75: not beside a village."""
    stage = Stage().city(0, "2.2").army(0, "8.8").phase("start")
    assert stage.asks != "start"
    republic = Stage().city(0, "2.2").army(0, "8.8").rules_by(0, "republic").phase("start")
    assert republic.offered("settle") == ["8.8"]
    republic.do("settle 8.8")
    assert republic.lies("8.8") == "city"
    village = Stage().city(0, "2.2").army(0, "8.8").rules_by(0, "republic")
    village.mark("village", "9.9").phase("start")
    assert not village.offered("settle")


def test_other_figures_move_out_of_the_new_city() -> None:
    """C36, C181: to the squares around it, within the limit."""
    stage = Stage().city(0, "2.2").scout(0, "8.8").army(0, "8.8").phase("start").do("found 8.8")
    assert stage.asks == "shift"
    assert len(stage.offered("shift")) == 8
    stage.do("shift 9.9")
    assert stage.rests("9.9") == (0, 1, 0)
    assert stage.asks != "shift"


def test_all_other_figures_move_out_one_by_one() -> None:
    """C36: not only the first of them."""
    stage = Stage().city(0, "2.2").tech(0, "masonry").scout(0, "8.8").army(0, "8.8", 2)
    stage.phase("start").do("found 8.8", "shift 9.9")
    assert stage.asks == "shift"
    stage.do("shift 7.7")
    assert [stage.rests(square) for square in ("9.9", "7.7", "8.8")] == [
        (0, 1, 0), (0, 1, 0), (-1, 0, 0),
    ]  # fmt: skip


def test_no_founding_where_others_cannot_move_out() -> None:
    """E7, C36: all neighbours are water."""
    around = [f"{x}.{y}" for x in (7, 8, 9) for y in (7, 8, 9) if (x, y) != (8, 8)]
    stage = Stage().city(0, "2.2").scout(0, "8.8").army(0, "8.8").ground("w.", *around)
    stage.phase("start")
    assert stage.asks != "start"


def test_an_own_army_beside_the_site_does_no_harm() -> None:
    """C34, E8: an enemy scout does."""
    own = Stage().city(0, "2.2").scout(0, "8.8").army(0, "9.9").phase("start")
    assert own.offered("found") == ["8.8"]
    enemy = Stage().city(0, "2.2").scout(0, "8.8").scout(1, "9.9").phase("start")
    assert enemy.asks != "start"


def test_the_symbol_under_a_city_comes_back_when_it_is_gone() -> None:
    """E9, C35: incense under a city cannot be harvested."""
    stage = Stage().city(0, "2.2").ground("dN", "8.8").scout(0, "8.8").phase("start")
    stage.do("found 8.8")
    from core.games.civilization.aftermath import destroy_city
    from core.games.civilization.board import resource_at

    assert resource_at(stage.table, at("8.8")) == -1
    destroy_city(stage.table, 1)
    assert resource_at(stage.table, at("8.8")) == 2


def test_rome_steps_freely_for_a_new_city() -> None:
    """C38, 3.6 Rome; C73: a free step gives the reward of its space."""
    stage = Stage("rome china").rules_by(0, "republic").city(0, "2.2").scout(0, "8.8")
    stage.phase("start").do("found 8.8")
    assert stage.get("seat0.track") == 1
    assert len(stage.cards("seat0.events")) == 1


def test_a_city_founded_now_yields_trade_and_acts_in_this_turn() -> None:
    """C37."""
    stage = Stage().city(0, "2.2").scout(0, "8.8").ground("d.", "7.7").phase("start")
    stage.do("found 8.8", "end") if stage.asks == "start" else stage.do("found 8.8")
    while stage.asks != "city":
        stage.do("end")
    assert stage.get("seat0.trade") == 1
    assert "arts 1" in stage.texts()


# ---- governments ----


def turn_of(stage: Stage, turn: int) -> Stage:
    """It is that turn now."""
    stage.table.counters[1] = turn
    return stage


def fresh(stage: Stage, form: str, turn: int) -> Stage:
    """A government was unlocked in that turn."""
    names = stage.table.layout.counters
    stage.table.counters[names.index(f"seat0.fresh.{form}")] = 1 + turn
    return stage


def test_a_fresh_right_changes_the_government_at_once() -> None:
    """C39: in the turn after the unlocking."""
    stage = turn_of(fresh(Stage().city(0, "2.2").tech(0, "code_of_laws"), "republic", 3), 4)
    stage.phase("start").do("government republic")
    assert stage.get("seat0.government") == 2
    assert stage.get("seat0.idle") == 0


def test_a_right_that_is_not_used_lapses() -> None:
    """E23, C40: in turn 5 Anarchy, in turn 6 Republic."""
    stage = turn_of(fresh(Stage().city(0, "2.2").tech(0, "code_of_laws"), "republic", 3), 5)
    stage.has(0, trade=1).phase("start")
    assert stage.offered("government") == []
    stage.do("anarchy")
    assert stage.get("seat0.government") == 1
    assert stage.get("seat0.idle") == 1
    turn_of(stage, 6)
    stage.table.counters[stage.table.layout.counters.index("seat0.idle")] = 0
    later = Stage().city(0, "2.2").tech(0, "code_of_laws").rules_by(0, "anarchy")
    turn_of(later, 6).phase("start")
    assert later.offered("government") == ["despotism", "republic"]
    later.do("government republic")
    assert later.get("seat0.government") == 2


@pytest.mark.parametrize("turn", [4, 5])
def test_a_technology_taught_or_looted_is_a_fresh_right_next_turn(turn: int) -> None:
    """E24, E25, C39: by whatever means, in the following turn only."""
    stage = turn_of(fresh(Stage().city(0, "2.2").tech(0, "chivalry"), "feudalism", 4), turn)
    stage.phase("start")
    assert stage.offered("government") == (["feudalism"] if turn == 5 else [])


def test_revolt_before_the_segment_keeps_the_seat_in_anarchy() -> None:
    """E26, E33: no way out by C40 in this turn; a fresh right works, the capital stays idle."""
    stage = fresh(Stage().city(0, "2.2").tech(0, "code_of_laws chivalry"), "republic", 3)
    stage.rules_by(0, "anarchy").has(0, trade=1)
    names = stage.table.layout.counters
    stage.table.counters[names.index("seat0.anarchy")] = 4
    stage.table.counters[names.index("seat0.idle")] = 1
    turn_of(stage, 4).phase("start")
    assert stage.offered("government") == ["republic"]
    stage.do("government republic")
    assert stage.get("seat0.idle") == 1


def test_staying_in_anarchy_leaves_the_capital_idle() -> None:
    """C41, E29, 3.5 Anarchy: legal, and the capital takes no action."""
    stage = Stage().city(0, "2.2").tech(0, "code_of_laws").rules_by(0, "anarchy")
    turn_of(stage, 5).phase("start").do("end")
    while stage.asks != "city" or stage.asked != 0:
        if stage.get("phase") > 3:
            break
        stage.do("end")
    assert stage.get("seat0.idle") == 1
    assert stage.get("seat0.actions0") == 0


def test_one_change_in_a_segment() -> None:
    """C41, E32: Despotism to Despotism only through Anarchy."""
    stage = Stage().city(0, "2.2").tech(0, "code_of_laws").has(0, trade=1)
    stage.phase("start").do("anarchy")
    assert stage.asks != "start" or not stage.offered("government")


def test_after_anarchy_no_fresh_right_in_the_same_segment() -> None:
    """C41, C40: nor Anarchy after another change; in the next turn again, but not in Anarchy."""
    known = Stage().city(0, "2.2").tech(0, "code_of_laws").holds(0, "drought")
    turn_of(fresh(known.ground("f.", "5.5"), "republic", 3), 4).phase("start").do("anarchy")
    assert stage_menu(known) == (True, False, False)
    changed = Stage().city(0, "2.2").tech(0, "code_of_laws").holds(0, "drought")
    turn_of(fresh(changed.ground("f.", "5.5"), "republic", 3), 4).phase("start")
    changed.do("government republic")
    assert stage_menu(changed) == (True, False, False)
    turn_of(changed, 5).phase("start")
    assert stage_menu(changed) == (True, False, True)
    changed.do("anarchy")
    turn_of(changed, 6).phase("start")
    assert stage_menu(changed) == (True, True, False)


def stage_menu(stage: Stage) -> tuple[bool, bool, bool]:
    """Whether the segment goes on, a government can be had, and Anarchy."""
    verbs = {text.split()[0] for text in stage.texts()}
    return stage.asks == "start", "government" in verbs, "anarchy" in verbs


def test_feudalism_as_the_fifteenth_coin_wins() -> None:
    """E30, C139, C173."""
    stage = fresh(Stage().city(0, "2.2").tech(0, "chivalry"), "feudalism", 3)
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = 14
    turn_of(stage, 4).phase("start").do("government feudalism")
    assert stage.ended == (3, 0)


def test_leaving_monarchy_lowers_the_hand_limit_at_once() -> None:
    """E31, C42, C75, C76, 3.5 Monarchy."""
    stage = Stage().city(0, "2.2").rules_by(0, "monarchy").tech(0, "monarchy")
    stage.holds(0, "defection drought sabotage").phase("start").do("anarchy")
    assert stage.asks == "discard"
    stage.do("discard drought")
    assert stage.cards("discard.ancient") == ["drought"]
    assert len(stage.cards("seat0.events")) == 2


# ---- wonders ----


def test_wonders_without_a_choice_are_booked_when_the_segment_opens() -> None:
    """C31, 3.4 stonehenge, colossus, louvre."""
    stage = Stage().city(0, "2.2").city(0, "8.8").city(0, "12.2")
    stage.mark("stonehenge", "1.1").mark("colossus", "7.7").mark("louvre", "11.1")
    stage.has(0, trade=25).phase("start")
    assert stage.get("seat0.culture") == 4
    assert stage.get("seat0.trade") == 27


def test_panama_canal_gains_a_token_every_turn() -> None:
    """3.4 panama_canal, C139: it sleeps while the square is blockaded (C140)."""
    stage = Stage().city(0, "2.2").mark("panama_canal", "1.1").phase("start")
    assert stage.coins(0) == 1
    stage.army(1, "1.1")
    assert stage.coins(0) == 0
    assert Stage().city(0, "2.2").phase("start").get("panama") == 0
    rich = Stage().city(0, "2.2").mark("panama_canal", "1.1").set("seat0.sheet.coins", 14)
    assert rich.set("check", 0).phase("start").ended == (3, 0), "C173, C175: at once"


def test_hanging_gardens_place_a_figure_once_per_turn() -> None:
    """3.4 hanging_gardens, within the stacking limit."""
    stage = Stage().city(0, "2.2").mark("hanging_gardens", "1.1").phase("start")
    assert stage.offered("gardens") == ["army", "scout"]
    stage.do("gardens army")
    assert stage.rests("1.1") == (0, 1, 0)
    assert stage.asks != "start"
    full = Stage().city(0, "2.2").mark("hanging_gardens", "1.1").army(0, "1.1", 2).phase("start")
    assert full.asks != "start"


def test_statue_of_liberty_learns_what_another_seat_knows() -> None:
    """3.4 statue_of_liberty, C165, C162: with room in the pyramid."""
    stage = Stage().city(0, "2.2").mark("statue_of_liberty", "1.1")
    stage.tech(1, "pottery chivalry").phase("start")
    assert stage.offered("liberty") == ["pottery"]
    stage.do("liberty pottery")
    assert stage.get("seat0.technologies.low") == 1 << 8
    again = Stage().city(0, "2.2").mark("statue_of_liberty", "1.1").tech(1, "pottery writing")
    again.holds(0, "drought").ground("f.", "5.5").phase("start").do("liberty writing")
    assert again.asks == "start"
    assert not again.offered("liberty"), "once per turn"


def test_sydney_opera_house_steps_once_per_turn() -> None:
    """3.4 sydney_opera_house, C73."""
    stage = Stage().city(0, "2.2").mark("sydney_opera_house", "1.1").phase("start").do("opera")
    assert stage.get("seat0.track") == 1
    assert stage.asks != "start" or not stage.offered("opera")


def test_a_blockaded_wonder_does_nothing() -> None:
    """C153, C157."""
    stage = Stage().city(0, "2.2").mark("stonehenge", "1.1").army(1, "1.1").phase("start")
    assert stage.get("seat0.culture") == 0


def test_people_set_aside_are_placed_at_the_start_of_a_turn() -> None:
    """C79, C31, E42."""
    stage = Stage().city(0, "2.2").ground("w.", "1.1").sheet(0, "builder").phase("start")
    assert len(stage.offered("great")) == 7
    stage.do("great builder 3.3")
    assert stage.lies("3.3") == "builder"
    assert stage.coins(0) == 1


def test_whoever_was_sent_to_the_sheet_in_a_segment_waits_for_a_later_one() -> None:
    """C79: two people do not change places for ever."""
    stage = Stage().city(0, "2.2").mark("artist", "1.1").sheet(0, "builder").phase("start")
    stage.do("great builder 1.1")
    assert stage.cards("seat0.sheet") == ["artist"]
    assert stage.asks != "start" or not stage.offered("great")
    stage.phase("start")
    assert "artist 3.3" in stage.offered("great")


# ---- squares that are sent ----


def test_a_square_is_sent_to_another_city_by_choice() -> None:
    """C146, C149, C150, E45: it works for the other city only."""
    stage = Stage().city(0, "2.2").city(0, "8.8").scout(0, "3.3").ground("f.", "3.3")
    stage.holds(0, "sabotage").phase("start")
    assert stage.offered("direct") == ["3.3 1"]
    assert output(stage.table, 0, 0, 1) == 2
    stage.do("direct 3.3 1")
    assert not stage.offered("direct"), "a square that goes to and fro would be a turn without end"
    assert stage.table.digest(), "all counters fit their 32 bits"
    assert [output(stage.table, 0, city, 1) for city in (0, 1)] == [0, 2]
    set_figure(stage.table, 0, 7, at("4.4"))
    assert [output(stage.table, 0, city, 1) for city in (0, 1)] == [2, 0]
    two = Stage().city(0, "2.2").city(0, "8.8").scout(0, "3.3").scout(0, "1.1")
    two.holds(0, "sabotage").phase("start").do("direct 3.3 1")
    assert [two.get(f"seat0.direct{scout}") for scout in (0, 1)] == [2, 0]


@pytest.mark.parametrize(("first", "joins"), [("7.7", "7.8"), ("7.8", "7.7")])
def test_a_scout_that_joins_another_one_leaves_its_square_to_the_city_chosen(
    first: str, joins: str
) -> None:
    """C146: what was chosen for a square holds until the scout it was chosen for moves."""
    stage = Stage().city(0, "2.2").city(0, "12.12").ground("f.", first)
    stage.scout(0, "7.7").scout(0, "7.8").holds(0, "sabotage")
    stage.phase("start").do(f"direct {first} 1")
    stage.phase("move").do(f"move {joins} 0+1", f"go {first}")
    assert [output(stage.table, 0, city, 1) for city in (0, 1)] == [0, 2]


def test_a_scout_outside_gathers_for_the_capital() -> None:
    """C145, C147, C148, C151: everything its square shows, from the turn after it was placed."""
    stage = Stage().city(0, "2.2").city(1, "10.10").ground("f.", "11.11").scout(0, "11.11")
    assert output(stage.table, 0, 0, 1) == 2
    assert output(stage.table, 1, 0, 1) == 0
    stage.ground("d.", "11.11")
    assert trade_income(stage.table, 0) == 1
    figure = supply_of(stage.table, 0, True)
    set_figure(stage.table, 0, figure, at("5.5"))
    stage.ground("d.", "5.5")
    stage.table.counters[stage.table.layout.counters.index("seat0.ready")] = 1
    assert trade_income(stage.table, 0) == 1


def test_squares_sent_to_a_destroyed_city_send_nothing() -> None:
    """E128, C146."""
    from core.games.civilization.aftermath import destroy_city

    stage = Stage().city(0, "2.2").city(0, "8.8").scout(0, "9.9").ground("f.", "9.9")
    destroy_city(stage.table, 1)
    assert output(stage.table, 0, 0, 1) == 0
    stage.phase("start")
    assert output(stage.table, 0, 0, 1) == 2


def test_a_third_city_can_be_founded_anew() -> None:
    """E129, E130: the limit stays, the square is free again."""
    from core.games.civilization.aftermath import destroy_city

    stage = Stage().tech(0, "irrigation").city(0, "2.2").city(0, "8.8").city(0, "12.2")
    destroy_city(stage.table, 1)
    assert is_site(stage.table, 0, at("8.9"))
    assert put_city(stage.table, 0, at("8.9")) == 1


def test_the_practice_end_stops_at_a_third_city() -> None:
    """8.1, C178: without a winner."""
    stage = Stage(practice_end=True).tech(0, "irrigation").city(0, "2.2").city(0, "5.5")
    stage.scout(0, "12.12").phase("start").do("found 12.12")
    assert stage.ended == (5, -1)
