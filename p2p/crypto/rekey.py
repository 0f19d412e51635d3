"""A card changes hands, or its look, without being shown: from key Y_o to key Y_t.

The holder of Y_o = x G turns (a, b) into (a', b') = (r G, b - x a + r Y_t), which says the same
under Y_t: another seat's key, the joint key, or Y_o again. It proves for a whole list at once that
b - b' = x a - r Y_t and a' = r G with the x of its key (an equality of representations: Camenisch
and Stadler 1997, section 3; batched by a random linear combination):

    w = H(context, keys, inputs, outputs)
    A = sum of w a,  A' = sum of w a',  D = sum of w (b - b'),  R = sum of w r
    k, m random;  T1 = k G,  T2 = m G,  T3 = k A - m Y_t;  c = H(..., T1, T2, T3)
    s = k + c x,  z = m + c R                                                   -- c, s, z -->
    verifier: T1 = s G - c Y_o,  T2 = z G - c A',  T3 = s A - z Y_t - c D,  c = H(...)?

What this does not protect against: an input that is not in owner form under Y_o says something
random under Y_t (so only cards of known origin are re-keyed); and the list keeps its order, so the
table still knows which card went where.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p.crypto.group import (
    SCALAR_BYTES,
    L,
    Point,
    base,
    parse_scalars,
    random_scalar,
    refuse_identity,
    scalars_to_bytes,
    weighted_sum,
)
from p2p.crypto.masking import Masked, cards_to_bytes, check_cards
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, Transcript

_PROTOCOL: Final = "hostless/rekey/1"
REKEY_PROOF_BYTES: Final = 3 * SCALAR_BYTES


class Rekeying(NamedTuple):
    """What is claimed: these inputs under the owner's key are these outputs under the target."""

    owner_key: Point
    target_key: Point
    inputs: Sequence[Masked]
    outputs: Sequence[Masked]


class _Joined(NamedTuple):
    """A statement's lists, joined by the weights of its transcript."""

    transcript: Transcript
    weights: list[int]
    old_a: Point


def rekey(
    secret: int, cards: Sequence[Masked], target_key: Point
) -> tuple[list[Masked], list[int]]:
    """Give the same cards under another key, and the masks that `prove_rekey` needs."""
    masks = [random_scalar() for _ in cards]
    outputs = [
        Masked(base(mask), card.b - card.a * secret + target_key * mask)
        for card, mask in zip(cards, masks, strict=True)
    ]
    return outputs, masks


def prove_rekey(secret: int, statement: Rekeying, masks: Sequence[int], context: bytes) -> bytes:
    """Give one proof of 96 bytes for the whole list."""
    make_sure(base(secret) == statement.owner_key, "A seat re-keys cards that it can read.")
    check_cards(statement.inputs)
    joined = _open(statement, context)
    joined_mask = sum(weight * mask for weight, mask in zip(joined.weights, masks, strict=True))
    nonce, mask_nonce = joined.transcript.nonces(2, [secret, *masks])
    third = joined.old_a * nonce - statement.target_key * mask_nonce
    challenge = _close(joined.transcript, base(nonce), base(mask_nonce), third)
    responses = nonce + challenge * secret, mask_nonce + challenge * joined_mask
    return scalars_to_bytes((challenge, *responses))


def verify_rekey(statement: Rekeying, proof: bytes, context: bytes) -> None:
    """Return if all outputs say under the target key what the inputs say; or ProofError."""
    _check(statement)
    challenge, response, mask_response = parse_scalars(proof, 3)
    joined = _open(statement, context)
    new_a = weighted_sum(joined.weights, [card.a for card in statement.outputs])
    steps = [old.b - new.b for old, new in zip(statement.inputs, statement.outputs, strict=True)]
    first = base(response) - statement.owner_key * challenge
    second = base(mask_response) - new_a * challenge
    third = weighted_sum(
        [response, L - mask_response, L - challenge],
        [joined.old_a, statement.target_key, weighted_sum(joined.weights, steps)],
    )
    if challenge != _close(joined.transcript, first, second, third):
        raise ProofError("The proof that cards kept their faces under a new key does not hold.")


def _check(statement: Rekeying) -> None:
    """Raise ProofError for statements that no honest seat makes."""
    if len(statement.inputs) != len(statement.outputs):
        raise ProofError(f"Expected {len(statement.inputs)} cards.")
    check_cards(statement.inputs)
    check_cards(statement.outputs)
    refuse_identity([statement.owner_key, statement.target_key], "A key")


def _open(statement: Rekeying, context: bytes) -> _Joined:
    """Give a transcript that holds the statement, its weights and the joined old cards."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("keys", statement.owner_key.encoded, statement.target_key.encoded)
    transcript.absorb("inputs", cards_to_bytes(statement.inputs))
    transcript.absorb("outputs", cards_to_bytes(statement.outputs))
    weights = transcript.weights(len(statement.inputs))
    return _Joined(transcript, weights, weighted_sum(weights, [c.a for c in statement.inputs]))


def _close(transcript: Transcript, *commitments: Point) -> int:
    """Give the challenge that answers the prover's three commitments."""
    transcript.absorb("commitments", *(point.encoded for point in commitments))
    return transcript.challenge("challenge")
