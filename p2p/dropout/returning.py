"""A seat goes back to its owner: what is asked for, what all agree on, and the new key.

Everybody knows the key of a seat for which everybody speaks.  Its owner asks for it (`wish`), all
live seats agree by words at an open step (`absence`), and with these anybody can write the
entry `back`:

    [round, [signature of each live seat, in seat order], the owner's signature]

Nothing counts of the step that was open.  Then the owner writes `new key`, in one entry:

    [Y', possession of it, what it adds to every joint card, one proof for all of these]

A joint card (a, b) becomes (a + m G, b + (x' - x) a + m K) under the new joint key K, with a fresh
mask m that only the owner knows: otherwise its layer x' a would be known to all who know x.  That
is a re-keying by the secret x - x' (`p2p.cards.rekey`).  Cards of its own are known to all anyway,
and go under Y' without a mask.

What this does not protect against: the hand stays known to all, until its cards are shuffled by
somebody else; and whoever has a seat back may have looked at what was public meanwhile, which is
why a seat goes back where somebody is to choose, and not while something is being opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from p2p.cards.errors import ProofError
from p2p.cards.group import IDENTITY, Point, base, scalar_to_bytes
from p2p.cards.keys import prove_possession, verify_possession
from p2p.cards.masking import Masked, cards_to_bytes, make_shares, message, open_form
from p2p.cards.rekey import Rekeying, prove_rekey, rekey, verify_rekey
from p2p.dealing import JOINT, Dealing
from p2p.dropout.absence import (
    CONVICTED,
    RETURNED,
    STAND_IN,
    TURN,
    Handover,
    parse_key,
    parse_stand_in,
)
from p2p.entry import Entry, sign_entry
from p2p.errors import BadSignature, Equivocation, MalformedFrame
from p2p.identity import Identity, verify
from p2p.open_seats import stand_in_identity
from p2p.shuffling import parse_deck
from p2p.steps import Script, Step
from p2p.wire import encode

if TYPE_CHECKING:
    from p2p.replica import Replica

BACK: Final = "back"  # The kind of the entry.
NEW_KEY: Final = "new key"
_LABEL: Final = b"hostless return"


# ---- what the owner asks for, and all agree on ----


def wish(identity: Identity, game: bytes, seat: int, turn: int) -> list[object]:
    """The message by which an owner asks for its seat, which others have in this turn."""
    return ["return", seat, turn, identity.sign(_LABEL + encode([game, seat, turn]))]


def check_wish(replica: Replica, seat: int, turn: int, signature: bytes) -> None:
    """Make sure that the owner of a seat asks for it.

    Raises:
        BadSignature: it does not.
    """
    said = _LABEL + encode([replica.game_id, seat, turn])
    verify(replica.roster.seats[seat].identity, signature, said)


def give_back(
    replica: Replica, seat: int, agreed: tuple[int, list[bytes]], signature: bytes
) -> Entry:
    """The entry by which a seat is its owner's again."""
    return handover(replica, seat, [BACK, [*agreed, signature]])


def stand_in(
    replica: Replica, gone: int, agreed: tuple[int, list[bytes]], key: int | None
) -> Entry:
    """The entry by which everybody begins to speak for a seat; see `p2p.dropout.absence`."""
    secret = None if key is None else scalar_to_bytes(key)
    return handover(replica, gone, [STAND_IN, [*agreed, secret]])


def handover(replica: Replica, seat: int, said: list[object]) -> Entry:
    """The entry by which a seat changes hands, as everybody writes it."""
    turn = replica.seating.turns[seat] + 1
    place = (seat, turn * TURN, replica.last_of(seat))
    identity = stand_in_identity(replica.game_id, seat, turn)
    return sign_entry(identity, replica.game_id, place, replica.position, said)


def check_words(replica: Replica, entry: Entry, known: Entry | None) -> int:
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


def check_handover(replica: Replica, entry: Entry) -> int | None:
    """The key of a seat for which everybody speaks from this entry on.

    None if it goes back to its owner, or its key is lost.

    Raises:
        MalformedFrame: not all agreed to that, or it is not the place for it.
    """
    seat, dealing, at = entry.seat, replica.play.dealing, replica.position
    if replica.roster.stand_in is None or dealing is None or replica.step is None:
        raise MalformedFrame("nobody stands in for this seat")
    number = (replica.seating.turns[seat] + 1) * TURN
    if (entry.number, entry.parent, entry.digest) != (number, replica.last_of(seat), at.digest):
        raise MalformedFrame("a seat changes hands elsewhere")
    if entry.kind == BACK:
        _check_back(replica, entry)
        return None
    if seat in replica.open_seats:
        raise MalformedFrame("nobody stands in for this seat")
    said = parse_stand_in(entry.body)
    replica.absence.check_agreed(seat, replica.play.live, said)
    return None if said.key is None else parse_key(said.key, dealing.publics[seat])


