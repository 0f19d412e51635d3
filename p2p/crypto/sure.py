"""What has to hold whatever Python is told: `assert` with a sentence, kept under `python -O`.

An `assert` documents what is true of our own code, and may be gone.  Where something would come out
wrong without it, and nobody would notice, this stands instead: around calls into libsodium, and
before a secret is used.
"""

from __future__ import annotations


def make_sure(holds: bool, why: str) -> None:
    """Stop if something does not hold that always does: it is a bug of ours.

    Raises:
        AssertionError: it does not.
    """
    if not holds:
        raise AssertionError(why)
