"""The texts of the kingdom cards that act on their own player, step by step."""

from __future__ import annotations

import pytest

from core.games.dominion.cards import KEYS
from core.requests import Action
from tests.core.games.dominion.stage import GAME, Stage


@pytest.mark.parametrize(
    ("key", "drawn", "purse"),
    [
        ("festival", 0, (2, 2, 2)), ("laboratory", 2, (1, 1, 0)), ("market", 1, (1, 2, 1)),
        ("merchant", 1, (1, 1, 0)), ("moat", 2, (0, 1, 0)), ("poacher", 1, (1, 1, 1)),
        ("smithy", 3, (0, 1, 0)), ("village", 1, (2, 1, 0)), ("woodcutter", 0, (0, 2, 2)),
        ("council_room", 4, (0, 2, 0)), ("witch", 2, (0, 1, 0)), ("militia", 0, (0, 1, 2)),
        ("chancellor", 0, (0, 1, 2)), ("spy", 1, (1, 1, 0)), ("sentry", 1, (1, 1, 0)),
        ("harbinger", 1, (1, 1, 0)), ("vassal", 0, (0, 1, 2)), ("cellar", 0, (1, 1, 0)),
    ],
)  # fmt: skip
def test_cards_actions_buys_and_coins_are_as_printed(
    key: str, drawn: int, purse: tuple[int, int, int]
) -> None:
    stage = Stage(f"{key} estate", "copper", decks=["copper*9"]).do(f"play {key}")
    assert stage.purse == purse
    assert len(stage.hand(0).split()) == 1 + drawn


# ---- Adventurer ----


def test_adventurer_digs_for_two_treasures_and_discards_the_rest() -> None:
    deck = "estate copper duchy curse gold silver"
    stage = Stage("adventurer", "", decks=[deck]).do("play adventurer")
    assert stage.hand(0) == "copper gold"
    assert stage.discard(0) == "estate duchy curse"
    assert stage.deck(0) == "silver"


def test_adventurer_reshuffles_without_the_cards_revealed() -> None:
    stage = Stage("adventurer", "", decks=["estate"], discards=["copper duchy*2"])
    stage.do("play adventurer")
    assert stage.hand(0) == "copper"
    assert stage.discard(0) == "estate duchy duchy"
    assert stage.zone("seat0.shown") == ""


# ---- Artisan ----


def test_artisan_gains_to_the_hand_first_and_then_wants_a_card_of_it_on_the_deck() -> None:
    stage = Stage("artisan copper", "", kingdom="market").do("play artisan")
    assert "gain duchy" in stage.legal
    assert "gain market" in stage.legal
    assert "gain gold" not in stage.legal
    stage.do("gain market")
    assert stage.hand(0) == "copper market"
    stage.do("put market")
    assert (stage.hand(0), stage.deck(0)) == ("copper", "market")


def test_nobody_sees_which_card_artisan_puts_on_the_deck() -> None:
    stage = Stage("artisan copper", "").do("play artisan", "gain duchy", "put duchy")
    assert stage.seen("seat0.deck", by=1) == [None]
    assert stage.seen("seat0.hand", by=1) == [None]
    assert stage.seen("seat0.deck", by=0) == ["duchy"]


def test_coins_do_not_raise_the_limit_of_a_gain() -> None:
    stage = Stage("festival artisan", "").do("play festival", "play artisan")
    assert "gain gold" not in stage.legal
    assert stage.refuses(Action("gain", (), KEYS.index("gold")))


# ---- Cellar ----


def test_cellar_draws_as_many_as_were_discarded_and_reshuffles_them_if_need_be() -> None:
    stage = Stage("cellar estate*2 gold", "", decks=["silver"]).do("play cellar")
    stage.do("discard estate", "discard estate", "stop")
    assert stage.hand(0) == "silver gold estate"
    assert (stage.deck(0), stage.discard(0)) == ("estate", "")


def test_cellar_may_discard_nothing_or_everything_but_not_itself() -> None:
    """Corner case 14."""
    stage = Stage("cellar estate", "", decks=["gold"]).do("play cellar")
    assert stage.legal == ["discard estate", "stop"]
    assert stage.do("stop").hand(0) == "estate"
    other = Stage("cellar estate", "", decks=["gold"]).do("play cellar", "discard estate")
    assert other.hand(0) == "gold"


