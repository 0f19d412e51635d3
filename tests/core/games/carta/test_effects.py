"""What every domain does (rule 5)."""

from __future__ import annotations

from core.requests import Action
from tests.core.games.carta.stage import Stage


def test_rule_5_1_assassination_discards_one_card_from_hand() -> None:
    stage = Stage(["military*3", ""], ["science*2 culture"]).do("play science", "use military.1")
    assert stage.legal == ["discard science", "discard culture"]
    stage.do("discard culture")
    assert stage.zone("discard") == "culture"
    assert stage.hand(0) == "science"


def test_rule_5_1_purge_discards_two_cards_from_hand() -> None:
    stage = Stage(["military*5", ""], ["science*3 culture"]).do("play science", "use military.2")
    stage.do("discard culture", "discard science")
    assert stage.zone("discard") == "science culture"
    assert "end" in stage.legal


def test_rule_5_1_a_card_discarded_from_hand_is_seen_by_everybody() -> None:
    stage = Stage(["military*3", ""], ["science*2"]).do("play science", "use military.1")
    stage.do("discard science")
    assert stage.seen("discard", None) == ["science"]


def test_rule_5_1_attack_costs_a_military_and_a_further_card_and_hits_everybody_else() -> None:
    stage = Stage(
        ["military science*2", "science*2", "science culture"], ["", "science", "science"]
    )
    stage.do("use military.x")
    assert stage.legal == ["discard science"]
    stage.do("discard science")
    assert stage.area(0) == "science"
    assert stage.area(1) == "science"
    assert stage.area(2) == "culture"
    assert stage.zone("discard") == "military science science science"


def test_rule_5_2_holy_book_makes_the_hand_limit_five() -> None:
    stage = Stage(["religion*3", ""], ["", "science"], deck="culture*9").do("end")
    assert stage.hand(0) == " ".join(["culture"] * 5)


def test_rule_5_2_divine_right_makes_the_hand_limit_seven() -> None:
    stage = Stage(["religion*5", ""], ["", "science"], deck="culture*9").do("end")
    assert stage.hand(0) == " ".join(["culture"] * 7)


def test_rule_5_2_inquisition_takes_a_whole_hand_and_gives_as_many_back() -> None:
    stage = Stage(["religion", "", ""], ["military science", "culture economy", "utopia"])
    stage.do("play military", "use religion.x")
    assert stage.area(0) == "military"
    assert stage.legal == ["target seat1", "target seat2"]
    stage.do("target seat1")
    assert stage.hand(0) == "economy science culture"
    assert stage.hand(1) == ""
    stage.do("give science", "give economy")
    assert stage.hand(0) == "culture"
    assert stage.hand(1) == "economy science"
    assert stage.chooser == 0
    assert "end" in stage.legal


def test_rule_5_2_only_thief_and_victim_know_which_cards_change_hands() -> None:
    stage = Stage(
        ["religion", "", ""], ["military science", "culture economy", "utopia"], ages="I III"
    )
    stage.do("play military", "use religion.x", "target seat1")
    assert sorted(map(str, stage.seen("seat0.hand", 0))) == ["culture", "economy", "science"]
    assert stage.seen("seat0.hand", 1) == [None] * 3  # The thief has mixed the hand.
    assert stage.seen("seat0.hand", 2) == [None] * 3
    stage.do("give science", "give economy")
    assert sorted(map(str, stage.seen("seat1.hand", 1))) == ["economy", "science"]
    assert stage.seen("seat1.hand", 0) == [None] * 2  # The victim has mixed it, too.
    assert stage.seen("seat1.hand", 2) == [None] * 2


def test_rule_5_2_a_card_that_all_had_seen_is_lost_from_sight_in_an_inquisition() -> None:
    stage = Stage(
        ["religion", "", ""], ["military", "culture", "utopia"], known=["science"], ages="I III"
    )
    stage.do("play military", "use religion.x", "target seat1")
    assert stage.seen("seat0.hand", None) == [None] * 2
    stage.do("give science")
    assert stage.seen("seat1.hand", 2) == [None]


