"""Dominion over the protocol: reshuffles in mid-draw, cards looked at and put back."""

from __future__ import annotations

import random

import pytest

from core.games.dominion.cards import CELLAR
from core.requests import Action, Choice, Chosen, Shuffle
from p2p.log.replica import Replica
from tests.p2p.room import Room
from tests.simulation.volume_group import volume_group

CHOICES = 90  # Enough for some turns of everybody, and not slow.


@pytest.mark.parametrize(
    ("seats", "edition", "kingdom"),
    [
        (2, 1, "cellar,chancellor,feast,library,mine,moneylender,spy,thief,throne_room,village"),
        (3, 2, "artisan,bandit,bureaucrat,harbinger,militia,moat,poacher,remodel,sentry,vassal"),
    ],
)
def test_every_seat_agrees_on_a_game_in_which_nobody_knows_a_deck(
    seats: int, edition: int, kingdom: str
) -> None:
    room = Room(seats, {"edition": edition, "kingdom": kingdom}, seed=3, game="dominion")
    rng = random.Random(5)

    def choose(replica: Replica, actions: list[Action]) -> Action:
        return actions[-1] if rng.random() < 0.6 else rng.choice(actions)

    def has_gone_on(replica: Replica) -> bool:
        """Somebody is asked after that many choices, and decks have been shuffled again."""
        if replica.is_over:
            return True
        events = replica.play.events
        chosen = sum(isinstance(event, Chosen) for _, event in events)
        shuffles = [request.player for request, _ in events if isinstance(request, Shuffle)]
        is_asking = isinstance(replica.play.request, Choice)
        return is_asking and chosen >= CHOICES and shuffles.count(None) > seats

    room.chooser = choose
    room.run(until=has_gone_on)
    assert has_gone_on(room.replicas[0])
    assert len({replica.play.table.digest() for replica in room.replicas}) == 1
    for seat, replica in enumerate(room.replicas):
        unknown = [card for card in replica.view().zones[f"seat{seat}.hand"] if card.face is None]
        assert not unknown, "a seat does not know its own hand"


def discards(replica: Replica, seat: int) -> list[str]:
    """What this machine tells of the cards that a seat has discarded from its hand."""
    lines = replica.play.narrator.lines
    return [line.text for line in lines if line.seat == seat and line.text.startswith("discard ")]


def test_what_i_discard_unseen_is_named_in_my_story_alone() -> None:
    def choose(replica: Replica, actions: list[Action]) -> Action:
        """Buy Cellars, and discard all that one may."""
        wanted = {"discard": 5, "play": 4, "treasures": 3, "end": 1}
        buys = ("buy", CELLAR)
        return max(actions, key=lambda each: 2 if (each.verb, each.number) == buys
                   else wanted.get(each.verb, 0))  # fmt: skip

    with volume_group():
        room = Room(2, {"kingdom": "first_game"}, seed=3, game="dominion")
        room.chooser = choose
        room.run(until=lambda replica: any(len(discards(replica, seat)) > 2 for seat in (0, 1)))
    told = [[discards(replica, seat) for seat in (0, 1)] for replica in room.replicas]
    assert any("discard ?" in each for each in (told[0][1], told[1][0]))
    for me in (0, 1):
        assert "?" not in " ".join(told[me][me]), "it knows what it held"
        assert len(told[me][me]) == len(told[1 - me][me])
