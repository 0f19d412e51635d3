"""Natives of a village, as the program of the left neighbour plays them."""

from __future__ import annotations

from core.determinization import observation_of
from core.games.civilization.layout import BOX, HAND, UNIT_DECK
from core.games.civilization.natives import natives_action
from tests.core.games.civilization.stage import GAME, Stage
from tests.core.games.civilization.test_battles import attack


def beside_village(forces: str) -> Stage:
    """An army that may attack a village; the natives will be seat 1's."""
    stage = Stage().city(0, "1.1").city(1, "14.14").mark("village", "9.8").army(0, "8.8")
    for deck, key in enumerate(("infantry.2", "mounted.2", "artillery.2")):
        stage.next_in(deck, key)
    return stage.holds(0, forces)


def village(forces: str) -> Stage:
    """The army attacks."""
    return attack(beside_village(forces))


def follow(stage: Stage) -> str:
    """The policy answers for the natives."""
    observation = observation_of(stage.table, stage.deal, 1)
    action = natives_action(stage.table, 1, observation)
    assert action is not None
    text = GAME.describe(stage.table, action, observation)
    stage.do(f"1: {text}")
    return text


def test_the_policy_plays_the_natives() -> None:
    """D10, IW8, C137: kill without dying, else a new front; infantry first among equals."""
    stage = village("mounted.2 mounted.1 mounted.2")
    assert [follow(stage), follow(stage)] == ["play infantry.2", "new"]
    stage.do("0: play mounted.2", "new")
    assert [follow(stage), follow(stage)] == ["play mounted.2", "new"]
    stage.do("0: play mounted.1", "new")
    assert [follow(stage), follow(stage)] == ["play artillery.2", "front 4"]
    with_infantry = village("mounted.2 mounted.1")
    with_infantry.table.zones[HAND[1]].sort(key=lambda card: -with_infantry.deal[card])
    assert follow(with_infantry) == "play infantry.2"


def test_the_policy_kills_where_it_can() -> None:
    """D10: a trump that kills, or a stronger unit."""
    stage = village("mounted.1 mounted.2 infantry.3")
    follow(stage), follow(stage)
    stage.do("0: play mounted.1", "new")
    assert [follow(stage), follow(stage)] == ["play mounted.2", "front 2"]
    assert natives_action(stage.table, 0, stage.table.face) is None


def test_the_policy_takes_a_missing_native_from_the_fullest_deck() -> None:
    """D10, C137, E101."""
    stage = Stage().city(0, "1.1").city(1, "14.14").mark("village", "9.8").army(0, "8.8")
    for deck, left in ((0, 0), (1, 3), (2, 5)):
        stage.table.zones[BOX] += stage.table.zones[UNIT_DECK + deck][left:]
        del stage.table.zones[UNIT_DECK + deck][left:]
    attack(stage.holds(0, "aircraft.5"))
    assert stage.asks == "natives"
    assert follow(stage) == "deck artillery"


def test_the_policy_is_silent_while_natives_have_nothing_to_do() -> None:
    """D10, IW8: while the attacker wounds, and when no native is left in the hand."""
    stage = village("mounted.2 mounted.1")
    stage.tech(0, "mathematics").has(0, iron=1)
    follow(stage), follow(stage)
    stage.do("0: mathematics")
    assert (stage.asks, stage.asked) == ("wound", 0)
    assert stage.table.zones[HAND[1]]
    assert natives_action(stage.table, 1, stage.table.face) is None
    done = village("mounted.2 mounted.1")
    done.table.zones[BOX] += done.table.zones[HAND[1]]
    done.table.zones[HAND[1]] = []
    assert done.asks == "fight"
    assert natives_action(done.table, 1, done.table.face) is None