def test_rule_5_3_development_discards_one_and_plays_one() -> None:
    stage = Stage(["economy*3 military", ""], ["science*2 culture"]).do("play science")
    stage.do("use economy.1", "discard military")
    assert stage.legal == ["play science", "play culture"]
    stage.do("play culture")
    assert stage.area(0) == "economy economy economy science culture"
    assert stage.zone("discard") == "military"


def test_rule_5_3_monopoly_discards_two_and_plays_two() -> None:
    stage = Stage(["economy*5", ""], ["science*4"]).do("play science", "use economy.2")
    stage.do("discard economy", "discard science", "play science", "play science")
    assert stage.area(0) == "economy economy economy economy science science"
    assert "end" in stage.legal


def embargoed(**options: str) -> Stage:
    """Seat 0 has laid an embargo on the Science of seat 1."""
    stage = Stage(["economy", "science*3", ""], ["", "science*2 culture", "science"], **options)
    return stage.do("use economy.x", "target seat1 science")


def test_rule_5_3_embargo_turns_an_economy_card_over_on_a_domain_of_another_seat() -> None:
    stage = Stage(["economy", "science military", "culture"], ["", "science", "science"])
    stage.do("use economy.x")
    assert stage.legal == ["target seat1 military", "target seat1 science", "target seat2 culture"]
    stage.do("target seat1 science")
    assert stage.area(0) == ""
    assert stage.zone("seat1.embargo") == "economy"
    assert stage.counter("seat1.embargo.science") == 1


def test_rule_5_3_an_embargoed_domain_cannot_be_played_in_the_next_own_turn() -> None:
    stage = embargoed().do("end")
    assert stage.chooser == 1
    assert stage.legal == ["play culture"]


def test_rule_5_3_the_embargo_ends_with_that_turn_and_the_card_is_discarded() -> None:
    stage = embargoed().do("end", "play culture")
    assert stage.zone("discard") == ""
    stage.do("end")
    assert stage.zone("discard") == "economy"
    assert stage.seen("discard", None) == ["economy"]
    assert stage.counter("seat1.embargo.science") == 0
    stage.do("play science", "end")
    stage.do(stage.legal[0], "end")
    assert "play science" in stage.legal


def test_rule_5_4_experiment_takes_one_back_and_plays_one() -> None:
    stage = Stage(["science*3 culture", ""], ["military*2", ""]).do("play military")
    stage.do("use science.1", "return culture")
    assert stage.hand(0) == "military culture"
    assert sorted(map(str, stage.seen("seat0.hand", 1))) == ["None", "culture"]  # All saw it.
    stage.do("play culture")
    assert "end" in stage.legal


def test_rule_5_4_research_takes_two_back_and_plays_two() -> None:
    stage = Stage(["science*5 culture", ""], ["military*3", ""]).do("play military")
    stage.do("use science.2", "return culture", "return science", "play military", "play science")
    assert stage.area(0) == "military military science science science science science"
    assert stage.hand(0) == "military culture"


def test_rule_5_4_discovery_draws_five_and_discards_five_from_the_whole_hand() -> None:
    stage = Stage(["science", ""], ["military*3", ""], deck="culture*7").do("play military")
    stage.do("use science.x")
    assert stage.area(0) == "military"
    assert stage.zone("deck") == "culture culture"
    assert set(stage.legal) == {"discard military", "discard culture"}
    stage.do("discard military", "discard military", *["discard culture"] * 3)
    assert stage.hand(0) == "culture culture"
    assert "end" in stage.legal


def test_rule_5_4_what_discovery_drew_is_mixed_so_that_a_discard_tells_nothing() -> None:
    stage = Stage(["science", ""], ["military*3", ""], deck="religion*7", ages="I").do(
        "play military"
    )
    held = set(stage.cards("seat0.hand"))
    stage.do("use science.x")
    assert stage.seen("seat0.hand", 1) == [None] * 7
    faces = {stage.deal[card] for card in held}
    assert faces != {0}, "the two cards held before are among the drawn ones now"


