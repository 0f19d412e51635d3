"""What it takes on each system that a file stays when the power fails, or takes another's place.

Linux     `fdatasync` waits for the content and leaves the times of the file for later.
macOS     `fsync` hands the content to the drive, which may keep it in a memory of its own; only
          `F_FULLFSYNC` asks the drive, too (see fsync(2) there).  Shares of a network and some
          foreign file systems do not know it.
Windows   There is only `fsync`.  A file cannot take the place of one that somebody has open, be it
          for the moment in which a virus scanner looks at it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import sys
import time
from pathlib import Path
from typing import Final

LOCKED_BYTE: Final = 1 << 30  # Far behind the end of any file of ours.
MARK_BYTES: Final = 8
REPLACE_TRIES: Final = 20  # Together a second,
REPLACE_PAUSE_S: Final = 0.05  # which is longer than a scanner takes for a small file.


def open_binary(path: Path, flags: int, mode: int) -> int:
    """The number of an opened file, in which no byte is changed: Windows would change line ends."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), mode)


def sync(file: int) -> None:
    """Wait until all that was written to an open file is on the disk.

    Raises:
        OSError: the disk is full or broken.
    """
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
        except OSError:  # Not known here, or really broken, which the next line then says.
            os.fsync(file)
    else:
        os.fsync(file)


def sync_data(file: int) -> None:
    """Wait until what was added to an open file is on the disk; its times may be old.

    Raises:
        OSError: the disk is full or broken.
    """
    if hasattr(os, "fdatasync") and sys.platform != "darwin":
        os.fdatasync(file)
    else:
        sync(file)


def lock(file: int) -> bool:
    """Keep an open file for this program until it is closed; False if another one has it.

    The lock ends with the program, however that ends.  It is none where the file system knows no
    locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, LOCKED_BYTE, os.SEEK_SET)  # Nobody can read a locked byte there.
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def mark_of(file: int) -> bytes:
    """What tells an open file from its copies, here and on other machines.

    It says nothing about a whole machine that was copied.
    """
    status = os.fstat(file)
    place = f"{platform.node()} {status.st_dev} {status.st_ino}"
    return hashlib.sha256(place.encode()).digest()[:MARK_BYTES]


def replace(new: Path, old: Path) -> None:
    """Let a file take the place and the name of another, as a whole or not at all.

    Neither may be open here.

    Raises:
        OSError: it could not; the old one is there still.
    """
    for _ in range(REPLACE_TRIES - 1):
        try:
            os.replace(new, old)
        except PermissionError:
            if not _is_windows():
                raise
            time.sleep(REPLACE_PAUSE_S)
        else:
            return
    os.replace(new, old)


def _is_windows() -> bool:
    return sys.platform == "win32"
