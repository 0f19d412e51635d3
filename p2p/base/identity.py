"""Who I am on every table: one Ed25519 key (RFC 8032) on disk, and a name that I may change.

    home/identity.pem    the secret key (PKCS 8), readable by its owner alone, written once
    home/profile.json    name and language

The key is the identity: whoever has the file is this person.  The name is only what others read;
two people may choose one name, and the four words tell them apart: people compare these by voice
instead of hexadecimal digits.

The list of words is that of BIP 39: 2048 words (11 bits each), chosen so that no two share their
first four letters.  Four words are 44 bits.  That is enough to tell friends apart and to notice an
accident; whoever spends weeks of computing can find a key whose words equal a given key's, so a
decision that needs more must be made about something the other side could not choose (commit, then
open).
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from core.errors import HostlessError
from p2p.base.disk import open_binary, replace, sync
from p2p.base.errors import BadSignature
from p2p.base.names import NameRefused, clean_name, is_clean_name

IDENTITY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
LANGUAGES: Final = ("en", "ko", "ja")
_KEY_FILE: Final = "identity.pem"
_PROFILE_FILE: Final = "profile.json"
_PROFILE_BYTES_MAX: Final = 1 << 16
_OWNER_ONLY: Final = 0o600


class UnusableHome(HostlessError):
    """The folder for keys and games cannot be used."""


class Identity:
    """A secret key and the public identity that belongs to it."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self.key = key
        self.public: Final[bytes] = key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"<Identity {words(self.public)}>"

    @classmethod
    def generate(cls) -> Identity:
        """A new identity, in memory only."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, home: Path) -> Identity:
        """The identity of this home; made at the first call, and never replaced.

        Raises:
            UnusableHome: the key cannot be read or written, or the file is damaged.
        """
        path = home / _KEY_FILE
        try:
            if not path.exists():
                _create_once(path, _pem(Ed25519PrivateKey.generate()))
            _keep_private(path)
            return cls(_parse_pem(path, path.read_bytes()))
        except OSError as error:
            raise _unusable(path, error) from error

    def sign(self, message: bytes) -> bytes:
        """64 bytes that only this identity can make."""
        return self.key.sign(message)


def verify(public: bytes, signature: bytes, message: bytes) -> None:
    """Make sure that the identity `public` signed `message`.

    Raises:
        BadSignature: it did not, or the identity or the signature is none at all.
    """
    from p2p.crypto.sodium import is_signed  # Late: the first screen is there without it.

    if not is_signed(public, signature, message):
        raise BadSignature("the signature is not by the one who is said to have signed")


def words(public: bytes) -> str:
    """Four words by which people recognise an identity."""
    return four_words(public)


def default_home() -> Path:
    """Where this system keeps what belongs to a person's programs."""
    from platformdirs import user_data_path  # Late: only a start without --home needs it.

    return user_data_path("hostless", appauthor=False)


# ---- who I am to others ----


@dataclass(frozen=True, slots=True)
class Profile:
    """What others read about me, and the language I read."""

    name: str
    language: str = "en"

    @classmethod
    def load(cls, home: Path) -> Profile | None:
        """The profile of this home; None before the first `save`.

        Raises:
            UnusableHome: it cannot be read or is damaged.
        """
        path = home / _PROFILE_FILE
        try:
            with path.open("rb") as file:
                return cls._parse(path, file.read(_PROFILE_BYTES_MAX))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(path, error) from error

    @classmethod
    def _parse(cls, path: Path, content: bytes) -> Profile:
        damaged = UnusableHome(f"{path} is damaged; delete it and choose your name again")
        try:
            value = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise damaged from error
        match value:
            case {"name": str(name), "language": str(language)} if language in LANGUAGES:
                try:
                    return cls(clean_name(name), language)  # An older program allowed more.
                except NameRefused as error:
                    raise damaged from error
        raise damaged

    def save(self, home: Path) -> None:
        """Keep it for the next start; an older profile is replaced as a whole or not at all.

        Raises:
            NameRefused: the name is not one that others would accept.
            UnusableHome: it cannot be written.
        """
        if not is_clean_name(self.name):
            raise NameRefused(f"{self.name[:40]!r} cannot be shown as a name; choose another")
        assert self.language in LANGUAGES, "the screen offers only languages that it has"
        path = home / _PROFILE_FILE
        try:
            text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
            replace(_write_beside(path, text.encode()), path)
        except OSError as error:
            raise _unusable(path, error) from error


# ---- files ----


def _create_once(path: Path, content: bytes) -> None:
    """Make a file whole or not at all; of two processes that try, one wins and both go on."""
    beside = _write_beside(path, content)
    try:
        if os.name == "nt":
            os.rename(beside, path)  # Refuses to replace, on this system.
        else:
            os.link(beside, path)
    except FileExistsError:
        pass
    finally:
        beside.unlink(missing_ok=True)


def _write_beside(path: Path, content: bytes) -> Path:
    """A new file in the same folder, on disk, readable by its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(open_binary(beside, flags, _OWNER_ONLY), "wb") as file:
        file.write(content)
        file.flush()
        sync(file.fileno())
    return beside


def _keep_private(path: Path) -> None:
    """Take away what a copy from a stick or an archive gave to others."""
    if os.name != "nt" and path.stat().st_mode & 0o077:
        path.chmod(_OWNER_ONLY)


def _pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _parse_pem(path: Path, content: bytes) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:
        raise _damaged(path) from error  # The last: a key of another kind that is too short for it.
    if not isinstance(key, Ed25519PrivateKey):
        raise _damaged(path)
    return key


def _damaged(path: Path) -> UnusableHome:
    return UnusableHome(
        f"{path} is damaged; put a copy back, or move it away and become somebody new"
    )


def _unusable(path: Path, error: OSError) -> UnusableHome:
    return UnusableHome(
        f"cannot use {path}: {error.strerror}; choose another place with --home DIR"
    )


WORD_BITS: Final = 11
WORDS_SHOWN: Final = 4
_KEPT: Final = 1024  # Answers kept, for screens that ask at every snapshot.


@lru_cache(maxsize=_KEPT)
def four_words(subject: bytes) -> str:
    """Four words that stand for `subject`, the same on every machine.

    >>> four_words(bytes(32))
    'gesture fashion develop dragon'
    """
    digest = hashlib.sha256(b"hostless words" + subject).digest()
    number = int.from_bytes(digest[:8])
    words, mask = _all_words(), (1 << WORD_BITS) - 1
    return " ".join(words[number >> WORD_BITS * index & mask] for index in range(WORDS_SHOWN))


@cache
def _all_words() -> tuple[str, ...]:
    text = Path(__file__).with_name("words.txt").read_text("ascii")
    words = tuple(line for line in text.splitlines() if line and not line.startswith("#"))
    assert len(set(words)) == 1 << WORD_BITS, "the list has 2048 different words"
    return words
