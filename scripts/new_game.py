#!/usr/bin/env python3
"""Begin a new game: writes a small one that already works, all of its parts, and lists it.

    python3 scripts/new_game.py SLUG [--name "The Name"] [--seats 2-4] [--package FOLDER]

    core/games/SLUG/        rules, their text, sentences in three languages
    ai/games/SLUG.py        what bots know of it
    ui/games/SLUG.py        how it looks
    tests/core/games/SLUG/  a test for each rule

With `--package` the same files become a package of your own in that folder, which is installed
beside hostless: `SLUG/`, with `bot.py` and `look.py` in it, `tests/` and a `pyproject.toml`.

What it writes passes every check and can be played at once; make it yours from there.  See
docs/guide/add-a-game.md.
"""

from __future__ import annotations

import argparse
import ast
import keyword
import re
import sys
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Not searched with PYTHONSAFEPATH.

from one_package import inside

ROOT: Final = Path(__file__).resolve().parents[1]
TEMPLATE: Final = Path(__file__).with_name("new_game_template.txt")
SLUG_CHARACTERS_MAX: Final = 32
_SEATS_MIN: Final = 2
LIST: Final = "OURS"  # The games of core/games/__init__.py.
PROJECT: Final = """\
[build-system]
requires = ["setuptools>=75"]
build-backend = "setuptools.build_meta"

[project]
name = "@SLUG@"
version = "0.1"
requires-python = ">=3.11"
dependencies = ["hostless"]

[project.entry-points."hostless.games"]
@SLUG@ = "@SLUG@"

[tool.setuptools]
packages = ["@SLUG@"]

[tool.setuptools.package-data]
@SLUG@ = ["locales/*.toml"]
"""
EVERY_CHECK: Final = '''"""What every game must keep."""

from collections.abc import Callable

import pytest

from @SLUG@ import GAME
from hostless.core.game import Game
from hostless.core.testing import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_what_every_game_must(check: Callable[[Game], object]) -> None:
    check(GAME)
'''


class NewGameError(Exception):
    """The game cannot be begun; the text is one line that says what to do."""


def begin(slug: str, name: str, seats: tuple[int, int] = (2, 4), root: Path = ROOT) -> list[Path]:
    """Write the game and list it; returns its files, the rules first.

    Raises:
        NewGameError: the slug is not usable or taken, or the list of games cannot be read.
    """
    check_names(slug, name)
    games = root / "core" / "games"
    if (games / f"{slug}.py").exists() or (games / slug).exists():
        raise NewGameError(f"There is a game called {slug} already; choose another slug.")
    register = games / "__init__.py"
    listed = listing(register.read_text("utf-8"), slug)
    written = _write(root, _files(slug, name, seats))
    register.write_text(listed, "utf-8")
    return written


