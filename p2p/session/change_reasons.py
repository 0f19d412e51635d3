"""The reasons of changes of members, and what proves them: a farewell, a wish, or a cheat.

No proof of cards is here: those are in `p2p.crypto`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, cast

import trio

from p2p.base.entry import Entry, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import TRIED_BURST_MAX, TRIED_PER_S_MAX
from p2p.log.membership.context import RuleContext
from p2p.log.membership.evidence import (
    CheatProof,
    ConflictingPair,
    ProofChecks,
    RuleViolation,
    check_proof,
    parse_evidence,
    parse_statement,
    raw_of,
)
from p2p.log.membership.log import (
    Certificate,
    ChangeItem,
    EntryRef,
    Log,
    LogGame,
    check_members,
    parse_entry_ref,
    signed_raw,
)
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    Signed,
    message_of,
)
from p2p.log.membership.state_machine import Signing
from p2p.log.membership_change import change_entry, check_new_key, parse_key
from p2p.log.notes import InForceNote
from p2p.log.replay import breaks_rules, offends
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.admission import RateLimit

SENTENCES: Final = {
    "E1": "signed two entries that answer one log",
    "E2": "acknowledged two logs in one place",
    "E3": "voted for two things in one round",
    "E4": "refused what it acknowledges",
}
PROOF: Final = "proof"  # Of a change: whoever crashes before it is in force needs it.


def cheat_proof_in(seat: int, raws: list[bytes]) -> CheatProof:
    """What these bytes prove of a seat: two things that contradict each other, or a violation."""
    if len(raws) == 2:
        try:
            found = parse_evidence(["evidence", *raws])
        except MalformedFrame:
            return RuleViolation(seat, tuple(raws))
        return found
    return RuleViolation(seat, tuple(raws))


def raws_of(evidence: CheatProof) -> list[bytes]:
    """What shows that a seat has cheated, as it stands in the file."""
    if isinstance(evidence, RuleViolation):
        return list(evidence.entries)
    return [raw_of(evidence.first), raw_of(evidence.second)]


def proof_record(head: bytes, proof: tuple[bytes, ...]) -> list[object]:
    """What proves the reason of a change, as the secrets file keeps it."""
    return [PROOF, head, list(proof)]


def keep_proof(secrets: SecretsFile | None, head: bytes, proof: tuple[bytes, ...]) -> None:
    """Put it into the secrets file, once."""
    record = proof_record(head, proof)
    if secrets is not None and record not in secrets.said:
        secrets.keep_said(record)


def kept_proofs(secrets: SecretsFile) -> dict[bytes, tuple[bytes, ...]]:
    """What the secrets file has kept of that, by the head behind each change."""
    found: dict[bytes, tuple[bytes, ...]] = {}
    for said in secrets.said:
        match said:
            case [str(kind), bytes(head), list(proof)] if kind == PROOF:
                found[head] = tuple(cast("list[bytes]", proof))
    return found


def proof_of(
    change: Change, asked: Collection[Farewell | RestoreWish], guilty: Iterable[CheatProof]
) -> tuple[bytes, ...]:
    """What proves the reason of a change, of all that was asked for and found out.

    Whoever asks may have named two keys: what proves it is what all have agreed on.  Nothing, if
    some of it was not heard here.
    """
    proof: list[bytes] = []
    if change.reason in (REASON_LEFT, REASON_RESTORE):
        named = (each for each in asked if (each.seat, each.key) == (change.seat, change.key))
        proof = [signed_raw(each) for each in sorted(named)[:1]]
    if change.reason == REASON_CONVICTED:
        proof = next((raws_of(each) for each in guilty if each.seat == change.seat), [])
    left = {each.seat: each for each in sorted(asked, reverse=True)}
    is_whole = bool(proof) != (change.reason == REASON_SILENT) and left.keys() >= {*change.leavers}
    return (*proof, *(signed_raw(left[seat]) for seat in change.leavers)) if is_whole else ()


def votes_for(decided: ChangeItem, heard: Iterable[Ballot]) -> list[list[object]]:
    """What others said by which all agree to a change, for whoever has heard less of it.

    A member may say its yes to one alone, who follows; the others would refuse what they lack.
    """
    what = decided.parent, decided.change, decided.round
    said = (vote for vote in heard if (vote.parent, vote.change, vote.round) == what)
    return [message_of(vote) for vote in sorted(said)]


def is_justified(
    note: InForceNote, log: Log, mine: Log, judged_by: tuple[LogGame, Signing]
) -> bool:
    """Whether a change at the end of a log has the reason that it gives, and the game can go on.

    What the game finds wrong is signed by its seat; whether it is wrong, `ChangeReasons.convicts`
    says.  Below the end of my log, where keys may be others, more than one member has to stay;
    or all who go have said farewell, which nobody can say for them.
    """
    below, decided = log.below, log.item
    game, signing = judged_by
    assert below is not None and isinstance(decided, ChangeItem), "the log ends with a change"
    change = decided.change
    is_plain = len(log.members) > 1 or change.reason == REASON_LEFT
    if not (game.may_change(below, change) if below == mine else is_plain):
        return False

    def find_violation(found: RuleViolation) -> None:
        said = [each for each in map(parse_entry_ref, found.entries) if each.seat == found.seat]
        if not said:
            raise MalformedFrame("this is of another seat")
        for each in said:
            signing.check_entry(each)

    checks = ProofChecks(
        signing.verify, signing.check_entry, find_violation, game.may_call_silent
    )
    try:
        check_members(below.members, change)
        check_proof(Certificate(decided, note.acks, note.proof), below, checks)
    except (MalformedFrame, BadSignature):
        return False
    return True


class ChangeReasons:
    """What proves the reasons of the changes that one machine knows, by the head behind each."""

    def __init__(self, replica: Replica, signing: Signing) -> None:
        """Nothing is known."""
        self._replica, self._signing = replica, signing
        self._proofs: dict[bytes, tuple[bytes, ...]] = {}
        self._shown: dict[bytes, tuple[bytes, ...]] = {}  # Of what is shown just now.
        self._asked: set[Farewell | RestoreWish] = set()  # As it was before what is done now.
        self._tried_often = RateLimit(TRIED_PER_S_MAX, TRIED_BURST_MAX)
        self._holds: set[tuple[bytes, ...]] = set()  # Proofs that were tried, and convict.

    def begin(self, secrets: SecretsFile) -> None:
        """The session begins, with what the secrets file has kept."""
        self._proofs = kept_proofs(secrets)

    def of(self, head: bytes) -> tuple[bytes, ...]:
        """What proves the change below a head; nothing, if that is not known."""
        return self._proofs.get(head, ())

    def note(self, head: bytes, proof: tuple[bytes, ...]) -> None:
        """Somebody shows a change that my log has, with its proof."""
        self._proofs.setdefault(head, proof)

    def note_asked(self, asked: Iterable[Farewell | RestoreWish], given: object) -> None:
        """What was asked for until now, with what has just come: a change forgets all of that."""
        self._asked = {*asked, given} if isinstance(given, Farewell | RestoreWish) else {*asked}

    @contextmanager
    def showing(self, head: bytes, proof: tuple[bytes, ...]) -> Iterator[None]:
        """In this block a change is followed that somebody shows with this proof."""
        self._shown = {head: proof}
        yield
        self._shown.clear()

    def justify(self, note: InForceNote, log: Log) -> bool:
        """Whether the change at the end of a log, which somebody shows, has its reason."""
        return is_justified(note, log, self._replica.tip, (self._replica.log_game, self._signing))

    async def convicts(self, note: InForceNote, log: Log) -> bool:
        """Whether a change that all who stay have agreed to names a cheater, if it names one.

        What only the game finds wrong is believed from nobody: those who stay may be one person
        with bots, and I one who was away.  So I have found it myself, or try it where it stands.
        """
        claimed, replica = self.untried(note, log), self._replica
        if not claimed:
            return True
        if not self._tried_often.allows(str(claimed[0].seat)):
            return False  # Whoever shows it shows it again.
        for entry in claimed:
            below = replica.tip.find(entry.parent) or log.find(entry.parent)
            if below is not None and await trio.to_thread.run_sync(
                breaks_rules, replica.roster, entries_of(below, replica), entry
            ):
                self._holds.add(note.proof)
                return True
        return False

    async def shows(self, log: Log, seat: int) -> bool:
        """Whether a log, mine or a step longer, shows that a seat chose what was forbidden."""
        if not self._tried_often.allows(str(seat)):
            return False
        replica = self._replica
        entries = entries_of(log, replica)
        return await trio.to_thread.run_sync(offends, replica.roster, entries, seat)

    def untried(self, note: InForceNote, log: Log) -> list[Entry]:
        """The entries of whom a change names that convict it, as is said: I have not tried them.

        Those of others beside them prove nothing.
        """
        assert isinstance(log.item, ChangeItem), "the log ends with a change"
        change = log.item.change
        raws = note.proof[: len(note.proof) - len(change.leavers)]
        found = cheat_proof_in(change.seat, list(raws)) if raws else None
        is_claimed = change.reason == REASON_CONVICTED and isinstance(found, RuleViolation)
        if not is_claimed or change.seat in self._replica.guilty or note.proof in self._holds:
            return []
        return [entry for entry in map(parse_entry, raws) if entry.seat == change.seat]

    def keep(
        self, secrets: SecretsFile | None, head: bytes, change: Change, guilty: Iterable[CheatProof]
    ) -> None:
        """Keep what proves a change: my yes binds me, also if I do not hear that again."""
        if head not in self._proofs:
            mine = proof_of(change, self._asked, guilty)
            self._proofs[head] = mine or self._shown.get(head, ())
        keep_proof(secrets, head, self._proofs[head])


def entries_of(log: Log, replica: Replica) -> list[Entry]:
    """The entries of a log that is mine, or has items on top of that which I was shown."""
    shown = list[Entry]()
    while replica.tip.find(log.head) is None:
        assert log.item is not None and log.below is not None, "the rest is mine"
        if isinstance(log.item, ChangeItem):
            shown[:0] = [change_entry(replica.game_id, log.below, log.item)]
        else:
            shown[:0] = [parse_entry(each.raw) for each in log.item.entries]
        log = log.below
    return [*replica.log[: log.height], *shown]


def has_its_key(replica: Replica, said: Farewell | RestoreWish) -> bool:
    """Whether a key is the one of a seat, or one that it may have, as my log stands.

    Another log says otherwise of the same words, so nobody who passes them on is to blame.
    """
    play, seat = replica.play, said.seat
    if said.epoch != replica.tip.epoch or seat not in replica.seats:
        return True
    try:
        if isinstance(said, RestoreWish):
            check_new_key(play, seat, said.key)
        elif play.dealing is not None and said.key:
            parse_key(said.key, play.dealing.publics[seat])
    except MalformedFrame:
        return False
    return play.dealing is not None


def messages_of(said: Signed | EntryRef | CheatProof) -> list[list[object]]:
    """As links carry it."""
    match said:
        case EntryRef():
            return [["entry", said.raw]]
        case ConflictingPair():
            return [said.plain()]
        case RuleViolation():
            return [["entry", raw] for raw in said.entries]
        case _:
            return [message_of(said)]


def goes_on_without(cheater: int, evidence: Sequence[bytes], context: RuleContext) -> bool:
    """Whether the table can go on without a cheater, or others have by now, further on.

    Whoever has said farewell goes with it, and for a key that is lost with it two have to stay.
    """
    log = context.log
    if cheater not in log.members or any(at > log.height for at in _heights_in(evidence)):
        return True
    why = cheater, REASON_CONVICTED
    mine = (each for each in context.reasons() if (each.seat, each.reason) == why)
    return cheater != context.me and all(context.game.may_change(log, each) for each in mine)


def _heights_in(raws: Sequence[bytes]) -> list[int]:
    """Where the entries that show it stand, or would."""
    said = map(parse_statement, raws)
    return [parse_entry(each.raw).height for each in said if isinstance(each, EntryRef)]
