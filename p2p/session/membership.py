"""The member of the table that this machine is: what happens goes in, what follows is done.

The rules are those of `p2p.log.membership`, without a clock, a socket or a disk.  Here they get
them:

    what I hear, steps that can be closed, timers     ->  inputs
    records                                           ->  the game file and its secrets file
    what is said                                      ->  links, once everything before is on disk

An acknowledgement costs a write to the disk, so those of steps that nobody waits for are said
together, as soon as somebody does.

What an attacker gains: it may say as much as its links allow, and of what it says about other heads
than mine only what `Acks` keeps is remembered; `p2p.log.membership` says what each message can do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import trio

from p2p.base.entry import parse_entry
from p2p.base.errors import Equivocation, PeerError
from p2p.base.limits import EARLY_ENTRIES_MAX, TRIES_MAX
from p2p.log.acks import implied_by
from p2p.log.blocked import Blocked, why_not_by_rules
from p2p.log.membership import guards
from p2p.log.membership.context import M, RuleContext
from p2p.log.membership.disk import plain_record
from p2p.log.membership.evidence import ConflictingPair, RuleViolation, entry_checker
from p2p.log.membership.log import (
    ChangeItem,
    EntryRef,
    Log,
    StepItem,
    ack_of,
    is_of,
    parse_entry_ref,
)
from p2p.log.membership.messages import (
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    Signed,
    message_of,
    sign_as,
)
from p2p.log.membership.rules import acknowledgement
from p2p.log.membership.state import (
    BACK_OFF_FIRST_S,
    VOTE_ANSWER_S,
    Appended,
    Convicting,
    CutTo,
    DiskRecord,
    InForce,
    Left,
    Member,
    MemberEffect,
    MemberInput,
    PersistentState,
    Presented,
    Refusal,
    Retry,
    Say,
    SessionEnded,
    Store,
    Unanswered,
    Voted,
    Wake,
    Write,
    Wrote,
)
from p2p.log.membership.state_machine import Signing, StateMachine, restart, with_record
from p2p.log.notes import InForceNote
from p2p.log.replay import rewound
from p2p.session.change_reasons import (
    SENTENCES,
    ChangeReasons,
    cheat_proof_in,
    goes_on_without,
    has_its_key,
    messages_of,
    raws_of,
    votes_for,
)
from p2p.session.restarting import acks_again, bound_by, is_forgotten, without_committed
from p2p.session.table import RunningTable
from p2p.session.timers import Timers


class MembershipHooks(NamedTuple):
    """What follows for others, from what this member does."""

    log_was_cut: Callable[[], object]  # By a no (T8), a change in force (T9) or a cheater (T12).
    accused: Callable[[PeerError], object]  # There is evidence against a seat.
    changed: Callable[[Change], object]  # A seat has changed hands.
    vouched: Callable[[Log], Awaitable[Iterable[int]]]  # Who has signed what stands on this log.


class Membership:
    """What one machine says and hears of who is a member, and which log all have."""

    def __init__(self, table: RunningTable, hooks: MembershipHooks) -> None:
        self._table, self._replica, self._hooks = table, table.replica, hooks
        replica = self._replica
        self.check_entry = entry_checker([seat.identity for seat in replica.roster.seats])
        self._signing = Signing(self._sign, table.verify, self.check_entry)
        self._machine = StateMachine(replica.log_game, self._signing)
        self._game = replica.log_game
        me = replica.me if replica.me is not None else len(replica.seats)
        self.member = Member(me, PersistentState(replica.tip), committed=replica.committed)
        self._timers = Timers()
        self.outbox: list[list[object]] = []  # Messages that wait for the disk.
        self._deferred_acks: list[Ack] = []  # Mine, that nobody waits for yet.
        self._violations: dict[int, PeerError] = {}
        self.reasons = ChangeReasons(replica, self._signing)
        self._error: PeerError | None = None  # What came out when a step was closed.

    def begin(self) -> None:
        """The session begins: I am bound by what is on my disk."""
        replica, secrets = self._replica, self._table.secrets
        if secrets is None or replica.identity is None:
            return
        self._violations |= replica.guilty
        kept = bound_by(replica, secrets)
        self.reasons.begin(secrets)
        self.member = restart(self.member.me, kept)._replace(committed=replica.committed)
        acks = acks_again(self.context())
        self.member = self.member._replace(kept=kept._replace(acks=kept.acks | {*acks}))
        self._deferred_acks += acks
        self._timers.wake(Retry(), BACK_OFF_FIRST_S)
        self._timers.wake(Unanswered(), VOTE_ANSWER_S)

    def _sign(self, message: M) -> M:
        assert self._replica.identity is not None, "whoever signs has an identity"
        return sign_as(self._replica.identity, self._replica.game_id, message)

    # ---- what others ask ----

    @property
    def is_bound(self) -> bool:
        """Whether a vote of mine binds me to the log as it is."""
        return bool(self.context().live_yes())

    @property
    def is_agreeing(self) -> bool:
        """Whether something about members is under way, for which all need each other's heads."""
        member = self.member
        is_held = not guards.sits_beside_no_cheater(self.context(), None)
        return bool(member.asked or member.heard or member.silent) or is_held or self.is_bound

    def why_not_write(self) -> Blocked | None:
        """Why rule T1 would refuse whatever I write now, if it would."""
        return why_not_by_rules(self.context())

    def context(self) -> RuleContext:
        """This moment of the member, as the rules look at it."""
        return RuleContext(self._game, self._sign, self.member, Retry())

    # ---- what happens ----

    async def feed(self, given: MemberInput) -> None:
        """Something has happened: do what follows.

        Raises:
            MalformedFrame, BadSignature: it was a message, and is not what it says.
            PeerError: a seat has cheated, and the log has gone on with that.
        """
        before, asked = self.member.log, self.member.asked
        self.member, effects = self._machine.receive(self.member, given)
        self.reasons.note_asked(asked, given)
        await self._carry_out(effects)
        if self.member.log != before:
            await self._take_early_acks()

    async def _carry_out(self, effects: list[MemberEffect]) -> None:
        for effect in effects:
            match effect:
                case Store(record):
                    await self._store(record)
                case Say(message):
                    self._say(message)
                case Wake(given, seconds):
                    self._timers.wake(given, seconds)
        error, self._error = self._error, None
        if error is not None:
            raise error

    async def tick(self) -> None:
        """Do what is due by now."""
        for given in self._timers.due():
            await self.feed(given)

    def think_again(self) -> None:
        """Propose again what came to nothing with no no of mine: two had different logs."""
        if self._timers.are_none and self.context().reasons():
            tries = min(self.context().top() + 1, TRIES_MAX)
            self._timers.wake(Retry(), BACK_OFF_FIRST_S * 2**tries)

    async def write(self, raw: bytes) -> bool:
        """Write my entry of the current step; whether I have."""
        entry = parse_entry_ref(raw)
        await self.feed(Write(entry))
        return entry in self.member.kept.entries

    async def close_step(self, log: Log) -> bool:
        """Close the current step by rule T2, if it may be; `log` ends with it.  True when it is."""
        assert isinstance(log.item, StepItem), "a step is closed"
        await self.feed(Presented(log.item, tuple(await self._acks_of(log))))
        return self.member.log == log

    async def _acks_of(self, log: Log) -> list[Ack]:
        """What members have signed of a log, or of a longer one.  Who leaves signs nothing more."""
        acks = [*self._replica.acks.all_at(log.height)]
        if self.context().is_member_of(log):
            return acks
        vouched = {*await self._hooks.vouched(log), self.member.me} & log.members
        acks += [ack_of(log, seat) for seat in vouched]
        return [*acks, *implied_by(acks, log, self.member.committed)]  # My file ended below.

    async def _take_early_acks(self) -> None:
        """My log is another one: hear what was said of it before I was there."""
        for ack in list(self._replica.acks.all_at(self._replica.height)):
            await self.feed(ack)
        await self.note_in_force()

    async def receive(self, said: Signed) -> bool:
        """Take in what a member has signed, whoever brought it; whether it is news.

        Raises:
            MalformedFrame, BadSignature: it has not.
            PeerError: see `feed`.
        """
        before = self.member
        if isinstance(said, Farewell | RestoreWish):
            self._table.verify(said)
            if not has_its_key(self._replica, said):
                return False
        if isinstance(said, Ballot) and is_forgotten(said, self.member, self._table.secrets):
            self._table.verify(said)
            self.member = self.member._replace(kept=self.member.kept.with_record(Voted(said)))
            self._timers.wake(Unanswered(), VOTE_ANSWER_S)  # A yes binds me again.
        await self.feed(said)
        if isinstance(said, Ack):
            await self.note_in_force()
        return self.member != before

    async def take_change(
        self, decided: ChangeItem, note: InForceNote, implied: Sequence[Ack] = ()
    ) -> bool:
        """Take in a change that somebody shows (T9): whether my log has it now, and had not.

        It can do without acknowledgements that are `implied` (`p2p.session.shown_changes`).

        Raises:
            BadSignature: a member has not acknowledged it; PeerError: see `feed`.
        """
        for ack in note.acks:
            self._table.verify(ack)
        before = self.member.log
        if (below := before.find(decided.parent)) is None:
            return False
        log = below.with_change(decided, self._game)
        if not self.reasons.justify(note, log):
            return False
        if before.find(log.head) is not None:
            self.reasons.note(log.head, note.proof)
            for ack in note.acks:  # I may wait for these.
                await self.receive(ack)
            return False
        acks, not_asked = (*note.acks, *implied), {ack.seat for ack in implied}
        shown = (*acks, *implied_by(acks, log, self.member.committed))
        if self.context().is_in_force(log, shown) and not await self.reasons.convicts(note, log):
            return False
        with self.reasons.showing(log.head, note.proof):
            await self.feed(Presented(decided, shown, self.member.me in not_asked))
        return self.member.log != before and self.member.log.find(log.head) is not None

    async def note_in_force(self) -> None:
        """Note it once all members have acknowledged my log."""
        log = self.member.log
        if log.height > self.member.committed and self._is_in_force(log):
            record = InForce(log, tuple(self.member.acks))
            self.member = with_record(self.member, record)
            await self._store(record)
            self.member = without_committed(self.member)

    def _is_in_force(self, log: Log) -> bool:
        """Whether all have acknowledged my log.

        After a crash, acknowledgements of others are lost.  Whoever has acknowledged the end of
        the log has all below it; where members have not changed since what all have, that is all.
        """
        member = self.member
        said = {ack.seat for ack in member.acks if is_of(ack, log)}
        if not log.members <= said | {member.me}:
            return False  # The end of it is what all acknowledge last.
        if self.context().is_in_force(log):
            return True
        said |= {ack.seat for ack in member.kept.acks if is_of(ack, log)}
        is_later = (changed := log.last_change) is None or changed.height <= member.committed
        return is_later and said >= log.members

    # ---- cheaters ----

    def knows(self, vote: Ballot) -> bool:
        """Whether I have heard a vote, which was signed."""
        return vote in self.member.heard or vote in self.member.kept.votes

    async def convict(self, error: PeerError) -> None:
        """There is evidence against a seat, or its entries do not hold here.

        Raises:
            PeerError: nobody can go on without it.
        """
        assert error.seat is not None, "somebody has signed it"
        self._violations.setdefault(error.seat, error)
        await self.feed(cheat_proof_in(error.seat, error.evidence))
        for ack in list(self._replica.acks.from_on(0)):
            await self.feed(ack)  # By these, logs may have parted.

    # ---- what follows ----

    async def say(self, wish: RestoreWish) -> None:
        """Ask for my seat."""
        await self.feed(wish)
        self.outbox.append(message_of(wish))

    def _say(self, message: Signed | EntryRef | ConflictingPair | RuleViolation) -> None:
        if isinstance(message, Ack):
            self._deferred_acks.append(message)
        else:
            self.outbox += messages_of(message)

    async def flush(self, *, with_acks: bool) -> None:
        """Say what waits for the disk; several things cost one write."""
        acks: list[Ack] = []
        if with_acks and self._table.game_file.count >= self._replica.height:
            acks, self._deferred_acks = self._deferred_acks, []
        outbox, self.outbox = self.outbox, []
        if self._table.secrets is not None and (outbox or acks):
            self._table.secrets.sync()
        if acks:
            self._table.game_file.sync()
        for message in [*outbox, *map(message_of, acks)]:
            await self._table.broadcast(message)

    async def _store(self, record: DiskRecord) -> None:
        secrets = self._table.secrets
        match record:
            case Wrote(entry):
                assert secrets is not None, "whoever writes has secrets"
                if entry.raw not in secrets.entries:
                    secrets.keep_entry(entry.raw)
                self._replica.keep(parse_entry(entry.raw))
            case Appended(log, ack):
                await self._append(log, ack)
            case CutTo(log):
                await self._cut(log)
            case Voted() | Left() | Refusal():
                assert secrets is not None, "whoever votes has secrets"
                secrets.keep_said(plain_record(record))
                match record:
                    case Voted(Ballot(_, number, _, parent, Change() as change)):
                        self._keep_proof(ChangeItem(parent, change, number))
            case Convicting(evidence):
                self._note_guilty(evidence)
            case InForce(log, acks):
                self._note_acks(log, acks)
            case SessionEnded():
                self._halt(next(iter(self._replica.guilty.values())))

    async def _append(self, log: Log, ack: Ack | None) -> None:
        replica, item = self._replica, log.item
        if isinstance(item, ChangeItem):
            self._keep_proof(item)
            replica.change(item)
            self.outbox += votes_for(item, self.member.heard)
            if ack is not None and self._table.secrets is not None:
                self._table.secrets.keep_said(message_of(ack))
                self._table.secrets.sync()  # The file never has a change whose proof is lost.
            self._hooks.changed(item.change)
            return
        try:
            while replica.next_log() is None:  # What I have just written is read as all the rest.
                await self.flush(with_acks=False)
                await trio.to_thread.run_sync(self._verify_obligations)
            replica.close(log)
        except PeerError as error:
            self._error = error
        asked = (each for each in self.member.asked if has_its_key(replica, each))
        self.member = self.member._replace(asked=frozenset(asked))  # One has a new key perhaps.

    def _keep_proof(self, decided: ChangeItem) -> None:
        """Keep what proves the reason of a change to which I have agreed."""
        below = self.member.log.find(decided.parent)
        assert below is not None, "a yes stands on my log"
        head, guilty = self._game.head_behind(below, decided), self.member.kept.guilty
        self.reasons.keep(self._table.secrets, head, decided.change, guilty)

    def _verify_obligations(self) -> None:
        obligations = list(self._replica.obligations)
        assert obligations, "whatever I have written can be read"
        for each in obligations:
            self._replica.verify_obligation(*each)
        self._replica.obligations.clear()

    async def _cut(self, log: Log) -> None:
        replica, secrets = self._replica, self._table.secrets
        above = {each.head for each in replica.tip.down() if each.height > log.height}
        if secrets is not None:
            for ack in sorted(self.member.kept.acks):
                if ack.head in above and message_of(ack) not in secrets.said:
                    secrets.keep_said(message_of(ack))
            secrets.sync()  # They bind me, and the file that shows them is cut.
        past = await trio.to_thread.run_sync(rewound, replica, secrets, log.height)
        replica.rewind_to(past)
        if self._table.game_file.count > log.height:
            self._table.game_file.cut(log.height)
        self._deferred_acks = [ack for ack in self._deferred_acks if ack.height <= log.height]
        self._hooks.log_was_cut()

    def _note_guilty(self, evidence: ConflictingPair | RuleViolation) -> None:
        replica, seat = self._replica, evidence.seat
        error = self._violations.get(seat)
        if isinstance(evidence, ConflictingPair):
            error = replica.blame(seat, Equivocation, SENTENCES[evidence.kind], raws_of(evidence))
        assert error is not None, "whoever breaks the rules was found out here"
        if goes_on_without(seat, error.evidence, self.context()):
            replica.guilty[seat] = error
            self._hooks.accused(error)
        else:
            self._halt(error)

    def check_goes_on(self) -> None:
        """Whether the table can go on without whoever has cheated, now that others leave as well.

        Raises:
            PeerError: it cannot, and stops with the evidence.
        """
        for seat, error in self._replica.guilty.items():
            if not (self.is_bound or goes_on_without(seat, error.evidence, self.context())):
                error.is_too_late = True
                raise error

    def _halt(self, error: PeerError) -> None:
        """Nobody can go on: the table halts, once the records before this are carried out."""
        self._error, error.is_too_late = error, True

    def _note_acks(self, log: Log, acks: tuple[Ack, ...]) -> None:
        """Write into the file by what the log is in force."""
        replica, below = self._replica, self._replica.committed
        replica.committed = max(below, log.height)
        fresh = list(takewhile(lambda each: each.height > below, log.down()))
        signed = [ack for ack in (*acks, *self.member.kept.acks) if ack.signature]
        known = {(ack.seat, ack.head): ack for ack in signed if ack.height > below}
        for each in reversed(fresh):
            acks_of = [known.get((seat, each.head)) for seat in sorted(each.members)]
            noted = [ack for ack in acks_of if ack is not None and is_of(ack, each)]
            if isinstance(each.item, ChangeItem):
                note = InForceNote(each.height, tuple(noted), self.reasons.of(each.head))
                self._table.note_in_force(note)
                self.outbox.append(self.shown(note))
            elif each == log:
                # The log gives every other field of them, but no excuses.
                self._table.keep_acks({ack.seat: ack.signature for ack in noted if not ack.excuses})

    def shown(self, note: InForceNote) -> list[object]:
        """The message with a change of my log, and what puts it in force."""
        return ["change", self._replica.log[note.height - 1].raw, *note.plain()[1:]]

    # ---- once more ----

    def retransmissions(self) -> Iterator[list[object]]:
        """What is said again, until it is moot: a link may have swallowed it.

        What waits for the disk has not been said yet.
        """
        for said in self._machine.retransmissions(self.member):
            if said not in self._deferred_acks:
                yield from (each for each in messages_of(said) if each not in self.outbox)

    def acks_from(self, committed: int) -> Iterator[list[object]]:
        """My newest acknowledgements from a height on, for somebody who has lost them."""
        kept, context = {ack.head: ack for ack in self.member.kept.acks}, self.context()
        floor = max(committed, self._replica.height - EARLY_ENTRIES_MAX)
        logs = list(takewhile(lambda log: log.height > floor, self._replica.tip.down()))
        for log in reversed(logs):
            if log.head in kept:
                yield message_of(kept[log.head])
            elif isinstance(log.item, StepItem) and context.is_member_of(log):
                yield message_of(acknowledgement(context, log))
