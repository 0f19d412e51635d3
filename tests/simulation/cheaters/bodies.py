"""Cheaters that sign something false in the right place."""

from __future__ import annotations

from core.requests import Reveal, Shuffle
from p2p.base.wire import encode
from p2p.crypto.commitments import commit
from p2p.crypto.group import (
    IDENTITY,
    Point,
    base,
    hash_to_point,
    points_to_bytes,
    random_scalar,
)
from p2p.crypto.keys import prove_possession
from p2p.crypto.masking import (
    HINT_BYTES,
    SHARES_PROOF_BYTES,
    Masked,
    cards_to_bytes,
    fresh_hint,
    make_shares,
    open_form,
    parse_cards,
)
from p2p.crypto.masking import prove_shares as prove_sharing
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey
from p2p.crypto.shuffle_proof import shuffle
from p2p.crypto.vrf import vrf_prove, vrf_value
from p2p.game.dealing import Dealing
from p2p.log.replica import Replica
from tests.simulation.cheaters.kinds import Forge, Outcome, bent, body_of, others_said

CLAIMING = {"seats": (0,), "chances": 1}  # In a game of beads seat 0 claims and mixes,
GIVING = {"seats": (1,)}  # and seat 1 gives a bead away, and puts one back.


def cards_of(replica: Replica) -> Dealing:
    """The masked cards as the cheater has them."""
    assert replica.play.dealing is not None, "the keys are agreed on"
    return replica.play.dealing


def pair_of(dealing: Dealing, card: int) -> Masked:
    """A card that is not open."""
    pair = dealing.masked[card]
    assert pair is not None, "this card has a mask"
    return pair


def asked(replica: Replica) -> tuple[int, ...]:
    """The cards that the rules want to see, or to be shuffled."""
    match replica.play.request:
        case Reveal(cards, _):
            return cards
        case Shuffle(piles, _):
            return tuple(card for pile in piles for card in pile)
    raise AssertionError("cards are asked for")


def me(replica: Replica) -> int:
    """The cheater's seat."""
    assert replica.me is not None, "a cheater sits at the table"
    return replica.me


# ---- keys ----


@body_of("key")
def another_key(replica: Replica, body: list[object]) -> object:
    """Show a key, chosen after the others', that was not committed to."""
    secret = random_scalar()
    context = replica.play._context(me(replica), "possession", height=0)
    return [base(secret).encoded, prove_possession(secret, base(secret), context), body[2]]


def _open_rogue_key(replica: Replica, body: list[object]) -> object:
    return [_rogue_key().encoded, body[1], body[2]]


def _rogue_key() -> Point:
    return hash_to_point("nobody knows the logarithm")


@body_of("key seal", then={"key": _open_rogue_key})
def rogue_key(replica: Replica, body: list[object]) -> object:
    """Commit to a key of which it does not know the secret, as a difference of keys is one."""
    context, salt = replica.play._context(0, "key", height=0), replica.play._derive("key salt")
    return commit(context, me(replica), _rogue_key().encoded, salt)


def _open_no_key(replica: Replica, body: list[object]) -> object:
    return [IDENTITY.encoded, body[1], body[2]]


@body_of("key seal", then={"key": _open_no_key})
def no_key(replica: Replica, body: list[object]) -> object:
    """Take part with the identity for a key, so that its layer is no layer."""
    context, salt = replica.play._context(0, "key", height=0), replica.play._derive("key salt")
    return commit(context, me(replica), IDENTITY.encoded, salt)


# ---- commitments ----


def _copy_another(replica: Replica, body: list[object]) -> object:
    return next(iter(others_said(replica).values()))


@body_of("seal", then={"unseal": _copy_another}, is_patient=True)
def copied_commitment(replica: Replica, body: list[object]) -> object:
    """Commit to what another seat committed to, to open what that seat opens."""
    return _copy_another(replica, body)


@body_of("roll", is_patient=True)
def late_change_of_mind(replica: Replica, body: list[object]) -> object:
    """See the others' shares of a roll, then show another one than its key gives."""
    dealing, seat, secret = cards_of(replica), me(replica), random_scalar()
    place = replica.play._context(0, "roll")
    return vrf_prove(secret, base(secret), place, dealing.context(seat, "roll"))


