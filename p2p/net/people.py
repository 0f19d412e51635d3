"""People who allow it say that they are there, and at which table they sit.

    [version, identity, name, table id, opener]     as the table is announced
    [version, identity, name, "", ""]               in the lobby; "elsewhere" at any other table

Nobody has to prove any of it before somebody sits down with them, so nothing is decided by it: it
is shown with the four words of the identity, which the fairness page lets people compare, and as
what a program says of itself.  A true signature would show no more, since it can be said again, and
would make every forged one cost a verification.

`Neighbors` holds who is in sight.  Strangers write here, so it is bounded as tables are, and who
was heard first of one identity is that person for as long as it is heard.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import trio

from p2p.base.errors import MalformedFrame
from p2p.base.identity import IDENTITY_BYTES, words
from p2p.base.limits import PEOPLE_SEEN_MAX, PROTOCOL_VERSION
from p2p.base.names import is_clean_name, shown_name
from p2p.net.announcements import TABLE_ID, Key, who_gives_way

LOBBY: Final[Key] = ("", b"")
SOME_TABLE: Final[Key] = ("elsewhere", b"")  # At a table that others are not told of.


@dataclass(frozen=True, slots=True)
class Neighbor:
    """Somebody on this network, as their own program tells it."""

    identity: bytes
    name: str
    where: Key = LOBBY  # At which table: one of another opener is another table.

    @property
    def shown_name(self) -> str:
        """The name as a person reads it."""
        return shown_name(self.name)

    @property
    def words(self) -> str:
        """The four words by which two of one name are told apart."""
        return words(self.identity)

    def plain(self) -> list[object]:
        """What is announced."""
        return [PROTOCOL_VERSION, self.identity, self.name, *self.where]


HearNeighbor: TypeAlias = Callable[[Neighbor, str, bool], object]
"""Who says it, from which host, and whether they are there, or have just gone from there."""


def parse_person(fields: object) -> Neighbor:
    """What `Neighbor.plain` wrote.

    Raises:
        MalformedFrame: it is none, of another version, or has a name that no screen should show.
    """
    match fields:
        case [int(version), bytes(identity), str(name), str(table_id), bytes(opener)] if (
            version == PROTOCOL_VERSION
            and len(identity) == IDENTITY_BYTES
            and is_clean_name(name)
            and ((table_id, opener) in (LOBBY, SOME_TABLE) or _is_table(table_id, opener))
        ):
            return Neighbor(identity, name, (table_id, opener))
    raise MalformedFrame("this is not the announcement of a person")


def _is_table(table_id: str, opener: bytes) -> bool:
    return TABLE_ID.fullmatch(table_id) is not None and len(opener) == IDENTITY_BYTES


class _Heard(NamedTuple):
    person: Neighbor
    host: str
    until: float  # In trio's time.


class Neighbors:
    """The people in sight: each once, or once a table where several programs of one sit."""

    def __init__(self, me: bytes) -> None:
        """`me` is my identity: I know where I am."""
        self._me = me
        self._heard: dict[tuple[bytes, Key], _Heard] = {}

    def hear(self, person: Neighbor, host: str, expiry_s: float = math.inf) -> None:
        """Somebody says where they are; without another word they are forgotten after that."""
        place = (person.identity, person.where)
        if person.identity == self._me or not self._is_theirs(person, host):
            return
        if place not in self._heard and not self._makes_room(host):
            return
        self._heard[place] = _Heard(person, host, trio.current_time() + expiry_s)

    def lose(self, person: Neighbor, host: str) -> None:
        """Somebody says that they have gone from there."""
        known = self._heard.get((person.identity, person.where))
        if known is not None and known.host == host:
            del self._heard[person.identity, person.where]

    def current(self) -> tuple[Neighbor, ...]:
        """Who is there now, by name; last those of a host that announces many."""
        now = trio.current_time()
        self._heard = {place: each for place, each in self._heard.items() if each.until > now}
        counts = Counter(each.host for each in self._heard.values())
        seated = {identity for identity, where in self._heard if where != LOBBY}
        here = [
            each
            for (identity, where), each in self._heard.items()
            if where != LOBBY or identity not in seated
        ]
        here.sort(key=lambda each: (counts[each.host], each.person.name, each.person.identity))
        return tuple(each.person for each in here)

    def _is_theirs(self, person: Neighbor, host: str) -> bool:
        """Whether it comes from where this identity was heard first, by the name it had there."""
        known = (each for (identity, _), each in self._heard.items() if identity == person.identity)
        return all((each.host, each.person.name) == (host, person.name) for each in known)

    def _makes_room(self, host: str) -> bool:
        """Whether there is a place left, or whoever announces most can do with one less."""
        hosts: Mapping[tuple[bytes, Key], str] = {
            place: each.host for place, each in self._heard.items()
        }
        if len(hosts) < PEOPLE_SEEN_MAX:
            return True
        gone = who_gives_way(hosts, host)
        if gone is not None:
            del self._heard[gone]
        return gone is not None
