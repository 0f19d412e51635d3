"""What members say about the log and about who is a member: it is heard, and passed on once.

    ["vote" | "ack" | "farewell" | "wish", ...]   signed by a member, whoever brings it
    ["evidence", one, other]                      two signed things that contradict each other
    ["change", entry, height, acks, proof]        in force already: see `p2p.session.shown_changes`

Whoever signs something is heard by it, also when its own link is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from p2p.base.errors import Equivocation, MalformedFrame, PeerError
from p2p.base.limits import (
    HELP_BURST_MAX,
    HELP_PER_S_MAX,
    ROUNDS_BURST_MAX,
    ROUNDS_PER_S_MAX,
    VOTES_BURST_MAX,
    VOTES_PER_S_MAX,
)
from p2p.log.membership.evidence import ConflictingPair, check_evidence, parse_evidence
from p2p.log.membership.log import StepItem
from p2p.log.membership.messages import Ack, Ballot, Signed, message_of, parse_signed
from p2p.log.membership.state import Member
from p2p.log.membership.state_machine import (
    begins_round,
    newest_rounds,
    noes_against,
    uncommitted,
)
from p2p.net.admission import RateLimit
from p2p.session.change_reasons import SENTENCES, raws_of
from p2p.session.failure_detector import Actors
from p2p.session.shown_changes import ShownChanges
from p2p.session.table import RunningTable


class MembershipInbox:
    """What one machine hears of the members, and tells those who cannot hear it themselves."""

    def __init__(
        self,
        table: RunningTable,
        actors: Actors,
        on_heard: Callable[[int], object],
        may_say: Callable[[], bool],
    ) -> None:
        """`on_heard` is called with a seat that has said something new.

        `may_say`: whether I know what I have said before, so that I can answer.
        """
        self._table, self._replica, self._on_heard = table, table.replica, on_heard
        self._may_say = may_say
        self._membership, self._relaying = actors.membership, actors.relaying
        self._nobodys = frozenset(table.replica.roster.open_seats())  # From the beginning.
        others = actors.membership, actors.catching_up
        self.changes = ShownChanges(table, *others, self._may_look_at)
        self._told_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._shown_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._voted_often = RateLimit(VOTES_PER_S_MAX, VOTES_BURST_MAX)
        self._began_often = RateLimit(ROUNDS_PER_S_MAX, ROUNDS_BURST_MAX)
        self._excused_often = RateLimit(VOTES_PER_S_MAX, VOTES_BURST_MAX)

    async def receive(self, source: int, message: list[object]) -> None:
        """Take in what a seat has brought.

        Raises:
            MalformedFrame, BadSignature: it is not what it says.
            PeerError: it convicts a seat, or see `Membership.feed`.
        """
        match message:
            case ["evidence", *_]:
                if self._shown_often.allows(str(source)):
                    raise self._verdict(parse_evidence(message))
            case ["change", *_]:
                if self._shown_often.allows(str(source)):
                    await self.changes.receive(source, message)
            case _:
                await self._receive_signed(source, parse_signed(message))

    def _verdict(self, found: ConflictingPair) -> PeerError:
        """What somebody has brought against a seat, if it was signed.

        Raises:
            MalformedFrame, BadSignature: it was not; or anybody could have signed it.
        """
        if found.seat in self._nobodys:
            raise MalformedFrame("nobody sits there whom this could convict")
        check_evidence(found, self._table.verify, self._membership.check_entry)
        return self._replica.blame(found.seat, Equivocation, SENTENCES[found.kind], raws_of(found))

    async def _receive_signed(self, source: int, said: Signed) -> None:
        if said.seat not in self._replica.seats or said.seat in self._nobodys:
            raise MalformedFrame("nobody like that sits here")
        if isinstance(said, Ballot) and not self._may_hear(source, said):
            return  # Whoever said it says it again.
        is_news = await self._take_in(source, said)
        if is_news:
            self._on_heard(said.seat)
        if is_news or said.seat == source:  # Who said it says it again from time to time.
            await self._relaying.pass_on(said.seat, source, message_of(said))

    async def _take_in(self, source: int, said: Signed) -> bool:
        """Whether it is news."""
        match said:
            case Ballot() if self._membership.knows(said):
                return False  # What it can do here it did when it came.
            case Ack():
                return await self._take_in_ack(source, said)
        return await self._membership.receive(said)

    async def _take_in_ack(self, source: int, ack: Ack) -> bool:
        replica = self._replica
        is_new = not replica.acks.holds(ack)
        if is_new and not self._may_look_at(source, [ack]):
            return False  # Whoever said it says it again.
        if is_new:
            self._table.verify(ack)
        await self._tell(ack.seat, map(message_of, noes_against(self._membership.member, ack)))
        if not is_new and source != ack.seat:
            return False
        replica.acks.receive(ack, replica.committed, replica.height)
        is_new &= replica.acks.holds(ack)  # Else it went round and round.
        self._relaying.note_ack(ack)
        if not concerns_me(self._membership.member, ack):
            return is_new
        entries = parted_at(self._membership.member, ack)
        await self._tell(ack.seat, (["entry", raw] for raw in entries))
        return await self._membership.receive(ack) or is_new

    async def _tell(self, seat: int, messages: Iterable[list[object]]) -> None:
        """Say what a seat lacks that stands elsewhere, to all: it may be out of my reach."""
        lacking = list(messages)
        if lacking and self._told_often.allows(str(seat)):
            for message in lacking:
                await self._table.broadcast(message)

    def _may_hear(self, source: int, vote: Ballot) -> bool:
        """Whether I can answer a vote now, and nobody asks for too many answers.

        Each may cost me one, on disk.  Whoever brings votes may bring those of a crowd; a round is
        begun by whoever signs for it, so nobody else's are heard less when one begins too many.
        """
        membership = self._membership
        if vote.seat == self._replica.me or membership.knows(vote):
            return True
        if not self._may_say() or self._may_have_answered(vote):
            return False
        if not self._voted_often.allows(str(source)):
            return False
        if not begins_round(membership.member, vote):
            return True
        self._table.verify(vote)  # Nobody pays for what another has made up.
        return self._began_often.allows(str(vote.seat))

    def _may_look_at(self, source: int, acks: Sequence[Ack]) -> bool:
        """Whether a seat may let me verify the excuses in what it brings: each is a vote."""
        cost = min(sum(len(ack.excuses) for ack in acks), VOTES_BURST_MAX)
        return self._excused_often.allows(str(source), cost=cost)

    def _may_have_answered(self, vote: Ballot) -> bool:
        """Whether I may have voted in the round of a vote, and have lost that with a part of my
        file: others say again only what was said in the newest rounds."""
        if self._table.secrets is None or not self._table.secrets.has_lost_records:
            return False
        newest = newest_rounds(self._membership.member)
        return any(epoch == vote.epoch and number > vote.round for epoch, number in newest)

def concerns_me(member: Member, ack: Ack) -> bool:
    """Whether what somebody has acknowledged can stand beside what I have, for the rules.

    A step below what all have cannot, nor one on a log of which I know nothing: there I am later.
    """
    if ack.change is not None:
        return True
    at_least = takewhile(lambda log: log.height >= member.committed, member.log.down())
    return any(log.head == ack.parent for log in at_least)


def parted_at(member: Member, ack: Ack) -> list[bytes]:
    """My entries where somebody has acknowledged another step than I; none: it has not.

    One of them is of a cheater, who has signed another one for whoever acknowledged that.
    """
    for log in uncommitted(member):
        below, item = log.below, log.item
        if below is not None and below.head == ack.parent and isinstance(item, StepItem):
            is_mine = log.head == ack.head
            return [] if is_mine else [entry.raw for entry in item.entries]
    return []
