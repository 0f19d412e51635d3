"""Would anybody notice?  Takes one check at a time out of the verifiers and runs their tests.

    python scripts/mutate.py                        all of them, as a table for docs/mutation.md
    python scripts/mutate.py p2p/cards/keys.py      one file
    python scripts/mutate.py p2p/replica.py:213     one line
    python scripts/mutate.py --list p2p/entry.py    only say what would be changed

A verifier that forgets a check still accepts every honest proof, so no game played by friends ever
finds out.  Here every refusal is made impossible in turn, every guard loosened, every value that
is hashed left out, in a copy of the tree; the tests of that file have to fail each time.  What
they let through is a survivor: it is printed with its line, and wants a test, or a reason.

What is taken away is decided by the syntax tree, and always in the direction of accepting more:

    if CONDITION: raise, check..   the condition, and each of its alternatives, becomes False
    case PATTERN if GUARD:         the guard, and each of its parts, becomes True
    raise ...                      (anywhere else) nothing happens
    check_...(..), refuse_...(..)  the call is left out
    return CONDITION -> bool       becomes True, becomes False, and so does each of its parts
    < and <=                       the boundary moves outwards by one
    absorb, encode, hash_bytes     each field is replaced by nothing
    challenge, weights             are one, whatever was said before

Processes are forked, so this runs where there is `fork`.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
WORKERS: Final = 2
HANGS_AFTER_S: Final = 300  # A changed verifier may wait for ever; that is noticed, too.
TELL_EVERY: Final = 20
PYTEST: Final = (
    *("-x", "-q", "--no-header", "--tb=no"),
    *("-p", "pytest_trio.plugin", "-p", "no:cacheprovider"),
)
PRELOADED: Final = ("cbor2", "cryptography.x509", "hypothesis", "trio")
PARTS: Final = ("core", "p2p", "ai", "ui", "tests")
CARD_TESTS: Final = "tests/p2p/cards"
CHECKING: Final = re.compile(r"_?(check|verify|refuse|oblige|owe|settle)_?\w*")
HASHING: Final = {"encode", "hash_bytes", "join", "hash_to_point", "sha256", "frame"}
TABLE_TESTS: Final = [
    *("every_entry", "vectors", "dealing", "replica", "cheaters"),
]
READER_TESTS: Final = ["reader_seats", "reader", "opened", "audit", "rebuilding"]
TESTS_OF: Final = {
    "p2p/commitments.py": ["commitments", "vectors"],
    "p2p/entry.py": ["entry", "vectors"],
    "p2p/replica.py": TABLE_TESTS,
    "p2p/play.py": TABLE_TESTS,
    "p2p/dealing.py": TABLE_TESTS,
    "p2p/shuffling.py": ["shuffling", *TABLE_TESTS],
    "p2p/reader/log.py": READER_TESTS,
    "p2p/reader/cards.py": READER_TESTS,
    "p2p/reader/game.py": READER_TESTS,
    "p2p/reader/seats.py": READER_TESTS,
    "p2p/reader/rebuilt.py": READER_TESTS,
    "p2p/links/cpace.py": ["cpace"],
    "p2p/links/password.py": ["password"],
}
Edit: TypeAlias = tuple[ast.AST, str]  # A piece of source, and what stands there instead.


@dataclass(frozen=True)
class Mutant:
    """One check taken away: where, what stood there, what stands there now."""

    path: str
    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: `{self.was}` -> `{self.now}`"


# ---- what can be taken away ----


def weaker(node: ast.expr, towards: bool) -> Iterator[Edit]:
    """The ways to make a condition come out as `towards` more often than it should."""
    yield node, str(towards)
    yield from _part_by_part(node, towards)


def _part_by_part(node: ast.expr, towards: bool) -> Iterator[Edit]:
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            yield from _part_by_part(operand, not towards)
        case ast.BoolOp(op, values) if isinstance(op, ast.And) == towards:
            for value in values:
                yield from weaker(value, towards)
        case ast.Compare():
            yield from _looser(node, towards)
            if towards:
                yield from _shorter(node)


def _looser(node: ast.Compare, towards: bool) -> Iterator[Edit]:
    """A chain of comparisons with one boundary moved outwards."""
    moved: dict[type[ast.cmpop], ast.cmpop] = (
        {ast.Lt: ast.LtE(), ast.Gt: ast.GtE()}
        if towards
        else {ast.LtE: ast.Lt(), ast.GtE: ast.Gt()}
    )
    for index, operator in enumerate(node.ops):
        if type(operator) in moved:
            operators = [*node.ops[:index], moved[type(operator)], *node.ops[index + 1 :]]
            looser = ast.Compare(node.left, operators, node.comparators)
            yield node, ast.unparse(looser)


def _shorter(node: ast.Compare) -> Iterator[Edit]:
    """A chain of comparisons without its first or its last part."""
    if len(node.ops) > 1:
        first, *others = node.comparators
        yield node, ast.unparse(ast.Compare(first, node.ops[1:], others))
        yield node, ast.unparse(ast.Compare(node.left, node.ops[:-1], node.comparators[:-1]))


def edits(tree: ast.Module) -> Iterator[Edit]:
    """Everything that can be taken away from a file."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test, [*_, ast.Raise()]):
                yield from weaker(test, towards=False)
            case ast.If(test, [ast.Expr(ast.Call() as call)]) if CHECKING.fullmatch(_name(call)):
                yield from weaker(test, towards=False)
            case ast.While(ast.NamedExpr() | ast.Compare() as test):
                yield from weaker(test, towards=False)
            case ast.match_case(_, ast.expr() as guard, _):
                yield from weaker(guard, towards=True)
            case ast.FunctionDef(returns=ast.Name("bool")):
                yield from _answers(node)
            case ast.Call():
                yield from _unbound(node)
        yield from _dropped(node)


