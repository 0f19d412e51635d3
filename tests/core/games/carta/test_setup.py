"""Material and set-up (rules 1 and 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from core.chance import Chance
from core.engine import run_until_choice, start
from core.games.carta import GAME as CARTA
from core.games.carta.cards import BACKS, DOMAINS, FIRST_OF_AGE_I, FIRST_OF_AGE_II
from core.table import RulesError
from tests.core.games.carta.lines import Lines
from tests.core.games.carta.stage import GAME


def test_rule_1_1_there_are_104_cards_in_three_ages_and_six_domains() -> None:
    table = start(GAME, 4, {})
    cards = Counter((GAME.back(table, card), DOMAINS[face]) for card, face in enumerate(table.face))
    assert sum(cards.values()) == 104
    by_age = {age: [cards[age, domain] for domain in DOMAINS] for age in ("I", "II", "III")}
    assert by_age == {
        "I": [8, 8, 4, 4, 4, 0],
        "II": [8, 8, 4, 8, 4, 0],
        "III": [4, 0, 8, 8, 8, 16],
    }


def test_rule_1_1_the_cards_of_an_age_have_numbers_in_a_row() -> None:
    assert BACKS.index("II") == FIRST_OF_AGE_II
    assert BACKS.index("I") == FIRST_OF_AGE_I
    assert list(BACKS) == sorted(BACKS, reverse=True)


@pytest.mark.parametrize("seats", [2, 3])
def test_rule_2_1_with_two_or_three_seats_three_cards_of_every_age_are_out(seats: int) -> None:
    game = Lines(seats)
    picture = game.view(None)
    assert Counter(picture["backs"]["box"]) == {"I": 3, "II": 3, "III": 3}
    in_play = picture["backs"]["deck"] + [
        back for seat in range(seats) for back in picture["backs"][f"seat{seat}.hand"]
    ]
    assert Counter(in_play) == {"I": 25, "II": 29, "III": 41}


def test_rule_2_1_with_four_seats_all_cards_are_in_play() -> None:
    game = Lines(4)
    assert game.zone("box") == []
    assert len(game.zone("deck")) == 104 - 12


def test_rule_2_1_age_i_lies_on_top_and_age_iii_at_the_bottom() -> None:
    backs = Lines(4).view(None)["backs"]["deck"]
    assert backs == ["III"] * 44 + ["II"] * 32 + ["I"] * 16


@pytest.mark.parametrize("roll", [0, 1, 2])
def test_rule_2_2_the_start_player_is_drawn_by_lot_and_the_coin_is_nobodys(roll: int) -> None:
    game = Lines(3, roll=roll)
    assert game.begun["request"] == {"choice": {"seat": roll}}
    assert game.view(None)["counters"]["start"] == roll
    assert game.view(None)["counters"]["coin.holder"] == -1


def test_rule_2_3_in_the_basic_deal_everybody_draws_three_the_start_player_first() -> None:
    game = Lines(3, roll=1, first="military*3 religion*3 economy*3")
    assert game.zone("seat1.hand") == ["military"] * 3
    assert game.zone("seat2.hand") == ["religion"] * 3
    assert game.zone("seat0.hand") == ["economy"] * 3
    assert game.view(None)["counters"]["round.draft"] == 0


def draft_of_three() -> Lines:
    """Seat 0 begins; every seat has one domain of its own and a Culture card."""
    first = "military*3 culture religion*3 culture economy*3 culture"
    return Lines(3, deal="draft", first=first)


def test_rule_2_4_in_the_draft_one_card_is_kept_and_the_rest_goes_to_the_left() -> None:
    game = draft_of_three()
    assert game.begun["request"] == {"secret": {"seats": [0, 1, 2]}}
    assert game.view(None)["counters"]["round.draft"] == 1
    for seat in range(3):
        assert len(game.zone(f"seat{seat}.hand")) == 4
        game.act(seat, "keep culture")
    # To the left: what seat 0 had is now with seat 1.
    assert game.zone("seat1.hand") == ["military"] * 3
    assert game.zone("seat2.hand") == ["religion"] * 3
    assert game.zone("seat0.hand") == ["economy"] * 3
    for seat, domain in enumerate(("economy", "military", "religion")):
        game.act(seat, f"keep {domain}")
    assert game.zone("seat2.hand") == ["military"] * 2
    for seat, domain in enumerate(("religion", "economy", "military")):
        game.act(seat, f"keep {domain}")
    # The last card of each goes face up into the middle.
    assert game.zone("middle", None) == ["religion", "economy", "military"]


def test_rule_2_4_middle_cards_are_taken_counter_clockwise_the_start_player_last() -> None:
    game = Lines(3, roll=1, deal="draft")
    answer = game.begun
    while "secret" in answer["request"]:
        for seat in (0, 1, 2):
            answer = game.act(seat, game.legal(seat)[0])
    order = []
    while game.view(None)["phase"] == "middle":
        seat = answer["request"]["choice"]["seat"]
        order.append(seat)
        answer = game.act(seat, game.legal(seat)[0])
    assert order == [0, 2, 1]
    assert answer["request"] == {"choice": {"seat": 1}}
    for seat in range(3):
        assert len(game.zone(f"seat{seat}.hand")) == 3
        area = [game.zone(f"seat{seat}.{domain}") for domain in DOMAINS]
        assert sum(map(len, area)) == 1


def test_rule_2_4_what_is_kept_is_seen_by_its_owner_alone_and_shown_only_when_all_have() -> None:
    game = draft_of_three()
    game.act(1, "keep religion")
    assert game.zone("seat1.kept") == []  # Nothing has happened yet.
    assert game.view(None)["to_act"] == [0, 2]
    game.act(0, "keep military")
    answer = game.act(2, "keep economy")
    assert [action["text"] for action in answer["events"][0]["opened"]["actions"]] == ["keep ?"] * 3
    assert game.zone("seat1.kept", 1) == ["religion"]
    assert game.zone("seat1.kept", 0) == [None]
    assert game.zone("seat1.kept", None) == [None]


def test_a_passed_hand_is_mixed_so_that_whoever_passed_it_loses_track() -> None:
    game = draft_of_three()
    for seat in range(3):
        game.act(seat, "keep culture")
    assert game.zone("seat1.hand", 1) == ["military"] * 3
    assert game.zone("seat1.hand", 0) == [None] * 3


def test_a_second_pick_of_one_seat_waits_for_the_others() -> None:
    game = draft_of_three()
    game.act(0, "keep culture")
    refused = game.try_to("act", seat=0, text="keep military")
    assert (refused["ok"], refused["error"]) == (False, "not_your_turn")


def test_nobody_keeps_two_cards_in_one_round_of_the_draft() -> None:
    table = start(GAME, 2, {"deal": "draft"})
    deal = table.face[:]
    run_until_choice(GAME, table, deal, Chance(1))
    for action in GAME.legal_actions(table, 0, deal)[:1]:
        GAME.apply(table, 0, action)
    second = GAME.legal_actions(table, 0, deal)[0]
    with pytest.raises(RulesError, match="has kept a card already"):
        GAME.apply(table, 0, second)


def test_carta_is_for_two_to_four_seats() -> None:
    for seats in (0, 1, 5):
        with pytest.raises(RulesError, match="2 to 4 seats"):
            start(CARTA, seats, {})


def test_the_team_game_needs_four_seats() -> None:
    with pytest.raises(RulesError, match="needs 4 seats"):
        start(CARTA, 3, {"team": True})
