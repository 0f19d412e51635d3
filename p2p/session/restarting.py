"""What binds a machine when its game goes on: a member that starts again (T15), from its files.

Its entries, votes, farewells and acknowledgements of changes stand in the secrets file; what it has
acknowledged of steps follows from the log, and is signed once more: the same bytes, whoever asks.
"""

from __future__ import annotations

from p2p.base.limits import EARLY_ENTRIES_MAX
from p2p.log.membership.context import RuleContext
from p2p.log.membership.disk import parse_record
from p2p.log.membership.log import Log, StepItem, parse_entry_ref
from p2p.log.membership.messages import Ack, Ballot, parse_signed
from p2p.log.membership.rules import acknowledgement
from p2p.log.membership.state import Member, PersistentState
from p2p.log.membership.state_machine import uncommitted
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.session.change_reasons import PROOF, cheat_proof_in


def acks_again(context: RuleContext) -> list[Ack]:
    """My acknowledgements of what is not known to be in force and not on my disk, the lowest first.

    With the excuses for what I left where they stand, or the two would convict me.  Those of
    changes are on my disk, unless a damaged file has lost them; and unless I was let go with a
    change, having acknowledged something else in its place, my log has none that I had not.
    """
    member = context.member
    logs = [log for log in uncommitted(member) if member.me in log.members]
    lacking = (log for log in reversed(logs)
               if isinstance(log.item, StepItem) or _has_lost_ack(context, log))  # fmt: skip
    return [acknowledgement(context, log) for log in lacking]


def _has_lost_ack(context: RuleContext, log: Log) -> bool:
    assert log.below is not None, "a change stands on a log"
    return context.is_member and not context.acked_here(log.below.head)


def bound_by(replica: Replica, secrets: SecretsFile) -> PersistentState:
    """The disk of a member: its log, and what it has noted."""
    entries = frozenset(map(parse_entry_ref, secrets.entries))
    kept = PersistentState(replica.tip, entries)
    for said in secrets.said:
        kept = _with_said(kept, replica, said)
    for seat, error in replica.guilty.items():
        kept = kept._replace(guilty=(*kept.guilty, cheat_proof_in(seat, error.evidence)))
    return kept


def _with_said(kept: PersistentState, replica: Replica, said: list[object]) -> PersistentState:
    match said:
        case ["ack", *_]:
            ack = parse_signed(said)
            assert isinstance(ack, Ack), "its kind says so"
            return kept._replace(acks=kept.acks | {ack})
        case [str(kind), *_] if kind == PROOF:
            return kept
        case _:
            return kept.with_record(parse_record(kept.log, said, replica.log_game))


def is_forgotten(vote: Ballot, member: Member, secrets: SecretsFile | None) -> bool:
    """Whether a vote is mine, and was lost with a part of my file; its signature is not checked."""
    is_lost = secrets is not None and secrets.has_lost_records
    return is_lost and vote.seat == member.me and vote not in member.kept.votes


def without_committed(member: Member) -> Member:
    """The member without most of what it has signed of a log that all have: no rule asks for it."""
    kept, floor = member.kept, member.committed - EARLY_ENTRIES_MAX
    if len(kept.acks) <= 2 * EARLY_ENTRIES_MAX:
        return member
    acks = frozenset(ack for ack in kept.acks if ack.change or ack.height > floor)
    past = {log.head for log in member.log.down() if log.height <= floor}
    entries = frozenset(each for each in kept.entries if each.parent not in past)
    return member._replace(kept=kept._replace(acks=acks, entries=entries))
