"""What a prover has said so far, hashed: labelled, length-framed SHAKE256 (FIPS 202).

The Fiat-Shamir transform turns a dialogue into a string: the verifier's questions are hashes of
everything said before. It is sound only if *everything* is hashed: the label of the proof, where
it is used (version, game, step, seat, purpose), the whole statement, every message.

    frame(label, value) = len(label) 4 bytes | label | len(value) 8 bytes | value
    state               = frame(protocol, context) frame(label, value) ...
    challenge(label)    = SHAKE256(state frame("challenge", label, count)) modulo L

The construction follows Merlin (merlin.cool) with SHAKE256 in place of STROBE. A challenge is
reduced from 512 bits, so its bias is below 2**-256.

What this does not protect against: a caller who leaves something out of the context. A proof may
then be carried to the place that was not named.

`ProofError` is one class on purpose: whoever receives a bad proof does the same thing whatever the
reason is. It refuses the entry, names the seat that signed it and keeps the sentence as the
explanation.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from p2p.crypto import entropy


class ProofError(Exception):
    """Bytes from a peer that are not what they claim to be; the text says what is wrong."""


L: Final = 2**252 + 27742317777372353535851937790883648493
"""The order of the group (RFC 9496, section 4)."""

WIDE_BYTES: Final = 64
ENTROPY_BYTES: Final = 32
LABELS_MAX: Final = 256


def frame(label: str, value: bytes) -> bytes:
    """Give label and value with their lengths, so that no two lists of frames look the same."""
    return _name(label) + len(value).to_bytes(8, "little") + value


@lru_cache(maxsize=LABELS_MAX)  # A program has few labels, and frames each thousands of times.
def _name(label: str) -> bytes:
    name = label.encode()
    return len(name).to_bytes(4, "little") + name


def hash_bytes(label: str, *fields: bytes, size_bytes: int = WIDE_BYTES) -> bytes:
    """Give a hash over a label and length-framed fields: the H(label; ...) of the protocol."""
    framed = b"".join([frame(label, b""), *[frame("field", field) for field in fields]])
    return hashlib.shake_256(framed).digest(size_bytes)


class Transcript:
    """Everything said so far in one proof."""

    def __init__(self, protocol: str, context: bytes) -> None:
        """Open with the name of the proof and the place where it is used."""
        self._state = hashlib.shake_256(frame(protocol, context))

    def absorb(self, label: str, *values: bytes) -> None:
        """Add values, each in a frame of its own."""
        for value in values:
            self._state.update(frame(label, value))

    def challenge(self, label: str) -> int:
        """Give one scalar that depends on everything said before."""
        return self.challenges(label, 1)[0]

    def challenges(self, label: str, count: int) -> list[int]:
        """Give so many independent scalars that depend on everything said before."""
        self.absorb("challenge", label.encode(), count.to_bytes(4, "little"))
        return reduced(self._state.copy().digest(WIDE_BYTES * count), count)

    def weights(self, count: int) -> list[int]:
        """Give factors that join equations into one, the first being 1 to save work.

        If one of the equations is false, so is the joined one but for a chance of 1/L.
        """
        return [1, *self.challenges("weights", count - 1)]

    def nonces(self, count: int, secrets: Iterable[int]) -> list[int]:
        """Give secret one-time scalars, hedged (draft-irtf-cfrg-det-sigs-with-noise).

        They depend on the statement, the secrets and fresh entropy: a weak random source alone,
        or a restored snapshot of this machine alone, does not make one nonce serve two proofs.
        The transcript itself is left as it was.
        """
        hidden = b"".join((secret % L).to_bytes(32, "little") for secret in secrets)
        fresh = entropy.fresh_bytes(ENTROPY_BYTES)
        fork = self._state.copy()
        fork.update(frame("nonces", count.to_bytes(4, "little")))
        fork.update(frame("secrets", hidden) + frame("fresh", fresh))
        return reduced(fork.digest(WIDE_BYTES * count), count)


def reduced(wide: bytes, count: int) -> list[int]:
    """Give so many scalars, each of them 64 bytes modulo L."""
    starts = range(0, WIDE_BYTES * count, WIDE_BYTES)
    return [int.from_bytes(wide[start : start + WIDE_BYTES], "little") % L for start in starts]
