"""Dominion over the protocol: reshuffles in mid-draw, cards looked at and put back."""

from __future__ import annotations

import random

import pytest

from core.requests import Action, Chosen, Shuffle
from p2p.replica import Replica
from tests.p2p.room import Room

CHOICES = 90  # Enough for a dozen turns, and not slow.


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
        chosen = [event for _, event in replica.play.events if isinstance(event, Chosen)]
        return len(chosen) >= CHOICES or replica.is_over

    room.chooser = choose
    room.run(until=has_gone_on)
    play = room.replicas[0].play
    assert has_gone_on(room.replicas[0])
    assert len({replica.play.table.digest() for replica in room.replicas}) == 1
    shuffles = [request.player for request, _ in play.events if isinstance(request, Shuffle)]
    assert shuffles.count(None) > seats, "decks were shuffled again"
    for seat, replica in enumerate(room.replicas):
        unknown = [card for card in replica.view().zones[f"seat{seat}.hand"] if card.face is None]
        assert not unknown, "a seat does not know its own hand"
