"""What makes a world smaller hides nothing: held against the same world in full."""

import pytest

from tests.p2p.log.membership.bounds import FULL, Bounds, Reductions
from tests.p2p.log.membership.breaking import without, worlds_for
from tests.p2p.log.membership.exploring import Limits, Search, explore
from tests.p2p.log.membership.world import World

WHOLE = {
    "farewell": Bounds(suspects=(), leavers=(2,)),
    "suspected": Bounds(script=(0,), suspects=(2,)),
    "crash": Bounds(seats=2, script=(0,), suspects=(), leavers=(1,), crashes=1),
}
MET = {
    "farewell": WHOLE["farewell"],
    "suspected": WHOLE["suspected"],
    "any is suspected": Bounds(script=(0,)),
    "two rounds": Bounds(script=(0,), suspects=(2,), rounds=2),
    "a crash": Bounds(script=(0,), suspects=(2,), crashes=1),
    "gone and back": Bounds(script=(0, 0), suspects=(2,), epochs=2, restores=True),
    "a cheater votes": Bounds(script=(0,), suspects=(2,), evil=1),
    "a cheater between two": Bounds(script=(0,), suspects=(0, 1), evil=2),
    "a cheater writes": Bounds(script=(2,), suspects=(), evil=2),
    "a run and a crash": Bounds(script=("run of 2",), suspects=(1,), evil=2, crashes=1),
    "four": Bounds(seats=4, script=(0,), suspects=(3,)),
    "four, a cheater": Bounds(seats=4, script=(0,), suspects=(2,), evil=3),
}
ALIKE = {
    "a step of all": Bounds(suspects=(2,)),
    "a cheater writes": Bounds(script=(2,), suspects=(), evil=2),
    "a cheater votes": Bounds(script=("each",), suspects=(2,), evil=2),
    "four": Bounds(seats=4, script=(0,), suspects=(3,)),
    "four, a cheater": Bounds(seats=4, script=(3,), suspects=(), evil=3),
    "four, two rounds": Bounds(seats=4, script=("each",), suspects=(3,), rounds=2, epochs=2),
}
ONE_AT_A_TIME = [FULL._replace(**{name: True}) for name in Reductions._fields]
FOUND = (
    *("T0 is_member", "T3 hears_the_others", "T3 takes_two_for_silence", "T5b is_unanswered"),
    *("T6 is_agreed_by_all", "T11 is_news", "T12", "T12 only_a_cheater_wrote_above"),
    *("disk Left", "disk Voted"),
)


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_world_is_right_in_full_and_with_each_reduction(name):
    full = explore(World(WHOLE[name], None, FULL), Limits(heal=397))
    for reductions in (*(ONE_AT_A_TIME if full.states < 5000 else ()), Reductions()):
        less = explore(World(WHOLE[name], None, reductions), Limits(heal=397))
        assert (full.is_complete, less.is_complete) == (True, True)
        assert (full.wrong, less.wrong) == ("", "")
        assert less.states <= full.states


@pytest.mark.parametrize("name", FOUND)
def test_what_is_missed_in_full_is_missed_with_the_reductions(name):
    limits = Limits(states=400, heal=3)
    for reductions in (FULL, Reductions()):
        worlds = (World(bounds, without(name), reductions) for bounds in worlds_for(name))
        assert any(explore(world, limits).wrong for world in worlds)


@pytest.mark.parametrize("name", MET)
def test_what_is_forgotten_changes_nothing_that_a_member_does(name):
    """Whatever happens to a member of the full world happens to its normal form as well."""
    full, less = World(MET[name], None, FULL), World(MET[name])
    less.logs = full.logs
    search = Search(full, Limits(states=2000, heal=0))
    search.run()
    changed = 0
    for number, said, crashes in list(search.packing.met()):
        member, told = full.members.value(number), full.saids.value(said)
        normal = less.forgetting.forget(member)
        changed += normal != member
        told_less = frozenset(map(less.forgetting.told, told))
        wanted = {
            (less.forgetting.forget(new), frozenset(map(less.forgetting.told, after)), is_crash)
            for new, after, is_crash in becomes(full, member, told, crashes)
        } - {(normal, told_less, False)}
        found = becomes(less, normal, told_less, crashes)
        assert wanted <= found
        assert wanted == found or MET[name].seats == 4  # All who agree are heard at once.
    assert changed, "something was forgotten"


def becomes(world, member, told, crashes):
    """What can become of a member, with what was signed."""
    options = world.options(world.members[member], world.saids[told], crashes > 0)
    return {
        (world.members.value(new), world.saids.value(after), is_crash)
        for _, new, after, is_crash in options
    }


@pytest.mark.parametrize("name", ALIKE)
def test_who_is_alike_is_treated_alike(name):
    """Renamed after a step, or stepped after it was renamed: the states are the same."""
    alike = FULL._replace(evidence=True, seats=True)
    search = Search(World(ALIKE[name], None, alike), Limits(states=500, heal=0))
    search.run()
    packing = search.packing
    assert packing.swaps
    for packed in list(search.parent):
        for swap in packing.swaps:
            after = {swap.swap(new) for new in packing.after(packed)}
            assert after == set(packing.after(swap.swap(packed)))


def test_all_that_four_agree_on_is_told_at_once_and_nothing_less():
    """Two yes of others arrive together; in full one after the other, with the same end."""
    bounds = Bounds(seats=4, script=(0,), suspects=(3,))
    ends = []
    for reductions in (FULL, Reductions()):
        world = World(bounds, None, reductions)
        states = {world.first()}
        for name in ("0: silent 3", "1: silent 3", "2: silent 3"):
            states = {new for state in states for step, new in world.steps(state) if step == name}
        reached = set()
        for _ in range(2):
            states = {
                new for state in states for name, new in world.steps(state)
                if name.startswith("0: hear")
            }  # fmt: skip
            reached |= {world.members_of(state)[0] for state in states}
        ends.append({m._replace(heard=frozenset()) for m in reached if m.log.change_count})
    assert ends[0] == ends[1]
    assert len(ends[0]) == 1
