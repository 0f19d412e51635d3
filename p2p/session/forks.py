"""Logs that have parted: finding out who did it, and going back to where it was.

A cheater who tells one seat one thing and another seat another parts their logs, at the head
which its two entries answer.  Both are honest, and neither can follow the other.
But nobody answers a log before all others have said that they have the very same one (the barrier,
`p2p.log.replica`), so above that step nobody has written but the cheater, and open seats.

    logs differ          I say that the cheater is gone, at the step where they parted, and am there
                         again; my file keeps what came later until something else has come
    I hear that vote     and know both entries: so do I, unless all had my log above it
    all have said so     the replacement is written there, as for any cheater (`session.membership`)

What all have had is never taken back (`Replica.settled`): whoever knows that does not give its
vote, and without the vote of all there is no replacement.  It says that the cheater was here, and
everybody follows it (`Membership`).  Since no step is closed before the cheater is replaced, nobody
goes back more often than there are cheaters to replace, but for `_TRIES` that come to nothing.

Whoever comes back to a seat that others play for has no vote to give.  It goes back as well where
it has closed a step by itself: the one at which the others began to play for it, since nobody had
heard what it chose, or the one which they leave open to give the seat back (`Forks.follow`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

import trio

from p2p.base.entry import Entry, Position, parse_entry
from p2p.base.errors import BadSignature, BrokenChain, MalformedFrame, PeerError
from p2p.log.ledger import SecretsFile, read_game
from p2p.log.membership_change import RESTORE, parse_restore
from p2p.log.recovery import replay
from p2p.log.replica import Replica
from p2p.log.votes import (
    CONVICTED,
    REPLACE,
    MembershipChange,
    Vote,
    Votes,
    parse_replace,
)
from p2p.session.news import Notice
from p2p.session.table import RunningTable

PROOF_S: Final = 2.0  # For others to bring the proof that a seat has said two things.
AGAIN_S: Final = 5.0  # Until I go back once more, if not all came along.
_TRIES: Final = 8


class Twins(NamedTuple):
    """Two entries of a seat that answer one head; one of them is, or was, in my log."""

    height: int  # Of the step.
    raws: list[bytes]


class Consequences(NamedTuple):
    """What follows from going back, which the session and those who vote have to do."""

    may_do_without: Callable[[int, Replica], bool]  # Whether a seat could be replaced there.
    denounce: Callable[[int], Awaitable[None]]  # Votes there that a cheater is gone.
    forget: Callable[[bool], object]  # What was said and shown of a log that is no more.


class Forks:
    """What one machine knows of logs that have parted, and does about it."""

    def __init__(self, table: RunningTable, consequences: Consequences) -> None:
        self._table, self._replica, self._consequences = table, table.replica, consequences
        self._twins: dict[int, Twins] = {}  # By cheater, the lowest.
        self._shows: dict[int, tuple[int, float]] = {}  # (height, until when others may prove it)
        self._exchanged = -1  # The height at which I showed what I know lately.
        self._tried: dict[int, list[float]] = {}  # By cheater: when I went back because of it.
        self._since: float | None = None  # Logs have parted, and I do not know where.
        self._back_at: int | None = None  # My file may hold more than my log, from here on.

    # ---- what is told and shown ----

    def note(self, entry: Entry) -> None:
        """Remember a second entry in answer to a head, if the first one is in my log."""
        if entry.height >= self._replica.height:
            return
        known, lowest = self._replica.entries.known_for(entry), self._twins.get(entry.seat)
        if known is None or known.hash == entry.hash or known.height != entry.height:
            return
        if lowest is None or entry.height < lowest.height:
            self._twins[entry.seat] = Twins(entry.height, [known.raw, entry.raw])

    def recall(self) -> None:
        """Find where logs have parted in the evidence that I have, when a game goes on."""
        for error in self._replica.guilty.values():
            for raw in error.evidence:
                self.note(parse_entry(raw))

    async def receive_shown(self, seat: int, height: int) -> None:
        """A seat has shown its log; it is owed an answer."""
        self._shows[seat] = height, trio.current_time() + PROOF_S
        await self._show()

    async def _show(self) -> None:
        if self._exchanged < self._replica.height:
            self._exchanged = self._replica.height
            for raw in self._replica.entries.lately():
                await self._table.broadcast(["entry", raw])
            if self._replica.is_seated:  # What I said of this height before I went back is void.
                await self._table.acknowledge()
            await self._table.broadcast(["shown", self._replica.height])

    def begin_anew(self) -> None:
        """Somebody is linked, who has not heard what I showed until now."""
        self._exchanged = -1

    # ---- who is to blame ----

    async def settle(self) -> PeerError | None:
        """Show what I know if logs have parted, and go back if I know where.

        Gives the verdict on who answers a log that it cannot show.

        Raises:
            PeerError: a cheater has parted the logs, and the table has to stop.
        """
        replica = self._replica
        if replica.disagreeing():
            await self._show()
        if replica.is_held:
            if self._is_forked():
                await self._mend()
            return None
        for seat, (height, late_s) in self._shows.items():
            if trio.current_time() >= late_s and is_lying(replica, seat, height):
                return blame_for_fork(replica, seat)
        return None

    def _is_forked(self) -> bool:
        """Whether honest seats have gone on in two ways."""
        replica = self._replica
        gone = replica.acks.forked | self._table.stopped
        return bool(replica.disagreeing()) or bool(self._honest() & gone)

    def _honest(self) -> set[int]:
        replica = self._replica
        return set(replica.others) - replica.guilty.keys()

    async def _mend(self) -> None:
        replica, now = self._replica, trio.current_time()
        known = [(twins.height, seat) for seat, twins in self._twins.items()
                 if seat in replica.guilty and seat in replica.others]  # fmt: skip
        if self._honest() & self._table.stopped:
            raise next(iter(replica.guilty.values()))
        if not known:
            await self._show()
            self._since = self._since or now
            if now - self._since > PROOF_S:
                raise next(iter(replica.guilty.values()))
            return
        height, seat = min(known)
        tried = self._tried.get(seat, [])
        if height >= replica.height or (tried and now - tried[-1] < AGAIN_S):
            return  # I am there, or have been there a moment ago.
        if not await self._go_back(seat):
            raise replica.guilty[seat]

    # ---- going back ----

    async def join(self, height: int, vote: Vote) -> bool:
        """Go back with a seat that says where a cheater has parted our logs.  True when I did."""
        replica, twins = self._replica, self._twins.get(vote.gone)
        is_due = vote.signer not in replica.guilty and vote.gone in replica.guilty
        is_due = is_due and vote.gone in replica.others and vote.round >= CONVICTED
        if twins is None or twins.height != height or not is_due:
            return False
        at = Position(height, replica.acks.mine.get(height, b""), b"")
        return replica.votes.is_given(vote, at) and await self._go_back(vote.gone)

    async def _go_back(self, seat: int) -> bool:
        """Be where a cheater has parted the logs, and say that it is gone.  False: I may not."""
        replica, (height, raws) = self._replica, self._twins[seat]
        tried = self._tried.setdefault(seat, [])
        if replica.settled > height or len(tried) >= _TRIES:
            return False
        tried.append(trio.current_time())
        past = await trio.to_thread.run_sync(rewound, replica, self._table.secrets, height)
        if not self._consequences.may_do_without(seat, past):
            return False
        replica.guilty[seat].evidence = raws
        self._table.ledger.accuse(seat, str(replica.guilty[seat]), raws)
        await self._become(past)
        for raw in raws:
            await self._table.broadcast(["entry", raw])
        await self._consequences.denounce(seat)
        return True

    async def _become(self, past: Replica, *, is_cheated: bool = True) -> None:
        self._replica.become(past)
        self._back_at = min(past.height, past.height if self._back_at is None else self._back_at)
        self._exchanged, self._since, self._shows = -1, None, {}
        self._consequences.forget(is_cheated)

    async def follow(self, entry: Entry) -> bool:
        """Go back to where a seat has changed hands below the end of my log.  True when I did.

        A cheater was replaced there, with my vote.  Or everybody speaks for my own seat: then
        nobody asks for my vote, and I may have closed the step that the others left open.
        """
        replica = self._replica
        is_mine = entry.kind == REPLACE and entry.seat == replica.me
        is_lost = is_mine and await trio.to_thread.run_sync(has_lost, replica, entry)
        number = 0 if is_lost else self._round_below(entry)
        if number is None or (replica.is_seated and replica.settled > entry.height and not is_lost):
            return False
        past = await trio.to_thread.run_sync(rewound, replica, self._table.secrets, entry.height)
        with suppress(MalformedFrame, BadSignature):
            if past.receive(entry.raw) is not None:
                await self._become(past, is_cheated=number >= CONVICTED)
                if is_lost:
                    text = "you were away too long, and a bot plays on for you"
                    hint = "wait a little: the others give your seat back to you"
                    self._table.publish(Notice(text, hint))
                return True
        return False

    def _round_below(self, entry: Entry) -> int | None:
        """The round in which all have agreed on this, if they had to without me (see `follow`)."""
        replica, at = self._replica, Position(entry.height, entry.head, b"")
        if entry.kind not in (REPLACE, RESTORE) or not at.height < replica.height:
            return None
        is_known = any(each.hash == entry.hash for each in replica.log[at.height :])
        if replica.acks.mine.get(at.height) != at.head or is_known:
            return None
        live = self._live_at(entry.height)
        if (entry.seat in live) == (entry.kind == RESTORE):
            return None
        votes = Votes(replica.game_id, [seat.identity for seat in replica.roster.seats], None)
        votes.open(at)
        with suppress(MalformedFrame):
            parse = parse_restore if entry.kind == RESTORE else parse_replace
            said = MembershipChange(*parse(entry.body))
            votes.check_agreed(entry.seat, live, said)
            is_mine_to_follow = replica.me not in live
            return said.round if is_mine_to_follow or said.round >= CONVICTED else None
        return None

    def _live_at(self, height: int) -> tuple[int, ...]:
        """The live seats at a step below the end of my log."""
        live = set(self._replica.play.live)
        for entry in reversed(self._replica.log[height:]):
            if entry.kind == REPLACE:
                live.add(entry.seat)
            elif entry.kind == RESTORE:
                live.discard(entry.seat)
        return tuple(sorted(live))

    def cut_file(self) -> None:
        """Cut off the end of my file once something else stands there in my log."""
        at, replica, ledger = self._back_at, self._replica, self._table.ledger
        if at is None or len(replica.log) <= at:
            return
        kept = [raw for _, raw in read_game(ledger.path).entries]
        log = [entry.raw for entry in replica.log[: len(kept)]]
        same = next((n for n, raw in enumerate(log) if raw != kept[n]), len(log))
        if same < len(log):
            ledger.cut(same)
        self._back_at = same if len(log) < len(kept) and same == len(log) else None


def rewound(replica: Replica, secrets: SecretsFile | None, height: int) -> Replica:
    """My seat's replica as it was when the log had this height; safe in another thread."""
    past = Replica(replica.roster, replica.identity, secrets)
    replay(replica.log[:height], past)
    return past


