"""D7 to D13, D15 to D18: turns, reshuffles, the end and the points."""

from __future__ import annotations

import pytest

from core.games.dominion.cards import HAND, KEYS
from core.games.dominion.choices import all_treasures
from core.narrate import Narrator
from core.requests import Action, Choice, Chosen, Event, Request, Shuffle
from core.view import view
from tests.core.games.dominion.stage import GAME, Stage
from tests.core.games.dominion.watching import answer, requests_after


def test_a_turn_begins_with_one_action_one_buy_and_no_coins() -> None:
    """D7."""
    stage = Stage("smithy copper", "")
    assert (stage.phase, stage.purse) == ("action", (1, 1, 0))
    assert stage.legal == ["stop", "play smithy"]


def test_the_action_phase_is_left_out_when_everybody_knows_there_is_nothing_to_play() -> None:
    assert Stage("copper*3 gardens", "smithy").phase == "buy"


def test_whoever_may_have_an_action_is_asked_even_without_one() -> None:
    stage = Stage("copper*3", "", decks=["smithy copper"])
    assert (stage.phase, stage.legal) == ("action", ["stop"])


def test_one_action_is_played_and_more_only_with_more_actions() -> None:
    """D8."""
    stage = Stage("smithy*2 village", "", decks=["copper*6"])
    stage.do("play village")
    assert stage.purse == (2, 1, 0)
    stage.do("play smithy", "play smithy")
    assert (stage.phase, stage.purse) == ("buy", (0, 1, 0))
    assert stage.zone("seat0.play") == "smithy smithy village"


def test_unused_actions_are_lost_in_the_buy_phase() -> None:
    """D8."""
    stage = Stage("festival*2", "").do("play festival", "stop")
    assert stage.phase == "buy"
    assert not any(text.startswith("play festival") for text in stage.legal)


def test_a_card_may_be_played_that_can_do_only_a_part() -> None:
    """D8, D11: draw what there is."""
    stage = Stage("smithy", "", decks=["gold"]).do("play smithy")
    assert stage.hand(0) == "gold"


@pytest.mark.parametrize("hand", ["silver copper gold copper estate", "estate gold", "estate"])
def test_all_treasures_at_once_are_the_most_that_the_rules_offer(hand: str) -> None:
    stage = Stage(hand, "")
    observation = stage.observation(0)
    offered = [a for a in GAME.legal_actions(stage.table, 0, observation) if a.cards]
    most = max(offered, key=lambda action: len(action.cards), default=None)
    assert all_treasures(stage.table, 0, observation) == most


def test_treasures_are_played_one_by_one_or_all_at_once_and_only_as_wished() -> None:
    """D9; corner case 13."""
    one = Stage("copper*2 silver gold", "").do("play gold", "play copper")
    assert (one.purse, one.hand(0)) == ((1, 1, 4), "copper silver")
    all_of_them = Stage("copper*2 silver gold estate", "").do("treasures copper copper silver gold")
    assert (all_of_them.purse, all_of_them.hand(0)) == ((1, 1, 7), "estate")


def test_no_treasure_is_played_after_the_first_purchase() -> None:
    """D9."""
    stage = Stage("market copper*2", "", decks=["estate"]).do("play market", "play copper")
    stage.do("buy estate")
    assert stage.legal == ["end", "buy copper", "buy curse"]
    card = stage.cards("seat0.hand")[0]
    assert stage.refuses(Action("play", (card,)))


def test_purchases_are_paid_from_one_purse() -> None:
    """D9, corner case 12: 6 coins and 2 Buys are 2 and 4."""
    stage = Stage("market silver copper*3", "", decks=["curse gold*6"], kingdom="smithy")
    stage.do("play market", "treasures copper copper copper silver")
    assert stage.purse == (1, 2, 6)
    stage.do("buy smithy")
    assert stage.purse == (1, 1, 2)
    assert "buy smithy" not in stage.legal
    stage.do("buy estate")
    assert {"smithy", "estate"} <= set(stage.discard(0).split())


def test_a_card_for_nothing_needs_a_buy_and_an_empty_pile_sells_nothing() -> None:
    """D9, D15."""
    stage = Stage("estate gold*3", "", gone="duchy").do("treasures gold gold gold")
    assert "buy duchy" not in stage.legal
    assert stage.refuses(Action("buy", (), KEYS.index("duchy")))
    stage.do("buy curse")
    assert stage.counter("turn") == 1


