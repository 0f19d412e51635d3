"""New events, the end of the game, and the team game (9, 13, 14)."""

from __future__ import annotations

from typing import Any

import pytest

from core.requests import Action
from core.table import OptionValue
from core.testing.worlds import play_random
from tests.core.games.renaissance.stage import GAME, Stage, spot_of

LAST_TWO = ["black.3", "red.3", "black.5"]


def culture_scored(**given: Any) -> Stage:
    """Seat 0 has filled the blue spaces of the first event (architecture) alone."""
    events = given.pop("events", LAST_TWO)
    pieces = {"a.1": 0, **given.pop("pieces", {})}
    stage = Stage(given.pop("players", 2), events=events, pieces=pieces, **given)
    return stage.do("place a.2", "draw")


# ---- 9: new events ----


def test_rule_9_1_after_culture_the_event_stays_and_the_next_lies_on_it() -> None:
    stage = culture_scored(cards={"deck": "green.5 green.6"})
    assert stage.zone("event.a") == "black.3 green.5"
    assert stage.zone("events") == "green.6"


def test_rule_9_1_after_characters_the_event_leaves_with_all_under_it() -> None:
    stage = Stage(events=["black.1 black.3"], pieces={"a.3": 0}, cards={"deck": "green.5"})
    stage.do("place a.4", "draw", "pass")
    assert stage.zone("event.a") == "green.5"
    assert stage.zone("gone") == "black.1 black.3"


def test_rule_9_2_and_g9_only_the_spaces_on_top_count() -> None:
    stage = culture_scored(cards={"deck": "green.3 green.6"})
    assert [text for text in stage.legal if text.startswith("place a")] == [
        "place a.1",
        "place a.2",
    ]
    assert stage.refuses(Action("place", (), spot_of("a.3")))


def test_rule_9_3_with_an_empty_deck_the_event_leaves_and_the_location_is_closed() -> None:
    stage = culture_scored(players=3, events=["black.1 black.3"], cards={"deck": ""})
    assert stage.zone("event.a") == ""
    assert stage.zone("gone") == "black.1 black.3"
    assert not [text for text in stage.legal if text.startswith("place a")]
    assert stage.counter("scorings") == 1


# ---- 13: the end ----


def test_rule_13_1_and_g29_with_two_locations_left_pieces_come_back_unscored() -> None:
    """The card action was done before; the next seat does not move any more."""
    pieces = {"b.1": 0, "b.2": 1, "c.1": "g1"}
    stage = culture_scored(pieces=pieces, cards={"deck": ""})
    assert stage.is_over
    assert stage.counter("scorings") == 1
    assert (stage.stones(0), stage.stones(1)) == (7, 7)
    assert stage.counter("seat1.genius") == 1


def test_rule_13_2_and_g18_most_stones_of_any_color_win_and_markers_do_not_count() -> None:
    stage = culture_scored(cards={"deck": "", "rows": [["architecture"]]}, pieces={"b.1": "g1"})
    assert GAME.scores(stage.table) == (8, 6)
    assert GAME.winners(stage.table) == (0,)


def level(hands: list[str]) -> Stage:
    """A game that ends with seven stones each and these hands, and Finance for seat 0."""
    cards = {"deck": "", "hands": hands, "display": "finance"}
    stage = Stage(events=LAST_TWO, pieces={"a.1": 0}, cards=cards)
    return stage.do("place a.2", "take culture.finance")


@pytest.mark.parametrize(
    ("hands", "winners"),
    [
        (["", "religion religion.red"], (1,)),  # Seat 0 has taken one culture card.
        (["person.4", "religion"], (0,)),  # One each; characters decide.
        (["person.religion.1 person.science.1", "religion person.3"], (0,)),  # 4 against 3.
        (["", "religion"], (0, 1)),
    ],
)
def test_rule_13_2_if_level_culture_in_hand_then_characters_then_all_share(
    hands: list[str], winners: tuple[int, ...]
) -> None:
    stage = level(hands)
    assert GAME.scores(stage.table) == (7, 7)
    assert GAME.winners(stage.table) == winners


def test_rule_13_2_only_those_who_are_level_show_their_hands() -> None:
    stage = level(["person.4", "religion"])
    assert stage.seen("seat0.hand", None).count(None) == 0
    won = culture_scored(cards={"deck": "", "rows": [["architecture"]], "hands": ["person.4"]})
    assert None in won.seen("seat0.hand", None)


