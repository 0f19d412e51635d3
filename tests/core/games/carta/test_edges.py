"""The edge cases E1 to E34 that the printed rules leave open, each where it decides something."""

from __future__ import annotations

import pytest

from core.engine import apply_event
from core.requests import Action, Choice, Chosen, Claim, Reveal, Revealed
from core.table import RulesError
from tests.core.games.carta.lines import Lines
from tests.core.games.carta.stage import GAME, Stage


def under_embargo(area: str, hand: str, *, domain: str = "science", **more: str) -> Stage:
    """Seat 1 begins its turn with an embargo on `domain`, of which it has a card."""
    discard, known = more.pop("discard", ""), more.pop("known", "")
    stage = Stage(
        ["economy", area],
        ["", hand],
        discard=discard,
        known=["", known],
        deck=more.pop("deck", None),
    )
    return stage.do("use economy.x", f"target seat1 {domain}", "end")


def test_e1_an_embargoed_domain_cannot_be_played_in_step_one() -> None:
    stage = under_embargo("science", "science culture")
    assert stage.legal == ["play culture"]
    assert not stage.refuses(stage_card(stage, "science"))  # Nobody else can see it yet ...
    with pytest.raises(RulesError, match="science, which is under an embargo"):
        stage.act(stage_card(stage, "science"))  # ... but the reveal names it.


def stage_card(stage: Stage, name: str, verb: str = "play") -> Action:
    """An action with the first hand card of that face."""
    hand = stage.cards(f"seat{stage.chooser}.hand")
    card = next(card for card in hand if stage.deal[card] == GAME.faces.index(name))
    return Action(verb, (card,))


def test_e1_everybody_who_replays_the_log_refuses_an_embargoed_card_at_its_reveal() -> None:
    stage = under_embargo("science", "science culture")
    action = stage_card(stage, "science")
    table = stage.table.copy()
    request = apply_event(GAME, table, Choice(1), Chosen(action))
    assert request == Reveal(action.cards, None)
    with pytest.raises(RulesError, match="embargo"):
        apply_event(GAME, table, request, Revealed((3,)))


def test_e1_a_known_card_of_an_embargoed_domain_is_refused_at_once() -> None:
    stage = under_embargo("science", "culture", known="science")
    assert stage.refuses(stage_card(stage, "science"))


def test_e1_nor_can_it_be_played_by_development_or_experiment() -> None:
    stage = under_embargo("science economy*3", "culture*2 science")
    stage.do("play culture", "use economy.1", "discard economy")
    assert stage.legal == ["play culture"]
    stage = under_embargo("science*3", "culture*2 science")
    stage.do("play culture", "use science.1", "return science")
    assert stage.legal == ["play culture"]


def test_e1_and_f4_with_nothing_but_embargoed_cards_step_one_is_skipped_and_that_is_claimed() -> (
    None
):
    stage = under_embargo("science", "science*2", known="science")
    assert stage.legal == ["skip"]
    hidden = tuple(card for card in stage.cards("seat1.hand") if stage.table.face[card] < 0)
    assert GAME.claim(stage.table, 1, Action("skip")) == Claim(hidden, (3,))
    stage.do("skip")
    assert "end" in stage.legal
    assert GAME.claim(stage.table, 1, Action("end")) is None


def test_e1_a_false_claim_about_hidden_cards_is_a_claim_that_does_not_hold() -> None:
    stage = under_embargo("science", "science culture")
    assert stage.legal == ["play culture"]
    claim = GAME.claim(stage.table, 1, Action("skip"))
    assert claim is not None
    assert not all(stage.deal[card] in claim.faces for card in claim.cards)


def test_e1_who_holds_a_known_card_that_can_be_played_cannot_skip() -> None:
    stage = under_embargo("science", "science", known="culture")
    assert stage.refuses(Action("skip"))


