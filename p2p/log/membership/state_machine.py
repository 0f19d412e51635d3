"""The state machine of membership: what is heard goes in, records and messages come out, in order.

    member, effects = machine.receive(member, given)

What is given is checked and noted first; then the rules fire until none does.  It has no
state itself.  Whoever carries the effects out keeps their order: what `Store` says is on disk
before the next effect begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from p2p.base.limits import ASKED_MAX, TABLE_SEATS_MAX
from p2p.log.membership.context import RuleContext, Sign
from p2p.log.membership.evidence import (
    CheatProof,
    CheckEntry,
    ConflictingPair,
    check_evidence,
    ends,
)
from p2p.log.membership.log import ChangeItem, EntryRef, Log, LogGame, is_of
from p2p.log.membership.messages import (
    REASON_RESTORE,
    Ack,
    Ballot,
    Farewell,
    RestoreWish,
    Signed,
    Verify,
)
from p2p.log.membership.rules import MEMBERSHIP_RULES, MembershipRule
from p2p.log.membership.state import (
    Appended,
    CutTo,
    DiskRecord,
    HeardAgain,
    InForce,
    Member,
    MemberEffect,
    MemberInput,
    PersistentState,
    Silent,
    Store,
)

ROUNDS_AHEAD_MAX: Final = 1024  # Some rounds are forgotten by all who know them; 2**32 are there.
ROUNDS_KEPT: Final = TABLE_SEATS_MAX  # Of an epoch, the newest: each member begins one at a time.
REACTIONS_MAX: Final = 64  # Rows that fire for one input; each ends something, so they are few.


class Signing(NamedTuple):
    """How messages are signed and checked; the exploration has cheap ones."""

    sign: Sign
    verify: Verify
    check_entry: CheckEntry


class StateMachine:
    """The rules of membership for one seat of one game."""

    def __init__(
        self, game: LogGame, signing: Signing, rules: tuple[MembershipRule, ...] = MEMBERSHIP_RULES
    ) -> None:
        self._game, self._signing, self._rules = game, signing, rules

    def receive(self, member: Member, given: MemberInput) -> tuple[Member, list[MemberEffect]]:
        """The member after something has happened to it, and what it does.

        Raises:
            BadSignature, MalformedFrame: the message is not what it says; whoever brought it is
                to blame.
        """
        if member.kept.has_ended:
            return member, []
        before = member
        member = self._note(member, given)
        is_news = member != before
        effects: list[MemberEffect] = []
        for _ in range(REACTIONS_MAX):
            context = RuleContext(self._game, self._signing.sign, member, given, is_news=is_news)
            done = self._react(context)
            if not done:
                return member, effects
            for effect in done:
                if isinstance(effect, Store):
                    member = with_record(member, effect.record)
            effects += done
            if member.kept.has_ended:
                return member, effects
        raise AssertionError("the rules of membership go round in a circle")

    def _react(self, context: RuleContext) -> list[MemberEffect]:
        for rule in self._rules:
            for subject in rule.subjects(context):
                if all(guard(context, subject) for guard in rule.guards):
                    return rule.act(context, subject)
        return []

    # ---- in ----

    def _note(self, member: Member, given: MemberInput) -> Member:
        match given:
            case Silent(seat):
                return member._replace(silent=member.silent | {seat} - {member.me})
            case HeardAgain(seat):
                return member._replace(silent=member.silent - {seat})
            case ConflictingPair():
                check_evidence(given, self._signing.verify, self._signing.check_entry)
            case Ballot() | Ack() | Farewell() | RestoreWish():
                self._signing.verify(given)
                return self._note_signed(member, given)
        return member

    def _note_signed(self, member: Member, said: Signed) -> Member:
        log = member.log
        match said:
            case Ballot() if said.seat != member.me and self._is_heard(member, said):
                return member._replace(heard=_still_heard(member) | {said})
            case Ack() if any(is_of(said, each) for each in uncommitted(member)):
                of_it = [each for each in member.acks if each.head == said.head]
                is_known = any(each.seat == said.seat for each in of_it)
                return member if is_known else member._replace(acks=member.acks | {said})
            case Farewell(epoch, seat) if epoch == log.epoch and seat in log.members - {member.me}:
                return _asked_of(member, said)
            case RestoreWish(epoch, seat) if epoch == log.epoch and seat not in log.members:
                return _asked_of(member, said)
        return member

    def _is_heard(self, member: Member, vote: Ballot) -> bool:
        """Whether a vote is of this epoch, and not so far ahead that rounds could be used up; or
        about my last change, which it may end.  Another signature makes it no other vote."""
        if any(each[:-1] == vote[:-1] for each in member.heard):  # All but the signature.
            return False
        if vote.epoch == member.log.epoch:
            mine = (each for each in (*member.heard, *member.kept.votes))
            top = max((each.round for each in mine if each.epoch == vote.epoch), default=-1)
            return vote.seat in member.log.members and vote.round <= top + ROUNDS_AHEAD_MAX
        return is_about_last_change(member, vote)

    # ---- once more ----

    def retransmissions(self, member: Member) -> Iterator[Signed | EntryRef | CheatProof]:
        """What is said again, to all and to whoever is linked anew, until it is moot.

        Reasons come before the votes that need them, and votes in the order of their rounds.  Of
        these only the newest, and those about my last change: nobody is bound by an older one for
        longer than it takes to answer, but by following, and `noes_against` is for those.  All
        in an order of their own, or the same game would go another way in each process.
        """
        yield from member.kept.guilty
        farewells = (each for each in member.kept.farewells if each.epoch == member.log.epoch)
        yield from sorted(farewells)
        yield from sorted(member.asked)
        newest = newest_rounds(member)
        votes = (each for each in _votes(member)
                 if each.ballot_round in newest or is_about_last_change(member, each))  # fmt: skip
        yield from sorted(votes, key=_by_round)
        acks = (ack for ack in member.kept.acks if self._is_still_needed(member, ack))
        yield from sorted(acks, key=lambda ack: (ack.height, ack.head, ack.signature))
        yield from sorted(each for each in member.kept.entries if each.parent == member.log.head)

    def _is_still_needed(self, member: Member, ack: Ack) -> bool:
        """Whether others may wait for an acknowledgement: of what is not in force, or where my log
        ends, beside what I took there and left."""
        is_mine = any(log.head == ack.head for log in uncommitted(member))
        return is_mine or ack.parent == member.log.head or ack.head == member.log.head


def restart(me: int, kept: PersistentState) -> Member:
    """A member whose machine crashed: what was on disk, and nothing else (T15)."""
    member = Member(me, kept)
    noes = (no for no in kept.noes if not is_moot(member, no))
    return member._replace(heard=frozenset(noes))


def with_record(member: Member, record: DiskRecord) -> Member:
    """The member once a record is on its disk."""
    member = member._replace(kept=member.kept.with_record(record))
    match record:
        case InForce(log):
            member = member._replace(committed=log.height)
        case CutTo(log):
            member = member._replace(committed=min(member.committed, log.height))
        case Appended():
            pass
        case _:
            return member
    heard = frozenset(vote for vote in member.heard if not is_moot(member, vote))
    acks = frozenset(
        ack for ack in member.acks if any(is_of(ack, log) for log in uncommitted(member))
    )
    asked = frozenset(each for each in member.asked if each.epoch == member.log.epoch)
    return member._replace(heard=heard, acks=acks, asked=asked)


def _asked_of(member: Member, said: Farewell | RestoreWish) -> Member:
    """The member that has heard what a seat asks for; another signature makes it no other wish.

    One more than are thought of is kept: then all know that it asks for too much.
    """
    same = [each for each in member.asked if each.seat == said.seat]
    if said.plain() in [each.plain() for each in same] or len(same) > ASKED_MAX:
        return member
    return member._replace(asked=member.asked | {said})


def noes_against(member: Member, ack: Ack) -> list[Ballot]:
    """The noes by which a change is over that somebody has acknowledged: it may wait for one.

    Nobody else keeps my own, so they are found wherever my log ends by now.
    """
    if ack.change is None:
        return []
    return sorted(vote for vote in _votes(member) if ends(vote, ack))


def _votes(member: Member) -> frozenset[Ballot]:
    return member.kept.votes | member.kept.noes | member.heard


def begins_round(member: Member, vote: Ballot) -> bool:
    """Whether a vote begins a round of this epoch here: I know of no proposal in it, and have
    said no word myself."""
    if not vote.is_yes or vote.epoch != member.log.epoch:
        return False
    heard = (each for each in member.heard if each.is_yes)
    return all(each.ballot_round != vote.ballot_round for each in (*heard, *member.kept.votes))


def newest_rounds(member: Member) -> set[tuple[bytes, int]]:
    """The newest rounds of this epoch that I know."""
    epoch, kept = member.log.epoch, member.kept
    known = {vote.ballot_round for vote in chain(kept.votes, kept.noes, member.heard)}
    return set(sorted(each for each in known if each[0] == epoch)[-ROUNDS_KEPT:])


def _still_heard(member: Member) -> frozenset[Ballot]:
    """The votes without those of older rounds that can do nothing here any more.

    A crash forgets them as well.  What stays: where my yes stands and may be over by one of them,
    and where somebody brings me back, since I have no vote of my own there.
    """
    refused = {vote.ballot_round for vote in member.kept.votes if not vote.is_yes}
    stays = {vote.ballot_round for vote in member.kept.votes if vote.is_yes} - refused
    stays |= {vote.ballot_round for vote in member.heard if _brings_back(vote, member.me)}
    stays |= newest_rounds(member)
    epoch = member.log.epoch
    return frozenset(v for v in member.heard if v.ballot_round in stays or v.epoch != epoch)


def _brings_back(vote: Ballot, seat: int) -> bool:
    change = vote.change
    return change is not None and (change.seat, change.reason) == (seat, REASON_RESTORE)


def _by_round(vote: Ballot) -> tuple[int, int, bytes, bytes]:
    return vote.round, vote.seat, vote.parent, vote.signature


def uncommitted(member: Member) -> Iterator[Log]:
    """The logs of mine that are not known to be in force, from the end down."""
    for log in member.log.down():
        if log.height <= member.committed:
            return
        yield log


def is_moot(member: Member, vote: Ballot) -> bool:
    """Whether a vote can change nothing any more, neither now nor if I go back."""
    return vote.epoch != member.log.epoch and not is_about_last_change(member, vote)


def is_about_last_change(member: Member, vote: Ballot) -> bool:
    """Whether a vote is of the round in which my last change was agreed on."""
    last = member.log.last_change
    if last is None or last.below is None or not isinstance(last.item, ChangeItem):
        return False
    is_round = vote.ballot_round == (last.below.epoch, last.item.round)
    return is_round and vote.seat in last.below.members
