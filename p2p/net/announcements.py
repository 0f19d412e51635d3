"""What is announced of tables on the network, and which of them are in sight.

A table says what it is before anybody is linked to it.  Whoever announces is not known, so nothing
is decided by an announcement but whom to dial; who answers there has to prove the identity.  All
texts are short and printable, because they go straight to a screen.

`Sightings` are the tables to be seen right now, heard in several ways and shown once each.
Strangers write here, so everything is bounded: how many tables are kept, and how often one source
is listened to.  The first address of a table stays as long as it is heard, so that a second voice
cannot divert those who want to join.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, TypeVar

import trio

from core.errors import HostlessError
from p2p.base.errors import MalformedFrame
from p2p.base.identity import IDENTITY_BYTES
from p2p.base.limits import (
    NAME_LETTERS_MAX,
    OPTIONS_LETTERS_MAX,
    PORT_MAX,
    PROTOCOL_VERSION,
    TABLE_SEATS_MAX,
    TABLES_SEEN_MAX,
    VERSION_MAX,
)
from p2p.base.names import is_clean_name, one_line, shown_name
from p2p.net.interfaces import is_address

Way: TypeAlias = Literal["dns-sd", "beacon", "address"]
Key: TypeAlias = tuple[str, bytes]
K = TypeVar("K")

PASSWORD_ASKED: Final = "password=asked"  # The first of the options, where a guest needs one;
SEATS_KEPT: Final = "seats=kept"  # the same where only those sit down who played there before;
SEATS_FILLED: Final = "seats=filled"  # and where bots have the seats of those who did not come.
TABLE_ID: Final = re.compile(r"[0-9a-f]{8,32}")
_GAME: Final = re.compile(r"[a-z0-9_-]{1,32}")
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?")


@dataclass(frozen=True, slots=True)
class TableAd:
    """A table as announced, and how it was heard."""

    table_id: str  # 8 to 32 hexadecimal digits, made by the opener.
    name: str
    game: str
    seats: int
    taken: int
    opener: bytes  # The identity that must answer at the address.
    host: str
    port: int
    options: str = ""  # What differs from the usual game, for people.
    version: int = PROTOCOL_VERSION
    heard_by: Way = "address"
    more_hosts: tuple[str, ...] = ()  # Where it may be reached as well.
    opener_name: str = ""  # As the opener is said to be called; empty: that is not said.

    @property
    def key(self) -> Key:
        """Which table this is: an impostor with another identity is another table."""
        return self.table_id, self.opener

    @property
    def target(self) -> str:
        """By which a command means this very table, and not one of an impostor with its id."""
        return f"{self.table_id}.{self.opener.hex()}"

    @property
    def shown_name(self) -> str:
        """The name as a person reads it."""
        return shown_name(self.name)

    @property
    def shown_host(self) -> str:
        """The host as it stands before a colon and the port: of IPv4, which people can type."""
        hosts = [self.host, *self.more_hosts]
        typed = next((host for host in hosts if ":" not in host), self.host)
        return f"[{typed}]" if ":" in typed else typed

    @property
    def places(self) -> list[tuple[str, int]]:
        """Where it may be reached, the best first."""
        return [(host, self.port) for host in dict.fromkeys((self.host, *self.more_hosts))]

    @property
    def is_joinable(self) -> bool:
        """Whether there is a seat for us: one is free, and we speak the table's language."""
        return self.taken < self.seats and self.is_understood

    @property
    def is_played(self) -> bool:
        """Whether there is a game to look on at: every seat is taken, in the table's language."""
        return self.taken == self.seats and self.is_understood

    @property
    def is_understood(self) -> bool:
        """Whether the table speaks our version of the protocol."""
        return self.version == PROTOCOL_VERSION

    @property
    def asks_password(self) -> bool:
        """Whether whoever sits down has to know a password."""
        return self.options.split(" ", 1)[0] == PASSWORD_ASKED

    @property
    def kept(self) -> str:
        """The option that keeps its seats for those who played at it before; empty without one."""
        first = self.options.split(" ", 1)[0]
        return first if first in (SEATS_KEPT, SEATS_FILLED) else ""

    @property
    def is_filled(self) -> bool:
        """Whether bots have the seats of those who did not come."""
        return self.kept == SEATS_FILLED

    def plain(self) -> list[object]:
        """The announcement without host and way, which the hearer knows better."""
        return [
            *(self.version, self.table_id, self.name, self.game, self.seats, self.taken),
            *(self.opener, self.port, self.options, self.opener_name),
        ]


def parse_ad(fields: object, host: str, heard_by: Way) -> TableAd:
    """The announcement that `TableAd.plain` wrote, heard from `host`.

    Programs of older versions say nothing of the opener's name.

    Raises:
        MalformedFrame: it is none, or has texts that no screen should show.
    """
    match fields:
        case [
            int(version), str(table_id), str(name), str(game), int(seats), int(taken),
            bytes(opener), int(port), str(options), *more,
        ] if (
            0 < version <= VERSION_MAX
            and TABLE_ID.fullmatch(table_id)
            and is_clean_name(name)
            and _GAME.fullmatch(game)
            and 0 < seats <= TABLE_SEATS_MAX
            and 0 <= taken <= seats
            and len(opener) == IDENTITY_BYTES
            and 0 < port <= PORT_MAX
            and options == clean_options(options)
        ):  # fmt: skip
            return TableAd(
                table_id, name, game, seats, taken, opener, host, port, options, version, heard_by,
                opener_name=_opener_name(more),
            )  # fmt: skip
    raise MalformedFrame("this is not the announcement of a table")


