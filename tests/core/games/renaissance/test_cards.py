"""Phase II: card actions, rows, piles, and what happens when cards run out (3, 5, 12)."""

from __future__ import annotations

from typing import Any

from core.games.renaissance.cards import FACES
from core.requests import Action, Claim
from tests.core.games.renaissance.stage import GAME, Stage, face_of


def acting(**given: Any) -> Stage:
    """A stage on which seat 0 has placed a stone that scores nothing."""
    return Stage(**given).do("place a.1")


def rows_of(stage: Stage, seat: int = 0) -> list[str]:
    """The rows that a seat has, by slot."""
    return [row for row in (stage.zone(f"seat{seat}.row{slot}") for slot in range(1, 6)) if row]


def symbols_of(stage: Stage, slot: int, seat: int = 0) -> list[str]:
    """The symbols for which a row counts."""
    bits = stage.counter(f"seat{seat}.row{slot}.symbols")
    names = ("science", "architecture", "finance", "exploration", "religion")
    return [name for at, name in enumerate(names) if bits >> at & 1]


# ---- 3: a turn ----


def test_rule_3_1_a_piece_then_one_or_two_card_actions() -> None:
    stage = Stage()
    assert not {"draw", "end"} & set(stage.legal)
    stage.do("place a.1")
    assert "end" not in stage.legal  # One has to be done,
    assert stage.refuses(Action("end"))
    stage.do("draw", "end")  # and a second need not be.
    assert stage.chooser == 1


def test_rule_3_2_who_brings_a_scoring_about_has_one_action_and_it_comes_first() -> None:
    stage = Stage(events=["black.3"], pieces={"a.1": 0}, cards={"hands": ["architecture"]})
    stage.do("place a.2")
    assert stage.counter("scorings") == 0
    stage.do("lay culture.architecture")  # It counts in the scoring that follows.
    assert stage.counter("scorings") == 1
    assert stage.stones(0) == 8
    assert stage.chooser == 1


# ---- 5: card actions ----


def test_rule_5_1_a_card_is_taken_from_the_display_or_from_the_talon() -> None:
    stage = acting(cards={"display": "science person.3 finance religion", "talon": "person.4"})
    stage.do("take person.3")
    assert stage.hand(0) == "person.3"
    assert stage.seen("seat0.hand", None) == ["person.3"]  # All have seen it.
    assert stage.refuses(Action("take", (stage.cards("seat0.hand")[0],)))


def test_rule_5_1_a_card_of_the_talon_is_seen_by_its_taker_alone() -> None:
    stage = acting(cards={"display": "science finance religion exploration",
                          "talon": "person.4 person.3"})  # fmt: skip
    stage.do("draw")
    assert stage.seen("seat0.hand", 0) == ["person.4"]
    assert stage.seen("seat0.hand", 1) == [None]


def test_rule_5_2_culture_goes_face_up_and_characters_face_down() -> None:
    stage = acting(cards={"hands": ["science.blue person.religion.2"]})
    assert {"lay culture.science.blue", "hide person.religion.2"} <= set(stage.legal)
    stage.do("lay culture.science.blue", "hide person.religion.2")
    assert rows_of(stage) == ["science.blue"]
    assert stage.seen("seat0.persons", 1) == [None]
    assert stage.seen("seat0.persons", 0) == ["person.religion.2"]
    assert len(stage.cards("seat0.persons")) == 1  # The others see how many there are.


def test_rule_5_2_a_character_cannot_be_laid_and_culture_not_be_hidden() -> None:
    stage = acting(cards={"hands": ["science person.3"], "known": ["finance person.4"]})
    by_name = {FACES[stage.dealer.deal[card]]: card for card in stage.cards("seat0.hand")}
    for name in ("person.3", "person.4"):
        assert stage.refuses(Action("lay", (by_name[name],)))
    assert stage.refuses(Action("hide", (by_name["culture.finance"],)))
    unseen = Action("hide", (by_name["culture.science"],))
    claim = stage.claim(unseen)
    assert claim is not None
    assert stage.dealer.deal[by_name["culture.science"]] not in claim.faces


def test_rule_5_2_who_hides_a_card_claims_a_character_and_shows_nothing_else() -> None:
    stage = acting(cards={"hands": ["person.religion.2 science"]})
    action = stage.action("hide person.religion.2")
    faces = tuple(face for face, key in enumerate(FACES) if key.startswith("person."))
    assert stage.claim(action) == Claim(action.cards, faces)
    assert GAME.describe(stage.table, action, stage.table.face) == "hide ?"
    assert stage.claim(Action("hide", (1 << 24,))) is None


