"""TLS 1.3 whose certificate is nothing but an identity.

No authority signs anything here: the certificate is self-signed, and its Ed25519 key is the
identity of the one who listens.  The TLS handshake proves possession of that key (RFC 8446,
section 4.4.3), so whoever talks to this certificate talks to this identity.  Names and dates in the
certificate mean nothing and are never looked at.
"""

from __future__ import annotations

import os
import secrets
import ssl
import tempfile
import warnings
from datetime import UTC, datetime
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity

_SINCE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # RFC 5280, 4.1.2.5: no end.


def listening_context(identity: Identity) -> tuple[ssl.SSLContext, bytes]:
    """What a listener offers, and its certificate (DER), new at every call."""
    certificate = _certify(identity)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # Nobody resumes a session: a link lives as long as it can.
    _load(context, certificate.public_bytes(Encoding.PEM) + _secret_pem(identity))
    return context, certificate.public_bytes(Encoding.DER)


def dialling_context() -> ssl.SSLContext:
    """What a dialler accepts: any certificate, because its key is looked at afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def identity_in(certificate: bytes) -> bytes:
    """The identity in a certificate (DER) that TLS has seen proven.

    Raises:
        MalformedFrame: it is no certificate, or one with another kind of key.
    """
    try:
        with warnings.catch_warnings():  # What is tolerated today with a warning is not ours.
            warnings.simplefilter("error")
            key = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, Warning, x509.InvalidVersion, UnsupportedAlgorithm) as error:
        raise MalformedFrame("the certificate cannot be read") from error
    if not isinstance(key, Ed25519PublicKey):
        raise MalformedFrame("the certificate does not hold an identity")
    return key.public_bytes_raw()


def _certify(identity: Identity) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hostless")])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(identity.key.public_key())
        .serial_number(1 + secrets.randbits(64))  # Makes every certificate, and its hash, fresh.
        .not_valid_before(_SINCE)
        .not_valid_after(_UNTIL)
        .sign(identity.key, None)
    )


def _secret_pem(identity: Identity) -> bytes:
    return identity.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _load(context: ssl.SSLContext, pem: bytes) -> None:
    """Hand a key to `ssl`, which reads files only: one of our own, gone before we go on."""
    number, path = tempfile.mkstemp(prefix="hostless-")  # Mode 0600.
    try:
        with os.fdopen(number, "wb") as file:
            file.write(pem)
        context.load_cert_chain(path)
    finally:
        os.unlink(path)