def test_rule_5_5_oligarchy_takes_one_card_from_the_discard_pile() -> None:
    stage = Stage(["utopia*3", ""], ["military*2", ""], discard="science culture")
    stage.do("play military", "use utopia.1")
    assert stage.legal == ["take science", "take culture"]
    stage.do("take culture")
    assert stage.hand(0) == "military culture"
    assert stage.zone("discard") == "science"


def test_rule_5_5_republic_takes_two() -> None:
    stage = Stage(["utopia*5", ""], ["military*2", ""], discard="science culture*2")
    stage.do("play military", "use utopia.2", "take culture", "take culture")
    assert stage.hand(0) == "military culture culture"


def test_rule_5_5_democracy_raises_the_goal_of_a_domain_for_good() -> None:
    stage = Stage(["utopia", "science*6", ""], ["", "science*2", "military"])
    stage.do("use utopia.x", "target seat1 science", "end")
    assert stage.zone("seat1.democracy") == "utopia"
    stage.do("play science", "end")
    assert not stage.is_over  # 7 would be enough with three seats.
    stage.do("play military", "end")
    stage.do(stage.legal[0], "end")
    assert stage.zone("seat1.democracy") == "utopia"
    stage.do("play science", "end")
    assert stage.winners == (1,)


def test_rule_5_5_any_number_of_democracies_may_lie_on_one_domain() -> None:
    stage = Stage(["utopia*2", "science", ""], ["", "military", "military"])
    stage.do("use utopia.x", "target seat1 science", "end", "play military", "end")
    stage.do("play military", "end")
    stage.do(stage.legal[0], "use utopia.x", "target seat1 science")
    assert stage.counter("seat1.democracy.science") == 2
    assert stage.zone("seat1.democracy") == "utopia utopia"


def test_rule_5_6_inspiration_copies_a_permanent_effect_that_another_seat_has() -> None:
    stage = Stage(["culture*2", "military*5 culture"], ["science*3", "science"])
    stage.do("play science", "use culture.0")
    assert stage.legal == ["copy military.1", "copy military.2"]
    stage.do("copy military.2", "discard science", "discard science")
    assert stage.zone("discard") == "science science"
    assert stage.coin == (0, 0)


def test_rule_5_6_it_needs_strictly_more_culture_than_every_other_seat() -> None:
    tie = Stage(["culture*2", "military*5 culture*2"], ["science*3", "science"])
    assert "use culture.0" not in tie.do("play science").legal
    third = Stage(["culture*2", "military*5", "culture*2"], ["science*3", "science", "science"])
    assert "use culture.0" not in third.do("play science").legal


def test_rule_5_6_once_a_turn() -> None:
    stage = Stage(["culture*2", "military*3 science*3"], ["economy*3", "science"])
    stage.do("play economy", "use culture.0", "copy military.1", "discard economy")
    assert "use culture.0" not in stage.legal


def test_rule_5_6_a_copy_uses_up_the_own_permanent_effect_of_that_domain() -> None:
    stage = Stage(["culture*2 military*3", "military*3"], ["science*4", "science"])
    stage.do("play science", "use culture.0", "copy military.1", "discard science")
    assert "use military.1" not in stage.legal


def test_rule_5_7_the_discard_pile_is_open_to_everybody() -> None:
    stage = Stage(["", ""], ["science", "science"], discard="military culture")
    for seat in (None, 0, 1):
        assert stage.seen("discard", seat) == ["military", "culture"]


def test_each_permanent_effect_can_be_copied() -> None:
    area = "military*3 religion*3 economy*3 science*3 utopia*3"
    stage = Stage(["culture", area], ["economy*3", "science"], discard="science")
    stage.do("play economy", "use culture.0")
    assert stage.legal == [
        "copy military.1", "copy religion.1", "copy economy.1", "copy science.1", "copy utopia.1",
    ]  # fmt: skip
    for number in (0, 3, 12 + 3, 16, 99):
        assert stage.refuses(Action("copy", (), number))
