"""Keys of a game: one secret a seat, and the joint key that nobody knows.

Seat j holds x_j and shows Y_j = x_j G with a proof that it knows x_j (Schnorr's identification,
made a string by Fiat and Shamir; RFC 8235, section 3). The joint key is Y = sum of Y_j.

    prover                                verifier
    k random, T = k G
    c = H(context, Y_j, T)
    s = k + c x_j          -- c, s -->    T = s G - c Y_j,  c = H(context, Y_j, T)?

Without the proof the last seat could show Y_n = Z - sum of the others' and so make the joint key
its own Z: a rogue key, which reads every card.

What this does not protect against: a seat that picks its key after seeing the others' (commit to
keys first), a proof shown in another game (name the game and the seat in the context), and a seat
that gives its secret away.
"""

from collections.abc import Sequence
from typing import Final

from p2p.crypto.group import (
    Point,
    base,
    parse_scalars,
    plain_sum,
    random_scalar,
    refuse_identity,
    scalars_to_bytes,
)
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, Transcript

_PROTOCOL: Final = "hostless/possession/1"


def make_key() -> tuple[int, Point]:
    """Give a fresh secret and its public point."""
    secret = random_scalar()
    return secret, base(secret)


def joint_key(publics: Sequence[Point]) -> Point:
    """Give the sum of the seats' keys; raises ProofError if one key, or the sum, is no key."""
    refuse_identity(publics, "A seat's key")
    total = plain_sum(publics)
    refuse_identity([total], "The joint key")
    return total


def prove_possession(secret: int, public: Point, context: bytes) -> bytes:
    """Give a proof of 64 bytes that whoever shows `public` knows its secret."""
    make_sure(base(secret) == public, "A seat proves its own key.")
    transcript = _open(public, context)
    (nonce,) = transcript.nonces(1, [secret])
    challenge = _close(transcript, base(nonce))
    return scalars_to_bytes((challenge, nonce + challenge * secret))


def verify_possession(public: Point, context: bytes, proof: bytes) -> None:
    """Return if the proof holds for this key in this context; raises ProofError otherwise."""
    refuse_identity([public], "A seat's key")
    challenge, response = parse_scalars(proof, 2)
    commitment = base(response) - public * challenge
    if challenge != _close(_open(public, context), commitment):
        raise ProofError("The proof of possession of a key does not hold.")


def _open(public: Point, context: bytes) -> Transcript:
    """Give a transcript that holds the statement."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("public", public.encoded)
    return transcript


def _close(transcript: Transcript, commitment: Point) -> int:
    """Give the challenge that answers the prover's commitment."""
    transcript.absorb("commitment", commitment.encoded)
    return transcript.challenge("challenge")
