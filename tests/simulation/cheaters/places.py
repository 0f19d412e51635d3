"""Cheaters that sign something in another place of the log than it belongs to, or sign twice."""

from __future__ import annotations

from typing import Any, ClassVar, Final
from unittest.mock import patch

import trio

from core.games.dominion.cards import ACTING, HAND, IS_ACTION, PHASE
from core.requests import Action, Card
from p2p.base.entry import DIGEST_BYTES, HASH_BYTES, Entry, parse_entry
from p2p.base.wire import decode, encode
from p2p.log.replica import Replica
from tests.p2p.acknowledging import acknowledged
from tests.simulation.cheaters.kinds import Cheater, Outcome, session_of

PARTS: Final = ["game", "seat", "epoch", "height", "head", "digest", "kind", "body"]


def resigned(replica: Replica, entry: Entry, **changes: object) -> bytes:
    """The entry with other contents, signed again by the cheater."""
    values = decode(entry.payload)
    assert isinstance(values, list) and replica.identity is not None, "it is an entry"
    changed = {**dict(zip(PARTS, values, strict=True)), **changes}
    payload = encode(list(changed.values()))
    return encode([payload, replica.identity.sign(b"hostless entry" + payload)])


class Misplaced(Cheater):
    """Signs one entry with other words around its content."""

    changes: ClassVar[dict[str, object]] = {}
    forged: Entry | None = None

    async def _write(self) -> bool:
        step, write = self.replica.step, self.replica.write
        is_mine = step is not None and self.is_due(step.kind) and not self.did
        if not is_mine or not self.is_turn():
            return await super()._write()
        self.did = True

        def misplaced(action: Action | None = None, seat: int | None = None) -> Entry:
            self.replica.write = write  # type: ignore[method-assign]
            self.forged = parse_entry(resigned(self.replica, write(action, seat), **self.changes))
            return self.forged

        self.replica.write = misplaced  # type: ignore[method-assign]
        return await super()._write()


@session_of(Outcome.NAMED)
class OtherState(Misplaced):
    """Sign the digest of another table than the one that the rules give."""

    changes: ClassVar[dict[str, object]] = {"digest": b"\1" * DIGEST_BYTES}


@session_of(Outcome.NAMED)
class OtherKindOfEntry(Misplaced):
    """Write an entry of another kind than is due."""

    changes: ClassVar[dict[str, object]] = {"kind": "something else"}


@session_of(Outcome.WAITED_FOR)
class LogThatNobodyHas(Misplaced):
    """Answer a log that it cannot show."""

    changes: ClassVar[dict[str, object]] = {"head": b"\1" * HASH_BYTES}

    async def _write(self) -> bool:
        had, seat = self.did, self.replica.me
        if had and self.forged is not None and seat is not None:
            is_here = self.forged.seat_epoch == self.replica.seating.seat_epochs[seat]
            return False if is_here else await super()._write()  # Once it is back it is honest.
        has_written = await super()._write()
        if self.forged is not None:  # The rules say nothing in a place that is not there.
            await self.broadcast(["entry", self.forged.raw])
        return has_written

    def is_turn(self) -> bool:
        return self.replica.height > 0 and super().is_turn()  # Once all links are there.


@session_of(Outcome.WAITED_FOR)
class OtherHead(Cheater):
    """Say that it has another log than the others, and never show it."""

    since: tuple[bytes, int] | None = None  # The epoch and the height at which it begins to lie.

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._tell, self.table.send = self.table.send, self.send  # type: ignore[method-assign]

    async def broadcast(self, message: list[object]) -> None:
        match message:
            case ["ack", bytes(epoch), _, int(height), *_] if not self.did and self.is_turn():
                self.did, self.since = True, (epoch, height)
        await super().broadcast(self.bent(message))

    async def send(self, seat: int, message: list[object]) -> None:
        await self._tell(seat, self.bent(message))

    def bent(self, message: list[object]) -> list[object]:
        """A lie in place of each acknowledgement of mine, in the epoch in which I began to lie."""
        match message:
            case ["ack", bytes(epoch), self.replica.me, int(height), *_] if self.since is not None:
                if epoch == self.since[0] and height >= self.since[1]:
                    return acknowledged(self.replica, height, bytes(HASH_BYTES))
        return message


