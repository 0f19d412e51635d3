"""Phase I: where pieces may stand, the genius marker, exchanging and moving (4, 10, 11)."""

from __future__ import annotations

import pytest

from core.requests import Action
from tests.core.games.renaissance.stage import Stage, spot_of


def places(stage: Stage, verb: str = "place") -> list[str]:
    """The spots that are offered with a verb."""
    return [text.split()[1] for text in stage.legal if text.startswith(verb + " ")]


# ---- 4: placing ----


def test_rule_4_1_one_places_in_the_center_and_beside_oneself() -> None:
    letters = [{spot[0] for spot in places(Stage(4, turn=seat))} for seat in range(4)]
    assert letters == [set("abcf"), set("abcd"), set("abde"), set("abef")]
    assert {spot[0] for spot in places(Stage(2))} == set("abc")


def test_rule_4_2_the_example_the_first_stone_lies_anywhere_later_ones_are_joined() -> None:
    """On the ladder 1-2-3 over 4-5-6 with rungs 1-4, 2-5, 3-6."""
    stage = Stage(events=["red.3", "black.5"])
    assert places(stage)[:6] == ["a.1", "a.2", "a.3", "a.4", "a.5", "a.6"]
    stage.do("place a.1", "draw", "draw")
    assert [spot for spot in places(stage) if spot[0] == "a"] == ["a.2", "a.4"]
    assert stage.refuses(Action("place", (), spot_of("a.6")))
    stage.do("place a.4", "draw", "draw")
    assert [spot for spot in places(stage) if spot[0] == "a"] == ["a.2", "a.5"]


def test_rule_4_2_and_g3_a_gap_that_has_come_later_is_not_looked_at_again() -> None:
    stage = Stage(events=["red.3"], pieces={"a.1": 0, "a.6": 1})
    assert [spot for spot in places(stage) if spot[0] == "a"] == ["a.2", "a.3", "a.4", "a.5"]


def test_rule_4_3_two_players_at_most_stand_on_one_event() -> None:
    stage = Stage(3, pieces={"a.1": 1, "a.2": 2})
    assert not [spot for spot in places(stage) if spot[0] == "a"]
    assert stage.refuses(Action("place", (), spot_of("a.3")))
    assert [spot for spot in places(Stage(3, pieces={"a.1": 1})) if spot[0] == "a"]


def test_rule_4_4_and_g4_one_must_place_a_stone_or_the_marker_if_one_can() -> None:
    stage = Stage()
    assert "pass" not in stage.legal
    assert places(stage, "genius") == places(stage)
    assert stage.refuses(Action("pass"))
    marker_alone = Stage(supplies={0: "red*7", 1: "yellow*7"})
    assert places(marker_alone, "genius")
    assert not places(marker_alone)
    assert "pass" not in marker_alone.legal


def test_rule_4_4_and_g6_without_an_event_one_passes_and_has_two_card_actions() -> None:
    """Both events in the center are full for seat 2, and those beside it are closed."""
    events = ["red.3", "black.5", "black.6", "", "", "green.1"]
    pieces = {"a.1": 0, "a.2": 1, "b.1": 0, "b.2": 1}
    stage = Stage(4, events=events, pieces=pieces, turn=2)
    assert stage.legal == ["pass"]
    stage.do("pass", "draw", "draw")
    assert stage.chooser == 3


def test_rule_4_4_without_a_piece_one_passes() -> None:
    stage = Stage(supplies={0: "", 1: "yellow*7 red*7"}, pieces={"a.1": "g0"})
    assert stage.legal == ["pass", "lift a.1"]
    stage.do("pass", "draw", "draw")
    assert stage.chooser == 1


def test_rule_4_4_only_stones_of_the_own_color_are_placed() -> None:
    stage = Stage(supplies={0: "red*3"}, pieces={"c.1": "g0"})
    assert not places(stage)
    assert stage.refuses(Action("place", (), 0))


def test_rule_4_5_the_color_of_the_space_changes_nothing_for_a_stone() -> None:
    for spot in ("a.1", "a.4"):
        stage = Stage(cards={"rows": [["science.blue"]], "display": "religion finance"})
        stage.do(f"place {spot}")
        assert stage.phase == "act"


