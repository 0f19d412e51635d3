"""Changes of members that others show, with what puts them in force: they are followed (T9).

    ["change", entry, height, acks, proof]        a change of members that is in force

A change waits until my log is where it stands (`EarlyChanges`).  Otherwise I could close a step
there with entries that I had written before, and would have a log that nobody else has.

One that I was shown also says who need not acknowledge a log of mine any more: whoever went by a
later change is not asked (`ShownChanges.need_no_ack`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from p2p.base.entry import parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import EARLY_BYTES_MAX, EARLY_CHANGES_MAX
from p2p.base.wire import encode
from p2p.log.membership.evidence import ConflictingPair
from p2p.log.membership.log import (
    Certificate,
    ChangeItem,
    Log,
    ack_of,
    check_chain,
    is_in_force,
    is_of,
)
from p2p.log.membership.messages import REASON_CONVICTED, Ack
from p2p.log.membership_change import is_change, parse_change_entry
from p2p.log.notes import InForceNote, parse_in_force
from p2p.session.catching_up import CatchingUp
from p2p.session.change_reasons import cheat_proof_in
from p2p.session.membership import Membership
from p2p.session.news import Notice
from p2p.session.table import RunningTable


class ShownChange(NamedTuple):
    """A change that somebody shows, where it would stand."""

    certificate: Certificate
    note: InForceNote  # The same acknowledgements and proof, as a file keeps them.
    log: Log  # It ends with the change.


class EarlyChanges:
    """Changes of members that are in force, and stand on a log that I do not have yet."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._waiting: dict[tuple[int, bytes], tuple[ChangeItem, InForceNote]] = {}
        self._sizes: dict[tuple[int, bytes], int] = {}  # Of what waits, in bytes.

    def keep(self, seat: int, decided: ChangeItem, note: InForceNote) -> None:
        """Let one wait that a seat has brought, and its oldest no longer if that is too much."""
        self._forget((seat, decided.parent))
        self._waiting[seat, decided.parent] = decided, note
        self._sizes[seat, decided.parent] = len(encode(note.plain()))
        mine = [place for place in self._waiting if place[0] == seat]
        size = sum(self._sizes[place] for place in mine)
        while len(mine) > EARLY_CHANGES_MAX or size > EARLY_BYTES_MAX:
            size -= self._sizes[mine[0]]
            self._forget(mine.pop(0))

    def _forget(self, place: tuple[int, bytes]) -> None:
        self._waiting.pop(place, None)
        self._sizes.pop(place, None)

    def all(self) -> list[tuple[ChangeItem, InForceNote]]:
        """All that wait."""
        return list(self._waiting.values())

    def on(self, log: Log) -> list[tuple[ChangeItem, InForceNote]]:
        """What stands on a log, or below its end, and was not enough alone."""
        return [kept for place, kept in self._waiting.items() if log.find(place[1]) is not None]

    def due(self, head: bytes) -> list[tuple[ChangeItem, InForceNote]]:
        """What waits no more, since my log has this head now."""
        due = [place for place in self._waiting if place[1] == head]
        found = [self._waiting[place] for place in due]
        for place in due:
            self._forget(place)
        return found


class ShownChanges:
    """The changes of members that one machine was shown, and those that it shows."""

    def __init__(
        self,
        table: RunningTable,
        membership: Membership,
        catching_up: CatchingUp,
        may_look_at: Callable[[int, Sequence[Ack]], bool],
    ) -> None:
        """`may_look_at`: whether a seat may let me verify these acknowledgements, with excuses."""
        self._table, self._replica, self._may_look_at = table, table.replica, may_look_at
        self._membership, self._catching_up = membership, catching_up
        self._early = EarlyChanges()

    async def receive(self, source: int, message: list[object]) -> None:
        """Follow a change that a seat shows; or keep it, until my log is where it stands.

        Raises:
            MalformedFrame, BadSignature: it is none, or a member has not acknowledged it.
            PeerError: see `Membership.feed`.
        """
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
        await self._follow_together(decided)

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

    async def _follow_together(self, fresh: ChangeItem) -> None:
        """Follow changes that are in force only together, now that one more of them is here.

        By a later one somebody goes who has not acknowledged an earlier one: it is not asked.
        """
        for first, _ in self._early.on(self._replica.tip):
            below = self._replica.tip.find(first.parent)
            assert below is not None, "it stands on my log"
            chain = self._chain_on(below)
            if len(chain) == 1 or all(each.certificate.decided != fresh for each in chain):
                continue  # Each alone was tried when it came.
            together = [each.certificate for each in chain]
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
            log = self._log_behind(log, each)
            chain.append(ShownChange(each, note, log))
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
        last = chain[-1].log
        for each, note, log in chain:
            gone = [ack_of(log, seat) for seat in log.members - last.members]
            await self._membership.take_change(each.decided, note, gone)

    async def take_early(self) -> None:
        """My log is longer: follow what was shown before, and stands where it ends now.

        Raises:
            PeerError: see `Membership.feed`.
        """
        for decided, note in self._early.due(self._replica.head):
            await self._membership.take_change(decided, note)

    def of_mine_from(self, committed: int) -> Iterator[list[object]]:
        """The changes of my log, for a seat that knows up to which height all have it."""
        for note in self._table.game_file.changes:
            if note.height > committed:
                yield self._membership.shown(note)

    async def need_no_ack(self, log: Log) -> frozenset[int]:
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
                yield [ShownChange(each, note, self._log_behind(log, each))]
        together = self._chain_on(log)
        if len(together) > 1:
            yield together

    def _log_behind(self, log: Log, each: Certificate) -> Log:
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


def parse_shown_change(message: list[object]) -> tuple[ChangeItem, InForceNote]:
    """A change of members that somebody shows; no signature is checked yet.

    Raises:
        MalformedFrame: it is none.
    """
    match message:
        case ["change", bytes(raw), int(height), acks, proof]:
            entry = parse_entry(raw)
            if is_change(entry) and entry.height == height - 1:
                note = parse_in_force(["in force", height, acks, proof], height)
                return parse_change_entry(entry), note
    raise MalformedFrame("this is no change of members")
