"""Would anybody notice?  Takes one check at a time out of the verifiers and runs their tests.

    lab.py mutate                        all, as a table for docs/lab/mutation.md
    lab.py mutate p2p/crypto/keys.py     one file
    lab.py mutate p2p/log/replica.py:213     one line
    lab.py mutate --list p2p/base/entry.py    only say what would be changed

A verifier that forgets a check still accepts every honest proof, so no game played by friends ever
finds out.  Here every refusal is made impossible in turn, every guard loosened, every value that
is hashed left out, in a process of its own; the tests of that file have to fail each time.  What
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
import gc
import importlib
import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias

import pytest

from scripts import environment
from scripts.lab.reached import Reached

ROOT: Final = environment.ROOT
HANGS_AFTER_S: Final = 300  # A changed verifier may wait for ever; that is noticed, too.
TELL_EVERY: Final = 20
CANNOT_RUN: Final = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
AT_FIRST: Final = 12  # So many tests, before all others that reach a line are collected.
PYTEST: Final = (
    *("-x", "-q", "--no-header", "--tb=no"),
    *("-p", "pytest_trio.plugin", "-p", "no:cacheprovider"),
)
CARD_TESTS: Final = "tests/p2p/crypto"
CHECKING: Final = re.compile(r"_?(check|verify|refuse|oblige|owe|settle)_?\w*")
HASHING: Final = {"encode", "hash_bytes", "join", "hash_to_point", "sha256", "frame"}
TABLE_TESTS: Final = [
    *("every_entry", "vectors", "dealing", "replica", "cheaters"),
]
TESTS_OF: Final = {
    "p2p/crypto/commitments.py": ["commitments", "vectors"],
    "p2p/base/entry.py": ["entry", "vectors"],
    "p2p/game/game_keys.py": TABLE_TESTS,
    "p2p/log/acks.py": ["relaying", *TABLE_TESTS],
    "p2p/log/entries.py": ["void_choices", "changing_hands", *TABLE_TESTS],
    "p2p/log/replica.py": ["changing_hands", *TABLE_TESTS],
    "p2p/log/script_runner.py": ["changing_hands", "said_again", "rebuilding"],
    "p2p/game/script.py": ["void_choices", *TABLE_TESTS],
    "p2p/game/dealing.py": TABLE_TESTS,
    "p2p/game/shuffling.py": ["shuffling", *TABLE_TESTS],
    "p2p/audit/seats.py": ["reader_lost", "reader_seats", "returning"],
    "p2p/audit/cards.py": ["reader_lost", "reader", "returning"],
    "p2p/audit/game.py": ["reader_lost", "reader_seats", "reader", "opened", "void_choices"],
    "p2p/audit/findings.py": ["claim", "opened"],
    "p2p/audit/log.py": ["reader_lost", "reader_seats", "reader"],
    "p2p/audit/rebuilt.py": ["reader_lost", "rebuilding"],
    "p2p/log/claim.py": ["claim"],
    "p2p/game/rebuilding.py": ["reader_lost", "rebuilding"],
    "p2p/log/membership_change.py": ["changing_hands", "returning", "catching_up", "reader_lost"],
    "p2p/table/mesh.py": ["mesh"],
    "p2p/session/accusing.py": ["accusing"],
    "p2p/crypto/cpace.py": ["cpace"],
    "p2p/net/password.py": ["password"],
}
Edit: TypeAlias = tuple[ast.AST, str]  # A piece of source, and what stands there instead.


@dataclass(frozen=True)
class Mutant:
    """One check taken away: where, what stood there, what stands there now."""

    path: str
    line: int
    end: int  # The last line of what stood there.
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
    match value:
        case ast.Starred():
            return '*[b""]'
        case ast.GeneratorExp():  # Its brackets may be those of the call.
            return '(b"")'
    return 'b""'


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
    if source == text or not _is_python(source):  # Nobody knows places in f-strings.
        return None
    return Mutant(path, node.lineno, node.end_lineno, " ".join(was.split())[:70], now[:70], source)


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


# ---- who notices ----


def weaken(mutant: Mutant) -> None:
    """Let every function of a file that is imported do what it does in the weaker one."""
    path = str(ROOT / mutant.path)
    weaker = {code.co_qualname: code for code in _codes(compile(mutant.source, path, "exec"))}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == path:
            each.__code__ = weaker[each.__code__.co_qualname]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def begin(run: Callable[[], int]) -> int:
    """Run this in a process of its own; its number.  It ends with what is returned."""
    process = os.fork()
    if process == 0:
        signal.alarm(HANGS_AFTER_S)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os._exit(run())
    return process


def try_out(mutant: Mutant, tests: Sequence[str]) -> int:
    """Run tests with a weaker file; 0 if they pass."""
    weaken(mutant)
    for part in (tests[:AT_FIRST], tests[AT_FIRST:]):
        if part and (status := pytest.main([*PYTEST, *part])):
            return int(status)
    return 0


def _test_called(name: str) -> str:
    (found,) = (ROOT / "tests/p2p").rglob(f"test_{name}.py")
    return str(found.relative_to(ROOT))


def tests_of(path: str) -> list[str]:
    """The tests that have to notice, those most likely to do so first."""
    if path in TESTS_OF:
        return [_test_called(name) for name in TESTS_OF[path]]
    first = [f"{CARD_TESTS}/test_{Path(path).stem}.py", f"{CARD_TESTS}/test_frozen.py"]
    every = sorted(str(test.relative_to(ROOT)) for test in (ROOT / CARD_TESTS).glob("test_*.py"))
    return [*first, *(test for test in every if test not in first)]


def survivors(found: Sequence[Mutant], jobs: int, tell: Callable[[str], object]) -> list[Mutant]:
    """The mutants that no test notices, looked for in so many processes at a time."""
    reached = watch(list(dict.fromkeys(mutant.path for mutant in found)))
    waiting, running = list(reversed(found)), dict[int, Mutant]()
    alive: list[Mutant] = []
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            tests = reached[mutant.path].tests_for(mutant.path, mutant.line, mutant.end)
            running[begin(partial(try_out, mutant, tests))] = mutant
        process, status = os.wait()
        mutant, code = running.pop(process), os.waitstatus_to_exitcode(status)
        if code in CANNOT_RUN:
            sys.exit(f"pytest does not find the tests for {mutant}")
        if code == 0:
            alive.append(mutant)
            tell(f"survived  {mutant}")
        if len(waiting) % TELL_EVERY == 0:
            tell(f"{len(waiting)} to go")
    return alive


def watch(paths: Sequence[str]) -> dict[str, Reached]:
    """Import files and their tests, once for all processes; which test reaches what of them."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for path in paths:
        groups.setdefault(tuple(tests_of(path)), []).append(path)
    for each in [*paths, *(test for tests in groups for test in tests)]:
        importlib.import_module(each.removesuffix(".py").replace("/", "."))
    reached = dict[str, Any]()
    for tests, group in groups.items():
        reached |= dict.fromkeys(group, _watch(group, tests))
    return reached


