"""What `bench.py` and `lab.py` have in common: each starts the modules of the folder of its name.

A module with `main(arguments)` is a command.  The others are what commands share, or processes that
a command starts beside itself.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from scripts import environment

FOLDER: Final = Path(__file__).resolve().parent


def run(folder: str, arguments: Sequence[str], compiled: Collection[str] = ()) -> int:
    """Run the command that `arguments` begin with; without one, say what there is.

    Those in `compiled` play with compiled rules and search where these are ready.
    """
    name, *rest = arguments or ["--help"]
    if name in ("-h", "--help"):
        print(overview(folder))
        return 0
    if name not in commands(folder):
        print(f"no {folder} is called {name}; there are {', '.join(commands(folder))}",
              file=sys.stderr)  # fmt: skip
        return 2
    environment.enter(("test",))
    _look_only_here(name in compiled)
    sys.argv = [f"{folder}.py {name}", *rest]  # Which is what the command calls itself.
    code: int = importlib.import_module(f"scripts.{folder}.{name}").main(rest)
    return code


def commands(folder: str) -> dict[str, str]:
    """The commands of a folder and the first line that each says of itself."""
    found = {}
    for path in sorted((FOLDER / folder).glob("*.py")):
        module = ast.parse(path.read_text("utf-8"))
        if any(isinstance(node, ast.FunctionDef) and _is_main(node) for node in module.body):
            found[path.stem] = (ast.get_docstring(module) or "").splitlines()[0]
    return found


def overview(folder: str) -> str:
    """How to start the commands of a folder, and what each is for."""
    said = commands(folder)
    width = max(map(len, said))
    lines = [f"    {name:{width}}  {line}" for name, line in said.items()]
    return "\n".join([f"usage: {folder}.py NAME [...]", "", *lines, "", "NAME --help says more."])


def _is_main(node: ast.FunctionDef) -> bool:
    return node.name == "main" and bool(node.args.args)


def _look_only_here(is_compiled: bool) -> None:
    """Find the packages of this very clone first, and nothing in the folder of the script."""
    build = environment.find_compiled() if is_compiled else None
    sys.path[:] = [str(place) for place in (build, environment.ROOT) if place] + [
        place for place in sys.path if place != str(FOLDER)
    ]
