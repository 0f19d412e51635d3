"""What people say to each other at the table: a line of text, or a reaction that has a number.

It is no part of the game: it stands in no log and in no file, and nothing waits for it.  Every line
is signed by its seat with a number that grows, so anybody may pass it on to seats that cannot reach
each other (`p2p.session.relaying`), and nobody can put words into a mouth or say something twice.
The newest lines of every seat are kept in memory, and told to whoever is linked later.

Two reactions are signs to the clocks (`p2p.session.clocks`): a person asks for a pause, and all
clocks stand still until any person says that it goes on.  What was heard last counts, so two people
who say both at the same moment may hear them in another order, and see that they do.  Whoever tells
one alone of a pause stops that clock, which the others would then see run on below nothing: so each
passes on what is news, and signs have numbers of their own, under which nothing else can be said.

After the end people talk on, as long as two of them are there: a session with a person at its
screen ends when nobody else is.  Bots leave at the end.

A seat may say as much as the allowance of a member gives it (`p2p.base.limits`); what is beyond
that is not taken in, whoever brings it.  Those who look on neither hear nor say anything: what is
said at the table stays there.

What this does not protect against: whoever asks for a pause thinks on while it holds, and everybody
sees who asked for it.  A seat tells the others what it holds.  Nobody can stop people
from talking, at a table or beside it.
"""

from __future__ import annotations

import time
from typing import Final

import trio

from p2p.base.errors import MalformedFrame
from p2p.base.identity import verify
from p2p.base.limits import ALLOWANCES, SAID_LETTERS_MAX, SAID_LINES_MAX, Role
from p2p.base.names import shown_text
from p2p.base.wire import encode
from p2p.log.replica import Replica
from p2p.net.admission import RateLimit
from p2p.session.commands import CLOCK_SIGNS, Reaction, Saying
from p2p.session.news import Notice, SaidLine
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable

NUMBER_MAX: Final = 1 << 62
_NOTHING: Final = (0, 0)  # Older than all that can be said.
_LABEL: Final = b"hostless say"


