"""The rules of membership, as one table: when, if, then.

A row fires for the first of its subjects for which all its guards hold.  After everything that
happens the machine goes through the rows from the top, again and again, until none fires
(`p2p.log.membership.state_machine`).  Nothing else decides: to take a guard out of a row, or a row
out of the table, is to break exactly that rule, which is how the exploration shows that it is
needed.

T7 is T3 in the epoch of a change that is not in force yet, T14 is T2, T6 and T9 for one item after
the other, T15 is the restart; they need no row.

T8 does not ask whether a yes binds me: where it would fire, T5c above it has taken that back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from p2p.log.membership import guards as g
from p2p.log.membership.context import Divergence, RefusedChange, RuleContext, Shown
from p2p.log.membership.evidence import CheatProof, ends
from p2p.log.membership.log import ChangeItem, EntryRef, Log, StepItem, is_of
from p2p.log.membership.messages import Ack, Ballot, Farewell, RestoreWish
from p2p.log.membership.state import (
    BACK_OFF_FIRST_S,
    BACK_OFF_LAST_S,
    VOTE_ANSWER_S,
    Appended,
    Convicting,
    CutTo,
    Departing,
    HeardAgain,
    InForce,
    Left,
    MemberEffect,
    Refusal,
    Retry,
    Say,
    SessionEnded,
    Silent,
    Store,
    Unanswered,
    Voted,
    Wake,
    Write,
    Wrote,
)

Subjects: TypeAlias = Callable[[RuleContext], Iterable[Any]]
Guard: TypeAlias = Callable[[RuleContext, Any], bool]
Act: TypeAlias = Callable[[RuleContext, Any], list[MemberEffect]]


@dataclass(frozen=True, slots=True)
class MembershipRule:
    """One rule: for whatever `subjects` finds, if all guards hold, `act`."""

    name: str
    when: str  # In words.
    subjects: Subjects
    guards: tuple[Guard, ...]
    act: Act
    then: str  # In words.


# ---- what the rows look at ----


def my_entry(context: RuleContext) -> Iterable[EntryRef]:
    """My entry of the current step, unless it is said and waits for others."""
    if isinstance(context.given, Write) and context.given.entry.parent == context.log.head:
        entry = context.given.entry
        if entry not in context.kept.entries or context.game.due(context.log) == {entry.seat}:
            yield entry


def next_step(context: RuleContext) -> Iterable[Shown]:
    """A step that stands on my head."""
    shown = context.shown()
    is_step = shown is not None and isinstance(shown.log.item, StepItem)
    if shown is not None and is_step and shown.base.head == context.log.head:
        yield shown


def my_proposals(context: RuleContext) -> Iterable[Ballot]:
    """A yes, in a new round, to each change for which I have a reason.

    Not whenever a reason is told again: two who stand at different heads would vote against each
    other for ever, and a yes keeps both from catching up.
    """
    given = context.given
    is_new = context.is_news and isinstance(given, Silent | HeardAgain | Farewell | RestoreWish)
    if is_new or isinstance(given, Retry):
        number = context.top() + 1
        for change in context.reasons():
            yield Ballot(context.log.epoch, number, context.me, context.log.head, change)


def unanswered_yes(context: RuleContext) -> Iterable[Ballot]:
    """The yes of others, in rounds in which I have said nothing."""
    if not context.member.heard:
        return
    me, rounds = context.me, {vote.round for vote in context.mine()}
    heard = [vote for vote in context.member.heard if vote.epoch == context.log.epoch]
    for vote in sorted(heard, key=lambda each: (each.round, each.seat, each.parent)):
        if vote.change is not None and vote.round not in rounds and me not in vote.change.gone:
            yield Ballot(vote.epoch, vote.round, me, vote.parent, vote.change)


def my_live_yes(context: RuleContext) -> Iterable[Ballot]:
    """The yes by which I am bound."""
    return context.live_yes()


def my_unfollowed_yes(context: RuleContext) -> Iterable[Ballot]:
    """The yes by which I am bound, but for a change that I have acknowledged.

    My log may have lost that in a crash. Others may refuse it; I follow again when I hear of it.
    """
    undecided = set(my_undecided_yes(context))
    return [vote for vote in context.live_yes() if vote in undecided]


def my_undecided_yes(context: RuleContext) -> Iterable[Ballot]:
    """My yes that I have neither taken back nor followed, whether it binds me or not."""
    mine, epoch = list(context.mine()), context.log.epoch
    if not mine:
        return []
    done = {vote.round for vote in mine if not vote.is_yes}
    done |= {ack.round for ack in context.kept.acks if ack.change and ack.epoch == epoch}
    return sorted(vote for vote in mine if vote.is_yes and vote.round not in done)


def my_farewell(context: RuleContext) -> Iterable[Farewell]:
    """That I leave the members of this epoch."""
    if isinstance(context.given, Departing):
        yield Farewell(context.log.epoch, context.me, context.given.key)


def restoring_me(context: RuleContext) -> Iterable[Ballot]:
    """A yes of somebody to bring me back."""
    if not context.is_member:
        said = (vote for vote in context.votes() if vote.change is not None)
        for vote in sorted(said, key=lambda each: (each.round, each.seat, each.parent)):
            if vote.change is not None and vote.change.seat == context.me:
                yield vote


def refused_change(context: RuleContext) -> Iterable[RefusedChange]:
    """The last change of my log, and a no of a needed member in its round."""
    last = context.log.last_change
    if last is not None and last.below is not None and isinstance(last.item, ChangeItem):
        decided = last.item
        for no in sorted(context.refusals(decided.change, last.below.epoch, decided.round)):
            if no.seat in last.below.members:
                yield RefusedChange(last, no)


def shown_change(context: RuleContext) -> Iterable[Shown]:
    """A change that stands on a log of mine, and is not in it."""
    shown = context.shown()
    is_change = shown is not None and isinstance(shown.log.item, ChangeItem)
    if shown is not None and is_change and context.log.find(shown.log.head) is None:
        yield shown


def diverging_ack(context: RuleContext) -> Iterable[Divergence]:
    """Somebody has acknowledged another step than I, and the log where we part."""
    if isinstance(context.given, Ack) and context.given.change is None:
        base = context.log.find(context.given.parent)
        above = context.above(base) if base is not None else []
        if base is not None and above and above[-1].head != context.given.head:
            yield Divergence(context.given, base)


def evidence(context: RuleContext) -> Iterable[CheatProof]:
    """What proves that somebody cheats."""
    return context.contradictions()


# ---- what the rows do ----


def acknowledgement(context: RuleContext, log: Log) -> Ack:
    """Mine of the last item of a log, with the excuses for what I left on the same head."""
    below = log.below
    assert below is not None, "an empty log is acknowledged by nobody"
    excuses = []
    for left in context.acked_here(below.head):
        if left.head != log.head and left.change is not None:
            noes = sorted(no for no in context.kept.noes if ends(no, left))
            excuses += noes[:1]
    place = (below.epoch, context.me, log.height, below.head, log.head)
    return context.sign(Ack(*place, *log.decision, tuple(sorted(set(excuses)))))


def append(context: RuleContext, log: Log) -> list[MemberEffect]:
    """Put an item on disk; then say that it is there, if I am a member behind it."""
    if not context.is_member_of(log):
        return [Store(Appended(log, None))]
    mine = (ack for ack in context.kept.acks if ack.head == log.head)
    again = next((ack for ack in mine if is_of(ack, log)), None)
    ack = again or acknowledgement(context, log)
    return [Store(Appended(log, ack)), Say(ack)]


def note_in_force(context: RuleContext, log: Log, acks: Iterable[Ack] = ()) -> list[MemberEffect]:
    """Keep for the audit by what a log is in force."""
    if log.height <= context.member.committed:
        return []
    known = sorted({*context.member.acks, *acks}, key=lambda ack: (ack.height, ack.seat, ack.head))
    return [Store(InForce(log, tuple(known)))]


def write(context: RuleContext, entry: EntryRef) -> list[MemberEffect]:
    """Sign my entry, disk, say it; if nobody else is due, the step is complete."""
    effects: list[MemberEffect] = []
    if context.log.is_barrier_to(context.game.due(context.log)):
        effects += note_in_force(context, context.log)
    effects += [Store(Wrote(entry)), Say(entry)]
    if context.game.due(context.log) == {entry.seat}:
        effects += append(context, context.log.with_step(StepItem((entry,))))
    return effects


def take(context: RuleContext, shown: Shown) -> list[MemberEffect]:
    """Append a step."""
    noted = note_in_force(context, shown.log, shown.acks) if not context.is_member else []
    return [*append(context, shown.log), *noted]


def say_yes(context: RuleContext, vote: Ballot) -> list[MemberEffect]:
    """Propose or agree; I am bound from now on."""
    said = context.sign(vote)
    return [Store(Voted(said)), Say(said), Wake(Unanswered(), VOTE_ANSWER_S)]


def say_no(context: RuleContext, vote: Ballot) -> list[MemberEffect]:
    """End this round, and wait longer each time before I propose again."""
    noes = sum(not each.is_yes for each in context.mine())
    said = context.sign(Ballot(vote.epoch, vote.round, context.me))
    seconds = min(BACK_OFF_LAST_S, BACK_OFF_FIRST_S * 2**noes)
    return [Store(Voted(said)), Say(said), Wake(Retry(), seconds)]


def leave(context: RuleContext, farewell: Farewell) -> list[MemberEffect]:
    """Say farewell; nothing more is signed in this epoch.

    Nor in those to which others may go back: a farewell would die with a change that is refused.
    """
    effects: list[MemberEffect] = []
    for epoch in (farewell.epoch, *context.epochs_below()):
        said = context.sign(farewell._replace(epoch=epoch))
        effects += [Store(Left(said)), Say(said)]
    return effects


def follow(context: RuleContext, vote: Ballot) -> list[MemberEffect]:
    """Append the change: this binds, until a needed member's no."""
    assert vote.change is not None, "only what was agreed to is followed"
    decided = ChangeItem(vote.parent, vote.change, vote.round)
    return append(context, context.log_with(decided, context.log))


