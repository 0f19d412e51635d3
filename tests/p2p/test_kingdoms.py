"""A kingdom of Dominion that the players find together, over the protocol."""

from __future__ import annotations

import random

import pytest

from core.games.dominion.cards import KEYS
from core.games.dominion.kingdoms import kinds_of
from core.requests import Action, Choice, Chosen
from p2p.log.replica import Replica
from tests.p2p.room import Room


@pytest.mark.parametrize("way", ["draft", "veto"])
def test_a_kingdom_is_found_by_public_choices_that_everybody_follows(way: str) -> None:
    room = Room(3, {"edition": 2, "kingdom": way}, seed=4, game="dominion")
    rng = random.Random(6)

    def choose(replica: Replica, actions: list[Action]) -> Action:
        return rng.choice(actions)

    def has_begun(replica: Replica) -> bool:
        is_asking = isinstance(replica.play.request, Choice)
        return is_asking and replica.view().phase != "draft"

    room.chooser = choose
    room.run(until=has_begun)
    replica = room.replicas[0]
    assert len({each.play.table.digest() for each in room.replicas}) == 1
    said = [event.action for _, event in replica.play.events if isinstance(event, Chosen)]
    named = {action.number for action in said if action.verb in ("choose", "strike")}
    expected = named if way == "draft" else set(kinds_of(2)) - named
    counters = replica.view().counters
    assert {counters[f"kingdom.{place}"] for place in range(10)} == expected
    assert len(expected) == 10
    supply = {KEYS[face] for face in kinds_of(2) if replica.view().zones[f"supply.{KEYS[face]}"]}
    assert supply == {KEYS[face] for face in expected}
