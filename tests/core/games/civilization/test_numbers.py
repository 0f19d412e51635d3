"""Numbers of Civilization that are written out are those of the names and pieces they stand for."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from core.games.civilization import board, faces, frames, items, layout, printed, wealth

_RENAMED = {  # Frames whose names tell them from phases, events and the like.
    "civ": "CIV_CHOICE", "site0": "FIRST_WONDER_SITE", "start": "START_MENU",
    "trade": "TRADE_MENU", "city": "CITY_MENU", "move": "MOVE_MENU", "item": "CHOOSE_ITEM",
    "site": "CHOOSE_SITE", "germany": "GERMANY_FRAME", "front": "CHOOSE_FRONT",
}  # fmt: skip


def test_every_frame_is_the_place_of_its_key() -> None:
    numbers = {key: at for at, key in enumerate(frames.ASKED_KINDS)}
    named = {key: _RENAMED.get(key, key.upper()) for key in numbers}
    found = {key: getattr(frames, name) for key, name in named.items() if hasattr(frames, name)}
    assert set(numbers) - set(found) <= {"none", "learned", "over"}, "these have no constant"
    assert found == {key: numbers[key] for key in found}


def test_counters_begin_where_those_before_end() -> None:
    text = Path(layout.__file__).with_name("layout.py").read_text("utf-8")
    text = text[text.index("PHASE: Final") : text.index("COMMON_COUNTERS: Final")]
    amounts = {"UNITS", "DEAL_KINDS", "FIELDS", "FRAMES"}
    written = re.findall(r"^(\w+): Final = (\d+)", text, re.MULTILINE)
    names = layout.counter_names(2)[: layout.COMMON_COUNTERS]
    stems = [re.sub(r"^(wonder)\..*|[\d.]+$", r"\1", name) for name in names]
    begins = [at + 1 for at, (before, stem) in enumerate(pairwise(stems)) if before != stem]
    assert [int(number) for name, number in written if name not in amounts] == [0, *begins]
    assert names[-1] == f"frame{layout.FRAMES - 1}.{layout.FIELDS - 1}"
    assert layout.counter_names(2)[layout.COMMON_COUNTERS] == "seat0.civilization"


def test_faces_begin_where_those_before_end() -> None:
    kinds = (
        (faces.FIRST_EVENT, printed.EVENT_KINDS), (faces.FIRST_PERSON, printed.PERSONS),
        (faces.FIRST_WONDER, printed.WONDERS), (faces.FIRST_HUT, printed.HUTS),
        (faces.FIRST_VILLAGE, printed.VILLAGES), (faces.FIRST_TILE, printed.NEUTRAL_TILES),
    )  # fmt: skip
    end = faces.UNIT_FACES
    assert end == len(printed.UNIT_TYPES) * faces.STRENGTHS
    for first, pieces in kinds:
        assert first == end
        end += len(pieces)
    assert end == len(faces.FACES)


def test_marks_and_items_are_as_many_as_there_are_pieces() -> None:
    buildings = len(printed.BUILDINGS)
    assert buildings == board.WONDER_MARK - board.FIRST_BUILDING
    assert len(printed.WONDERS) == board.PERSON_MARK - board.WONDER_MARK
    assert len(printed.PERSONS) == board.CITY_MARK - board.PERSON_MARK
    assert buildings == items.WALLS_ITEM - items.FIRST_BUILDING_ITEM
    assert sum(level <= 2 for level in wealth.TECH_LEVELS) == wealth._LOW