def is_lying(replica: Replica, seat: int, height: int) -> bool:
    """Whether a seat that has shown its log up to `height` still speaks of another one."""
    if seat in replica.open_seats or seat in replica.guilty:
        return False
    parted = replica.entries.parted_of(seat)
    is_other = seat in replica.acks.at(replica.height) and not replica.has_acked(seat)
    return (is_other and height >= replica.height) or (
        parted is not None and height >= parted.height
    )


def blame_for_fork(replica: Replica, seat: int) -> PeerError:
    """The verdict on a seat that answers a log which it cannot show; it proves nothing."""
    raws = [parted.raw] if (parted := replica.entries.parted_of(seat)) is not None else []
    return replica.blame(seat, BrokenChain, "answers a log that nobody has", raws)


def has_lost(replica: Replica, entry: Entry) -> bool:
    """Whether all others play for my seat since a step that I have closed with my own entry."""
    is_mine = entry.kind == REPLACE and entry.seat == replica.me and replica.is_seated
    if not is_mine or not entry.height < replica.position.height:
        return False
    if any(each.hash == entry.hash for each in replica.log[entry.height :]):
        return False  # I followed it, and have had my seat back since.
    past = Replica(replica.roster)
    replay(replica.log[: entry.height], past)
    try:
        return past.receive(entry.raw) is not None
    except (MalformedFrame, BadSignature):
        return False
