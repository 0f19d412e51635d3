"""Everything that can happen at small tables, on the machine that plays."""

import pytest

from p2p.log.membership.messages import Ack, Ballot
from p2p.log.membership.state import Appended, Say, Store, Voted, Wrote
from tests.p2p.log.membership.bounds import Bounds
from tests.p2p.log.membership.breaking import without, worlds_for
from tests.p2p.log.membership.exploring import Limits, explore
from tests.p2p.log.membership.healing import Healing
from tests.p2p.log.membership.walking import walk
from tests.p2p.log.membership.world import World
from tests.p2p.log.membership.worlds import LARGE, SMALL, WALKS

BEGUN = {
    "a crash": Bounds(script=(0,), suspects=(2,), crashes=1),
    "a secret": Bounds(script=("secret",), suspects=(2,)),
    "gone and back": Bounds(script=(0, 0), suspects=(2,), epochs=2, restores=True),
    "a cheater writes": Bounds(script=(2,), suspects=(), evil=2),
    "a cheater writes before a bot": Bounds(script=(2, "seat 3"), suspects=(), evil=2),
    "a cheater votes": Bounds(script=(0,), suspects=(2,), evil=1),
    "a cheater between two": Bounds(script=(0,), suspects=(0, 1), evil=2),
    "four, one says farewell": Bounds(seats=4, script=(0,), suspects=(2,), leavers=(3,)),
    "four": Bounds(seats=4, script=(0,), suspects=(3,)),
    "four, a cheater": Bounds(seats=4, script=(3,), suspects=(), evil=3),
    "four, a cheater votes": Bounds(seats=4, script=(0,), suspects=(3,), evil=1),
}
FOUND = (
    "T1",
    "T2",
    "T3 takes_two_for_silence",
    "T5a hears_its_seat",
    "T5b is_unanswered",
    "T6",
    "T6 is_agreed_by_all",
    "T11",
    "T11 is_news",
    "T12",
    "T12 only_a_cheater_wrote_above",
    "T0 is_member",
    "T3 hears_the_others",
    "T5d is_leaving",
    "disk Left",
)


@pytest.mark.parametrize("name", SMALL)
def test_nothing_is_wrong_in_any_state_of_a_small_table(name):
    result = explore(World(SMALL[name]), Limits(heal=197))
    assert not result.wrong, str(result)
    assert result.is_complete


@pytest.mark.parametrize("name", BEGUN)
def test_nothing_is_wrong_in_the_first_states_of_a_larger_one(name):
    result = explore(World(BEGUN[name]), Limits(states=1000, heal=97))
    assert not result.wrong, str(result)
    assert result.states > 1000


@pytest.mark.parametrize("name", WALKS)
def test_nothing_is_wrong_on_random_walks(name):
    seed, bounds = WALKS[name]
    result = walk(World(bounds), seed, 60, walks=3)
    assert not result.wrong, str(result)


@pytest.mark.parametrize("name", FOUND)
def test_a_rule_that_is_taken_out_is_missed(name):
    limits = Limits(states=400, heal=3)
    results = (explore(World(bounds, without(name)), limits) for bounds in worlds_for(name))
    assert any(result.wrong for result in results)


def test_nothing_is_said_before_it_is_on_disk():
    world = World(Bounds(suspects=(2,)))
    said = 0
    real = world.receive

    def receive(member, given):
        nonlocal said
        after, effects = real(member, given)
        stored = []
        for effect in effects:
            match effect:
                case Store(Voted(kept) | Wrote(kept) | Appended(_, kept)):
                    stored.append(kept)
                case Say(message) if message.seat == member.me and isinstance(
                    message, Ballot | Ack
                ):
                    assert message in stored, "it is on disk first"
                    said += 1
        return after, effects

    world.receive = receive
    explore(world, Limits(states=2000, heal=0))
    assert said > 100


STUCK = {  # What larger explorations found: the world, who is silent for good, what happened.
    "one falls silent that had agreed to bring another back": (
        "three, gone and back", (0,),
        ("0: silent 2", "1: silent 2", "0: hear 1's yes to silent 2 in round 0",
         "1: hear 0's yes to silent 2 in round 0", "0: write", "0: write", "1: take say 0",
         "1: take say 0", "2: see silent 2 in force", "2: wish", "0: hear wish of 2",
         "1: hear wish of 2", "1: hear 0's yes to restore 2 in round 0"),
    ),
    "a cheater brings one back, and agrees to something else before it is there": (
        "back, a cheater votes", (1,),
        ("0: silent 2", "0: hear 1's yes to silent 2 in round 0", "0: write", "0: write",
         "2: see silent 2 in force", "2: look at say", "2: hear 1's yes to silent 2 in round 0",
         "2: hear 1's no in round 0", "2: hear 1's yes to silent 1 in round 0", "2: wish",
         "0: hear wish of 2", "0: hear 1's yes to restore 2 in round 0"),
    ),
    "a cheater agrees to one change with one, and to another with the other": (
        "four, a cheater votes", (1,),
        ("0: silent 3", "0: hear 1's yes to silent 1 in round 0", "0: heardagain 3", "2: silent 3",
         "2: hear 1's yes to silent 3 in round 0", "0: evidence E3",
         "2: hear 0's yes to silent 3 in round 0"),
    ),
    "a cheater refuses what two have followed, and shows a third that it is in force": (
        "four, a cheater votes", (1,),
        ("0: silent 3", "0: hear 1's yes to silent 3 in round 0", "2: silent 3",
         "0: hear 2's yes to silent 3 in round 0", "0: hear 1's no in round 0", "0: write",
         "2: hear 1's yes to silent 3 in round 0", "2: hear 0's yes to silent 3 in round 0",
         "2: hear 1's no in round 0", "3: hear 1's yes to silent 1 in round 0",
         "3: see silent 3 in force"),
    ),
    "one is two epochs further, and has not heard by which no both are over": (
        "four, two epochs", (),
        ("0: silent 3", "1: silent 3", "1: silent 2", "2: silent 3",
         "0: hear all 2 say 1's yes to silent 3 in round 0", "0: silent 2",
         "1: hear all 2 say 0's yes to silent 3 in round 0",
         "1: hear 0's yes to silent 2 in round 0", "2: no answer", "0: hear 2's no in round 0"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STUCK)
def test_the_table_goes_on_where(what):
    name, silent, steps = STUCK[what]
    world = World(LARGE[name])
    state = world.first()
    for wanted in steps:
        state = next(after for name, after in world.steps(state) if name == wanted)
    assert Healing(world).heal(state, frozenset(silent)) == "goes on"
