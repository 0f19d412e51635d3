"""When a member is told that time has passed: to propose again, or that nobody answered its yes."""

from __future__ import annotations

import trio

from p2p.log.membership.state import Retry, Unanswered


class Timers:
    """What a member will be told, and when."""

    def __init__(self) -> None:
        """Nothing."""
        self._due: list[tuple[float, Retry | Unanswered]] = []

    @property
    def are_none(self) -> bool:
        """Whether there is nothing to wait for."""
        return not self._due

    def wake(self, given: Retry | Unanswered, seconds: float) -> None:
        """Tell it this in so many seconds; my newest yes has its own time."""
        if isinstance(given, Unanswered):
            self._due = [each for each in self._due if each[1] != given]
        self._due.append((trio.current_time() + seconds, given))

    def due(self) -> list[Retry | Unanswered]:
        """What it is to be told by now, each once."""
        now = trio.current_time()
        due = [given for at, given in self._due if at <= now]
        self._due = [(at, given) for at, given in self._due if at > now]
        return list(dict.fromkeys(due))
