"""The variants F6, F8, F9, F11, F14, F16 and E21's, each where it decides something."""

from __future__ import annotations

from core.requests import Action
from tests.core.games.carta.stage import GAME, Stage


def test_the_options_and_their_defaults_are_those_that_were_agreed() -> None:
    assert [(option.key, option.values) for option in GAME.options] == [
        ("deal", ("basic", "draft")),
        ("embargo_target", ("other", "any")),
        ("embargo_scope", ("play", "use")),
        ("democracy_target", ("other", "any")),
        ("coin", ("kr", "jp")),
        ("strict_hand_limit", (False, True)),
        ("extra_last_round", (False, True)),
        ("culture_majority_vs_partner", (True, False)),
        ("team", (False, True)),
    ]


def test_f6_effects_may_exceed_the_limit_unless_the_limit_is_strict() -> None:
    areas, hands = ["utopia*5", ""], ["military*4", ""]
    loose = Stage(areas, hands, discard="science*2").do("play military")
    assert {"use utopia.1", "use utopia.2"} <= set(loose.legal)
    loose.do("use utopia.2", "take science", "take science")
    assert len(loose.hand(0).split()) == 5
    strict = Stage(areas, hands, discard="science*2", strict_hand_limit=True).do("play military")
    assert not {"use utopia.1", "use utopia.2"} & set(strict.legal)


def test_f6_with_a_strict_limit_republic_needs_room_for_two() -> None:
    areas, discard = ["utopia*5", ""], "science*2"
    one = Stage(areas, ["military*3", ""], discard=discard, strict_hand_limit=True)
    one.do("play military")
    assert "use utopia.1" in one.legal
    assert "use utopia.2" not in one.legal
    two = Stage(areas, ["military*2", ""], discard=discard, strict_hand_limit=True)
    assert "use utopia.2" in two.do("play military").legal


def test_f6_a_strict_limit_is_the_one_that_religion_gives() -> None:
    stage = Stage(
        ["utopia*5 religion*3", ""], ["military*4", ""], discard="science*2", strict_hand_limit=True
    )
    assert "use utopia.2" in stage.do("play military").legal


def test_f8_an_embargo_may_lie_on_the_own_domain_and_binds_from_the_next_own_turn() -> None:
    stage = Stage(
        ["economy*4 science", "military"], ["culture science*2", "military*2"], deck="culture*9",
        embargo_target="any",
    )  # fmt: skip
    stage.do("play culture", "use economy.x")
    assert "target seat0 science" in stage.legal
    stage.do("target seat0 science")
    assert stage.counter("seat0.embargo.science") == 1
    stage.do("use economy.1", "discard economy", "play science")  # Not in this turn.
    stage.do("end")
    assert stage.zone("seat0.embargo") == "economy"  # Still there.
    stage.do("play military", "end")
    assert stage.legal == ["play culture"]
    stage.do("play culture", "end")
    assert stage.zone("seat0.embargo") == ""
    assert stage.counter("seat0.embargo.science") == 0


def test_f8_the_card_that_is_turned_over_cannot_lie_on_itself() -> None:
    one = Stage(["economy", "military"], ["", "military"], embargo_target="any")
    assert one.do("use economy.x").legal == ["target seat1 military"]
    two = Stage(["economy*2", "military"], ["", "military"], embargo_target="any")
    assert "target seat0 economy" in two.do("use economy.x").legal


def test_f8_an_old_and_a_fresh_embargo_end_with_different_turns() -> None:
    stage = Stage(
        ["economy science", "economy culture"], ["", "military*2 culture*2"], embargo_target="any"
    )
    stage.do("use economy.x", "target seat1 culture", "end")
    stage.do("play military", "use economy.x", "target seat1 culture")
    assert stage.counter("seat1.embargo.culture") == 2
    stage.do("end")
    assert stage.counter("seat1.embargo.culture") == 1
    assert stage.zone("discard") == "economy"
    assert stage.zone("seat1.embargo") == "economy"


def test_f9_an_embargo_forbids_playing_only_unless_it_forbids_all_use() -> None:
    areas, hands = ["economy", "science*3 military*3"], ["", "culture*3"]
    laid = ("use economy.x", "target seat1 science", "end", "play culture")
    play = Stage(areas, hands).do(*laid)
    assert {"use science.1", "use science.x"} <= set(play.legal)
    use = Stage(areas, hands, embargo_scope="use").do(*laid)
    assert not {"use science.1", "use science.x"} & set(use.legal)
    assert {"use military.1", "use military.x"} <= set(use.legal)


def test_f9_a_religion_that_must_not_be_used_gives_no_hand_limit() -> None:
    areas, hands = ["economy", "religion*3"], ["", "culture*3"]
    laid = ("use economy.x", "target seat1 religion", "end", "play culture", "end")
    play = Stage(areas, hands, deck="military*20").do(*laid)
    assert len(play.hand(1).split()) == 5
    use = Stage(areas, hands, deck="military*20", embargo_scope="use").do(*laid)
    assert len(use.hand(1).split()) == 3


def test_f9_culture_that_must_not_be_used_copies_nothing() -> None:
    areas, hands = ["economy religion*3", "culture"], ["", "military*3"]
    laid = ("use economy.x", "target seat1 culture", "end", "play military")
    assert "use culture.0" in Stage(areas, hands).do(*laid).legal
    assert "use culture.0" not in Stage(areas, hands, embargo_scope="use").do(*laid).legal