def test_e2_when_nothing_can_be_played_afterwards_the_effect_is_still_allowed() -> None:
    stage = Stage(["economy*3", ""], ["military", ""]).do("play military", "use economy.1")
    stage.do("discard economy")  # The hand is empty: there is nothing to play.
    assert stage.area(0) == "military economy economy"
    assert "end" in stage.legal


def test_e2_with_one_card_for_two_plays_one_is_played() -> None:
    stage = Stage(["economy*5", ""], ["military*2", ""]).do("play military", "use economy.2")
    stage.do("discard economy", "discard economy", "play military")
    assert stage.area(0) == "military military economy economy economy"
    assert "end" in stage.legal


def test_e2_when_all_that_is_left_is_embargoed_the_play_part_is_skipped_with_a_claim() -> None:
    stage = under_embargo("science economy*3", "culture science")
    stage.do("play culture", "use economy.1", "discard economy")
    assert stage.legal == ["skip"]
    assert GAME.claim(stage.table, 1, Action("skip")) is not None
    stage.do("skip")
    assert "end" in stage.legal


def test_e3_embargoes_on_different_domains_all_apply() -> None:
    stage = Stage(["economy", "economy*1", "science culture"], ["", "", "science culture military"])
    stage.do("use economy.x", "target seat2 science", "end")
    stage.do("use economy.x", "target seat2 culture", "end")
    assert stage.legal == ["play military"]
    stage.do("play military", "end")
    assert stage.zone("discard") == "economy economy"


def test_e3_a_second_embargo_on_one_domain_is_legal_and_ends_with_the_same_turn() -> None:
    stage = Stage(["economy", "economy", "science"], ["", "", "science culture"])
    stage.do("use economy.x", "target seat2 science", "end", "use economy.x")
    assert "target seat2 science" in stage.legal
    stage.do("target seat2 science", "end")
    assert stage.legal == ["play culture"]
    stage.do("play culture", "end")
    assert stage.counter("seat2.embargo.science") == 0
    assert stage.zone("discard") == "economy economy"


def test_e4_an_embargo_needs_a_card_to_lie_on() -> None:
    stage = Stage(["economy", "science"], ["", "culture"]).do("use economy.x")
    assert stage.legal == ["target seat1 science"]
    assert stage.refuses(Action("target", (), 8 + 1 + 4))  # Culture, of which there is none.
    assert "use economy.x" not in Stage(["economy", ""], ["", "culture"]).legal


def test_e4_when_the_card_beneath_disappears_the_embargo_remains() -> None:
    stage = Stage(["economy military science", "science"], ["", "science culture"])
    stage.do("use economy.x", "target seat1 science", "use military.x", "discard science")
    assert stage.area(1) == ""
    stage.do("end")
    assert stage.legal == ["play culture"]


def test_e5_cards_turned_over_belong_to_no_domain() -> None:
    stage = Stage(["economy*4", "science"], ["", "military"], turn=0, deck="")
    assert "use economy.1" in stage.legal
    stage.do("use economy.x", "target seat1 science")
    assert "use economy.1" in stage.legal  # Three are left ...
    stage.do("use economy.1", "discard economy")
    assert "use economy.1" not in stage.legal
    stage.do("end", "play military", "end")
    assert stage.scores == (1, 2)  # ... and the marker on seat 1 gives no one a point.


def test_e5_embargo_cards_go_to_the_discard_pile_and_democracy_cards_never_leave() -> None:
    stage = Stage(["economy utopia", "science"], ["", "military*2"])
    stage.do("use economy.x", "target seat1 science", "use utopia.x", "target seat1 science", "end")
    stage.do("play military", "end")
    assert stage.zone("discard") == "economy"
    assert stage.zone("seat1.democracy") == "utopia"


def test_e6_a_democracy_stays_on_a_domain_that_has_been_emptied() -> None:
    stage = Stage(["utopia military science", "science"], ["", "military"])
    stage.do("use utopia.x", "target seat1 science", "use military.x", "discard science")
    assert stage.area(1) == ""
    assert stage.counter("seat1.democracy.science") == 1


