"""The style guide as functions: each rule takes a file and says which lines break it, and how.

Sizes keep every part readable in one look; names keep one word for one thing.  What ruff, mypy and
import-linter can check is theirs (see pyproject.toml); here is what they cannot.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, TypeAlias

FILE_LINES_MAX: Final = 500
FUNCTION_LINES_MAX: Final = 60
LINE_COLUMNS_MAX: Final = 100
PARAMETERS_MAX: Final = 5  # That can be given by position, the object itself not counted.
PARAMETERS_ALL_MAX: Final = 8  # With those that must be named.
NESTING_MAX: Final = 4
TEST_WORDS_MIN: Final = 3

PACKAGES: Final = ("core", "p2p", "ai", "ui")
_EMPTY_WORDS: Final = {"manager", "helper", "helpers", "handler", "util", "utils", "data", "info"}
_ROLES: Final = {"manager", "helper", "handler", "util", "utils"}
_SOMEBODYS_PATH: Final = re.compile(r"(?<![\w.$~}])/(?:home|root|Users|work)/[\w.]+")
_UNOWNED: Final = re.compile(r"\b[T]ODO\b|\b[F]IXME\b")  # Bracketed, not to find itself.
_BARE_IGNORE: Final = re.compile(r"#\s*type:\s*ignore(?!\[)")

_OF_A_DICT: Final = re.compile(r"^self\..*\.(items|values|keys)\(\)$")
_WAITS: Final = (ast.Await, ast.AsyncWith, ast.AsyncFor)

_FAILING_CALLS: Final = {
    *("pytest.raises", "pytest.RaisesGroup", "pytest.warns", "pytest.fail"),
    "run_state_machine_as_test",
}
_FAILING_PREFIXES: Final = ("check_", "verify_")  # Such functions return None or raise.

_SLEEP: Final = "time.sleep"
_SKIPS: Final = ("pytest.skip", "pytest.mark.skip", "pytest.mark.skipif", "pytest.importorskip")
_ENDS_OF_IDLE: Final = {name.rpartition(".")[2] for name in (_SLEEP, *_SKIPS)}

Complaint: TypeAlias = tuple[int, str]  # The line, and a sentence.
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_NESTS: Final = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith),
    *(ast.Try, ast.TryStar, ast.Match),
)


@dataclass(frozen=True)
class Source:
    """One file under examination; `path` is relative to the repository, with slashes."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of it, in no order that matters: several rules look at each."""
        return tuple(ast.walk(self.tree))

    @property
    def is_test(self) -> bool:
        """Whether it holds tests."""
        return PurePosixPath(self.path).name.startswith("test_")

    @property
    def is_packaged(self) -> bool:
        """Whether it is part of the program, whose public names are documented."""
        return PurePosixPath(self.path).parts[0] in PACKAGES


def functions(source: Source) -> Iterator[Function]:
    """Every function and method of the file, also those inside others."""
    for node in source.nodes:
        if isinstance(node, Function):
            yield node


def files_are_short(source: Source) -> Iterator[Complaint]:
    """A file fits a head."""
    count = len(source.text.splitlines())
    if count > FILE_LINES_MAX:
        yield FILE_LINES_MAX, f"The file has {count} lines; {FILE_LINES_MAX} are allowed."


def lines_are_short(source: Source) -> Iterator[Complaint]:
    """Two files fit side by side."""
    for line, text in enumerate(source.text.splitlines(), 1):
        if len(text) > LINE_COLUMNS_MAX:
            yield line, f"The line has {len(text)} columns; {LINE_COLUMNS_MAX} are allowed."


def functions_are_short(source: Source) -> Iterator[Complaint]:
    """A function fits a screen; its docstring does not count."""
    for function in functions(source):
        first = function.body[0]
        start = function.lineno
        if ast.get_docstring(function, clean=False) is not None:
            start += (first.end_lineno or first.lineno) - first.lineno + 1
        count = (function.end_lineno or start) - start + 1
        if count > FUNCTION_LINES_MAX:
            yield (
                function.lineno,
                f"{function.name}() has {count} lines; {FUNCTION_LINES_MAX} are allowed.",
            )


