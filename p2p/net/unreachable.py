"""Why nobody answers at an address, as far as the system tells: a sentence for each reason."""

from __future__ import annotations

import errno
import socket

from core.errors import HostlessError
from p2p.net.interfaces import interfaces_up, shown_address

GET_NETWORK = "plug in a cable or join a wireless network"


class NobodyThere(HostlessError):
    """Nobody answers at this address."""


def why_nobody(host: str, port: int, error: BaseException) -> NobodyThere:
    """What to say when a call to `host` failed like this."""
    reasons = [error, *_causes(error)]
    nobody = f"nobody answers at {shown_address(host, port)}"
    if any(isinstance(each, socket.gaierror | UnicodeError) for each in reasons):
        what = f"{nobody}: no machine of that name is known here"
        return NobodyThere(what, "check the name, or write the address of the machine")
    if any(isinstance(each, ConnectionRefusedError) for each in reasons):
        what = f"{nobody}: the machine is there, but nothing listens at that port"
        return NobodyThere(what, "check the port, and that the table is open")
    if is_alone() or any(getattr(each, "errno", None) == errno.ENETUNREACH for each in reasons):
        what = f"{nobody}: this machine is on no network that leads there"
        return NobodyThere(what, GET_NETWORK)
    hint = "check the address, that both are on one network, and firewalls (hostless doctor)"
    return NobodyThere(nobody, hint)


def is_alone() -> bool:
    """Whether this machine is on no network."""
    return all(interface.is_loopback for interface in interfaces_up())


def _causes(error: BaseException) -> list[BaseException]:
    """What several attempts failed by, one after the other."""
    cause = error.__cause__
    if isinstance(cause, BaseExceptionGroup):
        return list(cause.exceptions)
    return [] if cause is None else [cause]
