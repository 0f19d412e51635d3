"""D5: which ten kinds a game is played with: a set, by lot, drafted, struck out, or a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Final

import core.games.dominion.cards as c
from core.game import Option
from core.requests import Face
from core.table import OptionValue

_SECOND: Final = {
    "first_game":
        "cellar market merchant militia mine moat remodel smithy village workshop",
    "size_distortion":
        "artisan bandit bureaucrat chapel festival gardens sentry throne_room witch workshop",
    "deck_top":
        "artisan bureaucrat council_room festival harbinger laboratory moneylender sentry vassal"
        " village",
    "sleight_of_hand":
        "cellar council_room festival gardens harbinger library militia poacher smithy"
        " throne_room",
    "improvements":
        "artisan cellar market merchant mine moat moneylender poacher remodel witch",
    "silver_and_gold":
        "bandit bureaucrat chapel harbinger laboratory merchant mine moneylender throne_room"
        " vassal",
}  # fmt: skip
_FIRST: Final = {
    "first_game":
        "cellar market militia mine moat remodel smithy village woodcutter workshop",
    "big_money":
        "adventurer bureaucrat chancellor chapel feast laboratory market mine moneylender"
        " throne_room",
    "interaction":
        "bureaucrat chancellor council_room festival library militia moat spy thief village",
    "size_distortion":
        "cellar chapel feast gardens laboratory thief village witch woodcutter workshop",
    "village_square":
        "bureaucrat cellar festival library market remodel smithy throne_room village"
        " woodcutter",
}  # fmt: skip
RANDOM: Final = "random"
DRAFT: Final = "draft"
VETO: Final = "veto"
SETS: Final = tuple(dict.fromkeys((*_SECOND, *_FIRST)))
_FACE_OF: Final = {key: face for face, key in enumerate(c.KEYS)}


def kinds_of(edition: OptionValue) -> tuple[Face, ...]:
    """The kingdom kinds in the box of an edition: 25 of the first, 26 of the second."""
    kingdom = c.ALL[c.BASIC_KINDS :]
    return tuple(face for face in kingdom if c.KINDS[face].edition in (0, edition))


def named_kingdom(options: Mapping[str, OptionValue]) -> tuple[Face, ...]:
    """The ten kinds that the options name; none when they are to be found in the game."""
    name = str(options["kingdom"])
    if name in (RANDOM, DRAFT, VETO):
        return ()
    first, second = (_FIRST, _SECOND) if options["edition"] == 1 else (_SECOND, _FIRST)
    if name in SETS:
        return _faces(first.get(name, second.get(name, "")).split())
    return _faces(name.split(","))


def _faces(names: Sequence[str]) -> tuple[Face, ...]:
    return tuple(sorted([_FACE_OF[name] for name in names]))


def kingdoms_count(edition: OptionValue) -> int:
    """How many kingdoms an edition has: 3,268,760 of the first, 5,311,735 of the second."""
    return comb(len(kinds_of(edition)), c.KINGDOM_KINDS)


def kingdom_by_number(edition: OptionValue, number: int) -> tuple[Face, ...]:
    """The kingdom with this number, in lexical order.

    >>> [c.KEYS[face] for face in kingdom_by_number(2, 0)][-2:]
    ['harbinger', 'laboratory']
    """
    kinds, chosen, wanted = kinds_of(edition), list[Face](), c.KINGDOM_KINDS
    for place, face in enumerate(kinds):
        with_it = comb(len(kinds) - place - 1, wanted - 1) if wanted else 0
        if number < with_it:
            chosen.append(face)
            wanted -= 1
        else:
            number -= with_it
    return tuple(chosen)


OPTIONS: Final = (
    Option("edition", (2, 1)),
    Option(
        "kingdom",
        (*SETS, RANDOM, DRAFT, VETO),
        parts=c.KEYS[c.BASIC_KINDS :],
        parts_count=c.KINGDOM_KINDS,
    ),
)
