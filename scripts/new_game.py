#!/usr/bin/env python3
"""Begin a new game: writes ``core/games/SLUG.py``, a small game that already works, and lists it.

    python3 scripts/new_game.py SLUG [--name "The Name"]

What it writes passes every check and can be played at once; make it yours from there.  See "How to
add a game" in CONTRIBUTING.md.
"""

from __future__ import annotations

import argparse
import ast
import keyword
import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TEMPLATE: Final = Path(__file__).with_name("new_game_template.txt")
SLUG_CHARACTERS_MAX: Final = 32
LIST: Final = "OURS"  # The games of core/games/__init__.py.


class NewGameError(Exception):
    """The game cannot be begun; the text is one line that says what to do."""


def begin(slug: str, name: str, root: Path = ROOT) -> Path:
    """Write the game and list it; returns its file.

    Raises:
        NewGameError: the slug is not usable or taken, or the list of games cannot be read.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", slug) or keyword.iskeyword(slug):
        raise NewGameError(f"{slug!r} cannot name a game; use small letters, as in crazy_eights.")
    if len(slug) > SLUG_CHARACTERS_MAX:
        raise NewGameError(f"A slug has at most {SLUG_CHARACTERS_MAX} characters.")
    if not name.isprintable() or set(name) & {'"', "\\"}:
        raise NewGameError("A name is printable and has no quotation mark or backslash.")
    games = root / "core" / "games"
    written = games / f"{slug}.py"
    if written.exists() or (games / slug).exists():
        raise NewGameError(f"There is a game called {slug} already; choose another slug.")
    register = games / "__init__.py"
    listed = listing(register.read_text("utf-8"), slug)
    text = TEMPLATE.read_text("utf-8")
    for mark, value in (("@SLUG@", slug), ("@NAME@", name)):
        text = text.replace(mark, value)
    written.write_text(text, "utf-8")
    register.write_text(listed, "utf-8")
    return written


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
    chosen = parser.parse_args(arguments)
    name = chosen.name or chosen.slug.replace("_", " ").title()
    try:
        written = begin(chosen.slug, name)
    except NewGameError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Wrote {written.relative_to(ROOT).as_posix()} and listed it in core/games/__init__.py.")
    print(f"Play it:  python3 scripts/play.py play {chosen.slug}")
    print("Check it: python3 scripts/check.py")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