class Twins(Cheater):
    """Makes two entries that answer one log."""

    kinds: tuple[str, ...] = ()
    twin: Entry | None = None
    has_begun = False  # Somebody has heard one of them.

    async def _write(self) -> bool:
        if self.is_due(*self.kinds) and not self.did:
            twin = self.another()
            if twin is not None and self.is_turn():
                self.twin, self.did = twin, True
        return await super()._write()

    def another(self) -> Entry | None:
        """A second entry for the current step, if there can be one that differs."""
        return self.replica.write()

    async def broadcast(self, message: list[object]) -> None:
        match message:
            case ["entry", bytes(raw)] if self.is_twin(raw) and self.is_heard_by_all():
                self.has_begun = True
                await self.say_both(raw)
            case _:
                await super().broadcast(message)

    def is_heard_by_all(self) -> bool:
        """Whether everybody is in reach; else it stays honest until the next opportunity."""
        if self.has_begun or set(self.replica.others) <= self.links.keys():
            return True
        self.twin, self.did = None, False
        self.nth += 1
        return False

    def is_twin(self, raw: bytes) -> bool:
        """Whether this is the entry of which there are two."""
        return self.twin is not None and self.twin.parent == parse_entry(raw).parent

    async def say_both(self, raw: bytes) -> None:
        """One to the first of the others, its twin to the rest."""
        assert self.twin is not None, "there are two"
        first, *rest = self.replica.others
        await self.send(first, ["entry", raw])
        for seat in rest:
            await self.send(seat, ["entry", self.twin.raw])


@session_of(Outcome.NAMED, game="carta", forks=True)
class TwoChoices(Twins):
    """Say one choice to one seat and another choice to the rest."""

    kinds = ("choose",)

    def another(self) -> Entry | None:
        chosen = self.mine()
        offers = [offer.action for offer in self.replica.view().offers]
        others = [action for action in offers if action != chosen]
        return self.replica.write(others[0]) if others else None


@session_of(Outcome.NAMED, forks=True)
class TwoDecks(Twins):
    """Give one shuffled deck to one seat and another to the rest."""

    kinds = ("shuffle",)


@session_of(Outcome.NAMED, forks=True)
class TwoProofsOfOneShare(Twins):
    """Sign one share with two proofs: the same words twice, but not the same bytes."""

    kinds = ("share",)


@session_of(Outcome.NAMED, game="carta")
class SecondThoughts(TwoChoices):
    """Say a choice, wait for what becomes of it, and say another one in its place."""

    async def say_both(self, raw: bytes) -> None:
        assert self.twin is not None, "there are two"
        twin, self.twin = self.twin, None
        await super().broadcast(["entry", raw])
        self._nursery.start_soon(self._regret, twin)

    async def _regret(self, twin: Entry) -> None:
        await trio.sleep(1.0)
        await self.broadcast(["entry", twin.raw])


@session_of(Outcome.NAMED, game="carta")
class WhisperedRegret(SecondThoughts):
    """Say a choice to all, and another one in its place to a single seat, a moment later."""

    async def _regret(self, twin: Entry) -> None:
        await trio.sleep(1.0)
        await self.send(self.replica.others[0], ["entry", twin.raw])

    async def _take(self, source: int, entry: Entry) -> None:
        if entry.seat != self.replica.me:  # It tells nobody what others hold against it.
            await super()._take(source, entry)


@session_of(Outcome.NAMED, game="dominion")
class ForbiddenCard(Cheater):
    """Play a card that is no Action as one: nobody sees what it is before it is turned up."""

    async def _write(self) -> bool:
        replica, card = self.replica, self._lie()
        if card is None or not self.is_due("choose") or not (self.did or self.is_turn()):
            return await super()._write()
        self.did = True
        with patch.object(replica.play, "_legal", lambda _: Action("play", (card,))):
            return await super()._write()

    def _lie(self) -> Card | None:
        """A card of the hand that is no Action, when one is to be played."""
        play, me = self.replica.play, self.replica.me
        if me is None or play.dealing is None or play.table.counters[PHASE] != ACTING:
            return None
        hand, observation = play.table.zones[HAND[me]], play.dealing.observation
        return next((card for card in hand if not IS_ACTION[observation[card]]), None)