@body_of("roll")
def short_share_of_a_roll(replica: Replica, body: list[object]) -> object:
    """Show a share of a roll that has no bytes."""
    return b""


def _open_with_its_own_salt(replica: Replica, body: list[object]) -> object:
    return [body[0], base(1).encoded + bytes(SHARES_PROOF_BYTES)]


@body_of("seal", then={"unseal": _open_with_its_own_salt})
def salt_of_its_choice(replica: Replica, body: list[object]) -> object:
    """Seal with a salt that does not follow from its key, and open what it has sealed."""
    play, seat = replica.play, me(replica)
    sealed = encode(list(play._secrets.recall(replica.height)))  # type: ignore[union-attr]
    return commit(play._context(0, "secret"), seat, sealed, base(1).encoded)


@body_of("unseal")
def other_choice_than_sealed(replica: Replica, body: list[object]) -> object:
    """Open another secret choice than was sealed."""
    match body[0]:
        case [verb, cards, int(number)]:
            return [[verb, cards, (number + 1) % 3], body[1]]
    raise AssertionError("a bid is a number")


def _open_impossible_bid(replica: Replica, body: list[object]) -> object:
    return [["bid", [], 9], body[1]]


@body_of("seal", then={"unseal": _open_impossible_bid})
def illegal_secret_choice(replica: Replica, body: list[object]) -> object:
    """Seal, and open, what the rules do not allow."""
    play, seat = replica.play, me(replica)
    salt = vrf_value(cards_of(replica).secrets[seat], play._context(0, "salt"))
    return commit(play._context(0, "secret"), seat, encode(["bid", [], 9]), salt)


# ---- shuffles ----


def _cards(part: object) -> list[Masked]:
    """The cards of a pile as its entry has them."""
    assert isinstance(part, bytes), "a pile is its cards and a hint"
    return parse_cards(part[:-HINT_BYTES])


def _pile(cards: list[Masked]) -> bytes:
    return cards_to_bytes(cards) + fresh_hint()


@body_of("shuffle")
def stacked_deck(replica: Replica, body: list[object]) -> object:
    """Shuffle a deck of which every card is the same."""
    dealing, (first, *others) = cards_of(replica), body
    inputs = [open_form(dealing.points[0], dealing.joint) for _ in _cards(first)]
    outputs, _ = shuffle(dealing.joint, inputs, fresh_hint())
    return [_pile(outputs), *others]


@body_of("shuffle")
def card_in_place_of_another(replica: Replica, body: list[object]) -> object:
    """Shuffle honestly, then put a second copy of one card into the place of another."""
    first, *others = body
    _, second, *rest = _cards(first)
    return [_pile([second, second, *rest]), *others]


@body_of("shuffle")
def card_less(replica: Replica, body: list[object]) -> object:
    """Shuffle a card away."""
    first, *others = body
    return [_pile(_cards(first)[1:]), *others]


@body_of("shuffle")
def stale_deck(replica: Replica, body: list[object]) -> object:
    """Shuffle the deck as it was before the others did, which undoes their work."""
    dealing, table, request = cards_of(replica), replica.play.table, replica.play.request
    assert isinstance(request, Shuffle), "a deck is shuffled"
    decks: list[object] = []
    for part in body:
        pile = next(pile for pile in request.piles if len(pile) == len(_cards(part)))
        closed = [dealing._closed(table, card, dealing.joint) for card in pile]
        decks.append(_pile(shuffle(dealing.joint, closed, fresh_hint())[0]))
    return decks


@body_of("shuffle")
def rubbish_deck(replica: Replica, body: list[object]) -> object:
    """Give on a deck whose cards show no face at all."""
    joint = cards_of(replica).joint
    return [_pile([open_form(joint, joint) for _ in _cards(part)]) for part in body]


@body_of("prove")
def no_proof(replica: Replica, body: list[object]) -> object:
    """Leave the proofs of a shuffle out."""
    return [b"" for _ in body]


@body_of("prove")
def bent_proof(replica: Replica, body: list[object]) -> object:
    """Change one bit of the proof of a shuffle."""
    first, *others = body
    assert isinstance(first, bytes), "a proof is bytes"
    return [bent(first, len(first) - 32), *others]


