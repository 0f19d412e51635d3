"""Whether the networks of this machine are others than a moment ago, as far as the system tells.

Linux puts a note into a socket whenever an interface or an address of one comes, goes or changes
(rtnetlink(7)).  To look for notes takes some microseconds, to list all interfaces a millisecond,
and a program that only waits asks several times a second.  What the notes say is not read.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from typing import Final

from p2p.base.limits import NOTES_AT_ONCE_MAX

_LINKS: Final = 0x1  # RTMGRP_LINK, RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR of linux/rtnetlink.h.
_ADDRESSES: Final = 0x10 | 0x100
_NOTE_BYTES: Final = 64  # What does not fit is cut off.
_log: Final = logging.getLogger("hostless.lan")


class Changes:
    """The notes of the system since they were looked for last."""

    def __init__(self, notes: int | None = None) -> None:
        """`notes` is a file to read notes from, other than the system's."""
        self._notes = _notes_of_system() if notes is None else notes

    @property
    def are_told(self) -> bool:
        """Whether the system leaves notes; if not, somebody has to look at the networks."""
        return self._notes is not None

    def have_come(self) -> bool:
        """Whether something has changed since this was asked last; takes the notes away."""
        if self._notes is None:
            return False
        for count in range(NOTES_AT_ONCE_MAX):
            try:
                os.read(self._notes, _NOTE_BYTES)
            except BlockingIOError:
                return count > 0
            except OSError:  # There were more notes than the system keeps (ENOBUFS).
                continue
        return True


def _notes_of_system() -> int | None:
    """The file where notes arrive; nothing on systems without them, or that keep them from us.

    It stays open as long as the program runs.
    """
    if sys.platform == "linux":
        try:
            notes = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
            with notes:
                notes.setblocking(False)
                notes.bind((0, _LINKS | _ADDRESSES))
                return notes.detach()
        except OSError as error:  # Android, for one, forbids it.
            _log.info("the system does not tell of changed networks: %s", error)
    return None
