"""A running game on one machine: the replica, its file, its links, and whoever plays.

One task owns the replica.  Everything that happens (a message, a key press, a proof verified in
a thread) reaches it through one bounded inbox, so there is nothing to lock; where a thread works
on the replica, this task waits for it:

    inbox -> replica.take_in -> replica.next_log -> membership.close_step -> replica.close, file
                                                 -> membership.write: disk, then everybody
                                                 -> the newest view to the screen

Whoever plays is asked with a `DecisionPoint`, at leisure; an answer to an older one is dropped.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from itertools import chain
from typing import Final

import trio

from core.requests import Action
from core.table import RulesError
from p2p.base.entry import Entry, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame, PeerError, first_of
from p2p.game.steps import TakeBack
from p2p.log.blocked import Blocked
from p2p.log.game_file import GameFile
from p2p.log.membership.log import Log
from p2p.log.membership.messages import Change
from p2p.log.membership_change import is_change
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import RECEIVE_ERRORS, Link, let_writers_run, put, waiting
from p2p.session.accusing import Accusation
from p2p.session.background import Background
from p2p.session.catching_up import CatchingUp
from p2p.session.clocks import Clocks
from p2p.session.commands import AgreeBack, ClaimWin, Leave, Reaction
from p2p.session.failure_detector import Actors, FailureDetector
from p2p.session.instances import Instances
from p2p.session.membership import Membership, MembershipHooks
from p2p.session.membership_inbox import MembershipInbox
from p2p.session.news import Accused, Notice
from p2p.session.players import ONLY_A_SCREEN, Checking, Deciding, Players
from p2p.session.relaying import Relaying
from p2p.session.showing import Seen, Showing
from p2p.session.spectators import Spectators
from p2p.session.table import Publish, RunningTable
from p2p.session.table_status import status_message
from p2p.session.taking_back import TakingBack
from p2p.session.talking import Talk

LINGER_S: Final = 10.0  # After the result, for keys to be opened and seats that miss an entry,
FOLLOW_S: Final = 30.0  # and after each piece of the log for a seat that is still catching up.


class Session:
    """One game at one table, until it is over, left, or stopped by a cheater."""

    def __init__(
        self,
        replica: Replica,
        game_file: GameFile,
        secrets: SecretsFile | None,
        publish: Publish,
        players: Players = ONLY_A_SCREEN,
    ) -> None:
        self.table = table = RunningTable(replica, game_file, secrets, publish)
        self.replica, self.links, self._players = replica, table.links, players
        self.spectators = Spectators(replica)
        self._shown_count = 0  # Entries that spectators have been shown.
        self._is_ending = False
        self._background = Background(replica, table.inbox)
        self.deciding = Deciding(replica, self._players, table.inbox)
        self.relaying = Relaying(table)
        self.talk, self.taking_back = Talk(table, self.relaying), TakingBack(table, self.relaying)
        self.catching_up = CatchingUp(table, self._wait_longer)
        is_behind, paused_by = self.catching_up.is_behind, lambda: self.talk.paused_by
        self.clocks = Clocks(table, self.relaying.reaches, paused_by, is_behind)
        self.instances = Instances(table, self.relaying.places, self.catching_up)
        self.checking = Checking(replica, self._players.of_open_seats, publish)
        told = self._forget_cut, self._tell_accused, self._tell_change
        hooks = MembershipHooks(*told, self._vouched)
        self.membership = Membership(table, hooks)
        actors = Actors(self.relaying, self.membership, self.catching_up, self.instances)
        self.failure_detector = detector = FailureDetector(table, actors)
        self.leaving = detector.leaving
        inbox = MembershipInbox(table, actors, detector.note_heard, detector.may_say)
        self.membership_inbox, self.shown_changes = inbox, inbox.changes
        seen = Seen(self.relaying, detector, self.clocks, self.talk, self.taking_back)
        self.showing = Showing(table, seen)
        self.talks_on = False  # Whether people here talk after the end.
        self.fault: PeerError | None = None

    # ---- what the node calls ----

    def choose(self, action: Action, event_count: int) -> None:
        """The player's answer to what was asked after `event_count` events."""
        try:
            self.table.inbox.send_nowait((None, ["choose", action, event_count]))
        except trio.WouldBlock:
            self.table.refuse_choice("the table is busy")

    def get_up(self, command: Leave | ClaimWin) -> bool:
        """The person leaves, or claims the win.  True when the table is to be left now."""
        if isinstance(command, Leave):
            return self.leaving.leave(is_for_good=command.is_for_good)
        return self.failure_detector.claiming.claim()

    async def tell(self, seat: int, link: Link, message: object) -> None:
        """Hear what a seat says by a link that is not its own yet."""
        await put(self.table.inbox, (link, [seat, message]))

    async def attend(self, seat: int, link: Link) -> None:
        """Listen to a seat's link until it closes; a newer link of the seat replaces an older."""
        older, self.links[seat] = self.links.get(seat), link
        if older is not None and older is not link:
            await older.aclose()
        await self.table.inbox.send((None, ["linked", seat]))
        try:
            with suppress(*RECEIVE_ERRORS):
                said = await link.receive()
                while self.links.get(seat) is link:  # What a replaced one still has is not heard.
                    await put(self.table.inbox, (link, [seat, said]))
                    said = await link.receive()
        finally:
            if self.links.get(seat) is link:
                del self.links[seat]
                self.catching_up.forget(seat)
                self.failure_detector.note_lost(seat, is_silent=link.has_fallen_silent)
                self.table.wake()
            with trio.CancelScope(shield=True):
                await link.aclose()  # Whoever leaves is not "up" on the other screens.

    async def run(self) -> None:
        """Play until the last entry is in the log.

        Raises:
            PeerError: a seat cheated; the evidence is in the file and everybody has been told.
        """
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self.failure_detector.begin()
                self.membership.begin()
                for seat, error in self.replica.guilty.items():
                    self._publish_accused(seat, error)  # Whoever was started again forgot it.
                self._shown_count = len(self.replica.log)
                self.catching_up.begin(is_resumed=self.table.is_resumed)
                nursery.start_soon(self.failure_detector.tick)
                nursery.start_soon(self._get_ready)
                nursery.start_soon(self.checking.run)
                await self._progress()
                async for first in self.table.messages:
                    for source, message in [first, *waiting(self.table.messages)]:
                        await self._receive(source, message)
                    await self._progress()
        except* PeerError as group:
            await self._halt(first_of(group))
        finally:
            self.relaying.places.forget_memory()
            with closing(self.table):
                self.clocks.close()

    async def _get_ready(self) -> None:
        """Start what thinks for open seats when a link breaks: while the table waits anyhow."""
        wake = self._players.wake
        while wake is not None and self.replica.roster.replacement is not None:
            await self.failure_detector.link_broke.wait()
            self.failure_detector.link_broke = trio.Event()
            await wake()

    # ---- in ----

    async def _receive(self, source: object, message: list[object]) -> None:
        match message:
            case ["choose", Action() as action, int(event_count)]:
                if event_count == len(self.replica.play.events):
                    self.deciding.note(None, action, self.replica.position.head)
                else:
                    self.table.refuse_choice("the table has gone on since that was asked")
            case ["decided", int() | None as seat, Action() as action, bytes(head)]:
                self.deciding.note(seat, action, head)
            case ["linked", int(seat)]:
                await self._greet(seat)
            case ["say" | "take back", _] if not self.instances.may_sign():
                text = "nothing was said: this table is not yet where the others are"
                self.table.publish(Notice(text, "try once more in a moment"))
            case ["say", str() | Reaction() as what]:
                await self.talk.say(what)
            case ["take back", AgreeBack() as said]:
                await self.taking_back.say(said)
            case ["verified", list(proofs)]:
                self._background.note_verified(proofs)
            case ["guilty", PeerError() as error]:
                await self._convict(error)
            case [int(seat), said]:
                assert isinstance(source, Link), "only links bring messages of seats"
                await self._receive_peer(source, seat, said)
            case ["wake"]:
                pass  # What is due is looked at after each message.
            case _:
                raise AssertionError(f"nobody on this machine says {message[:1]!r}")

    async def _receive_peer(self, link: Link, seat: int, said: object) -> None:
        if self.instances.is_fenced(link) or link.fault is not None:
            return
        try:
            if not isinstance(said, list):
                raise MalformedFrame("this message is none that we know")
            match said:
                case ["entry", bytes(raw)]:
                    await self._take(seat, parse_entry(raw))
                case ["vote" | "ack" | "farewell" | "wish" | "evidence" | "change", *_]:
                    await self.membership_inbox.receive(seat, said)
                case ["relay", list(wanted)]:
                    await self.relaying.receive(seat, wanted)
                case ["taken", Entry() as entry]:
                    await self._take_from_piece(seat, entry)
                case ["at", *_]:
                    await self.relaying.receive_place(seat, said)
                case ["say", *_]:
                    await self.talk.receive(seat, said)
                case ["take back", *_]:
                    await self.taking_back.receive(seat, said)
                case ["clock", value]:
                    self.clocks.receive(seat, value)
                case ["have", int(height), int(committed)]:
                    self.catching_up.note(seat, height)
                    await self._serve(seat, height, committed)
                case ["log", *_]:
                    for entry in self.catching_up.receive(link, seat, said):
                        await self._take(seat, entry)
                case ["stopped"]:
                    self.table.stopped.add(seat)
                case ["here" | "busy" | "fenced", *_]:
                    await self.instances.receive(seat, link, said)
                case _:
                    raise MalformedFrame("this message is none that we know")
        except (MalformedFrame, BadSignature) as error:
            self.table.publish(Notice(f"closed the link to {link.peer_name}: {error}"))
            link.give_up(error)  # Without a goodbye, for which all others would wait.
        except PeerError as error:
            await self._convict(error)

    async def _serve(self, seat: int, height: int, committed: int) -> None:
        """Help a seat to catch up: it says how long its log is, and what all have of it."""
        self.table.write_down()
        await self.membership.flush(with_acks=True)  # What it is shown is on disk.
        changes = self.shown_changes.of_mine_from(committed)
        rest = chain(self.membership.acks_from(committed), self.clocks.figure())
        await self.catching_up.serve(seat, height, changes, rest)

    async def _take(self, source: int, entry: Entry) -> None:
        """Take in an entry; what open seats say I know, and anybody could have signed."""
        if not is_change(entry) and not self.catching_up.is_forgeable(entry):
            await self._take_in(source, entry)

    async def _take_from_piece(self, source: int, entry: Entry) -> None:
        """Take in what others have in their log at the current step."""
        if not self.catching_up.is_forgeable(entry):
            await self._take_in(source, entry)
        elif self.replica.take_in(entry) is not None:
            self.checking.note(entry)

    async def _take_in(self, source: int, entry: Entry) -> None:
        if self.replica.take_in(entry) is not None:
            self.failure_detector.note_heard(entry.seat)
            await self.relaying.pass_on(entry.seat, source, ["entry", entry.raw])

    async def _greet(self, seat: int) -> None:
        """Tell a seat that has (re)appeared what it may lack, then where I am: it sends more."""
        link = self.links.get(seat)
        await self.table.send_all(seat, self.instances.greeting())
        await self.relaying.greet(seat)
        await self.talk.greet(seat)
        await self.taking_back.greet(seat)
        await self._flush()
        await self.table.send_all(seat, [*self.membership.retransmissions()])
        await self.table.greet(seat, link)

    def _wait_longer(self) -> None:
        """A seat is still catching up: that holds up the end."""
        if self._is_ending:
            self._nursery.cancel_scope.deadline = trio.current_time() + FOLLOW_S

    # ---- forward ----

    async def _progress(self) -> None:
        """Go as far as what is here allows; then say, show and ask what follows from it."""
        while await self._close_steps() or await self._write() or await self._write_for_open_seat():
            pass  # Each entry may be the last that its step needs.
        await self._flush()
        await let_writers_run(self.links.values())  # Others wait for that; nobody for what follows.
        self.table.tell_said()
        self._background.open(self._nursery)
        self.relaying.say_what_waits(self.deciding.answer_of(None))
        self.clocks.update()
        await self.clocks.tell()
        if self.showing.show():
            self.spectators.note_status()
        self._end_when_all_have_all()  # Of what is last I hear as well.
        await self.spectators.tell_status(lambda: status_message(self.showing.snapshot()))
        if self.instances.may_sign():
            self.deciding.ask(self._nursery)
            self.deciding.prepare(self._nursery)
            await self.clocks.keep_mine(partial(self.deciding.choose_hastily, self._nursery))

    async def _close_steps(self) -> bool:
        """Close all steps that can be.  True when members have changed then: more may be closed."""
        await self._take_from_pieces()
        while await self._advance():
            await self._write_down_and_convict()
            await self._take_early()
        await self._write_down_and_convict()
        await self.relaying.ask()
        await self.catching_up.ask()
        height = self.replica.height
        try:
            await self.failure_detector.progress()
        except PeerError as error:
            await self._convict(error)
        return self.replica.height != height

    async def _take_early(self) -> None:
        """Another step has begun: hear what was said of it before I was there."""
        await self.shown_changes.take_early()
        await self._take_from_pieces()

    async def _take_from_pieces(self) -> None:
        """Take in what longer logs than mine hold for the current step."""
        for link, seat, entry in self.catching_up.due():
            await self._receive_peer(link, seat, ["taken", entry])
            await trio.lowlevel.checkpoint()  # Pings are answered however much there is.

    async def _write_down_and_convict(self) -> None:
        """Write down what the log has come to, and name who did what it shows by now."""
        await self._write_down()
        self.taking_back.tell()
        offences, self.replica.offences = self.replica.offences, []
        for error in offences:
            await self._convict(error)

    async def _advance(self) -> bool:
        replica, step = self.replica, self.replica.step
        try:
            is_long = step is not None and step.is_heavy and not step.is_read_at_once
            if is_long and not replica.waited_for():
                await self._flush()
                log = await trio.to_thread.run_sync(replica.next_log)
            else:
                log = replica.next_log()
            return log is not None and await self.membership.close_step(log)
        except PeerError as error:
            await self._convict(error)
            return False

    async def _write_down(self) -> None:
        self.table.write_down()
        for entry in self.replica.log[self._shown_count :]:
            self._shown_count += 1
            if self.spectators.links:
                await self._flush()  # Nobody hears of an entry of mine before the disk.
            await self.spectators.show(entry)

    async def _flush(self) -> None:
        """Say what I have to say, once it is on disk."""
        replica = self.replica
        is_waited_for = replica.needs_acks() or replica.is_over or self.membership.is_agreeing
        if is_waited_for:
            self.table.write_down()
        await self.membership.flush(with_acks=is_waited_for)

    def why_not_write(self) -> Blocked | None:
        """Why my entry is not written now; None: it may be."""
        if self.table.secrets is None:
            return Blocked.LISTENS
        if self.leaving.is_leaving:
            return Blocked.LEAVES
        by_log = self.replica.why_not_write()
        return by_log or self.instances.why_not_sign() or self.membership.why_not_write()

    async def _write(self) -> bool:
        """Write my entry if it is due.  True when I did."""
        replica = self.replica
        action: Action | TakeBack | None = None
        if self.why_not_write() is not None:
            return False
        assert replica.step is not None, "one writes in a step"
        if replica.step.is_choice and not replica.has_written():
            action = self.taking_back.agreed() or self.deciding.take()
            if action is None:
                if self.deciding.lose():
                    self.table.refuse_choice("the log has changed before your choice")
                return False
        try:
            write = partial(replica.write, action)
            if replica.step.is_heavy:
                await self._flush()
            entry = await trio.to_thread.run_sync(write) if replica.step.is_heavy else write()
        except RulesError as error:
            self.table.refuse_choice(str(error))
            return False
        return await self.membership.write(entry.raw)

    async def _write_for_open_seat(self) -> bool:
        """Write what an open seat says, as everybody else does for themselves.  True when I did."""
        replica, step = self.replica, self.replica.step
        for seat in replica.due_open_seats():
            action = None
            if step is not None and step.is_choice and not replica.has_written(seat):
                if self.catching_up.waits():
                    continue
                action = self.deciding.answer_of(seat)
                if action is None:
                    self.deciding.think_for(seat, self._nursery)
                    continue
            entry = await trio.to_thread.run_sync(replica.write, action, seat)
            replica.keep(entry)
            return True
        return False

    def _forget_cut(self) -> None:
        """My log was cut: forget what I have said and shown of it, and tell the person."""
        self.relaying.forget()
        self.catching_up.forget_cut()
        self._shown_count = min(self._shown_count, self.replica.height)
        self.spectators.show_anew(self._nursery)
        if self.replica.guilty:
            text = "a cheater has told us two things, and the table goes back to where it was"
            self.table.publish(Notice(text, "what was played since then is void"))

    async def _vouched(self, log: Log) -> set[int]:
        """Who has said, by what it signed, that it has a log; or is not asked any more."""
        return {*self.catching_up.vouched(log), *await self.shown_changes.need_no_ack(log)}

    def _tell_change(self, change: Change) -> None:
        self.relaying.forget()
        self.failure_detector.note_change(change)

    def _tell_accused(self, error: PeerError) -> None:
        assert error.seat is not None, "somebody has signed the evidence"
        self.table.write_down()
        self.table.game_file.keep_evidence(error.seat, str(error), error.evidence)
        self._publish_accused(error.seat, error)

    def _publish_accused(self, seat: int, error: PeerError) -> None:
        name = self.replica.roster.seats[seat].shown_name
        self.table.publish(Accused(seat, name, str(error), is_replaced=True))

    def _end_when_all_have_all(self) -> None:
        """End with the last entry, but wait a little for seats that may still need it from us.

        Nobody waits long for keys to be opened: an audit says whose is missing.
        """
        replica = self.replica
        is_finished = replica.is_over and replica.is_agreed() and not replica.obligations
        is_talking = self.talks_on and replica.play.is_signed and self.talk.is_heard()
        is_done = is_finished and not is_talking and not self.catching_up.is_followed()
        if self.leaving.has_left() or is_done:
            self._nursery.cancel_scope.cancel()
        elif replica.play.is_signed and not self._is_ending and not is_talking:
            self._is_ending = True
            self._nursery.cancel_scope.deadline = trio.current_time() + LINGER_S

    # ---- out ----

    async def _convict(self, error: PeerError) -> None:
        """Go on without a seat that has cheated, if somebody can play for it.

        Raises:
            PeerError: nobody can, and the table has to stop.
        """
        replica, seat = self.replica, error.seat
        if seat in replica.open_seats and self.catching_up.refuse(error.evidence):
            replica.drop(error.evidence)
            return
        if seat in replica.guilty and not error.is_too_late:
            return
        if seat is None or error.is_too_late or replica.play.is_signed:
            raise error
        await self._write_down()
        await self.membership.convict(error)
        await self._accusation(error).tell()

    def _accusation(self, error: PeerError) -> Accusation:
        return Accusation(self.table, self.relaying, self.catching_up, error)

    async def _halt(self, error: PeerError) -> None:
        """The table halts: the evidence is kept, and everybody is told."""
        self.fault = error
        await self._write_down()
        accusation = self._accusation(error)
        await accusation.halt()
        name = "" if error.seat is None else self.replica.roster.seats[error.seat].shown_name
        self.table.publish(self.showing.snapshot())
        self.table.publish(Accused(error.seat, name, str(error)))
        await accusation.stay(self.table.messages)
