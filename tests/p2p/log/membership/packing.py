"""States of a world as whole numbers, and what can happen as differences between them.

A state has its members, what was signed and the crashes that are left, each as a number of its own
(`Numbers`); packed side by side they are the state, exactly: nothing is hashed, so no state can be
taken for another.  What can happen to one member depends on it and on what was signed alone, so it
is worked out once, as the differences that it makes, and added to all states where both occur.
"""

from itertools import combinations

from tests.p2p.log.membership.numbers import State
from tests.p2p.log.membership.swapping import Swapping, permutations_of

CRASH_BITS = 2
SAID_BITS = 26
MEMBER_BITS = 22
LOW_BITS = CRASH_BITS + SAID_BITS
LOW = (1 << LOW_BITS) - 1
ONE_MEMBER = (1 << MEMBER_BITS) - 1


class Packing:
    """The transitions of one world, on packed states."""

    def __init__(self, world):
        self.world = world
        self.shifts = [LOW_BITS + MEMBER_BITS * index for index in range(len(world.honest))]
        self._known = [{} for _ in self.shifts]
        self._pairs = {}
        names = permutations_of(world.bounds) if world.reductions.seats else ()
        self.swaps = [_Swap(self, each) for each in names]

    def pack(self, state):
        """A state as a number."""
        assert len(self.world.saids) <= 1 << SAID_BITS, "what was signed has a number"
        assert len(self.world.members) <= 1 << MEMBER_BITS, "each member has one"
        packed = state.said << CRASH_BITS | state.crashes
        for shift, number in zip(self.shifts, state.members, strict=True):
            packed |= number << shift
        return packed

    def unpack(self, packed):
        """The state of a number."""
        members = tuple(packed >> shift & ONE_MEMBER for shift in self.shifts)
        crashes = packed & ((1 << CRASH_BITS) - 1)
        return State(members, (packed & LOW) >> CRASH_BITS, crashes)

    def first(self):
        """Where it begins."""
        return self.one_of(self.pack(self.world.first()))

    def after(self, packed):
        """What can follow, of each class of states that are alike one; some more than once."""
        low = packed & LOW
        for shift, known in zip(self.shifts, self._known, strict=True):
            key = (packed >> shift & ONE_MEMBER) << LOW_BITS | low
            differences = known.get(key)
            if differences is None:
                differences = known[key] = self._differences(key, shift)
            for difference in differences:
                yield packed + difference

    def _differences(self, key, shift):
        number, said = key >> LOW_BITS, (key & LOW) >> CRASH_BITS
        options = self.world.options(number, said, key & ((1 << CRASH_BITS) - 1) > 0)
        assert len(self.world.saids) <= 1 << SAID_BITS, "what was signed has a number"
        assert len(self.world.members) <= 1 << MEMBER_BITS, "each member has one"
        return tuple(
            (new - number << shift) + (told - said << CRASH_BITS) - is_crash
            for _, new, told, is_crash in options
        )

    def one_of(self, packed):
        """The state that stands for all that are the same but for the names of seats."""
        return min(packed, *(swap.swap(packed) for swap in self.swaps)) if self.swaps else packed

    def met(self):
        """What has met: the numbers of a member and of what was signed, and the crashes left."""
        for known in self._known:
            for key in known:
                low = key & LOW
                yield key >> LOW_BITS, low >> CRASH_BITS, low & ((1 << CRASH_BITS) - 1)

    def wrong(self, packed):
        """A property of the whole state that does not hold; it is one of two members."""
        if self.world.bounds.evil is None:
            return ""
        for pair in combinations([packed >> shift & ONE_MEMBER for shift in self.shifts], 2):
            if pair not in self._pairs:
                members = [self.world.members.value(number) for number in pair]
                self._pairs[pair] = self.world.wrong_pair(*members)
            if self._pairs[pair]:
                return self._pairs[pair]
        return ""


class _Swap:
    """One way to rename seats, on packed states."""

    def __init__(self, packing, names):
        self.packing, self.world = packing, packing.world
        self.swapping = Swapping(packing.world, names)
        honest = packing.world.honest
        self.places = [packing.shifts[honest.index(names[seat])] for seat in honest]
        self.members, self.saids = {}, {}

    def swap(self, packed):
        low = packed & LOW
        new = self.saids.get(low)
        if new is None:
            said = self.world.saids.value(low >> CRASH_BITS)
            crashes = packed & ((1 << CRASH_BITS) - 1)
            new = self.world.saids[self.swapping.all(said)] << CRASH_BITS | crashes
            self.saids[low] = new
        for shift, place in zip(self.packing.shifts, self.places, strict=True):
            number = packed >> shift & ONE_MEMBER
            renamed = self.members.get(number)
            if renamed is None:
                member = self.swapping.member(self.world.members.value(number))
                renamed = self.members[number] = self.world.members[member]
            new |= renamed << place
        return new