def lose_key(replica: Replica, seat: int) -> None:
    """Go on without the key of a seat: see `p2p.dropout.rebuilding`.

    Raises:
        MalformedFrame: nobody can.
    """
    if not replica.play.may_lose(seat):
        raise MalformedFrame("nobody can go on without the key of this seat")
    try:
        replica.play.lose_seat(seat, replica.seating.next_nonce(seat))
    except ProofError as error:
        raise MalformedFrame(str(error)) from error


def _check_back(replica: Replica, entry: Entry) -> None:
    number, signatures, signature = parse_back(entry.body)
    seat, step = entry.seat, replica.step
    try:
        check_wish(replica, seat, replica.seating.turns[seat], signature)
    except BadSignature as error:
        raise MalformedFrame("the owner of this seat did not ask for it") from error
    is_place = step is not None and step.is_choice and not replica.seating.is_owned(seat)
    if not is_place or not RETURNED <= number < CONVICTED:
        raise MalformedFrame("no seat goes back here")
    said = Handover(number, signatures, signature)
    replica.absence.check_agreed(seat, replica.play.live, said)


def parse_back(body: object) -> tuple[int, list[object], bytes]:
    """(round, signatures, the owner's) of an entry's body.

    Raises:
        MalformedFrame: it has none.
    """
    match body:
        case [int(number), list(signatures), bytes(signature)] if type(number) is int:
            return number, signatures, signature
    raise MalformedFrame("the word of all, and of the owner, were expected")


# ---- the new key ----


class _Said(NamedTuple):
    public: Point
    joint: Point  # Of all keys, with this one.
    added: list[Masked]  # To every joint card.


def take_back(
    dealing: Dealing, seat: int, secret: Callable[[], int], *, is_mine: bool
) -> Script[None]:
    """Let the owner of a seat show a new key; `secret` gives it, if it `is_mine`."""
    joint = dealing.held_by(JOINT)
    pairs = [pair for _, pair in joint]
    old, old_public = dealing.secrets[seat], dealing.publics[seat]

    def joint_with(public: Point) -> Point:
        whole = dealing.joint - old_public + public
        if IDENTITY in (public - old_public, whole, public):
            raise ProofError("this is no new key")
        return whole

    def write(_: object) -> object:
        fresh = secret()
        public, context = base(fresh), dealing.context(seat, NEW_KEY)
        possession = prove_possession(fresh, public, dealing.context(seat, "possession"))
        if not pairs:
            return [public.encoded, possession, b"", b""]
        key = joint_with(public)
        added, masks = rekey(old - fresh, pairs, key)
        statement = Rekeying(old_public - public, key, pairs, added)
        proof = prove_rekey(old - fresh, statement, masks, context)
        return [public.encoded, possession, cards_to_bytes(added), proof]

    def read(_: int, body: object) -> _Said:
        match body:
            case [bytes(encoded), bytes(possession), bytes(cards), bytes(proof)]:
                public = Point.parse(encoded)
                verify_possession(public, dealing.context(seat, "possession"), possession)
                key = joint_with(public)
                if not pairs and not cards + proof:
                    return _Said(public, key, [])
                added = parse_deck(cards, len(pairs))
                statement = Rekeying(old_public - public, key, pairs, added)
                verify_rekey(statement, proof, dealing.context(seat, NEW_KEY))
                return _Said(public, key, added)
        raise ProofError("a new key, and what it adds to every joint card, were expected")

    (said,) = yield Step(NEW_KEY, (seat,), read, write, is_heavy=bool(pairs))
    assert isinstance(said, _Said), "it was read so"
    for (card, pair), added in zip(joint, said.added, strict=True):
        dealing.hold(card, Masked(pair.a + added.a, added.b), JOINT)
    for card, pair in dealing.held_by(seat):
        bare = message(pair, *make_shares(old, [pair]))
        dealing.hold(card, open_form(bare, said.public), seat)
    dealing.entrust(seat, said.public, secret() if is_mine else None)
