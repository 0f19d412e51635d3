"""What a person has chosen about the screen, kept in a small file in the home folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from p2p.base.identity import UnusableHome
from ui.language.text import LANGUAGE_NAMES

_FILE_NAME: Final = "screen.json"
_FILE_BYTES_MAX: Final = 10_000
_SWITCHES: Final = (
    "is_ascii", "has_bell", "has_notices", "is_automatic", "hears_talk", "takes_back", "has_cues",
    "is_seen",
)  # fmt: skip
THEMES: Final = (
    "hostless", "textual-dark", "textual-light", "nord", "gruvbox", "solarized-light", "ansi-dark",
    "ansi-light",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """How the screen looks and behaves."""

    language: str = "en"
    theme: str = "hostless"
    is_ascii: bool = False
    has_bell: bool = False
    has_notices: bool = False  # On my turn a notice on the desktop, if I look at another window.
    is_automatic: bool = True  # A choice with one answer is answered after a flash.
    takes_back: bool = True  # A choice is sent only when others take part in what follows.
    has_cues: bool = True  # What has just changed is marked for a moment.
    hears_talk: bool = True  # Whether what others say at the table is shown.
    is_seen: bool = False  # Whether others on the network see my name, and where I sit.
    keys: Mapping[str, str] = field(default_factory=dict)  # Own ones: see `ui.keymap`.
    port: int = 0  # Where tables listen first, as --port says; 0: the usual one.


def load_settings(home: Path, standard: Settings) -> Settings:
    """The settings kept in `home`; where the file says nothing sensible, the standard ones."""
    path = home / _FILE_NAME
    try:
        if path.stat().st_size > _FILE_BYTES_MAX:
            return standard
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return standard  # A broken file costs a theme, nothing else; saving writes a new one.
    if not isinstance(kept, dict):
        return standard
    known = {key: value for key, value in kept.items() if _is_sensible(key, value)}
    return replace(standard, **known)


def are_settings_kept(home: Path) -> bool:
    """Whether somebody has chosen anything in this home."""
    return (home / _FILE_NAME).exists()


def save_settings(home: Path, settings: Settings) -> None:
    """Keep the settings.

    Raises:
        UnusableHome: the home cannot be written; what was chosen holds until the program ends.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        (home / _FILE_NAME).write_text(json.dumps(asdict(settings), indent=1), encoding="utf-8")
    except OSError as error:
        raise UnusableHome(f"cannot keep settings in {home}: {error.strerror}") from error


def _is_sensible(key: str, value: object) -> bool:
    if key == "language":
        return isinstance(value, str) and value in LANGUAGE_NAMES
    if key == "port":
        return type(value) is int and 0 <= value < 1 << 16
    if key == "theme":
        return value in THEMES
    if key == "keys":
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    return key in _SWITCHES and isinstance(value, bool)
