"""What members say about the log and about who is a member: it is heard, and passed on once.

    ["vote" | "ack" | "farewell" | "wish", ...]   signed by a member, whoever brings it
    ["evidence", one, other]                      two signed things that contradict each other
    ["change", entry, height, acks, proof]        a change of members that is in force

Whoever signs something is heard by it, also when its own link is broken.  A change waits until my
log is where it stands (`p2p.session.catching_up`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from p2p.base.errors import BadSignature, Equivocation, MalformedFrame, PeerError
from p2p.base.limits import (
    HELP_BURST_MAX,
    HELP_PER_S_MAX,
    ROUNDS_BURST_MAX,
    ROUNDS_PER_S_MAX,
    VOTES_BURST_MAX,
    VOTES_PER_S_MAX,
)
from p2p.log.membership.evidence import ConflictingPair, check_evidence, parse_evidence
from p2p.log.membership.log import (
    Certificate,
    ChangeItem,
    Log,
    StepItem,
    ack_of,
    check_chain,
    is_in_force,
    is_of,
)
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    Ack,
    Ballot,
    Signed,
    message_of,
    parse_signed,
)
from p2p.log.membership.state import Member
from p2p.log.membership.state_machine import (
    begins_round,
    newest_rounds,
    noes_against,
    uncommitted,
)
from p2p.log.notes import InForceNote
from p2p.net.admission import RateLimit
from p2p.session.catching_up import EarlyChanges, parse_shown_change
from p2p.session.change_reasons import SENTENCES, cheat_proof_in, raws_of
from p2p.session.failure_detector import Actors
from p2p.session.news import Notice
from p2p.session.table import RunningTable

ShownChange: TypeAlias = tuple[Certificate, InForceNote, Log]  # The log ends with it.


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
        self._catching_up = actors.catching_up
        self._nobodys = frozenset(table.replica.roster.open_seats())  # From the beginning.
        self._early = EarlyChanges()
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
                    await self._receive_change(source, message)
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

    async def _receive_change(self, source: int, message: list[object]) -> None:
        decided, note = parse_shown_change(message)
        if not self._may_look_at(source, note.acks) or self._frames_me(decided, note):
            return
        if self._replica.tip.find(decided.parent) is None:
            for ack in note.acks:
                self._table.verify(ack)
            self._early.keep(source, decided, note)
        elif await self._membership.take_change(decided, note):
            await self._table.broadcast(message)
            return
        else:
            self._early.keep(source, decided, note)
        await self._show_together(decided)

    def _frames_me(self, decided: ChangeItem, note: InForceNote) -> bool:
        """Whether I am to go as a cheater by what only the game could find wrong.

        I know that I have broken no rule.  All others are one person with bots, perhaps.
        """
        seat, reason, *_ = decided.change
        if (seat, reason) != (self._replica.me, REASON_CONVICTED):
            return False
        if isinstance(cheat_proof_in(seat, list(note.proof)), ConflictingPair):
            return False
        for ack in note.acks:
            self._table.verify(ack)
        below = self._replica.tip.find(decided.parent)
        if below is not None:
            log = below.with_change(decided, self._replica.log_game)
            if is_in_force(log, note.acks, below.height):
                text = "the others go on without you as a cheater, and nothing proves it"
                self._table.publish(Notice(text, "your file stays as it is: audit it with theirs"))
        return True

    async def _show_together(self, fresh: ChangeItem) -> None:
        """Follow changes that are in force only together, now that one more of them is here.

        By a later one somebody goes who has not acknowledged an earlier one: it is not asked.
        """
        for first, _ in self._early.on(self._replica.tip):
            below = self._replica.tip.find(first.parent)
            assert below is not None, "it stands on my log"
            chain = self._chain_on(below)
            if len(chain) == 1 or all(each.decided != fresh for each, _, _ in chain):
                continue  # Each alone was tried when it came.
            together = [each for each, _, _ in chain]
            try:
                check_chain(below, together, self._table.verify, self._replica.log_game)
            except (MalformedFrame, BadSignature):
                continue  # Some of it is missing, or made up.
            if await self._have_reasons(chain):
                await self._follow(chain)
                return

    def _chain_on(self, log: Log) -> list[ShownChange]:
        """Changes that stand on a log and on each other, or on what open seats say in between."""
        chain = list[ShownChange]()
        while (found := self._next_on(log)) is not None:
            each, note = found
            log = self._behind(log, each)
            chain.append((each, note, log))
        return chain

    def _next_on(self, log: Log) -> tuple[Certificate, InForceNote] | None:
        """The change that stands next above a log, the newest of those that I was shown."""
        ways = list[tuple[Certificate, InForceNote]]()
        for decided, note in reversed(self._early.all()):
            steps = self._catching_up.steps_between(log, decided.parent)
            if steps is not None:
                ways.append((Certificate(decided, note.acks, note.proof, steps), note))
        return min(ways, key=lambda way: len(way[0].steps), default=None)

    async def _have_reasons(self, chain: Sequence[ShownChange]) -> bool:
        """Whether each of these changes has the reason that it gives.

        All before the first is followed: who goes by a later one is not asked for it.
        """
        reasons = self._membership.reasons
        for _, note, log in chain:
            if not (reasons.justify(note, log) and await reasons.convicts(note, log)):
                return False
        return True

    async def _follow(self, chain: Sequence[ShownChange]) -> None:
        """Follow changes one after the other, as far as my log goes: the rest waits."""
        _, _, last = chain[-1]
        for each, note, log in chain:
            gone = [ack_of(log, seat) for seat in log.members - last.members]
            await self._membership.take_change(each.decided, note, gone)

    async def excused(self, log: Log) -> frozenset[int]:
        """The members whose acknowledgement of a log I need not see, where I am behind.

        All who stay have acknowledged a later change, hence this log as well; those who went are
        not asked.  The change has its reason, or one person with a bot could make anybody one of
        those.
        """
        for chain in self._ahead_of(log):
            _, note, end = chain[-1]
            stay = log.members & end.members
            acked = {ack.seat for ack in note.acks if is_of(ack, end)}
            if stay and stay <= acked and await self._are_believed(log, chain):
                return log.members
        return frozenset()

    async def _are_believed(self, log: Log, chain: Sequence[ShownChange]) -> bool:
        for _, note, end in chain:
            if not await self._is_believed(log, note, end):
                return False
        return True

    def _ahead_of(self, log: Log) -> Iterator[list[ShownChange]]:
        """What I was shown that stands further on than a log: each change, and those together."""
        for decided, note in self._early.all():
            steps = self._catching_up.steps_between(log, decided.parent)
            if steps is not None:
                each = Certificate(decided, note.acks, note.proof, steps)
                yield [(each, note, self._behind(log, each))]
        together = self._chain_on(log)
        if len(together) > 1:
            yield together

    def _behind(self, log: Log, each: Certificate) -> Log:
        """The log with a change on top, and with the steps between."""
        for step in each.steps:
            log = log.with_step(step)
        return log.with_change(each.decided, self._replica.log_game)

    async def _is_believed(self, log: Log, note: InForceNote, end: Log) -> bool:
        """Whether the change at the end has its reason, as far as I can say on a log below it.

        What only the game finds wrong I may not be able to try yet.  Who has signed it as an answer
        to this log, or to a later one, has this log; and that is what is asked.  A choice that this
        log shows to be forbidden was signed below it.
        """
        reasons = self._membership.reasons
        if not reasons.justify(note, end):
            return False
        claimed = reasons.untried(note, end)
        if not claimed or any(
            self._catching_up.steps_between(log, entry.parent) is not None for entry in claimed
        ):
            return True
        return await reasons.shows(log, claimed[0].seat)

    async def take_early_changes(self) -> None:
        """Another step has begun: hear what was said of it before I was there.

        Raises:
            PeerError: see `Membership.feed`.
        """
        for decided, note in self._early.due(self._replica.head):
            await self._membership.take_change(decided, note)

    def changes_from(self, committed: int) -> Iterator[list[object]]:
        """The changes of my log, for a seat that knows up to which height all have it."""
        for note in self._table.game_file.changes:
            if note.height > committed:
                yield self._membership.shown(note)


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
