"""Every numbered rule, edge case, example and component of Civilization has a test that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from core.games.civilization.faces import (
    BUILDING_KEYS,
    CIV_KEYS,
    EVENT_KEYS,
    PERSON_KEYS,
    TECH_KEYS,
    WONDER_KEYS,
)
from core.games.civilization.printed import GOVERNMENTS
from tests.core.games.citing import code, stories

HERE: Final = Path(__file__).parent
WITHDRAWN: Final = {"C156"}


@pytest.mark.parametrize(
    "number", sorted({f"C{at}" for at in range(1, 185)} - WITHDRAWN, key=lambda each: int(each[1:]))
)
def test_every_rule_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", stories(HERE))


@pytest.mark.parametrize("number", [f"E{at}" for at in range(1, 145)])
def test_every_edge_case_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", stories(HERE))


@pytest.mark.parametrize(
    "number",
    [*[f"X{at}" for at in range(1, 10)], *[f"D{at}" for at in range(1, 16)],
     *[f"IW{at}" for at in range(12)]],
)  # fmt: skip
def test_every_example_decision_and_window_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", stories(HERE))


@pytest.mark.parametrize(
    "key", [*TECH_KEYS, *BUILDING_KEYS, *WONDER_KEYS, *EVENT_KEYS, *PERSON_KEYS]
)
def test_every_card_and_marker_is_in_a_test(key: str) -> None:
    assert re.search(rf"\b{key}\b", " ".join(code(HERE)))


@pytest.mark.parametrize("key", [*CIV_KEYS, *GOVERNMENTS])
def test_every_civilization_and_government_is_in_a_test(key: str) -> None:
    assert re.search(rf"\b{key}\b", " ".join(code(HERE)).lower())