def go_back(context: RuleContext, refused: RefusedChange) -> list[MemberEffect]:
    """The log ends below the change again.

    A yes that I said there may bind me once more: what ended it was forgotten above.
    """
    last, no = refused
    assert last.below is not None, "a change stands on something"
    noted: list[MemberEffect] = [] if no in context.kept.noes else [Store(Refusal(no))]
    return [*noted, Store(CutTo(last.below)), Wake(Unanswered(), VOTE_ANSWER_S)]


def adopt(context: RuleContext, shown: Shown) -> list[MemberEffect]:
    """Cut what stands beside a change in force, and append it.

    Whoever is let go behind it has perhaps acknowledged a step in its place, and says nothing.
    """
    base, log, acks = shown
    cut: list[MemberEffect] = [] if base.head == context.log.head else [Store(CutTo(base))]
    says_nothing: list[MemberEffect] = [Store(Appended(log, None))]
    added = says_nothing if context.lets_me_go else append(context, log)
    return [*cut, *added, *note_in_force(context, log, acks)]


def convict(context: RuleContext, found: CheatProof) -> list[MemberEffect]:
    """Keep the evidence and pass it on; the next thing is to propose that it goes."""
    del context
    return [Store(Convicting(found)), Say(found), Wake(Retry(), 0.0)]


