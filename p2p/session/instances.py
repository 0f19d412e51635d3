"""Which program sits on a seat, when the same home was copied and two of them say that they do.

Two programs with one key would sign two entries in answer to one log, and convict an honest person.
So every program draws an **instance** when it sits down, and says it on each link, signed:

    claim = [seat, rank, instance, signature]

The rank is what the field calls a fencing token: of two programs, the one of a lower rank is heard
by nobody any more.

Whoever hears a seat from one instance turns another one of the same rank away as long as the first
one is alive: `busy`, with the claim of the first one.  The person at the newer one is asked.  If
the seat is to be taken over, the newer one says a claim of a higher rank.  Whoever hears that
passes it on, tells the older one that it is `fenced`, and hears it no more.  A program that is
fenced signs nothing more and sends nothing more, also not what it has signed and not sent; the
newer one first gets from all others whatever the older one has said (`p2p.session.catching_up`).

Nobody can make up that my seat is busy: my own key has signed the claim of whoever is heard there.
What an earlier program of mine has said can be shown again.  A claim of a lower rank than mine does
not count, and neither does one of a program that sat here with this very file: that one is over.

What this does not protect against: a program that has played from another copy of my files may be
long gone, and a member says `busy` with its claim; then I sign nothing until my person takes the
seat over.  Two copies that reach nobody in common cannot know of each other; each signs nothing
before it has met another player, but if the players are parted as well both may go on.  An entry
that the older program has sent to somebody who is gone for good is unknown to the newer one.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from typing import Final, NamedTuple
from weakref import WeakSet

import trio

from core.errors import HostlessError
from p2p.base.entry import ENTRY_COUNT_MAX
from p2p.base.errors import MalformedFrame
from p2p.base.identity import verify
from p2p.base.limits import HOST_LETTERS_MAX, TAKEN_OVER_BURST_MAX, TAKEN_OVER_PER_S_MAX
from p2p.base.wire import encode
from p2p.log.blocked import Blocked
from p2p.net.admission import RateLimit
from p2p.net.interfaces import is_address
from p2p.net.link import SEND_ERRORS, Link, post_to_all
from p2p.session.catching_up import CatchingUp
from p2p.session.news import Elsewhere
from p2p.session.places import Places
from p2p.session.table import RunningTable

INSTANCE_BYTES: Final = 16
ALIVE_S: Final = 5.0  # A program that was heard within this time is there: two pings.
ASK_S: Final = 1.5  # The person is asked if the seat is still busy then.
BUSY_S: Final = 6.0  # For so long a refusal holds; then I may be called again.
LAST_RANK: Final = ENTRY_COUNT_MAX - 1
_LABEL: Final = b"hostless here"
_log: Final = logging.getLogger("hostless.links")


class InstanceClaim(NamedTuple):
    """The word of one program that it sits on a seat."""

    seat: int
    rank: int  # How often the seat was taken over by then.
    instance: bytes
    signature: bytes = b""

    def said(self, game: bytes) -> bytes:
        """What is signed."""
        return _LABEL + encode([game, self.seat, self.rank, self.instance])

    def is_beside(self, other: InstanceClaim) -> bool:
        """Whether it is another program, and neither has taken over from the other."""
        return self.rank == other.rank and self.instance != other.instance


class Instances:
    """Which program I am, and which ones I hear on the other seats."""

    def __init__(self, table: RunningTable, places: Places, catching_up: CatchingUp) -> None:
        self._table, self._replica = table, table.replica
        self._places, self._catching_up = places, catching_up
        self._known: dict[int, InstanceClaim] = {}
        self._busy: dict[int, tuple[float, int]] = {}  # By who said it: when, and of which rank.
        self._since_s = 0.0  # When somebody said that my seat is busy, after nobody had.
        self._is_asked = self._is_wanted = False  # The person was asked; has said yes.
        self._instance, self._rank = os.urandom(INSTANCE_BYTES), 0
        self._drawn = {self._instance}  # Also by programs that sat here before, and are over.
        self._fenced = WeakSet[Link]()
        self._taken_often = RateLimit(TAKEN_OVER_PER_S_MAX, TAKEN_OVER_BURST_MAX)
        if table.secrets is not None:
            self._rank, self._drawn = table.secrets.rank, table.secrets.instances
            table.secrets.keep_instance(self._instance)
            for claim in map(self._parse, table.secrets.claims):
                self._known[claim.seat] = claim

    # ---- mine ----

    def mine(self) -> list[object]:
        """My claim, as all hear it."""
        replica = self._replica
        assert replica.me is not None and replica.identity is not None, "whoever claims has a seat"
        claim = InstanceClaim(replica.me, self._rank, self._instance)
        return list(claim._replace(signature=replica.identity.sign(claim.said(replica.game_id))))

    def greeting(self) -> list[list[object]]:
        """What a seat is told that is linked: who I am, and which seats were taken over."""
        taken = [list(claim) for claim in self._known.values() if claim.rank]
        return [["here", claim] for claim in [self.mine(), *taken]]

    def is_busy(self) -> bool:
        """Whether somebody hears another program on my seat: then I sign nothing."""
        now = trio.current_time()
        return any(now - said_s < BUSY_S for said_s, _ in self._busy.values())

    @property
    def has_taken_over(self) -> bool:
        """Whether another program has signed for my seat, and I may not have all of that."""
        secrets = self._table.secrets
        return self._rank > 0 and secrets is not None and secrets.is_old

    def may_sign(self) -> bool:
        """Whether I may sign something new."""
        return self.why_not_sign() is None

    def why_not_sign(self) -> Blocked | None:
        """Whether somebody else signs for my seat, or I may lack what I have signed before."""
        secrets = self._table.secrets
        needs_all = (secrets is not None and secrets.has_lost_records) or self.has_taken_over
        elsewhere = Blocked.ELSEWHERE if self.is_busy() else None
        return self._catching_up.why_not_sign(needs_all=needs_all) or elsewhere

    def take_over(self) -> None:
        """The person has said so: the seat is to be mine, and the other program's no more."""
        secrets, ranks = self._table.secrets, self._ranks_elsewhere()
        self._is_wanted = not ranks
        if secrets is None or not ranks:
            return  # Nobody else is heard there; perhaps later.
        self._is_asked = False  # Whoever comes after that is another one.
        self._rank = min(max(self._rank, *ranks) + 1, LAST_RANK)
        secrets.keep_rank(self._rank)
        post_to_all(self._table.links.values(), ["here", self.mine()])
        busy, self._busy = set(self._busy), {}
        for seat in busy:
            self._places.on_news(seat)  # Call it at once.
        self._table.wake()

    def _ranks_elsewhere(self) -> list[int]:
        """Of the programs on my seat that are heard, and of the one that has stopped mine."""
        secrets, ranks = self._table.secrets, [rank for _, rank in self._busy.values()]
        fence = None if secrets is None else secrets.fence
        return ranks if fence is None else [*ranks, fence]

    # ---- in ----

    def is_fenced(self, link: Link) -> bool:
        """Whether nothing is heard any more that comes by this link."""
        return link in self._fenced

    async def receive(self, seat: int, link: Link, message: list[object]) -> None:
        """Take in what a seat says about who sits where.

        Raises:
            MalformedFrame, BadSignature: it says nothing; its link closes.
            HostlessError: another program has taken my seat over, and I have to stop.
        """
        match message:
            case ["busy", list(value), str(host)] if (
                len(host) <= HOST_LETTERS_MAX and is_address(host)
            ):
                self._receive_busy(seat, self._verified(value), host)
            case ["here" | "fenced", list(value)]:
                claim = self._verified(value)
                if claim.seat == self._replica.me:
                    self._check_mine(claim)
                elif claim.seat == seat and self._is_older(claim):
                    await self._fence(link, self._known[seat])
                else:
                    await self._note(claim, link if claim.seat == seat else None)
            case _:
                raise MalformedFrame("this message is none that we know")

    async def refusal(self, seat: int, value: object) -> list[object] | None:
        """What to answer a program that calls, or is called; None if I hear it from now on.

        Raises:
            MalformedFrame, BadSignature: it does not say who it is.
        """
        claim = self._verified(value)
        if claim.seat != seat:
            raise MalformedFrame("this does not say who sits there")
        known, link = self._known.get(seat), self._table.links.get(seat)
        if known is not None and self._is_older(claim):
            return ["fenced", list(known)]
        is_other = known is not None and known.is_beside(claim)
        if is_other and link is not None and link.silent_s < ALIVE_S:
            _log.info("seat %d calls from another program, and the first is there", seat)
            return ["busy", list(self._known[seat]), link.remote_host]
        await self._note(claim, None)
        return None

    def note_free(self, seat: int) -> None:
        """A seat takes my link: it hears nobody else on my seat."""
        self._busy.pop(seat, None)

    def _receive_busy(self, seat: int, claim: InstanceClaim, host: str) -> None:
        if claim.seat != self._replica.me:
            raise MalformedFrame("this does not say who sits on my seat")
        if claim.rank < self._rank or claim.instance in self._drawn:
            return  # I have taken over from that one; or it was mine, and is over.
        now = trio.current_time()
        if not self.is_busy():
            self._since_s = now
        self._busy[seat] = now, claim.rank
        if self._is_wanted:
            self.take_over()
        elif not self._is_asked and now - self._since_s >= ASK_S:
            self._is_asked = True
            self._table.publish(Elsewhere(self._replica.roster.seats[claim.seat].shown_name, host))

    def _check_mine(self, claim: InstanceClaim) -> None:
        if claim.rank <= self._rank:
            return
        if self._table.secrets is not None:
            self._table.secrets.keep_fence(claim.rank)
        name = self._replica.roster.seats[claim.seat].shown_name
        raise HostlessError(
            f"the seat of {name} was taken over on another machine, and this program stops",
            "the files stay as they are; resume --take-over takes the seat back",
        )

    def _verified(self, value: object) -> InstanceClaim:
        claim = self._parse(value)
        owner = self._replica.roster.seats[claim.seat].identity
        verify(owner, claim.signature, claim.said(self._replica.game_id))
        return claim

    def _parse(self, value: object) -> InstanceClaim:
        match value:
            case [int(seat), int(rank), bytes(instance), bytes(signature)] if (
                type(seat) is int and type(rank) is int and seat in self._replica.seats
                and 0 <= rank <= LAST_RANK and len(instance) == INSTANCE_BYTES
            ):  # fmt: skip
                return InstanceClaim(seat, rank, instance, signature)
        raise MalformedFrame("this does not say who sits there")

    # ---- other seats ----

    def _is_older(self, claim: InstanceClaim) -> bool:
        known = self._known.get(claim.seat)
        return known is not None and claim.rank < known.rank

    async def _note(self, claim: InstanceClaim, link: Link | None) -> None:
        """Hear this program on a seat; `link` is its own, if it is linked already."""
        known = self._known.get(claim.seat)
        if known is not None and self._is_older(claim):
            return
        is_taken = claim.rank > (0 if known is None else known.rank)
        if is_taken and not self._taken_often.allows(str(claim.seat)):
            return  # It may say so again, on its next link.
        self._known[claim.seat] = claim
        if not is_taken:
            return
        _log.info("seat %d was taken over by another program", claim.seat)
        if self._table.secrets is not None:
            self._table.secrets.keep_claim(list(claim))
        older = self._table.links.get(claim.seat)
        if older is not None and older is not link:
            await self._fence(older, claim)
        others = [each for at, each in self._table.links.items() if at != claim.seat]
        post_to_all(others, ["here", list(claim)])

    async def _fence(self, link: Link, claim: InstanceClaim) -> None:
        """Hear an older program no more, and tell it why."""
        self._fenced.add(link)
        with suppress(*SEND_ERRORS):
            await link.send(["fenced", list(claim)])
