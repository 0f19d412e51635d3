"""The packages core, p2p, ai and ui as they read inside the one package `hostless` of the wheel.

In a clone the four packages stand side by side: ``from core.table import Table``.  Installed, they
lie inside one package: ``from hostless.core.table import Table``.  The only difference is the word
`hostless` before each import, and before each name of a module that is given as text:

    from core.table import Table      import core      import ai.levels as levels
    import_module("p2p.table.node")         import_module(f"ui.commands.{name}")
    [python, "-P", "-m", "ui"]        >>> from core.requests import Action

Lines stay where they are, so a traceback of the installed program fits the source.  A name of a
module anywhere else is refused with a sentence: nobody knows what it is for.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

PACKAGE: Final = "hostless"
ROOTS: Final = ("core", "p2p", "ai", "ui")
FRONT: Final = Path("scripts") / PACKAGE  # What stands at the top of the package.

_ROOT: Final = rf"(?:{'|'.join(ROOTS)})"
_QUOTE: Final = re.compile(rb"[bBfFrRuU]*(?:\"\"\"|'''|\"|')")
_EXAMPLE: Final = re.compile(rf"^\s*(?:>>>|\.\.\.) from (?={_ROOT}[. ])")
_BARE_EXAMPLE: Final = re.compile(rf"^\s*(?:>>>|\.\.\.) import {_ROOT}\b")
_MODULE: Final = re.compile(rf"{_ROOT}(?:\.[a-z_]\w*)+\.?")
_LEFT_OUT: Final = "__pycache__"

Edit: TypeAlias = tuple[int, int, str]  # What to insert, at which line and byte of it.


class UnknownUseError(Exception):
    """The source names a module of ours in a way that is not known here; the text says where."""


def write(clone: Path, target: Path) -> None:
    """Make the folder `target` the package: the front of it, and the four packages inside."""
    for folder, place in ((clone / FRONT, target), *[(clone / r, target / r) for r in ROOTS]):
        for path in sorted(folder.rglob("*")):
            if path.is_dir() or _LEFT_OUT in path.parts or path.name.startswith("."):
                continue
            made = place / path.relative_to(folder)
            made.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".py":
                text = inside(path.read_text("utf-8"), path.relative_to(clone).as_posix())
                made.write_text(text, "utf-8", newline="\n")
            else:
                shutil.copyfile(path, made)


def inside(text: str, name: str) -> str:
    """The source of a module as it reads inside the package; `name` is for complaints.

    >>> inside("from core.table import Table", "a.py")
    'from hostless.core.table import Table'

    Raises:
        UnknownUseError: a module of ours is named where it is not clear what for.
    """
    nodes, lines = list(ast.walk(ast.parse(text, name))), text.encode().split(b"\n")
    try:
        edits = {*_imports(nodes, lines), *_texts(nodes, lines), *_examples(nodes, lines)}
    except UnknownUseError as error:
        raise UnknownUseError(f"{name}, {error}") from None
    for line, column, word in sorted(edits, reverse=True):
        before = lines[line - 1]
        lines[line - 1] = before[:column] + word.encode() + before[column:]
    return b"\n".join(lines).decode()


def _is_ours(module: str | None) -> bool:
    return module is not None and module.split(".")[0] in ROOTS


def _imports(nodes: Sequence[ast.AST], lines: list[bytes]) -> Iterator[Edit]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module):
            start = lines[node.lineno - 1].index(b"from ", node.col_offset) + len("from ")
            yield node.lineno, start, f"{PACKAGE}."
        elif isinstance(node, ast.Import):
            yield from _plain_imports(node)


def _plain_imports(node: ast.Import) -> Iterator[Edit]:
    for alias in node.names:
        if not _is_ours(alias.name):
            continue
        if alias.asname:
            yield alias.lineno, alias.col_offset, f"{PACKAGE}."
        elif len(node.names) == 1 and alias.name in ROOTS:
            yield node.lineno, node.col_offset, f"from {PACKAGE} "
        else:
            raise UnknownUseError(f"line {node.lineno}: write `from {alias.name} import ...`")


def _texts(nodes: Sequence[ast.AST], lines: list[bytes]) -> Iterator[Edit]:
    """Names of modules in what imports them by name, and in commands with ``-m``."""
    known = set[int]()
    for node in nodes:
        for part in _named_modules(node):
            first = part.values[0] if isinstance(part, ast.JoinedStr) else part
            if isinstance(first, ast.Constant) and _is_ours(str(first.value)):
                known.add(id(first))
                # In an f-string only the place of the whole is told alike by every Python.
                quote = _QUOTE.match(lines[part.lineno - 1], part.col_offset)
                assert quote, "A text begins with a quote."
                yield part.lineno, quote.end(), f"{PACKAGE}."
    for node in nodes:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in known and _MODULE.fullmatch(node.value):
            raise UnknownUseError(f"line {node.lineno}: what is {node.value!r} for?")


def _named_modules(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and node.args:
        called = _last_name(node.func)
        if called in ("import_module", "find_spec"):
            yield node.args[0]
        elif called == "run_sync" and ast.unparse(node.args[0]) == "import_module":
            yield node.args[1]
    elif isinstance(node, ast.List | ast.Tuple):
        for before, part in zip(node.elts, node.elts[1:], strict=False):
            if isinstance(before, ast.Constant) and before.value == "-m":
                yield part


def _last_name(node: ast.expr) -> str:
    """What is called: `b` of `a.b`, and nothing where no name stands last."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _examples(nodes: Sequence[ast.AST], lines: list[bytes]) -> Iterator[Edit]:
    """Imports in the examples of docstrings."""
    for node in nodes:
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
            continue
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            text = lines[number - 1].decode()
            if found := _EXAMPLE.match(text):
                yield number, len(text[: found.end()].encode()), f"{PACKAGE}."
            elif _BARE_EXAMPLE.match(text):
                raise UnknownUseError(f"line {number}: write `>>> from ... import ...`")
