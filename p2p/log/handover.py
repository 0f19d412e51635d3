"""The entry by which a seat changes hands: what it says, and what has to hold where it does.

Everybody writes the same one, from the words of all others (`p2p.log.votes`): others speak
for the seat from then on, or its owner has it back (`returning`).
"""

from __future__ import annotations

from typing import Protocol

from p2p.base.entry import Entry, Position, sign_entry
from p2p.base.errors import BadSignature, Equivocation, MalformedFrame, PeerError
from p2p.base.open_seats import stand_in_identity
from p2p.base.roster import Roster
from p2p.crypto.errors import ProofError
from p2p.crypto.group import scalar_to_bytes
from p2p.game.script import Play
from p2p.game.steps import Step
from p2p.log.chains import Chains
from p2p.log.returning import BACK, check_wish, parse_back
from p2p.log.seating import Seating
from p2p.log.votes import (
    CONVICTED,
    RETURNED,
    STAND_IN,
    TURN,
    Absence,
    Handover,
    parse_key,
    parse_stand_in,
)


class Standing(Protocol):
    """How a game stands on one machine, as far as seats that change hands depend on it."""

    game_id: bytes
    roster: Roster
    me: int | None
    play: Play
    log: list[Entry]
    chains: Chains
    step: Step | None
    absence: Absence
    seating: Seating

    @property
    def position(self) -> Position:
        """What the next entries answer."""

    @property
    def open_seats(self) -> set[int]:
        """The seats for which everybody speaks."""

    @property
    def is_seated(self) -> bool:
        """Whether I have a seat, and speak for it myself."""

    def pending(self) -> list[bytes]:
        """The entries that are here but not in the log yet."""

    def blame(self, seat: int, kind: type[PeerError], text: str) -> PeerError:
        """The verdict on a seat."""


def give_back(
    replica: Standing, seat: int, agreed: tuple[int, list[bytes]], signature: bytes
) -> Entry:
    """The entry by which a seat is its owner's again."""
    return handover(replica, seat, [BACK, [*agreed, signature]])


def stand_in(
    replica: Standing, gone: int, agreed: tuple[int, list[bytes]], key: int | None
) -> Entry:
    """The entry by which everybody begins to speak for a seat; see `p2p.log.votes`."""
    secret = None if key is None else scalar_to_bytes(key)
    return handover(replica, gone, [STAND_IN, [*agreed, secret]])


def handover(replica: Standing, seat: int, said: list[object]) -> Entry:
    """The entry by which a seat changes hands, as everybody writes it."""
    turn = replica.seating.turns[seat] + 1
    place = (seat, turn * TURN, replica.chains.last_of(seat))
    identity = stand_in_identity(replica.game_id, seat, turn)
    return sign_entry(identity, replica.game_id, place, replica.position, said)


def check_words(replica: Standing, entry: Entry, known: Entry | None) -> int:
    """The round of words by which a seat changes hands; `known` is what I have in its place.

    Raises:
        MalformedFrame: there are no words.
        Equivocation: a seat agreed, and told us the opposite.
    """
    parse = parse_back if entry.kind == BACK else parse_stand_in
    number, signatures, _ = parse(entry.body)
    signed = parse(known.body)[1] if known is not None and known.kind == entry.kind else []
    liar = replica.absence.find_liar(entry, number, signatures, signed)
    if liar is not None:
        raise replica.blame(liar, Equivocation, "gave its word for and against a stand-in")
    return number


def check_handover(replica: Standing, entry: Entry) -> int | None:
    """The key of a seat for which everybody speaks from this entry on.

    None if it goes back to its owner, or its key is lost.

    Raises:
        MalformedFrame: not all agreed to that, or it is not the place for it.
    """
    seat, dealing, at = entry.seat, replica.play.dealing, replica.position
    if replica.roster.stand_in is None or dealing is None or replica.step is None:
        raise MalformedFrame("nobody stands in for this seat")
    due = (replica.seating.turns[seat] + 1) * TURN, replica.chains.last_of(seat), at.digest
    if (entry.number, entry.parent, entry.digest) != due:
        raise MalformedFrame("a seat changes hands elsewhere")
    if entry.kind == BACK:
        _check_back(replica, entry)
        return None
    if seat in replica.open_seats:
        raise MalformedFrame("nobody stands in for this seat")
    said = parse_stand_in(entry.body)
    replica.absence.check_agreed(seat, replica.play.live, said)
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


def _check_back(replica: Standing, entry: Entry) -> None:
    number, signatures, signature = parse_back(entry.body)
    seat, step = entry.seat, replica.step
    owner = replica.roster.seats[seat].identity
    try:
        check_wish(owner, replica.game_id, seat, replica.seating.turns[seat], signature)
    except BadSignature as error:
        raise MalformedFrame("the owner of this seat did not ask for it") from error
    is_place = step is not None and step.is_choice and not replica.seating.is_owned(seat)
    if not is_place or not RETURNED <= number < CONVICTED:
        raise MalformedFrame("no seat goes back here")
    said = Handover(number, signatures, signature)
    replica.absence.check_agreed(seat, replica.play.live, said)
