"""A few members at one table: what one says is heard by another when the test says so."""

from p2p.log.membership.state import Member, PersistentState, Presented, Say, Silent, Store, Write
from p2p.log.membership.state_machine import Signing, StateMachine
from tests.p2p.log.membership.bounds import Broken
from tests.p2p.log.membership.toy import ToyGame, check_stamp, entry_of, first_log, stamp

SIGNING = Signing(stamp, check_stamp, lambda entry: None)


class Table:
    """The members, and what the last one did that was told something."""

    broken = Broken()  # Other rules, to see which test misses what was taken out.

    def __init__(self, seats=3, script=(0, 1, 2, 0, 1, 2)):
        self.game = ToyGame(script, keeps_openings=self.broken.keeps_openings)
        self.machine = StateMachine(self.game, SIGNING, self.broken.rules)
        self.start = first_log(seats)
        self.members = [Member(seat, PersistentState(self.start)) for seat in range(seats)]
        self.effects = []

    def tell(self, seat, *inputs):
        """What a member says about some inputs."""
        self.effects = []
        for given in inputs:
            self.members[seat], done = self.machine.receive(self.members[seat], given)
            self.effects += self.broken.in_order(done)
        return [effect.message for effect in self.effects if isinstance(effect, Say)]

    def records(self):
        """The types of the records that were stored last."""
        return [type(e.record) for e in self.effects if isinstance(e, Store)]

    def log(self, seat):
        return self.members[seat].log

    def write(self, seat):
        """A member writes its entry, if it may."""
        log = self.log(seat)
        return self.tell(seat, Write(entry_of(log, seat, self.game.kind(log))))

    def play(self, seat):
        """A member writes, and all others take the step and hear of each other's."""
        assert self.write(seat), "it may write"
        item = self.log(seat).item
        members = [s for s in range(len(self.members)) if s in self.log(seat).members]
        acks = [ack for s in members if s != seat for ack in self.tell(s, Presented(item))]
        acks += [ack for ack in self.members[seat].kept.acks if ack.head == self.log(seat).head]
        for other in members:
            self.tell(other, *(ack for ack in acks if ack.seat != other))

    def remove(self, gone, *signers):
        """Some members remove one for silence, and hear of each other's acknowledgements."""
        yes = self.tell(signers[0], Silent(gone))
        for seat in signers[1:]:
            yes += self.tell(seat, Silent(gone), yes[0])[:1]
        for seat in signers:
            self.tell(seat, *(vote for vote in yes if vote.seat != seat))
        acks = [a for s in signers for a in self.members[s].kept.acks
                if a.head == self.log(signers[0]).head]  # fmt: skip
        for seat in signers:
            self.tell(seat, *(ack for ack in acks if ack.seat != seat))
        return acks
