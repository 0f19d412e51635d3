"""A person's own notes on cards, in a small file in the home folder: nobody else ever sees them.

    notes.json    {"dominion": {"village": "two of these, then Smithies"}}

They stand in no log and are sent to nobody.  A file that cannot be understood is left as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from p2p.base.disk import open_binary, replace
from p2p.base.identity import UnusableHome

NOTE_LETTERS_MAX: Final = 200
NOTED: Final = "*"  # Behind the name of a card that has a note; every terminal has it.
_FILE_NAME: Final = "notes.json"
_FILE_BYTES_MAX: Final = 1 << 20
_OWNER_ONLY: Final = 0o600


class Notes:
    """The notes kept in one home; without a home they last as long as the program."""

    def __init__(self, home: Path | None = None) -> None:
        self._path = home / _FILE_NAME if home else None
        self._kept: dict[str, dict[str, str]] | None = None  # Read when they are first needed.
        self._is_damaged = False

    def of(self, game: str) -> Mapping[str, str]:
        """The note on each card of a game that has one, by face."""
        return self._all().get(game, {})

    def write(self, game: str, face: str, text: str) -> None:
        """Keep this note, in place of the one before; an empty text takes it away.

        Raises:
            UnusableHome: it cannot be kept; it holds until the program ends.
        """
        notes = self._all().setdefault(game, {})
        notes.pop(face, None)
        if cleaned := " ".join(text.split())[:NOTE_LETTERS_MAX]:
            notes[face] = cleaned
        if self._path is not None:
            self._save(self._path)

    def _all(self) -> dict[str, dict[str, str]]:
        if self._kept is None:
            self._kept = self._load(self._path) if self._path else {}
        return self._kept

    def _load(self, path: Path) -> dict[str, dict[str, str]]:
        try:
            with path.open("rb") as file:
                return _understood(file.read(_FILE_BYTES_MAX))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError):
            self._is_damaged = True  # Said when something would be written over it.
            return {}

    def _save(self, path: Path) -> None:
        if self._is_damaged:
            raise UnusableHome(f"cannot read {path}: it is damaged")
        content = json.dumps(self._all(), ensure_ascii=False, indent=1).encode()
        beside, flags = path.with_suffix(".new"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(open_binary(beside, flags, _OWNER_ONLY), "wb") as file:
                file.write(content)
            replace(beside, path)
        except OSError as error:
            raise UnusableHome(f"cannot write {path}: {error.strerror}") from error


def _understood(content: bytes) -> dict[str, dict[str, str]]:
    """The notes in a file; ValueError where it says anything else."""
    games = json.loads(content)
    if not isinstance(games, dict):
        raise ValueError("notes are an object")
    for notes in games.values():
        if not isinstance(notes, dict) or not all(isinstance(each, str) for each in notes.values()):
            raise ValueError("notes are texts by game and face")
    return games
