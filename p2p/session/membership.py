"""Waiting for a seat that is silent, and what the others do when it is gone.

A session asks `progress` after everything that happens, and once in a while:

    a link broke           wait for the time of grace that the table agreed on
    it is over             give my vote that the seat is gone (`votes`)
    all others did         give my part of its key (`escrow`), unless it gave its key itself
    the key is whole       write the replacement: everybody speaks for the seat from here on
    nobody has the key     write it without one, and deal anew what cannot be read any more

A seat that says farewell gives its key to all others and need not be waited for.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import trio

from p2p.base.steps import sleep_in_step
from p2p.log.membership_change import lacks_end, replacement_entry
from p2p.log.replica import Replica
from p2p.log.votes import (
    CONVICTED,
    parse_vote,
)
from p2p.session.catching_up import CatchingUp
from p2p.session.claiming import Claiming
from p2p.session.forks import Forks
from p2p.session.instances import Instances
from p2p.session.lost_keys import LostKeys, may_do_without
from p2p.session.news import Away, Command, Leave, Notice
from p2p.session.reachability import Reachability, seats_away
from p2p.session.rejoin import Rejoin
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable
from p2p.session.voting import Voting

NOBODY_S: Final = 10.0  # After so long without any other seat a program that is back says why.
TICK_S: Final = 0.5  # How often somebody who is silent is thought of.
ASKS: Final = 10  # I ask for what I may have missed when the log has not grown for so many ticks.
REPEATS: Final = 4  # What binds us is said again after so many ticks: a link may have swallowed it.


class Actors(NamedTuple):
    """Whom a change of membership needs beside the table."""

    relaying: Relaying
    forks: Forks
    catching_up: CatchingUp
    instances: Instances


class Membership:
    """How long we wait for each seat, and what is due when that is over."""

    def __init__(self, table: RunningTable, actors: Actors) -> None:
        self._table, self._replica, self._actors = table, table.replica, actors
        relaying, forks, catching_up, instances = actors
        self._reachability = Reachability(table, relaying)
        self._keys = LostKeys(table)
        self._voting = Voting(table, forks, catching_up, self.heard)
        self._rejoin = Rejoin(table, catching_up, self._voting.cast, self._may_return)
        self.claiming = Claiming(table, self._reachability.is_late, instances.may_sign)
        self._open = set(self._replica.open_seats)  # Seats for which everybody speaks.
        self._height = -1  # Of the log when I thought of asking for more.
        self.link_broke = trio.Event()  # A bot may soon have to think for a seat.
        self.is_leaving = self._has_given = False

    def begin(self) -> None:
        """The session begins: from now on seats are waited for, and old words bind me."""
        self._reachability.begin()
        self._voting.begin()

    def recall(self) -> None:
        """Another step is open: old words about it bind me, if I had been there before a crash."""
        if self._replica.is_seated:
            self._voting.recall()

    # ---- links ----

    def away(self) -> tuple[Away, ...]:
        """Who is out of reach, and what comes next for each."""
        return seats_away(self._replica, self._reachability, self.may_do_without)

    def lost(self, seat: int) -> None:
        """A link has broken."""
        self._reachability.note_heard(seat)
        self.link_broke.set()

    def heard(self, seat: int | None) -> None:
        """Somebody has passed on what a seat says, or says that it is here."""
        if seat is not None:
            self._reachability.note_heard(seat)

    async def tick(self) -> None:
        """Think of those who are silent, again and again."""
        count = 0
        while True:
            await sleep_in_step(TICK_S)
            count += 1
            if count % REPEATS == 0:
                await self._repeat()
            if count % ASKS == 0:
                await self._ask_again()
            if count == NOBODY_S / TICK_S:
                self._tell_if_nobody_came()
            self._table.wake()

    def _tell_if_nobody_came(self) -> None:
        """Whoever resumes a game that the others have ended meets nobody who could say so."""
        replica, secrets = self._replica, self._table.secrets
        is_back = secrets is not None and secrets.is_old and not replica.play.is_signed
        if is_back and replica.others and not self._reachability.has_met_anybody:
            text = "none of the others is there"
            hint = "if the game is over, you get its end when one of them resumes it as well"
            self._table.publish(Notice(text, hint, is_news=True))

    async def _ask_again(self) -> None:
        """A seat may have told others, and not me."""
        height = self._replica.height
        if self._height == height:
            await self._table.broadcast(["have", height])
        self._height = height

    async def _repeat(self) -> None:
        if not self.is_leaving:
            await self._rejoin.ask()
        await self._voting.repeat()
        if self._replica.me is not None:
            await self._keys.repeat(self._replica.me)
        if self.is_leaving:
            await self._keys.give_mine(self._voting.me)

    # ---- in ----

    async def receive(self, seat: int, message: list[object]) -> None:
        """Take in what a seat says about another, or about its leaving.

        Raises:
            MalformedFrame, BadSignature: the link that brought it closes.
            PeerError: the seat says one thing and another.
        """
        match message:
            case ["leaving", int(author), int(epoch), bytes(key), bytes(signature)]:
                is_news = self._keys.receive_farewell(author, epoch, key, signature)
                if is_news:
                    self._follow(author)
            case ["part", int(author), int(gone), bytes(part)]:
                is_news = self._keys.receive_part(author, gone, part)
            case ["return", int(author), int(turn), bytes(signature)]:
                is_news = self._rejoin.receive(author, turn, signature)
            case _:
                height, vote = parse_vote(message)
                author, is_news = vote.signer, await self._voting.receive(height, vote)
        if is_news or author == seat:  # Who said it says it again from time to time.
            await self._actors.relaying.pass_on(author, seat, message)

    # ---- forward ----

    async def progress(self) -> bool:
        """Do what is due about those who are silent.  True when everybody speaks for one now."""
        replica = self._replica
        self._reachability.look()
        for seat in self._open - replica.open_seats:
            self._greet_owner(seat)
        for seat in replica.open_seats - self._open:
            self._open.add(seat)
            self._actors.relaying.forget()  # Others may have gone back.
            self._follow(seat)
            anew = "its hand and the decks are dealt anew; your hand stays as it is"
            text = f"a bot plays on for {self._name(seat)}, with an open hand"
            hint = anew if seat in replica.play.lost else ""
            self._table.publish(Notice(text, hint, is_news=True))
        if not self.is_leaving:
            await self._rejoin.ask_first()
        if replica.roster.replacement is None or not replica.is_seated or replica.step is None:
            return False
        if self.is_leaving and not self._has_given:
            self._has_given = True
            await self._keys.give_mine(self._voting.me)
        for seat in replica.others:
            await self._judge(seat)
            if await self._replace(seat):
                return True
        return await self._rejoin.progress()

    def _greet_owner(self, seat: int) -> None:
        self._open.discard(seat)
        self._reachability.note_heard(seat)
        self._keys.forget(seat)
        text = f"{self._name(seat)} is back; what it had in hand is known until it has new cards"
        self._table.publish(Notice(text, is_news=True))

    def _follow(self, seat: int) -> None:
        """Leave with whoever runs me, if it had to go: nobody else would."""
        seats, me = self._replica.roster.seats, self._replica.me
        if me is not None and seats[me].sponsor == seats[seat].identity and me != seat:
            self.is_leaving = True

    async def _judge(self, seat: int) -> None:
        replica, votes = self._replica, self._replica.votes
        secrets = self._table.secrets
        if secrets is not None and secrets.is_mended and not self._actors.catching_up.is_there():
            return  # Others first tell me what I have said at this step.
        if seat in replica.guilty:
            await self._condemn(seat)
            return
        number = votes.round_of(seat)
        if votes.is_used_up(seat) or votes.mine(seat, number) is not None:
            return
        is_doubted, is_leaving = votes.is_doubted(seat), seat in self._keys.given
        if replica.holds(seat) or (self._reachability.has(seat) and not is_leaving):
            if is_doubted:
                await self._voting.cast(seat, number, False)
        elif lacks_end(replica) or not self._may_doubt(seat):
            return
        elif is_leaving or (
            self._reachability.misses(seat) and self._may_replace(seat, is_doubted)
        ):
            await self._voting.cast(seat, number, self._answer_about(seat))

    def _may_doubt(self, seat: int) -> bool:
        """Whether I may say that a seat is gone, which binds me: see `p2p.log.votes`."""
        return self._reachability.has_all_but(seat) and self._replica.votes.may_doubt(seat)

    def _may_return(self, seat: int) -> bool:
        return self._reachability.has_all_but(seat) and not self._replica.votes.binds_me(seat)

    def _answer_about(self, seat: int) -> bool | None:
        """What I say of a seat that is gone: whether the others have its key, or can have it."""
        return True if self._keys.is_in_reach(seat) else None

    async def _condemn(self, seat: int) -> None:
        """Say that a cheater is gone, once all others have my log; and not that it is silent."""
        votes = self._replica.votes
        number, silent = votes.round_of(seat, CONVICTED), votes.round_of(seat)
        if votes.is_doubted(seat):
            if votes.mine(seat, silent) is None:
                await self._voting.cast(seat, silent, False)
        elif votes.is_used_up(seat, CONVICTED):
            return
        elif votes.mine(seat, number) is None and self._replica.is_agreed():
            await self._voting.cast(seat, number, self._answer_about(seat))

    async def denounce(self, seat: int) -> None:
        """Say that a cheater is gone where I have gone back to, for the others to come as well."""
        self._open, votes = set(self._replica.open_seats), self._replica.votes
        self._voting.recall()
        number = votes.round_of(seat, CONVICTED)
        if votes.mine(seat, number) is None:
            await self._voting.cast(seat, number, self._answer_about(seat))

    def may_do_without(self, seat: int, replica: Replica | None = None) -> bool:
        """Whether the others could play for a seat: they have its key, or can have it."""
        return may_do_without(replica or self._replica, seat, self._keys.given)

    def _may_replace(self, seat: int, is_doubted: bool) -> bool:
        """Whether the others could speak for a seat that is silent, and somebody waits for it."""
        is_needed = is_doubted or self._replica.waits_for(seat)
        return is_needed and self.may_do_without(seat)

    async def _replace(self, seat: int) -> bool:
        replica = self._replica
        signers = [other for other in replica.play.live if other != seat]
        first = CONVICTED if seat in replica.guilty else 0
        agreed = replica.votes.agreed(seat, signers, first)
        if agreed is None:
            return False
        is_lost = replica.votes.is_lost(seat, first)
        key = None if is_lost else self._keys.known(seat)
        if key is None and not is_lost:
            key = await self._keys.gather(seat, signers, self._voting.me)
        if key is None and not is_lost:
            return False
        entry = replacement_entry(replica, seat, agreed, key)
        replica.receive(entry.raw)
        self._keys.forget_parts(seat)
        await self._table.broadcast(["entry", entry.raw])
        return True

    def _name(self, seat: int) -> str:
        return self._replica.roster.seats[seat].shown_name

    def may_leave(self) -> bool:
        """Whether a bot can play on for me."""
        replica = self._replica
        has_keys = replica.play.dealing is not None and not replica.play.is_signed
        return replica.roster.replacement is not None and has_keys and replica.is_seated

    def obey(self, command: Command) -> bool:
        """Do what the person has chosen about those who are silent, or about leaving for good.

        True when the table is to be left now.
        """
        if not isinstance(command, Leave):
            return self.claiming.claim()
        if not (command.is_for_good and self.may_leave()):
            return True
        self.is_leaving = True  # The others get my key and let a bot play on.
        self._table.wake()
        return False

    def has_left(self) -> bool:
        """Whether I have left, and so have all whom I run: nobody needs me any more."""
        if not self.is_leaving:
            return False
        seats, live = self._replica.roster.seats, self._replica.play.live
        me = seats[self._voting.me].identity
        stay = [seat for seat in live if me in (seats[seat].identity, seats[seat].sponsor)]
        return len(live) < 2 or not stay