@pytest.mark.parametrize(("players", "scorings"), [(2, 11), (3, 13), (4, 15)])
def test_rule_13_3_the_number_of_scorings_is_fixed(players: int, scorings: int) -> None:
    for seed in range(12):
        options = {option.key: option.values[0] for option in GAME.options}
        table = play_random(GAME, players, options, seed).table
        assert table.counters[table.layout.counters.index("scorings")] == scorings


# ---- 14: teams ----

TEAM = {"team": True}


def test_rule_14_1_partners_sit_next_to_each_other() -> None:
    stage = Stage(4, options=TEAM)
    assert [GAME.team(stage.table, seat) for seat in range(4)] == [0, 0, 1, 1]
    alone = Stage(4)
    assert [GAME.team(alone.table, seat) for seat in range(4)] == [0, 1, 2, 3]


def test_rule_14_2_partners_may_not_share_an_event_in_the_center() -> None:
    pieces = {"a.1": 1, "b.1": 2, "c.1": 1}
    letters = {text.split()[1][0] for text in Stage(4, pieces=pieces, options=TEAM).legal}
    assert letters == set("bcf")  # c lies between the partners, and is open to both.
    assert {text.split()[1][0] for text in Stage(4, pieces=pieces).legal} == set("abcf")


def test_rule_14_3_alone_in_the_center_one_is_paid_by_the_opponents_only() -> None:
    rows = [["architecture.blue architecture.red architecture"]]
    stage = culture_scored(players=4, options=TEAM, cards={"rows": rows})
    assert [stage.stones(seat) for seat in range(4)] == [10, 7, 6, 5]


@pytest.mark.parametrize(
    ("payers", "stones"), [("partner", [9, 5, 7, 7]), ("center", [9, 7, 6, 6])]
)
def test_g26_alone_between_partners_the_partner_pays_or_the_opponents(
    payers: str, stones: list[int]
) -> None:
    cards = {"rows": [["architecture.blue architecture.red"]]}
    options: dict[str, OptionValue] = {**TEAM, "partners_event": payers}
    stage = Stage(4, events=["red.3", "black.5", "black.3"], pieces={"c.1": 0}, cards=cards,
                  options=options)  # fmt: skip
    stage.do("place c.2", "draw")
    assert [stage.stones(seat) for seat in range(4)] == stones


@pytest.mark.parametrize("is_team", [True, False])
def test_g26_between_opponents_the_neighbor_pays_whatever_was_agreed(is_team: bool) -> None:
    """Location d lies between seats 1 and 2."""
    options: dict[str, OptionValue] = {"team": is_team, "partners_event": "center"}
    stage = Stage(
        4, events=["red.3", "black.5", "black.6", "black.3"], pieces={"d.1": 1}, turn=1,
        cards={"rows": [[], ["architecture.blue architecture.red"]]}, options=options,
    )  # fmt: skip
    stage.do("place d.2", "draw")
    assert [stage.stones(seat) for seat in range(4)] == [7, 9, 5, 7]


def test_g26_partners_may_fight_each_other() -> None:
    cards = {"piles": ["person.3", "person.religion.1"], "display": "finance"}
    stage = Stage(4, events=["red.3", "black.5", "black.2"], pieces={"c.2": 1}, cards=cards,
                  options=TEAM)  # fmt: skip
    stage.do("place c.3", "take culture.finance", "uncover", "uncover", "pass")
    assert [stage.stones(seat) for seat in range(4)] == [8, 6, 7, 7]


def test_rule_14_4_both_supplies_and_both_hands_count_for_a_team() -> None:
    closed = ["black.3", "red.3", "black.5", "", "", ""]
    cards = {
        "deck": "",
        "hands": ["", "", "religion person.4", "religion.red"],
        "display": "finance",
    }
    stage = Stage(4, events=closed, pieces={"a.1": 0}, cards=cards, options=TEAM)
    stage.do("place a.2", "take culture.finance")
    assert GAME.scores(stage.table) == (14, 14, 14, 14)
    assert GAME.winners(stage.table) == (2, 3)


def test_rule_14_4_a_team_wins_with_most_stones_of_both() -> None:
    closed = ["black.3", "red.3", "black.5", "", "", ""]
    cards = {"deck": "", "rows": [["architecture"]]}
    supplies = {0: "yellow", 1: "red*7 black*3 white*2", 2: "black*4", 3: "white*5"}
    stage = Stage(4, events=closed, pieces={"a.1": 0}, cards=cards, options=TEAM, supplies=supplies)
    stage.do("place a.2", "draw")
    assert GAME.scores(stage.table)[0] > GAME.scores(stage.table)[2]
    assert GAME.winners(stage.table) == (0, 1)