def test_of_the_cards_cellar_discards_only_the_last_is_seen() -> None:
    """D12."""
    stage = Stage("cellar estate gold duchy", "", decks=["copper*6"]).do("play cellar")
    stage.do("discard gold", "discard duchy", "stop")
    assert stage.seen("seat0.discard", by=1) == [None, "duchy"]


# ---- Chancellor, Chapel, Feast ----


def test_chancellor_may_turn_the_deck_over_onto_the_discard_pile() -> None:
    stage = Stage("chancellor", "", decks=["gold silver copper"], discards=["estate"])
    stage.do("play chancellor")
    assert stage.legal == ["turn", "pass"]
    stage.do("turn")
    assert stage.deck(0) == ""
    assert stage.seen("seat0.discard", by=1) == ["estate", None, None, "copper"]


def test_chancellor_may_leave_the_deck() -> None:
    stage = Stage("chancellor", "", decks=["gold"]).do("play chancellor", "pass")
    assert (stage.deck(0), stage.discard(0)) == ("gold", "")


def test_chapel_trashes_up_to_four_and_never_itself() -> None:
    """Corner case 14."""
    stage = Stage("chapel*2 estate*4", "").do("play chapel", *["trash estate"] * 4)
    assert (stage.hand(0), stage.trash) == ("chapel", "estate estate estate estate")
    assert stage.phase == "buy"
    other = Stage("chapel*2", "").do("play chapel")
    assert other.legal == ["trash chapel", "stop"]
    assert other.do("stop").trash == ""


def test_feast_is_trashed_and_gains_a_card_of_at_most_five() -> None:
    stage = Stage("feast", "", kingdom="market").do("play feast")
    assert stage.trash == "feast"
    assert "gain gold" not in stage.legal
    stage.do("gain duchy")
    assert (stage.discard(0), stage.zone("seat0.play")) == ("duchy", "")


# ---- Council Room ----


def test_council_room_lets_the_others_draw_with_a_reshuffle_if_need_be() -> None:
    stage = Stage("council_room", "", "", decks=["copper*4", "gold"], discards=["", "", "silver*2"])
    stage.do("play council_room")
    assert [stage.hand(seat) for seat in (1, 2)] == ["gold", "silver"]
    assert stage.purse == (0, 2, 0)


# ---- Harbinger ----


def test_harbinger_puts_any_card_of_the_discard_pile_on_the_deck_or_none() -> None:
    stage = Stage("harbinger", "", decks=["copper*2"], discards=["gold estate silver"])
    stage.do("play harbinger")
    assert set(stage.legal) == {"put gold", "put estate", "put silver", "pass"}
    stage.do("put gold")
    assert stage.deck(0) == "gold copper"
    assert stage.discard(0) == "silver estate"
    other = Stage("harbinger", "", decks=["copper*2"], discards=["gold"])
    assert other.do("play harbinger", "pass").discard(0) == "gold"


def test_nobody_sees_which_card_harbinger_takes_from_below_the_top() -> None:
    stage = Stage("harbinger", "", decks=["copper*2"], discards=["gold estate silver"])
    stage.do("play harbinger", "put gold")
    assert stage.seen("seat0.deck", by=1)[-1] is None
    assert stage.seen("seat0.discard", by=1) == [None, "silver"]
    assert stage.seen("seat0.deck", by=0)[-1] == "gold"


def test_taking_the_top_card_with_harbinger_is_seen_and_turns_up_the_next() -> None:
    stage = Stage("harbinger", "", decks=["copper*2"], discards=["estate*2 silver"])
    stage.do("play harbinger", "put silver")
    assert stage.seen("seat0.deck", by=1)[-1] == "silver"
    assert stage.seen("seat0.discard", by=1) == [None, "estate"]


def test_harbinger_after_a_reshuffle_finds_no_discard_pile() -> None:
    """Corner case 5."""
    stage = Stage("harbinger", "", discards=["gold estate"]).do("play harbinger")
    assert stage.phase == "buy"


# ---- Library ----


