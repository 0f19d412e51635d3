"""The entry by which a seat changes hands: what it says, and what has to hold where it does.

Everybody writes the same entry, from the votes of all others (`p2p.log.votes`).  By a *replace*
entry everybody begins to speak for a seat whose owner is gone.  By a *restore* entry the seat goes
back to its owner:

    [round, [signature of each live seat, in seat order], the owner's signature]

Everybody knows the key of a seat for which everybody speaks.  Its owner asks for the seat
(`seat_request`), and all live seats vote at an open step.  Nothing counts of the step that was
open, and the owner then shows a new key that nobody else has (`p2p.game.game_keys`).

Nobody gains by leaving: a seat goes back between two requests, and not before its bot has answered
once for it, the second time twice, and so on (`may_go_back`).  So whoever has seen what others have
sealed, rolled or dealt, and leaves because of that, loses the choice that it wanted to make.

What this does not protect against: whoever has its seat back may have looked at what was public
meanwhile, and who leaves before its share of a roll or a deal is shown has that done anew, once.
"""

from __future__ import annotations

from typing import Final, Protocol

from p2p.base.entry import Entry, Position, sign_entry
from p2p.base.errors import BadSignature, Equivocation, MalformedFrame, PeerError
from p2p.base.identity import Identity, verify
from p2p.base.roster import Roster, replacement_identity
from p2p.base.wire import encode
from p2p.crypto.group import scalar_to_bytes
from p2p.crypto.transcript import ProofError
from p2p.game.script import Play
from p2p.game.steps import Step
from p2p.log.entries import Entries
from p2p.log.membership.log import Log, written
from p2p.log.played import PlayedGame
from p2p.log.seating import Seating
from p2p.log.votes import (
    CONVICTED,
    REPLACE,
    RESTORED,
    MembershipChange,
    Votes,
    parse_key,
    parse_replace,
)

RESTORE: Final = "back"  # The kind of the entry.
_LABEL: Final = b"hostless return"


def seat_request(identity: Identity, game: bytes, seat: int, epoch: int) -> list[object]:
    """The message by which an owner asks for its seat, which others have in this epoch."""
    return ["return", seat, epoch, identity.sign(_LABEL + encode([game, seat, epoch]))]


def check_seat_request(owner: bytes, game: bytes, seat: int, epoch: int, signature: bytes) -> None:
    """Make sure that the owner of a seat, an identity, asks for it.

    Raises:
        BadSignature: it does not.
    """
    verify(owner, signature, _LABEL + encode([game, seat, epoch]))


def parse_restore(body: object) -> tuple[int, list[object], bytes]:
    """(round, signatures, the owner's) of an entry's body.

    Raises:
        MalformedFrame: it has none.
    """
    match body:
        case [int(number), list(signatures), bytes(signature)] if type(number) is int:
            return number, signatures, signature
    raise MalformedFrame("the word of all, and of the owner, were expected")


class Standing(Protocol):
    """How a game stands on one machine, as far as seats that change hands depend on it.

    This is `Replica`, which takes these entries in and so imports this module: the protocol keeps
    the two from importing each other.
    """

    game_id: bytes
    roster: Roster
    me: int | None
    play: Play
    entries: Entries
    step: Step | None
    votes: Votes
    seating: Seating
    tip: Log

    @property
    def log(self) -> list[Entry]:
        """All steps that are closed."""

    @property
    def position(self) -> Position:
        """What the next entries answer."""

    @property
    def open_seats(self) -> set[int]:
        """The seats for which everybody speaks."""

    @property
    def is_seated(self) -> bool:
        """Whether I have a seat, and speak for it myself."""

    def blame(self, seat: int, kind: type[PeerError], text: str) -> PeerError:
        """The verdict on a seat."""


def restoration_entry(
    replica: Standing, seat: int, agreed: tuple[int, list[bytes]], signature: bytes
) -> Entry:
    """The entry by which a seat is its owner's again."""
    return change_of_seat(replica, seat, [RESTORE, [*agreed, signature]])


def replacement_entry(
    replica: Standing, gone: int, agreed: tuple[int, list[bytes]], key: int | None
) -> Entry:
    """The entry by which everybody begins to speak for a seat; see `p2p.log.votes`."""
    secret = None if key is None else scalar_to_bytes(key)
    return change_of_seat(replica, gone, [REPLACE, [*agreed, secret]])


