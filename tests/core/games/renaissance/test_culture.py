"""Scorings in general, culture scorings, and paying (6, 7)."""

from __future__ import annotations

from typing import Any

from core.requests import Action
from tests.core.games.renaissance.stage import Stage

# The ladder of grey.4 shows religion and architecture; its blue spaces are a.4 to a.6.
LADDER = ["grey.4", "red.3", "black.5"]


def scored(action: str = "draw", *, space: str = "a.6", **given: Any) -> Stage:
    """Seat 0 fills the blue spaces of the first event, in the company of seat 1 unless told."""
    given.setdefault("events", LADDER)
    given.setdefault("pieces", {"a.4": 0, "a.5": 1})
    return Stage(**given).do(f"place {space}", action)


def alone(**given: Any) -> Stage:
    """Seat 0 fills the blue spaces of the first event alone."""
    return scored(pieces={"a.4": 0, "a.5": 0, **given.pop("others", {})}, **given)


def arts(count: int) -> list[str]:
    """A row of so many cards of architecture."""
    cards = ["architecture.blue", "architecture.blue", "architecture.red", "architecture.red"]
    return [" ".join([*cards, "architecture"][:count])] if count else []


# ---- 6: scoring ----


def test_rule_6_1_all_blue_spaces_are_culture_and_all_red_ones_characters() -> None:
    blue = scored()
    assert blue.phase == "name"
    red = Stage(events=LADDER, pieces={"a.1": 0, "a.2": 1}, cards={"piles": ["person.3"]})
    red.do("place a.3", "draw")
    assert red.phase == "duel"


def test_rule_6_1_it_does_not_matter_whose_pieces_they_are() -> None:
    by_others = scored(pieces={"a.4": 1, "a.5": 1})
    assert by_others.counter("other") == 1
    assert alone().counter("other") == -1


def test_rule_6_2_a_piece_on_the_other_color_takes_part_too() -> None:
    stage = scored(pieces={"a.4": 0, "a.5": 0, "a.2": 1})
    assert stage.counter("other") == 1


def test_rule_6_3_and_g12_the_pieces_come_back_first_and_can_be_paid_with() -> None:
    """Seat 1 has no stone but the one on the event; it pays with it."""
    stage = scored(cards={"rows": [arts(1)]}, supplies={1: ""}, pieces={"a.4": 0, "a.5": 1})
    stage.do("name architecture", "name religion")
    assert stage.piece("a.4") == stage.piece("a.5") == stage.piece("a.6") == 0
    assert (stage.supply(0), stage.supply(1)) == ("yellow*7 red", "")


def test_rule_6_4_foreign_stones_are_paid_first_and_markers_never() -> None:
    stage = scored(cards={"rows": [arts(2)]}, supplies={1: "yellow red*3"},
                   pieces={"a.4": 0, "a.5": "g1"})  # fmt: skip
    stage.do("name architecture", "name religion")
    assert stage.supply(1) == "red*2"
    assert stage.counter("seat1.genius") == 1


def test_rule_6_4_the_payer_chooses_which_foreign_color_goes_first() -> None:
    stage = Stage(3, events=LADDER, pieces={"a.4": 0, "a.5": 1}, cards={"rows": [arts(1)]},
                  supplies={1: "yellow black red*2"})  # fmt: skip
    stage.do("place a.6", "draw", "name architecture", "name religion")
    assert (stage.chooser, stage.legal) == (1, ["pay yellow", "pay black"])
    assert stage.refuses(Action("pay", (), 1))
    stage.do("pay black")
    assert stage.supply(1) == "yellow red*3"
    assert stage.supply(0) == "yellow*7 black"


def test_rule_6_4_where_all_foreign_stones_have_to_go_nothing_is_asked() -> None:
    stage = Stage(3, events=LADDER, pieces={"a.4": 0, "a.5": 1}, cards={"rows": [arts(3)]},
                  supplies={1: "yellow black red*2"})  # fmt: skip
    stage.do("place a.6", "draw", "name architecture", "name religion")
    assert (stage.chooser, stage.phase) == (1, "place")
    assert stage.supply(1) == "red*2"


def test_g13_a_payer_without_stones_takes_off_as_many_as_needed_of_its_choice() -> None:
    pieces = {"a.4": 0, "a.5": "g1", "b.1": 1, "b.2": 1, "c.1": "g0"}
    stage = scored(cards={"rows": [arts(1)]}, supplies={1: ""}, pieces=pieces)
    stage.do("name architecture", "name religion")
    assert (stage.chooser, stage.legal) == (1, ["lift b.1", "lift b.2"])
    assert stage.refuses(Action("lift", (), 12))
    stage.do("lift b.1")
    assert (stage.piece("b.1"), stage.piece("b.2")) == (0, 2)
    assert stage.supply(0) == "yellow*7 red"


