"""Every numbered rule, every kind and every corner case of Dominion has a test that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from core.games.dominion.cards import BASIC_KINDS, KEYS
from core.games.dominion.rules_text import RULES
from tests.core.games.citing import code, stories

HERE: Final = Path(__file__).parent
CORNER_CASES: Final = 15
NUMBERS: Final = re.findall(r"^- \*\*(D\d+)\*\*", RULES, flags=re.MULTILINE)


def test_the_rules_for_players_are_numbered_from_1_to_18() -> None:
    assert [f"D{number}" for number in range(1, 19)] == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_every_numbered_rule_is_cited_by_a_test(number: str) -> None:
    assert re.search(rf"\b{number}\b", stories(HERE))


@pytest.mark.parametrize("case", range(1, CORNER_CASES + 1))
def test_every_corner_case_is_cited_by_a_test(case: int) -> None:
    assert re.search(rf"[Cc]orner case {case}\b", stories(HERE))


@pytest.mark.parametrize("key", KEYS[BASIC_KINDS:])
def test_every_kind_of_a_kingdom_is_played_or_counted_in_a_test(key: str) -> None:
    """Named in the test, or played in it; Gardens are never played."""
    named = re.compile(rf"\btest_\w*{key}|\bplay {key}\b|'{key}'")
    assert any(named.search(each) for each in code(HERE)), f"no test is about {key}"


@pytest.mark.parametrize("key", KEYS[BASIC_KINDS:])
def test_every_kind_is_in_the_rules_for_players(key: str) -> None:
    assert re.search(rf"\*\*{key.replace('_', ' ')}\*\*", RULES, flags=re.IGNORECASE)
