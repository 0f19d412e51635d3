"""One moment of one member, with the questions that the rules ask about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol, TypeVar

from p2p.base.limits import ASKED_MAX
from p2p.log.membership.evidence import (
    CheatProof,
    ConflictingPair,
    RuleViolation,
    find_contradiction,
)
from p2p.log.membership.log import ChangeItem, EntryRef, Log, LogGame, StepItem, is_in_force, needed
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
)
from p2p.log.membership.state import Member, MemberInput, Presented

M = TypeVar("M", Ballot, Ack, Farewell)


class Sign(Protocol):
    """What signs a message as me."""

    def __call__(self, message: M) -> M:
        """The message with my signature."""


class Shown(NamedTuple):
    """An item that somebody shows, where it would stand in my log."""

    base: Log  # My log, or the lower part of it, that the item stands on.
    log: Log  # The same with the item on top.
    acks: tuple[Ack, ...]  # Of the item, or of what stands on it.

    @property
    def step(self) -> StepItem:
        """The item, where only steps are looked at."""
        assert isinstance(self.log.item, StepItem), "a step is shown"
        return self.log.item


class RefusedChange(NamedTuple):
    """A change that I have followed, and the no of a member whose yes it needed."""

    log: Log  # It ends with the change.
    no: Ballot


class Divergence(NamedTuple):
    """Where my log parts from that of somebody who has acknowledged another step."""

    ack: Ack  # Of the other step.
    base: Log  # What both logs have below it.


class RuleContext:
    """A member, what has just happened to it, and what follows from both."""

    __slots__ = (
        "_live", "_shown", "game", "given", "is_news", "kept", "log", "me", "member", "sign",
    )  # fmt: skip

    def __init__(
        self, game: LogGame, sign: Sign, member: Member, given: MemberInput, *, is_news: bool = True
    ) -> None:
        """`is_news`: what was given has told the member something that it did not know."""
        self.game, self.sign, self.member, self.given = game, sign, member, given
        self.me, self.kept, self.log = member.me, member.kept, member.kept.log
        self.is_news = is_news
        self._live: list[Ballot] | None = None
        self._shown: Shown | None = None

    # ---- votes ----

    @property
    def is_member(self) -> bool:
        """Whether I am a member of the epoch of my log, and have not said farewell in it."""
        return self.is_member_of(self.log)

    def is_member_of(self, log: Log) -> bool:
        """The same for another log: whoever has said farewell signs nothing more in its epoch."""
        has_left = any(said.epoch == log.epoch for said in self.kept.farewells)
        return self.me in log.members and not has_left

    def votes(self) -> Iterator[Ballot]:
        """All votes of this epoch that I know, my own too.

        Also the noes on my disk: what they ended stays over, when I come back to an epoch, too.
        """
        for vote in (*self.kept.votes, *self.kept.noes, *self.member.heard):
            if vote.epoch == self.log.epoch:
                yield vote

    def mine(self) -> Iterator[Ballot]:
        """My own."""
        return (vote for vote in self.kept.votes if vote.epoch == self.log.epoch)

    def top(self) -> int:
        """The newest round of this epoch that I know; -1: nobody has voted."""
        return max((vote.round for vote in self.votes()), default=-1)

    def is_over(self, yes: Ballot) -> bool:
        """Whether a yes can never come to anything: a needed member said something else."""
        assert yes.change is not None, "a no is over from the beginning"
        who, what = needed(self.log.members, yes.change), yes.proposal
        return any(
            vote.round == yes.round and vote.seat in who and vote.proposal != what
            for vote in self.votes()
        )

    def live_yes(self) -> list[Ballot]:
        """My votes that bind me: I take no entry and make none while there is one."""
        if self._live is None:
            mine = sorted(vote for vote in self.mine() if vote.is_yes)
            self._live = [vote for vote in mine if not self.is_over(vote)]
        return self._live

    def refusals(self, change: Change, epoch: bytes, number: int) -> Iterator[Ballot]:
        """The noes of members that a change needs, in the round in which it was agreed on."""
        for vote in (*self.member.heard, *self.kept.noes, *self.kept.votes):
            is_of_round = vote.ballot_round == (epoch, number)
            if is_of_round and not vote.is_yes and vote.seat not in change.gone:
                yield vote

    # ---- reasons ----

    @property
    def guilty(self) -> frozenset[int]:
        """The members against which I hold evidence."""
        return frozenset(each.seat for each in self.kept.guilty)

    def reasons(self) -> list[Change]:
        """The changes that I would agree to, in the order in which I propose them."""
        asked = sorted(self.member.asked, key=lambda each: (each.seat, each.key))
        farewells = [each for each in asked if isinstance(each, Farewell)]
        leavers = sorted({each.seat for each in farewells})
        reasons = [
            *((seat, REASON_CONVICTED, b"") for seat in sorted(self.guilty)),
            *((each.seat, REASON_LEFT, each.key) for each in farewells[:1]),  # Others beside it.
            *((seat, REASON_SILENT, b"") for seat in sorted(self.member.silent)),
        ]
        wishes = [each for each in asked if isinstance(each, RestoreWish)]
        many = Counter(each.seat for each in wishes)  # With more, each could know of others.
        wishes = [each for each in wishes if many[each.seat] <= ASKED_MAX]
        return [
            *(Change(*reason, tuple(each for each in leavers if each != reason[0]))
              for reason in reasons),
            *(Change(each.seat, REASON_RESTORE, each.key) for each in wishes),
        ]  # fmt: skip

    # ---- items ----

    def writers(self, step: StepItem, base: Log) -> frozenset[int]:
        """The members whose entries are in a step behind a log; everybody writes for the others."""
        return base.members & set(step.seats)

    def log_with(self, item: StepItem | ChangeItem, base: Log) -> Log:
        """The log with this item on top of a log of mine."""
        if isinstance(item, StepItem):
            return base.with_step(item)
        return base.with_change(item, self.game)

    def shown(self) -> Shown | None:
        """The item that somebody shows, if it stands on a log of mine."""
        if self._shown is None and isinstance(self.given, Presented):
            base = self.log.find(self.given.item.parent)
            if base is not None:
                log = self.log_with(self.given.item, base)
                self._shown = Shown(base, log, self.given.acks)
        return self._shown

    @property
    def lets_me_go(self) -> bool:
        """Whether what is shown is in force together with a change by which I go."""
        return isinstance(self.given, Presented) and self.given.leaves_me

    def is_in_force(self, log: Log, acks: Iterable[Ack] = ()) -> bool:
        """Whether all whom a log leaves have acknowledged it, as far as I know.

        What I know to be in force says nothing about an item that stands beside it.
        """
        known = (*self.kept.acks, *self.member.acks, *acks)
        committed = self.member.committed
        if log.below is not None and self.log.find(log.head) is None:
            committed = min(committed, log.below.height)
        return is_in_force(log, known, committed)

    def acked_here(self, head: bytes) -> list[Ack]:
        """What I have acknowledged on this head."""
        return [ack for ack in self.kept.acks if ack.parent == head]

    def above(self, base: Log) -> list[Log]:
        """The logs of mine above one of them, the highest first."""
        found = []
        for log in self.log.down():
            if log.head == base.head:
                break
            found.append(log)
        return found

    def epochs_below(self) -> list[bytes]:
        """The epochs of which I was a member, and to which I may go back: what ended them is not
        known to be in force."""
        found = []
        for log in self.log.down():
            if log.height <= self.member.committed or log.below is None:
                break
            if isinstance(log.item, ChangeItem) and self.me in log.below.members:
                found.append(log.below.epoch)
        return found

    # ---- evidence ----

    def contradictions(self) -> Iterator[CheatProof]:
        """What the news of this moment proves, together with what I know."""
        match self.given:
            case ConflictingPair() | RuleViolation() as evidence:
                yield evidence
            case Ballot() | Ack() as said:
                known: list[Ballot | Ack] = [
                    *self.member.heard,
                    *self.member.acks,
                    *self.kept.noes,
                ]
                for other in known:
                    if other.seat == said.seat and (found := find_contradiction(said, other)):
                        yield found
            case Presented(StepItem(entries)):
                for entry in entries:
                    for mine in self._entries_on(entry.parent):
                        if found := find_contradiction(mine, entry):
                            yield found

    def _entries_on(self, head: bytes) -> Iterator[EntryRef]:
        for log in self.log.down():
            if log.head == head:
                return  # What answers it stands above it.
            if isinstance(log.item, StepItem) and log.item.parent == head:
                yield from log.item.entries

    def knows_why(self, change: Change) -> bool:
        """Whether I have the reason for a change myself."""
        return change in self.reasons()
