"""Catching up with the others after a while away, and helping others to do it.

Whoever is behind asks with `have`, and gets the log in pieces:

    ["have", height, committed]                  my log has so many entries; all have so many
    ["log", height, length, [entry, ...]]        some of mine, from there on; I have `length`
    ["change", entry, height, [ack, ...], [bytes, ...]]      a change of members that is in force

A piece is taken in step by step, like entries that come one by one: chained, signed, checked by the
rules, every proof verified.  What open seats have said is in it too.  Everybody works that out
alone, and believes nobody, because anybody can sign it.  But thinking once more about every choice
of a bot takes as long as the bot took, so an entry of an open seat is taken from a piece if **all**
live seats have signed something further on in the very same log: an entry that answers a later
head, or an acknowledgement of one.  Each of them has worked it out for itself by then.  One seat
less is not enough: it may have been made up.

Some of the choices that are taken over are thought about again later (`p2p.session.players`).

A change of members comes with the acknowledgements that put it in force
(`p2p.session.shown_changes`).

What this does not protect against: all live seats together can make whoever is away believe that
its bot chose what they like.  That is found by the check, and by everybody who makes it later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, cast

import trio

from p2p.base.entry import Entry, check_signature, heads_of, is_answer, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import (
    HELP_BURST_MAX,
    HELP_PER_S_MAX,
    MEET_S,
    PIECE_BYTES_MAX,
    PIECE_ENTRIES_MAX,
)
from p2p.log.blocked import Blocked
from p2p.log.membership.evidence import parse_statement
from p2p.log.membership.log import EntryRef, Log, StepItem, entry_ref
from p2p.log.membership_change import is_change
from p2p.net.admission import RateLimit
from p2p.net.link import Link
from p2p.session.table import RunningTable

ASK_AGAIN_S: Final = 1.0  # A peer that has not helped is asked again, or another one;
ASK_MORE_S: Final = 0.2  # and one that has, when all have signed more perhaps.
GIVE_UP_S: Final = 3.0  # Without one more entry: then I work things out for myself.
SHOW_S: Final = 60.0  # Not sooner where I have lost what I signed: to sign otherwise convicts me.
_LESS_EACH_TIME: Final = 0.5  # For a seat that said that it has more, and did not show it.


_NEVER: Final = float("-inf")


@dataclass(slots=True)
class Piece:
    """A part of somebody's log that continues mine."""

    link: Link
    start: int  # The height at which it begins.
    entries: list[Entry]
    heads: dict[int, bytes]  # By height: the head at `start`, behind the first step, ...
    signed: dict[int, int] = field(default_factory=dict)  # Seat -> how far up it has signed this.