@body_of("prove")
def proofs_of_each_other(replica: Replica, body: list[object]) -> object:
    """Give each of two piles the proof of the other, or the only one half of it."""
    if len(body) > 1:
        return body[::-1]
    (only,) = body
    assert isinstance(only, bytes), "a proof is bytes"
    return [only[: len(only) // 2]]


@body_of("prove", is_patient=True)
def proof_of_another_seat(replica: Replica, body: list[object]) -> object:
    """Say what another seat said as proof of its shuffle."""
    return next(iter(others_said(replica).values()))


@body_of("mix", **CLAIMING)
def doubled_card_in_the_own_hand(replica: Replica, body: list[object]) -> object:
    """Mix the hand, and put one card of it into the place of another."""
    match body:
        case [[bytes(cards), bytes(proof)], *rest]:
            _, second, *others = parse_cards(cards)
            return [[cards_to_bytes([second, second, *others]), proof], *rest]
    raise AssertionError("a mix is a list of piles")


@body_of("mix", **CLAIMING)
def copy_of_a_strangers_card(replica: Replica, body: list[object]) -> object:
    """Mix a copy of a card that another seat holds into the own hand, with a new look."""
    match body:
        case [[bytes(cards), bytes(proof)], *rest]:
            theirs = pair_of(cards_of(replica), _held_by_another(replica))
            return [[cards_to_bytes([theirs, *parse_cards(cards)[1:]]), proof], *rest]
    raise AssertionError("a mix is a list of piles")


def _held_by_another(replica: Replica) -> int:
    holders = enumerate(cards_of(replica).holder)
    return next(card for card, holder in holders if holder >= 0 and holder != replica.me)


# ---- shares ----


@body_of("share")
def share_of_another_key(replica: Replica, body: list[object]) -> object:
    """Take a layer off that is not its own."""
    dealing = cards_of(replica)
    pairs = [pair_of(dealing, card) for card in asked(replica)]
    return [points_to_bytes(make_shares(dealing.secrets[me(replica)] + 1, pairs)), body[1]]


@body_of("share")
def share_and_proof_of_another_key(replica: Replica, body: list[object]) -> object:
    """Take another layer off, and prove that it did so, with that other key."""
    dealing, secret = cards_of(replica), random_scalar()
    pairs = [pair_of(dealing, card) for card in asked(replica)]
    shares = make_shares(secret, pairs)
    context = dealing.context(me(replica), "share")
    return [
        points_to_bytes(shares), prove_sharing(secret, base(secret), pairs, shares, context)
    ]  # fmt: skip


@body_of("share")
def shares_in_another_order(replica: Replica, body: list[object]) -> object:
    """Exchange the shares of two cards, and with them the cards; of one, double it."""
    joined = body[0]
    assert isinstance(joined, bytes), "shares are bytes"
    one, other, rest = joined[:32], joined[32:64], joined[64:]
    if other:
        return [other + one + rest, body[1]]
    return [(Point.parse(one) + Point.parse(one)).encoded, body[1]]


@body_of("share")
def no_share(replica: Replica, body: list[object]) -> object:
    """Say that the own layer is the identity."""
    return [IDENTITY.encoded * len(asked(replica)), body[1]]


@body_of("share")
def other_proof_of_a_share(replica: Replica, body: list[object]) -> object:
    """Change one bit of the proof of a share."""
    assert isinstance(body[1], bytes), "a proof is bytes"
    return [body[0], bent(body[1], 32)]


@body_of("open")
def false_face(replica: Replica, body: list[object]) -> object:
    """Bend the share of an opened card, so that it shows another face."""
    dealing = cards_of(replica)
    card = next(card for card in asked(replica) if dealing.masked[card] is not None)
    wanted = dealing.points[(dealing.observation[card] + 1) % len(dealing.points)]
    joined = body[0]
    assert isinstance(joined, bytes), "shares are bytes"
    return [(pair_of(dealing, card).b - wanted).encoded + joined[32:], body[1]]


@body_of("open")
def face_by_its_number(replica: Replica, body: list[object]) -> object:
    """Open a card by saying which it is."""
    return [cards_of(replica).observation[asked(replica)[0]], body[1]]


def _replaying() -> Forge:
    said: list[object] = []

    def forge(_: Replica, body: list[object]) -> object:
        said.append(body)
        return said[0]

    return forge


@body_of("share", fresh=True, chances=1)  # type: ignore[arg-type]
def replayed_share() -> Forge:
    """Say the first share again, for other cards."""
    return _replaying()


@body_of("prove", fresh=True, chances=1)  # type: ignore[arg-type]
def replayed_proof() -> Forge:
    """Prove a shuffle with the proof of an older one."""
    return _replaying()


# ---- cards that change hands ----


def _rekeyed(replica: Replica, card: int, key: Point, kind: str) -> object:
    dealing, seat = cards_of(replica), me(replica)
    pairs = [pair_of(dealing, card)]
    fresh, masks = rekey(dealing.secrets[seat], pairs, key)
    statement = Rekeying(dealing.publics[seat], key, pairs, fresh)
    proof = prove_rekey(dealing.secrets[seat], statement, masks, dealing.context(seat, kind))
    return [cards_to_bytes(fresh), proof]


def _another_of_mine(replica: Replica) -> int:
    mine = [card for card, holder in enumerate(cards_of(replica).holder) if holder == replica.me]
    return next(card for card in mine if card not in asked(replica))


@body_of("pass", **GIVING)
def another_card_given(replica: Replica, body: list[object]) -> object:
    """Hand over another card than the one that was asked for."""
    key = cards_of(replica).publics[0]
    return _rekeyed(replica, _another_of_mine(replica), key, "pass")


@body_of("pass", **GIVING)
def card_given_to_itself(replica: Replica, body: list[object]) -> object:
    """Hand a card over under its own key, so that only it can go on reading it."""
    dealing = cards_of(replica)
    return _rekeyed(replica, asked(replica)[0], dealing.publics[me(replica)], "pass")


@body_of("return", **GIVING)
def another_card_returned(replica: Replica, body: list[object]) -> object:
    """Put a copy of a stranger's card into the deck, instead of the own."""
    dealing = cards_of(replica)
    theirs = pair_of(dealing, _held_by_another(replica))
    return [cards_to_bytes([theirs]), body[1]]


# ---- choices ----


@body_of("choose", game="carta")
def strangers_card_played(replica: Replica, body: list[object]) -> object:
    """Play from the hand of the next seat."""
    table = replica.play.table
    seat = (me(replica) + 1) % table.layout.players
    return [["play", [table.zones[table.layout.zone_index[f"seat{seat}.hand"]][0]], 0], b""]


@body_of("choose", game="carta")
def stuck_by_its_own_word(replica: Replica, body: list[object]) -> object:
    """Say that no card can be played, where everybody sees that one can."""
    return [["skip", [], 0], b""]


@body_of("choose")
def card_that_is_none(replica: Replica, body: list[object]) -> object:
    """Name a card that is not in the box."""
    return [["play", [9999], 0], b""]


@body_of("choose", **CLAIMING)
def false_claim(replica: Replica, body: list[object]) -> object:
    """Say of a hidden bead what is not true, with the proof of what is."""
    match body[0]:
        case ["say", cards, int(number)]:
            return [["say", cards, (number + 1) % 3], body[1]]
    return body


@body_of("choose", **CLAIMING)
def claim_without_proof(replica: Replica, body: list[object]) -> object:
    """Say something about a hidden bead, and prove nothing."""
    return [body[0], b""]


@body_of("choose", seats=(1,))
def proof_that_nobody_asked_for(replica: Replica, body: list[object]) -> object:
    """Prove something where nothing is claimed."""
    return [body[0], bytes(64)]


def half_truth(replica: Replica, body: list[object]) -> object:
    """Claim what is true, and provable, of a bead that it may not say it of."""
    match body[0]:
        case ["say", list(cards), int(number)]:
            other = (number - 1) % 3
            faces = (other, (other + 1) % 3)
            return [["say", cards, other], cards_of(replica).prove_claim(cards, faces)]
    return body


body_of("choose", outcome=Outcome.OPENED, needs="hands", **CLAIMING)(half_truth)
