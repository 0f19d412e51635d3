"""States that are the same but for the names of seats: of each such class one is explored.

Seats are alike if the game, the bounds and the cheat treat them alike.  To swap two of them in a
state is to rename them in all that is signed, also in the logs, whose heads change with that.  The
rules must not know a seat by its number: where they take the lowest first, the order decides
nothing; `test_reductions.py` swaps seats before and after steps and compares.
"""

from functools import cache
from itertools import groupby, permutations, product

from p2p.base.entry import parse_entry
from p2p.log.membership.evidence import ConflictingPair
from p2p.log.membership.log import ChangeItem, EntryRef, StepItem
from p2p.log.membership.messages import Ack, Ballot, Change
from p2p.log.membership.state import Member
from tests.p2p.log.membership.toy import entry_of, stamp


def permutations_of(bounds):
    """Every way to rename seats that are alike, but that which changes nothing."""
    alike = sorted(range(bounds.seats), key=lambda seat: (_role(bounds, seat), seat))
    classes = [list(seats) for _, seats in groupby(alike, key=lambda seat: _role(bounds, seat))]
    found = []
    for choice in product(*(permutations(seats) for seats in classes)):
        renamed = dict(zip(alike, (seat for part in choice for seat in part),
                           strict=True))  # fmt: skip
        names = tuple(renamed[seat] for seat in range(bounds.seats))
        if names != tuple(range(bounds.seats)):
            found.append(names)
    return found


def _role(bounds, seat):
    """What tells a seat from others.

    Several leavers are named in the order of their seats, and several suspects or wishes answered
    in it; so each of them is a role of its own.
    """
    by_name = seat in bounds.leavers or (seat in bounds.suspects and len(bounds.suspects) > 1)
    script = tuple(
        each == seat or (isinstance(each, str) and each.endswith(f"of {seat}"))
        for each in bounds.script
    )
    return seat == bounds.evil, seat in bounds.suspects, seat if by_name else -1, script


class Swapping:
    """Seats of one world renamed, each value once."""

    def __init__(self, world, names):
        self.world, self.names = world, names
        self.log, self.said = cache(self._log), cache(self._said)

    def member(self, member):
        """The same member under its new name."""
        kept = member.kept
        kept = kept._replace(
            log=self.log(kept.log),
            guilty=tuple(map(self.said, kept.guilty)),
            **{name: self.all(getattr(kept, name))
               for name in ("entries", "acks", "votes", "noes", "farewells")},
        )  # fmt: skip
        return Member(
            self.names[member.me], kept, self.all(member.heard), self.all(member.acks),
            self.seats(member.silent), self.all(member.asked), member.committed,
        )  # fmt: skip

    def all(self, said):
        """Everything that was signed."""
        return frozenset(map(self.said, said))

    def seats(self, seats):
        return frozenset(self.names[seat] for seat in seats)

    def _log(self, log):
        if log.below is None:
            return log
        below, item, game = self.log(log.below), log.item, self.world.game
        if isinstance(item, StepItem):
            entries = [self.said(entry) for entry in item.entries]
            step = StepItem(tuple(sorted(entries, key=lambda entry: entry.seat)))
            new = below.with_step(step)
        else:
            change = self.change(item.change)
            new = below.with_change(ChangeItem(below.head, change, item.round), game)
        return self.world.logs.setdefault(new.head, new)

    def change(self, change):
        if change is None:
            return None
        leavers = tuple(sorted(self.names[seat] for seat in change.leavers))
        return Change(self.names[change.seat], change.reason, change.key, leavers)

    def head(self, head):
        """A head of a log that somebody has, or none that anybody has."""
        log = self.world.logs.get(head)
        return head if log is None else self.log(log).head

    def _said(self, said):
        match said:
            case ConflictingPair(kind, seat, first, second):
                return ConflictingPair(kind, self.names[seat], self.said(first), self.said(second))
            case EntryRef(seat, head, _, raw):
                entry, log = parse_entry(raw), self.log(self.world.logs[head])
                seat = self.names[seat] if seat < len(self.names) else seat  # Where no member sits.
                return entry_of(log, seat, entry.kind, entry.body)
            case Ballot():
                said = said._replace(parent=self.head(said.parent), change=self.change(said.change))
            case Ack():
                said = said._replace(
                    parent=self.head(said.parent), head=self.head(said.head),
                    change=self.change(said.change),
                    excuses=tuple(sorted(map(self.said, said.excuses))),
                )  # fmt: skip
        return stamp(said._replace(epoch=self.head(said.epoch), seat=self.names[said.seat]))
