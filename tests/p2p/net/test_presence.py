"""A seat that says where it is is known to those who play there, and to nobody else."""

from __future__ import annotations

import pytest

from p2p.base.errors import MalformedFrame
from p2p.base.limits import PROTOCOL_VERSION
from p2p.base.wire import encode
from p2p.net.announcements import Sightings
from p2p.net.beacon import take_in, take_in_seat
from p2p.net.presence import new_presence, parse_presence, seat_of

GAME, OTHER = bytes(32), b"\x01" * 32
SEAT = new_presence(GAME, 0, 4000)


def test_a_seat_is_recognised_by_those_who_know_the_game() -> None:
    presence = new_presence(GAME, 2, 4000)
    heard = parse_presence(presence.plain())
    assert heard == presence
    assert seat_of(heard, GAME, range(4)) == 2
    assert seat_of(heard, GAME, [0, 1, 3]) is None
    assert seat_of(heard, OTHER, range(4)) is None


def test_nothing_of_it_stays_the_same_at_the_next_start() -> None:
    one, other = new_presence(GAME, 2, 4000), new_presence(GAME, 2, 4000)
    assert one.salt != other.salt and one.tag != other.tag
    assert GAME not in encode(one.plain())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, PROTOCOL_VERSION + 1),
        (1, b""),
        (1, "salt"),
        (2, bytes(15)),
        (3, 0),
        (3, 1 << 16),
        (3, -1),
        (3, "4000"),
    ],
)
def test_what_is_no_announcement_of_a_seat_is_refused(place: int, value: object) -> None:
    fields = new_presence(GAME, 0, 4000).plain()
    fields[place] = value
    with pytest.raises(MalformedFrame):
        parse_presence(fields)
    assert take_in_seat(encode(["hostless seat", *fields])) is None


def test_a_farewell_is_that_of_one_announcement_and_nobody_else_can_say_it() -> None:
    presence = new_presence(GAME, 2, 4000)
    farewell = ["hostless seat gone", *presence.plain_farewell()]
    assert take_in_seat(encode(farewell)) == presence.salt
    assert presence.farewell not in encode(presence.plain()), "It is not known before it is said."
    heard = parse_presence(presence.plain())
    for forged in (heard.salt, heard.tag, heard.farewell, "salt", bytes(15)):
        said = take_in_seat(encode(["hostless seat gone", PROTOCOL_VERSION, forged]))
        assert said != presence.salt
    assert take_in_seat(encode([farewell[0], PROTOCOL_VERSION + 1, presence.farewell])) is None


async def test_a_seat_is_no_table_and_a_table_no_seat() -> None:
    sightings, said = Sightings(), encode(["hostless seat", *SEAT.plain()])
    take_in(sightings, said, "10.0.0.7")
    take_in(sightings, encode(["hostless seat gone", *SEAT.plain_farewell()]), "10.0.0.7")
    assert sightings.current == () and sightings.ignored_count == 0
    assert take_in_seat(said) is not None
    others = encode(["hostless", PROTOCOL_VERSION]), encode("hostless seat")
    for datagram in (b"", b"\xff" * 1024, *others):
        assert take_in_seat(datagram) is None
