"""Every numbered rule, edge case and variant of Carta has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.games.carta.rules_text import RULES

HERE = Path(__file__).parent
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
RULE_NUMBERS = re.findall(r"^- \*\*(\d\.\d)", RULES, flags=re.MULTILINE)
EDGES = [f"e{number}" for number in range(1, 35)]
VARIANTS = ["f4", "f6", "f8", "f9", "f11", "f14", "f16"]


def test_the_rules_for_players_have_all_24_numbers() -> None:
    expected = {1: 1, 2: 4, 3: 4, 4: 3, 5: 7, 6: 3, 7: 2}
    assert [
        f"{part}.{number}" for part, last in expected.items() for number in range(1, last + 1)
    ] == RULE_NUMBERS


@pytest.mark.parametrize("number", RULE_NUMBERS)
def test_every_numbered_rule_has_a_test(number: str) -> None:
    assert f"def test_rule_{number.replace('.', '_')}_" in TESTS


@pytest.mark.parametrize("case", [*EDGES, *VARIANTS])
def test_every_edge_case_and_variant_has_a_test(case: str) -> None:
    assert re.search(rf"def test_(\w+_and_)?{case}_", TESTS)
