"""Who is at the other end: one question and one answer inside TLS.

    dialler                                              listener
    TLS 1.3; the certificate's key IS the listener's identity, so TLS has proven it
       <- ["hostless", version, name, nonce]
       -> ["hostless", version, name, identity, signature]
       <- ["welcome"]

The dialler signs the listener's identity, the hash of its certificate and its fresh nonce, so a
signature given to one listener is worth nothing at another (no relay) or at another time (no
replay).  Versions come first: two versions that do not understand each other still say so.

What this does not give: anonymity (an identity can be followed from table to table), and a proof
that an identity is a certain person; that is what reading four words aloud is for.
"""

from __future__ import annotations

import hashlib
import os
import ssl
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from core.errors import HostlessError
from p2p.base.errors import BadSignature, HandshakeFailed, MalformedFrame, WrongVersion
from p2p.base.identity import IDENTITY_BYTES, SIGNATURE_BYTES, Identity, verify
from p2p.base.limits import HANDSHAKE_BYTES_MAX
from p2p.base.limits import PROTOCOL_VERSION as PROTOCOL_VERSION
from p2p.base.names import is_clean_name
from p2p.base.wire import FrameReader, decode, encode, frame
from p2p.net.certificate import identity_in

_NONCE_BYTES: Final = 32
_HELLO: Final = "hostless"
_LABEL: Final = "hostless link: the dialler's proof"
_CHANNEL: Final = "hostless link: the channel"

Stream: TypeAlias = trio.SSLStream[trio.SocketStream]


class OwnAddress(HostlessError):
    """This address is our own."""


@dataclass(frozen=True, slots=True)
class Proven:
    """The other end once it has proven who it is, and what it sent beyond the handshake."""

    peer: bytes
    name: str
    reader: FrameReader
    channel: bytes  # 32 bytes that no other link has, the same at both ends.


async def meet_dialler(stream: Stream, me: tuple[Identity, str], certificate: bytes) -> Proven:
    """The listener's half; `me` is (identity, name), `certificate` the one that TLS showed (DER).

    Raises:
        HandshakeFailed: the dialler did not prove who it is; WrongVersion among them.
    """
    identity, name = me
    talk, nonce = _Talk(stream), os.urandom(_NONCE_BYTES)
    try:
        await stream.do_handshake()
        await talk.say([_HELLO, PROTOCOL_VERSION, name, nonce])
        match _same_version(await talk.receive()):
            case [str(their_name), bytes(peer), bytes(signature)] if (
                is_clean_name(their_name)
                and len(peer) == IDENTITY_BYTES
                and len(signature) == SIGNATURE_BYTES
            ):
                proof = _proof(identity.public, certificate, nonce)
                verify(peer, signature, proof)
            case _:
                raise MalformedFrame("the caller does not say who it is")
        if peer == identity.public:
            raise HandshakeFailed(peer, "the caller is ourselves")
        await talk.say(["welcome"])
    except _FAILURES as error:
        raise _failed(None, error) from error
    return Proven(peer, their_name, talk.opened(), _channel(proof, peer))


async def meet_listener(
    stream: Stream, me: tuple[Identity, str], expected: bytes | None = None
) -> Proven:
    """The dialler's half; nobody but `expected` is accepted, if it is given.

    Raises:
        HandshakeFailed: somebody else answers, or does not keep to the protocol or its version.
        OwnAddress: the listener is ourselves.
    """
    identity, name = me
    talk, peer = _Talk(stream), None
    try:
        await stream.do_handshake()
        certificate = stream.getpeercert(binary_form=True)
        peer = identity_in(certificate)
        if peer == identity.public:
            raise OwnAddress(
                "this address is your own table; "
                "a second player on this machine needs a home of its own: --home DIR"
            )
        if expected is not None and peer != expected:
            raise HandshakeFailed(peer, "another peer answers at this address")
        match _same_version(await talk.receive()):
            case [str(their_name), bytes(nonce)] if (
                is_clean_name(their_name) and len(nonce) == _NONCE_BYTES
            ):
                proof = _proof(peer, certificate, nonce)
                signature = identity.sign(proof)
            case _:
                raise MalformedFrame("the listener does not say who it is")
        await talk.say([_HELLO, PROTOCOL_VERSION, name, identity.public, signature])
        if await talk.receive() != ["welcome"]:
            raise MalformedFrame("the listener does not say welcome")
    except _FAILURES as error:
        raise _failed(peer, error) from error
    return Proven(peer, their_name, talk.opened(), _channel(proof, identity.public))


_FAILURES: Final = (
    *(MalformedFrame, BadSignature, EOFError),
    *(trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError),
)


def _failed(peer: bytes | None, error: BaseException) -> HandshakeFailed:
    """One class for everything that can go wrong at the door."""
    if isinstance(error, trio.BrokenResourceError | EOFError):
        return HandshakeFailed(peer, "the connection ended before we knew each other")
    return HandshakeFailed(peer, str(error))


def _proof(listener: bytes, certificate: bytes, nonce: bytes) -> bytes:
    """What the dialler signs."""
    return encode([_LABEL, PROTOCOL_VERSION, listener, hashlib.sha256(certificate).digest(), nonce])


def _channel(proof: bytes, dialler: bytes) -> bytes:
    """What a link is known by at both its ends: its certificate, both identities, a fresh nonce."""
    return hashlib.sha256(encode([_CHANNEL, proof, dialler])).digest()


def _same_version(hello: object) -> list[object]:
    """The rest of a hello, whose first two items no version will ever change."""
    match hello:
        case ["hostless", int(version), *rest] if not isinstance(version, bool):
            if version != PROTOCOL_VERSION:
                raise WrongVersion(
                    None,
                    f"the peer speaks version {version} of the protocol and we speak "
                    f"{PROTOCOL_VERSION}; the older one has to be updated",
                )
            return rest
    raise MalformedFrame("whoever is there does not play hostless")


class _Talk:
    """Small frames, one at a time, over a stream that is not a link yet."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._reader = FrameReader(HANDSHAKE_BYTES_MAX)

    async def say(self, value: object) -> None:
        await self._stream.send_all(frame(encode(value)))

    async def receive(self) -> object:
        while (payload := self._reader.next()) is None:
            received = await self._stream.receive_some(HANDSHAKE_BYTES_MAX)
            if not received:
                raise EOFError
            self._reader.feed(received)
        return decode(payload)

    def opened(self) -> FrameReader:
        """The reader, with what came after the handshake."""
        return self._reader
