"""Renaissance over the protocol: characters laid face down with a proof, duels that open them."""

from __future__ import annotations

import random
from collections import Counter

from core.requests import Action, Chosen, Shuffle
from p2p.log.replica import Replica
from tests.p2p.room import Room

ENOUGH = 3


def test_whole_games_in_which_characters_are_hidden_and_uncovered_are_agreed_on() -> None:
    """The cards fall as they fall: as many games as it takes until enough was hidden and shown."""
    verbs, mixes = Counter[str](), 0
    while min(verbs["hide"], verbs["uncover"], mixes) < ENOUGH:
        room = played()
        assert all(replica.is_over for replica in room.replicas)
        assert len({replica.play.table.digest() for replica in room.replicas}) == 1
        events = room.replicas[0].play.events
        verbs.update(event.action.verb for _, event in events if isinstance(event, Chosen))
        mixes += sum(
            isinstance(request, Shuffle) and request.player is not None for request, _ in events
        )


def played() -> Room:
    """A game of three who like to lay characters face down, and to uncover them."""
    room = Room(3, {"balance": True}, seed=3, game="renaissance")
    rng = random.Random(5)

    def choose(replica: Replica, actions: list[Action]) -> Action:
        dear = [action for action in actions if action.verb in ("hide", "uncover", "call")]
        return rng.choice(dear if dear and rng.random() < 0.7 else actions)

    room.chooser = choose
    room.run()
    return room
