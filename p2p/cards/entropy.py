"""Where secrets come from: the operating system's generator, and nothing else.

Every key, mask, salt and permutation of a table starts in `fresh_bytes` or `permutation`. They are
called through this module, so that a test which freezes a proof has one place to make predictable.

What this does not protect against: a machine whose generator is broken. Nonces of proofs are hedged
against it (see `transcript.py`); keys, masks and permutations cannot be.
"""

import secrets
from typing import Final

SYSTEM: Final = secrets.SystemRandom()


def fresh_bytes(size_bytes: int) -> bytes:
    """Give unpredictable bytes."""
    return secrets.token_bytes(size_bytes)


def permutation(count: int) -> list[int]:
    """Give the indices below count in a uniformly random order."""
    return SYSTEM.sample(range(count), count)
