"""What a screen is shown of a running game: the newest snapshot, whenever something changes."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from p2p.session.clocks import Clocks
from p2p.session.failure_detector import FailureDetector
from p2p.session.news import TableChanged
from p2p.session.relaying import Relaying
from p2p.session.snapshot import snapshot_of, unsigned
from p2p.session.table import RunningTable
from p2p.session.taking_back import TakingBack
from p2p.session.talking import Talk


class Seen(NamedTuple):
    """What a snapshot shows beside the game."""

    relaying: Relaying
    failure_detector: FailureDetector
    clocks: Clocks
    talk: Talk
    taking_back: TakingBack


class Showing:
    """The snapshots of one running game."""

    def __init__(self, table: RunningTable, seen: Seen) -> None:
        """Nothing is shown yet."""
        self._table, self._replica, self._seen = table, table.replica, seen
        self._shown: object = None
        self._strangers: tuple[str, ...] = ()

    def show(self) -> bool:
        """Publish the newest snapshot if anything that a player can see has changed; if it has."""
        state = self._state()
        is_new, self._shown = state != self._shown, state
        if is_new:
            self._table.publish(self.snapshot())
        return is_new

    def _state(self) -> object:
        replica, seen = self._replica, self._seen
        is_choice = replica.step is not None and replica.step.is_choice
        return (
            len(replica.play.events),
            tuple(replica.seating.seat_epochs),  # A seat that is its owner's again is no bot's.
            replica.waited_for() if is_choice else unsigned(replica),
            seen.relaying.reached(),
            replica.play.is_signed,
            bool(replica.obligations),
            seen.failure_detector.away(),
            seen.failure_detector.claiming.silence(),
            seen.clocks.changes(),
            seen.taking_back.asked(),
        )

    def snapshot(self) -> TableChanged:
        """What a screen shows now."""
        seen, path = self._seen, self._table.game_file.path
        snapshot = snapshot_of(self._replica, path, self._strangers, seen.relaying.reached())
        away, silence = seen.failure_detector.away(), seen.failure_detector.claiming.silence()
        asked, may_ask = seen.taking_back.asked(), seen.taking_back.may_ask()
        clocks, hastened = seen.clocks.shown(), frozenset(seen.clocks.by_bots)
        return replace(snapshot, away=away, silence=silence, clocks=clocks, hastened=hastened,
                       asked_back=asked, may_ask_back=may_ask,
                       why_not_back=seen.taking_back.why_not())  # fmt: skip

    def introduce(self, strangers: tuple[str, ...]) -> None:
        """Show who is a stranger here."""
        self._strangers = strangers
        if self._shown is not None:
            self._table.publish(self.snapshot())
