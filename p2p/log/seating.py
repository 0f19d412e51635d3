"""Who signs for each seat, and who decides for it: its owner, or everybody since it was gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum, StrEnum
from typing import Final

from p2p.base.entry import Entry
from p2p.base.identity import Identity
from p2p.base.roster import (
    BotTerms,
    Roster,
    Seat,
    open_identity,
    replacement_identity,
    replacement_nonce,
)
from p2p.game.steps import Offence


class SeatPhase(IntEnum):
    """Whose a seat is; each phase is a seat epoch, and these go round."""

    OWNED = 0  # Its owner signs and decides.
    OPEN = 1  # Everybody does.
    RESTORED = 2  # Nothing is signed in this epoch but the entry by which the seat goes back.


EPOCHS_EACH: Final = len(SeatPhase)  # From one time that a seat is its owner's to the next.


class SeatEvent(StrEnum):
    """What moves a seat on: an entry of this kind."""

    REPLACE = "replace"
    RESTORE = "restore"


SEAT_LIFE: Final[Mapping[tuple[SeatPhase, SeatEvent], SeatPhase]] = {
    (SeatPhase.OWNED, SeatEvent.REPLACE): SeatPhase.OPEN,
    (SeatPhase.OPEN, SeatEvent.RESTORE): SeatPhase.OWNED,
}
"""The life cycle of a seat: (phase, event) -> the phase after it.  Nothing else ever happens."""


class Seating:
    """The seats of a table, and how often each has changed hands."""

    def __init__(self, roster: Roster) -> None:
        """As the roster has it."""
        self._roster, self._game_id = roster, roster.game_id
        self.seat_epochs = [0] * len(roster.seats)  # How far each has come: see `SeatPhase`.

    def is_owned(self, seat: int, seat_epoch: int | None = None) -> bool:
        """Whether a seat is its owner's, now or in a seat epoch."""
        now = self.seat_epochs[seat] if seat_epoch is None else seat_epoch
        return phase_in(now) is SeatPhase.OWNED

    def change(self, seat: int, event: SeatEvent) -> None:
        """Something has happened to a seat: on to its next epoch that has the phase after it."""
        phase = phase_in(self.seat_epochs[seat])
        assert (phase, event) in SEAT_LIFE, f"a seat that is {phase.name} cannot {event}"
        self.seat_epochs[seat] += (SEAT_LIFE[phase, event] - phase) % EPOCHS_EACH

    def bot_terms_of(self, seat: int) -> BotTerms | None:
        """The terms of the bot that decides for a seat now; None for a person."""
        replacement = self._roster.replacement
        if not self.is_owned(seat) and replacement is not None:
            return replacement.bot_terms
        return self._roster.seats[seat].bot_terms

    def seats(self) -> tuple[Seat, ...]:
        """The seats as they are now: some may have become those of open bots."""
        return tuple(
            seat
            if self.is_owned(index)
            else replace(seat, bot_terms=self.bot_terms_of(index), sponsor=seat.identity)
            for index, seat in enumerate(self._roster.seats)
        )

    def signer(self, seat: int, seat_epoch: int) -> bytes:
        """By whom a seat's entries are signed in a seat epoch: its owner, or everybody for it."""
        if self.is_owned(seat, seat_epoch):
            return self._roster.seats[seat].identity
        return replacement_identity(self._game_id, seat, seat_epoch).public

    def open_identity_of(self, seat: int) -> Identity:
        """The identity of a seat for which everybody signs now."""
        if not self.is_owned(seat):
            return replacement_identity(self._game_id, seat, self.seat_epochs[seat])
        return open_identity(self._roster.seats[seat].nonce)

    def nonce_of(self, seat: int) -> bytes:
        """From which all follows that a seat has whose key is lost, in its epoch."""
        return replacement_nonce(self._game_id, seat, self.seat_epochs[seat])


def shown_by(offence: Offence, log: Sequence[Entry]) -> list[bytes]:
    """The entries that show it; none if anybody could have signed the first of them."""
    if not offence.is_sealed:
        return [entry.raw for entry in log[-2:]]  # The choice that was void, and its card.
    seal = next(each for each in reversed(log) if (each.seat, each.kind) == (offence.seat, "seal"))
    is_owned = phase_in(seal.seat_epoch) is SeatPhase.OWNED
    return [seal.raw] if is_owned else []


def phase_in(seat_epoch: int) -> SeatPhase:
    """Whose a seat is in a seat epoch."""
    return SeatPhase(seat_epoch % EPOCHS_EACH)