def test_a_victory_card_cannot_be_played_and_is_refused_once_it_is_seen() -> None:
    stage = Stage("estate copper", "", decks=["smithy"])
    estate = next(card for card in stage.cards("seat0.hand") if stage.deal[card] == 3)
    assert stage.refuses(Action("play", (estate,)))
    stage.do("stop")
    assert stage.refuses(Action("play", (estate,)))


def test_clean_up_discards_hand_and_play_and_draws_five() -> None:
    """D10."""
    stage = Stage("festival estate copper", "", decks=["gold*6"]).do("play festival").end_turn()
    assert stage.discard(0) == "copper estate festival"
    assert stage.hand(0) == "gold gold gold gold gold"
    assert stage.deck(0) == "gold"
    assert stage.purse == (1, 1, 0)


def test_the_hand_is_discarded_unseen_below_what_was_in_play() -> None:
    """D10, D12."""
    stage = Stage("festival estate gold", "", decks=["copper*6"]).do("play festival").end_turn()
    assert stage.seen("seat0.discard", by=1) == [None, None, "festival"]
    assert stage.seen("seat0.discard", by=0) == ["estate", "gold", "festival"]


def test_with_nothing_in_play_the_owner_says_which_hand_card_lies_on_top() -> None:
    """D10."""
    stage = Stage("estate gold copper", "", decks=["copper*6"]).do("end")
    assert stage.legal == ["top copper", "top gold", "top estate"]
    stage.do("top estate")
    assert stage.seen("seat0.discard", by=1) == [None, None, "estate"]


def test_a_single_hand_card_goes_on_top_without_a_question() -> None:
    stage = Stage("estate", "", decks=["copper*6"]).do("end")
    assert stage.counter("turn") == 1
    assert stage.seen("seat0.discard", by=None) == ["estate"]


def test_nobody_counts_a_discard_pile_in_a_view() -> None:
    """D12."""
    stage = Stage("festival estate gold", "", decks=["copper*6"]).do("play festival").end_turn()
    for seat in (0, 1, None):
        picture = view(GAME, stage.table, stage.pending, stage.observation(seat), seat)
        assert [card.face for card in picture.zones["seat0.discard"]] == ["festival"]
        assert len(picture.zones["seat0.deck"]) == 1
        assert len(picture.zones["supply.gold"]) == 30


def test_the_story_does_not_tell_how_many_cards_harbinger_looks_through() -> None:
    """D12."""
    discards = ["gold*4 estate*3"]
    stage = Stage("harbinger copper*2", "", decks=["copper*5"], discards=discards)
    narrator = Narrator(GAME)
    request: Request = stage.pending
    event: Event = Chosen(Action("play", (stage.cards("seat0.hand")[0],)))
    while True:
        request = narrator.apply(stage.table, request, event)
        if isinstance(request, Choice):
            break
        event = answer(stage, request)
    told = [(line.kind, line.seat, line.number) for line in narrator.lines if line.kind != "chosen"]
    assert told == [("drawn", 0, 1), ("shuffled", 0, 3), ("told", 0, 0), ("looked", 0, 0)]


def test_an_empty_deck_is_not_shuffled_before_a_card_is_needed() -> None:
    """D11."""
    stage = Stage("smithy", "", decks=["copper*3"], discards=["estate*4"]).do("play smithy")
    assert (stage.deck(0), stage.discard(0)) == ("", "estate estate estate estate")


def test_a_draw_takes_what_is_left_before_the_reshuffled_cards() -> None:
    """D11."""
    stage = Stage("smithy", "", decks=["gold*2"], discards=["copper*4"]).do("play smithy")
    assert stage.hand(0) == "copper gold gold"
    assert (stage.deck(0), stage.discard(0)) == ("copper copper copper", "")


def test_after_a_reshuffle_nobody_knows_the_order_of_the_deck() -> None:
    """D12."""
    stage = Stage("village", "", discards=["copper estate gold duchy"]).do("play village")
    assert stage.seen("seat0.deck", by=0) == [None, None, None]
    assert len(stage.hand(0).split()) == 1