def test_library_draws_to_seven_and_sets_actions_aside_as_they_come() -> None:
    deck = "smithy copper village gold*5"
    stage = Stage("library estate*4", "", decks=[deck]).do("play library")
    assert stage.legal == ["keep smithy", "aside smithy"]
    stage.do("aside smithy")
    assert stage.legal == ["keep copper"]
    stage.do("keep copper", "keep village", "keep gold")
    assert stage.hand(0) == "copper gold estate estate estate estate village"
    assert stage.discard(0) == "smithy"


def test_library_asks_for_every_card_so_that_nobody_sees_which_are_actions() -> None:
    stage = Stage("library", "", decks=["copper*2"]).do("play library")
    assert stage.legal == ["keep copper"]
    assert stage.seen("seat0.look", by=1) == [None]


def test_only_an_action_can_be_set_aside() -> None:
    stage = Stage("library", "", decks=["copper*2"]).do("play library")
    assert stage.refuses(Action("aside", (stage.cards("seat0.look")[0],)))


def test_library_does_nothing_with_seven_cards_and_stops_when_there_are_no_more() -> None:
    full = Stage("library copper*7", "", decks=["gold"]).do("play library")
    assert full.deck(0) == "gold"
    stage = Stage("library", "", decks=["smithy"], discards=["copper*2"]).do("play library")
    stage.do("aside smithy", "keep copper", "keep copper")
    assert (stage.hand(0), stage.discard(0)) == ("copper copper", "smithy")


# ---- Merchant ----


@pytest.mark.parametrize(
    ("plays", "coins"),
    [
        (("play merchant", "stop", "play silver"), 3),
        (("play merchant", "stop", "treasures silver silver"), 5),
        (("play merchant", "play merchant", "stop", "play silver"), 4),
        (("play throne_room", "play merchant", "stop", "play silver"), 4),
    ],
)
def test_each_play_of_merchant_makes_the_first_silver_worth_one_more(
    plays: tuple[str, ...], coins: int
) -> None:
    """Corner case 1."""
    stage = Stage("merchant*2 throne_room silver*2", "").do(*plays[:-2])
    while stage.phase == "action":
        stage.do("stop")
    assert stage.do(plays[-1]).purse[2] == coins


# ---- Mine, Moneylender, Remodel, Workshop ----


def test_mine_gains_a_treasure_of_at_most_three_more_to_the_hand() -> None:
    stage = Stage("mine copper silver estate", "").do("play mine")
    assert stage.legal == ["trash copper", "trash silver", "pass"]
    stage.do("trash silver")
    assert stage.legal == ["gain copper", "gain silver", "gain gold"]
    stage.do("gain gold")
    assert (stage.hand(0), stage.trash) == ("copper gold estate", "silver")
    assert stage.do("play gold").purse == (0, 1, 3)


def test_mine_and_moneylender_may_be_declined_and_then_give_nothing() -> None:
    mine = Stage("mine copper", "").do("play mine", "pass")
    assert (mine.phase, mine.trash) == ("buy", "")
    lender = Stage("moneylender copper", "").do("play moneylender", "pass")
    assert lender.purse == (0, 1, 0)


def test_moneylender_pays_three_for_a_copper() -> None:
    stage = Stage("moneylender copper*2 silver", "").do("play moneylender")
    assert stage.legal == ["trash copper", "pass"]
    stage.do("trash copper")
    assert (stage.purse, stage.trash) == ((0, 1, 3), "copper")
    silver = Stage("moneylender copper silver", "").do("play moneylender")
    hidden = [card for card in silver.cards("seat0.hand") if silver.deal[card] == 1]
    assert silver.refuses(Action("trash", (hidden[0],)))


@pytest.mark.parametrize("key", ["mine", "moneylender", "throne_room"])
def test_the_first_edition_must_pick_and_proves_when_it_cannot(key: str) -> None:
    """The three texts on which the editions differ."""
    stage = Stage(f"{key} copper smithy", "", edition=1).do(f"play {key}")
    assert "pass" not in stage.legal
    without = {"mine": "estate", "moneylender": "silver", "throne_room": "estate"}[key]
    stage = Stage(f"{key} {without}", "", decks=["copper smithy"], edition=1)
    stage.do(f"play {key}")
    assert stage.legal == ["pass"]
    claim = GAME.claim(stage.table, 0, Action("pass"))
    assert claim is not None
    assert list(claim.cards) == stage.cards("seat0.hand")
    assert KEYS.index(without) in claim.faces
    picked = {"mine": "copper", "moneylender": "copper", "throne_room": "smithy"}[key]
    assert KEYS.index(picked) not in claim.faces
    stage.do("pass")
    assert stage.phase == "buy"