def test_e7_level_one_may_be_chosen_with_enough_for_level_two() -> None:
    stage = Stage(["utopia*5", ""], ["military*2", ""], discard="science culture")
    stage.do("play military", "use utopia.1", "take science")
    assert "use utopia.1" not in stage.legal
    assert "use utopia.2" not in stage.legal


def test_e8_level_two_needs_two_cards_for_its_first_part() -> None:
    stage = Stage(["military*5", ""], ["science*2", ""]).do("play science")
    assert "use military.1" in stage.legal
    assert "use military.2" not in stage.legal
    stage = Stage(["utopia*5", ""], ["", "science"], discard="science")
    assert "use utopia.1" in stage.legal
    assert "use utopia.2" not in stage.legal


def test_e8_level_one_needs_one_card() -> None:
    stage = Stage(["military*3", ""], ["science", ""]).do("play science")
    assert "use military.1" not in stage.legal


def test_e9_a_discard_effect_first_can_cost_the_level() -> None:
    stage = Stage(["military*3 science", ""], ["science*2", ""]).do("play science")
    assert "use military.1" in stage.legal
    stage.do("use military.x", "discard science")
    assert "use military.1" not in stage.legal


def test_e10_development_may_discard_an_economy_card_and_goes_on() -> None:
    stage = Stage(["economy*3", ""], ["science*2", ""]).do("play science", "use economy.1")
    stage.do("discard economy")
    assert stage.legal == ["play science"]


def test_e11_both_discards_come_before_both_plays() -> None:
    stage = Stage(["economy*5", ""], ["science*4", ""]).do("play science", "use economy.2")
    stage.do("discard economy")
    assert set(stage.legal) == {"discard economy", "discard science"}
    stage.do("discard economy")
    assert set(stage.legal) == {"play science"}


def test_e11_what_research_takes_back_can_be_played_again_at_once() -> None:
    stage = Stage(["science*5", ""], ["military", ""]).do("play military", "use science.2")
    stage.do("return science", "return science")
    assert set(stage.legal) == {"play science"}
    stage.do("play science", "play science")
    assert stage.area(0) == "military science science science science science"


def test_e12_attack_needs_a_second_card() -> None:
    assert "use military.x" not in Stage(["military", "science"], ["", "science"]).legal
    stage = Stage(["military*2", "military"], ["", "science"]).do("use military.x")
    assert stage.legal == ["discard military"]  # It may be another Military card.
    stage.do("discard military")
    assert (stage.area(0), stage.area(1)) == ("", "")


def test_e13_those_without_the_domain_are_unaffected_and_partners_are_hit() -> None:
    areas = ["military science", "culture", "science", ""]
    stage = Stage(areas, ["", "science", "", ""], team=True)
    stage.do("use military.x", "discard science")
    assert [stage.area(seat) for seat in range(4)] == ["", "culture", "", ""]


def test_e14_an_attack_on_culture_moves_the_coin_at_once() -> None:
    stage = Stage(["military culture*2", "", "culture"], ["", "science", "science"])
    assert stage.coin[0] == 0
    stage.do("use military.x", "discard culture")
    assert stage.coin[0] == 0  # 1, 0, 0
    stage = Stage(["military culture", "", ""], ["", "science", "science"])
    stage.do("use military.x", "discard culture")
    assert stage.coin[0] == -1
    stage = Stage(["military culture*2", "culture*2", "culture"], ["", "science", "science"])
    assert stage.coin[0] == -1
    stage.do("use military.x", "discard culture")
    assert stage.coin[0] == -1  # 1, 1, 0


def test_e15_a_seat_with_an_empty_hand_cannot_be_robbed() -> None:
    stage = Stage(["religion", "", ""], ["", "", "science"]).do("use religion.x")
    assert stage.legal == ["target seat2"]
    assert stage.refuses(Action("target", (), 8))
    assert "use religion.x" not in Stage(["religion", "", ""], ["", "", ""]).legal


