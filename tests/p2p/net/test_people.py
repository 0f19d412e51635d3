"""Who is on this network: what is said of people, what is believed of it, and how much."""

from __future__ import annotations

import pytest
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    BEACON_BYTES_MAX,
    NAME_LETTERS_MAX,
    PEOPLE_SEEN_MAX,
    PERSON_EXPIRY_S,
    PROTOCOL_VERSION,
)
from p2p.base.wire import encode
from p2p.net.announcements import Sightings
from p2p.net.beacon import take_in, take_in_person
from p2p.net.people import LOBBY, SOME_TABLE, Neighbor, Neighbors, parse_person

ME, ADA, BERT = bytes(32), b"a" * 32, b"b" * 32
TABLE = ("0123456789abcdef", b"o" * 32)
HOME, OTHER = "10.0.0.7", "10.0.0.66"


def said(person: Neighbor, *, is_gone: bool = False) -> bytes:
    return encode(["hostless person gone" if is_gone else "hostless person", *person.plain()])


@pytest.mark.parametrize("where", [LOBBY, SOME_TABLE, TABLE])
def test_what_is_said_of_a_person_is_what_is_heard(where: tuple[str, bytes]) -> None:
    person = Neighbor(ADA, "ada", where)
    assert take_in_person(said(person)) == (person, True)
    assert take_in_person(said(person, is_gone=True)) == (person, False)


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [PROTOCOL_VERSION, ADA, "ada"],
        [PROTOCOL_VERSION + 1, ADA, "ada", "", b""],
        [PROTOCOL_VERSION, ADA[:-1], "ada", "", b""],
        [PROTOCOL_VERSION, ADA, "ada\x1b[2J", "", b""],
        [PROTOCOL_VERSION, ADA, "", "", b""],
        [PROTOCOL_VERSION, ADA, "a" * (NAME_LETTERS_MAX + 1), "", b""],
        [PROTOCOL_VERSION, ADA, "ada", "", b"o" * 32],
        [PROTOCOL_VERSION, ADA, "ada", "elsewhere", b"o" * 32],
        [PROTOCOL_VERSION, ADA, "ada", "the next room", b""],
        [PROTOCOL_VERSION, ADA, "ada", TABLE[0], b"o" * 31],
        [PROTOCOL_VERSION, ADA, "ada", *TABLE, 0],
    ],
)
def test_what_is_no_person_is_not_heard(fields: list[object]) -> None:
    with pytest.raises(MalformedFrame):
        parse_person(fields)
    assert take_in_person(encode(["hostless person", *fields])) is None


@given(st.binary(max_size=BEACON_BYTES_MAX))
def test_no_datagram_raises_anything(datagram: bytes) -> None:
    assert take_in_person(datagram) is None


def test_the_longest_announcement_fits_a_datagram() -> None:
    longest = Neighbor(ADA, "漢" * NAME_LETTERS_MAX, ("f" * 32, ADA))
    assert len(said(longest, is_gone=True)) <= BEACON_BYTES_MAX


async def test_those_who_look_for_tables_do_not_count_people_as_garbage() -> None:
    sightings = Sightings()
    for is_gone in (False, True):
        take_in(sightings, said(Neighbor(ADA, "ada"), is_gone=is_gone), HOME)
    assert sightings.ignored_count == 0


async def test_a_person_is_there_until_silent_or_gone(autojump_clock: trio.abc.Clock) -> None:
    neighbors, ada, bert = Neighbors(ME), Neighbor(ADA, "ada"), Neighbor(BERT, "bert", TABLE)
    neighbors.hear(bert, OTHER, PERSON_EXPIRY_S)
    neighbors.hear(ada, HOME, PERSON_EXPIRY_S)
    assert neighbors.current() == (ada, bert)
    neighbors.lose(bert, HOME)
    assert neighbors.current() == (ada, bert), "nobody else says that bert is gone"
    neighbors.lose(bert, OTHER)
    assert neighbors.current() == (ada,)
    await trio.sleep(PERSON_EXPIRY_S + 1)
    assert neighbors.current() == ()


async def test_nobody_is_told_of_oneself() -> None:
    neighbors = Neighbors(ME)
    neighbors.hear(Neighbor(ME, "me"), HOME)
    assert neighbors.current() == ()


async def test_who_sits_at_a_table_is_not_in_the_lobby_by_another_window() -> None:
    neighbors, at_table = Neighbors(ME), Neighbor(ADA, "ada", TABLE)
    neighbors.hear(Neighbor(ADA, "ada"), HOME)
    neighbors.hear(at_table, HOME)
    assert neighbors.current() == (at_table,)
    neighbors.lose(at_table, HOME)
    assert neighbors.current() == (Neighbor(ADA, "ada"),)


async def test_a_second_voice_neither_moves_nor_renames_a_person() -> None:
    neighbors, ada = Neighbors(ME), Neighbor(ADA, "ada")
    neighbors.hear(ada, HOME)
    neighbors.hear(Neighbor(ADA, "ada", TABLE), OTHER)
    neighbors.hear(Neighbor(ADA, "the real ada", TABLE), HOME)
    assert neighbors.current() == (ada,)


async def test_a_flood_of_people_does_not_push_out_who_was_there() -> None:
    neighbors, ada = Neighbors(ME), Neighbor(ADA, "ada")
    neighbors.hear(ada, HOME)
    for number in range(10 * PEOPLE_SEEN_MAX):
        neighbors.hear(Neighbor(number.to_bytes(32, "big"), f"aaa {number}"), OTHER)
    assert neighbors.current()[0] == ada, "nor does it come before them"
    assert len(neighbors.current()) == PEOPLE_SEEN_MAX
    bert = Neighbor(BERT, "bert")
    neighbors.hear(bert, "10.0.0.8")
    assert bert in neighbors.current() and len(neighbors.current()) == PEOPLE_SEEN_MAX
