"""Python started with -O drops every assert: nothing that judges may go with them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
JUDGING = ("p2p/crypto", "p2p/game", "p2p/audit")


def narrows(test: ast.expr) -> bool:
    """Whether a condition only tells a type checker what is there: None or not, or which class."""
    match test:
        case ast.BoolOp(values=values):
            return all(map(narrows, values))
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(None)]):
            return True
        case ast.Call(func=ast.Name("isinstance")):
            return True
    return False


@pytest.mark.parametrize("room", JUDGING)
def test_m13_what_judges_decides_nothing_by_an_assert(room: str) -> None:
    """What has to hold there in any case says `make_sure`."""
    deciding = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assert) and not narrows(node.test)
    ]
    assert deciding == []


@pytest.mark.slow
def test_m13_every_proof_holds_or_is_refused_without_asserts_as_well() -> None:
    """Sums of points were zeros, and forged proofs of masked cards went through."""
    command = [sys.executable, "-O", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore"]
    done = subprocess.run(
        [*command, "-m", "not slow", "tests/p2p/crypto", "tests/p2p/audit/test_opened.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "passed" in done.stdout
