"""A service on the LAN is a table only if every field of it is."""

from __future__ import annotations

import logging
import socket
from ipaddress import IPv4Interface
from typing import cast

import pytest
import trio
from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf

from p2p.base.errors import MalformedFrame
from p2p.base.limits import TABLES_SEEN_MAX
from p2p.net.dns_sd import SERVICE, _Ear, in_one_line, read_service
from p2p.net.interfaces import Interface

HERE = [Interface("eth0", IPv4Interface("192.168.1.5/24"))]
TEXTS: dict[str, object] = {
    "v": "1",
    "id": "0123456789abcdef",
    "name": "Ada's 테이블",
    "game": "carta",
    "seats": "3",
    "taken": "1",
    "opener": bytes(32).hex(),
    "options": "deal=draft",
}


def service(texts: dict[str, object], *addresses: str, port: int = 4000) -> ServiceInfo:
    """A service as it was announced."""
    return ServiceInfo(
        SERVICE,
        f"0123456789abcdef.{SERVICE}",
        port=port,
        properties=texts,
        addresses=[socket.inet_aton(address) for address in addresses],
    )


def test_a_network_that_is_out_is_one_line_in_the_log_and_a_fault_has_its_place() -> None:
    for error, kept in ((OSError(101, "Network is unreachable"), False), (KeyError("x"), True)):
        exception = (type(error), error, None)
        record = logging.LogRecord("zeroconf", logging.WARNING, "", 0, "Error", (), exception)
        assert in_one_line(record) and bool(record.exc_info) is kept


def test_a_service_is_read_as_a_table() -> None:
    ad = read_service(service(TEXTS, "172.17.0.1", "192.168.1.6"), HERE)
    assert (ad.host, ad.port, ad.heard_by) == ("192.168.1.6", 4000, "dns-sd")
    assert (ad.name, ad.game, ad.seats, ad.taken) == ("Ada's 테이블", "carta", 3, 1)
    assert ad.opener == bytes(32)


@pytest.mark.parametrize("missing", sorted(TEXTS))
def test_a_service_without_a_field_is_no_table(missing: str) -> None:
    texts = {key: value for key, value in TEXTS.items() if key != missing}
    with pytest.raises(MalformedFrame):
        read_service(service(texts, "192.168.1.6"), HERE)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "\x1b[2J"},
        {"name": b"\xff\xfe"},
        {"name": None},
        {"seats": "three"},
        {"seats": "9" * 200},
        {"taken": "-1"},
        {"opener": "zz"},
        {"opener": "00"},
        {"id": "Ada"},
        {b"\xff": "x"},
    ],
)
def test_a_service_with_garbage_in_a_field_is_no_table(change: dict[str, object]) -> None:
    with pytest.raises(MalformedFrame):
        read_service(service({**TEXTS, **change}, "192.168.1.6"), HERE)


async def test_more_services_than_are_shown_are_not_even_looked_up() -> None:
    looked_up: list[str] = []

    class Asked:
        def get_service_info(self, kind: str, name: str, timeout_ms: int) -> None:
            looked_up.append(name)

    ear = _Ear(SERVICE, cast("Zeroconf", Asked()), [], read_service)
    names = [f"{number}.{SERVICE}" for number in range(2 * TABLES_SEEN_MAX)]
    for name in names:
        await trio.to_thread.run_sync(
            ear.notice, ear._zeroconf, SERVICE, name, ServiceStateChange.Added
        )
    assert looked_up == names[:TABLES_SEEN_MAX]


def test_a_service_without_an_address_or_port_is_no_table() -> None:
    for found in (service(TEXTS), service(TEXTS, "192.168.1.6", port=0)):
        with pytest.raises(MalformedFrame):
            read_service(found, HERE)