def test_a_reshuffle_of_one_card_needs_no_shuffle() -> None:
    stage = Stage("village", "", discards=["gold"]).do("play village")
    assert stage.hand(0) == "gold"


def test_no_cards_anywhere_is_no_error() -> None:
    """D11, corner case 15."""
    stage = Stage("", "", decks=["", ""])
    stage.do("end")
    assert stage.counter("turn") == 1
    for key in ("smithy", "sentry", "vassal", "library", "harbinger", "cellar", "adventurer"):
        alone = Stage(key, "", "").do(f"play {key}")
        assert alone.phase == ("buy")
    for key in ("bandit", "spy", "thief", "militia", "bureaucrat", "witch", "council_room"):
        alone = Stage(key, "", "").do(f"play {key}")
        assert alone.phase in ("buy", "spy")


def test_gained_cards_go_to_the_discard_pile_face_up() -> None:
    """D15."""
    stage = Stage("silver", "", decks=["copper*5"]).do("play silver", "buy estate")
    assert "estate" in stage.seen("seat0.discard", by=1)


def test_the_game_ends_after_the_turn_that_takes_the_last_province() -> None:
    """D16, corner case 11."""
    stage = Stage("gold*3", "", "", gone="province", decks=["copper*5"])
    stage.do("end")
    while not stage.is_over:
        stage.do(stage.legal[0])
    assert stage.counter("turn") == 0
    assert stage.hand(0) == "copper copper copper copper copper"


@pytest.mark.parametrize(
    ("seats", "gone", "ends"),
    [
        (2, "copper curse", False), (2, "copper curse village", True),
        (4, "estate duchy smithy", True), (5, "estate duchy smithy", False),
        (6, "estate duchy smithy curse", True),
    ],
)  # fmt: skip
def test_three_empty_piles_end_the_game_and_four_with_more_than_four_seats(
    seats: int, gone: str, ends: bool
) -> None:
    """D1, D16."""
    stage = Stage(*[""] * seats, gone=gone, kingdom="village smithy").do("end")
    assert stage.is_over is ends


def test_everything_owned_counts_wherever_it_lies() -> None:
    """D17, corner case 10."""
    stage = Stage(
        "estate province", "curse copper", decks=["duchy", "curse"], discards=["province gardens"]
    )
    assert GAME.scores(stage.table) == (1 + 6 + 3 + 6, -2)


@pytest.mark.parametrize(("cards", "points"), [(9, 0), (10, 1), (37, 3), (39, 3), (40, 4)])
def test_gardens_count_whole_tens_of_cards(cards: int, points: int) -> None:
    stage = Stage("gardens", "", decks=[f"copper*{cards - 1}"])
    assert GAME.scores(stage.table) == (points, 0)


def test_ties_go_to_fewer_turns_and_are_shared_after_that() -> None:
    """D18."""
    stage = Stage("estate", "estate", "curse", gone="province")
    stage.do("end")
    assert GAME.scores(stage.table) == (1, 1, -1)
    assert GAME.winners(stage.table) == (1,)
    fair = Stage("estate", "estate", "curse", turn=2)
    assert GAME.winners(fair.table) == (0, 1)


def test_cards_that_join_a_hand_in_mid_turn_are_mixed_into_it() -> None:
    stage = Stage("smithy estate*2", "", decks=["gold copper silver"])
    GAME.apply(stage.table, 0, Action("play", (stage.cards("seat0.hand")[0],)))
    mixes = [request for request in requests_after(stage) if isinstance(request, Shuffle)]
    assert [mix.player for mix in mixes] == [0]
    assert sorted(mixes[0].piles[0]) == sorted(stage.table.zones[HAND[0]])


def test_a_fresh_hand_from_a_shuffled_deck_needs_no_mix() -> None:
    stage = Stage("copper", "", decks=["gold*5 estate*5"])
    GAME.apply(stage.table, 0, Action("end"))
    assert not [each for each in requests_after(stage) if isinstance(each, Shuffle)]


def test_the_supply_and_the_trash_are_open() -> None:
    """D12."""
    stage = Stage("chapel copper", "").do("play chapel", "trash copper")
    assert stage.seen("trash", by=1) == ["copper"]
    assert stage.left("gold") == 30