def _watch(paths: Sequence[str], tests: Sequence[str]) -> Reached:
    reached = Reached(paths)
    with tempfile.NamedTemporaryFile() as file:

        def run() -> int:
            status = pytest.main([*PYTEST, *tests], plugins=[reached])
            Path(file.name).write_text(json.dumps(reached.tests))
            return int(status)

        begin(run)
        _, status = os.wait()
        if status != 0:
            sys.exit(f"the tests fail before anything is changed: {' '.join(tests)}")
        reached.tests = json.loads(Path(file.name).read_text())
    return reached


# ---- the command ----


def default_paths() -> list[str]:
    """The verifiers."""
    cards = sorted((ROOT / "p2p/crypto").glob("*.py"))
    paths = [str(path.relative_to(ROOT)) for path in cards if path.stem not in _NO_CHECKS]
    return [*paths, *TESTS_OF]


_NO_CHECKS: Final = ("__init__", "errors", "entropy")


def main(arguments: list[str]) -> int:
    """Take every check away, and print who noticed."""
    asked = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    asked.add_argument("paths", nargs="*", help="files, or FILE:LINE, to weaken; by default all")
    asked.add_argument("--list", action="store_true", help="only say what would be changed")
    asked.add_argument("--jobs", type=int, default=2, help="how many at a time")
    options = asked.parse_args(arguments)
    found = [mutant for place in options.paths or default_paths() for mutant in _at(place)]
    if options.list:
        print(*found, sep="\n")
        return 0
    began_s = time.monotonic()
    os.environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", HOSTLESS_SEED="1")
    os.chdir(ROOT)
    alive = survivors(found, options.jobs, lambda line: print(line, file=sys.stderr))
    print(*_table(found, alive), sep="\n")
    print(f"\n{time.monotonic() - began_s:.0f} s, {options.jobs} at a time")
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
