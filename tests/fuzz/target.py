"""What a target is: a reader of bytes, with samples of what it reads gladly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

Shape: TypeAlias = Literal["cbor", "json", "bytes", "game"]
"""How its samples are bent: as values, as lines of JSON, as bytes, or as the frames of a file."""


class Target(NamedTuple):
    """One reader, ready to read.

    `read` takes anything and gives whether it was accepted.  It swallows the refusals that are
    documented where it reads; whatever else comes out of it is a bug of ours.
    """

    read: Callable[[bytes], bool]
    samples: Sequence[bytes]
    shape: Shape


Open: TypeAlias = Callable[[], Target]


def refusing(
    read: Callable[[bytes], object], *refusals: type[BaseException]
) -> Callable[[bytes], bool]:
    """A reader that says whether it accepts, from one that raises these if it does not."""

    def accepts(said: bytes) -> bool:
        try:
            read(said)
        except refusals:
            return False
        return True

    return accepts
