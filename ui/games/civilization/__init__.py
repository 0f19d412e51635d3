"""Civilization on the screen: the map, cities, technologies, battles and deals."""

from __future__ import annotations

from typing import Final

from ui.games.civilization.words import say
from ui.look import Look, PileNote

LOOK: Final = Look(
    faces=(),
    note=lambda view, seat, face: PileNote(),
    why_not=lambda view, face: "why.other",
    chapter=lambda view: "",
    say=say,
)
