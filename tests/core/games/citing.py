"""What the tests of a game cite: rules in their docstrings, cards in their code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache  # When a test asks: all that is parsed while tests are collected is parsed by each worker.
def stories(folder: Path) -> str:
    """The docstrings of all tests in a folder."""
    return " ".join(ast.get_docstring(function) or "" for function in _functions(folder))


@cache
def code(folder: Path) -> tuple[str, ...]:
    """The code of each test in a folder."""
    return tuple(ast.unparse(function) for function in _functions(folder))


def _functions(folder: Path) -> Iterator[ast.FunctionDef]:
    """All but those that look for what is cited."""
    for path in sorted(folder.glob("test_*.py")):
        if path.name != "test_coverage.py":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    yield node