def parameters_are_few(source: Source) -> Iterator[Complaint]:
    """A call can be read without its declaration."""
    for function in functions(source):
        taken = function.args
        places = [*taken.posonlyargs, *taken.args]
        if places and places[0].arg in {"self", "cls"}:
            del places[0]
        if len(places) > PARAMETERS_MAX:
            yield (
                function.lineno,
                f"{function.name}() takes {len(places)} parameters; {PARAMETERS_MAX} are allowed.",
            )
        elif len(places) + len(taken.kwonlyargs) > PARAMETERS_ALL_MAX:
            yield (
                function.lineno,
                f"{function.name}() takes more than {PARAMETERS_ALL_MAX} parameters in all.",
            )


def nesting_is_flat(source: Source) -> Iterator[Complaint]:
    """The reader holds few conditions at once; an `elif` is beside its `if`, not inside it."""

    def walk(node: ast.AST, depth: int) -> Iterator[Complaint]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue  # No statement is inside one.
            deeper = depth
            if isinstance(child, Function | ast.ClassDef):
                deeper = 0
            elif isinstance(child, _NESTS) and not _is_elif(node, child):
                deeper += 1
                if deeper > NESTING_MAX:
                    yield child.lineno, f"Nested {deeper} deep; {NESTING_MAX} are allowed."
            yield from walk(child, deeper)

    yield from walk(source.tree, 0)


def _is_elif(parent: ast.AST, child: ast.AST) -> bool:
    return isinstance(parent, ast.If) and isinstance(child, ast.If) and parent.orelse == [child]


def modules_say_what_they_are(source: Source) -> Iterator[Complaint]:
    """Every module opens with a docstring; an empty file has nothing to say."""
    if source.text.strip() and not ast.get_docstring(source.tree):
        yield 1, "The module does not open with a docstring."


def public_names_are_documented(source: Source) -> Iterator[Complaint]:
    """Public classes, functions and methods of the program say what they are or give."""
    if not source.is_packaged:
        return

    def walk(body: list[ast.stmt], inside: str) -> Iterator[Complaint]:
        for node in body:
            if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
                continue
            if not ast.get_docstring(node) and not _is_marked(node, "overload", "override"):
                yield node.lineno, f"{inside}{node.name} has no docstring."
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{node.name}.")

    yield from walk(source.tree.body, "")


def _is_marked(node: Function | ast.ClassDef, *marks: str) -> bool:
    return any(ast.unparse(mark).split(".")[-1] in marks for mark in node.decorator_list)


def files_have_telling_names(source: Source) -> Iterator[Complaint]:
    """A file is named after what it holds."""
    words = set(PurePosixPath(source.path).stem.split("_"))
    if words & {"util", "utils", "helper", "helpers", "misc", "common"}:
        yield 1, f"{source.path} is named after nothing; name it after what it holds."


def names_say_something(source: Source) -> Iterator[Complaint]:
    """No class or function is a manager, no variable is data."""
    for node in source.nodes:
        if isinstance(node, Function | ast.ClassDef):
            name, empty = node.name, _words(node.name) & _ROLES | {node.name} & _EMPTY_WORDS
        elif isinstance(node, ast.arg):
            name, empty = node.arg, {node.arg} & _EMPTY_WORDS
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name, empty = node.id, {node.id.strip("_").lower()} & _EMPTY_WORDS
        else:
            continue
        if empty:
            yield node.lineno, f"The name {name} says nothing; say what it is."


