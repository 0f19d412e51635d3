"""The keys that a person has chosen, from the table `keys` of the settings file.

    "keys": {"hint": "f2", "table.log": "ctrl+l"}

An entry names an action, on one screen or on all that have it, and its key.  What cannot be used is
said in one line and left out; everything else holds.  Keys that stand on cards and piles stay
where they are, and so does what is under enter, because sentences and lists everywhere mean it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from ui.key_bindings import KEY_BINDINGS, KeyBinding, binding_id
from ui.language.text import Words

FIXED: Final = ("enter",)
RESERVED: Final = ("ctrl+q", "ctrl+c", "ctrl+z", "ctrl+p", "enter", "escape", "tab")
_KNOWN: Final = {each.value for each in Keys} | {action.key for action in KEY_BINDINGS}
_PICKING: Final = ("table", "parts")  # Screens on which letters and numbers pick something.


def read_keymap(words: Words, wanted: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The key of each binding that has another one, by the binding's id, and what is wrong."""
    given = {name: _named(key) for name, key in wanted.items()}
    why = {name: _why_not(_meant(name), key) for name, key in given.items()}
    for name in [*given, *given]:  # One that is refused has its usual key, which others may want.
        used = {each: key for each, key in given.items() if not why[each]}
        if name in used and _is_taken(name, used):
            why[name] = "taken"
    wrong = [
        words("keys.wrong", action=name, pressed=given[name], why=words(f"keys.{reason}"))
        for name, reason in why.items()
        if reason
    ]
    return _keymap({name: key for name, key in given.items() if not why[name]}), wrong


def _named(key: str) -> str:
    """A key as Textual calls it: `?` is `question_mark`, letters and digits are themselves."""
    if len(key) != 1 or key.isalnum():
        return key
    name = unicodedata.name(key, key).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def _meant(name: str) -> list[KeyBinding]:
    """The actions that an entry names."""
    return [each for each in KEY_BINDINGS if name in (each.name, f"{each.where}.{each.name}")]


def _keymap(used: Mapping[str, str]) -> dict[str, str]:
    return {binding_id(each): key for name, key in used.items() for each in _meant(name)}


def _is_taken(name: str, used: Mapping[str, str]) -> bool:
    """Whether another action has this key on one of the screens of this one."""
    keymap = _keymap(used)
    return any(
        keymap.get(binding_id(other), other.key) == used[name]
        for each in _meant(name)
        for other in KEY_BINDINGS
        if other.where == each.where and other.name != each.name
    )


def _why_not(meant: list[KeyBinding], key: str) -> str:
    """Why these actions cannot have this key, whatever others have; empty if they can."""
    if not meant:
        return "no_action"
    if any(each.key in FIXED for each in meant):
        return "fixed"
    if key not in _KNOWN and not _is_character(key):
        return "no_key"
    if key in RESERVED:
        return "reserved"
    usual = {(each.where, each.key) for each in KEY_BINDINGS}
    is_pick = [each.where in _PICKING and (each.where, key) not in usual for each in meant]
    return "picks" if _picks(key) and any(is_pick) else ""


def _is_character(key: str) -> bool:
    return len(key) == 1 and key.isprintable()


def _picks(key: str) -> bool:
    return len(key) == 1 and key.isascii() and (key.isdigit() or key.islower())
