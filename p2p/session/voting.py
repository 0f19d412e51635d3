"""What I say about seats that are gone, once and for good, and what I make of others' votes.

A vote holds for one step of one log (`p2p.log.votes`).  Mine is on disk before anybody hears
it: I may come back to that step, after a crash or because logs have parted, and must not say the
opposite there.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p.base.entry import Position
from p2p.base.errors import BrokenChain, MalformedFrame
from p2p.log.acks import ack_of
from p2p.log.votes import (
    CONVICTED,
    Contradiction,
    Vote,
    is_restore,
    vote_of,
)
from p2p.session.catching_up import CatchingUp
from p2p.session.forks import Forks
from p2p.session.table import RunningTable


class Voting:
    """The votes that one machine gives and hears."""

    def __init__(
        self,
        table: RunningTable,
        forks: Forks,
        catching_up: CatchingUp,
        heard: Callable[[int], None],
    ) -> None:
        """`heard` is told of a seat that others say is here."""
        self._table, self._replica, self._heard = table, table.replica, heard
        self._forks, self._catching_up = forks, catching_up
        self._said: set[tuple[bytes, int, int]] = set()  # (head, seat, round): gone, for good.
        self._denied: set[tuple[bytes, int, int]] = set()  # The same, but that it is here.

    def begin(self) -> None:
        """From now on old votes bind me."""
        secrets = self._table.secrets
        for head, gone, number, answer in [] if secrets is None else secrets.votes:
            (self._denied if answer is False else self._said).add((head, gone, number))
        self.recall()

    def recall(self) -> None:
        """Hear again what I have said at the open step."""
        secrets, at = self._table.secrets, self._replica.position
        for head, gone, number, answer in [] if secrets is None else secrets.votes:
            vote = vote_of(self.me, gone, number, answer)
            if head == at.head and self._is_apt(vote):
                self._replica.votes.receive(self.sign(vote, at))

    # ---- out ----

    async def cast(self, seat: int, number: int, answer: bool | None) -> None:
        """Give my vote: on disk first, so that I never give the opposite as well."""
        at = self._replica.position
        vote = self.sign(vote_of(self.me, seat, number, answer), at)
        assert self._table.secrets is not None, "whoever votes has a seat"
        self._table.secrets.keep_vote(at.head, seat, number, answer)
        (self._denied if answer is False else self._said).add((at.head, seat, number))
        self._replica.votes.receive(vote)
        await self._table.broadcast(vote.plain(at.height))
        if answer is False:
            for raw in self._replica.pending():
                await self._table.broadcast(["entry", raw])

    async def repeat(self) -> None:
        """Say again what binds me: a link may have swallowed it."""
        for vote in list(self._replica.votes.bound()):
            await self._table.broadcast(vote.plain(self._replica.position.height))

    def sign(self, vote: Vote, at: Position) -> Vote:
        """My vote, signed, about a step."""
        identity = self._replica.identity
        assert identity is not None, "whoever has a seat has an identity"
        return self._replica.votes.sign(identity, at, vote)

    @property
    def me(self) -> int:
        """My seat."""
        assert self._replica.me is not None, "only seats vote"
        return self._replica.me

    # ---- in ----

    async def receive(self, height: int, vote: Vote) -> bool:
        """Take in a vote about the step at a height; whether others should hear it, too.

        Raises:
            MalformedFrame: it is none; whoever brought it is to blame.
            PeerError: the seat says one thing and another.
        """
        replica, at = self._replica, self._replica.position
        live = replica.play.live
        if vote.round >= CONVICTED and vote.signer == vote.gone:
            return False  # A cheater has no say in it.
        if 0 <= height < at.height and vote.is_gone:
            if await self._forks.join(height, vote):
                return await self.receive(height, vote)  # I am there now.
            await self._contradict(height, vote)
        elif height == at.height and vote.signer in live and self._is_apt(vote):
            return await self._receive_at_step(height, vote)
        return False

    async def _receive_at_step(self, height: int, vote: Vote) -> bool:
        """Take in a vote about the open step."""
        replica = self._replica
        if vote.signer == vote.gone:  # By then all others may have agreed, unheard by some.
            raise MalformedFrame("no seat has a say in whether it is gone")
        try:
            is_news = replica.votes.receive(vote)
        except Contradiction as error:
            raise replica.blame(error.seat, BrokenChain, str(error)) from error
        await self._answer(height, vote, is_news=is_news)
        if vote.round >= CONVICTED and vote.is_gone:  # It is at this very step.
            self._note_head(vote.signer)
        if is_news and not vote.is_gone:
            self._heard(vote.gone)
        return is_news

    def _note_head(self, seat: int) -> None:
        """Whoever votes at this step has this log; that is no acknowledgement for the file."""
        tip = self._replica.tip
        if tip.below is not None and not self._replica.has_acked(seat):
            self._replica.acknowledge(ack_of(tip, seat))

    def _is_apt(self, vote: Vote) -> bool:
        """Whether somebody sits there of whom it says that he is gone, or nobody."""
        is_open = vote.gone in self._replica.open_seats
        return vote.gone in self._replica.seats and is_restore(vote.round) == is_open

    async def _answer(self, height: int, vote: Vote, *, is_news: bool) -> None:
        """Give a seat my vote again: when I gave it, it may not have been at this step yet.

        And whatever takes back what binds it: it may have been heard, and forgotten in a crash.
        """
        votes = self._replica.votes
        said = votes.denials(vote.gone, vote.round) if vote.is_gone else []
        mine = votes.mine(vote.gone, vote.round)
        if is_news and mine is not None and mine not in said:
            said.append(mine)
        for each in said:
            await self._table.send(vote.signer, each.plain(height))

    async def _contradict(self, height: int, vote: Vote) -> None:
        """Tell a seat that is behind that the one it misses was heard, and all that it missed."""
        at = Position(height, self._replica.acks.mine.get(height, b""), b"")
        place = (at.head, vote.gone, vote.round)
        is_open = vote.gone in self._replica.open_seats and not is_restore(vote.round)
        secrets = self._table.secrets
        if secrets is not None and secrets.is_mended:  # I may have said so, and have lost it.
            await self._catching_up.serve(vote.signer, height)
            return
        if place in self._said or not self._replica.votes.is_given(vote, at):
            return  # Not at this log, or not by it: then nobody needs an answer.
        if not is_open and vote.gone != self.me:
            self._deny(place)
            mine = self.sign(Vote(self.me, vote.gone, vote.round, False), at)
            await self._table.send(vote.signer, mine.plain(height))
        if not is_open or vote.round >= CONVICTED:
            await self._catching_up.serve(vote.signer, height)

    def _deny(self, place: tuple[bytes, int, int]) -> None:
        """Never say the opposite of what I am about to say: I may come back to that step."""
        if place not in self._denied and self._table.secrets is not None:
            self._denied.add(place)
            self._table.secrets.keep_vote(*place, answer=False)
