"""Renaissance over the protocol: characters laid face down with a proof, duels that open them."""

from __future__ import annotations

import random
from collections import Counter

from core.requests import Action, Chosen, Shuffle
from p2p.replica import Replica
from tests.p2p.room import Room


def test_a_whole_game_in_which_characters_are_hidden_and_uncovered_is_agreed_on() -> None:
    room = Room(3, {"balance": True}, seed=3, game="renaissance")
    rng = random.Random(5)

    def choose(replica: Replica, actions: list[Action]) -> Action:
        dear = [action for action in actions if action.verb in ("hide", "uncover", "call")]
        return rng.choice(dear if dear and rng.random() < 0.7 else actions)

    room.chooser = choose
    room.run()
    assert all(replica.is_over for replica in room.replicas)
    assert len({replica.play.table.digest() for replica in room.replicas}) == 1
    events = room.replicas[0].play.events
    verbs = Counter(event.action.verb for _, event in events if isinstance(event, Chosen))
    mixes = [request for request, _ in events
             if isinstance(request, Shuffle) and request.player is not None]  # fmt: skip
    assert verbs["hide"] >= 5
    assert verbs["uncover"] >= 5
    assert mixes
