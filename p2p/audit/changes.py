"""Changes of members as a file has them: by whom each is in force, and what proves its reason.

docs/spec/protocol.md, sections 14 and 18, for somebody who only reads.  A change is in force when
all members that it leaves have acknowledged it.  It may be only with a later one: whoever goes by
that need not have acknowledged it.  What such a member wrote in between answers the change, too.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final, NamedTuple

from p2p.base.entry import Entry
from p2p.base.errors import MalformedFrame
from p2p.base.roster import Roster
from p2p.log.membership.evidence import find_all, parse_statement
from p2p.log.membership.log import ChangeItem, EntryRef
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Ack,
    Change,
    Farewell,
    RestoreWish,
    Signed,
    parse_change,
    verifier_of,
)
from p2p.log.notes import InForceNote, LogEnd

REPLACE_KIND: Final = "replace"
RESTORE_KIND: Final = "restore"


class UnfinishedChange(NamedTuple):
    """A change that is not in force by its own acknowledgements yet."""

    offset: int  # Of its entry in the file.
    place: int  # And in the log.
    gone: frozenset[int]
    back: frozenset[int]
    members: frozenset[int]  # That it leaves.
    ackers: frozenset[int]


def are_in_force(changes: Sequence[UnfinishedChange]) -> bool:
    """Whether the last of these changes is in force, and the others with it."""
    stay = changes[-1].members
    return all(each.members & stay <= each.ackers for each in changes)


def is_kind_of_change(kind: str) -> bool:
    """Whether a seat changes hands by an entry of this kind."""
    return kind in (REPLACE_KIND, RESTORE_KIND)


def parse_body(entry: Entry) -> ChangeItem:
    """What all have agreed on, as an entry says.

    Raises:
        MalformedFrame: it says nothing of that kind.
    """
    match entry.body:
        case [str(reason), bytes(key), list(leavers), int(number)] if (
            type(number) is int and number >= 0
        ):
            change = parse_change([entry.seat, reason, key, leavers])
            is_back = change.reason == REASON_RESTORE
            if entry.kind == (RESTORE_KIND if is_back else REPLACE_KIND):
                return ChangeItem(entry.parent, change, number)
    raise MalformedFrame("nobody could have agreed on this")


class Certificates:
    """What stands in a file beside its changes of members."""

    def __init__(self, roster: Roster, notes: Sequence[InForceNote]) -> None:
        """`notes` in the order of the file."""
        self._roster = roster
        self._verify = verifier_of([seat.identity for seat in roster.seats], roster.game_id)
        self._notes = {note.height: note for note in notes}

    def of(self, height: int) -> InForceNote | None:
        """What is noted of the change behind which the log has this height."""
        return self._notes.get(height)

    def outside(self, places: Set[int], height: int) -> int | None:
        """Where something is noted of a change that is none, in a log of this height; or None."""
        offsets = (note.offset for at, note in self._notes.items()
                   if at <= height and at not in places)  # fmt: skip
        return next(offsets, None)

    def acks(self, note: InForceNote, decided: ChangeItem, end: LogEnd) -> list[Ack]:
        """By whom just this change is acknowledged.

        Raises:
            BadSignature: somebody has not who is said to.
        """
        due = (end.epoch, note.height, end.parent, end.head, decided.change, decided.round)
        acks = [each for each in note.acks if (each.epoch, *each[2:7]) == due]
        for ack in acks:
            self._verify(ack)
        return acks

    def check_reason(
        self, note: InForceNote, change: Change, epoch: bytes, needed: Set[int]
    ) -> None:
        """Make sure that a change has the reason that it gives; `epoch` is the one that it ends.

        What convicts somebody is judged when all has been read.

        Raises:
            MalformedFrame: it has another; BadSignature: what proves it was not signed.
        """
        count = len(note.proof) - len(change.leavers)
        own, farewells = note.proof[: max(count, 0)], note.proof[max(count, 0) :]
        if count < 0 or (len(own) == 0) != (change.reason == REASON_SILENT):
            raise MalformedFrame("nothing proves the reason of this change")
        if change.reason == REASON_SILENT and not self._roster.may_call_silent(change.seat, needed):
            raise MalformedFrame("one person alone cannot say that somebody is silent")
        for seat, raw in zip(change.leavers, farewells, strict=True):
            self._check_said(self._parsed(raw), Farewell, (epoch, seat))
        if change.reason in (REASON_LEFT, REASON_RESTORE):
            said = self._parsed(own[0])
            kind = Farewell if change.reason == REASON_LEFT else RestoreWish
            self._check_said(said, kind, (epoch, change.seat))
            if len(own) > 1 or said.key != change.key:
                raise MalformedFrame("another key was given than all have agreed on")

    @staticmethod
    def _parsed(raw: bytes) -> Farewell | RestoreWish:
        said = parse_statement(raw)
        if not isinstance(said, Farewell | RestoreWish):
            raise MalformedFrame("nothing proves the reason of this change")
        return said

    def _check_said(
        self, said: Farewell | RestoreWish, kind: type[Signed], due: tuple[bytes, int]
    ) -> None:
        if not isinstance(said, kind) or (said.epoch, said.seat) != due:
            raise MalformedFrame("this was said of another epoch, or by another seat")
        self._verify(said)

    def contradictions(self, raws: Sequence[bytes]) -> dict[int, str]:
        """What is wrong with messages that were noted as evidence, by seat.

        Raises:
            MalformedFrame, BadSignature: nobody signed these.
        """
        said = [each for each in map(parse_statement, raws) if not isinstance(each, EntryRef)]
        for message in said:
            self._verify(message)
        return {found.seat: _CONTRADICTIONS[found.kind] for found in find_all(said)}


_CONTRADICTIONS: Final = {
    "E2": "acknowledged two logs in one place",
    "E3": "voted for two things in one round",
    "E4": "refused what it acknowledges",
}


def is_convicting(change: Change) -> bool:
    """Whether a seat goes because it has cheated."""
    return change.reason == REASON_CONVICTED
