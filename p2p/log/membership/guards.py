"""The conditions of the table: each a question about one moment and what a rule is about."""

from __future__ import annotations

from p2p.log.membership.context import Divergence, RefusedChange, RuleContext, Shown
from p2p.log.membership.evidence import HONEST_MIN, CheatProof
from p2p.log.membership.log import ChangeItem, EntryRef, Log, StepItem, needed
from p2p.log.membership.messages import (
    EXCUSES_MAX,
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Ballot,
    Change,
    RestoreWish,
)
from p2p.log.membership.state import Departing, Unanswered


def is_member(context: RuleContext, _: object) -> bool:
    """I am a member of this epoch."""
    return context.is_member


def is_not_bound(context: RuleContext, _: object) -> bool:
    """No live yes binds me to the log as it is."""
    return not context.live_yes()


def is_not_bound_here(context: RuleContext, _: object) -> bool:
    """No live yes binds me where my log is.

    One that stands above its end does not: my file has lost what lies between, and I take that
    again from the others.
    """
    return not any(context.log.find(vote.parent) for vote in context.live_yes())


# ---- entries ----


def is_due_entry(context: RuleContext, entry: EntryRef) -> bool:
    """The entry is one of the current step, and of a seat that is mine."""
    return entry.seat in context.game.due(context.log) and entry.seat == context.me


def sits_beside_no_cheater(context: RuleContext, _: object) -> bool:
    """Nothing is written while somebody who cheated is a member."""
    return not context.guilty & context.log.members


def all_have_my_head(context: RuleContext, _: object) -> bool:
    """I go on alone above my own step, or all members have acknowledged my head."""
    due = context.game.due(context.log)
    return not context.log.is_barrier_to(due) or context.is_in_force(context.log)


def signed_nothing_else_here(context: RuleContext, entry: EntryRef) -> bool:
    """I have signed no other entry on this head."""
    return all(
        each.hash == entry.hash
        for each in context.kept.entries
        if (each.seat, each.parent) == (entry.seat, entry.parent)
    )


def is_due_step(context: RuleContext, shown: Shown) -> bool:
    """The step has an entry of each seat that is due, and of nobody else."""
    return shown.step.seats == context.game.due(context.log)


def took_no_other_step_here(context: RuleContext, shown: Shown) -> bool:
    """I have acknowledged no other step on this head."""
    heads = [ack.head for ack in context.acked_here(context.log.head) if ack.change is None]
    return all(head == shown.log.head for head in heads)


def takes_nothing_of_a_cheater(context: RuleContext, shown: Shown) -> bool:
    """No cheater wrote in it; or somebody honest has it, and I have not left one here before.

    Whoever took it once more after it went back would meet the other version once more as well.
    """
    if not context.guilty & context.writers(shown.step, context.log):
        return True
    by = {ack.seat for ack in shown.acks if ack.head == shown.log.head}
    has_left = any(ack.change is None for ack in context.acked_here(context.log.head))
    return not has_left and bool(by - context.guilty - {context.me})


def is_member_or_sees_all(context: RuleContext, shown: Shown) -> bool:
    """Whoever only looks on takes what is in force; or, on the way back, what a member shows that
    agrees to have me back: others that do so too may be silent by now, with their acknowledgements.
    """
    if context.is_member or context.is_in_force(shown.log, shown.acks):
        return True
    agree = {
        vote.seat
        for vote in context.votes()
        if vote.change is not None and vote.change.seat == context.me
    }
    by = {ack.seat for ack in shown.acks if ack.head == shown.log.head}
    return context.log.members <= agree and bool(by & agree)


# ---- a yes ----


def _change(vote: Ballot) -> Change:
    assert vote.change is not None, "this is asked of a yes"
    return vote.change


def binds_itself_once(context: RuleContext, _: Ballot) -> bool:
    """At most one change is under way at a member."""
    return not context.live_yes()


def has_the_reason(context: RuleContext, vote: Ballot) -> bool:
    """I have the reason for this change myself."""
    return context.knows_why(_change(vote))


def names_another(context: RuleContext, vote: Ballot) -> bool:
    """Who goes is a member and not me, who comes back is none; and the game can go on so."""
    change, members = _change(vote), context.log.members
    if not context.game.may_change(context.log, change):
        return False
    if change.reason == REASON_RESTORE:
        return change.seat not in members | {context.me}
    return change.gone <= members - {context.me}