def test_g13_the_rest_of_a_debt_lapses() -> None:
    pieces = {"a.4": 0, "a.5": "g1", "b.1": 1}
    stage = scored(cards={"rows": [arts(3)]}, supplies={1: "red"}, pieces=pieces)
    stage.do("name architecture", "name religion")
    assert (stage.supply(0), stage.supply(1)) == ("yellow*7 red*2", "")
    assert stage.zone("seat0.row1") == "architecture.blue"  # Two were won, two discarded.


def test_g13_by_choice_of_the_table_all_stones_come_off_the_events() -> None:
    pieces = {"a.4": 0, "a.5": "g1", "b.1": 1, "b.2": 1, "c.1": 1}
    stage = scored(cards={"rows": [arts(1)]}, supplies={1: ""}, pieces=pieces,
                   options={"short_payer": "all"})  # fmt: skip
    stage.do("name architecture", "name religion")
    assert stage.supply(1) == "red*2"
    assert [stage.piece(spot) for spot in ("b.1", "b.2", "c.1")] == [0, 0, 0]


# ---- 7: culture ----


def test_rule_7_1_first_the_one_who_filled_the_color_then_the_other_names_a_symbol() -> None:
    stage = scored(cards={"rows": [arts(1), ["religion"]]})
    assert (stage.chooser, stage.legal) == (0, ["name architecture", "name religion"])
    assert stage.refuses(Action("name", (), 0))
    stage.do("name religion")
    assert (stage.chooser, stage.legal) == (1, ["name architecture", "name religion"])
    stage.do("name religion")  # Both may name the same.
    assert stage.stones(1) == 8


def test_rule_7_1_and_g30_a_smaller_number_may_be_named_even_none() -> None:
    stage = scored(cards={"rows": [arts(3), ["religion"]]})
    stage.do("name religion", "name religion")
    assert (stage.stones(0), stage.stones(1)) == (6, 8)


def test_rule_7_1_of_one_symbol_there_is_nothing_to_name() -> None:
    stage = Stage(events=["black.3"], pieces={"a.1": 1}, cards={"rows": [arts(2)]})
    stage.do("place a.2", "draw")
    assert (stage.stones(0), stage.stones(1)) == (9, 5)


def test_rule_7_2_and_7_3_and_g10_the_example_four_to_two_wins_two_and_costs_two_cards() -> None:
    """Architecture 1, 2, 1 against two of religion."""
    rows = [["architecture.blue architecture.double! architecture.red"], ["religion religion.red"]]
    stage = scored(cards={"rows": rows})
    stage.do("name architecture", "name religion")
    assert (stage.supply(0), stage.supply(1)) == ("yellow*7 red*2", "red*5")
    assert stage.zone("seat0.row1") == "architecture.blue"
    assert stage.sorted_zone("discard") == "architecture.double architecture.red"
    assert stage.zone("seat1.row1") == "religion religion.red"  # The loser discards nothing.


def test_rule_7_2_the_other_wins_if_its_number_is_higher() -> None:
    rows = [["religion"], ["architecture.red architecture.blue architecture"]]
    stage = scored(cards={"rows": rows})
    stage.do("name religion", "name architecture")
    assert (stage.supply(0), stage.supply(1)) == ("yellow*5", "yellow*2 red*7")
    assert stage.zone("seat1.row1") == "architecture.red"


def test_g10_by_choice_of_the_table_the_cards_cover_the_stones_won() -> None:
    """Two stones: the turned double on top covers both, so one card goes."""
    rows = [["architecture.blue architecture.red architecture.double!"], ["religion religion.red"]]
    for loss, left in (("cards", "architecture.blue"),
                       ("symbols", "architecture.blue architecture.red")):  # fmt: skip
        stage = scored(cards={"rows": rows}, options={"culture_loss": loss})
        stage.do("name architecture", "name religion")
        assert stage.stones(0) == 9
        assert stage.zone("seat0.row1") == left


def test_g10_not_more_than_the_whole_row_is_discarded() -> None:
    stage = alone(cards={"rows": [["architecture.double!"]]})
    stage.do("name architecture")
    assert stage.stones(0) == 9
    assert stage.zone("seat0.row1") == ""


def test_rule_7_4_and_g32_if_level_both_keep_one_card_of_the_row_and_win_nothing() -> None:
    """What the translation calls an animal is a tie."""
    rows = [["architecture.blue architecture.red"], ["religion religion.red"]]
    stage = scored(cards={"rows": rows}).do("name architecture", "name religion")
    assert (stage.chooser, stage.phase) == (0, "keep")
    assert stage.legal == ["keep culture.architecture.blue", "keep culture.architecture.red"]
    assert stage.refuses(Action("keep", (stage.cards("seat1.row1")[0],)))
    stage.do("keep culture.architecture.blue", "keep culture.religion")
    assert "architecture.blue" in stage.hand(0)
    assert stage.hand(1) == "religion"
    assert (stage.stones(0), stage.stones(1)) == (7, 7)
    assert stage.sorted_zone("discard") == "architecture.red religion.red"
    assert stage.counter("seat0.row1.symbols") == 0


