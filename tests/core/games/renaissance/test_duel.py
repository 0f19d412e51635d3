"""Character scorings, card by card (8)."""

from __future__ import annotations

from typing import Any

import pytest

from core.games.renaissance.cards import FACES
from core.games.renaissance.hands import person_total
from core.requests import Action
from tests.core.games.renaissance.stage import GAME, Stage, face_of


def duel(*, stack: str = "black.2", players: int = 2, **given: Any) -> Stage:
    """Seat 0 has filled the red spaces a.2 and a.3 of an event of religion, with seat 1 there."""
    events = [stack, "red.3", "black.5"]
    stage = Stage(players, events=events, pieces={"a.2": 1}, **given)
    return stage.do("place a.3", "take culture.finance")


def persons(hands: list[str] | None = None, piles: list[str] | None = None) -> dict[str, Any]:
    """Cards for a duel, and something to take before it."""
    return {"hands": hands or [], "piles": piles or [], "display": "finance"}


def test_rule_8_1_and_8_4_the_twelve_points_of_the_example() -> None:
    ones = [face_of("person.religion.1"), face_of("person.science.1"), face_of("person.finance.1")]
    twos = [face_of("person.religion.2"), face_of("person.science.2")]
    assert person_total([ones[0], ones[1], twos[0], ones[2], twos[1]]) == 12


@pytest.mark.parametrize(
    ("names", "total"),
    [("", 0), ("religion.1", 1), ("religion.1 science.1", 4), ("3", 3), ("3 4", 7),
     ("religion.1 religion.2", 3), ("religion.2 science.2 finance.2 3", 12)],
)  # fmt: skip
def test_rule_8_4_equal_values_are_worth_one_more_each(names: str, total: int) -> None:
    assert person_total([face_of(f"person.{name}") for name in names.split()]) == total


def test_rule_8_2_to_8_6_the_example_of_black_and_yellow() -> None:
    """Two dice; Black has a 2 of religion in hand, Yellow two 1 on the pile."""
    cards = {
        "hands": ["person.finance.1", "", "person.religion.2"],
        "piles": ["person.finance.1 person.science.1", ""],
        "display": "finance",
    }
    stage = Stage(3, events=["black.1 black.2"], pieces={"a.2": 0}, cards=cards, turn=2)
    stage.do("place a.3", "take culture.finance")
    assert (stage.chooser, stage.legal) == (2, ["call person.religion.2", "pass"])
    stage.do("call person.religion.2")
    assert (stage.chooser, stage.legal) == (0, ["uncover", "pass"])  # Nothing fits in the hand.
    stage.do("uncover")
    assert stage.zone("seat0.duel") == "person.science.1"  # The top one first.
    stage.do("pass", "uncover", "pass", "pass")
    assert (stage.supply(0), stage.supply(2)) == ("yellow*7 black*2", "black*5")
    assert "person.religion.2" in stage.hand(2)
    assert stage.sorted_zone("discard") == "person.finance.1 person.science.1"
    assert stage.zone("event.a") != "black.1 black.2"


def test_rule_8_1_and_8_5_the_stake_is_the_dice_of_the_whole_stack() -> None:
    stage = duel(stack="black.1 grey.1 black.2", cards=persons(piles=["person.3", "person.4"]))
    stage.do("uncover", "uncover", "pass")
    assert (stage.stones(0), stage.stones(1)) == (4, 10)


def test_rule_8_2_passing_is_not_final_but_two_in_a_row_end_the_duel() -> None:
    stage = duel(cards=persons(piles=["person.3 person.religion.1", "person.4"]))
    stage.do("pass", "uncover", "uncover")  # Seat 0 had passed, and goes on all the same.
    assert stage.chooser == 0  # Seat 1 has no card left, and so it has passed by itself.
    stage.do("uncover", "pass")
    assert stage.phase == "keep"
    assert (stage.stones(0), stage.stones(1)) == (7, 7)  # 1 + 3 against 4.


def test_rule_8_2_who_has_no_card_at_all_is_not_asked() -> None:
    """The hand of seat 1 and its pile are empty, as everybody sees."""
    stage = duel(cards=persons(piles=["person.3"]))
    stage.do("uncover", "pass")
    assert stage.stones(0) == 8


def test_rule_8_3_from_the_hand_only_symbols_of_the_event_from_the_pile_anybody() -> None:
    hand = "person.religion.1 person.science.2 person.3 religion"
    stage = duel(cards=persons([hand], ["person.4", "person.religion.2"]))
    assert stage.legal == ["call person.religion.1", "uncover", "pass"]
    by_name = {FACES[stage.dealer.deal[card]]: card for card in stage.cards("seat0.hand")}
    for name in ("person.science.2", "person.3", "culture.religion"):
        assert stage.refuses(Action("call", (by_name[name],)))
    assert not stage.refuses(Action("call", (by_name["person.religion.1"],)))