def test_in_the_second_edition_declining_says_nothing_about_the_hand() -> None:
    stage = Stage("mine copper", "").do("play mine")
    assert GAME.claim(stage.table, 0, Action("pass")) is None


def test_remodel_trashes_a_card_and_gains_one_of_at_most_two_more() -> None:
    stage = Stage("remodel gold", "").do("play remodel")
    assert stage.legal == ["trash gold"]
    stage.do("trash gold")
    assert {"gain province", "gain gold", "gain copper"} <= set(stage.legal)
    stage.do("gain province")
    assert (stage.discard(0), stage.trash) == ("province", "gold")


def test_remodel_without_a_card_gains_nothing() -> None:
    stage = Stage("remodel", "").do("play remodel")
    assert (stage.phase, stage.discard(0)) == ("buy", "")


def test_workshop_gains_a_card_of_at_most_four() -> None:
    stage = Stage("workshop", "", kingdom="gardens market").do("play workshop")
    assert {"gain silver", "gain gardens"} <= set(stage.legal)
    assert "gain market" not in stage.legal
    assert stage.do("gain gardens").discard(0) == "gardens"


@pytest.mark.parametrize("key", ["workshop", "feast", "artisan", "remodel", "mine"])
def test_a_gain_is_left_out_when_no_pile_has_such_a_card(key: str) -> None:
    """Corner case 7: after the trashing, if there is one, nothing more is asked."""
    stage = Stage(f"{key} copper", "")
    for pile in stage.table.zones[: len(KEYS)]:
        pile.clear()
    stage.do(f"play {key}")
    if "trash copper" in stage.legal:
        stage.do("trash copper")
    assert stage.phase == ("artisan" if key == "artisan" else "buy")


# ---- Poacher ----


def test_poacher_discards_for_every_empty_pile_when_it_resolves() -> None:
    """Corner case 6."""
    stage = Stage("poacher estate*2", "", decks=["gold"], gone="curse village", kingdom="village")
    stage.do("play poacher", "discard estate")
    assert stage.phase == "discard"
    stage.do("discard estate")
    assert (stage.hand(0), stage.purse) == ("gold", (1, 1, 1))


def test_poacher_discards_at_most_the_whole_hand() -> None:
    stage = Stage("poacher", "", decks=["gold"], gone="curse estate").do("play poacher")
    stage.do("discard gold")
    assert (stage.phase, stage.hand(0)) == ("buy", "")


# ---- Sentry ----


def test_sentry_trashes_then_discards_then_puts_back_in_any_order() -> None:
    stage = Stage("sentry", "", decks=["copper gold silver estate"]).do("play sentry")
    assert stage.legal == ["trash silver", "trash gold", "stop"]
    stage.do("stop")
    assert stage.legal == ["discard silver", "discard gold", "stop"]
    stage.do("stop", "put silver")
    assert stage.deck(0) == "gold silver estate"


def test_sentry_judges_each_card_by_itself() -> None:
    stage = Stage("sentry", "", decks=["copper curse estate gold"]).do("play sentry")
    stage.do("trash curse", "stop", "discard estate")
    assert (stage.trash, stage.discard(0), stage.deck(0)) == ("curse", "estate", "gold")
    assert stage.seen("seat0.discard", by=1) == ["estate"]


def test_sentry_leaves_the_last_card_without_a_question() -> None:
    stage = Stage("sentry", "", decks=["copper curse estate"]).do("play sentry")
    stage.do("trash estate", "stop", "stop")
    assert (stage.deck(0), stage.phase) == ("curse", "buy")


def test_what_sentry_looks_at_and_how_it_goes_back_is_seen_by_nobody_else() -> None:
    stage = Stage("sentry", "", decks=["copper gold silver"]).do("play sentry")
    assert stage.seen("seat0.look", by=1) == [None, None]
    stage.do("stop", "stop", "put gold")
    assert stage.seen("seat0.deck", by=1) == [None, None]
    assert stage.seen("seat0.deck", by=0) == ["gold", "silver"]


