"""Where secrets come from: the operating system's generator, and nothing else.

Every key, seed, salt and order of a table starts in `fresh_bytes` or `permutation`. They are called
through this module, so that a test which freezes a proof has one place to make predictable. So has
an open seat, which has no secrets and whose bytes must be the same on every machine.

What this does not protect against: a machine whose generator is broken. Nonces of proofs are hedged
against it (see `transcript.py`); keys and the seeds of shuffles cannot be.
"""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

SYSTEM: Final = secrets.SystemRandom()
ORDER_BYTES: Final = 16
"""For each index of an order that everybody can work out: two are never equal."""
_open: Final[ContextVar["_Stream | None"]] = ContextVar("open seat", default=None)


def fresh_bytes(size_bytes: int) -> bytes:
    """Give unpredictable bytes."""
    stream = _open.get()
    return secrets.token_bytes(size_bytes) if stream is None else stream.draw(size_bytes)


def unshared_bytes(size_bytes: int) -> bytes:
    """Give bytes that only this machine knows, even while it speaks for an open seat."""
    return secrets.token_bytes(size_bytes)


def permutation(count: int) -> list[int]:
    """Give the indices below count in a uniformly random order."""
    stream = _open.get()
    if stream is None:
        return SYSTEM.sample(range(count), count)
    return sorted(range(count), key=lambda _: stream.draw(ORDER_BYTES))


@contextmanager
def known_to_all(seed: bytes) -> Iterator[None]:
    """Draw from a seed in this block and this task: for a seat that has nothing to hide."""
    token = _open.set(_Stream(seed))
    try:
        yield
    finally:
        _open.reset(token)


class _Stream:
    """SHAKE256 of a seed and a counter (FIPS 202)."""

    def __init__(self, seed: bytes) -> None:
        self._seed, self._count = seed, 0

    def draw(self, size_bytes: int) -> bytes:
        self._count += 1
        said = self._seed + self._count.to_bytes(8, "little")
        return hashlib.shake_256(said).digest(size_bytes)
