"""Cheaters that keep something to themselves, or say it too early."""

from __future__ import annotations

from p2p.base.entry import parse_entry
from tests.p2p.acknowledging import claimed
from tests.simulation.cheaters.kinds import Cheater, Outcome, session_of


class Withholding(Cheater):
    """Does not write its n-th entry of some kinds, and nothing after it."""

    kinds: tuple[str, ...] = ()

    async def _write(self) -> bool:
        if self.is_due(*self.kinds) and (self.did or self.is_turn()):
            self.did = True
            return False
        return await super()._write()


@session_of(Outcome.WAITED_FOR)
class WithheldShare(Withholding):
    """Keep a share, so that a card cannot be read."""

    kinds = ("share",)


@session_of(Outcome.WAITED_FOR)
class WithheldOpening(Withholding):
    """See the others' shares of a roll, and do not like what comes of it."""

    kinds = ("roll",)


@session_of(Outcome.WAITED_FOR)
class WithheldProof(Withholding):
    """Shuffle, and never prove it."""

    kinds = ("prove",)


@session_of(Outcome.WAITED_FOR)
class WithheldChoice(Withholding):
    """Sit there, and never choose."""

    kinds = ("choose",)


@session_of(Outcome.WAITED_FOR)
class WithheldResult(Withholding):
    """Do not sign that it has lost."""

    kinds = ("finish",)


@session_of(Outcome.IN_VAIN)
class EarlyOpener(Cheater):
    """Open cards and shares before the others have said that they have the same log."""

    async def _write(self) -> bool:
        replica = self.replica
        if replica.step is not None and replica.me in replica.waited_for():
            for seat in replica.others:
                said = claimed(replica, seat, replica.height, replica.head)
                replica.acks.receive(said, replica.committed, replica.height)
            replica.obligations.clear()
            self.did = True
        return await super()._write()


@session_of(Outcome.IN_VAIN)
class Whisperer(Cheater):
    """Tell an entry to one seat only, and nothing to the rest."""

    async def broadcast(self, message: list[object]) -> None:
        match message:
            case ["entry", bytes(raw)] if parse_entry(raw).seat == self.replica.me:
                if not self.did and self.is_turn():
                    self.did = True
                    await self.send(self.replica.others[0], message)
                    return
        await super().broadcast(message)
