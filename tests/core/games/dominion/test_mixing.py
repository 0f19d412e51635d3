"""Who looks at cards mixes them before they go anywhere, so that no number can be followed."""

from __future__ import annotations

from core.games.dominion.cards import DISCARD, HAND, LOOKING
from core.requests import Action, Request, Shuffle
from tests.core.games.dominion.stage import GAME, Stage
from tests.core.games.dominion.watching import requests_after


def mixes(requests: list[Request], seat: int) -> list[list[int]]:
    """The piles that a seat has mixed by itself, sorted."""
    own = [each for each in requests if isinstance(each, Shuffle) and each.player == seat]
    return [sorted(pile) for each in own for pile in each.piles]


def after_playing(stage: Stage, seat: int = 0) -> list[Request]:
    """Everything asked for once the first card of a hand has been played."""
    GAME.apply(stage.table, seat, Action("play", (stage.cards(f"seat{seat}.hand")[0],)))
    return requests_after(stage)


def after(stage: Stage, text: str) -> list[Request]:
    """Everything asked for once an offer has been taken."""
    observation = stage.observation(stage.chooser)
    legal = GAME.legal_actions(stage.table, stage.chooser, observation)
    action = next(each for each in legal if GAME.describe(stage.table, each, observation) == text)
    GAME.apply(stage.table, stage.chooser, action)
    return requests_after(stage)


def test_sentry_mixes_the_cards_it_looks_at_before_it_says_where_they_go() -> None:
    stage = Stage("sentry", "", decks=["copper gold silver"])
    asked = after_playing(stage)
    assert sorted(stage.table.zones[LOOKING[0]]) in mixes(asked, 0)


def test_library_mixes_what_it_kept_so_that_nobody_knows_which_came_first() -> None:
    stage = Stage("library estate*5", "", decks=["gold silver"]).do("play library", "keep gold")
    asked = after(stage, "keep silver")
    assert mixes(asked, 0) == [sorted(stage.table.zones[HAND[0]])]


def test_harbinger_mixes_the_discard_pile_below_its_top_card() -> None:
    stage = Stage("harbinger", "", decks=["copper"], discards=["gold silver estate duchy"])
    asked = after_playing(stage)
    looked_at = stage.table.zones[LOOKING[0]]
    assert mixes(asked, 0) == [sorted(looked_at[:-1])]
    assert not stage.table.zones[DISCARD[0]]


def known_to_all(stage: Stage, seat: int) -> int:
    """The second card of a hand, once everybody has seen it."""
    card = stage.cards(f"seat{seat}.hand")[1]
    stage.table.turn_up((card,), [stage.deal[card]])
    return card


def is_mixed(card: int, requests: list[Request], seat: int) -> bool:
    """Whether a seat has mixed this card with others."""
    return any(card in pile for pile in mixes(requests, seat))


def test_a_known_card_is_mixed_into_the_hand_before_cellar_discards_unseen() -> None:
    stage = Stage("cellar copper silver gold", "")
    card = known_to_all(stage, 0)
    assert is_mixed(card, after_playing(stage), 0)


def test_a_known_card_is_mixed_into_the_hand_before_a_victim_of_militia_discards() -> None:
    stage = Stage("militia", "copper silver gold estate duchy")
    card = known_to_all(stage, 1)
    assert is_mixed(card, after_playing(stage), 1)


def test_a_known_card_is_mixed_into_the_hand_before_poacher_discards() -> None:
    for gone in ("", "curse"):
        stage = Stage("poacher copper silver", "", decks=["gold"], gone=gone)
        card = known_to_all(stage, 0)
        assert is_mixed(card, after_playing(stage), 0) == bool(gone)


def test_of_the_cards_discarded_to_poacher_only_the_last_is_seen() -> None:
    stage = Stage("poacher copper silver", "", decks=["gold"], gone="curse chapel")
    stage.do("play poacher", "discard copper", "discard silver")
    assert stage.seen("seat0.discard", by=1) == [None, "silver"]
