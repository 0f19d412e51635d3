"""Cards under a key: masking, re-masking, and taking a layer off (Barnett and Smart 2003, 4).

A masked card is an ElGamal ciphertext (a, b) = (r G, M + r Y): M is the point of the face, Y the
key it is readable by. The stages of one card:

    open form    (G, M + Y)              everybody knows what it is
    remask       (a + r G, b + r Y)      nobody but the masker can follow it
    share of j   x_j a                   seat j's part of the way to M
    owner form   (a, b - sum of x_j a)   over all seats but one: that one seat reads it

A seat proves its shares for a whole list at once (Chaum and Pedersen 1992, batched by a random
linear combination as in Bellare, Garay and Rabin 1998):

    w = H(context, Y_j, cards, shares);  A = sum of w_i a_i;  S = sum of w_i share_i
    k random, T1 = k G, T2 = k A;  c = H(..., T1, T2);  s = k + c x_j      -- c, s -->
    verifier: T1 = s G - c Y_j,  T2 = s A - c S,  c = H(..., T1, T2)?

What this does not protect against: ElGamal is malleable. Whoever may ask for shares of points of
its own making has every card opened for it. So cards come from `shuffle` and `rekey` proofs only,
and a share is given once for each card. Equal faces are equal points on purpose: an opened card
shows its face and nothing else.

The masks and the order of a whole shuffle follow from one seed of 32 bytes:

    masks    H("hostless/masks/1"; seed), 64 bytes for each card, modulo L
    order    H("hostless/order/1"; seed), 16 bytes for each index; the indices, sorted by them

    seed     H("hostless/seed/1"; x, hint), from the seat's key and 32 bytes that it says aloud

A seat that shuffles says its deck in one entry, with the hint, and proves it in a later one.  If
its machine stops between the two, or everybody speaks for the seat by then
(`p2p.session.membership`), the key is all that is needed to go on.  More cards change none of the
first masks, so that masks can be made before it is known how many cards there are.

What this does not protect against: a key that is known.  Then the orders of all that its seat has
shuffled are; a deck is closed as long as another seat's are not.  The hint is drawn anew for every
shuffle: two with one hint would show what differs between their cards.
"""

from collections.abc import Iterable, Sequence, Sized
from typing import Final, NamedTuple, Self

from p2p.crypto import entropy
from p2p.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    G,
    Point,
    base,
    parse_scalars,
    plain_sum,
    points_to_bytes,
    refuse_identity,
    scalars_to_bytes,
    weighted_sum,
)
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import WIDE_BYTES, ProofError, Transcript, hash_bytes, reduced

_SEED_BYTES: Final = 32
HINT_BYTES: Final = 32
_KEY_BYTES: Final = 32
PLACE_BYTES: Final = 16
"""For each index: two are never equal."""


def fresh_hint() -> bytes:
    """Give the hint of one shuffle."""
    return entropy.fresh_bytes(HINT_BYTES)


def seed_of(secret: int, hint: bytes) -> bytes:
    """Give the seed of the shuffle with this hint by the seat with this secret."""
    key = secret.to_bytes(_KEY_BYTES, "little")
    return hash_bytes("hostless/seed/1", key, hint, size_bytes=_SEED_BYTES)


def masks_of(seed: bytes, count: int) -> list[int]:
    """Give the masks of so many cards."""
    wide = hash_bytes("hostless/masks/1", seed, size_bytes=WIDE_BYTES * count)
    return reduced(wide, count)


def order_of(seed: bytes, count: int) -> list[int]:
    """Give the indices below count in an order that nobody can foretell without the seed."""
    drawn = hash_bytes("hostless/order/1", seed, size_bytes=PLACE_BYTES * count)
    return sorted(range(count), key=lambda at: drawn[PLACE_BYTES * at : PLACE_BYTES * (at + 1)])


_PROTOCOL: Final = "hostless/shares/1"
MASKED_BYTES: Final = 2 * POINT_BYTES
SHARES_PROOF_BYTES: Final = 2 * SCALAR_BYTES
LIST_CARDS_MAX: Final = 1024
"""No list of one proof is longer; it bounds the work that a stranger's bytes can cause."""


class Masked(NamedTuple):
    """A card that only the holders of its key can read, all of them together."""

    a: Point
    b: Point

    def to_bytes(self) -> bytes:
        """Give 64 bytes."""
        return self.a.encoded + self.b.encoded

    @classmethod
    def parse(cls, encoded: bytes) -> Self:
        """Give the card of 64 bytes from outside; raises ProofError."""
        if len(encoded) != MASKED_BYTES:
            raise ProofError(f"A masked card is {MASKED_BYTES} bytes.")
        return cls(Point.parse(encoded[:POINT_BYTES]), Point.parse(encoded[POINT_BYTES:]))


def cards_to_bytes(cards: Iterable[Masked]) -> bytes:
    """Give 64 bytes a card, one after the other."""
    return b"".join([card.a.encoded + card.b.encoded for card in cards])