def begin_package(
    slug: str, name: str, seats: tuple[int, int] = (2, 4), folder: Path = Path()
) -> list[Path]:
    """Write the game as a package of its own into an empty folder; returns its files.

    Raises:
        NewGameError: the slug is not usable, or the folder has something in it.
    """
    check_names(slug, name)
    if (ROOT / "core" / "games" / slug).exists():
        raise NewGameError(f"There is a game called {slug} already; choose another slug.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NewGameError(f"{folder} is no empty folder; choose another one.")
    files = [("pyproject.toml", PROJECT.replace("@SLUG@", slug))]
    for path, text in _files(slug, name, seats):
        if place := _place_in_package(path, slug):
            text = text.replace(f"core.games.{slug}", slug)
            files.append((place, inside(text, path) if path.endswith(".py") else text))
    files.append(("tests/test_checks.py", EVERY_CHECK.replace("@SLUG@", slug)))
    return _write(folder, files)


def _place_in_package(path: str, slug: str) -> str:
    """Where a file of this repository lies in a package of its own; nowhere, if it is empty."""
    places = {
        f"ai/games/{slug}.py": f"{slug}/bot.py", f"ui/games/{slug}.py": f"{slug}/look.py",
        f"tests/core/games/{slug}/__init__.py": "",
        f"tests/core/games/{slug}/test_rules.py": "tests/test_rules.py",
    }  # fmt: skip
    return places.get(path, path.removeprefix("core/games/"))


def check_names(slug: str, name: str) -> None:
    """Make sure that a game can be called so.

    Raises:
        NewGameError: it cannot.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", slug) or keyword.iskeyword(slug):
        raise NewGameError(f"{slug!r} cannot name a game; use small letters, as in crazy_eights.")
    if len(slug) > SLUG_CHARACTERS_MAX:
        raise NewGameError(f"A slug has at most {SLUG_CHARACTERS_MAX} characters.")
    if not name.isprintable() or set(name) & {'"', "\\"}:
        raise NewGameError("A name is printable and has no quotation mark or backslash.")


def _files(slug: str, name: str, seats: tuple[int, int]) -> list[tuple[str, str]]:
    """The files of the template with what its marks stand for."""
    text = TEMPLATE.read_text("utf-8")
    marks = {"SLUG": slug, "NAME": name, "FIRST": str(seats[0]), "LAST": str(seats[1])}
    for mark, value in marks.items():
        text = text.replace(f"@{mark}@", value)
    parts = [part.partition("\n") for part in text.split("@FILE ")[1:]]
    return [(path, content) for path, _, content in parts]


def _write(folder: Path, files: list[tuple[str, str]]) -> list[Path]:
    for path, text in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return [folder / path for path, _ in files]


def seats_of(text: str) -> tuple[int, int]:
    """The smallest and the largest number of seats.

    >>> seats_of("2"), seats_of("2-4")
    ((2, 2), (2, 4))

    Raises:
        NewGameError: it is not such a number, or two of them.
    """
    found = re.fullmatch(r"([1-9])(?:-([1-9]))?", text)
    if not found or not _SEATS_MIN <= int(found[1]) <= int(found[2] or found[1]):
        raise NewGameError(f"{text!r} is not a number of seats from 2 on, as in 2 or 2-4.")
    return int(found[1]), int(found[2] or found[1])


def listing(text: str, slug: str) -> str:
    """The source of core/games/__init__.py with one more game in its list.

    Raises:
        NewGameError: the list is not where this script looks for it.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == LIST:
            known = node.value
            if isinstance(known, ast.Tuple) and known.elts:
                return _inserted(text, known.elts[-1], f', "{slug}"')
    raise NewGameError(f"{LIST} in core/games/__init__.py looks unfamiliar; list the game there.")


def _inserted(text: str, last: ast.expr, words: str) -> str:
    """The text with words behind the last of a list."""
    assert last.end_lineno is not None and last.end_col_offset is not None
    lines = text.splitlines(keepends=True)
    line, column = lines[last.end_lineno - 1].encode(), last.end_col_offset
    lines[last.end_lineno - 1] = (line[:column] + words.encode() + line[column:]).decode()
    return "".join(lines)


def main(arguments: list[str]) -> int:
    """Read the arguments, write the game, say what comes next."""
    parser = argparse.ArgumentParser("new_game.py", description="Begin a new game.")
    parser.add_argument("slug", help="its name on the command line, as in crazy_eights")
    parser.add_argument("--name", help="its name on the screen")
    parser.add_argument("--seats", default="2-4", help="how many play it, as in 2 or 2-4")
    parser.add_argument("--package", type=Path, metavar="FOLDER", help="a package of its own")
    chosen = parser.parse_args(arguments)
    name, folder = chosen.name or chosen.slug.replace("_", " ").title(), chosen.package or ROOT
    try:
        make = partial(begin_package, folder=folder) if chosen.package else begin
        written = make(chosen.slug, name, seats_of(chosen.seats))
    except NewGameError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(["Wrote:", *(f"  {path.relative_to(folder).as_posix()}" for path in written)]))
    tell_package(chosen.slug, folder) if chosen.package else tell(chosen.slug)
    print("The guide: docs/guide/add-a-game.md")
    return 0


def tell_package(slug: str, folder: Path) -> None:
    """Say what comes next for a package."""
    print(f"Install:  python3 -m venv env && env/bin/pip install pytest {ROOT} -e {folder}")
    print(f"Play it:  env/bin/hostless play {slug}")
    print(f"Test it:  env/bin/python -m pytest {folder}")


def tell(slug: str) -> None:
    """Say what comes next for a game of this repository."""
    print("Listed in core/games/__init__.py; what is listed there is compiled with the others.")
    print(f"Play it:  python3 scripts/play.py play {slug}")
    print("Check it: python3 scripts/check.py    (this installs the tools for the next line, too)")
    print(f"Test it:  .venv/bin/python -m pytest tests/test_every_game.py -k {slug}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
