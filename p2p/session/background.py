"""What threads do for a table while it goes on: verify what was said, prepare what will be."""

from __future__ import annotations

from typing import Final

import trio

from p2p.base.entry import Entry
from p2p.base.errors import PeerError
from p2p.game.shuffling import Shuffling
from p2p.game.steps import Obligation
from p2p.log.replica import Replica
from p2p.session.table import Inbox

REST_S: Final = 0.03  # After a choice is due, before anything is made ahead.


class Background:
    """The long work of one seat; threads verify, prove, and prepare."""

    def __init__(self, replica: Replica, inbox: Inbox) -> None:
        """Tell the inbox when something is done."""
        self._replica, self._inbox = replica, inbox
        self._verifying = self._providing = self._filling = False
        self._failed: list[tuple[Entry, Obligation]] = []  # What did not hold the last time.

    def open(self, nursery: trio.Nursery) -> None:
        """Begin what is to be done, if nobody is at it."""
        self._verify(nursery)
        self._provide(nursery)

    def _verify(self, nursery: trio.Nursery) -> None:
        """Verify postponed proofs: the step closes when they hold."""
        waiting = self._replica.obligations
        is_due = bool(waiting) and waiting != self._failed
        if is_due and not self._verifying:
            self._verifying = True
            nursery.start_soon(self._verify_all)

    async def _verify_all(self) -> None:
        waiting = list(self._replica.obligations)
        try:
            await trio.to_thread.run_sync(self._verify_each, waiting)
        except PeerError as error:
            self._failed, self._verifying = waiting, False
            await self._inbox.send((None, ["guilty", error]))
        else:
            await self._inbox.send((None, ["verified", waiting]))

    def note_verified(self, proofs: list[object]) -> None:
        """These hold.  Others wait instead if the step was read once more meanwhile."""
        left = self._replica.obligations
        left[:] = [each for each in left if each not in proofs]
        self._verifying = False

    def _verify_each(self, waiting: list[tuple[Entry, Obligation]]) -> None:
        for entry, obligation in waiting:
            self._replica.verify_obligation(entry, obligation)

    def _provide(self, nursery: trio.Nursery) -> None:
        """Work out what my next entries will need.

        While others shuffle, decks that I have said can be proven and theirs made ready for their
        proofs; what the next shuffle needs is made while somebody thinks.
        """
        step, dealing = self._replica.step, self._replica.play.dealing
        if self._providing or step is None or dealing is None:
            return
        shuffling, is_idle = dealing.shuffling, step.is_choice and not self._verifying
        if shuffling.has_early_work:
            self._providing = True
            nursery.start_soon(self._work_early, shuffling)
        if is_idle and not self._filling and shuffling.lacks():
            self._filling = True
            nursery.start_soon(self._fill, shuffling)

    async def _work_early(self, shuffling: Shuffling) -> None:
        await trio.to_thread.run_sync(shuffling.work_early)
        self._providing = False

    async def _fill(self, shuffling: Shuffling) -> None:
        """Let others see first what I see: they may share a processor with me."""
        await trio.sleep(REST_S)
        await trio.to_thread.run_sync(shuffling.precompute)
        self._filling = False