def test_rule_5_3_and_g7_the_display_is_filled_after_each_action() -> None:
    cards = {"display": "science finance religion exploration"}
    stage = acting(cards=cards)
    stage.do("take culture.science")
    assert len(stage.cards("display")) == 4
    later = acting(cards=cards, options={"refill": "turn"})
    later.do("take culture.science")
    assert len(later.cards("display")) == 3
    later.do("take culture.finance")
    assert (len(later.cards("display")), later.chooser) == (4, 1)


def test_rule_5_4_every_symbol_has_a_row_and_the_top_card_hides_the_genius_below() -> None:
    stage = acting(cards={"hands": ["science religion"], "rows": [["science.blue"]]})
    stage.do("lay culture.science", "lay culture.religion")
    assert rows_of(stage) == ["science.blue science", "religion"]
    assert [symbols_of(stage, slot) for slot in (1, 2)] == [["science"], ["religion"]]


def test_rule_5_5_and_g8_a_double_counts_one_until_an_action_rotates_it() -> None:
    stage = acting(cards={"hands": ["science.double"], "rows": [["science"]]})
    stage.do("lay culture.science.double")
    assert stage.counter("seat0.row1.turned") == 0
    stage.do("rotate science")
    assert stage.counter("seat0.row1.turned") == 0b10
    assert stage.chooser == 1  # It was a card action of its own.


def test_rule_5_5_a_double_that_is_covered_or_turned_cannot_be_rotated() -> None:
    rows = [["science.double science", "finance.double!", "religion.double"]]
    stage = acting(cards={"rows": rows})
    assert [text for text in stage.legal if text.startswith("rotate")] == ["rotate religion"]
    assert stage.refuses(Action("rotate", (), 0))
    assert stage.refuses(Action("rotate", (), 2))


def test_rule_5_6_and_g23_a_joker_joins_a_row_or_begins_one() -> None:
    stage = acting(cards={"hands": ["science.architecture.blue science.religion.blue"],
                          "rows": [["science"]]})  # fmt: skip
    stage.do("lay culture.science.architecture.blue")
    assert rows_of(stage) == ["science science.architecture.blue"]
    assert symbols_of(stage, 1) == ["science"]
    alone = acting(cards={"hands": ["science.architecture.blue"], "rows": [["finance"]]})
    alone.do("lay culture.science.architecture.blue")
    assert symbols_of(alone, 2) == ["science", "architecture"]


def test_rule_5_6_the_first_single_card_decides_what_a_row_of_jokers_is() -> None:
    stage = acting(cards={"hands": ["architecture science"],
                          "rows": [["science.architecture.blue"]]})  # fmt: skip
    stage.do("lay culture.architecture")
    assert symbols_of(stage, 1) == ["architecture"]
    stage.do("lay culture.science")
    assert rows_of(stage) == ["science.architecture.blue architecture", "science"]


def test_rule_5_6_a_joker_on_a_joker_keeps_what_both_share() -> None:
    stage = acting(
        cards={"hands": ["science.finance.red"], "rows": [["science.architecture.blue"]]}
    )
    stage.do("lay culture.science.finance.red")
    assert symbols_of(stage, 1) == ["science"]


def test_rule_5_6_and_g23_of_two_rows_the_player_chooses() -> None:
    stage = acting(cards={"hands": ["science.religion.blue"], "rows": [["science", "religion"]]})
    stage.do("lay culture.science.religion.blue")
    assert (stage.phase, stage.legal) == ("join", ["join science", "join religion"])
    assert stage.refuses(Action("join", (), 1))
    stage.do("join religion")
    assert rows_of(stage) == ["science", "religion science.religion.blue"]
    assert stage.phase == "act"


def test_rule_5_6_a_row_that_has_lost_its_single_card_counts_for_both_again() -> None:
    """12.2 takes the top cards; where another row has a symbol by then it stays with that row."""
    rows = [["science.architecture.blue science", "finance.religion.red religion", "finance.blue"]]
    stage = acting(cards={"rows": rows, "display": "person.3", "talon": "", "discard": ""})
    stage.do("take person.3")
    assert symbols_of(stage, 1) == ["science", "architecture"]
    assert symbols_of(stage, 2) == ["finance", "religion"]
    assert symbols_of(stage, 3) == []


