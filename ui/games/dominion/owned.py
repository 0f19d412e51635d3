"""What everybody owns, counted as anybody at the table could: by what was gained and trashed.

Discards are not counted on the table, so this follows from the story alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from core.games.dominion.cards import KINDS
from core.narrate import Line

_BEGINNING: Final = {"copper": 7, "estate": 3}
_POINTS: Final = {kind.key: kind.points for kind in KINDS}
_GARDENS: Final = "gardens"
GAINS: Final = ("buy", "gain", "take")  # The last by a Thief.
GAINED: Final = ("gained", "topdecked")
TRASHES: Final = ("trash", "trashed")
_THIEF: Final = "thief"  # The phase of choices that a fact tells of those who lose the card.


class Bought(NamedTuple):
    """What one turn of a seat brought, and the coins there were."""

    turn: int
    coins: int
    faces: tuple[str, ...]


def owned(lines: Sequence[Line], players: int) -> list[Counter[str]]:
    """By seat: how many of each card."""
    counts = [Counter(_BEGINNING) for _ in range(players)]
    for line in lines:
        if line.seat is None or line.seat >= players:
            continue
        verb, _, what = line.text.partition(" ")
        if verb in GAINS and line.kind == "chosen":
            counts[line.seat][what] += 1
        elif verb in GAINED and line.kind == "told":
            counts[line.seat].update(face for face in line.faces if face)
        elif verb in TRASHES and line.phase != _THIEF:
            counts[line.seat].subtract(face for face in line.faces if face)
    return [+count for count in counts]


def points_of(cards: Counter[str]) -> int:
    """D17: the victory points of these cards."""
    gardens = cards[_GARDENS] * (cards.total() // 10)
    return gardens + sum(count * _POINTS[face] for face, count in cards.items() if face != _GARDENS)


def history(lines: Sequence[Line], players: int) -> list[list[Bought]]:
    """By seat: what every turn brought."""
    turns: list[list[Bought]] = [[] for _ in range(players)]
    seat = -1
    for line in lines:
        verb, _, what = line.text.partition(" ")
        if line.kind == "told" and verb == "turn" and line.seat is not None:
            seat = line.seat
            turns[seat].append(Bought(len(turns[seat]) + 1, 0, ()))
        elif line.seat == seat and seat >= 0 and turns[seat]:
            now = turns[seat][-1]
            if line.kind == "told" and verb == "coins" and line.fact is not None:
                turns[seat][-1] = now._replace(coins=line.fact.number)
            elif line.kind == "chosen" and verb in GAINS:
                turns[seat][-1] = now._replace(faces=(*now.faces, what))
    return turns
