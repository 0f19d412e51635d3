"""The plaintext equality test (PET): which ciphertexts say nothing, and nothing else about them.

Every seat j multiplies each ciphertext (a, b) = (r G, M + r Y) by a fresh z of its own and proves
it; the sum of what all said is (Z a, Z b) with a Z that nobody knows. When its layers are taken off
(`masking.py`), Z M is the identity if M is, and otherwise a point that is as likely as any other.
This is the plaintext equality test of Jakobsson and Juels (ASIACRYPT 2000, section 3), against
nothing. The proof of (a', b') = (z a, z b) is that of Chaum and Pedersen (CRYPTO 1992):

    k_i random, T_i = k_i a_i,  U_i = k_i b_i
    c = H(context, cards, raised, all T and U);   s_i = k_i + c z_i          -- c, s_1 .. s_N -->
    verifier: T_i = s_i a_i - c a'_i,  U_i = s_i b_i - c b'_i,  c = H(...)?

The factors of a list differ: with one for all, equal messages would be equal points afterwards.

What this does not protect against: all seats together, who know Z. A seat whose factor is no secret
hides nothing, so at least one honest seat has to take part.
"""

from collections.abc import Sequence
from typing import Final

from p2p.crypto.group import (
    IDENTITY,
    SCALAR_BYTES,
    Point,
    parse_scalars,
    plain_sum,
    random_scalar,
    scalars_to_bytes,
)
from p2p.crypto.masking import MASKED_BYTES, Masked, cards_to_bytes, check_cards, parse_cards
from p2p.crypto.transcript import ProofError, Transcript

_PROTOCOL: Final = "hostless/blind/1"


def pet_share_bytes(count: int) -> int:
    """Give the size of a share of the test for so many cards."""
    return count * (MASKED_BYTES + SCALAR_BYTES) + SCALAR_BYTES


def pet_share(cards: Sequence[Masked], context: bytes) -> bytes:
    """Give the cards, each times a factor that is forgotten at once, and the proof: my share."""
    check_cards(cards)
    factors = [random_scalar() for _ in cards]
    raised = [
        Masked(card.a * factor, card.b * factor)
        for card, factor in zip(cards, factors, strict=True)
    ]
    transcript = _start(cards, raised, context)
    nonces = transcript.nonces(len(cards), factors)
    for card, nonce in zip(cards, nonces, strict=True):
        _answer(transcript, card.a * nonce, card.b * nonce)
    challenge = transcript.challenge("challenge")
    responses = [nonce + challenge * factor for nonce, factor in zip(nonces, factors, strict=True)]
    return cards_to_bytes(raised) + scalars_to_bytes([challenge, *responses])


def check_pet_share(cards: Sequence[Masked], said: bytes, context: bytes) -> list[Masked]:
    """Give the cards of a share, none of them times zero; raises ProofError."""
    check_cards(cards)
    if len(said) != pet_share_bytes(len(cards)):
        size = pet_share_bytes(len(cards))
        raise ProofError(f"An equality test of {len(cards)} cards is {size} bytes.")
    split = len(cards) * MASKED_BYTES
    raised = parse_cards(said[:split])  # A factor of zero would make an identity of it.
    challenge, *responses = parse_scalars(said[split:], len(cards) + 1)
    transcript = _start(cards, raised, context)
    for old, new, response in zip(cards, raised, responses, strict=True):
        first = old.a * response - new.a * challenge
        _answer(transcript, first, old.b * response - new.b * challenge)
    if challenge != transcript.challenge("challenge"):
        raise ProofError("The proof that cards were blinded does not hold.")
    return raised


def pet_sum(shares: Sequence[Sequence[Masked]]) -> list[Masked]:
    """Give what all seats together made of the cards.

    Raises:
        ProofError: factors add up to nothing. Whoever said the last of them knew the others'.
    """
    cards = [
        Masked(plain_sum(each.a for each in said), plain_sum(each.b for each in said))
        for said in zip(*shares, strict=True)
    ]
    if any(card.a == IDENTITY for card in cards):
        raise ProofError("The factors of an equality test add up to nothing.")
    return cards


def _start(cards: Sequence[Masked], raised: Sequence[Masked], context: bytes) -> Transcript:
    """Give a transcript that holds the statement."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("cards", cards_to_bytes(cards))
    transcript.absorb("raised", cards_to_bytes(raised))
    return transcript


def _answer(transcript: Transcript, first: Point, second: Point) -> None:
    """Put the two commitments of one card into the transcript."""
    transcript.absorb("commitments", first.encoded, second.encoded)
