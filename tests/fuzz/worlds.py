"""Tables and games that are the same at every start, so that a corpus stays worth something."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.games import GAMES
from p2p.base.clock import TimeControl
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, Replacement
from p2p.base.wire import encode, frame
from p2p.crypto import entropy
from p2p.log.game_file import MAGIC
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group

CLOCK: Final = TimeControl(60, 5)
ESCROW: Final = Replacement(BotTerms("last", "steady", 1), is_escrowed=True)


def identity(number: int) -> Identity:
    """An identity that is the same in every process."""
    return Identity(Ed25519PrivateKey.from_private_bytes(number.to_bytes(32)))


@contextmanager
def same_world() -> Iterator[None]:
    """The smallest game is one, nothing is drawn by chance, and the group is fast."""
    numbers = iter(range(1, 1 << 16))
    with (
        patch.dict(GAMES, {"beads": BEADS}),
        patch.object(Identity, "generate", lambda: identity(next(numbers))),
        entropy.known_to_all(b"fuzz"),
        volume_group(),
    ):
        yield


@cache
def finished() -> Room:
    """A whole game of two with every kind of entry; the second seat is a bot that opens its key."""
    room = Room(2, seed=3, game="beads", terms=Terms((1,)))
    room.run()
    return room


@cache
def file_of_a_game() -> bytes:
    """The file of that game."""
    room = finished()
    records: list[list[object]] = [["roster", room.roster.plain()]]
    records += [["entry", entry.raw] for entry in room.replicas[0].log]
    return MAGIC + b"".join(frame(encode(record)) for record in records)


def begun(kind: str, seat: int, *, is_escrowed: bool = False) -> Room:
    """A game of three in which `seat` is about to write an entry of this kind."""
    terms = Terms(() if is_escrowed else (1,), replacement=ESCROW if is_escrowed else None,
                  clock=CLOCK)  # fmt: skip
    room = Room(3, game="beads", terms=terms)
    room.settle()
    while not _is_due(room.replicas[seat], kind):
        ready = [each for each in room.replicas if each.may_write()]
        others = [each for each in ready if each.me != seat] or ready
        room.tell_all(room.write(others[0]))
        room.settle()
    return room


def _is_due(replica: Replica, kind: str) -> bool:
    assert replica.step is not None, f"nobody ever writes {kind}"
    return replica.step.kind == kind and replica.may_write()
