"""One name, one meaning: no two public classes of a name, no public constant with two values.

Whoever searches the house for a name finds the one thing that it means.  A game is a house of its
own: it may call its zones and counters what other games call theirs, but not what the house does.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("core", "p2p", "ai", "ui")
HOUSE = "the house"
Names = dict[str, list[tuple[str, str, str]]]  # Name -> (whose it is, the file, what it is).

STILL_TWICE = {"Me"}
"""What is left to do; this may only get shorter."""


def game_of(path: Path) -> str:
    """Whose names a file holds: those of one game, or those of the house."""
    parts = path.relative_to(ROOT).parts
    if len(parts) > 2 and parts[1] == "games" and parts[2] != "__init__.py":
        return parts[2].removesuffix(".py")
    return HOUSE


def classes_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The public classes of a module, and its public aliases of types, which are used alike."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                yield name, "a class"
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=ast.expr() as what):
                if ast.unparse(kind) == "TypeAlias":
                    yield name, ast.unparse(what)
            case ast.Assign(targets=[ast.Name(id=name)], value=what):
                if name[0].isupper() and not name.isupper():
                    yield name, ast.unparse(what)


def constants_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The public constants of a module, each with its value as written."""
    for node in tree.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case _:
                continue
        if name.isupper() and len(name) > 1:  # A single letter is a type variable, or mathematics.
            yield name, ast.unparse(value)


def found(kind: str) -> Names:
    """All public names of the house of one kind."""
    names: Names = defaultdict(list)
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            for name, what in (classes_in if kind == "classes" else constants_in)(tree):
                if not name.startswith("_"):
                    where = path.relative_to(ROOT).as_posix()
                    names[name].append((game_of(path), where, what))
    return names


def twice(names: Names) -> dict[str, list[str]]:
    """The names that stand for two things, with the files that say so."""
    return {
        name: [f"{where}: {what[:60]}" for _, where, what in places]
        for name, places in names.items()
        if any(is_clash(one, other) for at, one in enumerate(places) for other in places[:at])
    }


def is_clash(one: tuple[str, str, str], other: tuple[str, str, str]) -> bool:
    """Whether two definitions of one name can meet: two games never do."""
    return one[0] == other[0] or HOUSE in (one[0], other[0])


@pytest.mark.parametrize("kind", ["classes", "constants"])
def test_no_public_name_has_two_meanings(kind: str) -> None:
    left = {name: places for name, places in twice(found(kind)).items() if name not in STILL_TWICE}
    listed = [f"{name}: {'; '.join(places)}" for name, places in sorted(left.items())]
    assert not listed, "\n" + "\n".join(listed)


def test_the_list_of_what_is_left_to_do_only_gets_shorter() -> None:
    left = {*twice(found("classes")), *twice(found("constants"))}
    assert left >= STILL_TWICE, f"take these off the list: {sorted(STILL_TWICE - left)}"


def test_a_name_with_two_meanings_would_be_found() -> None:
    places = [(HOUSE, "core/a.py", "1"), ("carta", "core/games/carta/b.py", "2")]
    assert twice({"SPAM": places}) and not twice({"SPAM": places[:1], "EGGS": places[1:]})
    apart = [("carta", "core/games/carta/a.py", "1"), ("dominion", "ai/games/dominion.py", "2")]
    assert not twice({"SPAM": apart})
    assert [*constants_in(ast.parse("SPAM: Final = 1\nham = 2"))] == [("SPAM", "1")]
