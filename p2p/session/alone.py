"""The one who is left: none of the others answers, and there is nobody to agree with.

It may wait, or adjourn: leave, and resume the game with everybody later.  It may claim the win
(`p2p.log.claim`).  Or it goes on alone, and bots play on for all others, with cards that are
dealt anew (`p2p.game.rebuilding`).  Only its person decides that, and nothing does by itself.

Going on alone is a `stand in` in a round of its own, by the vote of one seat.  From there on one
seat speaks for all: the log is *unverified*, which everybody is told who reads it.

It parts the logs for good.  Whoever sits at the table never follows such an entry of another seat,
above all not the seat that is spoken for: otherwise anybody could take the seat of somebody who is
there, look at the hand that is dealt to it, and give it back.  It keeps its own log, and hears
nothing more of the one that has gone on; that is nobody's fault.  Up to there they have one log, so
whoever has lost the end of it gets that from the other first.

What this does not protect against: the one who goes on alone knows the keys of all others, so it
can read the deck, and choose the game it likes best by going on at another time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import trio

from p2p.base.entry import Position
from p2p.log.claim import WinClaim
from p2p.log.membership_change import is_alone, lacks_end, replacement_entry
from p2p.log.votes import ALONE, Vote, vote_of
from p2p.net.link import Link
from p2p.session.catching_up import piece_of
from p2p.session.news import ClaimWin, Command, GoOnAlone, Notice, Silence
from p2p.session.table import RunningTable


class Consent(NamedTuple):
    """What is asked of whoever waits for the others."""

    is_late: Callable[[int], bool]  # Whether a seat is silent for longer than the time of grace.
    may_sign: Callable[[], bool]  # Something new, without having heard the others.
    sign: Callable[[Vote, Position], Vote]


class Alone:
    """What the one who is left may do, and does when its person says so."""

    def __init__(self, table: RunningTable, consent: Consent) -> None:
        self._table, self._replica, self._consent = table, table.replica, consent
        self._is_going = False  # The person has said so.
        self._told: set[int] = set()  # Seats of which I have said that they have gone on alone.

    def silence(self) -> Silence | None:
        """What I may do, if all others are silent for too long and the table waits for them."""
        replica, others = self._replica, self._replica.others
        is_open = replica.step is not None and replica.is_seated and not replica.play.is_signed
        if not is_open or replica.is_held or not others:
            return None
        is_waiting = any(map(replica.waits_for, others)) or not self._consent.may_sign()
        if not all(map(self._consent.is_late, others)) or not is_waiting:
            return None
        names = tuple(replica.roster.seats[seat].shown_name for seat in others)
        return Silence(names, self.may_go_on())

    def may_go_on(self) -> bool:
        """Whether I could without all others, because what they held can be dealt anew."""
        may_lose = self._replica.play.may_lose
        return not lacks_end(self._replica) and all(map(may_lose, self._replica.others))

    def obey(self, command: Command) -> bool:
        """Do what the person has chosen.  True when the table is to be left now."""
        silence = self.silence()
        if silence is None:
            text = "the others are not silent for long enough"
            self._table.publish(Notice(text, "wait a little", is_news=True))
        elif isinstance(command, ClaimWin):
            return self._claim(silence)
        elif isinstance(command, GoOnAlone) and not silence.may_go_on:
            hint = "claim the win, or resume the game with everybody later"
            self._table.publish(
                Notice("the cards of this table cannot be dealt anew", hint, is_news=True)
            )
        elif isinstance(command, GoOnAlone):
            self._is_going = True
            self._table.wake()
        return False

    def _claim(self, silence: Silence) -> bool:
        replica, ledger = self._replica, self._table.ledger
        assert replica.me is not None and replica.identity is not None, "whoever claims has a seat"
        claim = WinClaim(replica.me, replica.others, replica.height, replica.head)
        ledger.claim(claim.sign(replica.identity, replica.game_id))
        names = ", ".join(silence.names)
        hint = "resume the game if they come back: then it goes on, and the claim is void"
        self._table.publish(Notice(f"your file says that you claim the win over {names}", hint))
        return True

    async def progress(self) -> bool:
        """Let a bot play for one of the others, if I go on alone.  True when it does now."""
        self._tell_who_diverged()
        replica, me = self._replica, self._replica.me
        assert me is not None, "whoever has a seat goes on"
        for seat in replica.others:
            is_wanted = self._is_going and self._consent.is_late(seat)
            if is_wanted or self._has_promised(seat, me):
                vote = self._give_vote(seat, me)
                entry = replacement_entry(replica, seat, (vote.round, [vote.signature]), None)
                replica.receive(entry.raw)
                await self._table.broadcast(["entry", entry.raw])
                return True
        self._is_going = False
        return False

    def _has_promised(self, seat: int, me: int) -> bool:
        """Whether I had gone on here before my machine stopped, so that others may know of it."""
        place = (self._replica.position.head, seat, ALONE + me, None)
        return self._table.secrets is not None and place in self._table.secrets.votes

    def _give_vote(self, seat: int, me: int) -> Vote:
        """On disk first: nobody who has gone on alone may find itself not to have done so."""
        at, secrets = self._replica.position, self._table.secrets
        vote = self._consent.sign(vote_of(me, seat, ALONE + me, None), at)
        assert secrets is not None, "whoever votes has a seat"
        secrets.keep_vote(at.head, seat, vote.round, vote.answer)
        self._replica.votes.receive(vote)
        return vote

    # ---- others who have gone on ----

    def greeting(self) -> list[list[object]]:
        """What a seat has to be told first if I have gone on alone, or it would blame my log."""
        return [["entry", entry.raw] for entry in self._replica.log if is_alone(entry)]

    async def attend_diverged(self, link: Link) -> None:
        """Let a seat be linked that is on another log, and hear no more than what it lacks."""
        try:
            for message in self.greeting():
                await link.send(message)
            while True:
                match await link.receive():
                    case ["have", int(height)]:
                        await self._fill(link, height)
        except (trio.EndOfChannel, trio.ClosedResourceError, trio.BrokenResourceError):
            pass
        finally:
            with trio.CancelScope(shield=True):
                await link.aclose()

    async def _fill(self, link: Link, height: int) -> None:
        """Send what both have had, and where our logs part if I went on alone."""
        log = self._replica.log
        common = log[: next((at for at, entry in enumerate(log) if is_alone(entry)), len(log))]
        if 0 <= height < len(common):
            await link.send(piece_of(common, height))
        for message in self.greeting():  # Which it could not use as long as it was behind.
            await link.send(message)

    def _tell_who_diverged(self) -> None:
        for seat in self._replica.votes.diverged - self._told:
            self._told.add(seat)
            text = f"{self._replica.roster.seats[seat].shown_name} has gone on alone"
            self._table.publish(Notice(text, "your own game stays as it is"))
