"""The game of a replica, as membership asks about it: what follows from its log."""

from __future__ import annotations

from typing import Final, Protocol

from p2p.base.entry import Entry, next_head
from p2p.base.roster import Roster
from p2p.game.script import Play
from p2p.game.steps import Step
from p2p.log.membership.log import ChangeItem, Log
from p2p.log.membership.messages import Change
from p2p.log.membership_change import change_entry, may_change

ANSWERS: Final = ("choose", "unseal")  # Entries by which a seat has answered a request.


class Playing(Protocol):
    """What of a replica says how the game stands."""

    game_id: bytes
    roster: Roster
    play: Play
    step: Step | None
    tip: Log

    @property
    def log(self) -> list[Entry]:
        """All steps that are closed."""


class ReplicaGame:
    """The `LogGame` of a replica: it knows what is due where its log ends, and nowhere else."""

    def __init__(self, replica: Playing) -> None:
        """As the replica stands whenever it is asked."""
        self._replica = replica

    def due(self, log: Log) -> frozenset[int]:
        """The seats of which the current step needs an entry; nobody: the game is over."""
        step = self._replica.step if log == self._replica.tip else None
        return frozenset() if step is None else frozenset(step.writers)

    def is_between_requests(self, log: Log) -> bool:
        """Whether the current request has only been asked."""
        step = self._step_at(log)
        return step is not None and step.is_choice and not self._replica.play.sealed

    def answered(self, log: Log, seat: int) -> int:
        """How many requests have been answered for a seat, by whomever."""
        entries = self._replica.log[: log.height]
        return sum(entry.seat == seat and entry.kind in ANSWERS for entry in entries)

    def may_change(self, log: Log, change: Change) -> bool:
        """Whether the game can go on with these members, as far as their keys allow it."""
        replica = self._replica
        if self._step_at(log) is None or replica.roster.replacement is None:
            return False
        return may_change(replica.play, change)

    def may_call_silent(self, seat: int, voters: frozenset[int]) -> bool:
        """Whether several persons stand behind these members."""
        return self._replica.roster.may_call_silent(seat, voters)

    def head_behind(self, log: Log, decided: ChangeItem) -> bytes:
        """The head of a log that has a change behind it."""
        return next_head(log.head, [change_entry(self._replica.game_id, log, decided)])

    def _step_at(self, log: Log) -> Step | None:
        """The step that is due where a log ends, which a change leaves as it is."""
        tip = self._replica.tip
        while log != tip and isinstance(log.item, ChangeItem) and log.below is not None:
            log = log.below
        return self._replica.step if log == tip else None
