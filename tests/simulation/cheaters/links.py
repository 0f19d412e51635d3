"""Cheaters that say what nobody has to listen to: false bytes, others' names, far too much."""

from __future__ import annotations

from typing import Final

import trio

from p2p.base.entry import HASH_BYTES, parse_entry
from p2p.base.identity import Identity
from p2p.base.limits import DEPTH_MAX, FRAME_BYTES_MAX
from p2p.base.wire import encode, frame
from tests.p2p.acknowledging import acknowledged
from tests.simulation.cheaters.kinds import Cheater, Outcome, bent, session_of
from tests.simulation.cheaters.places import resigned

MANY: Final = 2000


class Talker(Cheater):
    """Says something beside its n-th entry, to everybody."""

    async def broadcast(self, message: list[object]) -> None:
        match message:
            case ["entry", bytes(raw)] if not self.did and self.is_turn():
                self.did = True
                await self.blurt(raw)
        await super().broadcast(message)

    async def blurt(self, raw: bytes) -> None:
        """What it has to say; `raw` is its own entry."""
        await self.say(["nothing"])

    async def say(self, message: list[object]) -> None:
        """To everybody."""
        for seat in list(self.links):
            await self.send(seat, message)

    async def say_bytes(self, content: bytes) -> None:
        """To everybody, without asking whether it can be read."""
        for link in list(self.links.values()):
            link._queue.append(content)
            link._queue_grew.set()


@session_of(Outcome.TURNED_AWAY)
class UnknownWord(Talker):
    """Send a message that the protocol does not have."""


@session_of(Outcome.TURNED_AWAY)
class NoEntry(Talker):
    """Send an entry that cannot be read."""

    async def blurt(self, raw: bytes) -> None:
        await self.say(["entry", raw[:-1]])


@session_of(Outcome.TURNED_AWAY)
class AnotherGame(Talker):
    """Send an entry of another game."""

    async def blurt(self, raw: bytes) -> None:
        await self.say(["entry", resigned(self.replica, parse_entry(raw), game=bytes(32))])


@session_of(Outcome.TURNED_AWAY)
class SeatThatIsNone(Talker):
    """Send an entry of a seat that the table does not have."""

    async def blurt(self, raw: bytes) -> None:
        await self.say(["entry", resigned(self.replica, parse_entry(raw), seat=7)])


@session_of(Outcome.TURNED_AWAY)
class FarAhead(Talker):
    """Send entries that answer what nobody can have said yet, to fill the others' memory."""

    async def blurt(self, raw: bytes) -> None:
        entry = parse_entry(raw)
        for at in range(MANY):
            head = at.to_bytes(HASH_BYTES, "little")
            far = resigned(self.replica, entry, height=entry.height + 9_000 + at, head=head)
            await self.say(["entry", far])
        # What it gets back of this is no log that it has lost.
        self.replica.lacks_end = lambda: False  # type: ignore[method-assign]


@session_of(Outcome.TURNED_AWAY)
class AnothersName(Talker):
    """Sign an entry in the name of another seat."""

    async def blurt(self, raw: bytes) -> None:
        victim = self.replica.others[0]
        false = resigned(self.replica, parse_entry(raw), seat=victim, kind="nothing")
        await self.say(["entry", false])


@session_of(Outcome.TURNED_AWAY)
class BentSignature(Talker):
    """Pass on an entry of another seat with one bit of its signature changed."""

    async def blurt(self, raw: bytes) -> None:
        theirs = [entry for entry in self.replica.log if entry.seat != self.replica.me]
        for entry in theirs[-1:] or [parse_entry(raw)]:
            await self.say(["entry", bent(entry.raw, len(entry.raw) - 40)])


@session_of(Outcome.IN_VAIN)
class StrangersSignature(Talker):
    """Send what the own seat says, signed by an identity that is not at the table."""

    async def blurt(self, raw: bytes) -> None:
        payload = parse_entry(raw).payload
        stranger = Identity.generate()
        signed = encode([payload, stranger.sign(b"hostless entry" + payload)])
        self._nursery.start_soon(self._say_later, signed)

    async def _say_later(self, signed: bytes) -> None:
        await trio.sleep(0.5)
        await self.say(["entry", signed])


@session_of(Outcome.TURNED_AWAY)
class NotCanonical(Talker):
    """Send a frame that says a small number in many bytes."""

    async def blurt(self, raw: bytes) -> None:
        await self.say_bytes(frame(b"\x1b" + bytes(8)))


@session_of(Outcome.TURNED_AWAY)
class TooLong(Talker):
    """Announce a frame that is longer than any may be."""

    async def blurt(self, raw: bytes) -> None:
        await self.say_bytes((FRAME_BYTES_MAX + 1).to_bytes(4) + bytes(64))


@session_of(Outcome.TURNED_AWAY)
class TooDeep(Talker):
    """Send arrays inside arrays inside arrays."""

    async def blurt(self, raw: bytes) -> None:
        await self.say_bytes(frame(b"\x81" * (DEPTH_MAX + 5) + b"\x80"))


@session_of(Outcome.IN_VAIN)
class NeverEnds(Talker):
    """Announce a frame, and never send the rest of it."""

    async def blurt(self, raw: bytes) -> None:
        for link in self.links.values():
            link._keep_alive = None  # type: ignore[method-assign, assignment]
        await self.say_bytes((1000).to_bytes(4) + bytes(10))


@session_of(Outcome.IN_VAIN)
class OldEntries(Talker):
    """Send everything that was ever said, again and again."""

    async def blurt(self, raw: bytes) -> None:
        for _ in range(MANY // (1 + len(self.replica.log))):
            for entry in self.replica.log:
                await self.say(["entry", entry.raw])


@session_of(Outcome.IN_VAIN)
class ManyQuestions(Talker):
    """Ask for the whole log, hundreds of times."""

    async def blurt(self, raw: bytes) -> None:
        for _ in range(MANY // 10):
            await self.say(["have", 0])


@session_of(Outcome.IN_VAIN)
class HeadsOfTheFuture(Talker):
    """Acknowledge logs that nobody will ever have."""

    async def blurt(self, raw: bytes) -> None:
        for height in range(MANY):
            await self.say(acknowledged(self.replica, (1 << 31) + height, bytes(32)))


@session_of(Outcome.TURNED_AWAY)
class HeadOfAnother(Talker):
    """Acknowledge a log in the name of another seat."""

    async def blurt(self, raw: bytes) -> None:
        said = acknowledged(self.replica, self.replica.height, bytes(32))
        await self.say([*said[:2], self.replica.others[0], *said[3:]])
