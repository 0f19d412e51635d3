"""The turn and the permanent effects in general (rules 3 and 4)."""

from __future__ import annotations

from ai.search.transitions import fast_forward
from core.chance import Chance
from core.games.carta.cards import COPIES, DOMAINS
from core.requests import Action
from core.table import Table
from tests.core.games.carta.lines import Lines
from tests.core.games.carta.stage import GAME, Stage


def test_rule_3_1_a_turn_begins_by_playing_one_hand_card_into_the_own_area() -> None:
    game = Lines(2, first="military science culture")
    assert game.legal(0) == ["play military", "play science", "play culture"]
    game.act(0, "play science")
    assert game.zone("seat0.science", None) == ["science"]
    assert game.view(None)["phase"] == "effects"
    assert game.try_to("act", seat=0, text="play military")["error"] == "illegal_action"


def test_rule_3_2_effects_in_any_order_one_permanent_and_one_discard_effect_a_domain() -> None:
    stage = Stage(["military*5 science*3", ""], ["", "science"], deck="military*9")
    assert {"use military.x", "use science.1", "use science.x"} <= set(stage.legal)
    stage.do("use science.1", "return science", "play science")
    assert "use science.1" not in stage.legal
    assert "use science.x" in stage.legal  # The discard effect is another matter.
    stage.do("use military.x", "discard military")
    assert "use military.x" not in stage.legal
    stage.do("use science.x")
    assert stage.zone("deck") == " ".join(["military"] * 4)


def test_rule_3_2_a_domain_can_be_used_again_in_the_next_turn() -> None:
    stage = Stage(["military*3", ""], ["science*3", "science*3"])
    stage.do("play science", "use military.1", "discard science")
    assert "use military.1" not in stage.legal
    stage.do("end", "play science", "end")
    stage.do(stage.legal[0])
    assert "use military.1" in stage.legal


def test_rule_3_2_an_effect_is_finished_before_the_next_begins() -> None:
    stage = Stage(["economy*3 military*3", ""], ["military*2", ""])
    stage.do("play military", "use economy.1")
    assert stage.legal == ["discard military", "discard economy"]
    stage.do("discard economy")
    assert stage.legal == ["play military"]
    stage.do("play military")
    assert "use military.x" in stage.legal


def test_rule_3_3_at_the_end_one_draws_up_to_three() -> None:
    stage = Stage(["", ""], ["science", "science"], deck="culture*4")
    stage.do("play science", "end")
    assert stage.hand(0) == "culture culture culture"
    assert stage.zone("deck") == "culture"


def test_rule_3_3_at_the_limit_nothing_is_drawn_and_nothing_discarded() -> None:
    stage = Stage(["", ""], ["science*5", "science"], deck="culture*4")
    stage.do("play science", "end")
    assert stage.hand(0) == "science science science science"
    assert stage.zone("deck") == "culture culture culture culture"


def test_rule_3_3_then_it_is_the_turn_of_the_seat_to_the_left() -> None:
    stage = Stage(["", "", ""], ["science"] * 3, turn=2)
    stage.do("play science", "end")
    assert stage.chooser == 0


def test_rule_3_4_effects_beat_the_basic_rules_a_second_card_is_played_by_development() -> None:
    stage = Stage(["economy*3", ""], ["science*2", ""])
    stage.do("play science", "use economy.1", "discard economy", "play science")
    assert stage.area(0) == "economy economy science science"


def test_rule_4_1_with_two_or_three_seats_levels_need_three_and_five_cards() -> None:
    for seats in (2, 3):
        others = [""] * (seats - 1)
        assert "use military.1" not in Stage(["military*2", *others], ["", "science"]).legal
        hands = ["science*3", "science"]
        three = Stage(["military*3", *others], hands).do("play science")
        assert "use military.1" in three.legal
        assert "use military.2" not in three.legal
        five = Stage(["military*5", *others], hands).do("play science")
        assert "use military.2" in five.legal


def test_rule_4_1_with_four_seats_levels_need_two_and_four_cards() -> None:
    two = Stage(["military*2", "", "", ""], ["science*3"]).do("play science")
    assert "use military.1" in two.legal
    assert "use military.2" not in two.legal
    four = Stage(["military*4", "", "", ""], ["science*3"]).do("play science")
    assert "use military.2" in four.legal


def test_rule_4_1_cards_are_counted_at_the_moment_of_use() -> None:
    stage = Stage(["military*2", ""], ["military science"]).do("play military")
    assert "use military.1" in stage.legal  # The card of step 1 counts at once.


