"""The texts of the Attacks and of Moat, step by step (D13, D14)."""

from __future__ import annotations

import pytest

from core.requests import Action
from tests.core.games.dominion.stage import Stage

ATTACKS = ["bandit", "bureaucrat", "militia", "spy", "thief", "witch"]


# ---- Moat ----


@pytest.mark.parametrize("key", ATTACKS)
def test_moat_keeps_an_attack_off_its_holder_alone(key: str) -> None:
    """Corner case 9."""
    decks = ["copper*3", "silver gold", "silver gold"]
    stage = Stage(key, "moat estate*4", "estate*5", decks=decks).do(f"play {key}")
    assert (stage.chooser, stage.legal) == (1, ["reveal moat", "pass"])
    stage.do("reveal moat")
    assert stage.seen("seat1.hand", by=2).count("moat") == 1
    while stage.phase not in ("buy", "action"):
        assert not (stage.chooser == 1 or stage.counter("whose") == 1)
        stage.do(stage.legal[0])
    assert stage.deck(1) == "silver gold"
    assert stage.hand(1) == "estate estate estate estate moat"
    assert stage.discard(1) == ""


def test_every_seat_that_may_hold_a_moat_is_asked_and_others_just_pass() -> None:
    """D14."""
    stage = Stage("witch", "copper", "copper", decks=["", "moat"], kingdom="moat").do("play witch")
    assert (stage.chooser, stage.legal) == (1, ["pass"])
    stage.do("pass")
    assert stage.phase == "buy"


def test_moat_is_revealed_before_the_attack_does_anything() -> None:
    """D14."""
    stage = Stage("bandit", "moat").do("play bandit")
    assert stage.discard(0) == ""
    stage.do("reveal moat")
    assert stage.discard(0) == "gold"


def test_only_a_moat_can_be_revealed_as_one() -> None:
    stage = Stage("witch", "copper moat").do("play witch")
    copper = [card for card in stage.cards("seat1.hand") if stage.deal[card] == 0]
    assert stage.refuses(Action("reveal", (copper[0],)))


def test_moat_may_be_held_back_and_shown_for_each_play_under_throne_room() -> None:
    stage = Stage("throne_room witch", "moat").do("play throne_room", "play witch")
    stage.do("reveal moat")
    assert (stage.chooser, stage.legal) == (1, ["reveal moat", "pass"])
    stage.do("pass")
    assert stage.discard(1) == "curse"


def test_council_room_asks_for_no_moat() -> None:
    stage = Stage("council_room", "moat", decks=["copper*4", "gold"]).do("play council_room")
    assert (stage.phase, stage.hand(1)) == ("buy", "gold moat")


# ---- Bandit ----


def test_bandit_gains_a_gold_and_trashes_one_treasure_that_is_no_copper() -> None:
    stage = Stage("bandit", "", "", decks=["", "copper silver gold", "copper estate"])
    stage.do("play bandit")
    assert (stage.discard(0), stage.trash) == ("gold", "silver")
    assert (stage.discard(1), stage.deck(1)) == ("copper", "gold")
    assert stage.discard(2) == "copper estate"


def test_of_two_different_treasures_the_victim_of_bandit_chooses() -> None:
    stage = Stage("bandit", "", decks=["", "gold silver"]).do("play bandit")
    assert (stage.chooser, stage.legal) == (1, ["trash silver", "trash gold"])
    stage.do("trash silver")
    assert (stage.trash, stage.discard(1)) == ("silver", "gold")


def test_two_equal_treasures_need_no_choice_and_one_stays() -> None:
    stage = Stage("bandit", "", decks=["", "gold gold"]).do("play bandit")
    assert (stage.trash, stage.discard(1)) == ("gold", "gold")


def test_bandit_robs_even_when_the_gold_is_gone() -> None:
    """Corner case 8."""
    stage = Stage("bandit", "", decks=["", "silver"], gone="gold").do("play bandit")
    assert (stage.discard(0), stage.trash) == ("", "silver")


def test_bandit_reshuffles_the_victims_discard_pile() -> None:
    """Corner case 4: revealed cards are apart."""
    stage = Stage("bandit", "", decks=["", "silver"], discards=["", "estate*2"]).do("play bandit")
    assert (stage.trash, stage.discard(1), stage.deck(1)) == ("silver", "estate", "estate")


# ---- Bureaucrat ----


def test_bureaucrat_gains_a_silver_onto_the_deck() -> None:
    stage = Stage("bureaucrat", "", decks=["copper"]).do("play bureaucrat")
    assert stage.deck(0) == "silver copper"


def test_bureaucrat_sends_a_victory_card_of_the_victims_choice_to_the_deck() -> None:
    """Corner case 10: Gardens is one, Curse is not."""
    stage = Stage("bureaucrat", "estate gardens curse", decks=["", ""]).do("play bureaucrat")
    assert (stage.chooser, stage.legal) == (1, ["reveal estate", "reveal gardens"])
    stage.do("reveal gardens")
    assert (stage.deck(1), stage.hand(1)) == ("gardens", "estate curse")
    assert stage.seen("seat1.deck", by=0) == ["gardens"]
    assert stage.seen("seat1.hand", by=0) == [None, None]


