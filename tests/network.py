"""A network of one's own for the process that runs the tests: a loopback and nothing else.

Tables announce themselves on the loopback, so two runs on one machine would meet.  Linux gives a
process of root a network of its own (see `man 7 network_namespaces`); other systems do not.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys
from typing import Final

_NEW_NETWORK: Final = 0x40000000  # CLONE_NEWNET
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP


def leave_for_own() -> bool:
    """Move this process, and all that it will start, into a network of its own; if that is had."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NETWORK) != 0:
        return False  # As in a container that may not.
    _raise_loopback()
    return True


def _raise_loopback() -> None:
    import fcntl  # Windows has none.

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        request = bytearray(struct.pack("16sh14x", b"lo", 0))
        fcntl.ioctl(asked, _GET_FLAGS, request)
        (flags,) = struct.unpack_from("h", request, 16)
        fcntl.ioctl(asked, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))
