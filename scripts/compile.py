#!/usr/bin/env python3
"""Compile rules and search with mypyc, from a clone with Python, a C compiler and nothing else.

    python3 scripts/compile.py                  make it, unless it fits the source already
    python3 scripts/compile.py --fingerprint 9  play and think; print what came of it

The result lies in ``.venv/compiled``, in a folder named by a hash of the source, the Python and
the machine.  It is a whole copy of the packages `core` and `ai`, with compiled modules beside
their source.  `play.py` puts it first on the import path when the name fits, so that changed source
never meets an old build, and removing the folder is always safe.  A build is only marked ready
when it plays and thinks exactly as the plain source does.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

# The folder of a script is not searched when PYTHONSAFEPATH is set.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import environment
import one_package

if TYPE_CHECKING:
    from core.game import Game
    from core.table import Table

LIST: Final = "OURS"  # The games of core/games/__init__.py, which are compiled.
MODULES: Final = (
    "core/chance.py",
    "core/engine.py",
    "core/game.py",
    "core/determinization.py",
    "core/requests.py",
    "core/table.py",
    "ai/search/transitions.py",
    "ai/search/rollout.py",
    "ai/search/search.py",
    "ai/search/tree.py",
    "ai/search/knowledge.py",
    "ai/search/softmax.py",
    "ai/search/styles.py",
    "ai/search/score_profile.py",
    "ai/search/by_score.py",
)
_GAME_MODULES: Final = tuple(
    f"{floor}/games/{{}}{rest}" for floor in ("core", "ai") for rest in (".py", "/**/*.py")
)
BUILDS_KEPT: Final = 3  # Programs may still be running from earlier source.
DELAY_S: Final = 15.0  # In the background: first let the program start in peace.
NICENESS: Final = 19
PROOF_GAMES: Final = 48
GAME_CHOICES_MAX: Final = 3000
THOUGHT_STRIDE: Final = 16  # After so many choices search is asked as well, later more seldom:
THOUGHT_GROWTH_PERCENT: Final = 25  # a game of a thousand choices must not take minutes.
THOUGHT_ITERATIONS: Final = 30

# A file for each module: all of them in one file take the C compiler twice the memory.  Without
# optimisation, as in tests, one file takes less time, and 1.4 GB.
_BUILD: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(
    sys.argv[1:], opt_level={level!r}, debug_level="0", multi_file={level!r} != "0",
    group_name={group!r},
)
setup(name="compiled", ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""
# Without them every call from module to module goes by a table of the linker; worth 12 %.
_FLAGS: Final = "-fno-semantic-interposition -fvisibility=hidden"


class CompileError(Exception):
    """The build failed; the text says why, and the plain source goes on working."""


class Program:
    """The program beside which this compiles: it holds the other end of our standard input."""

    def __init__(self) -> None:
        self.has_ended = threading.Event()
        self._compiler: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def wait_beside(self, held: int) -> None:
        """Let it start in peace; from then on what `take_along` was told of ends with it."""
        threading.Thread(target=self._watch, args=[held], daemon=True).start()
        self.has_ended.wait(DELAY_S)

    def take_along(self, compiler: subprocess.Popen[str]) -> None:
        """End this process, too, when the program ends."""
        with self._lock:
            self._compiler = compiler
            if self.has_ended.is_set():
                compiler.kill()

    def _watch(self, held: int) -> None:
        while os.read(held, 1024):
            pass  # It says nothing; the end of the file is its own end, in whatever way.
        with self._lock:
            self.has_ended.set()
            if self._compiler is not None:
                self._compiler.kill()


_program: Final = Program()


def compile_all(python: Path = environment.PYTHON) -> Path:
    """The folder with the build that fits the source, made now if need be.

    Raises:
        CompileError: there is no compiler, or it failed, or its result plays differently.
        SetupError: the compiler for Python cannot be installed.
    """
    folder = environment.COMPILED / environment.source_stamp()
    if (folder / "ready").exists():
        return folder
    if not environment.has_compiler():
        raise CompileError(f"no C compiler, no Python.h, or {environment.PLAIN} is set")
    if python == environment.PYTHON and not folder.exists():
        environment.prepare(("compile",))  # A new environment begins with nothing in its folder.
    environment.COMPILED.mkdir(parents=True, exist_ok=True)
    olds = sorted(environment.COMPILED.iterdir(), key=lambda old: old.stat().st_mtime)
    for old in olds[: -BUILDS_KEPT + 1]:
        shutil.rmtree(old, ignore_errors=True)
    try:
        folder.mkdir()  # That is how others know that it has been tried.
    except FileExistsError:
        raise CompileError(f"it has been tried before; to try again, remove {folder}") from None
    try:
        with tempfile.TemporaryDirectory(dir=environment.COMPILED) as workshop:
            built = Path(workshop) / "built"
            build(built, python)
            for each in built.iterdir():
                each.rename(folder / each.name)
    except CompileError:
        if _program.has_ended.is_set():  # The next start tries it again.
            shutil.rmtree(folder)
        raise
    (folder / "ready").touch()
    return folder


def build(
    target: Path,
    python: Path,
    variables: Mapping[str, str] | None = None,
    beside: Sequence[Path] = (),
    level: str = "3",
) -> None:
    """Put copies of `core` and `ai` with compiled modules into a new folder, and try them out.

    The compiler for Python is found by `python` with these environment variables.  Modules
    `beside` the packages, as somebody's own strategies, are compiled along with the rules: calls
    into the rules are then calls of C functions.  A lower `level` of the C compiler (`-O`) makes
    slower code in less time.

    Raises:
        CompileError: the compiler failed, or its result plays differently.
    """
    for path in environment.compiled_source():
        copy = target / path.relative_to(environment.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for path in beside:
        shutil.copy(path, target)
    found = [*modules(target), *[path.name for path in beside]]
    _compile_in(target, found, Path(__file__), _Tools(python, variables, level=level))


def build_package(package: Path, python: Path, variables: Mapping[str, str]) -> None:
    """Compile rules and search in a folder with the one package of a wheel, and try them out.

    Raises:
        CompileError: the compiler failed, or its result plays differently.
    """
    found = [f"{package.name}/{module}" for module in modules(package)]
    with tempfile.TemporaryDirectory() as folder:
        for path in map(Path, (__file__, environment.__file__, one_package.__file__)):
            text = one_package.inside(path.read_text("utf-8"), path.name)
            (Path(folder) / path.name).write_text(text, "utf-8")
        player = Path(folder) / Path(__file__).name  # This script, for the package.
        _compile_in(package.parent, found, player, _Tools(python, variables, package.name))
    for left in package.rglob("__pycache__"):
        shutil.rmtree(left)


class _Tools(NamedTuple):
    """The Python by which the compiler is found, with these environment variables."""

    python: Path
    variables: Mapping[str, str] | None
    package: str = ""  # The one that the modules lie in.
    level: str = "3"  # Of optimisation.

    @property
    def code(self) -> str:
        """What compiles the modules that it is given."""
        # Modules that are compiled together share a library, which has to lie at the top: by its
        # place mypyc tells a package where its modules are.  So at least its name is ours.
        return _BUILD.format(
            group=f"{self.package}_compiled" if self.package else None, level=self.level
        )

    @property
    def environ(self) -> dict[str, str]:
        """With the flags for the C compiler."""
        chosen = dict(environment.environ() if self.variables is None else self.variables)
        if os.name != "nt":
            chosen["CFLAGS"] = f"{chosen.get('CFLAGS', '')} {_FLAGS}".strip()
        return chosen


def _compile_in(target: Path, found: Sequence[str], player: Path, tools: _Tools) -> None:
    """Compile these modules of a folder, and let the script `player` play with them."""
    python, variables = str(tools.python), tools.environ
    command = [python, "-PB", str(player), "--fingerprint", str(PROOF_GAMES), "--of", str(target)]
    plain = _run(command, target, variables)  # Now, because the source may be changed meanwhile.
    _run([python, "-c", tools.code, *found], target, variables)
    for left in ("build", ".mypy_cache"):
        shutil.rmtree(target / left)
    if _run(command, target, variables) != plain:
        raise CompileError("the compiled rules do not play as the plain ones do")


def modules(folder: Path) -> list[str]:
    """The modules in `folder` that are compiled: those of any game, and those of each of ours."""
    patterns = [pattern.format(game) for game in games(folder) for pattern in _GAME_MODULES]
    found = {path for pattern in patterns for path in folder.glob(pattern)}
    return [*MODULES, *sorted(path.relative_to(folder).as_posix() for path in found)]


def games(folder: Path) -> tuple[str, ...]:
    """The games in `folder` that are compiled, as its registry lists them."""
    text = (folder / "core" / "games" / "__init__.py").read_text("utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == LIST and node.value:
            return tuple(ast.literal_eval(node.value))
    raise CompileError(f"core/games/__init__.py has no {LIST}")


def _run(command: Sequence[str], folder: Path, variables: dict[str, str]) -> str:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=folder, env=variables, stdout=pipe, stderr=pipe, text=True
    ) as compiler:
        _program.take_along(compiler)
        said, complaint = compiler.communicate()
    if _program.has_ended.is_set():
        raise CompileError("the program beside which this was compiled has ended")
    if compiler.returncode:
        raise CompileError((said + complaint).strip()[-1000:])
    return said


def fingerprint(games: int) -> str:
    """A digest over so many random games in all: every offer, table, and decision.

    They are of each that is compiled alike.  The number of decisions is told as well.
    """
    from core.games import OURS

    told, thoughts = hashlib.sha256(), 0
    for place, slug in enumerate(OURS):
        for number, _ in enumerate(range(place, games, len(OURS))):
            thoughts += _tell_game(told.update, slug, number)
    return f"{told.hexdigest()} {thoughts} decisions"


def _tell_game(tell: Callable[[bytes], None], slug: str, number: int) -> int:
    """Play one game at random and tell all that can be seen of it; how often a bot was asked."""
    from core.chance import Chance
    from core.determinization import determinize
    from core.engine import run_until_choice, start
    from core.games import find_game
    from core.requests import Over, Secret

    game, chance, choices, thoughts = find_game(slug), Chance(number), 0, 0
    next_thought = THOUGHT_STRIDE
    seats = game.players[number % len(game.players)]
    options = {
        option.key: option.values[number // place % len(option.values)]
        for place, option in enumerate(game.options, 1)
        if not option.players or seats in option.players
    }
    table = start(game, seats, options)
    deal = determinize(table, table.face, chance)
    pending = run_until_choice(game, table, deal, chance)
    while not isinstance(pending, Over) and choices < GAME_CHOICES_MAX:
        for seat in pending.players if isinstance(pending, Secret) else (pending.player,):
            actions = game.legal_actions(table, seat, deal)
            choices += 1
            if choices == next_thought:
                next_thought += max(THOUGHT_STRIDE, choices * THOUGHT_GROWTH_PERCENT // 100)
                tell(_decision(game, table, deal, seat, choices).encode())
                thoughts += 1
            tell(repr(actions).encode())
            game.apply(table, seat, chance.pick(actions))
        tell(table.digest())
        pending = run_until_choice(game, table, deal, chance)
    if isinstance(pending, Over):
        tell(repr((game.scores(table), game.winners(table))).encode())
    return thoughts


def _decision(game: Game, table: Table, deal: list[int], seat: int, seed: int) -> str:
    """What a bot would do here, and all that it says about it."""
    from ai.games import find_knowledge
    from ai.search.search import search
    from core.determinization import observation_of

    observation, knowledge = observation_of(table, deal, seat), find_knowledge(game)
    thought = search(knowledge, table, observation, seat, seed=seed, iterations=THOUGHT_ITERATIONS)
    return repr(thought)


def read_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """What to do."""
    parser = argparse.ArgumentParser("compile.py", description="Compile rules and search.")
    parser.add_argument("--later", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--fingerprint", type=int, metavar="GAMES", help="play, think, and tell")
    parser.add_argument("--of", type=Path, default=environment.ROOT, metavar="DIR",
                        help="the folder with `core` and `ai`")  # fmt: skip
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Compile, or tell what the rules do."""
    chosen = read_arguments(arguments)
    if chosen.fingerprint:
        sys.path.insert(0, str(chosen.of.resolve()))
        print(fingerprint(chosen.fingerprint))
        return 0
    if chosen.later:
        return compile_beside()
    try:
        print(compile_all())
    except (CompileError, environment.SetupError) as error:
        print(f"Nothing was compiled; the plain source goes on working: {error}", file=sys.stderr)
        return 1
    return 0


def compile_beside() -> int:
    """Compile as long as a program runs, which stands aside for nothing of this."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    _program.wait_beside(sys.stdin.fileno())
    try:
        if not _program.has_ended.is_set():
            compile_all()
    except (CompileError, environment.SetupError):
        return 1
    finally:
        if _program.has_ended.is_set() and os.name != "nt" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # The compilers that the compiler has started.
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
