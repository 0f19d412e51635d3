"""The entry by which a seat changes hands: what all have agreed on, as it stands in the log.

    [reason, key, [leaver, ...], round]

It is an entry of the seat that it is about, in a seat epoch whose secret all can work out; so
all machines write the very same bytes for one change (`p2p.log.membership.messages.Change`), and
nobody takes them from another.  What puts it in force are the acknowledgements behind it.

By a `replace` entry everybody begins to speak for a seat whose owner is gone; by a `restore` entry
it is its owner's again.  Whether the table can go on without the owner follows from the log alone:

    its key was given      with its farewell, or was known to all before
    it is in escrow        all who stay give their parts of it, in a step of their own
    it is lost             what it would have opened is dealt anew (`p2p.game.rebuilding`)

Nobody gains by leaving: a seat goes back between two requests, and not before its bot has answered
once for it, the second time twice, and so on.  So whoever has seen what others have sealed, rolled
or dealt, and leaves because of that, loses the choice that it wanted to make.

What this does not protect against: whoever has its seat back may have looked at what was public
meanwhile, and who leaves before its share of a roll or a deal is shown has that done anew, once.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from p2p.base.entry import DIGEST_BYTES, Entry, Position, sign_entry
from p2p.base.errors import MalformedFrame
from p2p.base.roster import replacement_identity
from p2p.crypto.group import Point, base, parse_scalar
from p2p.crypto.transcript import ProofError
from p2p.game.script import Play
from p2p.log.membership.log import ChangeItem, Log
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    Change,
    parse_change,
)
from p2p.log.seating import EPOCHS_EACH, SeatEvent, Seating, SeatPhase, phase_in

REPLACE: Final = SeatEvent.REPLACE.value  # The kinds of the entry.
RESTORE: Final = SeatEvent.RESTORE.value
# Who have to agree that a key is lost, or each of two could go on; whoever leaves says so itself.
REBUILDERS_MIN: Final = 2
# Where all that is said follows from keys: a cheater that goes would have it once more.
BY_KEYS: Final = ("roll", "lot", "unseal")
_NO_DIGEST: Final = bytes(DIGEST_BYTES)  # The head says all: who changes seats sees no table.


# ---- the entry ----


def change_entry(game_id: bytes, log: Log, decided: ChangeItem) -> Entry:
    """The entry of a change behind a log: the same bytes on every machine (RFC 8032)."""
    change = decided.change
    seat_epoch = seat_epoch_of(log, change.seat) + 1
    identity = replacement_identity(game_id, change.seat, seat_epoch)
    kind = RESTORE if change.reason == REASON_RESTORE else REPLACE
    said: list[object] = [kind, [change.reason, change.key, list(change.leavers), decided.round]]
    at = Position(log.height, log.head, _NO_DIGEST)
    return sign_entry(identity, game_id, (change.seat, seat_epoch), at, said)


def seat_epoch_of(log: Log, seat: int) -> int:
    """The seat epoch where a log ends: see `p2p.log.seating`."""
    absent = log.absence_of(seat)
    times = 0 if absent is None else absent.times
    is_away = times > 0 and seat not in log.members
    return EPOCHS_EACH * (times - is_away) + (SeatPhase.OPEN if is_away else SeatPhase.OWNED)


def is_change(entry: Entry) -> bool:
    """Whether a seat changes hands by an entry."""
    return entry.kind in (REPLACE, RESTORE) and phase_in(entry.seat_epoch) is not SeatPhase.OWNED


def parse_change_entry(entry: Entry) -> ChangeItem:
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
            if entry.kind == (RESTORE if is_back else REPLACE):
                return ChangeItem(entry.parent, change, number)
    raise MalformedFrame("this entry says nothing that all could have agreed on")


# ---- what becomes of the keys ----


class KeyFate(Enum):
    """What becomes of the key of a seat that is gone."""

    KNOWN = "known"
    IN_PARTS = "in parts"
    LOST = "lost"


class KeyPlan(NamedTuple):
    """How the table goes on without an owner."""

    seat: int
    fate: KeyFate
    secret: int = 0  # Of a key that is known.


def plans_for(play: Play, change: Change) -> list[KeyPlan]:
    """How the table goes on without all who go by a change, and who have gone just before.

    Raises:
        MalformedFrame: it cannot.
    """
    if play.dealing is None or not change.gone <= set(play.live):
        raise MalformedFrame("nobody replaces this seat")
    gone = sorted(change.gone | play.keyless)
    stay = [seat for seat in play.live if seat not in change.gone]
    if not stay:
        raise MalformedFrame("somebody has to stay")
    plans = [_plan_for(play, seat, change, stay) for seat in gone]
    missing = [plan for plan in plans if plan.fate is KeyFate.IN_PARTS]
    if len(missing) > 1 or len(gone) > 1:  # Whoever is gone holds a part of each other key.
        plans = [
            plan._replace(fate=KeyFate.LOST) if plan.fate is KeyFate.IN_PARTS else plan
            for plan in plans
        ]
    lost = [plan.seat for plan in plans if plan.fate is KeyFate.LOST]
    are_enough = len(stay) >= REBUILDERS_MIN or change.reason == REASON_LEFT
    if lost and not (are_enough and all(map(play.may_lose, lost))):
        raise MalformedFrame("nobody can go on without the key of this seat")
    return plans


def _plan_for(play: Play, seat: int, change: Change, stay: list[int]) -> KeyPlan:
    assert play.dealing is not None, "whoever has no key yet is not replaced"
    if seat in play.returning:  # It has shown no new key, and all know the old one.
        return KeyPlan(seat, KeyFate.KNOWN, play.dealing.secrets[seat])
    if change.reason == REASON_LEFT and seat == change.seat and change.key:
        return KeyPlan(seat, KeyFate.KNOWN, parse_key(change.key, play.dealing.publics[seat]))
    in_parts = play.escrow.holds(seat, stay)
    return KeyPlan(seat, KeyFate.IN_PARTS if in_parts else KeyFate.LOST)


def carry_out(play: Play, plans: list[KeyPlan], nonce_of: Callable[[int], bytes]) -> bool:
    """Speak for all who are gone from now on, or once the key is there; whether one is lost.

    `nonce_of` gives from what all follows that a seat has whose key is.
    """
    play.keyless = {plan.seat for plan in plans}
    for seat, fate, secret in plans:
        if fate is KeyFate.KNOWN:
            play.open_seat(seat, secret)
        elif fate is KeyFate.LOST:
            play.lose_seat(seat, nonce_of(seat))
    return any(plan.fate is KeyFate.LOST for plan in plans)


def voids_step(play: Play, kind: str, change: Change) -> bool:
    """Whether what was written in the current step, of this kind, counts no more behind a change.

    So it is where an owner comes back; where a cheater goes, unless all that is said follows from
    keys; and where one goes that has not shown its new key or proven its deck, or is a bot whose
    choice follows from what is drawn.  Where a key is lost, it is too: that `carry_out` says.
    """
    is_back = change.reason == REASON_RESTORE
    is_cheater = change.reason == REASON_CONVICTED and kind not in BY_KEYS
    lacks_proof = bool(change.gone & play.returning.keys()) or play.has_unproven(change.gone)
    return is_back or is_cheater or lacks_proof or bool(change.gone & play.bound)


def may_change(play: Play, change: Change) -> bool:
    """Whether the table can go on without all who go by a change, or with who comes back."""
    try:
        if change.reason == REASON_RESTORE:
            check_new_key(play, change.seat, change.key)
        else:
            plans_for(play, change)
    except MalformedFrame:
        return False
    return True


def parse_key(encoded: bytes, public: Point) -> int:
    """The secret of a seat's key.

    Raises:
        MalformedFrame: it is not.
    """
    try:
        secret = parse_scalar(encoded)
    except ProofError as error:
        raise MalformedFrame(str(error)) from error
    if base(secret) != public:
        raise MalformedFrame("this is not the key of that seat")
    return secret


def check_back(play: Play, seating: Seating, change: Change) -> None:
    """Make sure that an owner may have its seat back.

    Raises:
        MalformedFrame: it may not.
    """
    if change.seat not in play.open_seats or seating.is_owned(change.seat):
        raise MalformedFrame("nobody comes back who is not away")
    check_new_key(play, change.seat, change.key)


def check_new_key(play: Play, seat: int, key: bytes) -> None:
    """Make sure that an owner may have this key when it has its seat back.

    Raises:
        MalformedFrame: it may not.
    """
    if play.dealing is None:
        raise MalformedFrame("nobody comes back before there are keys")
    try:
        play.check_new_key(seat, key)
    except ProofError as error:
        raise MalformedFrame(str(error)) from error