def _answers(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from weaker(node.value, towards=True)
            yield from weaker(node.value, towards=False)


def _dropped(node: ast.AST) -> Iterator[Edit]:
    """Refusals and calls of checks that stand by themselves among the statements of a block."""
    is_refusal = isinstance(node, ast.If)
    for block in ("body", "orelse", "finalbody"):
        statements = getattr(node, block, None)
        for statement in statements if isinstance(statements, list) else []:
            match statement:
                case ast.Raise() if not (is_refusal and block == "body"):
                    yield statement, "pass"
                case ast.Expr(ast.Call() as call) if CHECKING.fullmatch(_name(call)):
                    yield statement, "pass"


def _unbound(call: ast.Call) -> Iterator[Edit]:
    """What is hashed without one of its fields; challenges that do not depend on anything."""
    match _name(call), call.args:
        case "absorb", [_, *values]:
            yield from ((value, _nothing(value)) for value in values)
        case "challenge", [_]:
            yield call, "1"
        case "weights" | "challenges", [*_, count]:
            yield call, f"[1] * ({ast.unparse(count)})"
        case name, arguments if name in HASHING:
            for argument in arguments:
                yield from _fields(argument)


def _fields(argument: ast.expr) -> Iterator[Edit]:
    match argument:
        case ast.List(elements) | ast.Tuple(elements):
            yield from ((element, _nothing(element)) for element in elements)
        case ast.Constant():
            return
        case _:
            yield argument, _nothing(argument)


def _nothing(value: ast.expr) -> str:
    return '*[b""]' if isinstance(value, ast.Starred) else 'b""'


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
    return ""


def mutants(path: str) -> list[Mutant]:
    """Every way to weaken a file, in the order of its lines."""
    text = (ROOT / path).read_text()
    found = {}
    for node, now in edits(ast.parse(text)):
        assert isinstance(node, ast.expr | ast.stmt), "only these have a place in the file"
        mutant = _replace(path, text, node, now)
        if mutant is not None:
            found[mutant.source] = mutant
    return sorted(found.values(), key=lambda mutant: mutant.line)


def _replace(path: str, text: str, node: ast.expr | ast.stmt, now: str) -> Mutant | None:
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    assert node.end_lineno is not None and node.end_col_offset is not None, "it was parsed"
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    was = text.encode()[start:end].decode()
    source = (text.encode()[:start] + now.encode() + text.encode()[end:]).decode()
    if source == text:
        return None
    return Mutant(path, node.lineno, " ".join(was.split())[:70], now[:70], source)


# ---- who notices ----


class Copy:
    """A copy of the tree in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changed = (folder, "")
        for part in PARTS:
            ignored = shutil.ignore_patterns("__pycache__", "__snapshots__")
            shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", folder)

    def change(self, mutant: Mutant) -> None:
        """Put a weaker file in the place of the real one."""
        path = self.folder / mutant.path
        self._changed = (path, path.read_text())
        _write(path, mutant.source)

    def restore(self) -> None:
        """Put the real file back."""
        _write(*self._changed)

    def begin(self, tests: Sequence[str]) -> int:
        """Run tests in a process of their own; its number.  It ends with 0 if they pass."""
        process = os.fork()
        if process == 0:
            signal.alarm(HANGS_AFTER_S)
            os.chdir(self.folder)
            sys.path[0] = str(self.folder)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            os._exit(pytest.main([*PYTEST, *(test for test in tests if Path(test).exists())]))
        return process


def _write(path: Path, source: str) -> None:
    path.write_text(source)
    for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        stale.unlink()  # Two versions of one second and one size would look alike.


def tests_of(path: str) -> list[str]:
    """The tests that have to notice, those most likely to do so first."""
    if path in TESTS_OF:
        return [f"tests/p2p/test_{name}.py" for name in TESTS_OF[path]]
    first = [f"{CARD_TESTS}/test_{Path(path).stem}.py", f"{CARD_TESTS}/test_frozen.py"]
    every = sorted(str(test.relative_to(ROOT)) for test in (ROOT / CARD_TESTS).glob("test_*.py"))
    return [*first, *(test for test in every if test not in first)]


def survivors(found: Sequence[Mutant], tell: Callable[[str], object]) -> list[Mutant]:
    """The mutants that no test notices."""
    with tempfile.TemporaryDirectory(prefix="hostless-mutants-") as folder:
        copies = [Copy(Path(folder, str(index))) for index in range(WORKERS)]
        for copy in copies:  # Both, so that both have their bytecode.
            _check_untouched(copy, sorted({mutant.path for mutant in found}))
        waiting, running = list(reversed(found)), dict[int, tuple[Copy, Mutant]]()
        alive: list[Mutant] = []
        while waiting or running:
            while waiting and copies:
                copy, mutant = copies.pop(), waiting.pop()
                copy.change(mutant)
                running[copy.begin(tests_of(mutant.path))] = (copy, mutant)
            process, status = os.wait()
            copy, mutant = running.pop(process)
            copy.restore()
            copies.append(copy)
            if status == 0:
                alive.append(mutant)
                tell(f"survived  {mutant}")
            if len(waiting) % TELL_EVERY == 0:
                tell(f"{len(waiting)} to go")
    return alive


def _check_untouched(copy: Copy, paths: Sequence[str]) -> None:
    for tests in {tuple(tests_of(path)) for path in paths}:
        copy.begin(tests)
        _, status = os.wait()
        if status != 0:
            sys.exit(f"the tests fail before anything is changed: {' '.join(tests)}")


# ---- the command ----


def default_paths() -> list[str]:
    """The verifiers."""
    cards = sorted((ROOT / "p2p/cards").glob("*.py"))
    paths = [str(path.relative_to(ROOT)) for path in cards if path.stem not in _NO_CHECKS]
    return [*paths, *TESTS_OF]


_NO_CHECKS: Final = ("__init__", "errors", "entropy")


def main() -> int:
    """Take every check away, and print who noticed."""
    asked = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    asked.add_argument("paths", nargs="*", help="files, or FILE:LINE, to weaken; by default all")
    asked.add_argument("--list", action="store_true", help="only say what would be changed")
    options = asked.parse_args()
    found = [mutant for place in options.paths or default_paths() for mutant in _at(place)]
    if options.list:
        print(*found, sep="\n")
        return 0
    began_s = time.monotonic()
    os.environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", HOSTLESS_SEED="1")
    for name in PRELOADED:  # Once, instead of in every process.
        importlib.import_module(name)
    alive = survivors(found, lambda line: print(line, file=sys.stderr))
    print(*_table(found, alive), sep="\n")
    print(f"\n{time.monotonic() - began_s:.0f} s, {WORKERS} at a time")
    return len(alive) > 0


def _at(place: str) -> list[Mutant]:
    """The mutants of a file, or of one line of it."""
    path, _, line = place.partition(":")
    return [mutant for mutant in mutants(path) if not line or mutant.line == int(line)]


def _table(found: Sequence[Mutant], alive: Sequence[Mutant]) -> Iterator[str]:
    yield "| file | checks taken away | noticed | survived |"
    yield "|---|---:|---:|---:|"
    for path in dict.fromkeys(mutant.path for mutant in found):
        yield _row(f"`{path}`", *(sum(each.path == path for each in row) for row in (found, alive)))
    yield _row("**all**", len(found), len(alive))


def _row(name: str, count: int, alive: int) -> str:
    return f"| {name} | {count} | {count - alive} | {alive} |"


if __name__ == "__main__":
    sys.exit(main())
