"""Dominion on the screen: letters and colours by type, and what the rules say at this moment."""

from __future__ import annotations

from typing import Final

from core.games.dominion.cards import ACTION, ATTACK, CURSED, KINDS, REACTION, TREASURE, Kind
from core.requests import Player
from core.view import View
from ui.looks import FaceLook, Look, PileNote

_CHAPTERS: Final = {"draft": "1", "action": "2", "buy": "2", "top": "2"}
_COUNTED: Final = ("discard", "chapel")  # Phases that ask for several cards.


def _face(kind: Kind) -> FaceLook:
    """Treasures yellow, Victory cards green, Curses magenta, Attacks red, Moat blue."""
    colors = (
        (TREASURE, "bright_yellow"),
        (CURSED, "bright_magenta"),
        (ATTACK, "bright_red"),
        (REACTION, "bright_cyan"),
        (ACTION, ""),
    )
    color = next((color for types, color in colors if kind.types & types), "bright_green")
    words = kind.key.split("_")
    letters = "".join(word[0] for word in words) if len(words) > 1 else kind.key[:2]
    return FaceLook(kind.key, letters.title(), color)


def note(view: View, seat: Player, face: str) -> PileNote:
    """Nothing beyond the height of a pile."""
    return PileNote()


def why_not(view: View, face: str) -> str:
    """Why a card of the hand cannot be chosen now."""
    return "why.other"


def chapter(view: View) -> str:
    """The chapter of the rules that matters now: set-up, a turn, the cards, or the end."""
    return "4" if view.is_over else _CHAPTERS.get(view.phase, "5")


def left(view: View) -> int:
    """How many cards an effect still asks for."""
    return view.counters.get("need", 0) if view.phase in _COUNTED else 0


# Games by lot roll a second time, for the kingdom: the roll is told as a number.
DOMINION: Final = Look(tuple(map(_face, KINDS)), note, why_not, chapter, left)