def test_rule_4_2_level_one_and_two_are_alternatives() -> None:
    stage = Stage(["military*5", ""], ["science*4"]).do("play science")
    assert {"use military.1", "use military.2"} <= set(stage.legal)
    stage.do("use military.1", "discard science")
    assert not {"use military.1", "use military.2"} & set(stage.legal)


def test_rule_4_3_culture_has_no_levels_and_no_discard_effect() -> None:
    stage = Stage(["culture*5", ""], ["", "science"])
    assert stage.legal == ["end"]


def test_every_card_of_every_age_can_be_offered() -> None:
    for age, copies in COPIES.items():
        for domain, count in zip(DOMAINS, copies, strict=True):
            if count:
                for name in ("hands", "known"):
                    stage = Stage(["", ""], ages=age, **{name: [domain, ""]})
                    assert stage.legal == [f"play {domain}"]


def test_equal_cards_are_one_choice_and_cards_of_another_age_another() -> None:
    stage = Stage(["", ""], ["military*3 culture*2 science", ""])
    assert stage.legal == ["play military", "play culture", "play science"]
    stage = Stage(["utopia*3", ""], discard="military*9 religion*9 economy*5")
    stage.do("use utopia.1")
    assert stage.legal == [
        "take military", "take military", "take religion", "take religion", "take economy",
        "take economy",
    ]  # fmt: skip


def test_of_equal_cards_the_one_that_all_have_seen_is_offered() -> None:
    stage = Stage(["", ""], ["military*2", ""], known=["military"])
    (offered,) = GAME.legal_actions(stage.table, 0, stage.observation(0))
    assert stage.table.face[offered.cards[0]] == DOMAINS.index("military")


def test_a_hand_is_mixed_after_a_draw_and_only_then() -> None:
    game = Lines(2, first="military*3 science*3 culture*3")
    game.act(0, "play military")
    events = game.act(0, "end")["events"]
    mixed = [event["shuffled"] for event in events if "shuffled" in event]
    assert mixed == [{"seat": 0, "piles": [mixed[0]["piles"][0]]}]
    assert len(mixed[0]["piles"][0]) == 3
    rich = Stage(["", ""], ["science*2 culture*2 military", "science"])
    before = [(card, rich.deal[card]) for card in rich.cards("seat0.hand")]
    rich.do("play science", "end")
    assert {(card, rich.deal[card]) for card in rich.cards("seat0.hand")} < set(before)


def test_what_cannot_be_used_is_refused_when_it_is_tried() -> None:
    stage = Stage(["military", "science"], ["", "science"])
    assert stage.legal == ["end"]
    assert all(stage.refuses(Action("use", (), number)) for number in range(30))
    blocked = Stage(["economy", "science*3"], ["", "culture*3"], embargo_scope="use").do(
        "use economy.x", "target seat1 science", "end", "play culture"
    )
    assert blocked.refuses(Action("use", (), 4 * 3 + 1))
    assert blocked.refuses(Action("use", (), 4 * 3 + 3))


def test_plays_that_an_effect_left_over_do_not_carry_into_the_next_turn() -> None:
    stage = Stage(["economy*3", ""], ["military", "science"], deck="culture*9")
    stage.do("play military", "use economy.1", "discard economy", "end")
    stage.do("play science")
    assert "end" in stage.legal
    stage.do("end", "play culture")
    assert "end" in stage.legal


def test_a_card_played_in_an_imagined_game_lies_where_it_would_after_being_turned_up() -> None:
    stage = Stage(["economy*3", "culture"], ["culture science*2"], deck="culture*9")
    imagined = stage.table.copy()
    fast_forward(GAME, imagined, stage.deal, Chance(1))
    for text in ("play science", "use economy.1", "discard economy", "play culture"):
        action = next(each for each in legal(imagined, stage) if describe(each, stage) == text)
        stage.do(text)
        GAME.apply(imagined, 0, action)
        fast_forward(GAME, imagined, stage.deal, Chance(1))
        assert imagined.sections()["zones"] == stage.table.sections()["zones"]
        assert imagined.counters == stage.table.counters
        assert imagined.face == stage.table.face


def legal(table: Table, stage: Stage) -> list[Action]:
    """What the first seat may do on a table."""
    return GAME.legal_actions(table, 0, stage.deal)


def describe(action: Action, stage: Stage) -> str:
    """The notation of an action, with all faces known."""
    return GAME.describe(stage.table, action, stage.deal)
