"""From a state on, the network is whole: does the table go on, by the members' own rules?

All who are there hear what the others say again (`StateMachine.retransmissions`), what these answer
to an acknowledgement, and see each other's logs.  Some are silent for good, and everybody notices.
Timeouts come only when nothing else moves.
"""

from itertools import product

from p2p.log.membership.log import EntryRef, StepItem
from p2p.log.membership.messages import Ack, Farewell, RestoreWish
from p2p.log.membership.state import HeardAgain, Presented, Retry, Silent, Unanswered, Write
from p2p.log.membership.state_machine import is_of, noes_against, uncommitted
from tests.p2p.log.membership.toy import KEY, entry_of, stamp

SWEEPS = 16


class Healing:
    """What becomes of a table from a state on."""

    def __init__(self, world):
        self.world, self.machine, self.game = world, world.machine, world.game

    def cases(self):
        """Who is silent for good: the cheater, or nobody, or one after the other."""
        evil = self.world.bounds.evil
        if evil is not None:
            return [frozenset([evil])]
        return [frozenset(), *(frozenset([seat]) for seat in self.world.honest)]

    def heal(self, state, gone):
        """goes on, waits (for the last partner), ended (two logs in force part), or stuck."""
        world = self.world
        farewells = {each for each in world.said_in(state) if isinstance(each, Farewell)}
        farewells |= {each for m in world.members_of(state) for each in m.kept.farewells}
        gone |= {each.seat for each in farewells}
        self.live = {m.me: m for m in world.members_of(state) if m.me not in gone}
        self.said, self.gone = world.said_in(state), gone
        if not self.live:
            return "goes on"  # Nobody is there to wait for anybody.
        start = max(m.log.height for m in self.live.values())
        for seat in self.live:
            for other in range(world.bounds.seats):
                if other != seat:
                    self._tell(seat, Silent(other) if other in gone else HeardAgain(other))
            for farewell in sorted(farewells):  # Somebody has heard it.
                self._tell(seat, farewell)
        for _ in range(SWEEPS):
            before = dict(self.live)
            proof = world.evidence(self.said) if world.bounds.evil is not None else None
            for seat in sorted(self.live):
                if proof is not None:
                    self._tell(seat, proof)
                self._wish(seat)
                self._listen(seat)
            for seat in sorted(self.live):
                self._write(seat)
            if any(member.kept.has_ended for member in self.live.values()):
                return "ended"
            if self._goes_on(start):
                return "goes on"
            if self.live == before and not self._time_out():
                break
        logs = (m.log for m in self.live.values())
        last = max(logs, key=lambda log: (log.change_count, log.height))
        return "waits" if len(last.members - gone) < 2 and last.members & gone else "stuck"

    def _tell(self, seat, given):
        member = self.live[seat]
        self.live[seat], effects = self.world.receive(member, given)
        return bool(effects) or self.live[seat] != member

    def _wish(self, seat):
        """Whoever asked for its seat goes on asking, in every epoch that it comes to."""
        log = self.live[seat].log
        if seat not in log.members and any(
            isinstance(each, RestoreWish) and each.seat == seat for each in self.said
        ):
            self._tell(seat, stamp(RestoreWish(log.epoch, seat, KEY)))

    def _listen(self, seat):
        for other in sorted(self.live):
            if other == seat:
                continue
            for said in list(self.machine.retransmissions(self.live[other])):
                if not isinstance(said, EntryRef):
                    self._tell(seat, said)
                if isinstance(said, Ack):
                    self._tell_noes(other, noes_against(self.live[seat], said))
            self._catch_up(seat, self.live[other])
        self._take_step(seat)

    def _tell_noes(self, seat, noes):
        """Whoever hears an acknowledgement answers it with what it lacks."""
        for no in noes:
            self._tell(seat, no)

    def _acks(self, log):
        """Of those who are there, and those by which one of them knows that it is in force."""
        acks = [a for m in self.live.values() for a in m.kept.acks if a.head == log.head]
        live = self.live.values()
        is_known = any(m.committed >= log.height and m.log.find(log.head) for m in live)
        if is_known:
            acks += [a for a in self.said if isinstance(a, Ack) and a.head == log.head]
        return tuple(acks)

    def _catch_up(self, seat, other):
        mine = {log.head for log in self.live[seat].log.down()}
        above = [log for log in other.log.down() if log.head not in mine]
        for log in reversed(above):
            self._tell(seat, Presented(log.item, self._acks(log)))

    def _take_step(self, seat):
        log = self.live[seat].log
        due = self.game.due(log)
        if due:
            known = [e for m in self.live.values() for e in m.kept.entries if e.parent == log.head]
            known += [entry_of(log, each, self.game.kind(log)) for each in due - log.members]
            versions = [[e for e in known if e.seat == each] for each in sorted(due)]
            for entries in product(*versions):
                self._tell(seat, Presented(StepItem(entries)))

    def _write(self, seat):
        for log in uncommitted(self.live[seat]):
            for ack in self._acks(log):
                if ack.seat != seat and is_of(ack, log):
                    self._tell(seat, ack)
        log = self.live[seat].log
        if seat in self.game.due(log):
            self._tell(seat, Write(entry_of(log, seat, self.game.kind(log))))

    def _time_out(self):
        """A timer of somebody, when nothing else moves."""
        for given in (Unanswered(), Retry()):
            for seat in sorted(self.live):
                if self._tell(seat, given):
                    return True
        return False

    def _goes_on(self, start):
        logs = (m.log for m in self.live.values())
        newest = max(logs, key=lambda log: (log.change_count, log.height))
        if newest.members & self.gone:
            return False
        there = [m.log for seat, m in self.live.items() if seat in newest.members]
        if any(log.head != newest.head for log in there):
            return False
        if not self.game.due(newest):
            return True
        return newest.height > start and isinstance(newest.item, StepItem)