def parse_cards(encoded: bytes) -> list[Masked]:
    """Give the cards of 64 bytes each, at least one; raises ProofError."""
    count, rest = divmod(len(encoded), MASKED_BYTES)
    if rest or not 1 <= count <= LIST_CARDS_MAX:
        raise ProofError(f"A list is 1 to {LIST_CARDS_MAX} cards of {MASKED_BYTES} bytes.")
    starts = range(0, len(encoded), MASKED_BYTES)
    return [Masked.parse(encoded[start : start + MASKED_BYTES]) for start in starts]


def check_cards(cards: Sequence[Masked]) -> None:
    """Raise ProofError unless a list has a length that proofs allow and no card is degenerate."""
    if not 1 <= len(cards) <= LIST_CARDS_MAX:
        raise ProofError(f"A list is 1 to {LIST_CARDS_MAX} cards.")
    refuse_identity((point for card in cards for point in card), "A part of a masked card")


class Settled:
    """That no proof waits to be verified; nobody has one while any does, as it is made of those.

    A card shows its face to whoever takes its last layer off, and that cannot be taken back.  So
    only whoever has this may `give_layers`: a deck that is not verified is not dealt from.
    """

    __slots__ = ()

    def __init__(self, waiting: Iterable[Sized]) -> None:
        """Make sure of it."""
        make_sure(
            not any(map(len, waiting)), "Nobody gives layers before every shuffle is verified."
        )


def open_form(message: Point, key: Point) -> Masked:
    """Give a card that everybody can read, in the form that shuffles take: mask 1."""
    return Masked(G, message + key)


def remask(card: Masked, key: Point, mask: int) -> Masked:
    """Give the same card under the same key with another look."""
    return Masked(card.a + base(mask), card.b + key * mask)


def make_shares(secret: int, cards: Sequence[Masked]) -> list[Point]:
    """Give one seat's part of the way to each card's message."""
    return [card.a * secret for card in cards]


def strip(card: Masked, shares: Iterable[Point]) -> Masked:
    """Take the layers off whose shares are given: all but one leave the owner form."""
    return Masked(card.a, card.b - plain_sum(shares))


def message(card: Masked, own_share: Point) -> Point:
    """Give what a card says, once the last layer's share is known."""
    return card.b - own_share


def give_layers(
    secret: int, public: Point, cards: Sequence[Masked], context: bytes, settled: Settled
) -> tuple[list[Point], bytes]:
    """Give one seat's layers of the cards, with one proof for all of them."""
    make_sure(
        isinstance(settled, Settled),
        "Whoever gives layers has verified what it takes them off.",
    )
    shares = make_shares(secret, cards)
    return shares, prove_shares(secret, public, cards, shares, context)


def prove_shares(
    secret: int, public: Point, cards: Sequence[Masked], shares: Sequence[Point], context: bytes
) -> bytes:
    """Give one proof of 64 bytes for the whole list of shares."""
    make_sure(base(secret) == public, "A seat proves its own shares.")
    check_cards(cards)
    transcript, joined_card, _ = _open(public, cards, shares, context, with_shares=False)
    (nonce,) = transcript.nonces(1, [secret])
    challenge = _close(transcript, base(nonce), joined_card * nonce)
    return scalars_to_bytes((challenge, nonce + challenge * secret))


def verify_shares(
    public: Point, cards: Sequence[Masked], shares: Sequence[Point], proof: bytes, context: bytes
) -> None:
    """Return if every share is the card's `a` times the secret of `public`; or ProofError."""
    check_cards(cards)
    if len(cards) != len(shares):
        raise ProofError(f"Expected {len(cards)} shares.")
    refuse_identity([public, *shares], "A key or share")
    challenge, response = parse_scalars(proof, 2)
    transcript, joined_card, joined_share = _open(public, cards, shares, context)
    first = base(response) - public * challenge
    second = joined_card * response - joined_share * challenge
    if challenge != _close(transcript, first, second):
        raise ProofError("The proof of decryption shares does not hold.")


def _open(
    public: Point,
    cards: Sequence[Masked],
    shares: Sequence[Point],
    context: bytes,
    *,
    with_shares: bool = True,
) -> tuple[Transcript, Point, Point]:
    """Give a transcript that holds the statement, and the lists joined by its weights.

    The prover needs no joined share; it saves the work.
    """
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("public", public.encoded)
    transcript.absorb("cards", cards_to_bytes(cards))
    transcript.absorb("shares", points_to_bytes(shares))
    weights = transcript.weights(len(cards))
    joined_card = weighted_sum(weights, [card.a for card in cards])
    return transcript, joined_card, weighted_sum(weights, shares) if with_shares else G


def _close(transcript: Transcript, first: Point, second: Point) -> int:
    """Give the challenge that answers the prover's two commitments."""
    transcript.absorb("commitments", first.encoded, second.encoded)
    return transcript.challenge("challenge")
