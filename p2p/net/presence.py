"""A seat of a running game says where it is, so that only those who play there can tell.

    [version, salt, tag, port]      tag = SHA-256("hostless seat" ‖ [game id, seat, salt]), cut
    [version, farewell]             salt = SHA-256("hostless seat gone" ‖ farewell), cut

Neither the game nor the identity stands there in clear.  Whoever knows the game id tries it with
each seat of the game: members have it in their files, and whoever looked on has seen it.  The
salt is made anew at every start, so two evenings of one game look like two games to anybody else.

A seat that leaves says its farewell, of which the salt is the hash: nobody else knew it before, so
nobody takes somebody's seat out of sight, and a salt that was bidden farewell never comes back.

It is a hint and no more: who answers at the address has to prove the identity of the seat, so a
forged one costs a call.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from p2p.base.errors import MalformedFrame
from p2p.base.limits import PORT_MAX, PROTOCOL_VERSION
from p2p.base.wire import encode

_SALT_BYTES: Final = 16
_TAG_BYTES: Final = 16
_LABEL: Final = b"hostless seat"
_GONE_LABEL: Final = b"hostless seat gone"


@dataclass(frozen=True, slots=True)
class Presence:
    """Somebody plays, and listens at this port."""

    salt: bytes
    tag: bytes
    port: int
    farewell: bytes = field(default=b"", compare=False, repr=False)  # Only whoever plays knows it.

    def plain(self) -> list[object]:
        """What is announced."""
        return [PROTOCOL_VERSION, self.salt, self.tag, self.port]

    def plain_farewell(self) -> list[object]:
        """What is announced at the end."""
        return [PROTOCOL_VERSION, self.farewell]


Noticed: TypeAlias = Callable[[Presence, str], object]  # What was announced, and from which host.
Farewelled: TypeAlias = Callable[[bytes], object]  # The salt of a seat that has left.


def new_presence(game_id: bytes, seat: int, port: int) -> Presence:
    """What a seat announces from now on."""
    farewell = os.urandom(_SALT_BYTES)
    salt = _salt(farewell)
    return Presence(salt, _tag(game_id, seat, salt), port, farewell)


def parse_presence(fields: object) -> Presence:
    """What `Presence.plain` wrote.

    Raises:
        MalformedFrame: it is none, or of another version.
    """
    match fields:
        case [int(version), bytes(salt), bytes(tag), int(port)] if (
            version == PROTOCOL_VERSION
            and len(salt) == _SALT_BYTES
            and len(tag) == _TAG_BYTES
            and 0 < port <= PORT_MAX
        ):
            return Presence(salt, tag, port)
    raise MalformedFrame("this is not the announcement of a seat")


def parse_farewell(fields: object) -> bytes:
    """The salt of the seat that left by `Presence.plain_farewell`.

    Raises:
        MalformedFrame: it is none, or of another version.
    """
    match fields:
        case [int(version), bytes(farewell)] if (
            version == PROTOCOL_VERSION and len(farewell) == _SALT_BYTES
        ):
            return _salt(farewell)
    raise MalformedFrame("this is not the farewell of a seat")


def seat_of(presence: Presence, game_id: bytes, seats: Iterable[int]) -> int | None:
    """Which of these seats of a game it is, if it is one."""
    for seat in seats:
        if _tag(game_id, seat, presence.salt) == presence.tag:
            return seat
    return None


def _salt(farewell: bytes) -> bytes:
    return hashlib.sha256(_GONE_LABEL + farewell).digest()[:_SALT_BYTES]


def _tag(game_id: bytes, seat: int, salt: bytes) -> bytes:
    return hashlib.sha256(_LABEL + encode([game_id, seat, salt])).digest()[:_TAG_BYTES]
