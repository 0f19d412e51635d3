"""Who speaks for each seat as a file has it: its owner, or from some entry on everybody.

docs/spec/protocol.md, section 18, for somebody who only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from p2p.audit.changes import REPLACE_KIND, RESTORE_KIND, is_convicting
from p2p.base.entry import DIGEST_BYTES, Position, sign_entry
from p2p.base.identity import Identity
from p2p.base.roster import Roster, open_identity
from p2p.base.wire import encode
from p2p.crypto.group import IDENTITY, L, Point, base, parse_scalars
from p2p.crypto.keys import joint_key
from p2p.crypto.transcript import ProofError
from p2p.log.membership.log import ChangeItem
from p2p.log.membership.messages import REASON_LEFT, REASON_RESTORE, Change

_EPOCHS_EACH: Final = 3  # The owner's, everybody's, and that of the entry by which it goes back.
_REBUILDERS_MIN: Final = 2  # Who have to agree that a key is lost, of somebody who did not leave.
_DRAWN: Final = ("roll", "lot", "unseal")  # What is said there follows from keys.
_NO_DIGEST: Final = bytes(DIGEST_BYTES)


class Withheld(NamedTuple):
    """What a seat had not opened when it was gone, so that it was drawn or dealt anew."""

    log_index: int  # The place in the log of the entry by which others began to speak for it.
    kind: str  # Of the entry that was due.

    def plain(self) -> dict[str, object]:
        """For programs that read the outcome: these words are fixed."""
        return {"entry": self.log_index, "kind": self.kind}


@dataclass
class EscrowedKeys:
    """The seats whose keys are in escrow, and by seat the parts that the others have."""

    seats: tuple[int, ...] = ()
    parts: Mapping[int, Mapping[int, Point]] = field(default_factory=dict)

    def holds(self, seat: int, others: Sequence[int]) -> bool:
        """Whether these others together have the key of a seat."""
        return seat in self.parts and set(self.seats) == {seat, *others}


class ChangeEffect(NamedTuple):
    """What becomes of the current step when a seat changes hands."""

    is_void: bool
    lost: frozenset[int] = frozenset()  # Whose keys are lost by it.


class Seats:
    """Every seat of a table, and whether somebody sits there."""

    def __init__(self, roster: Roster) -> None:
        """As the roster has it."""
        self._roster, self._game = roster, roster.game_id
        self.publics: Sequence[Point] = ()  # Their keys, once these are agreed on.
        self.escrow = EscrowedKeys()
        self.open = set(roster.open_seats())
        self.keyless: set[int] = set()  # Who is gone, until its key has been put together.
        self.lost: dict[int, int] = {}  # Whose old keys cards need; their new secrets.
        self.replaced: dict[int, int] = {}  # From which entry on everybody spoke for it,
        self.restored: dict[int, int] = {}  # from which on it was its owner's again,
        self.agreed: dict[int, tuple[int, ...]] = {}  # who has acknowledged that it was gone,
        self.withheld: dict[int, Withheld] = {}  # and what it had not opened; by seat, the last.
        self.seat_epochs = [0] * len(roster.seats)
        self._times = [0] * len(roster.seats)  # How often each seat has gone,
        self.answers = [0] * len(roster.seats)  # and what was answered for it since.
        self.known: dict[int, int] = {}  # Keys of seats for which everybody speaks, or spoke.
        self.shown: list[int] = []  # All of them, also those that were replaced by others since.
        self.unshown: set[int] = set()  # Seats that had a key which nobody will ever show.
        self.drawn_for: tuple[int, ...] = ()  # Who chooses by the last lots, nobody else between.
        self.bound = set[int]()  # Bots that choose now, by lots that are drawn or due.
        self.returning: dict[int, bytes] = {}  # Whose owners are back: the keys to be shown.
        self.may_lose: Callable[[], bool] = lambda: False
        """Whether the cards can be dealt anew without a key."""
        self.has_unproven: Callable[[Collection[int]], bool] = lambda seats: False
        """Whether one of these has shuffled in the current request, and not proven that."""

    @property
    def live(self) -> tuple[int, ...]:
        """The seats at which somebody sits."""
        gone = self.open | self.keyless
        return tuple(at for at in range(len(self._roster.seats)) if at not in gone)

    def signer(self, seat: int, seat_epoch: int) -> bytes:
        """The identity that signs for a seat in a seat epoch."""
        if is_owned(seat_epoch):
            return self._roster.seats[seat].identity
        return self._open_identity(seat, seat_epoch).public

    def _open_identity(self, seat: int, seat_epoch: int) -> Identity:
        return open_identity(self._nonce(seat, seat_epoch))

    def _nonce(self, seat: int, seat_epoch: int) -> bytes:
        place = seat.to_bytes(4, "little") + seat_epoch.to_bytes(4, "little")
        return hashlib.sha256(b"hostless stand-in" + self._game + place).digest()

    # ---- changes ----

    def entry_of(self, decided: ChangeItem, height: int) -> bytes:
        """The only bytes by which a change may stand in the log: everybody can write them."""
        seat, reason, key, leavers = decided.change
        seat_epoch = self.seat_epochs[seat] + 1
        kind = RESTORE_KIND if reason == REASON_RESTORE else REPLACE_KIND
        said: list[object] = [kind, [reason, key, list(leavers), decided.round]]
        at = Position(height, decided.parent, _NO_DIGEST)
        identity = self._open_identity(seat, seat_epoch)
        return sign_entry(identity, self._game, (seat, seat_epoch), at, said).raw

    def makes_void(self, change: Change, kind: str = "") -> bool:
        """Whether nothing counts of the step, of this kind, at which seats change hands so.

        Raises:
            ProofError: nobody can go on so.
        """
        if change.reason == REASON_RESTORE or (is_convicting(change) and kind not in _DRAWN):
            return True
        if change.gone & (self.returning.keys() | self.bound) or self.has_unproven(change.gone):
            return True
        return None in self._keys(change).values()

    def change_hands(self, change: Change, kind: str, *, is_between: bool) -> ChangeEffect:
        """Everybody begins, or ceases, to speak for seats.

        `kind` is that of the current step; `is_between`: it is the first of its request in which
        anybody chooses.

        Raises:
            ProofError: it is not its key, or not the place for it.
        """
        if self._roster.replacement is None:
            raise ProofError("nobody replaces a seat at this table")
        if change.reason == REASON_RESTORE:
            self._give_back(change, is_between=is_between)
            return ChangeEffect(is_void=True)
        is_void, keys = self.makes_void(change, kind), self._keys(change)
        for seat in change.gone:
            self.seat_epochs[seat] += 1
            self._times[seat] += 1
            self.answers[seat] = 0
            self.returning.pop(seat, None)
            if self._roster.seats[seat].is_bot and seat in self.drawn_for:
                self.drawn_for = ()
        self.keyless = {seat for seat, key in keys.items() if key == _IN_PARTS}
        for seat, key in keys.items():
            if key is None:
                self._replace_key(seat)
            elif key != _IN_PARTS:
                self._learn(seat, key)
            if key != _IN_PARTS:
                self.open.add(seat)
        return ChangeEffect(is_void, frozenset(seat for seat, key in keys.items() if key is None))

    def _give_back(self, change: Change, *, is_between: bool) -> None:
        seat = change.seat
        is_away = self.seat_epochs[seat] % _EPOCHS_EACH == 1 and seat in self.open
        if not is_away or not is_between or self.answers[seat] < self._times[seat]:
            raise ProofError("no seat goes back here")
        public = Point.parse(change.key)
        gap = public - self.publics[seat]
        if IDENTITY in (public, gap, joint_key(self.publics) + gap):
            raise ProofError("this is no new key")
        self.open.discard(seat)
        self.returning[seat] = change.key
        self.escrow = EscrowedKeys()
        self.seat_epochs[seat] += 2

    def _keys(self, change: Change) -> dict[int, int | None]:
        """The key of each seat that is gone, as all know it by then; None: it is lost.

        Raises:
            ProofError: nobody can go on so.
        """
        stay = [seat for seat in self.live if seat not in change.gone]
        if not self.publics:
            raise ProofError("nobody replaces a seat without a key")
        if not change.gone <= set(self.live) or not stay:
            raise ProofError("nobody replaces this seat")
        gone = sorted(change.gone | self.keyless)
        keys = {seat: self._key(seat, change, stay) for seat in gone}
        if len(gone) > 1:  # Whoever is gone holds a part of each other key.
            keys = {seat: None if key == _IN_PARTS else key for seat, key in keys.items()}
        lost = [seat for seat, key in keys.items() if key is None]
        if lost and len(stay) < _REBUILDERS_MIN and change.reason != REASON_LEFT:
            raise ProofError("one seat alone cannot say that a key is lost")
        if lost and not self.may_lose():
            raise ProofError("nobody can go on without the key of this seat")
        return keys

    def _key(self, seat: int, change: Change, stay: Sequence[int]) -> int | None:
        if seat in self.returning:  # All know the old one, and there is no new one.
            return self.known[seat]
        if change.reason == REASON_LEFT and seat == change.seat and change.key:
            (secret,) = parse_scalars(change.key, 1)
            if base(secret) != self.publics[seat]:
                raise ProofError("this is not the key of that seat")
            return secret
        return _IN_PARTS if self.escrow.holds(seat, stay) else None

    def _replace_key(self, seat: int) -> None:
        """The key of a seat is lost: it gets that of an open seat."""
        nonce = self._nonce(seat, self.seat_epochs[seat])
        seed = hashlib.sha256(b"hostless open seed" + nonce).digest()
        drawn = hashlib.sha256(encode([seed, self._game, "key secret"])).digest()
        self._learn(seat, int.from_bytes(hashlib.sha512(drawn).digest(), "little") % L)
        self.unshown.add(seat)
        self.lost[seat] = self.known[seat]
        self.renew(seat, base(self.known[seat]))
        joint_key(self.publics)

    def _learn(self, seat: int, key: int) -> None:
        self.known[seat] = key
        self.shown.append(key)

    def renew(self, seat: int, public: Point) -> None:
        """A seat has another key."""
        self.publics = [public if at == seat else key for at, key in enumerate(self.publics)]

    # ---- a key that was in escrow ----

    def read_part(self, holder: int, body: object) -> int:
        """The part that a seat gives of the key of the one that is gone.

        Raises:
            ProofError: it is not the one that it was dealt.
        """
        if not isinstance(body, bytes):
            raise ProofError("a part of a key was expected")
        (seat,), (part,) = self.keyless, parse_scalars(body, 1)
        if base(part) != self.escrow.parts[seat][holder]:
            raise ProofError("this is not the part of the key that was dealt")
        return part

    def put_together(self, parts: Sequence[int]) -> None:
        """All have given their parts: everybody speaks for the seat."""
        (seat,) = self.keyless
        self._learn(seat, sum(parts) % L)
        self.keyless.clear()
        self.open.add(seat)


_IN_PARTS: Final = -1  # In the place of a key: no scalar is negative.


def is_owned(seat_epoch: int) -> bool:
    """Whether the owner of a seat signs for it in this epoch."""
    return seat_epoch % _EPOCHS_EACH == 0
