"""Files of frames: a game file, and its secrets file.

Each is a first line and then frames (a 4-byte big-endian length and canonical CBOR).  Frames are
only ever added; a last one that is torn was never acted upon.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.errors import HostlessError
from p2p.base.disk import open_binary
from p2p.base.errors import MalformedFrame
from p2p.base.limits import FRAME_BYTES_MAX
from p2p.base.wire import FRAME_HEADER_BYTES, decode

MAKE_ROOM: Final = "make room there, then resume: what was played until now is kept"
GAME_BYTES_MAX: Final = 1 << 28  # Several hundred times a long game of four.


class GameFileError(HostlessError):
    """This is not a whole game file."""


def frames_in(content: bytes, offset: int) -> Iterator[tuple[int, object]]:
    """(offset, value) of every frame; the value of a torn last one is None."""
    while offset < len(content):
        body = offset + FRAME_HEADER_BYTES
        size = int.from_bytes(content[offset:body])
        if body <= len(content) and size > FRAME_BYTES_MAX:
            raise MalformedFrame(f"byte {offset}: no record is {size} bytes long")
        if body + size > len(content):
            yield offset, None
            return
        try:
            yield offset, decode(content[body : body + size])
        except MalformedFrame as error:
            raise MalformedFrame(f"byte {offset}: {error}") from error
        offset = body + size


def read_bytes(path: Path) -> bytes:
    """All of a file.

    Raises:
        GameFileError: it cannot be read.
    """
    try:
        if path.stat().st_size > GAME_BYTES_MAX:
            raise GameFileError(f"{path.name} is longer than any game")
        return path.read_bytes()
    except OSError as error:
        raise GameFileError(f"cannot read {path}: {error.strerror}") from error


def open_file(path: Path, flags: int, mode: int) -> int:
    """The number of an opened file, in a folder that is made if need be.

    Raises:
        GameFileError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open_binary(path, flags, mode)
    except OSError as error:
        raise GameFileError(
            f"cannot write {path}: {error.strerror}; choose another place with --home DIR"
        ) from error


def write_all(file: int, content: bytes, path: Path) -> None:
    """Add some bytes to an open file.

    Raises:
        GameFileError: the disk is full or broken.
    """
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(file, view) :]
        except OSError as error:
            raise GameFileError(f"cannot write {path}: {error.strerror}", MAKE_ROOM) from error