def test_g28_a_space_has_one_color_so_one_piece_fills_one_color() -> None:
    """The last free space but one is red; blue stays open."""
    pieces = {"a.1": 0, "a.2": 0, "a.4": 0, "a.5": 0}
    stage = Stage(events=["black.5"], pieces=pieces)
    stage.do("place a.6", "draw")
    assert stage.counter("scorings") == 1
    assert stage.counter("event.a.3") == 0


# ---- 10: the genius marker ----


def test_rule_10_1_the_marker_occupies_joins_takes_part_and_comes_back() -> None:
    stage = Stage(events=["black.3"], pieces={"a.1": "g1", "b.1": 1})
    assert [spot for spot in places(stage) if spot[0] == "a"] == ["a.2", "a.3"]
    stage.do("place a.2", "draw")  # Both blue spaces: culture, and seat 1 takes part.
    assert stage.counter("other") == 1
    assert stage.counter("seat1.genius") == 1
    assert stage.counter("seat0.genius") == 1


def test_rule_10_2_the_blue_example_two_signs_three_culture_cards_two_are_taken() -> None:
    rows = [["science.blue", "finance.blue", "religion.red"]]
    display = "exploration architecture religion person.3"
    stage = Stage(cards={"rows": rows, "display": display})
    stage.do("genius a.1")
    assert stage.legal == [
        "take culture.exploration", "take culture.architecture", "take culture.religion", "stop",
    ]  # fmt: skip
    stage.do("take culture.exploration", "take culture.religion")
    assert stage.phase == "act"
    assert stage.hand(0) == "exploration religion"


def test_rule_10_2_the_red_example_three_signs_two_characters_both_are_taken() -> None:
    rows = [["science.red", "finance.red", "religion.red"]]
    stage = Stage(cards={"rows": rows, "display": "person.3 person.religion.2 science finance"})
    stage.do("genius a.4", "take person.3", "take person.religion.2")
    assert stage.phase == "act"
    assert stage.hand(0) == "person.3 person.religion.2"


def test_rule_10_2_a_sign_that_is_covered_does_not_count() -> None:
    rows = [["science.blue science", "finance.blue"]]
    stage = Stage(cards={"rows": rows, "display": "religion architecture exploration person.3"})
    stage.do("genius a.1", "take culture.religion")
    assert stage.phase == "act"


def test_rule_10_2_fewer_cards_may_be_taken_and_none_where_none_lies() -> None:
    rows = [["science.blue"]]
    stage = Stage(cards={"rows": rows, "display": "religion person.3"}).do("genius a.1", "stop")
    assert (stage.phase, stage.hand(0)) == ("act", "")
    nothing = Stage(cards={"rows": rows, "display": "person.3 person.4"}).do("genius a.1")
    assert nothing.phase == "act"


def test_rule_10_3_and_g7_the_bonus_comes_first_and_the_next_action_fills_the_gaps() -> None:
    rows = [["science.blue", "finance.blue"]]
    stage = Stage(cards={"rows": rows, "display": "religion exploration architecture person.3"})
    stage.do("genius a.1", "take culture.religion", "take culture.exploration")
    assert len(stage.cards("display")) == 2
    stage.do("draw")
    assert len(stage.cards("display")) == 4
    assert stage.chooser == 0  # One action was done, and the bonus was none.


def test_rule_10_4_and_g14_the_bonus_is_for_the_own_phase_one_only() -> None:
    """A marker that is on an event which somebody else completes brings nothing."""
    cards = {"rows": [[], ["science.blue"]], "display": "religion finance person.3 person.4"}
    stage = Stage(cards=cards, events=["black.3"], pieces={"a.1": "g1"})
    stage.do("place a.2", "draw")
    assert (stage.chooser, stage.phase) == (1, "place")
    assert stage.hand(1) == ""


def test_g14_a_marker_that_fills_a_color_scores_and_leaves_one_action() -> None:
    cards = {"rows": [["science.blue"]], "display": "religion person.3"}
    stage = Stage(cards=cards, events=["black.3"], pieces={"a.1": 0})
    stage.do("genius a.2", "take culture.religion", "draw")
    assert stage.counter("scorings") == 1
    assert stage.chooser == 1