def test_who_has_no_victory_card_shows_the_whole_hand() -> None:
    stage = Stage("bureaucrat", "copper curse").do("play bureaucrat")
    assert stage.legal == ["show"]
    stage.do("show")
    assert stage.seen("seat1.hand", by=0) == ["copper", "curse"]


def test_a_hand_with_a_victory_card_cannot_be_shown_instead() -> None:
    stage = Stage("bureaucrat", "copper estate").do("play bureaucrat")
    assert stage.legal == ["reveal estate"]
    assert stage.refuses(Action("show"))
    copper = [card for card in stage.cards("seat1.hand") if stage.deal[card] == 0]
    assert stage.refuses(Action("reveal", (copper[0],)))


def test_bureaucrat_goes_round_even_without_silver_and_leaves_empty_hands_alone() -> None:
    """Corner case 8."""
    stage = Stage("bureaucrat", "", "estate", gone="silver").do("play bureaucrat")
    assert (stage.chooser, stage.deck(0)) == (2, "")
    stage.do("reveal estate")
    assert (stage.deck(2), stage.phase) == ("estate", "buy")


# ---- Militia ----


def test_militia_makes_everybody_discard_down_to_three() -> None:
    stage = Stage("militia", "copper*3 estate*2", "gold*3", "silver*4").do("play militia")
    assert (stage.purse, stage.chooser) == ((0, 1, 2), 1)
    stage.do("discard estate", "discard estate")
    assert (stage.hand(1), stage.chooser) == ("copper copper copper", 3)
    stage.do("discard silver")
    assert stage.phase == "buy"
    assert stage.hand(2) == "gold gold gold"


def test_of_the_cards_discarded_to_militia_only_the_last_is_seen() -> None:
    stage = Stage("militia", "copper*2 estate gold silver").do("play militia")
    stage.do("discard gold", "discard estate")
    assert stage.seen("seat1.discard", by=0) == [None, "estate"]


# ---- Spy ----


def test_spy_begins_with_its_own_player_and_discards_or_puts_back() -> None:
    """D13."""
    stage = Stage("spy", "", "", decks=["copper gold", "estate", "silver"]).do("play spy")
    assert (stage.chooser, stage.legal) == (0, ["discard gold", "put gold"])
    stage.do("put gold", "put estate", "discard silver")
    assert [stage.deck(seat) for seat in range(3)] == ["gold", "estate", ""]
    assert stage.discard(2) == "silver"
    assert stage.seen("seat1.deck", by=2) == ["estate"]


def test_spy_reshuffles_an_empty_deck() -> None:
    stage = Stage("spy", "", decks=["copper gold"], discards=["", "estate*2"]).do("play spy")
    stage.do("put gold", "put estate")
    assert stage.deck(1) == "estate estate"


# ---- Thief ----


def test_thief_trashes_one_treasure_of_each_and_may_gain_any_of_them() -> None:
    decks = ["", "copper gold", "silver estate", "curse duchy"]
    stage = Stage("thief", "", "", "", decks=decks).do("play thief")
    assert (stage.chooser, stage.legal) == (0, ["trash copper", "trash gold"])
    stage.do("trash gold")
    assert stage.discard(1) == "copper"
    assert stage.discard(2) == "estate"
    assert stage.discard(3) == "duchy curse"
    assert stage.legal == ["take silver", "take gold", "stop"]
    stage.do("take gold", "stop")
    assert (stage.discard(0), stage.trash) == ("gold", "silver")


def test_thief_takes_only_what_this_play_has_trashed() -> None:
    stage = Stage("chapel thief village", "", decks=["gold", "copper*2"])
    stage.do("play village", "play chapel", "trash gold", "stop", "play thief")
    assert stage.legal == ["take copper", "stop"]
    assert stage.refuses(Action("take", (stage.cards("trash")[0],)))
    stage.do("take copper")
    assert (stage.trash, stage.phase) == ("gold", "buy")


# ---- Witch ----


def test_witch_curses_the_others_and_draws_even_if_nobody_is_hit() -> None:
    stage = Stage("witch", "", "", decks=["copper*2"]).do("play witch")
    assert [stage.discard(seat) for seat in (1, 2)] == ["curse", "curse"]
    assert stage.hand(0) == "copper copper"
    none = Stage("witch", "", decks=["copper*2"], gone="curse").do("play witch")
    assert (none.hand(0), none.discard(1)) == ("copper copper", "")


def test_the_last_curses_go_to_those_nearest_in_turn_order() -> None:
    stage = Stage("", "", "witch", "", turn=2)
    stage.table.zones[6] = stage.table.zones[6][:2]
    stage.do("play witch")
    assert [stage.discard(seat) for seat in (3, 0, 1)] == ["curse", "curse", ""]
