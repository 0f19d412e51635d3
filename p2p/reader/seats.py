"""Who speaks for each seat as a file has it: its owner, or from some entry on everybody.

docs/protocol.md, section 18, for somebody who only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from p2p.cards.errors import ProofError
from p2p.cards.group import Point, base, parse_scalars
from p2p.entry import Entry
from p2p.errors import BadSignature
from p2p.identity import verify
from p2p.open_seats import open_identity
from p2p.roster import Roster
from p2p.wire import encode

KIND: Final = "stand in"
TURN: Final = 1 << 16
ROUNDS_MAX: Final = 1 << 16


class Seats:
    """Every seat of a table, and whether somebody sits there."""

    def __init__(self, roster: Roster) -> None:
        """As the roster has it."""
        self._roster, self._game = roster, roster.game_id()
        self.publics: Sequence[Point] = ()  # Their keys, once these are agreed on.
        self.open = set(roster.open_seats())
        self.stood_in: dict[
            int, int
        ] = {}  # From which entry of the log on everybody speaks for it.

    @property
    def live(self) -> tuple[int, ...]:
        """The seats at which somebody sits."""
        return tuple(at for at in range(len(self._roster.seats)) if at not in self.open)

    def signer(self, seat: int, number: int) -> bytes:
        """The identity that signs the entry with this number."""
        turn = number // TURN
        if not turn:
            return self._roster.seats[seat].identity
        place = seat.to_bytes(4, "little") + turn.to_bytes(4, "little")
        nonce = hashlib.sha256(b"hostless stand-in" + self._game + place).digest()
        return open_identity(nonce).public

    def stand_in(self, entry: Entry, place: int) -> None:
        """Everybody speaks for a seat from this entry on, which is at `place` in the log.

        Raises:
            ProofError: not all others agreed, or it is not its key.
        """
        match entry.body:
            case [int(number), list(signatures), bytes(key)] if (
                type(number) is int and 0 <= number < ROUNDS_MAX
            ):
                self._check_words(entry, number, signatures)
                self._check_key(entry.seat, key)
            case _:
                raise ProofError("the word of all others and a key were expected")
        self.open.add(entry.seat)
        self.stood_in[entry.seat] = place

    def _check_words(self, entry: Entry, number: int, signatures: list[object]) -> None:
        signers = [seat for seat in self.live if seat != entry.seat]
        if self._roster.stand_in is None or entry.seat in self.open or not signers:
            raise ProofError("nobody stands in for this seat")
        if len(signatures) != len(signers):
            raise ProofError("a seat that is gone needs the word of all others")
        for signer, signature in zip(signers, signatures, strict=True):
            place = [self._game, entry.height, entry.head, signer, entry.seat, number, True]
            said = b"hostless absence" + encode(place)
            try:
                verify(self._roster.seats[signer].identity, _bytes(signature), said)
            except BadSignature as error:
                raise ProofError(f"seat {signer} did not give its word") from error

    def _check_key(self, seat: int, key: bytes) -> None:
        (secret,) = parse_scalars(key, 1)
        if not self.publics or base(secret) != self.publics[seat]:
            raise ProofError("this is not the key of that seat")


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ProofError("a signature was expected")
