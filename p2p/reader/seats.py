"""Who speaks for each seat as a file has it: its owner, or from some entry on everybody.

docs/protocol.md, section 18, for somebody who only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from p2p.cards.errors import ProofError
from p2p.cards.group import L, Point, base, parse_scalars
from p2p.cards.keys import joint_key
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
        self.lost: dict[int, int] = {}  # Whose old keys cards need; their new secrets.
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
        return open_identity(self._nonce(seat, turn)).public

    def _nonce(self, seat: int, turn: int) -> bytes:
        place = seat.to_bytes(4, "little") + turn.to_bytes(4, "little")
        return hashlib.sha256(b"hostless stand-in" + self._game + place).digest()

    def stand_in(self, entry: Entry, place: int) -> None:
        """Everybody speaks for a seat from this entry on, which is at `place` in the log.

        Raises:
            ProofError: not all others agreed, or it is not its key.
        """
        match entry.body:
            case [int(number), list(signatures), bytes() | None as key] if (
                type(number) is int and 0 <= number < ROUNDS_MAX
            ):
                answers = self._check_words(entry, number, signatures)
                if (None in answers) != (key is None):
                    raise ProofError("all others said otherwise of the key of this seat")
                if key is None:
                    self._replace_key(entry.seat, entry.number // TURN)
                else:
                    self._check_key(entry.seat, key)
            case _:
                raise ProofError("the word of all others and a key, or none, were expected")
        self.open.add(entry.seat)
        self.stood_in[entry.seat] = place

    def _check_words(self, entry: Entry, number: int, signatures: list[object]) -> set[bool | None]:
        """What all others said of the seat: that it is gone, or (None) that its key is as well."""
        signers = [seat for seat in self.live if seat != entry.seat]
        if self._roster.stand_in is None or entry.seat in self.open or not signers:
            raise ProofError("nobody stands in for this seat")
        if len(signatures) != len(signers):
            raise ProofError("a seat that is gone needs the word of all others")
        return {
            self._answer(signer, signature, [entry.height, entry.head, signer, entry.seat, number])
            for signer, signature in zip(signers, signatures, strict=True)
        }

    def _answer(self, signer: int, signature: object, place: list[object]) -> bool | None:
        for answer in (True, None):
            said = b"hostless absence" + encode([self._game, *place, answer])
            try:
                verify(self._roster.seats[signer].identity, _bytes(signature), said)
            except BadSignature:
                continue
            return answer
        raise ProofError(f"seat {signer} did not give its word")

    def _replace_key(self, seat: int, turn: int) -> None:
        """The key of a seat is lost: it gets that of an open seat."""
        if not self.publics:
            raise ProofError("nobody stands in for a seat without a key")
        seed = hashlib.sha256(b"hostless open seed" + self._nonce(seat, turn)).digest()
        drawn = hashlib.sha256(encode([seed, self._game, "key secret"])).digest()
        self.lost[seat] = int.from_bytes(hashlib.sha512(drawn).digest(), "little") % L
        public = base(self.lost[seat])
        self.publics = [public if at == seat else key for at, key in enumerate(self.publics)]
        joint_key(self.publics)

    def _check_key(self, seat: int, key: bytes) -> None:
        (secret,) = parse_scalars(key, 1)
        if not self.publics or base(secret) != self.publics[seat]:
            raise ProofError("this is not the key of that seat")


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ProofError("a signature was expected")
