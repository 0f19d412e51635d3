"""A claim about hidden cards: each has one of the allowed faces, and nobody learns which.

For a card (a, b) in owner form under Y = x G, "its message is M_k" means that b - M_k = x a: the
logarithm of Y to G equals that of b - M_k to a (Chaum and Pedersen 1992). "One of M_1 ... M_n" is
an OR of n such proofs, of which all but one are made up by choosing their challenge first (Cramer,
Damgard and Schoenmakers, CRYPTO 1994, section 4). All cards of the list share the challenge c.
"None of these faces" is "one of all others": the faces of a game are a short list that all know, so
that a card is *not* in a set needs no proof of another kind.

    n_k random for every k;  c_k random for every k but the true one
    T_k = n_k G,  U_k = n_k a - c_k (M - M_k)        (the second part vanishes for the true one)
    c = H(context, Y, cards, faces, all T, all U);   the true c_k = c - sum of the others
    s_k = n_k + c_k x                                           -- c_1 .. c_n, s_1 .. s_n -->
    verifier: T_k = s_k G - c_k Y,  U_k = s_k a - c_k (b - M_k),  sum of c_k = H(...)?

What this does not protect against: the claim says nothing about cards that are not in the list, so
the caller checks that it is the whole hand. An allowed set of one face opens the card.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from p2p.crypto.group import (
    L,
    Point,
    base,
    parse_scalars,
    points_to_bytes,
    refuse_identity,
    scalars_to_bytes,
)
from p2p.crypto.masking import Masked, cards_to_bytes, check_cards, make_shares, message
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, Transcript

_PROTOCOL: Final = "hostless/membership/1"
BRANCHES_MAX: Final = 8192
"""Cards times faces in one claim; the largest takes a verifier about two seconds."""


def prove_members(
    secret: int,
    public: Point,
    cards: Sequence[Masked],
    allowed: Sequence[Point],
    context: bytes,
) -> bytes:
    """Give a proof of 64 bytes for each card and face; every card must have an allowed face."""
    make_sure(base(secret) == public, "A seat makes claims about its own cards.")
    _check(public, cards, allowed)
    transcript = _open(public, cards, allowed, context)
    faces = [message(*pair) for pair in zip(cards, make_shares(secret, cards), strict=True)]
    truths = [allowed.index(face) for face in faces if face in allowed]
    make_sure(len(truths) == len(cards), "Only true claims are proven.")
    count = len(cards) * len(allowed)
    # Of one draw, so that they differ even if the source of randomness repeats itself: a nonce
    # that equals its challenge, which is shown, would tell the key.
    drawn = transcript.nonces(2 * count, [secret])
    nonces, challenges = drawn[:count], drawn[count:]
    for index, (card, nonce, guess) in enumerate(
        zip(_spread(cards, allowed), nonces, challenges, strict=True)
    ):
        gap = faces[index // len(allowed)] - allowed[index % len(allowed)]
        _answer(transcript, base(nonce), card.a * nonce - gap * guess)
    _fit(challenges, truths, transcript.challenge("challenge"))
    responses = [
        nonce + challenge * secret for nonce, challenge in zip(nonces, challenges, strict=True)
    ]
    return scalars_to_bytes(challenges) + scalars_to_bytes(responses)


def verify_members(
    public: Point,
    cards: Sequence[Masked],
    allowed: Sequence[Point],
    proof: bytes,
    context: bytes,
) -> None:
    """Return if every card has one of the allowed faces; raises ProofError otherwise."""
    _check(public, cards, allowed)
    count = len(cards) * len(allowed)
    scalars = parse_scalars(proof, 2 * count)
    challenges, responses = scalars[:count], scalars[count:]
    transcript = _open(public, cards, allowed, context)
    for index, card in enumerate(_spread(cards, allowed)):
        challenge, response = challenges[index], responses[index]
        rest = card.b - allowed[index % len(allowed)]
        first = base(response) - public * challenge
        _answer(transcript, first, card.a * response - rest * challenge)
    expected = transcript.challenge("challenge")
    for start in range(0, count, len(allowed)):
        if sum(challenges[start : start + len(allowed)]) % L != expected:
            raise ProofError("The claim about hidden cards does not hold.")


def _check(public: Point, cards: Sequence[Masked], allowed: Sequence[Point]) -> None:
    """Raise ProofError for claims that no honest seat makes."""
    check_cards(cards)
    refuse_identity([public, *allowed], "A key or face")
    if not allowed or len(set(allowed)) != len(allowed):
        raise ProofError("The allowed faces of a claim are one or more, all different.")
    if len(cards) * len(allowed) > BRANCHES_MAX:
        raise ProofError(f"A claim has at most {BRANCHES_MAX} cards times faces.")


def _spread(cards: Sequence[Masked], allowed: Sequence[Point]) -> Iterator[Masked]:
    """Give each card once for every allowed face."""
    return (card for card in cards for _ in allowed)


def _fit(challenges: list[int], truths: Sequence[int], total: int) -> None:
    """Set the challenge of each card's true face so that each card's add up to the total."""
    width = len(challenges) // len(truths)
    for card_index, truth in enumerate(truths):
        start = card_index * width
        others = sum(challenges[start : start + width]) - challenges[start + truth]
        challenges[start + truth] = (total - others) % L


def _open(
    public: Point, cards: Sequence[Masked], allowed: Sequence[Point], context: bytes
) -> Transcript:
    """Give a transcript that holds the statement."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("public", public.encoded)
    transcript.absorb("cards", cards_to_bytes(cards))
    transcript.absorb("allowed", points_to_bytes(allowed))
    return transcript


def _answer(transcript: Transcript, first: Point, second: Point) -> None:
    """Put the two commitments of one card and face into the transcript."""
    transcript.absorb("commitments", first.encoded, second.encoded)