def test_e15_the_own_hand_keeps_its_size_and_the_same_cards_may_go_back() -> None:
    stage = Stage(["religion", ""], ["military*3", "culture economy"]).do("play military")
    stage.do("use religion.x", "target seat1", "give culture", "give economy")
    assert stage.hand(0) == "military military"
    assert stage.hand(1) == "economy culture"


def test_e15_only_the_two_know_which_cards_moved() -> None:
    game = Lines(3, first="religion*2 military culture*3 science*3")
    game.act(0, "play religion", "use religion.x")
    answer = game.act(0, "target seat1")
    shown = [event["shown"]["seat"] for event in answer["events"] if "shown" in event]
    assert shown == [0]
    assert not any("revealed" in event for event in answer["events"])
    mixed = [event["shuffled"]["seat"] for event in answer["events"] if "shuffled" in event]
    assert mixed == [0]
    assert answer["events"][0]["chosen"]["action"]["text"] == "target seat1"
    given = game.act(0, "give culture")
    assert given["events"][0]["chosen"]["action"]["text"] == "give ?"
    assert game.zone("seat1.hand", 2) == [None]
    assert game.zone("seat1.hand", 1) == ["culture"]


def test_e16_discovery_with_a_short_deck_draws_and_discards_what_there_is() -> None:
    stage = Stage(["science", ""], ["military*3", "military"], deck="culture*2")
    stage.do("play military", "use science.x", "discard culture", "discard military")
    assert stage.hand(0) == "military culture"
    assert "end" in stage.legal


def test_e16_discovery_needs_a_deck() -> None:
    assert "use science.x" not in Stage(["science", ""], ["", "military"], deck="").legal


def test_e16_drawing_the_last_card_by_discovery_triggers_the_last_round() -> None:
    stage = Stage(["science", ""], ["", "military*2"], deck="culture*2", begin=1)
    stage.do("use science.x", "discard culture", "discard culture", "end")
    assert stage.is_over


def test_e17_oligarchy_needs_a_discard_pile_and_may_take_what_was_discarded_this_turn() -> None:
    stage = Stage(["utopia*3 military*2", ""], ["science", ""]).do("play science")
    assert "use utopia.1" not in stage.legal
    stage.do("use military.x", "discard science")
    stage.do("use utopia.1")
    assert stage.legal == ["take military", "take science"]


def test_e18_the_limit_is_computed_in_step_three() -> None:
    stage = Stage(["religion*3", ""], ["", "science"], deck="culture*9").do("use religion.x")
    stage.do("target seat1", "give science", "end")
    assert stage.hand(0) == "culture culture culture"  # Two Religion cards are left.


def test_e18_the_highest_level_applies_by_itself() -> None:
    stage = Stage(["religion*5 culture", "religion*3"], ["", "science"], deck="culture*9")
    stage.do("use culture.0", "copy religion.1", "end")
    assert len(stage.hand(0).split()) == 7


def test_e18_a_copied_religion_counts() -> None:
    stage = Stage(["culture", "religion*5"], ["", "science"], deck="science*9")
    stage.do("use culture.0", "copy religion.2", "end")
    assert len(stage.hand(0).split()) == 7


def test_e19_the_source_has_to_qualify_now_and_culture_is_never_copied() -> None:
    stage = Stage(["culture*6", "military*2 culture*5 science*3"], ["economy*2", "science"])
    stage.do("play economy", "use culture.0")
    assert stage.legal == ["copy science.1"]
    stage = Stage(["culture military*2", "science*3", ""], ["", "science", "science"])
    stage.do("use military.x", "discard military")
    assert "use culture.0" in stage.legal
    stage = Stage(["culture military science", "science*3"], ["", "science"])
    stage.do("use military.x", "discard science")
    assert "use culture.0" not in stage.legal  # Nobody has three Science any more.


