"""The votes by which owners come back, and who keeps one away by not agreeing again and again.

A seat goes back when all members agree, and a bot with an open hand plays for it until then.  So
each member can keep an owner away, and there may be something in it for one that does.  Nobody is
overruled, but it is said by name, on every screen that can know it: where its own member has
agreed, or at the owner that asks.

An honest member may be slow, or stand on another log for a moment, or hear less than others.  So a
round of votes is judged when all have had the time to answer, by those whose yes came in time and
was not taken back at once; what counts is that the same one failed again and again, in reach and
with no yes in between, and where several fail in one round it takes twice as many.  The sentence
accuses nobody, and is said once while the owner is away: whoever votes that often in vain is heard
less at last, and honest members seem to fail as well.

What this does not protect against: a member that tells its no to one other alone, before the rest
vote, makes that one refuse as well; once in a while both are then named.  With two members, the
owner has one word against another, and is told nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Final

import trio

from p2p.log.membership import guards
from p2p.log.membership.context import RuleContext
from p2p.log.membership.messages import REASON_RESTORE, Ballot, Change
from p2p.log.membership.state import VOTE_ANSWER_S
from p2p.session.membership import Membership
from p2p.session.news import Notice
from p2p.session.table import RunningTable

AGREE_S: Final = VOTE_ANSWER_S / 2  # For a yes: who hears one says its own at once.
STAND_S: Final = VOTE_ANSWER_S * 3 / 4  # Whoever takes its yes back waits longer for the others.
JUDGE_S: Final = VOTE_ANSWER_S * 3 / 2  # When a round is judged: all have taken it back, or none.
ALONE: Final = 2  # What a round counts in which one person alone has not agreed; else 1.
NAMED_AT: Final = 3 * ALONE  # By then somebody is named: chance and haste do not repeat so often.
NAMED_S: Final = 10.0  # Not sooner: bots play ten steps in a second, and one may lag behind them.

AGREEING_MIN: Final = 2  # Members, without whom an owner believes nobody about a third.

ABOUT_ME: Final = (
    guards.stands_on_my_head, guards.is_my_wish,
    guards.is_between_requests, guards.has_been_away_enough,
)  # fmt: skip


@dataclass(slots=True)
class _Round:
    """Votes about one return, and when each was heard."""

    change: Change
    parent: bytes
    since: float
    yes: dict[int, float] = field(default_factory=dict)
    noes: dict[int, float] = field(default_factory=dict)

    def note(self, vote: Ballot, now: float) -> None:
        """A member has voted; whatever is no yes to this refuses it."""
        is_yes = vote.proposal == (self.parent, self.change)
        (self.yes if is_yes else self.noes).setdefault(vote.seat, now)

    def has_agreed(self, seat: int) -> bool:
        """Whether a member said yes in time, and stood by that for as long as one waits."""
        agreed_at = self.yes.get(seat, inf)
        is_kept = self.noes.get(seat, inf) >= agreed_at + STAND_S
        return agreed_at <= self.since + AGREE_S and is_kept


@dataclass(slots=True)
class _Doubt:
    """How often a member has not agreed to one return, without a yes in between."""

    since: float
    count: int = 0


@dataclass(slots=True)
class _Epoch:
    """What was voted while the same members are there: a return begins another epoch."""

    name: bytes = b""
    rounds: dict[int, _Round] = field(default_factory=dict)
    judged: int = -1  # The newest round that was, or that was there before.
    doubts: dict[tuple[int, int], _Doubt] = field(default_factory=dict)  # By owner and member.
    named: set[int] = field(default_factory=set)  # Owners of whom it is said who keeps them away.


class RestoreVotes:
    """The votes about owners who want their seats back, as one machine hears them."""

    def __init__(
        self, table: RunningTable, membership: Membership, reaches: Callable[[int], bool]
    ) -> None:
        """`reaches`: whether a seat is in reach, and speaks of my log."""
        self._table, self._roster = table, table.replica.roster
        self._membership, self._reaches = membership, reaches
        self._epoch = _Epoch()

    def judge(self) -> None:
        """Note who has voted, and name whoever keeps an owner away; after everything heard."""
        context, epoch = self._membership.context(), self._epoch
        is_followed = _may_go_back(context, epoch.name)
        if not is_followed and context.log.epoch != epoch.name:
            epoch = self._epoch = _Epoch(context.log.epoch, judged=context.top())
        if is_followed or epoch.rounds or context.member.asked:
            _note(epoch, context)
        for number, votes in list(epoch.rounds.items()):
            if not is_followed and trio.current_time() >= votes.since + JUDGE_S:
                del epoch.rounds[number]
                epoch.judged = max(epoch.judged, number)
                self._judge(context, votes)

    def _judge(self, context: RuleContext, votes: _Round) -> None:
        """A round is over, and the seat is not back."""
        others = set(context.log.members - {context.me})
        failed = {seat for seat in others if not votes.has_agreed(seat)}
        failed = failed or others & votes.noes.keys()
        is_believed = context.is_member or len(others - failed) >= AGREEING_MIN
        if not (is_believed and all(map(self._reaches, failed))):
            return
        self._count(votes, failed)
        for seat in others - failed:
            self._epoch.doubts.pop((votes.change.seat, seat), None)

    def _count(self, votes: _Round, failed: set[int]) -> None:
        """These have not agreed, once more."""
        owner, epoch = votes.change.seat, self._epoch
        is_alone = len(self._roster.persons_behind(failed)) <= 1
        found = list[int]()
        for seat in sorted(failed):
            doubt = epoch.doubts.setdefault((owner, seat), _Doubt(votes.since))
            doubt.count += ALONE if is_alone else 1
            if doubt.count >= NAMED_AT and trio.current_time() >= doubt.since + NAMED_S:
                found.append(seat)
        if found and owner not in epoch.named:
            epoch.named.add(owner)
            for seat in found:
                self._name(owner, seat)

    def _name(self, owner: int, seat: int) -> None:
        names = [each.shown_name for each in self._roster.seats]
        text = f"{names[seat]} has not agreed that {names[owner]} comes back"
        if owner == self._membership.member.me:
            text = f"{names[seat]} has not agreed that you come back"
        hint = "all have to; ask each other: a machine may be slow, or a link broken"
        self._table.publish(Notice(text, hint, is_news=True))


def _may_go_back(context: RuleContext, epoch: bytes) -> bool:
    """Whether a change that ended an epoch is followed here, and may still be refused."""
    last = context.log.last_change
    if last is None or last.below is None or last.height <= context.member.committed:
        return False
    return last.below.epoch == epoch


def _note(epoch: _Epoch, context: RuleContext) -> None:
    kept = context.kept
    known = (*kept.votes, *kept.noes, *context.member.heard)
    votes = [each for each in known if each.epoch == epoch.name and each.round > epoch.judged]
    for vote in votes:
        if vote.round not in epoch.rounds and _counts(context, vote):
            assert vote.change is not None, "it was agreed to"
            now = trio.current_time()
            epoch.rounds[vote.round] = _Round(vote.change, vote.parent, now)
    for vote in votes:
        if vote.round in epoch.rounds:
            epoch.rounds[vote.round].note(vote, trio.current_time())


def _counts(context: RuleContext, vote: Ballot) -> bool:
    """Whether by this yes all members could agree: it is mine, or my seat goes back by it."""
    if vote.change is None or vote.change.reason != REASON_RESTORE:
        return False
    if context.is_member:
        return vote.seat == context.me
    return all(guard(context, vote) for guard in ABOUT_ME)
