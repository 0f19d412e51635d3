"""A table with one small deck, for tests of the engine below any game."""

from __future__ import annotations

from core.table import Layout, Place, Sight, Table

DECK, HAND0, HAND1, OPEN = range(4)
FACES = ("ace", "king", "queen")


def table_with(faces: list[int]) -> Table:
    """A table for two with these faces in the deck, face up."""
    places = [
        Place("deck", Sight.NOBODY),
        Place("seat0.hand", Sight.OWNER, 0),
        Place("seat1.hand", Sight.OWNER, 1),
        Place("open", Sight.EVERYONE),
    ]
    table = Table(Layout(2, FACES, places, ["count"], {}))
    table.lay_out(DECK, faces)
    return table
