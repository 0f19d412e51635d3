"""The life cycles of a link between two seats, and of a guest at a table that fills.

Each is a table, (phase, event) -> phase, in the form of `SEAT_LIFE` in `p2p.log.seating`, and is
drawn in ARCHITECTURE.md; a test holds the two to each other.  Nothing else ever happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Generic, TypeVar

PhaseT = TypeVar("PhaseT", bound=StrEnum)
EventT = TypeVar("EventT", bound=StrEnum)


class LifeCycle(Generic[PhaseT, EventT]):
    """How far one link, or one guest, has come."""

    def __init__(self, transitions: Mapping[tuple[PhaseT, EventT], PhaseT], phase: PhaseT) -> None:
        self._transitions, self.phase = transitions, phase

    def change(self, event: EventT) -> PhaseT:
        """Something has happened; gives the phase after it."""
        assert (self.phase, event) in self._transitions, f"in {self.phase} there is no {event}"
        self.phase = self._transitions[self.phase, event]
        return self.phase


class LinkPhase(StrEnum):
    """How far a link between two seats has come, for either end."""

    NONE = "none"
    ASKED = "asked"  # The caller has asked whether the other end takes this link,
    ANSWERED = "answered"  # which it does,
    LINKED = "linked"  # and the caller has confirmed it: by this link the two hear each other.


class LinkEvent(StrEnum):
    """What is said or heard on it, by the first word of the message; or that it has ended."""

    MESH = "mesh"
    MESHED = "meshed"
    BUSY = "busy"  # Another program sits on this seat, and is heard;
    FENCED = "fenced"  # or has taken it over.
    BEGIN = "begin"  # It is the link on which a guest sat down.
    CLOSED = "closed"


LINK_LIFE: Final[Mapping[tuple[LinkPhase, LinkEvent], LinkPhase]] = {
    (LinkPhase.NONE, LinkEvent.MESH): LinkPhase.ASKED,
    (LinkPhase.ASKED, LinkEvent.MESHED): LinkPhase.ANSWERED,
    (LinkPhase.ANSWERED, LinkEvent.MESHED): LinkPhase.LINKED,
    (LinkPhase.LINKED, LinkEvent.CLOSED): LinkPhase.NONE,
    (LinkPhase.NONE, LinkEvent.BEGIN): LinkPhase.LINKED,
    (LinkPhase.ASKED, LinkEvent.BUSY): LinkPhase.NONE,
    (LinkPhase.ASKED, LinkEvent.FENCED): LinkPhase.NONE,
    (LinkPhase.ASKED, LinkEvent.CLOSED): LinkPhase.NONE,
    (LinkPhase.ANSWERED, LinkEvent.BUSY): LinkPhase.NONE,
    (LinkPhase.ANSWERED, LinkEvent.FENCED): LinkPhase.NONE,
    (LinkPhase.ANSWERED, LinkEvent.CLOSED): LinkPhase.NONE,
}
"""A link: (phase, event) -> the phase after it."""


class VisitPhase(StrEnum):
    """Where a guest is at a table that fills, for its opener."""

    ANNOUNCED = "announced"  # It has seen the table.
    PASSWORD = "password"  # It is asked for one, if the table has one.
    SEATED = "seated"
    ROSTER = "roster"  # All seats are taken; it was sent the roster, and puts it on its disk.
    KEPT = "kept"
    GAME = "game"
    GONE = "gone"


class VisitEvent(StrEnum):
    """What happens to a guest."""

    SIT = "sit"
    ADMITTED = "admitted"  # It knew the password, or there is none, and a seat is free.
    REFUSED = "refused"
    FULL = "full"  # All seats are taken, and all bots measured.
    KEPT = "kept"  # It has the game on its disk.
    BEGIN = "begin"  # All have.
    REOPENED = "reopened"  # Somebody else left before all had it.
    CLOSED = "closed"


VISIT_LIFE: Final[Mapping[tuple[VisitPhase, VisitEvent], VisitPhase]] = {
    (VisitPhase.ANNOUNCED, VisitEvent.SIT): VisitPhase.PASSWORD,
    (VisitPhase.PASSWORD, VisitEvent.ADMITTED): VisitPhase.SEATED,
    (VisitPhase.SEATED, VisitEvent.FULL): VisitPhase.ROSTER,
    (VisitPhase.ROSTER, VisitEvent.KEPT): VisitPhase.KEPT,
    (VisitPhase.KEPT, VisitEvent.BEGIN): VisitPhase.GAME,
    (VisitPhase.ROSTER, VisitEvent.REOPENED): VisitPhase.SEATED,
    (VisitPhase.KEPT, VisitEvent.REOPENED): VisitPhase.SEATED,
    (VisitPhase.PASSWORD, VisitEvent.REFUSED): VisitPhase.GONE,
    (VisitPhase.SEATED, VisitEvent.CLOSED): VisitPhase.GONE,
    (VisitPhase.ROSTER, VisitEvent.CLOSED): VisitPhase.GONE,
    (VisitPhase.KEPT, VisitEvent.CLOSED): VisitPhase.GONE,
}
"""A guest while a table fills: (phase, event) -> the phase after it."""