def test_e19_with_level_two_the_copier_chooses_the_level() -> None:
    stage = Stage(["culture", "science*5"], ["economy*3", "science"]).do("play economy")
    stage.do("use culture.0")
    assert stage.legal == ["copy science.1", "copy science.2"]


def test_e19_a_copied_effect_must_be_possible_in_full() -> None:
    stage = Stage(["culture", "military*5"], ["economy*2", "science"]).do("play economy")
    stage.do("use culture.0")
    assert stage.legal == ["copy military.1"]  # One card in hand.


def test_e20_an_effect_already_used_cannot_be_copied_and_a_copied_one_not_used() -> None:
    stage = Stage(["culture military*3", "military*5"], ["science*4", "science"])
    stage.do("play science", "use military.1", "discard science")
    assert "use culture.0" not in stage.legal
    stage = Stage(["culture military*3", "military*5"], ["science*4", "science"])
    stage.do(
        "play science", "use culture.0", "copy military.2", "discard science", "discard science"
    )
    assert "use military.1" not in stage.legal


def test_e21_one_culture_card_against_none_is_enough_and_a_tie_is_not() -> None:
    assert "use culture.0" in Stage(["culture", "religion*3"], ["", "science"]).legal
    assert "use culture.0" not in Stage(["culture", "religion*3 culture"], ["", "science"]).legal
    assert "use culture.0" not in Stage(["", "religion*3"], ["", "science"]).legal


def test_e21_a_partner_is_compared_too() -> None:
    areas = ["culture", "religion*2", "culture", ""]
    assert "use culture.0" not in Stage(areas, ["", "science"], team=True).legal


def test_e22_a_copied_effect_stands_when_the_majority_is_lost() -> None:
    stage = Stage(["culture*2", "economy*3 culture"], ["science*3", "science"]).do("play science")
    stage.do("use culture.0", "copy economy.1", "discard culture")
    assert stage.coin[0] == -1
    assert stage.legal == ["play science"]


def test_e22_a_copied_limit_counts_only_while_the_coin_is_held() -> None:
    stage = Stage(["culture*2 military*2", "religion*3 culture"], ["", "science"], deck="science*9")
    stage.do("use culture.0", "copy religion.1", "use military.x", "discard culture")
    assert stage.coin[0] == 0  # Both lost one: 1 to 0.
    stage.do("end")
    assert len(stage.hand(0).split()) == 5
    stage = Stage(
        ["culture*2 economy*3", "religion*3 culture"], ["science", "science"], deck="science*9"
    ).do("play science")
    stage.do("use culture.0", "copy religion.1", "use economy.1", "discard culture", "end")
    assert len(stage.hand(0).split()) == 3


def test_e23_more_than_the_goal_is_fine_and_tearing_down_below_it_loses_it() -> None:
    stage = Stage(["science*9", ""], ["science", "military"]).do("play science", "end")
    assert stage.winners == (0,)
    stage = Stage(["science*7", ""], ["science", "military"], deck="culture*9").do("play science")
    stage.do("use science.x", *["discard culture"] * 5, "end")
    assert not stage.is_over


def test_e24_a_deck_that_empties_in_the_last_seats_turn_ends_the_game_with_it() -> None:
    stage = Stage(["", ""], ["science*3"] * 2, turn=1, begin=0, deck="military")
    stage.do("play science", "end")
    assert stage.is_over


def test_e24_a_hegemony_is_still_possible_in_the_last_turns() -> None:
    stage = Stage(["religion*6", "science*7"], ["culture", "science"], deck="military")
    stage.do("play culture", "end", "play science", "end")
    assert stage.winners == (1,)
    assert stage.counter("hegemony") == 1


def test_e25_with_an_empty_hand_step_one_is_skipped_and_effects_are_usable() -> None:
    stage = Stage(["science", ""], ["", "military"])
    assert stage.legal == ["use science.x", "end"]


