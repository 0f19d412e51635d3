"""Which faces there are, which cards show them, and what is on a face, in flat tuples by face.

Cards are what can be hidden or shuffled: units, events, great people, wonders, hut and village
markers, neutral tiles.  Their numbers are in that order, so a number tells the kind of a card.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.printed import (
    BUILDINGS,
    CIVILIZATIONS,
    ERAS,
    EVENT_KINDS,
    GIFTS,
    GOVERNMENTS,
    HUTS,
    NEUTRAL_TILES,
    PERSON_COPIES,
    PERSONS,
    RESOURCES,
    TECHNOLOGIES,
    UNIT_COPIES,
    UNIT_LEAST,
    UNIT_TYPES,
    VILLAGES,
    WONDERS,
)

STRENGTHS: Final = 3  # Different base strengths of a type.
# The first face of each kind; numbers are written out: a compiled rule then holds them.
UNIT_FACES: Final = 12
FIRST_EVENT: Final = 12
FIRST_PERSON: Final = 37
FIRST_WONDER: Final = 43
FIRST_HUT: Final = 55
FIRST_VILLAGE: Final = 60
FIRST_TILE: Final = 64
FACES: Final[tuple[str, ...]] = (
    *[f"{kind}.{UNIT_LEAST[at] + more}" for at, kind in enumerate(UNIT_TYPES) for more in range(3)],
    *[event.key for event in EVENT_KINDS],
    *[person.key for person in PERSONS],
    *[wonder.key for wonder in WONDERS],
    *[f"hut.{key}" for key, _ in HUTS],
    *[f"village.{key}" for key, _ in VILLAGES],
    *[f"tile.{number + 1}" for number in range(len(NEUTRAL_TILES))],
)
TYPE_FACES: Final = tuple([tuple(range(3 * at, 3 * at + 3)) for at in range(len(UNIT_TYPES))])
GREAT_MARKER: Final = FIRST_VILLAGE + [key for key, _ in VILLAGES].index("great")
VILLAGE_RESOURCES: Final = tuple(
    [at for at in range(FIRST_VILLAGE, FIRST_TILE) if at != GREAT_MARKER]
)
MARKERS: Final = (*range(FIRST_HUT, FIRST_VILLAGE), *VILLAGE_RESOURCES)

# ---- cards, by kind ----

UNIT_CARDS: Final[tuple[tuple[int, ...], ...]] = tuple(
    [
        tuple([3 * at + more for more in range(3) for _ in range(copies[more])])
        for at, copies in enumerate(UNIT_COPIES)
    ]
)
EVENT_CARDS: Final[tuple[tuple[int, ...], ...]] = tuple([
    tuple([FIRST_EVENT + at for at, event in enumerate(EVENT_KINDS) for _ in range(event.copies)
           if event.era == era])
    for era in range(len(ERAS))
])  # fmt: skip
PERSON_CARDS: Final = tuple(
    [FIRST_PERSON + at for at in range(len(PERSONS)) for _ in range(PERSON_COPIES)]
)
WONDER_CARDS: Final[tuple[tuple[int, ...], ...]] = tuple(
    [
        tuple([FIRST_WONDER + at for at, wonder in enumerate(WONDERS) if wonder.era == era])
        for era in range(len(ERAS))
    ]
)
HUT_CARDS: Final = tuple(
    [FIRST_HUT + at for at, (_, copies) in enumerate(HUTS) for _ in range(copies)]
)
VILLAGE_CARDS: Final = tuple(
    [FIRST_VILLAGE + at for at, (_, copies) in enumerate(VILLAGES) for _ in range(copies)]
)
TILE_CARDS: Final = tuple(range(FIRST_TILE, FIRST_TILE + len(NEUTRAL_TILES)))

UNITS_END: Final = sum([len(cards) for cards in UNIT_CARDS])
_BACKS: Final[tuple[str, ...]] = (  # By card.
    *[""] * UNITS_END,  # Section 6: others do not see the types of a battle hand.
    *[f"event.{ERAS[era]}" for era, cards in enumerate(EVENT_CARDS) for _ in cards],
    *["person"] * len(PERSON_CARDS),
    *[f"wonder.{ERAS[era]}" for era, cards in enumerate(WONDER_CARDS) for _ in cards],
    *["hut"] * len(HUT_CARDS),
    *["village"] * len(VILLAGE_CARDS),
    *["tile"] * len(TILE_CARDS),
)
BACKS: Final = _BACKS
ERA_OF_CARD: Final = tuple(
    [  # Of an event card; -1 of all others.
        ERAS.index(back[6:]) if back.startswith("event.") else -1 for back in _BACKS
    ]
)
CARDS: Final = len(_BACKS)
HUT_KIND: Final = 0  # Kinds of backs that are taken unseen: huts, villages, events by era.
VILLAGE_KIND: Final = 1
FIRST_ERA_KIND: Final = 2
BACK_KINDS: Final = ("hut", "village", *[f"event.{era}" for era in ERAS])
KIND_OF_CARD: Final = tuple(
    [BACK_KINDS.index(back) if back in BACK_KINDS else -1 for back in _BACKS]
)

# ---- what is on a face ----


def _resource(face: int) -> int:
    kinds = [*HUTS, *VILLAGES]
    if not FIRST_HUT <= face < FIRST_TILE or face == GREAT_MARKER:
        return -1
    return RESOURCES.index(kinds[face - FIRST_HUT][0])


RESOURCE_OF_FACE: Final = tuple([_resource(face) for face in range(len(FACES))])
PAYS: Final[tuple[int, ...]] = tuple(
    [  # By face: the resources it can stand for, as bits (C88).
        1 << RESOURCE_OF_FACE[face]
        if RESOURCE_OF_FACE[face] >= 0
        else sum([1 << RESOURCES.index(key) for key in GIFTS.get(FACES[face], ())])
        for face in range(len(FACES))
    ]
)
IS_GIFT: Final = tuple([key in GIFTS for key in FACES])
EVENT_KEYS: Final = tuple([event.key for event in EVENT_KINDS])
TECH_KEYS: Final = tuple([each.key for each in TECHNOLOGIES])
BUILDING_KEYS: Final = tuple([each.key for each in BUILDINGS])
WONDER_KEYS: Final = tuple([each.key for each in WONDERS])
PERSON_KEYS: Final = tuple([each.key for each in PERSONS])
CIV_KEYS: Final = tuple([each.key for each in CIVILIZATIONS])


def tech(key: str) -> int:
    """The number of a technology."""
    return TECH_KEYS.index(key)


def event(key: str) -> int:
    """The number of an event: its face is FIRST_EVENT more."""
    return EVENT_KEYS.index(key)


def building(key: str) -> int:
    """The number of a building."""
    return BUILDING_KEYS.index(key)


def wonder(key: str) -> int:
    """The number of a wonder."""
    return WONDER_KEYS.index(key)


def government(key: str) -> int:
    """The number of a government."""
    return GOVERNMENTS.index(key)


def civilization(key: str) -> int:
    """The number of a civilization."""
    return CIV_KEYS.index(key)
