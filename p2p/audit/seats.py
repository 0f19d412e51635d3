"""Who speaks for each seat as a file has it: its owner, or from some entry on everybody.

docs/spec/protocol.md, section 18, for somebody who only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p.base.entry import Entry
from p2p.base.errors import BadSignature
from p2p.base.identity import verify
from p2p.base.roster import Roster, open_identity
from p2p.base.wire import encode
from p2p.crypto.group import L, Point, base, parse_scalars
from p2p.crypto.keys import joint_key
from p2p.crypto.transcript import ProofError

REPLACE_KIND: Final = "stand in"  # An older name for it, which frozen games hold.
RESTORE_KIND: Final = "back"
_EPOCHS_EACH: Final = 3  # The owner's, everybody's, and that of the entry by which it goes back.
_ROUNDS_MAX: Final = 1 << 16
_RETURNED: Final = 1 << 14  # Rounds from here on are about giving a seat back,
_CONVICTED: Final = 1 << 15  # and from here on about a seat that has cheated.


class Withheld(NamedTuple):
    """What a seat had not opened when it was gone, so that it was drawn or dealt anew."""

    entry: int  # The place in the log of the entry by which others began to speak for it.
    kind: str  # Of the entry that was due.


class Seats:
    """Every seat of a table, and whether somebody sits there."""

    def __init__(self, roster: Roster) -> None:
        """As the roster has it."""
        self._roster, self._game = roster, roster.game_id()
        self.publics: Sequence[Point] = ()  # Their keys, once these are agreed on.
        self.open = set(roster.open_seats())
        self.lost: dict[int, int] = {}  # Whose old keys cards need; their new secrets.
        self.replaced: dict[int, int] = {}  # From which entry on everybody spoke for it,
        self.withheld: dict[int, Withheld] = {}  # By seat, the last.
        self.given_back: dict[int, int] = {}  # and from which on it was its owner's again.
        self.epochs = [0] * len(roster.seats)
        self._times = [0] * len(roster.seats)  # How often each seat has gone,
        self.answers = [0] * len(roster.seats)  # and what was answered for it since.
        self.known: dict[int, int] = {}  # Keys of seats for which everybody speaks, or spoke.
        self.returning: set[int] = set()  # Whose owners are back, and have shown no new key.

    @property
    def live(self) -> tuple[int, ...]:
        """The seats at which somebody sits."""
        return tuple(at for at in range(len(self._roster.seats)) if at not in self.open)

    def signer(self, seat: int, epoch: int) -> bytes:
        """The identity that signs for a seat in an epoch."""
        if is_owned(epoch):
            return self._roster.seats[seat].identity
        return open_identity(self._nonce(seat, epoch)).public

    def _nonce(self, seat: int, epoch: int) -> bytes:
        place = seat.to_bytes(4, "little") + epoch.to_bytes(4, "little")
        return hashlib.sha256(b"hostless stand-in" + self._game + place).digest()

    def change_hands(self, entry: Entry, place: int, *, is_between: bool) -> bool:
        """Everybody begins, or ceases, to speak for a seat; whether the open step is void.

        `is_between`: the open step is the first of its request in which anybody chooses.

        Raises:
            ProofError: not all others agreed, or it is not its key, or not the place for it.
        """
        seat = entry.seat
        is_void = makes_void(entry) or seat in self.returning
        if entry.kind == RESTORE_KIND:
            self._give_back(entry, place, is_between=is_between)
        else:
            self._replace(entry, place)
        self.epochs[seat] += 1 + (entry.kind == RESTORE_KIND)
        return is_void

    def _give_back(self, entry: Entry, place: int, *, is_between: bool) -> None:
        seat, epoch = entry.seat, self.epochs[entry.seat]
        match entry.body:
            case [int(number), list(signatures), bytes(wish)] if (
                type(number) is int and _RETURNED <= number < _CONVICTED
            ):
                said = b"hostless return" + encode([self._game, seat, epoch])
                _check_signed(self._roster.seats[seat].identity, wish, said)
                if None in self._check_each(entry, number, self.live, signatures):
                    raise ProofError("a key that is known is not lost")
            case _:
                raise ProofError("the word of all, and of the owner, were expected")
        if epoch % _EPOCHS_EACH == 0 or not is_between or self.answers[seat] < self._times[seat]:
            raise ProofError("no seat goes back here")
        self.open.discard(seat)
        self.returning.add(seat)
        self.given_back[seat] = place

    def _replace(self, entry: Entry, place: int) -> None:
        """Everybody speaks for a seat from this entry on, which is at `place` in the log.

        Raises:
            ProofError: not all others agreed, or it is not its key.
        """
        match entry.body:
            case [int(number), list(signatures), bytes() | None as key] if (
                type(number) is int and 0 <= number < _ROUNDS_MAX
            ):
                answers = self._check_words(entry, number, signatures)
                if (None in answers) != (key is None):
                    raise ProofError("all others said otherwise of the key of this seat")
                if key is None and len(signatures) == 1:
                    raise ProofError("one seat alone cannot say that a key is lost")
                if key is None:
                    self._replace_key(entry.seat, entry.epoch)
                else:
                    self._check_key(entry.seat, key)
            case _:
                raise ProofError("the word of all others and a key, or none, were expected")
        self.open.add(entry.seat)
        self.returning.discard(entry.seat)
        self.replaced[entry.seat] = place
        self._times[entry.seat] += 1
        self.answers[entry.seat] = 0

    def _check_words(self, entry: Entry, number: int, signatures: list[object]) -> set[bool | None]:
        """What all others said of the seat: that it is gone, or (None) that its key is as well."""
        signers = [seat for seat in self.live if seat != entry.seat]
        if self._roster.replacement is None or entry.seat in self.open or not signers:
            raise ProofError("nobody replaces this seat")
        return self._check_each(entry, number, signers, signatures)

    def _check_each(
        self, entry: Entry, number: int, signers: Sequence[int], signatures: Sequence[object]
    ) -> set[bool | None]:
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

    def _replace_key(self, seat: int, epoch: int) -> None:
        """The key of a seat is lost: it gets that of an open seat."""
        if not self.publics:
            raise ProofError("nobody replaces a seat without a key")
        seed = hashlib.sha256(b"hostless open seed" + self._nonce(seat, epoch)).digest()
        drawn = hashlib.sha256(encode([seed, self._game, "key secret"])).digest()
        self.known[seat] = int.from_bytes(hashlib.sha512(drawn).digest(), "little") % L
        self.lost[seat] = self.known[seat]
        self.renew(seat, base(self.known[seat]))
        joint_key(self.publics)

    def renew(self, seat: int, public: Point) -> None:
        """A seat has another key."""
        self.publics = [public if at == seat else key for at, key in enumerate(self.publics)]

    def _check_key(self, seat: int, key: bytes) -> None:
        (secret,) = parse_scalars(key, 1)
        if not self.publics or base(secret) != self.publics[seat]:
            raise ProofError("this is not the key of that seat")
        self.known[seat] = secret


def is_owned(epoch: int) -> bool:
    """Whether the owner of a seat signs for it in this epoch."""
    return epoch % _EPOCHS_EACH == 0


def is_silent(entry: Entry) -> bool:
    """Whether all others say by this entry that a seat is gone, and its key with it."""
    match entry.body:
        case [int(number), _, None] if entry.kind == REPLACE_KIND:
            return number < _RETURNED
    return False


def makes_void(entry: Entry) -> bool:
    """Whether nothing counts of the step at which a seat changes hands by this entry."""
    match entry.body:
        case [int(number), _, key] if entry.kind == REPLACE_KIND:
            return number >= _CONVICTED or key is None
    return entry.kind == RESTORE_KIND


def _check_signed(identity: bytes, signature: object, said: bytes) -> None:
    try:
        verify(identity, _bytes(signature), said)
    except BadSignature as error:
        raise ProofError("a seat did not give its word") from error


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ProofError("a signature was expected")
