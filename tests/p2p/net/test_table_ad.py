"""An announcement is a hint: what does not look like a table is not shown."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HostlessError
from p2p.base.errors import MalformedFrame
from p2p.net.announcements import TableAd, clean_options, parse_ad, parse_address
from p2p.net.handshake import PROTOCOL_VERSION

AD = TableAd("0123456789abcdef", "Ada's table", "carta", 3, 1, bytes(32), "10.0.0.7", 4000)


def test_an_announcement_is_read_as_it_was_written() -> None:
    ad = replace(AD, options="deal=draft", heard_by="beacon", opener_name="Ada")
    assert parse_ad(ad.plain(), "10.0.0.7", "beacon") == ad


def test_an_announcement_of_an_older_program_says_nothing_of_the_name_of_the_opener() -> None:
    ad = replace(AD, heard_by="beacon", version=PROTOCOL_VERSION - 1)
    assert parse_ad(ad.plain()[:9], "10.0.0.7", "beacon") == ad


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0},
        {"table_id": "../../etc"},
        {"table_id": ""},
        {"name": "Ada\x1b[2J"},
        {"name": "A" * 33},
        {"name": ""},
        {"game": "Carta\n"},
        {"seats": 0},
        {"seats": 9},
        {"taken": 4},
        {"taken": -1},
        {"opener": bytes(31)},
        {"port": 0},
        {"port": 65536},
        {"options": "x" * 121},
        {"options": "\x1b]0;"},
        {"opener_name": "Ada\x1b[2J"},
        {"opener_name": "A" * 33},
        {"opener_name": " "},
    ],
)
def test_an_announcement_that_no_table_makes_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(MalformedFrame):
        parse_ad(replace(AD, **change).plain(), "10.0.0.7", "beacon")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fields",
    [
        *(None, [], 7, {}, [1] * 9, ["a"] * 9),
        *(AD.plain()[:8], [*AD.plain(), ""], [*AD.plain()[:9], 7]),
    ],
)
def test_fields_of_the_wrong_kind_are_refused(fields: object) -> None:
    with pytest.raises(MalformedFrame):
        parse_ad(fields, "10.0.0.7", "dns-sd")


def test_a_table_is_open_while_it_has_a_seat_and_speaks_our_version() -> None:
    assert AD.is_joinable
    assert not replace(AD, taken=3).is_joinable
    assert not replace(AD, version=PROTOCOL_VERSION + 1).is_joinable


@given(st.text(max_size=300))
def test_cleaned_options_are_printable_and_stay_as_they_are(text: str) -> None:
    cleaned = clean_options(text)
    assert cleaned.isprintable()
    assert clean_options(cleaned) == cleaned


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.7:4000", ("192.168.1.7", 4000)),
        (" ada.local:1 ", ("ada.local", 1)),
        ("localhost:65535", ("localhost", 65535)),
        ("[::1]:4000", ("::1", 4000)),
        ("[fe80::1%eth0]:4000", ("fe80::1%eth0", 4000)),
    ],
)
def test_an_address_is_read(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "ada", "ada:", ":4000", "ada:0", "ada:65536", "ada:-1", "ada:4e3"),
        *("ada:٤٠٠٠", "a b:4000", "ada\n:4000", "-ada:4000", "[ada]:4000", "::1:4000"),
        *("http://ada:4000", "ada:4000/", "x" * 10_000, "ada:" + "9" * 5000),
    ],
)
def test_garbage_for_an_address_is_one_clear_line(text: str) -> None:
    with pytest.raises(HostlessError, match="is not an address") as caught:
        parse_address(text)
    assert len(str(caught.value)) < 120
    assert "\n" not in str(caught.value)
    assert "HOST:PORT" in caught.value.hint


def test_people_are_shown_the_address_that_they_can_type() -> None:
    """Which of its addresses is heard first is chance, and decides where one calls first."""
    ad = replace(AD, host="fe80::7%eth0", more_hosts=("fe80::8%eth0", "10.0.0.7"))
    assert ad.shown_host == "10.0.0.7"
    assert ad.places[0] == ("fe80::7%eth0", 4000)


def test_a_host_of_ipv6_stands_in_brackets_before_its_port() -> None:
    assert AD.shown_host == "10.0.0.7"
    shown = replace(AD, host="fe80::7%eth0")
    assert parse_address(f"{shown.shown_host}:{shown.port}") == (shown.host, shown.port)
