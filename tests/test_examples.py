"""Every example in a docstring is true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("core", "p2p", "ai", "ui", "scripts")


def modules_with_examples() -> list[str]:
    """The modules that show one, by their import names."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if ">>> " in path.read_text("utf-8")
    ]


@pytest.mark.parametrize("name", modules_with_examples())
def test_every_example_in_a_docstring_is_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed
