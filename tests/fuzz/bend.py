"""Samples, bent: what was a value is mostly still one, so that the bytes get past the first check.

Whatever is canonical CBOR inside a text of bytes (a signed payload in an entry in a message) is
bent there too.  The same seed bends in the same way.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import cbor2

from p2p.base.wire import frame
from p2p.log.game_file import MAGIC
from tests.fuzz.target import Shape

DEPTH_MAX: Final = 24
_ODD: Final[tuple[Any, ...]] = (
    *(None, False, True, 0, 1, -1, 2, 255, 256, 65535, 65536, 1 << 31, 1 << 32, (1 << 63) - 1),
    *((1 << 64) - 1, -(1 << 63), -(1 << 64), b"", bytes(31), bytes(32), bytes(48), bytes(64)),
    *(b"\xff" * 32, "", "x" * 33, "\x1b[2J", "\u202e", "\ud7ff", "e\u0301", "\0", [], [[]], {}),
    *({"a": 1}, {1: 2}, [None] * 20, 0.0, "9" * 30, " ", "..", "-1"),
)

Rng = random.Random


def bend(sample: bytes, shape: Shape, rng: Rng) -> bytes:
    """The sample with one to four things changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        sample = _BENDERS[shape](sample, rng)
    return sample


def _bend_cbor(sample: bytes, rng: Rng) -> bytes:
    try:
        value = cbor2.loads(sample)
    except (cbor2.CBORError, ValueError, TypeError, RecursionError):
        return _bend_bytes(sample, rng)
    return _dump(_bent(value, rng, 0), sample)


def _dump(value: object, otherwise: bytes) -> bytes:
    try:
        return cbor2.dumps(value, canonical=True)
    except (cbor2.CBORError, UnicodeError, ValueError, TypeError, RecursionError):
        return otherwise


def _bend_json(sample: bytes, rng: Rng) -> bytes:
    lines = sample.split(b"\n")
    at = rng.randrange(len(lines))
    if rng.random() < 0.1:
        lines.insert(at, rng.choice(lines))
    try:
        value = json.loads(lines[at])
        lines[at] = json.dumps(_plain(_bent(value, rng, 0))).encode()
    except (ValueError, RecursionError):
        lines[at] = _bend_bytes(lines[at], rng)
    return b"\n".join(lines)


def _plain(value: Any) -> Any:
    """A value that JSON has."""
    match value:
        case bytes():
            return value.hex()
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
    return value


def _bend_bytes(sample: bytes, rng: Rng) -> bytes:
    at = rng.randrange(len(sample) + 1)
    size = rng.choice((1, 1, 1, 2, 4, 8, 32))
    match rng.randrange(6):
        case 0 if at < len(sample):
            return sample[:at] + bytes([sample[at] ^ 1 << rng.randrange(8)]) + sample[at + 1 :]
        case 1:
            return sample[:at] + rng.randbytes(size) + sample[at + size :]
        case 2:
            return sample[:at] + rng.randbytes(size) + sample[at:]
        case 3:
            return sample[:at] + sample[at + size :]
        case 4:
            return sample[:at]
    other = rng.randrange(len(sample) + 1)
    return sample[:at] + sample[other : other + size] + sample[at:]


def _bend_game(sample: bytes, rng: Rng) -> bytes:
    """A file of frames: one of them bent, gone, moved or said twice."""
    frames = _frames(sample)
    if not frames or rng.random() < 0.1:
        return _bend_bytes(sample, rng)
    at, other = rng.randrange(len(frames)), rng.randrange(len(frames))
    match rng.randrange(6):
        case 0:
            del frames[at]
        case 1:
            frames.insert(other, frames[at])
        case 2:
            frames[at], frames[other] = frames[other], frames[at]
        case 3:
            del frames[at:]
        case _:
            frames[at] = _bend_cbor(frames[at], rng)
    return sample[: len(MAGIC)] + b"".join(frame(each) for each in frames)


def _frames(content: bytes) -> list[bytes]:
    frames, at = [], len(MAGIC)
    while at + 4 <= len(content):
        end = at + 4 + int.from_bytes(content[at : at + 4])
        frames.append(content[at + 4 : end])
        at = end
    return frames


def _bent(value: Any, rng: Rng, depth: int) -> Any:
    """A value that differs in one place."""
    if depth > DEPTH_MAX or rng.random() < 0.08:
        return rng.choice(_ODD)
    match value:
        case bool() | None:
            return rng.choice(_ODD)
        case int():
            return rng.choice((value + 1, value - 1, -value, value ^ 1 << rng.randrange(64), True))
        case str():
            return _bent_text(value, rng)
        case bytes():
            return _bent_bytes(value, rng)
        case list():
            return _bent_list(value, rng, depth)
        case dict() if value:
            key = rng.choice(sorted(value, key=repr))
            rest = {each: item for each, item in value.items() if each != key}
            return rest if rng.random() < 0.2 else {**rest, key: _bent(value[key], rng, depth + 1)}
    return rng.choice(_ODD)


def _bent_text(value: str, rng: Rng) -> str:
    at = rng.randrange(len(value) + 1)
    added = rng.choice(("", "x", "\n", "\0", "\u0301", "\U0001f600", value, " "))
    return value[:at] + added + value[at + rng.randrange(2) :]


def _bent_bytes(value: bytes, rng: Rng) -> bytes:
    try:
        inside = cbor2.loads(value) if len(value) > 40 and rng.random() < 0.7 else None
    except (cbor2.CBORError, ValueError, TypeError, RecursionError):
        inside = None
    if isinstance(inside, list):
        return _dump(_bent(inside, rng, 0), value)
    if len(value) >= 64 and rng.random() < 0.4:  # Points and scalars, side by side.
        parts = [value[at : at + 32] for at in range(0, len(value), 32)]
        return b"".join(_bent_list(parts, rng, DEPTH_MAX))
    return _bend_bytes(value, rng)


def _bent_list(value: Sequence[Any], rng: Rng, depth: int) -> list[Any]:
    items = list(value)
    if not items:
        return [rng.choice(_ODD)]
    at, other = rng.randrange(len(items)), rng.randrange(len(items))
    is_flat = depth >= DEPTH_MAX
    match rng.randrange(8):
        case 0:
            del items[at]
        case 1:
            items.insert(other, items[at])
        case 2:
            items[at], items[other] = items[other], items[at]
        case 3:
            items[at] = items[other]
        case 4 if is_flat:
            items[at] = rng.choice((bytes(32), b"\xff" * 32, rng.randbytes(32)))
        case _ if is_flat:
            items[at] = _bend_bytes(items[at], rng)
        case _:
            items[at] = _bent(items[at], rng, depth + 1)
    return items


_BENDERS: Final[dict[Shape, Callable[[bytes, Rng], bytes]]] = {
    "cbor": _bend_cbor,
    "json": _bend_json,
    "bytes": _bend_bytes,
    "game": _bend_game,
}
