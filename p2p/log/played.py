"""A game that is played, as membership asks about it: what follows from the log of a replica."""

from __future__ import annotations

from typing import Final, Protocol

from p2p.base.entry import Entry
from p2p.game.script import Play
from p2p.game.steps import Step
from p2p.log.membership.log import Log

ANSWERS: Final = ("choose", "unseal")  # Entries by which a seat has answered a request.


class Playing(Protocol):
    """What of a replica says how the game stands."""

    play: Play
    step: Step | None
    tip: Log

    @property
    def log(self) -> list[Entry]:
        """All steps that are closed."""


class PlayedGame:
    """The `LogGame` of a replica: it knows what is due where its log ends, and nowhere else."""

    def __init__(self, replica: Playing) -> None:
        """As the replica stands whenever it is asked."""
        self._replica = replica

    def due(self, log: Log) -> frozenset[int]:
        """The seats of which the open step needs an entry; nobody: the game is over."""
        step = self._replica.step if log == self._replica.tip else None
        return frozenset() if step is None else frozenset(step.writers)

    def owner(self, seat: int) -> int:
        """Each seat is a member by itself: bots are programs of their own and say their own."""
        return seat

    def is_between_requests(self, log: Log) -> bool:
        """Whether the open request has only been asked."""
        step = self._replica.step if log == self._replica.tip else None
        return step is not None and step.is_choice and not self._replica.play.sealed

    def answered(self, log: Log, seat: int) -> int:
        """How many requests have been answered for a seat, by whomever."""
        entries = self._replica.log[: log.height]
        return sum(entry.seat == seat and entry.kind in ANSWERS for entry in entries)
