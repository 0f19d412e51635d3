"""The end of the game, and the team game (rules 6 and 7)."""

from __future__ import annotations

from itertools import pairwise

from tests.core.games.carta.stage import Stage


def test_rule_6_1_with_two_seats_eight_cards_of_a_domain_win_at_the_end_of_the_turn() -> None:
    stage = Stage(["science*6", ""], ["science*2", "military"]).do("play science", "end")
    assert not stage.is_over
    won = Stage(["science*7", ""], ["science*2", "military"]).do("play science")
    assert not won.is_over  # Not before the end of the turn.
    won.do("end")
    assert won.winners == (0,)


def test_rule_6_1_with_three_or_four_seats_seven_are_enough() -> None:
    for seats in (3, 4):
        stage = Stage(["science*6", *[""] * (seats - 1)], ["science"]).do("play science", "end")
        assert stage.winners == (0,)


def test_rule_6_1_every_democracy_on_the_domain_asks_for_one_more() -> None:
    stage = Stage(["utopia", "science*6", ""], ["", "science*2", "military"])
    stage.do("use utopia.x", "target seat1 science", "end", "play science", "end")
    assert not stage.is_over
    stage = Stage(["utopia", "science*7", ""], ["", "science*2", "military"])
    stage.do("use utopia.x", "target seat1 science", "end", "play science", "end")
    assert stage.winners == (1,)


def test_rule_6_2_when_the_deck_runs_out_the_round_is_finished() -> None:
    hands = ["science*3"] * 3
    stage = Stage(["", "", ""], hands, begin=0, turn=0, deck="military")
    stage.do("play science", "end")
    assert stage.counter("last.round") == 1
    stage.do("play science", "end")
    assert not stage.is_over
    stage.do("play science", "end")
    assert stage.is_over


def test_rule_6_2_the_round_ends_with_the_seat_to_the_right_of_the_start_player() -> None:
    stage = Stage(["", "", ""], ["science*3"] * 3, begin=2, turn=0, deck="military")
    stage.do("play science", "end", "play science", "end")
    assert stage.is_over  # Seats 2, 0, 1: seat 1 was the last of this round.


def test_rule_6_2_nothing_is_drawn_in_the_last_turns() -> None:
    stage = Stage(["", ""], ["science*3"] * 2, deck="military").do("play science", "end")
    assert stage.hand(0) == "military science science"
    stage.do("play science", "end")
    assert stage.hand(1) == "science science"


def last_turn(*areas: str, **options: str | bool) -> Stage:
    """The very last turn of a game in which these areas are the outcome."""
    last = len(areas) - 1
    hands = [""] * last + [""]
    return Stage(areas, hands, turn=last, begin=0, deck="", **options).do("end")


def test_rule_6_2_whoever_has_most_of_a_domain_gets_a_point_and_all_who_share_it() -> None:
    stage = last_turn("military*2 science", "military religion*3", "science utopia")
    assert stage.scores == (2, 1, 2)


def test_rule_6_3_most_points_win() -> None:
    stage = last_turn("military*2 science", "religion*2 military", "")
    assert stage.scores == (2, 1, 0)
    assert stage.winners == (0,)


def test_rule_6_3_ties_are_broken_by_utopia_culture_science_economy_religion_military() -> None:
    order = ["utopia", "culture", "science", "economy", "religion", "military"]
    for better, worse in pairwise(order):
        stage = last_turn(f"{worse}*3", f"{better}*2")
        assert stage.scores == (1, 1)
        assert stage.winners == (1,), f"{better} comes before {worse}"


def test_rule_6_3_the_number_of_cards_counts_not_who_has_the_majority() -> None:
    stage = last_turn("military*2 culture utopia", "religion*2 science utopia")
    assert stage.scores == (3, 3)
    assert stage.winners == (0,)  # Utopia 1 to 1, then Culture 1 to 0.


def test_rule_7_1_partners_face_each_other_and_win_by_the_hegemony_of_one() -> None:
    stage = Stage(["", "science*6", "", ""], ["", "science"], turn=1, team=True)
    stage.do("play science", "end")
    assert stage.winners == (1, 3)


def test_rule_7_1_turns_alternate_between_the_teams() -> None:
    stage = Stage(["", "", "", ""], ["science"] * 4, team=True)
    order = []
    for _ in range(4):
        order.append(stage.chooser % 2)
        stage.do("play science", "end")
    assert order == [0, 1, 0, 1]


def test_rule_7_2_the_highest_single_count_gives_its_team_one_point() -> None:
    # Military: seat 0 has 2; the other team has 3, but in two hands.
    areas = ("military*2", "military", "", "military*2 science")
    assert last_turn(*areas, team=True).scores == (1, 2, 1, 2)
    areas = ("military*3", "military*2", "", "military*2")
    assert last_turn(*areas, team=True).scores == (1, 0, 1, 0)


def test_rule_7_2_a_team_never_gets_two_points_for_one_domain() -> None:
    stage = last_turn("military*2", "science", "military*2", "", team=True)
    assert stage.scores == (1, 1, 1, 1)
    stage = last_turn("military*2", "science", "military*2", "", team=False)
    assert stage.scores == (1, 1, 1, 0)


def test_a_game_can_go_round_for_ever_if_all_seats_want_it_to() -> None:
    """Why imagined games need a limit: nobody draws, and everything comes back."""
    stage = Stage(
        ["utopia*3 science", "utopia*3 religion"],
        ["military culture economy", "military economy science"],
        deck="culture*3",
        begin=0,
    )
    zones = [place.name for place in stage.table.layout.places]
    before = {name: stage.zone(name) for name in zones}
    rounds = [
        (("military", "science", "military"), ("military", "religion", "military")),
        (("culture", "", "science"), ("economy", "", "religion")),
        (("military", "culture", "military"), ("military", "economy", "military")),
        (("science", "", "culture"), ("religion", "", "economy")),
    ]
    for turns in rounds:
        for played, attacked, taken in turns:
            stage.do(f"play {played}")
            if attacked:
                stage.do("use military.x", f"discard {attacked}")
            stage.do("use utopia.1", f"take {taken}", "end")
    assert {name: stage.zone(name) for name in zones} == before
    assert stage.counter("turns") == 8