def change_of_seat(replica: Standing, seat: int, said: list[object]) -> Entry:
    """The entry by which a seat changes hands, as everybody writes it."""
    epoch = replica.seating.epochs[seat] + 1
    identity = replacement_identity(replica.game_id, seat, epoch)
    return sign_entry(identity, replica.game_id, (seat, epoch), replica.position, said)


def check_votes(replica: Standing, entry: Entry, known: Entry | None) -> int:
    """The round of votes by which a seat changes hands; `known` is what I have in its place.

    Raises:
        MalformedFrame: there are no votes.
        Equivocation: a seat agreed, and told us the opposite.
    """
    parse = parse_restore if entry.kind == RESTORE else parse_replace
    number, signatures, _ = parse(entry.body)
    signed = parse(known.body)[1] if known is not None and known.kind == entry.kind else []
    liar = replica.votes.find_liar(entry, number, signatures, signed)
    if liar is not None:
        raise replica.blame(liar, Equivocation, "gave its word for and against a replacement")
    return number


def check_change(replica: Standing, entry: Entry) -> int | None:
    """The key of a seat for which everybody speaks from this entry on.

    None if it goes back to its owner, or its key is lost.

    Raises:
        MalformedFrame: not all agreed to that, or it is not the place for it.
    """
    seat, dealing, at = entry.seat, replica.play.dealing, replica.position
    if replica.roster.replacement is None or dealing is None or replica.step is None:
        raise MalformedFrame("nobody replaces this seat")
    if (entry.epoch, entry.digest) != (replica.seating.epochs[seat] + 1, at.digest):
        raise MalformedFrame("a seat changes hands elsewhere")
    if entry.kind == RESTORE:
        _check_back(replica, entry)
        return None
    if seat in replica.open_seats:
        raise MalformedFrame("nobody replaces this seat")
    said = parse_replace(entry.body)
    replica.votes.check_agreed(seat, replica.play.live, said)
    return None if said.key is None else parse_key(said.key, dealing.publics[seat])


def lose_key(replica: Standing, seat: int) -> None:
    """Go on without the key of a seat: see `p2p.game.rebuilding`.

    Raises:
        MalformedFrame: nobody can.
    """
    if not replica.play.may_lose(seat):
        raise MalformedFrame("nobody can go on without the key of this seat")
    try:
        replica.play.lose_seat(seat, replica.seating.next_nonce(seat))
    except ProofError as error:
        raise MalformedFrame(str(error)) from error


def may_go_back(replica: Standing, seat: int) -> bool:
    """Whether a seat could go back to its owner at the open step, if all agree."""
    game, log = PlayedGame(replica), replica.tip
    absent = log.absence_of(seat)
    is_away = absent is not None and seat not in log.members
    if absent is None or not is_away or not game.is_between_requests(log):
        return False
    return game.answered(log, seat) - absent.answered >= absent.times


def log_behind(replica: Standing, entry: Entry) -> Log:
    """The log as membership sees it, with the entry behind it by which a seat changes hands."""
    log, seat = replica.tip, entry.seat
    answered, is_back = PlayedGame(replica).answered(log, seat), entry.kind == RESTORE
    return log.with_seat_entry(written(entry), is_back=is_back, answered=answered)


def _check_back(replica: Standing, entry: Entry) -> None:
    number, signatures, signature = parse_restore(entry.body)
    seat = entry.seat
    owner = replica.roster.seats[seat].identity
    try:
        check_seat_request(owner, replica.game_id, seat, replica.seating.epochs[seat], signature)
    except BadSignature as error:
        raise MalformedFrame("the owner of this seat did not ask for it") from error
    if not may_go_back(replica, seat) or not RESTORED <= number < CONVICTED:
        raise MalformedFrame("no seat goes back here")
    said = MembershipChange(number, signatures, signature)
    replica.votes.check_agreed(seat, replica.play.live, said)


def lacks_end(replica: Standing) -> bool:
    """Whether I signed entries further on, in a log whose end my file has lost.

    Then only others have it, and I wait for that rather than say something else.
    """
    height, is_owned = replica.position.height, replica.seating.is_owned
    return any(
        entry.seat == replica.me and entry.height > height and is_owned(entry.seat, entry.epoch)
        for entry in replica.entries.waiting
    )
