"""What stays hidden: hands are mixed before a card could be followed, and only then."""

from __future__ import annotations

from core.chance import Chance
from core.determinization import determinize
from core.games.renaissance.cards import PERSON_FACES, PILE
from core.requests import Shuffle
from core.table import HIDDEN
from core.testing.worlds import BlindGame
from tests.core.games.renaissance.stage import GAME, Stage, face_of


def mixes(stage: Stage) -> list[int]:
    """How many cards were mixed by their owner since the last choice, mix by mix."""
    return [len(request.piles[0]) for request in stage.asked
            if isinstance(request, Shuffle) and request.player is not None]  # fmt: skip


def test_a_drawn_card_is_mixed_with_the_unseen_ones_before_the_next_action() -> None:
    stage = Stage(cards={"hands": ["science finance"], "known": ["religion"]}).do("place a.1")
    assert mixes(stage) == []
    stage.do("draw")
    assert mixes(stage) == [3]  # Religion is known, and stays apart.
    assert stage.seen("seat0.hand", 1).count(None) == 3


def test_a_card_drawn_last_is_mixed_when_the_seat_acts_again() -> None:
    stage = Stage(cards={"hands": ["science finance"]}).do("place a.1", "draw", "draw")
    assert (mixes(stage), stage.chooser) == ([], 1)
    stage.do("place b.1", "draw", "end", "place c.1")
    assert mixes(stage) == [4]


def test_a_known_character_is_mixed_in_so_that_it_can_be_hidden_unseen() -> None:
    cards = {"hands": ["person.religion.1 science"], "display": "person.3 finance"}
    stage = Stage(cards=cards).do("place a.1", "take person.3")
    assert mixes(stage) == [3]
    stage.do("hide person.3")
    assert stage.seen("seat0.persons", 1) == [None]


def test_known_culture_cards_alone_are_never_mixed() -> None:
    cards = {"hands": ["person.religion.1 science"], "display": "religion finance"}
    stage = Stage(cards=cards).do("place a.1", "take culture.religion")
    assert mixes(stage) == []


def test_before_a_duel_only_unseen_cards_are_mixed() -> None:
    """The known character stays known: the opponent has seen it taken."""
    cards = {
        "hands": ["science finance"],
        "known": ["person.religion.1"],
        "piles": ["", "person.3"],
    }
    stage = Stage(events=["black.2"], pieces={"a.2": 1}, cards=cards)
    stage.do("place a.3", "draw")
    assert mixes(stage) == [3]
    assert stage.seen("seat0.hand", 1).count("person.religion.1") == 1


def test_nobody_imagines_anything_but_characters_on_a_pile() -> None:
    """In whole games, for every seat, whatever has been mixed in the meantime."""
    hidden = 0
    for seed in range(4):
        world = BlindGame(GAME, 3, {option.key: option.values[0] for option in GAME.options}, seed)
        for _ in world.play():
            if len(world.history) % 10:
                continue
            for peer in world.peers:
                dream = determinize(peer.table, peer.observation, Chance(len(world.history)))
                cards = [card for seat in range(3) for card in peer.table.zones[PILE[seat]]]
                assert all(dream[card] in PERSON_FACES for card in cards)
                hidden += sum(peer.observation[card] == HIDDEN for card in cards)
    assert hidden > 100


def test_no_number_of_a_card_tells_which_card_was_drawn_last() -> None:
    """After the mix the face that was drawn may be on any number of the unseen cards."""
    numbers = set()
    for seed in range(40):
        stage = Stage(
            cards={"hands": ["science finance exploration"], "talon": "person.4 person.3"}
        )
        stage.do("place a.1")
        stage.dealer.chance = Chance(seed)
        stage.do("draw")
        hand = stage.cards("seat0.hand")
        numbers.add(next(card for card in hand if stage.dealer.deal[card] == face_of("person.4")))
    assert len(numbers) == 4
