"""Every numbered rule, edge case, example and component of Civilization has a test that says so."""

from __future__ import annotations

import ast
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

HERE: Final = Path(__file__).parent
WITHDRAWN: Final = {"C156"}
_FUNCTIONS: Final = [
    node
    for path in sorted(HERE.glob("test_*.py"))
    if path.name != Path(__file__).name
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
]
STORIES: Final = " ".join(ast.get_docstring(function) or "" for function in _FUNCTIONS)
CODE: Final = " ".join(ast.unparse(function) for function in _FUNCTIONS)


@pytest.mark.parametrize(
    "number", sorted({f"C{at}" for at in range(1, 185)} - WITHDRAWN, key=lambda each: int(each[1:]))
)
def test_every_rule_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", STORIES)


@pytest.mark.parametrize("number", [f"E{at}" for at in range(1, 145)])
def test_every_edge_case_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", STORIES)


@pytest.mark.parametrize(
    "number",
    [*[f"X{at}" for at in range(1, 10)], *[f"D{at}" for at in range(1, 16)],
     *[f"IW{at}" for at in range(12)]],
)  # fmt: skip
def test_every_example_decision_and_window_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", STORIES)


@pytest.mark.parametrize(
    "key", [*TECH_KEYS, *BUILDING_KEYS, *WONDER_KEYS, *EVENT_KEYS, *PERSON_KEYS]
)
def test_every_card_and_marker_is_in_a_test(key: str) -> None:
    assert re.search(rf"\b{key}\b", CODE)


@pytest.mark.parametrize("key", [*CIV_KEYS, *GOVERNMENTS])
def test_every_civilization_and_government_is_in_a_test(key: str) -> None:
    assert re.search(rf"\b{key}\b", CODE.lower())