def test_e26_a_domain_that_nobody_has_gives_no_point() -> None:
    stage = Stage(["military", ""], ["", ""], turn=1, begin=0, deck="").do("end")
    assert stage.scores == (1, 0)


def test_e27_a_complete_tie_is_a_shared_victory() -> None:
    stage = Stage(["military", "military", ""], ["", "", ""], turn=2, deck="").do("end")
    assert stage.scores == (1, 1, 0)
    assert stage.winners == (0, 1)


def test_e28_a_tie_of_teams_is_broken_by_the_sums_of_both_partners() -> None:
    areas = ["military*2 utopia", "religion*3 utopia", "", "utopia"]
    stage = Stage(areas, [""] * 4, turn=3, deck="", team=True).do("end")
    assert stage.scores == (2, 2, 2, 2)
    assert stage.winners == (1, 3)
    areas = ["military", "military", "", ""]
    stage = Stage(areas, [""] * 4, turn=3, deck="", team=True).do("end")
    assert stage.winners == (0, 1, 2, 3)


def test_e29_a_single_member_has_to_reach_the_goal() -> None:
    stage = Stage(["science*3", "", "science*4", ""], ["culture"], team=True)
    stage.do("play culture", "end")
    assert not stage.is_over
    stage = Stage(["science*6", "", "", ""], ["science"], team=True).do("play science", "end")
    assert stage.winners == (0, 2)


def test_e30_ages_and_deck_size_are_public_and_domains_in_hand_are_not() -> None:
    game = Lines(2, first="military science culture religion economy military")
    picture = game.view(1)
    assert picture["zones"]["seat0.hand"] == [None] * 3
    assert picture["backs"]["seat0.hand"] == ["I"] * 3
    assert len(picture["zones"]["deck"]) == 95 - 6
    assert set(picture["zones"]["deck"]) == {None}
    assert picture["zones"]["box"] == [None] * 9
    assert game.zone("seat0.hand", 0) == ["military", "science", "culture"]


def test_e31_a_playable_card_has_to_be_played() -> None:
    stage = Stage(["", ""], ["science", "science"])
    assert stage.legal == ["play science"]
    assert stage.refuses(Action("skip"))
    assert stage.refuses(Action("end"))


def test_e32_nothing_targets_oneself() -> None:
    stage = Stage(["economy*2 utopia*2 religion", "science"], ["", "culture"])
    stage.do("use economy.x")
    assert stage.legal == ["target seat1 science"]
    stage.do("target seat1 science", "use utopia.x")
    assert stage.legal == ["target seat1 science"]
    stage.do("target seat1 science", "use religion.x")
    assert stage.legal == ["target seat1"]
    alone = Stage(["culture religion*3", ""], ["", "science"])
    assert "use culture.0" not in alone.legal  # The own Religion cannot be copied.


def test_e33_a_card_from_the_middle_is_in_play_at_once_and_triggers_nothing() -> None:
    game = Lines(2, deal="draft", first="science*3 culture military*3 religion")
    for _ in range(3):
        for seat in (0, 1):
            other = [text for text in game.legal(seat) if text != "keep culture"]
            game.act(seat, (other or game.legal(seat))[0])
    assert "culture" in game.zone("middle", None)
    assert len(game.zone("middle", None)) == 2  # One for each seat.
    answer = game.act(1, "take culture")
    assert game.zone("seat1.culture", None) == ["culture"]
    assert answer["request"] == {"choice": {"seat": 0}}
    assert len(game.legal(0)) == 1
    answer = game.act(0, *game.legal(0))
    assert answer["request"] == {"choice": {"seat": 0}}
    assert game.view(None)["phase"] == "play"


def test_e34_after_a_drop_of_the_limit_nothing_is_discarded_and_nothing_drawn() -> None:
    stage = Stage(["religion*3", ""], ["science*5", "military"], deck="culture*9")
    stage.do("play science", "use religion.x", "target seat1", "give military", "end")
    assert stage.hand(0) == "science science science science"
    assert len(stage.zone("deck").split()) == 9
