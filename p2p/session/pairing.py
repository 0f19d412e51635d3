"""The four words that a whole table compares aloud, once, and whom somebody has compared them with.

They are a short authentication string (SAS), and show that nobody sits in between.  Names can be
copied and a network can be rerouted: somebody in the middle could play with each of two friends
under the other's name.  The friends would then sit at two tables, with other identities or other
keys, and the words differ.  The words are a hash of the game id (identities, seat order, rules) and
of all game keys.  Every key was committed to before any was shown, so nobody can search for a table
whose words happen to be the same: one try in 2**44.  People who have compared the words once know
each other's identities from then on.

What this does not protect against: a person who says "same" without listening.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.errors import HostlessError
from p2p.base.disk import sync
from p2p.base.identity import IDENTITY_BYTES, four_words
from p2p.crypto.group import Point, points_to_bytes
from p2p.crypto.transcript import hash_bytes

_LABEL: Final = "hostless/pairing/1"
_SEED_BYTES: Final = 32
TABLES_KEPT_MAX: Final = 4  # Whose words every snapshot shows.
FILE_NAME: Final = "known"


@lru_cache(maxsize=TABLES_KEPT_MAX)
def table_words(game_id: bytes, keys: tuple[Point, ...]) -> str:
    """The words of a table, the same at every seat of it and at no other table."""
    return four_words(hash_bytes(_LABEL, game_id, points_to_bytes(keys), size_bytes=_SEED_BYTES))


class Acquaintances:
    """The identities that somebody in this home has compared words with, one a line."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME
        self._known: frozenset[bytes] | None = None  # Read when somebody asks.

    def strangers(self, identities: Iterable[bytes]) -> list[bytes]:
        """Those whom nobody here has compared words with.

        Raises:
            HostlessError: the file cannot be read.
        """
        if self._known is None:
            self._known = frozenset(_read(self._path))
        return [identity for identity in identities if identity not in self._known]

    def meet(self, identities: Iterable[bytes]) -> None:
        """Know them from now on.

        Raises:
            HostlessError: that cannot be written down; they are known until the program ends.
        """
        fresh = self.strangers(identities)
        self._known = frozenset(fresh).union(self._known or ())
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="ascii") as file:
                file.writelines(f"{identity.hex()}\n" for identity in fresh)
                file.flush()
                sync(file.fileno())
        except OSError as error:
            raise HostlessError(f"cannot write {self._path}: {error.strerror}") from error


def _read(path: Path) -> list[bytes]:
    """The identities in a file; a line that is none, as after a crash, is as good as not there."""
    try:
        lines = path.read_text("ascii", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise HostlessError(f"cannot read {path}: {error.strerror}") from error
    return [bytes.fromhex(line) for line in lines if _is_identity(line)]


def _is_identity(line: str) -> bool:
    return len(line) == 2 * IDENTITY_BYTES and all(letter in "0123456789abcdef" for letter in line)
