"""What a member may forget because nothing that it ever does can depend on it: a normal form.

A reduction is sound if a member and its normal form do the same about everything that may happen,
and have one normal form after it (a bisimulation); `test_reductions.py` holds each state of some
worlds to that.  What is forgotten stays in what was signed, so it can arrive again.

    votes      of honest members, in a round in which I have voted.  After my no nothing can come
               of the round.  After my yes a no matters; one is enough, and a second ends nothing.
               A yes to the same is forgotten until the last arrives, and then all come together.
               What the one says that goes is not counted.  The votes by which my last change was
               agreed on stay while I am one of its members: I may go back, and pass them on.
    evidence   by what somebody is convicted: only whom is asked.  One proof stands for all.
    silence    who is silent, of whoever can say yes no more within the bounds of the world; but
               for the seat of its yes, which it may hear again (T5a).
"""

from functools import cache

from p2p.log.membership.evidence import ConflictingPair, find_contradiction
from p2p.log.membership.log import needed
from p2p.log.membership.messages import Ballot
from p2p.log.membership.state_machine import is_about_last_change
from tests.p2p.log.membership.toy import entry_of, first_log


class Forgetting:
    """The normal form of members of one world."""

    def __init__(self, bounds, reductions):
        self.bounds, self.reductions = bounds, reductions
        self.forget = cache(self._forget)

    def _forget(self, member):
        """The member without what cannot matter any more; acknowledgements are told when needed."""
        if self.reductions.votes and member.heard:
            member = member._replace(heard=self._votes(member))
        if self.reductions.silence and member.silent and not self._can_say_yes(member):
            member = member._replace(silent=member.silent & _seats_of_yes(member))
        if self.reductions.evidence and member.kept.guilty:
            proofs = tuple(map(self.told, member.kept.guilty))
            member = member._replace(kept=member.kept._replace(guilty=proofs))
        return member._replace(acks=frozenset())

    def told(self, said):
        """What was signed; of evidence, the one that stands for all."""
        if self.reductions.evidence and isinstance(said, ConflictingPair):
            return _proof_against(said.seat, self.bounds.seats)
        return said

    def agreeing(self, said, member):
        """The yes of all other honest members that mine needs, if they have said it."""
        for mine in _yes(member):
            if mine.epoch == member.log.epoch:
                who = needed(member.log.members, mine.change) - {member.me, self.bounds.evil}
                votes = [v for v in said if isinstance(v, Ballot) and v.proposal == mine.proposal]
                votes = [vote for vote in votes if vote.ballot_round == mine.ballot_round]
                votes = sorted(vote for vote in votes if vote.seat in who)
                if votes and {vote.seat for vote in votes} == who:
                    yield tuple(votes)

    def _votes(self, member):
        kept = frozenset(vote for vote in member.heard if self._may_matter(member, vote))
        over = [vote for mine in _yes(member) for vote in self._ends(member, kept, mine)]
        return kept - frozenset(over)

    def _may_matter(self, member, vote):
        """Whether a vote can still do something, if it is the only one."""
        if vote.seat == self.bounds.evil:
            return True  # It may be half of the evidence.
        mine = [each for each in member.kept.votes if each.ballot_round == vote.ballot_round]
        if is_about_last_change(member, vote):
            last = member.log.last_change
            return member.me in last.members and vote.seat not in last.item.change.gone
        if not mine or vote.epoch != member.log.epoch:
            return True
        if any(not each.is_yes for each in mine):
            return False
        agreed = mine[0]
        is_other = vote.proposal != agreed.proposal
        return is_other and vote.seat in needed(member.log.members, agreed.change)

    def _ends(self, member, kept, mine):
        """The votes that end a yes of mine once more."""
        if mine.epoch != member.log.epoch:
            return []
        who = needed(member.log.members, mine.change)
        is_end = [
            vote for vote in sorted((*kept, *member.kept.noes))
            if vote.ballot_round == mine.ballot_round and vote.seat in who
            if vote.proposal != mine.proposal
        ]  # fmt: skip
        durable = [vote for vote in is_end if vote in member.kept.noes]
        first = (durable or is_end)[:1]
        return [v for v in is_end if v not in first and v.seat != self.bounds.evil]

    def _can_say_yes(self, member):
        """Whether there is a round left, in this epoch, the next, or one to which it goes back."""
        if member.log.change_count + 1 < self.bounds.epochs:
            return True
        epochs = {(log.epoch, log.change_count) for log in member.log.down()}
        voted = {vote.ballot_round for vote in member.kept.votes}
        return any(
            number < self.bounds.epochs
            and any((epoch, each) not in voted for each in range(self.bounds.rounds))
            for epoch, number in epochs
        )


@cache
def _proof_against(seat, seats):
    """A proof that somebody cheats, always the same one."""
    entries = (entry_of(first_log(seats), seat, "say", value) for value in (0, 1))
    return find_contradiction(*entries)


def _yes(member):
    """The yes of a member, without those that it has taken back."""
    noes = {vote.ballot_round for vote in member.kept.votes if not vote.is_yes}
    return [vote for vote in member.kept.votes if vote.is_yes and vote.ballot_round not in noes]


def _seats_of_yes(member):
    """The seats that its yes may still be about."""
    return frozenset(vote.change.seat for vote in _yes(member))
