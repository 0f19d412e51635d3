"""Well-formed and hostile: a message with one field replaced, by every value that could hurt.

Bending by chance finds its way past the first check rarely.  Here every field of a message, however
deep, takes each hostile value of its own type and one of every other type, one at a time.  What
comes of it are canonical values that a careful attacker would send.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from p2p.base.limits import DEPTH_MAX
from p2p.base.roster import open_identity
from p2p.base.wire import decode, encode
from tests.fuzz.worlds import identity

_NUMBERS: Final[tuple[Any, ...]] = (
    *(0, 1, 2, -1, 7, 8, 9, 255, 65_535, 65_536, 1_000_000, 1_000_001, 1 << 31, 1 << 32, 1 << 53),
    *((1 << 63) - 1, 1 << 63, (1 << 64) - 1, -(1 << 63), -(1 << 64), True, False),
)
_TEXTS: Final[tuple[Any, ...]] = (
    *("", " ", "x", "x" * 32, "x" * 33, "x" * 900, "\n", "\0", "\x1b[2J", "\u202eada", "\u3164"),
    *("\u2800", "ad\ufe0fa", "e\u0301", "\u0430da", "Z\u0336\u0341\u0489\u0336", "..", "../x"),
    *("sharp", "insane", "carta", "beads", "hostless/1", "password=asked", "127.0.0.1", "::1"),
    *("fe80::1%eth0", "256.1.1.1", "-1", "1e9", "{name}", "%s"),
)
_BYTES: Final[tuple[Any, ...]] = (
    *(b"", bytes(1), bytes(31), bytes(32), bytes(33), bytes(48), bytes(64), b"\xff" * 32),
    *((1).to_bytes(32, "little"), identity(501).public, identity(1).public, identity(2).public),
    *(open_identity(bytes(32)).public, encode([]), b"x" * 900),
)


def _deep() -> Any:
    value: Any = 0
    for _ in range(DEPTH_MAX - 8):
        value = [value]
    return value


_OTHERS: Final[tuple[Any, ...]] = (None, True, -1, "x", b"x", [], [[]], {}, {"a": 1}, _deep())
"""One or two of every type."""


def variants(value: Any) -> Iterator[Any]:
    """The value with one field replaced, for every field and everything that could stand there."""
    yield from replaced(value)
    for at, item in enumerate(value if isinstance(value, list) else ()):
        for hostile in variants(item):
            yield [*value[:at], hostile, *value[at + 1 :]]


def replaced(value: Any) -> Iterator[Any]:
    """Everything hostile that could stand in place of a value."""
    yield from _OTHERS
    match value:
        case bool() | None:
            yield not value
        case int():
            yield from (*_NUMBERS, value + 1, value - 1, -value)
        case str():
            yield from (*_TEXTS, value.upper(), value + " ", value + "\u200b", value * 2)
        case bytes():
            yield from (*_BYTES, value[:-1], value + b"\0", value[::-1])
        case list():
            yield from _lists(value)


def _lists(value: list[Any]) -> Iterator[Any]:
    yield from (value[::-1], value * 2, value * 20, [*value, None], [value])
    for at in range(len(value)):
        yield value[:at] + value[at + 1 :]
        yield [*value[:at], value[at], *value[at:]]


def hostile_inputs(samples: Sequence[bytes]) -> Iterator[bytes]:
    """The variants of all samples, in their canonical encoding."""
    for sample in samples:
        for value in variants(decode(sample)):
            yield encode(value)
