"""What seats draw by their keys: rolls, lots, and the salts of what they seal."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.base.wire import encode
from p2p.crypto.commitments import commit
from p2p.crypto.group import base, random_scalar
from p2p.crypto.vrf import vrf_prove
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.log.test_every_entry import body_of, entry_with, is_refused, room_before


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def false_lots(replica: Replica, purpose: str, height: int | None = None) -> list[bytes]:
    """VRF values, each with its proof, that a seat must not show: all but one thing is right."""
    play, dealing, seat = replica.play, replica.play.dealing, replica.me
    assert dealing is not None and seat is not None, "keys are agreed on"
    at = replica.height if height is None else height
    mine, other = dealing.secrets[seat], random_scalar()
    place, context = (play._context(each, purpose, at) for each in (0, seat))
    right = vrf_prove(mine, dealing.publics[seat], place, context)
    another = "roll" if purpose != "roll" else "lot"
    return [
        vrf_prove(other, base(other), place, context),
        *(
            vrf_prove(mine, dealing.publics[seat], *elsewhere)
            for elsewhere in (
                (play._context(0, purpose, at + 1), context),
                (play._context(0, another, at), context),
                (place, play._context(seat, purpose, at + 1)),
                (place, play._context(seat, another, at)),
                (place, play._context(seat - 1, purpose, at)),
            )
        ),
        bytes([right[0] ^ 1]) + right[1:],
        right[:-1] + bytes([right[-1] ^ 1]),
        right + b"\0",
        right[:-1],
    ]


def test_a_share_of_a_roll_is_a_value_and_its_proof() -> None:
    for share in (b"", bytes(96), bytes(95), bytes(97), [bytes(32), bytes(32)], None):
        room = room_before("roll", 2)
        assert is_refused(room.replicas[0], 2, share)


@pytest.mark.parametrize("kind", ["roll", "lot"])
def test_what_is_drawn_is_the_value_of_its_key_its_place_and_its_purpose(kind: str) -> None:
    room = room_before(kind, 2)
    assert not is_refused(room.replicas[0], 2, body_of(room, 2))
    for false in false_lots(room.replicas[2], kind):
        assert is_refused(room.replicas[0], 2, false)


def test_a_salt_is_the_value_of_its_key_at_the_place_of_its_seal() -> None:
    """Also if the seal was made with it: so nobody has two openings to choose from."""
    room = room_before("unseal", 2)
    action, proven = body_of(room, 2)  # type: ignore[misc]
    height = room.replicas[2].play.sealed[2].height
    assert not is_refused(room.replicas[0], 2, [action, proven])
    for false in false_lots(room.replicas[2], "salt", height):
        room = room_before("seal", 2)
        place = room.replicas[2].play._context(0, "secret")
        seal = commit(place, 2, encode(action), false[:32])
        room.tell_all(entry_with(room.replicas[2], seal))
        room_before("unseal", 2, room)
        assert is_refused(room.replicas[0], 2, [action, false])