def cut_to_divergence(context: RuleContext, divergence: Divergence) -> list[MemberEffect]:
    """Go back to where a cheater's two versions part."""
    del context
    return [Store(CutTo(divergence.base))]


def end_session(context: RuleContext, shown: Shown) -> list[MemberEffect]:
    """The session is over; the files go on from where they part."""
    del context
    return [Store(SessionEnded(shown.base))]


# ---- the table ----

# What T1 asks of a moment, and not of the entry: it can be asked before there is one.
MAY_WRITE: Final[tuple[Guard, ...]] = (
    g.is_member, g.is_not_bound, g.sits_beside_no_cheater, g.all_have_my_head,
)  # fmt: skip

_MAY_SAY_YES: Final = (
    g.is_member, g.binds_itself_once, g.names_another, g.takes_two_for_silence,
    g.hears_the_others, g.names_the_cheater_first, g.is_between_requests, g.has_been_away_enough,
)  # fmt: skip

MEMBERSHIP_RULES: Final = (
    MembershipRule("T11", "two signed things contradict each other", evidence,
        (g.is_news,), convict, "disk, pass it on"),
    MembershipRule("T5a", "I hear the seat of my yes again", my_unfollowed_yes,
        (g.hears_its_seat,), say_no, "disk, no"),
    MembershipRule("T5b", "my yes is unanswered", my_unfollowed_yes,
        (g.is_unanswered,), say_no, "disk, no"),
    MembershipRule("T5d", "I leave while my yes binds me", my_unfollowed_yes,
        (g.is_leaving,), say_no, "disk, no"),
    MembershipRule("T5c", "the change that my yes stands on was refused", my_unfollowed_yes,
        (g.stands_on_a_refused_change,), say_no, "disk, no"),
    MembershipRule("T5e", "a cheater said yes to something else as well, in the round of my yes",
        my_undecided_yes, (g.a_cheater_agrees_to_another,), say_no, "disk, no"),
    MembershipRule("T8", "a no of a needed member in the round of my last change", refused_change,
        (g.has_written_nothing_behind_it, g.is_not_in_force, g.followed_it),
        go_back, "disk the no, cut the log below the change"),
    MembershipRule("T6", "all needed said yes", my_live_yes,
        (g.stands_on_my_head, g.is_agreed_by_all, g.has_left_no_step_here, g.has_few_excuses),
        follow, "disk, append, ack"),
    MembershipRule("T10", "all members agree to bring me back", restoring_me,
        (g.stands_on_my_head, g.is_agreed_by_all, g.is_my_wish),
        follow, "disk, append, ack"),
    MembershipRule("T9", "a change without me is in force", shown_change,
        (g.is_shown_in_force, g.leaves_me_out_or_is_mine, g.cuts_nothing_in_force),
        adopt, "cut what stands beside it, append"),
    MembershipRule("T13", "a change is in force that parts from what is in force here",
        shown_change, (g.is_shown_in_force, g.cuts_what_is_in_force, g.somebody_is_convicted),
        end_session, "the session ends with the evidence"),
    MembershipRule("T12", "another acknowledged the other version of a cheater's step",
        diverging_ack,
        (g.is_by_an_honest_other, g.only_a_cheater_wrote_above, g.is_not_in_force_above),
        cut_to_divergence, "cut to where they part"),
    MembershipRule("T2", "a step that stands on my head", next_step,
        (g.is_due_step, g.is_not_bound_here, g.took_no_other_step_here,
         g.takes_nothing_of_a_cheater, g.is_member_or_sees_all), take, "disk, append, ack"),
    MembershipRule("T1", "my entry is due", my_entry,
        (*MAY_WRITE, g.is_due_entry, g.signed_nothing_else_here), write, "disk, append, say"),
    MembershipRule("T4a", "a yes that I would say myself", unanswered_yes,
        (g.stands_on_my_head, g.is_not_refused, g.has_the_reason, *_MAY_SAY_YES),
        say_yes, "disk, yes"),
    MembershipRule("T4b", "any other yes", unanswered_yes,
        (g.is_member,), say_no, "at once: disk, no"),
    MembershipRule("T0", "I leave", my_farewell,
        (g.is_member,), leave, "disk, say farewell"),
    MembershipRule("T3", "I have a reason", my_proposals,
        _MAY_SAY_YES, say_yes, "disk, yes"),
)  # fmt: skip