def takes_two_for_silence(context: RuleContext, vote: Ballot) -> bool:
    """One person alone removes nobody for silence, however many bots that person runs."""
    change = _change(vote)
    voters = needed(context.log.members, change)
    return change.reason != REASON_SILENT or context.game.may_call_silent(change.seat, voters)


def hears_the_others(context: RuleContext, vote: Ballot) -> bool:
    """Nobody else is silent: whoever hears nobody may be the one who is cut off.

    Nor is anybody needed for a farewell who is silent: then that one is to go with the leaver.
    """
    change, silent = _change(vote), context.member.silent & context.log.members
    if change.reason == REASON_SILENT and change.seat not in silent:
        return False
    return change.reason not in (REASON_SILENT, REASON_LEFT) or silent <= change.gone


def names_the_cheater_first(context: RuleContext, vote: Ballot) -> bool:
    """While somebody who cheated is a member, nothing but its removal."""
    change, guilty = _change(vote), context.guilty
    if change.reason == REASON_CONVICTED:
        return change.seat in guilty
    return not guilty & context.log.members and change.seat not in guilty


def is_between_requests(context: RuleContext, vote: Ballot) -> bool:
    """Nobody comes back in the middle of a request."""
    return _change(vote).reason != REASON_RESTORE or context.game.is_between_requests(context.log)


def has_been_away_enough(context: RuleContext, vote: Ballot) -> bool:
    """A bot has answered for it once since it went, and once more each time that it goes."""
    change = _change(vote)
    absent = context.log.absence_of(change.seat)
    if change.reason != REASON_RESTORE:
        return True
    if absent is None:  # Of a seat that never had an owner, anybody could sign the wish.
        return False
    return context.game.answered(context.log, change.seat) - absent.answered >= absent.times


def stands_on_my_head(context: RuleContext, vote: Ballot) -> bool:
    """My log ends exactly where the change stands."""
    return vote.parent == context.log.head


def is_not_refused(context: RuleContext, vote: Ballot) -> bool:
    """Nobody whom it needs has said anything else in its round."""
    return not context.is_over(vote)


# ---- taking it back ----


def hears_its_seat(context: RuleContext, vote: Ballot) -> bool:
    """The seat that was silent is heard again."""
    change = _change(vote)
    return change.reason == REASON_SILENT and change.seat not in context.member.silent


def is_unanswered(context: RuleContext, _: Ballot) -> bool:
    """The time to answer is over."""
    return isinstance(context.given, Unanswered)


def is_leaving(context: RuleContext, _: object) -> bool:
    """I leave."""
    return isinstance(context.given, Departing)


def stands_on_a_refused_change(context: RuleContext, _: Ballot) -> bool:
    """What my yes stands on will never be in force, and I can go back below it."""
    last = context.log.last_change
    if last is None or last.below is None or not isinstance(last.item, ChangeItem):
        return False
    noes = context.refusals(last.item.change, last.below.epoch, last.item.round)
    return any(
        has_written_nothing_behind_it(context, RefusedChange(last, no))
        and is_not_in_force(context, RefusedChange(last, no))
        and followed_it(context, RefusedChange(last, no))
        for no in noes
        if no.seat in last.below.members
    )


def a_cheater_agrees_to_another(context: RuleContext, yes: Ballot) -> bool:
    """Here my yes came to nothing; where this was not heard in time, it was followed."""
    return any(
        vote.seat in context.guilty and vote.is_yes and vote.proposal != yes.proposal
        for vote in context.votes()
        if vote.round == yes.round
    )


# ---- following, and going back ----


def is_agreed_by_all(context: RuleContext, vote: Ballot) -> bool:
    """All needed members said yes to this, in this round, and none of them no.

    A second yes, to something else, is evidence and no refusal: who has followed cannot go back by
    it, so whoever is to come back follows as well.
    """
    who = needed(context.log.members, _change(vote))
    said = [each for each in context.votes() if each.round == vote.round and each.seat in who]
    agree = {each.seat for each in said if each.proposal == vote.proposal}
    return agree == who and all(each.is_yes for each in said)