class CatchingUp:
    """What one machine knows of longer logs than its own."""

    def __init__(self, table: RunningTable, on_progress: Callable[[], object] = int) -> None:
        """`on_progress` is called when a seat was sent a piece that it had not been sent before."""
        self._table, self._replica, self._on_progress = table, table.replica, on_progress
        self._pieces: dict[int, Piece] = {}  # By seat that sent it.
        self._lengths: dict[int, int] = {}  # By seat: of its log, as it says.
        self._shown: dict[int, int] = {}  # By seat: how far up I have sent it my log.
        self._doubted: set[int] = set()  # Who has said that it has more, and did not show it,
        self._doubts: Counter[int] = Counter()  # and how often, on whatever link.
        self._began_s = _NEVER  # When I resumed the game, if I did.
        self._waited: dict[int, tuple[int, float]] = {}  # By seat: at what length, and since when.
        self._asked = (-1, 0.0, -1)  # The length at which I asked last, when, and whom.
        self._is_answered = False  # It has sent what it has.
        self._helped_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._shown_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._taken: set[bytes] = set()  # Entries that I have taken in from pieces,
        self._refused: set[bytes] = set()  # and of open seats, those that do not hold.

    def begin(self, *, is_resumed: bool) -> None:
        """The session begins."""
        if is_resumed:
            self._began_s = trio.current_time()

    def forget_cut(self) -> None:
        """My log was cut: what I was shown stands on one that I do not have any more."""
        self._pieces.clear()
        self._taken.clear()

    # ---- helping others ----

    async def serve(
        self,
        seat: int,
        height: int,
        changes: Iterable[list[object]] = (),
        rest: Iterable[list[object]] = (),
    ) -> None:
        """Send a seat the log from `height` on, as much as a piece holds, and what waits.

        First come `changes` that are in force: it may have gone on where one stands; the `rest` is
        about what it has then.  A seat that asks more often than it could need is not answered; it
        may ask again.
        """
        if not self._helped_often.allows(str(seat)):
            return
        replica, send, sent = self._replica, self._table.send, height
        for message in changes:
            await send(seat, message)
        if 0 <= height < replica.height:
            piece = piece_of(replica.log, height)
            sent += len(cast("list[bytes]", piece[-1]))
            await send(seat, piece)
        if height + PIECE_ENTRIES_MAX >= replica.height:
            for raw in replica.pending():
                await send(seat, ["entry", raw])
        for message in rest:
            await send(seat, message)
        is_progress = sent > max(height, self._shown.get(seat, height))
        self._shown[seat] = max(sent, self._shown.get(seat, sent))
        if is_progress:
            self._on_progress()

    # ---- what I hear ----

    def note(self, seat: int, length: int) -> None:
        """A seat says that its log has so many entries."""
        self._lengths[seat] = length

    def is_followed(self) -> bool:
        """Whether somebody may lack the end of my log.

        That is an owner for whose seat others play, if it is linked; or a member that has not said
        since I began that it has all: its file may have lost what it had once acknowledged.
        """
        replica = self._replica
        gone = self._table.links.keys() - set(replica.play.live)
        lacks = any(self._lengths.get(seat, 0) < replica.height for seat in gone)
        members = (seat for seat in replica.others if seat not in replica.guilty)
        return lacks or not all(replica.acks.has(seat, replica.tip) for seat in members)

    def forget(self, seat: int) -> None:
        """A link has broken: what it was asked for does not come any more.

        What has come is kept: a game may end, and its programs with it, while I work through that.
        """
        self._doubted.discard(seat)
        self._lengths.pop(seat, None)
        self._shown.pop(seat, None)

    def receive(self, link: Link, seat: int, message: list[object]) -> Iterator[Entry]:
        """Keep a piece; gives the entries in it that are others than mine, where logs part.

        Raises:
            MalformedFrame: it is none.
            BadSignature: see `_signed`.
        """
        start, length, raws = _parse(message)
        self.note(seat, length)
        self._is_answered |= seat == self._asked[-1]
        log, place = self._replica.log, self._replica.position
        if start > len(log) or not self._shown_often.allows(str(seat)):
            return  # It answers what I asked before my log went back, or what nobody has asked.
        known = log[start : start + len(raws)]
        if any(mine.raw != raw for mine, raw in zip(known, raws, strict=False)):
            yield from map(parse_entry, raws)  # They are looked at one by one, and by whose.
            return
        fresh = [parse_entry(raw) for raw in raws[len(known) :]]
        if fresh and not is_answer(fresh[0], place):
            yield from fresh  # The same: they answer another log.
            return
        if fresh:
            heads = {place.height: place.head, **dict(heads_of(fresh, place.height, place.head))}
            self._pieces[seat] = self._signed(Piece(link, len(log), fresh, heads))

    def _signed(self, piece: Piece) -> Piece:
        """Find how far up each seat has signed a piece by its own entries.

        Raises:
            BadSignature: as many are false as there are seats; whoever brought it made it up.
        """
        seats, bad = self._replica.roster.seats, 0
        for entry in reversed(piece.entries):
            if self._may_be_signed(piece, entry):
                try:
                    check_signature(entry, seats[entry.seat].identity)
                except BadSignature:
                    bad += 1
                    if bad >= len(seats):
                        raise
                else:
                    piece.signed[entry.seat] = entry.height
        return piece

    def _may_be_signed(self, piece: Piece, entry: Entry) -> bool:
        """Whether an entry is the newest so far of an owner, and answers the log of a piece."""
        replica = self._replica
        if entry.seat in piece.signed or entry.seat >= len(replica.roster.seats):
            return False
        is_owned = replica.seating.is_owned(entry.seat, entry.seat_epoch)
        return is_owned and piece.heads.get(entry.height) == entry.parent

    # ---- forward ----

    def due(self) -> Iterator[tuple[Link, int, Entry]]:
        """What pieces hold for the current step: (link, seat that brought it, entry).

        An entry of an open seat only if all live seats have signed what follows.
        """
        log = self._replica.log
        for seat, piece in list(self._pieces.items()):
            done = len(log) - piece.start
            is_ours = done < len(piece.entries) and piece.heads.get(len(log)) == self._replica.head
            if not is_ours:
                del self._pieces[seat]
                continue
            for at in range(done, len(piece.entries)):
                entry = piece.entries[at]
                if not is_answer(entry, self._replica.position) or is_change(entry):
                    break  # A change comes with what puts it in force.
                if entry.hash not in self._taken and self._may_take(piece, at):
                    self._taken.add(entry.hash)
                    yield piece.link, seat, entry

    def _may_take(self, piece: Piece, at: int) -> bool:
        entry = piece.entries[at]
        if not self.is_forgeable(entry):
            return True
        if entry.hash in self._refused or self._replica.holds(entry.seat):
            return False
        return all(self._vouches(seat, piece, piece.start + at) for seat in self._replica.play.live)

    def _vouches(self, seat: int, piece: Piece, height: int) -> bool:
        """Whether a seat has signed this log beyond the entry at a height."""
        if piece.signed.get(seat, -1) > height:
            return True
        return any(
            ack.seat == seat and ack.head == piece.heads.get(ack.height)
            for ack in self._replica.acks.from_on(height + 1)
        )

    def vouched(self, log: Log) -> Iterator[int]:
        """Who has signed something that stands on a log, or on a longer one that I was shown."""
        for seat in log.members:
            for piece in self._pieces.values():
                is_there = piece.heads.get(log.height) == log.head
                if is_there and self._vouches(seat, piece, log.height - 1):
                    yield seat
                    break

    def steps_between(self, log: Log, head: bytes) -> tuple[StepItem, ...] | None:
        """The steps by which a piece that I was shown leads from a log to a head, if one does."""
        if log.head == head:
            return ()
        for piece in self._pieces.values():
            end = next((at for at, each in piece.heads.items() if each == head), log.height)
            if piece.heads.get(log.height) == log.head and end > log.height:
                entries = piece.entries[log.height - piece.start : end - piece.start]
                by_step = groupby(entries, key=lambda entry: entry.parent)
                return tuple(StepItem(tuple(map(entry_ref, each))) for _, each in by_step)
        return None

    def is_forgeable(self, entry: Entry) -> bool:
        """Whether anybody could have signed an entry: I work it out, or find it in a piece."""
        is_owned = self._replica.seating.is_owned(entry.seat, entry.seat_epoch)
        return entry.seat in self._replica.open_seats or not is_owned  # Perhaps only further on.

    def refuse(self, raws: list[bytes]) -> bool:
        """Forget entries of an open seat that do not hold.  False: I had taken over none of them.

        Whoever brought them did not make them up, or not alone; I work them out for myself.  Votes
        and acknowledgements are of its owner, when it had one.
        """
        hashes = {said.hash for said in map(parse_statement, raws) if isinstance(said, EntryRef)}
        is_mine = bool(hashes & self._taken - self._refused)
        self._refused |= hashes
        return is_mine

    # ---- asking ----

    @property
    def _is_away(self) -> bool:
        """Whether others may have gone on without me, so that I think about nothing they have."""
        return not self._replica.is_seated or self._replica.lacks_end()

    def is_behind(self) -> bool:
        """Whether somebody says that its log is longer, and has time left to show it.

        Whoever did not show it is believed on its next link, and waited for half as long: it could
        make one for each step, and hold the table up without being silent.
        """
        height, now = self._replica.height, trio.current_time()
        for seat in self._longer():
            at, since = self._waited.get(seat, (-1, now))
            if at != height:
                self._waited[seat] = height, now
            elif now - since >= GIVE_UP_S * _LESS_EACH_TIME ** self._doubts[seat]:
                self._doubted.add(seat)
                self._doubts[seat] += 1
        return bool(self._longer())

    def _longer(self) -> list[int]:
        """Who says that its log is longer, and is believed."""
        believed = self._lengths.keys() & self._table.links.keys() - self._doubted
        return sorted(seat for seat in believed if self._lengths[seat] > self._replica.height)

    def is_there(self) -> bool:
        """Whether I have all that those have who are linked, as they say."""
        linked = [seat for seat in self._replica.others if seat in self._table.links]
        return bool(linked) and self._lengths.keys() >= set(linked) and not self.is_behind()

    def why_not_sign(self, *, needs_all: bool = False) -> Blocked | None:
        """Why I may sign nothing new, if so.

        A program that has been away first hears what the others have: they may have gone on without
        it, or have entries of its own that its file has lost.  It waits for all of them if it
        `needs_all`, and a moment for owners who are let go; and else for one, and a moment for the
        rest.  In a slow network it takes long to show what it may have signed.
        """
        others = set(self._replica.others)
        is_met, began_s = self._lengths.keys() >= others, self._began_s
        is_over = trio.current_time() - began_s >= MEET_S
        is_enough = is_met or (is_over and (began_s == _NEVER or bool(self._lengths)))
        if not ((is_met and is_over) if needs_all else is_enough):
            return Blocked.HAS_MET_NOBODY
        is_waiting = needs_all and trio.current_time() - began_s < SHOW_S
        is_behind = self.is_behind() or (is_waiting and self._is_longer_elsewhere())
        return Blocked.IS_BEHIND if is_behind else None

    def _is_longer_elsewhere(self) -> bool:
        """Whether anybody who is linked says so, believed or not."""
        return any(length > self._replica.height for length in self._lengths.values())

    def waits(self) -> bool:
        """Whether what an open seat chooses is better waited for than thought about."""
        return self.is_behind() and self._is_away

    async def ask(self) -> None:
        """Ask for more of a longer log, if what is here of it does not close the current step."""
        replica, now = self._replica, trio.current_time()
        if not self.is_behind():
            return
        longer = self._longer()
        waited = now - min(self._waited[seat][1] for seat in longer)
        if not replica.waited_for() and waited < ASK_AGAIN_S:
            return  # All that it needs is here, and is being verified.
        height, asked, whom = self._asked
        pause_s = ASK_MORE_S if self._is_answered else ASK_AGAIN_S
        if height == replica.height and now - asked < pause_s:
            return
        others = [seat for seat in longer if seat != whom or height != replica.height] or longer
        seat = max(others, key=self._lengths.__getitem__)
        self._asked, self._is_answered = (replica.height, now, seat), False
        await self._table.send(seat, self._table.have())


def piece_of(log: list[Entry], height: int) -> list[object]:
    """The message with a part of a log, from a height on."""
    raws, size = list[bytes](), 0
    for entry in log[height : height + PIECE_ENTRIES_MAX]:
        size += len(entry.raw)
        if raws and size > PIECE_BYTES_MAX:
            break
        raws.append(entry.raw)
    return ["log", height, len(log), raws]


def _parse(message: list[object]) -> tuple[int, int, list[bytes]]:
    match message:
        case ["log", int(start), int(length), list(raws)] if (
            type(start) is int and type(length) is int and 0 <= start <= length
            and len(raws) <= PIECE_ENTRIES_MAX and all(isinstance(raw, bytes) for raw in raws)
        ):  # fmt: skip
            return start, length, cast("list[bytes]", raws)
    raise MalformedFrame("this message is none that we know")