def test_g23_no_symbol_ever_has_two_rows_when_a_row_loses_its_single_card() -> None:
    """Two jokers lie open; architecture already has a row, so the first counts for science."""
    rows = [["science.architecture.blue science", "architecture.blue architecture"]]
    stage = acting(cards={"rows": rows, "display": "person.3", "talon": "", "discard": ""})
    stage.do("take person.3")
    assert [symbols_of(stage, slot) for slot in (1, 2)] == [["science"], ["architecture"]]


def test_rule_5_7_nothing_that_lies_in_a_row_or_on_the_pile_can_be_taken() -> None:
    stage = acting(cards={"rows": [["science"]], "piles": ["person.3"]})
    for zone in ("seat0.row1", "seat0.persons"):
        (card,) = stage.cards(zone)
        for verb in ("take", "lay", "hide", "call", "keep"):
            assert stage.refuses(Action(verb, (card,)))


def test_g19_the_pile_is_last_in_first_out_and_only_its_owner_looks() -> None:
    stage = acting(cards={"hands": ["person.3 person.4"], "piles": ["person.religion.1"]})
    stage.do("hide person.4", "hide person.3")
    assert stage.zone("seat0.persons") == "person.religion.1 person.4 person.3"
    assert stage.seen("seat0.persons", None) == [None] * 3
    assert None not in stage.seen("seat0.persons", 0)


def test_g24_a_hand_has_no_limit() -> None:
    hand = "science*1 finance*1 religion*1 exploration*1 person.science.1*3 person.religion.1*3"
    stage = acting(cards={"hands": [hand]})
    stage.do("draw", "draw")
    assert len(stage.cards("seat0.hand")) == 12
    assert stage.chooser == 1


# ---- 12: short of cards ----


def test_rule_12_1_the_last_card_of_the_talon_brings_the_discard_pile_back_at_once() -> None:
    cards = {"display": "science finance religion exploration", "talon": "person.4",
             "discard": "architecture person.science.2"}  # fmt: skip
    stage = acting(cards=cards)
    stage.do("draw")
    assert (len(stage.cards("talon")), len(stage.cards("discard"))) == (2, 0)
    assert stage.sorted_zone("display") == "exploration finance religion science"
    assert stage.seen("talon", 0) == [None, None]  # It has been shuffled.


def test_rule_12_1_a_discard_pile_of_one_card_is_the_talon_as_it_is() -> None:
    cards = {"display": "science finance religion exploration", "talon": "person.4",
             "discard": "person.3"}  # fmt: skip
    stage = acting(cards=cards).do("draw")
    assert stage.zone("talon") == "person.3"


def test_rule_12_2_when_the_display_cannot_be_filled_all_rows_lose_their_top_card() -> None:
    rows = [["science", "religion.blue religion"], ["exploration"]]
    cards = {"rows": rows, "display": "person.3 person.4", "talon": "", "discard": ""}
    stage = acting(cards=cards)
    stage.do("take person.3")
    assert rows_of(stage) == ["religion.blue"]
    assert rows_of(stage, 1) == []
    assert len(stage.cards("display")) == 4  # One was left, three rows had a card.
    assert len(stage.cards("talon") + stage.cards("discard")) == 0


def test_g25_with_too_few_cards_the_game_goes_on_with_a_smaller_display() -> None:
    cards = {"rows": [["science"]], "display": "person.3 person.4",
             "talon": "", "discard": ""}  # fmt: skip
    stage = acting(cards=cards)
    stage.do("take person.3")
    assert len(stage.cards("display")) == 2
    assert stage.phase == "act"


def test_g25_with_no_card_anywhere_the_turn_ends_by_itself() -> None:
    stage = Stage(cards={"talon": "", "discard": ""})
    stage.do("place a.1")
    assert (stage.chooser, stage.phase) == (1, "place")


def test_equal_cards_are_offered_once_and_a_known_one_first() -> None:
    stage = acting(cards={"hands": ["science.blue"], "known": ["science.blue"]})
    lay = [text for text in stage.legal if text.startswith("lay")]
    assert lay == ["lay culture.science.blue"]
    (card,) = stage.action(lay[0]).cards
    assert stage.table.face[card] == face_of("science.blue")