def test_f11_a_democracy_may_lie_on_the_own_domain() -> None:
    other = Stage(["utopia*2 science", "military"], ["", "military"]).do("use utopia.x")
    assert other.legal == ["target seat1 military"]
    stage = Stage(["utopia*2 science", "military"], ["", "military"], democracy_target="any")
    stage.do("use utopia.x")
    assert stage.legal == ["target seat0 science", "target seat0 utopia", "target seat1 military"]
    assert stage.refuses(Action("target", (), 1))  # No Military of one's own to lay it on.
    stage.do("target seat0 science")
    assert stage.counter("seat0.democracy.science") == 1


def copied(coin: str) -> Stage:
    """Seat 0 has copied Religion level 1, and is about to end its turn."""
    stage = Stage(
        ["culture*2 economy*3", "religion*3 culture", ""], ["science", "science", "science"],
        deck="science*9 military*9", coin=coin,
    )  # fmt: skip
    return stage.do("play science", "use culture.0", "copy religion.1")


def test_f14_a_tie_takes_the_coin_away_in_the_korean_rules_but_not_in_the_japanese() -> None:
    korean = copied("kr").do("use economy.1", "discard culture")
    assert korean.coin == (-1, -1)
    assert len(korean.do("end").hand(0).split()) == 3
    japanese = copied("jp").do("use economy.1", "discard culture")
    assert japanese.coin == (0, 1)
    assert len(japanese.do("end").hand(0).split()) == 5


def test_f14_another_seat_ahead_takes_the_coin_away_in_both() -> None:
    for coin, holder in (("kr", 1), ("jp", -1)):
        stage = Stage(
            ["culture*2 economy*5", "religion*3 culture"], ["science", "science"],
            deck="science*9", coin=coin,
        )  # fmt: skip
        stage.do("play science", "use culture.0", "copy religion.1")
        stage.do("use economy.2", "discard culture", "discard culture")
        assert stage.coin == (holder, -1)


def test_f14_two_seats_ahead_take_the_japanese_coin_away_though_they_are_level() -> None:
    stage = Stage(
        ["culture*3 economy*5", "religion*3 culture*2", "culture*2"], ["science", "", ""],
        deck="science*9", coin="jp",
    )  # fmt: skip
    stage.do("play science", "use culture.0", "copy religion.1")
    stage.do("use economy.2", "discard culture")
    assert stage.coin == (0, 1)  # All three are level.
    stage.do("discard culture")
    assert stage.coin == (-1, -1)


def test_f14_a_partner_who_is_not_compared_leaves_the_japanese_coin_where_it_is() -> None:
    options = {"team": True, "culture_majority_vs_partner": False, "coin": "jp"}
    areas = ["culture*2 economy*2", "religion*2", "culture*2", ""]
    stage = Stage(areas, ["science*2"], deck="science*9", **options)
    stage.do("play science", "use culture.0", "copy religion.1")
    stage.do("use economy.1", "discard culture", "play science")
    assert stage.coin == (0, 1)  # The partner has more.
    assert len(stage.do("end").hand(0).split()) == 5


def test_f14_the_japanese_coin_stays_until_the_end_of_the_next_own_turn() -> None:
    lengths = {}
    for coin in ("kr", "jp"):
        stage = copied(coin).do("end", "play science", "end", "play science", "end")
        assert stage.coin == (0, 1)
        stage.do(stage.legal[0], "use economy.1", "discard economy", "play science", "end")
        lengths[coin] = len(stage.hand(0).split())
        assert stage.coin == ((0, 1) if coin == "kr" else (-1, -1))
    assert lengths == {"kr": 3, "jp": 5}


def test_f14_the_korean_coin_is_a_marker_of_who_is_ahead() -> None:
    stage = Stage(["", "culture"], ["culture*2", "culture"])
    assert stage.coin == (1, -1)
    stage.do("play culture")
    assert stage.coin == (-1, -1)
    stage.do("end", "play culture")
    assert stage.coin == (1, -1)


def test_f16_an_extra_round_is_one_more_whole_turn_for_everybody() -> None:
    turns = {}
    for extra in (False, True):
        stage = Stage(["", ""], ["science*9"] * 2, deck="", extra_last_round=extra)
        turns[extra] = 0
        while not stage.is_over:
            stage.do("play science", "end")
            turns[extra] += 1
    assert turns == {False: 2, True: 4}


def test_e21_without_comparing_partners_both_may_lead_and_the_one_whose_turn_it_is_copies() -> None:
    areas = ["culture", "religion*2", "culture", ""]
    options = {"team": True, "culture_majority_vs_partner": False}
    stage = Stage(areas, ["", "science"], **options)
    assert "use culture.0" in stage.legal
    stage.do("use culture.0", "copy religion.1")
    assert stage.coin == (0, 1)
    ahead = Stage(["culture", "religion*2 culture", "", ""], ["", "science"], **options)
    assert "use culture.0" not in ahead.legal  # An opponent still counts.


def test_e21_without_teams_that_option_changes_nothing() -> None:
    areas = ["culture", "religion*2", "culture", ""]
    stage = Stage(areas, ["", "science"], culture_majority_vs_partner=False)
    assert "use culture.0" not in stage.legal