class Talk:
    """What has been said lately at one table, and what I say there."""

    def __init__(self, table: RunningTable, relaying: Relaying) -> None:
        self._table, self._replica, self._relaying = table, table.replica, relaying
        self._kept: list[list[object]] = []  # The newest of every seat, in the order they came.
        # By seat, and whether it is a sign: the number of its newest line, and which sign it is.
        self._newest: dict[tuple[int, bool], tuple[int, int]] = {}
        self.paused_by: int | None = None  # The seat that has asked for the pause that holds.
        may = ALLOWANCES[Role.MEMBER]
        self._heard_often = RateLimit(may.lines_per_s, may.lines_burst)
        # Mine is smaller by half, so that nobody else drops what I was allowed to say.
        self._said_often = RateLimit(may.lines_per_s / 2, may.lines_burst // 2)

    def is_heard(self) -> bool:
        """Whether another person is linked, who would hear me."""
        roster = self._replica.roster
        return any(not roster.seats[seat].is_bot for seat in self._table.links)

    def wish(self, said: Saying) -> None:
        """The person wants to say something; the session does, when it comes to it."""
        try:
            self._table.inbox.send_nowait((None, ["say", said]))
        except trio.WouldBlock:
            self._refuse()

    async def say(self, said: Saying) -> None:
        """Sign a line of mine and tell everybody."""
        replica, me = self._replica, self._replica.me
        if me is None or replica.identity is None or not _is_sayable(said):
            return
        if not self._said_often.allows(""):
            self._refuse()
            return
        # A clock that was set back costs nothing: others tell me my last number when we are linked.
        last = max(self._newest.get((me, is_sign), _NOTHING)[0] for is_sign in (False, True))
        message = line_of(replica, max(last + 1, int(time.time() * 1000)), said)
        self._keep(me, message)
        await self._table.broadcast(message)

    async def receive(self, source: int, message: list[object]) -> None:
        """Take in what a seat has said, whoever brought it, and pass it on.

        Raises:
            MalformedFrame, BadSignature: nobody at this table has said so.
        """
        seat, signature = _parse(message, self._replica)
        if _place(message) <= self._newest.get((seat, _is_sign(message)), _NOTHING):
            return
        identity = self._replica.roster.seats[seat].identity
        verify(identity, signature, _bytes(self._replica.game_id, message[1:4]))
        if not self._heard_often.allows(str(seat)):  # Not before: others can bring forged lines.
            return
        self._keep(seat, message)
        await self._relaying.flood(seat, source, message)

    async def greet(self, seat: int) -> None:
        """Tell a seat that has just been linked what was said lately."""
        for message in list(self._kept):
            await self._table.send(seat, message)

    def _keep(self, seat: int, message: list[object]) -> None:
        self._newest[seat, _is_sign(message)] = _place(message)
        if not _is_sign(message):
            self._kept.append(message)
        elif self._may_pause(seat):
            self.paused_by = seat if message[3] == Reaction.PAUSE else None
            self._kept = [*(each for each in self._kept if not _is_sign(each)), message]
        mine = [each for each in self._kept if each[1] == seat and not _is_sign(each)]
        if len(mine) > SAID_LINES_MAX:
            self._kept.remove(mine[0])
        said, name = message[3], self._replica.roster.seats[seat].shown_name
        is_mine = seat == self._replica.me
        if isinstance(said, str):
            self._table.publish(SaidLine(seat, name, shown_text(said), is_mine=is_mine))
        else:
            assert isinstance(said, int), "that was looked at when it was read"
            self._table.publish(SaidLine(seat, name, "", Reaction(said), is_mine=is_mine))

    def _may_pause(self, seat: int) -> bool:
        """Whether its signs count: where the table has clocks, those of persons who play.

        An owner whose seat was replaced, or that has cheated, still talks, and stops nobody.
        """
        replica, roster = self._replica, self._replica.roster
        is_person = roster.clock is not None and not roster.seats[seat].is_bot
        return is_person and seat in replica.play.live and seat not in replica.guilty

    def _refuse(self) -> None:
        text = "this line was not said: too many at once"
        self._table.publish(Notice(text, "wait a few seconds", is_news=True))


def line_of(replica: Replica, number: int, said: Saying) -> list[object]:
    """The message with which my seat says something."""
    assert replica.identity is not None, "whoever has a seat has an identity"
    line: list[object] = [replica.me, number, said if isinstance(said, str) else int(said)]
    return ["say", *line, replica.identity.sign(_bytes(replica.game_id, line))]


def _parse(message: list[object], replica: Replica) -> tuple[int, bytes]:
    match message:
        case ["say", int(seat), int(number), str() | int() as said, bytes(signature)] if (
            type(seat) is int
            and type(number) is int
            and seat in replica.seats
            and seat not in replica.roster.open_seats()  # Anybody could sign for these.
            and 0 < number < NUMBER_MAX
            and type(said) is not bool
            and _is_sayable(said)
        ):
            return seat, signature
    raise MalformedFrame("this message is none that we know")


def _is_sayable(said: Saying | int) -> bool:
    if isinstance(said, str):
        return len(said.strip()) > 0 and len(said) <= SAID_LETTERS_MAX
    return said in list(Reaction)


def _is_sign(message: list[object]) -> bool:
    """Whether a line is for the clocks: of those, whoever is linked later hears the newest."""
    return message[3] in CLOCK_SIGNS


def _place(message: list[object]) -> tuple[int, int]:
    """What makes a line newer than others of its seat; of two signs with one number, going on."""
    number, said = message[2:4]
    assert isinstance(number, int), "that was looked at when it was read"
    return number, said if isinstance(said, int) else 0


def _bytes(game: bytes, line: list[object]) -> bytes:
    return _LABEL + encode([game, *line])