def has_left_no_step_here(context: RuleContext, vote: Ballot) -> bool:
    """Where I have acknowledged a step, only a conviction can stand in its place."""
    steps = [ack for ack in context.acked_here(context.log.head) if ack.change is None]
    return not steps or _change(vote).reason == REASON_CONVICTED


def has_few_excuses(context: RuleContext, _: Ballot) -> bool:
    """Somebody who agrees and refuses again and again does not make my messages grow."""
    return len(context.acked_here(context.log.head)) < EXCUSES_MAX


def is_my_wish(context: RuleContext, vote: Ballot) -> bool:
    """I asked for this, in this epoch, with this key."""
    change = _change(vote)
    return change.reason == REASON_RESTORE and any(
        isinstance(each, RestoreWish)
        and (each.epoch, each.seat, each.key) == (context.log.epoch, context.me, change.key)
        for each in context.member.asked
    )


def has_written_nothing_behind_it(context: RuleContext, refused: RefusedChange) -> bool:
    """When I wrote behind it all had acknowledged it: then the no is evidence."""
    above = [log for log in context.above(refused.log) if isinstance(log.item, StepItem)]
    return all(
        context.me not in context.writers(log.item, log)
        for log in above
        if isinstance(log.item, StepItem)
    )


def is_not_in_force(context: RuleContext, refused: RefusedChange) -> bool:
    """I have not seen that all acknowledged it."""
    return refused.log.height > context.member.committed


def followed_it(context: RuleContext, refused: RefusedChange) -> bool:
    """I am one whose acknowledgement it needs; whoever else has it, has it in force."""
    return context.me in refused.log.members


def is_shown_in_force(context: RuleContext, shown: Shown) -> bool:
    """All that it leaves have acknowledged it."""
    return context.is_in_force(shown.log, shown.acks)


def leaves_me_out_or_is_mine(context: RuleContext, shown: Shown) -> bool:
    """I am not among its members, or let go behind it; or it stands on my head, else I went on.

    Then I cut back to it only if a convicted member refused it, and acknowledged it as well: others
    may be past it and would wait for me for ever. Not where two honest members would not be left.
    """
    base, log = shown.base, shown.log
    if context.me not in log.members or base.head == context.log.head or context.lets_me_go:
        return True
    is_enough = len(log.members - context.guilty) >= HONEST_MIN
    return is_enough and bool(_refused_by(context, log) & context.guilty)


def _refused_by(context: RuleContext, log: Log) -> set[int]:
    assert isinstance(log.item, ChangeItem) and log.below is not None, "a change is shown"
    noes = context.refusals(log.item.change, log.below.epoch, log.item.round)
    return {no.seat for no in noes}


def cuts_nothing_in_force(context: RuleContext, shown: Shown) -> bool:
    """What I know to be in force stays."""
    return shown.base.height >= context.member.committed


def cuts_what_is_in_force(context: RuleContext, shown: Shown) -> bool:
    """It parts from what I know to be in force."""
    return not cuts_nothing_in_force(context, shown)


# ---- cheaters ----


def is_news(context: RuleContext, found: CheatProof) -> bool:
    """I hold no evidence against this member yet."""
    return found.seat not in context.guilty


def somebody_is_convicted(context: RuleContext, _: object) -> bool:
    """I hold evidence."""
    return bool(context.kept.guilty)


def is_by_an_honest_other(context: RuleContext, divergence: Divergence) -> bool:
    """Who acknowledged the other version is not the cheater."""
    return divergence.ack.seat not in context.guilty | {context.me}


def only_a_cheater_wrote_above(context: RuleContext, divergence: Divergence) -> bool:
    """Nobody else has built on it: the step has two versions, what follows is the cheater's run.

    Or what everybody writes for a seat without a member: that waits for no barrier, so it follows
    on both versions.
    """
    guilty, above = context.guilty, context.above(divergence.base)
    first = above[-1].item
    is_bent = isinstance(first, StepItem) and bool(guilty & context.writers(first, divergence.base))
    return is_bent and all(
        isinstance(log.item, StepItem) and context.writers(log.item, log) <= guilty
        for log in above[:-1]
    )


def is_not_in_force_above(context: RuleContext, divergence: Divergence) -> bool:
    """What I know to be in force stays."""
    return divergence.base.height >= context.member.committed