def test_g20_a_tie_at_nothing_changes_nothing_but_the_event() -> None:
    rows = [["science"], ["finance"]]
    stage = scored(cards={"rows": rows}).do("name architecture", "name religion")
    assert (stage.stones(0), stage.stones(1)) == (7, 7)
    assert (stage.zone("seat0.row1"), stage.zone("seat1.row1")) == ("science", "finance")
    assert len(stage.cards("event.a")) == 2


def test_g21_a_row_of_one_card_returns_to_the_hand_without_a_question() -> None:
    stage = scored(cards={"rows": [arts(1), ["religion"]]})
    stage.do("name architecture", "name religion")
    assert stage.phase == "place"
    assert stage.hand(1) == "religion"


def test_g22_a_double_that_came_back_is_laid_anew() -> None:
    rows = [["architecture.double!"], ["religion religion.red"]]
    stage = scored(cards={"rows": rows}).do("name architecture", "name religion", "keep "
                                            "culture.religion")  # fmt: skip
    assert "architecture.double" in stage.hand(0)
    stage.do("place b.1", "draw", "draw", "place b.2", "lay culture.architecture.double")
    assert stage.counter("seat0.row1.turned") == 0


def test_rule_7_5_alone_between_two_seats_one_is_paid_by_that_neighbor() -> None:
    for at, payer in (("b", 1), ("d", 2)):  # To the left of seat 0 and to its right.
        events = ["red.3", "black.5", "black.6", "green.1"]
        events["abcd".index(at)] = "grey.4"
        stage = Stage(3, events=events, pieces={f"{at}.4": 0, f"{at}.5": 0},
                      cards={"rows": [arts(3)]})  # fmt: skip
        stage.do(f"place {at}.6", "draw", "name architecture")
        assert stage.stones(0) == 10
        assert stage.stones(payer) == 4
        assert stage.zone("seat0.row1") == ""


def test_rule_7_5_and_g15_alone_in_the_center_all_pay_in_turn_from_the_right() -> None:
    stage = Stage(4, events=LADDER, pieces={"a.4": 0, "a.5": 0}, cards={"rows": [arts(4)]})
    stage.do("place a.6", "draw", "name architecture")
    assert [stage.stones(seat) for seat in range(4)] == [11, 6, 6, 5]


def test_g15_who_cannot_pay_is_left_out_and_it_stops_when_nobody_can() -> None:
    given: dict[str, Any] = {"events": LADDER, "pieces": {"a.4": 0, "a.5": 0, "b.1": "g3"}}
    cards = {"rows": [["architecture.blue architecture.double! architecture.red architecture"]]}
    stage = Stage(4, **given, cards=cards, supplies={1: "red", 2: "black*2", 3: ""})
    stage.do("place a.6", "draw", "name architecture")
    assert [stage.stones(seat) for seat in range(4)] == [10, 0, 0, 0]
    assert stage.zone("seat0.row1") == "architecture.blue"  # Three won, three discarded.


def test_g15_who_has_stones_on_events_only_can_still_pay() -> None:
    stage = Stage(
        3, events=LADDER, pieces={"a.4": 0, "a.5": 0, "b.1": 2}, cards={"rows": [arts(1)]},
        supplies={2: ""},
    )  # fmt: skip
    stage.do("place a.6", "draw", "name architecture")
    assert (stage.piece("b.1"), stage.supply(0)) == (0, "yellow*7 black")
    assert stage.stones(1) == 7


def test_rule_7_5_in_the_center_a_payer_chooses_its_stone_each_time() -> None:
    stage = Stage(3, events=LADDER, pieces={"a.4": 0, "a.5": 0}, cards={"rows": [arts(3)]},
                  supplies={2: "yellow red black"})  # fmt: skip
    stage.do("place a.6", "draw", "name architecture")
    assert (stage.chooser, stage.legal) == (2, ["pay yellow", "pay red"])
    stage.do("pay red")  # Then seat 1, and seat 2 again, with one foreign color left.
    assert stage.supply(2) == "black"
    assert stage.supply(0) == "yellow*8 red*2"


def test_g9_of_events_in_a_stack_only_the_top_one_counts_but_for_the_dice() -> None:
    stage = scored(events=["black.1 grey.4", "red.3", "black.5"], cards={"rows": [arts(1)]})
    assert stage.legal == ["name architecture", "name religion"]
    pieces = {"a.1": 0, "a.2": 0}
    red = Stage(events=["black.1 black.2 grey.4"], pieces=pieces, cards={"piles": ["person.3"]})
    red.do("place a.3", "draw", "uncover", "pass")
    assert red.stones(0) == 10  # Three dice.
