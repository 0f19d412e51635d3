"""What a stranger on the network can say: announcements, hellos, frames, and words at the door."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from ipaddress import IPv4Interface
from types import SimpleNamespace
from typing import Any, Final, cast
from unittest.mock import patch

import trio
from trio.testing import MockClock
from zeroconf import Error, ServiceInfo

from core.errors import HostlessError
from p2p.base.errors import HandshakeFailed, MalformedFrame
from p2p.base.limits import (
    BEACON_BYTES_MAX,
    PROTOCOL_VERSION,
    READ_BYTES,
    TABLES_SEEN_MAX,
    Role,
)
from p2p.base.roster import BotTerms, Roster, Seat, new_open_seat
from p2p.base.wire import FrameReader, decode, encode, frame
from p2p.crypto.group import base
from p2p.net import handshake
from p2p.net.announcements import Sightings, TableAd
from p2p.net.beacon import take_in, take_in_person, take_in_seat
from p2p.net.certificate import _certify, identity_in
from p2p.net.dns_sd import SERVICE, read_seat, read_service
from p2p.net.handshake import Proven, Stream, meet_dialler, meet_listener
from p2p.net.interfaces import Interface
from p2p.net.link import Address, Link
from p2p.net.password import Gate
from p2p.net.people import Neighbor, Neighbors
from p2p.net.presence import Presence, seat_of
from p2p.session.news import Gathering, News, TablesSeen
from p2p.table.gathering import SeatedGuest, SeatingList
from p2p.table.guest import Guest, take_seat
from p2p.table.router import LinkRouter
from tests.fuzz.target import Target, refusing
from tests.fuzz.worlds import finished, identity
from ui.language.text import load
from ui.lobby.people import people_lines
from ui.plain.presenter import PlainPresenter

ADA, BOB = identity(501), identity(502)
NONCE: Final = bytes(range(32))
HOST: Final = "10.77.0.9"
AD: Final = TableAd(
    "0123456789abcdef", "Ada's table", "carta", 3, 1, ADA.public, HOST, 4000, "draft=yes"
)
SEAT: Final = Presence(bytes(16), bytes(range(16)), 4000)
INTERFACE: Final = Interface("eth0", IPv4Interface("10.77.0.1/24"))
SIT: Final = ["sit", "bob", NONCE, None, b"", 4000]


# ---- announcements ----


def check_shown(lines: list[str]) -> None:
    """Nothing that a stranger says moves the cursor of a terminal."""
    assert all(line.isprintable() for line in lines), lines


def check_refusal(error: BaseException) -> None:
    """Why something was refused is shown too, and may have the words of a stranger in it."""
    check_shown([str(error), getattr(error, "hint", "")])


def beacon() -> Target:
    """One datagram at the port of the beacons, up to the lines that a person reads."""
    presenter_words = load("en")

    def read(datagram: bytes) -> bool:
        async def receive() -> bool:
            sightings = Sightings()
            take_in(sightings, datagram[:BEACON_BYTES_MAX], HOST)
            assert len(sightings.current) <= TABLES_SEEN_MAX
            presence = take_in_seat(datagram[:BEACON_BYTES_MAX])
            if isinstance(presence, Presence):
                assert 0 < presence.port < 1 << 16 and seat_of(presence, NONCE, range(8)) is None
            check_shown(PlainPresenter(presenter_words).receive(TablesSeen(sightings.current)))
            neighbors, said = Neighbors(bytes(32)), take_in_person(datagram[:BEACON_BYTES_MAX])
            if said is not None:
                neighbors.hear(said[0], HOST)
                check_shown(people_lines(presenter_words, neighbors.current(), (), am_i_seen=True))
            return bool(sightings.current or neighbors.current())

        return trio.run(receive)

    gone = ["hostless gone", AD.table_id, AD.opener]
    seat = ["hostless seat", *SEAT.plain()]
    seat_gone = ["hostless seat gone", *SEAT.plain_farewell()]
    person = ["hostless person", *Neighbor(NONCE, "ada", AD.key).plain()]
    said = ["hostless", *AD.plain()], gone, seat, seat_gone, person
    samples = [encode(each) for each in said]
    return Target(read, samples, "cbor")


def dns_sd() -> Target:
    """The texts, addresses and port of an announced service."""

    def read(said: bytes) -> None:
        match decode(said):
            case [bytes(texts), bytes(address), int(port)] if len(address) in (4, 16):
                name = f"{bytes(16).hex()}.{SERVICE}"
                found = ServiceInfo(SERVICE, name, port=port, properties=texts, addresses=[address])
                if b"tag=" in texts:
                    read_seat(found, [INTERFACE])
                else:
                    read_service(found, [INTERFACE])
            case _:
                raise MalformedFrame("texts, an address and a port were expected")

    def sample(**texts: str) -> bytes:
        pairs = [f"{key}={value}".encode() for key, value in texts.items()]
        text = b"".join(bytes([len(pair)]) + pair for pair in pairs)
        return encode([text, bytes([10, 77, 0, 9]), 4000])

    whole = {"v": "1", "id": AD.table_id, "name": AD.name, "game": AD.game, "seats": "3"}
    whole |= {"taken": "1", "opener": AD.opener.hex(), "options": ""}
    samples = [sample(**whole), sample(v=str(PROTOCOL_VERSION), tag=SEAT.tag.hex())]
    return Target(refusing(read, MalformedFrame, Error), samples, "cbor")


# ---- hellos ----


class Pipe:
    """A stream on which everything has been said already, in pieces of `piece` bytes."""

    def __init__(self, said: bytes, certificate: bytes = b"", piece: int = 700) -> None:
        self._said, self._certificate, self._piece = said, certificate, piece

    async def do_handshake(self) -> None:
        """TLS has nothing to say here."""

    def getpeercert(self, *, binary_form: bool) -> bytes:
        """Show the certificate."""
        assert binary_form
        return self._certificate

    async def send_all(self, said: bytes) -> None:
        """Nobody listens."""

    async def receive_some(self, bytes_max: int = READ_BYTES) -> bytes:
        """The next piece."""
        size = min(bytes_max, self._piece)
        piece, self._said = self._said[:size], self._said[size:]
        return piece

    async def aclose(self) -> None:
        """Nothing is open."""


def run_through(talk: Coroutine[Any, Any, object]) -> None:
    """Run what never has to wait, without a loop."""
    try:
        talk.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits for something")


def hello_to_a_listener() -> Target:
    """What a caller says of itself."""
    certificate = b"whatever TLS has shown"
    proof = handshake._proof(ADA.public, certificate, NONCE)
    hello = ["hostless", handshake.PROTOCOL_VERSION, "bob", BOB.public, BOB.sign(proof)]

    def read(said: bytes) -> None:
        stream = cast("Stream", Pipe(frame(said) if len(said) < 1 << 12 else said))
        with patch.object(handshake, "os", SimpleNamespace(urandom=lambda _: NONCE)):
            run_through(meet_dialler(stream, (ADA, "ada"), certificate))

    return Target(refusing(read, HandshakeFailed), [encode(hello)], "cbor")


def hello_to_a_dialler() -> Target:
    """What somebody says who is called: two frames."""
    certificate = _certify(BOB).public_bytes(handshake_encoding())

    def read(said: bytes) -> None:
        stream = cast("Stream", Pipe(said, certificate))
        run_through(meet_listener(stream, (ADA, "ada"), None))

    hello = ["hostless", handshake.PROTOCOL_VERSION, "bob", NONCE]
    said = frame(encode(hello)) + frame(encode(["welcome"]))
    older = frame(encode(["hostless", 99, "later"]))
    return Target(refusing(read, HandshakeFailed), [said, older], "bytes")


def handshake_encoding() -> Any:
    """The encoding of certificates, as TLS has it."""
    from cryptography.hazmat.primitives.serialization import Encoding

    return Encoding.DER


def certificate() -> Target:
    """The certificate that TLS shows."""
    sample = _certify(BOB).public_bytes(handshake_encoding())
    return Target(refusing(identity_in, MalformedFrame), [sample], "bytes")


# ---- frames ----


def frames() -> Target:
    """A stream of frames, cut anywhere; what is read has one encoding."""

    def read(said: bytes) -> None:
        reader, cut = FrameReader(), 1 + (said[0] if said else 0)
        for at in range(0, len(said), cut):
            reader.feed(said[at : at + cut])
            for payload in reader:
                assert encode(decode(payload)) == payload

    values = [[1, {"a": None, "b": [True, b"x" * 30]}], "text", -5, [[[[]]]], ["have", 1 << 40]]
    samples = [frame(encode(values)), b"".join(frame(encode(value)) for value in values)]
    return Target(refusing(read, MalformedFrame), samples, "bytes")


def payload() -> Target:
    """One value in canonical form."""

    def read(said: bytes) -> None:
        assert encode(decode(said)) == said

    values: list[object] = [{"a": 1, "b": [None, False, {1: b""}]}, [1, [2, [3, ["x"]]]], -1, "e"]
    return Target(refusing(read, MalformedFrame), [encode(each) for each in values], "cbor")


PROVEN: Final = Proven(BOB.public, "bob", FrameReader(), bytes(32))


def link() -> Target:
    """Whatever comes over a link that is proven."""

    def read(said: bytes) -> bool:
        async def talk() -> bool:
            proven = Proven(BOB.public, "bob", FrameReader(), bytes(32))
            one = Link(cast("Stream", Pipe(said)), proven, (HOST, 4000))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(one.run)
                try:
                    while True:
                        await one.receive()
                except (trio.EndOfChannel, trio.BrokenResourceError):
                    pass
            return one.fault is None

        return trio.run(talk, clock=MockClock(autojump_threshold=0))

    values = [["have", 1], 0, 1, ["entry", bytes(40)], {"a": []}, 2]
    return Target(read, [b"".join(frame(encode(value)) for value in values)], "bytes")


# ---- words ----


class Caller:
    """A link on which somebody says these things and then hangs up."""

    peer, peer_name, channel = BOB.public, "bob", bytes(32)
    remote_host, remote_port, silent_s = HOST, 4000, 0.0
    has_more_to_send, has_fallen_silent, fault, role = False, False, None, Role.STRANGER

    def __init__(self, said: list[object]) -> None:
        self._said = said
        self.heard: list[object] = []
        self.is_closed = False

    def become(self, role: Role) -> None:
        """Be this to the other end."""
        self.role = role

    async def send(self, value: object) -> None:
        """Hear it; what we say can be said."""
        self.post(frame(encode(value)))
        await trio.lowlevel.checkpoint()

    def post(self, framed: bytes) -> None:
        """Hear a frame."""
        reader = FrameReader()
        reader.feed(framed)
        self.heard += map(decode, reader)

    async def receive(self) -> object:
        """The next thing."""
        await trio.lowlevel.checkpoint()
        if self.is_closed:
            raise trio.ClosedResourceError
        if not self._said:
            raise trio.EndOfChannel
        return self._said.pop(0)

    async def drain(self) -> None:
        """Nothing waits."""

    def burden(self) -> int:
        """It has not called before."""
        return 0

    def give_up(self, _: object = None) -> None:
        """Be hung up on without a word."""
        self.is_closed = True

    async def aclose(self) -> None:
        """Be hung up on."""
        self.is_closed = True
        await trio.lowlevel.checkpoint()


class Patient(Caller):
    """Somebody who lets the other end do what follows before going on."""

    async def receive(self) -> object:
        """The next thing, after a while."""
        await trio.sleep(1)
        return await super().receive()


def hearing(
    receive: Callable[[list[object]], object], *refusals: type[BaseException]
) -> Callable[[bytes], bool]:
    """A reader of a list of messages; of what `receive` raises only `refusals` are no bugs."""

    def take(said: bytes) -> None:
        try:
            receive(cast("list[object]", decode(said)))
        except refusals as error:
            check_refusal(error)
            raise

    accepts = refusing(take, *refusals)

    def read(said: bytes) -> bool:
        try:
            is_list = isinstance(decode(said), list)
        except MalformedFrame:
            return False
        return is_list and accepts(said)

    return read


def door(password: str = "") -> Target:
    """What callers say to somebody who has opened a table."""

    def receive(messages: list[object]) -> None:
        async def welcome() -> None:
            seats, opened = open_seats(3), LinkRouter(4000, check_news)
            seats.gate = Gate(password, ADA.public, list) if password else None
            opened.admit = seats.admit
            await opened._welcome(cast("Link", Caller(messages)))

        trio.run(welcome, clock=MockClock(autojump_threshold=0))

    bot = ["sit", "bob", NONCE, BotTerms("hostless 1", "steady", 0).plain(), b"", 4000]
    bot_terms = ["mind", BotTerms("hostless 1", "steady", 50).plain()]
    share = ["password", base(3).encoded, bytes(64)]
    samples: list[list[object]] = [
        [SIT, share],
        [bot, bot_terms, bot_terms],
        [["watch"]],
        [["mesh", NONCE]],
    ]
    return Target(hearing(receive), [encode(each) for each in samples], "cbor")


def door_with_password() -> Target:
    """The same at a table with a password."""
    return door("sesame")


def open_seats(count: int) -> SeatingList:
    """A table of ours with so many seats, of which one is taken."""
    mine = Seat(ADA.public, "ada", NONCE)
    return SeatingList(replace(AD, seats=count, options=""), (), mine, lambda: None)


def check_news(news: News) -> None:
    """What is told of a caller can be shown."""
    check_shown(PlainPresenter(load("en")).receive(news))


def door_to_the_end() -> Target:
    """What a guest says at a table that is full with it, until the game begins or it leaves."""
    seat = Seat(BOB.public, "bob", NONCE)
    full = open_seats(2)
    full.guests[1] = SeatedGuest(seat, cast("Link", Caller([])), (HOST, 4000))

    def receive(messages: list[object]) -> None:
        async def fill(seats: SeatingList, opened: LinkRouter, begun: trio.Event) -> None:
            await seats.keep_everywhere()
            opened.take_over()
            await seats.begin()
            begun.set()

        async def welcome() -> None:
            seats, opened, begun = open_seats(2), LinkRouter(4000, check_news), trio.Event()
            opened.admit = seats.admit
            async with trio.open_nursery() as nursery:
                nursery.start_soon(fill, seats, opened, begun)
                await opened._welcome(cast("Link", Patient(messages)))
                await trio.sleep(1)
                nursery.cancel_scope.cancel()
            assert begun.is_set() == bool(seats.guests), "who leaves before frees its seat"

        trio.run(welcome, clock=MockClock(autojump_threshold=0))

    kept = ["kept", full.roster().game_id]
    samples: list[list[object]] = [[SIT, kept], [SIT, kept, kept], [SIT, ["kept", NONCE], kept]]
    return Target(hearing(receive), [encode(each) for each in samples], "cbor")


class NeverPlayed:
    """A game that was to begin."""

    def discard(self) -> None:
        """It will not."""


def opener() -> Target:
    """What somebody says at whose table we sit down, up to the lines that a person reads."""
    presenter_words, mine = load("en"), Seat(finished().identities[0].public, "a", bytes(32))

    def tell(gathering: Gathering) -> None:
        check_shown(PlainPresenter(presenter_words).receive(gathering))

    def keep(roster: Roster, addresses: list[Address]) -> NeverPlayed:
        assert mine in roster.seats and len(addresses) == len(roster.seats)
        return NeverPlayed()

    def receive(messages: list[object]) -> None:
        async def sit() -> None:
            caller = cast("Link", Caller(messages))
            await take_seat(caller, Guest(mine, 4000, tell, keep, password=password))

        password = ""
        if messages[:1] == ["knows"]:
            password = str(messages.pop(0))
        trio.run(sit, clock=MockClock(autojump_threshold=0))

    return Target(hearing(receive, HostlessError), said_by_openers(), "cbor")


def said_by_openers() -> list[bytes]:
    """What an honest one says to the seats of the finished game, and to guests without a game."""
    roster = finished().roster
    ad = TableAd("0123456789abcdef", roster.table, "beads", 2, 1, ADA.public, HOST, 4000)
    seats = [[seat.name, seat.identity, None, b""] for seat in roster.seats]
    robot = new_open_seat("robot", BotTerms("hostless 1", "steady", 9))
    assert robot.bot_terms is not None
    gathering = ["gathering", ad.plain(), 1, list(seats)]
    seats += [["robot", robot.identity, robot.bot_terms.plain(), robot.identity]]
    filling = ["gathering", replace(ad, seats=3).plain(), 1, seats]
    begin = ["roster", roster.plain(), [["", 4000], ["10.77.0.8", 4001]]]
    share = ["password", base(3).encoded]
    return [
        encode([gathering, begin, ["begin"]]),
        encode([gathering, begin, gathering, begin, ["begin"]]),
        encode([filling]),
        encode(["knows", share, ["password", bytes(64)]]),
        encode([["refused", "no seat is free"]]),
        encode([["called", f"{roster.seats[0].name} (2)"], gathering]),
    ]
