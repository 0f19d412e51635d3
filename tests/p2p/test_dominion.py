"""Dominion over the protocol: reshuffles in mid-draw, cards looked at and put back."""

from __future__ import annotations

import random

import pytest

from core.requests import Action, Choice, Chosen, Shuffle
from p2p.log.replica import Replica
from tests.p2p.room import Room

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