# ---- 11: short of stones ----


def test_rule_11_1_and_g16_foreign_stones_alone_are_exchanged_one_for_one() -> None:
    stage = Stage(3, supplies={0: "red*2 black", 1: "yellow*2 red*5", 2: "yellow black*6"})
    swaps = [text for text in stage.legal if text.startswith("swap")]
    assert swaps == ["swap seat1 red", "swap seat2 black"]  # The partner's own color.
    stage.do("swap seat1 red")
    assert stage.supply(0) == "yellow red black"
    assert stage.supply(1) == "yellow red*6"
    assert not [text for text in stage.legal if text.startswith("swap")]  # One, when needed.
    assert places(stage)


def test_rule_11_1_a_partner_whose_color_one_has_not_gets_any_other() -> None:
    stage = Stage(3, supplies={0: "black*2", 1: "yellow*2 red*7"})
    assert [text for text in stage.legal if text.startswith("swap")] == ["swap seat1 black"]
    assert stage.refuses(Action("swap", (), 4 * 1 + 1))


def test_rule_11_1_and_g16_an_own_stone_forbids_it_and_nobody_has_to() -> None:
    stage = Stage(supplies={0: "yellow red*2", 1: "yellow*6 red*5"})
    assert not [text for text in stage.legal if text.startswith("swap")]
    unwilling = Stage(supplies={0: "red*2", 1: "yellow*6 red*5"}, pieces={"a.1": "g0"})
    unwilling.do("pass")
    assert unwilling.supply(0) == "red*2"


def test_rule_11_2_and_g17_without_any_stone_a_piece_moves_to_another_space() -> None:
    pieces: dict[str, int | str] = {"a.1": 0, "a.2": 1, "b.1": "g0"}
    stage = Stage(events=["black.3", "red.3", "black.5"], pieces=pieces, supplies={0: ""})
    assert stage.legal[:3] == ["pass", "lift a.1", "lift b.1"]
    stage.do("lift a.1")
    assert "pass" not in stage.legal
    assert "a.1" not in places(stage)
    assert [spot for spot in places(stage) if spot[0] == "a"] == ["a.4"]  # Joined to seat 1's.
    stage.do("place c.3")
    assert (stage.piece("a.1"), stage.piece("c.3")) == (0, 1)
    assert stage.phase == "act"


def test_rule_11_2_a_marker_that_is_moved_gives_its_bonus_again() -> None:
    cards = {"rows": [["science.blue"]], "display": "religion finance person.3 person.4"}
    stage = Stage(cards=cards, pieces={"a.4": "g0"}, supplies={0: ""})
    stage.do("lift a.4")
    assert not places(stage)
    stage.do("genius b.1", "take culture.finance")
    assert stage.hand(0) == "finance"


def test_rule_11_2_who_can_place_or_exchange_a_stone_cannot_move_a_piece() -> None:
    for supplies in ({0: "yellow"}, {0: "red", 1: "yellow red*5"}):
        stage = Stage(pieces={"a.1": 0}, supplies=supplies)
        assert not places(stage, "lift")
        assert stage.refuses(Action("lift", (), 0))


def test_g33_foreign_stones_that_nobody_exchanges_do_not_keep_one_from_moving() -> None:
    """Seat 0 has all its stones on events and all those of seat 1, which has none to act with."""
    mine: dict[str, int | str] = {"a.1": 0, "a.4": 0, "b.1": 0, "b.4": 0, "c.1": 0, "c.4": 0}
    stage = Stage(
        events=["black.5", "black.6", "green.1"],
        pieces={**mine, "a.2": 0, "b.2": "g0", "c.2": "g1"},
        supplies={0: "red*7", 1: ""},
    )
    assert not [text for text in stage.legal if text.startswith("swap")]
    assert len(places(stage, "lift")) == 8
    stage.do("lift a.1", "place a.3")
    assert stage.phase == "act"


@pytest.mark.parametrize("text", ["place", "genius", "lift", "swap"])
def test_a_number_that_is_no_spot_is_refused(text: str) -> None:
    assert all(Stage().refuses(Action(text, (), number)) for number in (18, 35, 36, 47, 1 << 24))