def test_rule_8_3_a_known_card_that_does_not_fit_is_refused_at_once() -> None:
    stage = duel(cards={"known": ["person.3"], "piles": ["person.4"], "display": "finance"})
    known = next(card for card in stage.cards("seat0.hand")
                 if FACES[stage.dealer.deal[card]] == "person.3")  # fmt: skip
    assert stage.refuses(Action("call", (known,)))


def test_g11_the_total_has_to_reach_the_stake_and_not_each_card() -> None:
    pile = ["person.religion.1 person.science.1", "person.religion.1"]
    stage = duel(stack="black.1 black.2", cards=persons(piles=pile))
    stage.do("uncover", "uncover", "uncover", "pass")
    assert (stage.stones(0), stage.stones(1)) == (9, 5)


def test_rule_8_5_and_g11_a_total_below_the_stake_counts_nothing() -> None:
    """1 against nothing, with two dice: level at nothing, so the card comes back (G21)."""
    stage = duel(stack="black.1 black.2", cards=persons(piles=["person.religion.1", "person.4"]))
    stage.do("uncover", "pass", "pass")
    assert (stage.stones(0), stage.stones(1)) == (7, 7)
    assert "person.religion.1" in stage.hand(0)


def test_rule_8_6_the_loser_chooses_one_card_and_the_winner_discards_all() -> None:
    piles = ["person.4 person.3", "person.religion.1 person.religion.2"]
    stage = duel(cards=persons(piles=piles))
    stage.do("uncover", "uncover", "uncover", "uncover", "pass")
    assert (stage.chooser, stage.phase) == (1, "keep")
    assert stage.legal == ["keep person.religion.2", "keep person.religion.1"]
    stage.do("keep person.religion.1")
    assert stage.hand(1) == "person.religion.1"
    assert stage.sorted_zone("discard") == "person.3 person.4 person.religion.2"


def test_rule_8_7_if_level_both_keep_one_and_no_stones_change_hands() -> None:
    piles = ["person.religion.1 person.science.1", "person.4"]
    stage = duel(cards=persons(piles=piles))
    stage.do("uncover", "uncover", "uncover", "pass")
    assert (stage.chooser, stage.phase) == (0, "keep")
    stage.do("keep person.religion.1")
    assert "person.religion.1" in stage.hand(0)
    assert stage.hand(1) == "person.4"
    assert (stage.stones(0), stage.stones(1)) == (7, 7)


def test_g20_a_duel_in_which_nobody_calls_anybody_changes_nothing_but_the_event() -> None:
    stage = duel(cards=persons(piles=["person.3", "person.4"])).do("pass", "pass")
    assert (stage.stones(0), stage.stones(1)) == (7, 7)
    assert stage.zone("seat0.persons") == "person.3"


def test_g21_one_card_used_by_the_loser_simply_comes_back() -> None:
    stage = duel(cards=persons(piles=["person.3", "person.4"]))
    stage.do("uncover", "uncover", "pass")
    assert stage.phase == "place"
    assert "person.3" in stage.hand(0)


def test_rule_8_8_alone_one_has_to_use_a_character_and_reach_the_stake() -> None:
    def sole(*actions: str, pile: str = "person.religion.1", stack: str = "black.2") -> Stage:
        stage = Stage(events=[stack, "red.3"], pieces={"a.2": 0}, cards=persons(piles=[pile]))
        return stage.do("place a.3", "take culture.finance", *actions)

    assert sole("uncover", "pass").stones(0) == 8
    assert sole("pass").stones(0) == 7
    too_low = sole("uncover", "pass", stack="black.1 black.2")
    assert too_low.stones(0) == 7
    assert "person.religion.1" in too_low.hand(0)


def test_rule_8_8_alone_one_is_paid_as_for_culture() -> None:
    events = ["red.3", "black.5", "black.6", "black.2"]
    stage = Stage(3, events=events, pieces={"d.2": 0}, cards=persons(piles=["person.3"]))
    stage.do("place d.3", "take culture.finance", "uncover", "pass")
    assert [stage.stones(seat) for seat in range(3)] == [8, 7, 6]


def test_rule_8_9_what_is_left_in_a_pile_stays_there() -> None:
    stage = duel(cards=persons(piles=["person.3 person.religion.1"])).do("uncover", "pass")
    assert stage.zone("seat0.persons") == "person.3"


def test_a_card_that_was_called_is_known_to_all_and_one_below_is_not() -> None:
    stage = duel(cards=persons(piles=["person.3 person.religion.1"])).do("uncover")
    assert stage.seen("seat0.duel", None) == ["person.religion.1"]
    assert stage.seen("seat0.persons", 1) == [None]


def test_an_empty_pile_cannot_be_uncovered() -> None:
    stage = duel(cards=persons(["person.religion.1"]))
    assert stage.refuses(Action("uncover"))
    assert GAME.describe(stage.table, Action("uncover"), stage.observation()) == "uncover"