# ---- Throne Room ----


def test_throne_room_plays_an_action_twice_without_using_actions() -> None:
    stage = Stage("throne_room festival", "").do("play throne_room", "play festival")
    assert stage.purse == (4, 3, 4)
    assert stage.zone("seat0.play") == "festival throne_room"


def test_throne_room_resolves_the_first_play_before_the_second() -> None:
    """Corner case 2: with the reshuffles."""
    stage = Stage("throne_room smithy", "", decks=["gold"], discards=["copper*4"])
    stage.do("play throne_room", "play smithy")
    assert stage.hand(0) == "copper copper copper copper gold"


def test_throne_room_on_throne_room_plays_two_actions_twice_each() -> None:
    stage = Stage("throne_room*2 festival woodcutter", "")
    stage.do("play throne_room", "play throne_room", "play festival")
    assert stage.purse == (4, 3, 4)
    stage.do("play woodcutter")
    assert stage.purse == (4, 5, 8)


def test_throne_room_trashes_feast_once_and_gains_twice() -> None:
    """Corner case 2."""
    stage = Stage("throne_room feast", "").do("play throne_room", "play feast")
    stage.do("gain duchy", "gain duchy")
    assert (stage.trash, stage.discard(0)) == ("feast", "duchy duchy")


def test_throne_room_may_be_declined_and_needs_an_action() -> None:
    stage = Stage("throne_room smithy copper", "").do("play throne_room")
    assert stage.legal == ["play smithy", "pass"]
    copper = [card for card in stage.cards("seat0.hand") if stage.deal[card] == 0]
    assert stage.refuses(Action("play", (copper[0],)))
    stage.do("pass")
    assert (stage.phase, stage.hand(0)) == ("buy", "copper smithy")


def test_ten_throne_rooms_in_a_row_are_played_through() -> None:
    stage = Stage("throne_room*10 festival", "").do("play throne_room")
    for _ in range(9):
        stage.do("play throne_room")
    stage.do("play festival")
    while stage.phase == "throne room":
        stage.do(stage.legal[0])
    assert stage.purse == (4, 3, 4)


# ---- Vassal ----


def test_vassal_plays_the_action_it_discards_without_an_action() -> None:
    stage = Stage("vassal", "", decks=["festival copper"]).do("play vassal")
    assert stage.discard(0) == "festival"
    assert stage.legal == ["play festival", "pass"]
    stage.do("play festival")
    assert (stage.purse, stage.zone("seat0.play")) == ((2, 2, 4), "festival vassal")


def test_vassal_discards_other_cards_and_may_leave_an_action() -> None:
    """Corner case 3."""
    copper = Stage("vassal", "", decks=["copper"]).do("play vassal")
    assert (copper.phase, copper.discard(0)) == ("buy", "copper")
    stage = Stage("vassal", "", decks=["festival"]).do("play vassal", "pass")
    assert (stage.discard(0), stage.purse) == ("festival", (0, 1, 2))


@pytest.mark.parametrize(
    ("hand", "deck", "answers", "told"),
    [
        ("throne_room village", "copper*5", "village", "village"),
        ("throne_room vassal", "village market copper", "vassal village market", "vassal"),
        (
            "throne_room*2 village market", "copper*9", "throne_room village market",
            "village throne_room market",
        ),
    ],
)  # fmt: skip
def test_the_story_tells_whatever_a_throne_room_plays_a_second_time(
    hand: str, deck: str, answers: str, told: str
) -> None:
    stage = Stage(hand, "copper", decks=[deck])
    stage.table.told = facts = []
    stage.do("play throne_room", *[f"play {key}" for key in answers.split()])
    again = [fact.cards[0] for fact in facts if fact.kind == "again"]
    assert [KEYS[stage.deal_of(card)] for card in again] == told.split()


def test_a_throned_vassal_plays_both_cards() -> None:
    stage = Stage("throne_room vassal", "", decks=["festival woodcutter"])
    stage.do("play throne_room", "play vassal", "play festival", "play woodcutter")
    assert stage.purse == (2, 3, 8)
