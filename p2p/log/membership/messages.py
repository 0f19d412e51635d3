"""What members sign about who is a member: immutable values, each with one encoding.

    vote        [epoch, round, seat, parent, change or nothing]       a yes; without a change a no
    ack         [epoch, seat, height, parent, head, change, round, excuses]
    farewell    [epoch, seat, key]                                    I leave, and give my key
    wish        [epoch, seat, key, proof]                             I want my seat back

What is signed is the label of the kind and the encoding of the game id and these fields
(`p2p.base.wire`), so no message can be used in another game.  An *epoch* is named by the head of
the log behind the change that began it, the first one by the game id.

An acknowledgement names the head that its item stands on (`parent`), so two of them can be held
against each other without a log.  Whoever has acknowledged a change, and has left it because a
needed member refused it, shows the refusals with what it acknowledges in its place: the *excuses*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from p2p.base.entry import ENTRY_COUNT_MAX, HASH_BYTES
from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity, verify
from p2p.base.wire import encode

REASON_SILENT: Final = "silent"  # All others have heard nothing of it for the time of grace.
REASON_LEFT: Final = "left"  # It has said farewell.
REASON_CONVICTED: Final = "convicted"  # There is evidence against it.
REASON_RESTORE: Final = "restore"  # It was removed, and wishes to be back.
REASONS: Final = (REASON_SILENT, REASON_LEFT, REASON_CONVICTED, REASON_RESTORE)
EXCUSES_MAX: Final = 64  # Changes that were refused on one head before a member waits.
KEY_BYTES_MAX: Final = 4096  # Of the new key in a wish.
VERIFIED_MAX: Final = 256  # What was verified last: the same is heard, noted and heard of again.


class Change(NamedTuple):
    """A change of members: one goes, with all who have said farewell, or comes back with a key.

    Nobody needs the word of whoever has said farewell.  Without that, one who leaves and another
    that falls silent would each be needed for the removal of the other.
    """

    seat: int
    reason: str
    key: bytes = b""  # Of the wish or the farewell: all who agree have seen the same one.
    leavers: tuple[int, ...] = ()  # Members beside `seat` whose farewells are part of the proof.

    @property
    def gone(self) -> frozenset[int]:
        """Who has no say in it: the one that it is about, and the leavers."""
        return frozenset((self.seat, *self.leavers))

    def plain(self) -> list[object]:
        """The change as it stands in messages and in the file."""
        return [self.seat, self.reason, self.key, list(self.leavers)]


class Ballot(NamedTuple):
    """What a member says in one round: yes to a change at a head, or no to whatever it decides."""

    epoch: bytes
    round: int
    seat: int
    parent: bytes = b""  # Nothing in a no.
    change: Change | None = None
    signature: bytes = b""

    @property
    def is_yes(self) -> bool:
        """Whether it is a yes."""
        return self.change is not None

    @property
    def ballot_round(self) -> tuple[bytes, int]:
        """The round in which it is said: each epoch counts its own."""
        return self.epoch, self.round

    @property
    def proposal(self) -> tuple[bytes, Change | None]:
        """What it says yes to: a change on top of a head; of every no it is the same."""
        return self.parent, self.change

    def plain(self) -> list[object]:
        """What is signed."""
        change = None if self.change is None else self.change.plain()
        return [self.epoch, self.round, self.seat, self.parent, change]


class Ack(NamedTuple):
    """A member has this item on disk, on top of this parent.

    That binds: another on this parent is evidence, unless that one contains the excuse.
    """

    epoch: bytes  # In which the item was decided: that of its parent.
    seat: int
    height: int
    parent: bytes
    head: bytes
    change: Change | None = None  # None: a step of the game.
    round: int = 0
    excuses: tuple[Ballot, ...] = ()
    signature: bytes = b""

    def plain(self) -> list[object]:
        """What is signed."""
        change = None if self.change is None else self.change.plain()
        excuses = [[*no.plain(), no.signature] for no in self.excuses]
        place = [self.epoch, self.seat, self.height, self.parent, self.head]
        return [*place, change, self.round, excuses]


class Farewell(NamedTuple):
    """A member leaves for good; whoever holds this may remove it alone.

    With the secret of its key, if it has one, others play on for it without dealing anew.
    """

    epoch: bytes
    seat: int
    key: bytes = b""
    signature: bytes = b""

    def plain(self) -> list[object]:
        """What is signed."""
        return [self.epoch, self.seat, self.key]


class RestoreWish(NamedTuple):
    """A removed owner wants its seat back, with a new key; `proof` has to be empty."""

    epoch: bytes
    seat: int
    key: bytes
    proof: bytes = b""
    signature: bytes = b""

    def plain(self) -> list[object]:
        """What is signed."""
        return [self.epoch, self.seat, self.key, self.proof]


Signed: TypeAlias = Ballot | Ack | Farewell | RestoreWish
S = TypeVar("S", Ballot, Ack, Farewell, RestoreWish)
Verify: TypeAlias = Callable[[Signed], None]
MESSAGE_KINDS: Final[dict[type[Signed], str]] = {
    Ballot: "vote", Ack: "ack", Farewell: "farewell", RestoreWish: "wish",
}  # fmt: skip


def payload(message: Signed, game: bytes) -> bytes:
    """The bytes that are signed in a game."""
    kind = MESSAGE_KINDS[type(message)].encode()
    return b"hostless " + kind + encode([game, *message.plain()])


def message_of(message: Signed) -> list[object]:
    """The message as it goes over a link."""
    return [MESSAGE_KINDS[type(message)], *message.plain(), message.signature]


def sign_as(identity: Identity, game: bytes, message: S) -> S:
    """The message with its signature, the same bytes each time (RFC 8032)."""
    return message._replace(signature=identity.sign(payload(message, game)))


def verifier_of(identities: Sequence[bytes], game: bytes) -> Verify:
    """What makes sure that a message was signed in a game by the member that it names.

    It raises `BadSignature`, or `MalformedFrame` for a member that there is not.  The very message
    that it has found signed, with the same signature, is not verified again.
    """
    verified: dict[Signed, None] = {}  # The oldest first.

    def check(message: Signed) -> None:
        if message in verified:
            return
        if message.seat not in range(len(identities)):
            raise MalformedFrame("there is no such member")
        for no in message.excuses if isinstance(message, Ack) else ():
            check(no)
        verify(identities[message.seat], message.signature, payload(message, game))
        verified[message] = None
        if len(verified) > VERIFIED_MAX:
            del verified[next(iter(verified))]

    return check


# ---- from bytes ----


def parse_signed(message: list[object]) -> Signed:
    """A message from a link; its signature is not checked yet.

    Raises:
        MalformedFrame: it is none of these.
    """
    match message:
        case ["vote", *fields, bytes(signature)]:
            return _parse_vote([*fields, signature])
        case [
            "ack", bytes(epoch), int(seat), int(height), bytes(parent), bytes(head), change,
            int(number), list(excuses), bytes(signature),
        ] if (
            _are_hashes(epoch, parent, head)
            and _are_counts(seat, height, number)
            and len(excuses) <= EXCUSES_MAX
        ):  # fmt: skip
            noes = tuple(_parse_no(excuse) for excuse in excuses)
            what = None if change is None else parse_change(change)
            return Ack(epoch, seat, height, parent, head, what, number, noes, signature)
        case ["farewell", bytes(epoch), int(seat), bytes(key), bytes(signature)] if (
            _are_hashes(epoch) and _are_counts(seat) and len(key) <= KEY_BYTES_MAX
        ):
            return Farewell(epoch, seat, key, signature)
        case ["wish", bytes(epoch), int(seat), bytes(key), bytes(proof), bytes(signature)] if (
            _are_hashes(epoch) and _are_counts(seat) and len(key) <= KEY_BYTES_MAX and not proof
        ):
            return RestoreWish(epoch, seat, key, proof, signature)
    raise MalformedFrame("this message is none that we know")


def parse_change(value: object) -> Change:
    """A change of members.

    Raises:
        MalformedFrame: it is none.
    """
    match value:
        case [int(seat), str(reason), bytes(key), list(left)] if (
            _are_counts(seat) and reason in REASONS and len(key) <= KEY_BYTES_MAX
        ):
            leavers = tuple(each for each in left if type(each) is int and each != seat)
            is_removal = reason != REASON_RESTORE
            are_leavers = sorted(set(leavers)) == left and _are_counts(*leavers)
            may_have_key = bool(key) != is_removal or reason == REASON_LEFT
            if may_have_key and are_leavers and (is_removal or not left):
                return Change(seat, reason, key, leavers)
    raise MalformedFrame("this is no change of members")


def _parse_vote(value: object) -> Ballot:
    match value:
        case [bytes(epoch), int(number), int(seat), bytes(parent), change, bytes(signature)] if (
            _are_hashes(epoch) and _are_counts(number, seat)
        ):
            if change is None and not parent:
                return Ballot(epoch, number, seat, signature=signature)
            if change is not None and _are_hashes(parent):
                return Ballot(epoch, number, seat, parent, parse_change(change), signature)
    raise MalformedFrame("this is no vote")


def _parse_no(value: object) -> Ballot:
    vote = _parse_vote(value)
    if vote.is_yes:
        raise MalformedFrame("a yes excuses nothing")
    return vote


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == HASH_BYTES for value in values)


def _are_counts(*values: int) -> bool:
    return all(type(value) is int and 0 <= value < ENTRY_COUNT_MAX for value in values)
