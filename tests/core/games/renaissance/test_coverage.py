"""Every numbered rule and every gap of Renaissance has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.games.renaissance.cards import OPTIONS
from core.games.renaissance.rules_text import RULES

HERE = Path(__file__).parent
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
NAMES = re.findall(r"^def (test_\w+)", TESTS, flags=re.MULTILINE)
RULE_NUMBERS = re.findall(r"^- \*\*(\d+\.\d)", RULES, flags=re.MULTILINE)
ROOT = HERE.parents[3]
PAGE = (ROOT / "docs/lab/renaissance.md").read_text("utf-8")
GAPS = re.findall(r"^\| (G\d+) ", PAGE, flags=re.MULTILINE)
CODE = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "core/games/renaissance").glob("*.py")
)
RULES_OF_PART = {1: 5, 2: 5, 3: 2, 4: 5, 5: 7, 6: 4, 7: 5, 8: 9, 9: 3, 10: 4, 11: 2, 12: 2, 13: 3,
                 14: 4}  # fmt: skip


def test_the_rules_for_players_have_all_60_numbers() -> None:
    expected = [f"{part}.{number}" for part, last in RULES_OF_PART.items()
                for number in range(1, last + 1)]  # fmt: skip
    assert expected == RULE_NUMBERS
    assert len(expected) == 60


@pytest.mark.parametrize("number", RULE_NUMBERS)
def test_every_numbered_rule_has_a_test(number: str) -> None:
    key = number.replace(".", "_")
    assert any(re.match(rf"test_rule_(\d+_\d_(and|to)_)*{key}_", name) for name in NAMES)


def test_every_gap_that_the_code_cites_is_explained() -> None:
    assert [f"G{number}" for number in range(1, 34)] == GAPS
    assert set(re.findall(r"\bG\d+\b", CODE)) <= set(GAPS)


@pytest.mark.parametrize("gap", GAPS)
def test_every_gap_has_a_test(gap: str) -> None:
    assert any(re.match(rf"test_(rule_|\d+_\d_|and_|to_)*{gap.lower()}_", name) for name in NAMES)


@pytest.mark.parametrize("key", [option.key for option in OPTIONS])
def test_every_variant_has_a_test_that_chooses_it(key: str) -> None:
    assert re.search(rf'"{key}": |\b{key}=', TESTS)
    assert f"- `{key}`" in RULES