def _opener_name(more: Sequence[object]) -> str:
    match more:
        case [] | [""]:
            return ""
        case [str(name)] if is_clean_name(name):
            return name
    raise MalformedFrame("this is not the announcement of a table")


def clean_options(text: str) -> str:
    """Options as they may be announced: printable and short, cut where they are not."""
    return one_line(text, OPTIONS_LETTERS_MAX)


def parse_address(text: str) -> tuple[str, int]:
    """The host and port of HOST:PORT, [IPV6]:PORT or [IPV6%INTERFACE]:PORT.

    >>> parse_address("192.168.1.7:4000")
    ('192.168.1.7', 4000)

    Raises:
        HostlessError: it is no such address.
    """
    host, colon, port = text.strip().rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host, is_host = host[1:-1], _is_ipv6(host[1:-1])
    else:
        is_host = _HOST.fullmatch(host) is not None
    is_port = port.isascii() and port.isdecimal() and len(port) <= 5 and 0 < int(port) <= PORT_MAX
    if not (colon and is_port and is_host):
        shown = text if len(text) <= 2 * NAME_LETTERS_MAX else text[: 2 * NAME_LETTERS_MAX] + "..."
        raise HostlessError(
            f"{shown!r} is not an address", "write HOST:PORT, for example 192.168.1.7:4000"
        )
    return host, int(port)


def _is_ipv6(host: str) -> bool:
    return ":" in host and is_address(host)


def who_gives_way(heard: Mapping[K, str], host: str) -> K | None:
    """Whose place `host` gets where all are taken: one of the host that has most, if any.

    `heard` tells the host of each.  Who was there first stays.
    """
    counts = Counter(heard.values())
    greediest, most = counts.most_common(1)[0]
    if most <= counts[host] + 1:
        return None
    return next(each for each in reversed(list(heard)) if heard[each] == greediest)


_WAYS: Final[tuple[Way, ...]] = ("dns-sd", "beacon", "address")  # The order of showing.


@dataclass(frozen=True, slots=True)
class _Heard:
    """One table by one way."""

    ad: TableAd
    until: float  # In trio's time.


class Sightings:
    """The tables in sight, as an asynchronous iterator over the whole list at each change."""

    def __init__(self) -> None:
        self._heard: dict[tuple[Key, Way], _Heard] = {}
        self._changed = trio.Event()
        self._shown: tuple[TableAd, ...] | None = None
        self.ignored_count = 0  # Announcements that were garbage, too many or too often.
        self.troubles: dict[Way, str] = {}  # Why a way of hearing does not work here.

    @property
    def current(self) -> tuple[TableAd, ...]:
        """Every table once, in an order that stays."""
        tables: dict[Key, TableAd] = {}
        for way in reversed(_WAYS):
            for (key, heard_by), heard in self._heard.items():
                if heard_by == way:
                    tables[key] = self._merge(tables.get(key), heard.ad)
        return tuple(sorted(tables.values(), key=lambda ad: (ad.name, ad.key)))

    @staticmethod
    def _merge(beacon: TableAd | None, ad: TableAd) -> TableAd:
        """DNS-SD knows more names; but the sender of a beacon was certainly at its address."""
        if beacon is None:
            return ad
        more = tuple(host for host in (ad.host, *ad.more_hosts) if host != beacon.host)
        return replace(ad, host=beacon.host, port=beacon.port, more_hosts=more)

    def receive(self, ad: TableAd, expiry_s: float = math.inf) -> None:
        """Take in an announcement; without another one it is forgotten after `expiry_s`."""
        place = (ad.key, ad.heard_by)
        known = self._heard.get(place)
        if known is None and not self._has_place(ad):
            self.ignore()
            return
        if known is not None and known.ad.host != ad.host:
            return  # Another interface of the same machine, or somebody who is not that machine.
        self._heard[place] = _Heard(ad, trio.current_time() + expiry_s)
        if known is None or known.ad != ad:
            self._changed.set()

    def _has_place(self, ad: TableAd) -> bool:
        """Whether there is a place left, or the host that announces most can do with one less."""
        places = [place for place in self._heard if place[1] == ad.heard_by]
        if len(places) < TABLES_SEEN_MAX:
            return True
        gone = who_gives_way({place: self._heard[place].ad.host for place in places}, ad.host)
        if gone is not None:
            del self._heard[gone]
        return gone is not None

    def lose(self, key: Key, way: Way, host: str) -> None:
        """The one who announced a table from `host` says that it is gone."""
        known = self._heard.get((key, way))
        if known is not None and known.ad.host == host:
            del self._heard[key, way]
            self._changed.set()

    def forget_silent(self) -> None:
        """Drop what has not been heard for too long."""
        now = trio.current_time()
        for place in [place for place, heard in self._heard.items() if heard.until < now]:
            del self._heard[place]
            self._changed.set()

    def ignore(self) -> None:
        """Count an announcement that is not worth looking at."""
        self.ignored_count += 1

    def __aiter__(self) -> AsyncIterator[tuple[TableAd, ...]]:
        return self

    async def __anext__(self) -> tuple[TableAd, ...]:
        await trio.lowlevel.checkpoint()
        while (current := self.current) == self._shown:
            await self._changed.wait()
            self._changed = trio.Event()
        self._shown = current
        return current