def _words(name: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return {word.lower() for word in spaced.split("_") if word}


def failures_are_not_swallowed(source: Source) -> Iterator[Complaint]:
    """No bare except, and no broad one that goes on in silence."""
    for node in source.nodes:
        if not isinstance(node, ast.ExceptHandler):
            continue
        if node.type is None:
            yield node.lineno, "A bare except hides every bug; name what may happen."
        elif ast.unparse(node.type) in {"Exception", "BaseException"} and not _does(node):
            yield node.lineno, "A broad except that does nothing hides every bug."


def _does(clause: ast.ExceptHandler) -> bool:
    return not all(isinstance(step, ast.Pass | ast.Continue) for step in clause.body)


def nothing_is_left_for_later(source: Source) -> Iterator[Complaint]:
    """What is to be done is in an issue, not in the source; an ignored error names its code."""
    for line, text in enumerate(source.text.splitlines(), 1):
        if _UNOWNED.search(text):
            yield line, "A note for later belongs in an issue."
        if _BARE_IGNORE.search(text):
            yield line, "An ignored type error names its code: type: ignore[code]."


def nobodys_machine_is_mentioned(source: Source) -> Iterator[Complaint]:
    """No path of somebody's own machine, in code or in documents."""
    for line, text in enumerate(source.text.splitlines(), 1):
        for found in _SOMEBODYS_PATH.findall(text):
            yield line, f"{found} exists on one machine only."


def who_waits_goes_through_a_copy(source: Source) -> Iterator[Complaint]:
    """While a loop waits, another task may change what it goes through, and the loop would fail."""
    if not source.is_packaged:
        return
    loops = (each for function in functions(source) if isinstance(function, ast.AsyncFunctionDef)
             for each in ast.walk(function) if isinstance(each, ast.For))  # fmt: skip
    for loop in loops:
        waits = any(isinstance(node, _WAITS) for part in loop.body for node in ast.walk(part))
        if waits and _OF_A_DICT.search(ast.unparse(loop.iter)):
            yield loop.lineno, "Go through a list of it: another task may change it meanwhile."


def tests_can_fail(source: Source) -> Iterator[Complaint]:
    """Every test asserts something, and says in its name what."""
    if not source.is_test:
        return
    for function in functions(source):
        if not function.name.startswith("test_"):
            continue
        if not any(_can_fail(node) for node in ast.walk(function)):
            yield function.lineno, f"{function.name} asserts nothing and cannot fail."
        if len(function.name.split("_")) - 1 < TEST_WORDS_MIN:
            yield function.lineno, f"{function.name} is not a sentence about behaviour."


def _can_fail(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    return called in _FAILING_CALLS or called.split(".")[-1].startswith(_FAILING_PREFIXES)


def tests_neither_sleep_nor_skip(source: Source) -> Iterator[Complaint]:
    """Time in tests is a virtual clock, and what cannot run here is checked another way."""
    if not source.is_test:
        return
    for node in source.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in _ENDS_OF_IDLE:
            continue
        name = ast.unparse(node)
        if name == _SLEEP:
            yield node.lineno, "Tests do not sleep; use a clock that can be turned."
        if name in _SKIPS:
            yield node.lineno, "A skipped test checks nothing; check it another way."


Rule: TypeAlias = Callable[[Source], Iterator[Complaint]]
RULES: Final[tuple[Rule, ...]] = (
    files_are_short,
    lines_are_short,
    functions_are_short,
    parameters_are_few,
    nesting_is_flat,
    modules_say_what_they_are,
    public_names_are_documented,
    files_have_telling_names,
    names_say_something,
    failures_are_not_swallowed,
    nothing_is_left_for_later,
    nobodys_machine_is_mentioned,
    who_waits_goes_through_a_copy,
    tests_can_fail,
    tests_neither_sleep_nor_skip,
)
DOCUMENT_RULES: Final[tuple[Rule, ...]] = (nobodys_machine_is_mentioned,)


def complaints(source: Source) -> list[str]:
    """Every broken rule of one file as ``file:line: sentence``."""
    rules = RULES if source.path.endswith(".py") else DOCUMENT_RULES
    return [f"{source.path}:{line}: {says}" for rule in rules for line, says in rule(source)]
