"""Compiled rules and search: the same as the plain ones, and never older than the source."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from core.games import OURS
from scripts import compile as compiling
from scripts import wheel

environment = compiling.environment
ROOT = Path(__file__).resolve().parents[1]
STRATEGIES = ROOT / "scripts" / "bench" / "money.py"
SCRIPT = ROOT / "scripts" / "compile.py"
GAMES = 8  # Two of each.
TOLD = "told.txt"  # What the compiled rules did at last, beside the build.
CAN_COMPILE = environment.has_compiler() and all(
    importlib.util.find_spec(name) for name in ("mypyc", "setuptools")
)
OTHER_PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


def told_by(python: str, games: int, folder: Path = ROOT) -> str:
    """The fingerprint of the rules in a folder."""
    command = [python, "-P", str(SCRIPT), "--fingerprint", str(games), "--of", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def printed(code: str, *paths: Path) -> str:
    """What some code prints that finds modules in `paths`, the first of them first."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def pythons() -> list[str]:
    """One of every other version that is on the path or was put there by pyenv."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(name) for name in OTHER_PYTHONS]
    found += [str(path) for name in OTHER_PYTHONS for path in versions.glob(f"*/bin/{name}")]
    runs = {version_of(python): python for python in found if python}
    return [python for version, python in runs.items() if version not in ("", sys.version)]


def version_of(python: str) -> str:
    """Empty where it does not start: pyenv leaves names on the path that do not."""
    command = [python, "-c", "import sys; print(sys.version)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.removesuffix("\n")


@pytest.mark.slow
def test_every_python_at_hand_plays_and_thinks_the_same() -> None:
    expected, others = told_by(sys.executable, len(OURS)), pythons()
    assert [told_by(python, len(OURS)) for python in others] == [expected] * len(others)


if CAN_COMPILE:  # Elsewhere there is nothing to be tested.

    @pytest.fixture(scope="module")
    def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
        """Rules and search, compiled from the source as it is."""
        folder = tmp_path_factory.mktemp("compiled") / "built"
        run, told = compiling._run, folder.parent / TOLD

        def noted(command: list[str], place: Path, variables: dict[str, str]) -> str:
            said = run(command, place, variables)
            if "--fingerprint" in command:
                told.write_text(said, "utf-8")
            return said

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiling, "PROOF_GAMES", GAMES)
            patch.setattr(compiling, "_run", noted)
            compiling.build(folder, Path(sys.executable), beside=[STRATEGIES], level="0")
        return folder

    @pytest.mark.slow
    def test_compiled_code_takes_the_same_decisions(built: Path) -> None:
        """Or nothing would have been built, as the next test shows; here it has to be enough."""
        assert int((built.parent / TOLD).read_text("utf-8").split()[1]) >= 90

    @pytest.mark.slow
    def test_a_build_that_plays_otherwise_is_refused(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        player = tmp_path / "player.py"  # Of the plain source, and then of what was compiled.
        code = "import sys; sys.path.insert(0, sys.argv[-1]); import dice; print(dice.__file__)"
        player.write_text(code, "utf-8")
        monkeypatch.setattr(compiling, "__file__", str(player))
        monkeypatch.setattr(environment, "compiled_source", list)
        monkeypatch.setattr(compiling, "modules", lambda _: [])
        dice, target = tmp_path / "dice.py", tmp_path / "built"
        dice.write_text("SIDES: int = 6\n", "utf-8")
        target.mkdir()
        with pytest.raises(compiling.CompileError, match="do not play as the plain ones do"):
            compiling.build(target, Path(sys.executable), beside=[dice], level="0")

    @pytest.mark.slow
    def test_the_tests_of_rules_and_search_hold_for_compiled_code(built: Path) -> None:
        search = ("search", "by_score", "racing", "explain")  # Not what starts programs.
        tests = ["tests/core", "tests/ai/games", "tests/test_every_game.py"]
        tests += [f"tests/ai/test_{name}.py" for name in search]
        paths = f"pythonpath={built} {ROOT}"
        marks = "not slow and not long"  # Those are run as they are written.
        command = [sys.executable, "-m", "pytest", "-q", "-o", paths, "-m", marks]
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider", *tests],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-3000:]

    @pytest.mark.slow
    def test_strategies_are_compiled_along_with_the_rules_and_play_the_same(built: Path) -> None:
        code = (
            "import money\n"
            "ours = money.Ours((money.STRATEGIES['chapel'], money.STRATEGIES['ultimate']))\n"
            "print(money.__file__, *[ours.play(seed) for seed in range(20)], sep=';')"
        )
        plain, compiled = printed(code, STRATEGIES.parent, ROOT), printed(code, built)
        assert compiled.split(";")[1:] == plain.split(";")[1:]
        assert not compiled.split(";")[0].endswith(".py")

    @pytest.mark.slow
    def test_a_game_and_a_bot_in_plain_python_play_with_the_compiled_engine(built: Path) -> None:
        """As those of another package do: nothing of them is compiled."""
        code = (
            "import core.engine\n"
            "from ai.search.knowledge import Knowledge\n"
            "from ai.search.search import search\n"
            "from core.determinization import observation_of\n"
            "from core.testing.worlds import OpenGame\n"
            "from tests.guide import LOW_HAND\n"
            "class Patient(Knowledge):\n"
            "    rollout_choices_max, expansion_visits = 7, 9\n"
            "    def policy(self, table, player, observation):\n"
            "        return self.game.legal_actions(table, player, observation)[0]\n"
            "world, told = OpenGame(LOW_HAND, 2, {}, 3), []\n"
            "for pending in world.play():\n"
            "    seen = observation_of(world.table, world.deal, pending.player)\n"
            "    found = search(Patient(LOW_HAND), world.table, seen, pending.player, seed=1,\n"
            "                   iterations=20)\n"
            "    told.append((found, LOW_HAND.describe(world.table, found.action, seen)))\n"
            "print(core.engine.__file__, told, LOW_HAND.scores(world.table), sep=';')"
        )
        plain, compiled = printed(code, ROOT), printed(code, built, ROOT)
        assert compiled.split(";")[1:] == plain.split(";")[1:]
        assert not compiled.split(";")[0].endswith(".py")

    @pytest.mark.slow
    def test_modules_beside_the_compiled_ones_are_those_of_the_build(built: Path) -> None:
        code = "import core.table, core.view; print(core.table.__file__, core.view.__file__)"
        table, view = printed(code, built, ROOT).split()
        assert not table.endswith(".py")
        assert Path(view) == built / "core" / "view.py"

    @pytest.mark.slow
    def test_the_wheel_of_a_release_carries_compiled_modules(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        few = ["core/chance.py", "core/table.py", "ai/search/knowledge.py"]  # All take minutes.
        monkeypatch.setattr(wheel.compiling, "modules", lambda _: few)
        monkeypatch.setattr(wheel.compiling, "PROOF_GAMES", 1)  # Of the build above it is eight.
        monkeypatch.setenv(wheel.COMPILED, "1")
        (made,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
        assert not made.endswith("-none-any.whl")
        with zipfile.ZipFile(made) as archive:
            archive.extractall(tmp_path)
        tops = {re.split("[-.]", path.name)[0] for path in tmp_path.iterdir()}
        assert tops == {"hostless", "hostless_compiled__mypyc"}
        code = "import hostless.core.table as table, hostless.ai.games\n"
        code += "print(table.__file__, table.Table.__module__)"
        file, module = printed(code, tmp_path).split()
        assert Path(file).is_relative_to(tmp_path / "hostless" / "core")
        assert Path(file).suffix in (".so", ".pyd")
        assert module == "hostless.core.table"


def hook_of(folder: Path) -> wheel.CustomBuildHook:
    """The build hook, as hatchling makes it for a wheel that it will put into `folder`."""
    return wheel.CustomBuildHook(str(ROOT), {}, None, None, str(folder), "wheel")


def test_the_build_of_a_release_fails_when_the_compiler_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise wheel.compiling.CompileError("cc1 is out of memory")

    hook, temporary = hook_of(tmp_path), tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(wheel.tempfile, "tempdir", str(temporary))
    monkeypatch.setenv(wheel.COMPILED, "1")
    monkeypatch.setattr(wheel.compiling, "build_package", fail)
    with pytest.raises(wheel.compiling.CompileError, match="out of memory"):
        hook.initialize("standard", {"force_include": {}})
    assert list(temporary.iterdir()) == []


def test_a_build_asks_for_the_compiler_of_python_only_for_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = hook_of(tmp_path)
    monkeypatch.delenv(wheel.COMPILED, raising=False)
    assert hook.dependencies() == []
    monkeypatch.setenv(wheel.COMPILED, "1")
    assert any(line.startswith("mypy") for line in hook.dependencies())


def test_the_registry_decides_which_games_are_compiled() -> None:
    assert compiling.games(ROOT) == OURS
    found = compiling.modules(ROOT)
    assert {f"core/games/{slug}/__init__.py" for slug in OURS} <= set(found)


# ---- which build is used ----


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of two files with a build that fits it."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "COMPILED", tmp_path / ".venv" / "compiled")
    monkeypatch.setattr(environment, "_COMPILER", tmp_path / "scripts" / "compile.py")
    monkeypatch.delenv(environment.PLAIN, raising=False)
    for name in ("core/table.py", "ai/search/search.py", "scripts/compile.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n", "utf-8")
    folder = environment.COMPILED / environment.source_stamp()
    folder.mkdir(parents=True)
    (folder / "ready").touch()
    return tmp_path


def test_a_build_that_fits_the_source_is_used(clone: Path) -> None:
    folder = environment.find_compiled()
    assert folder is not None
    assert folder.is_relative_to(clone)


@pytest.mark.parametrize("name", ["core/table.py", "core/new.py", "ai/search/search.py"])
def test_changed_source_never_meets_an_old_build(clone: Path, name: str) -> None:
    (clone / name).write_text("x = 2\n", "utf-8")
    assert environment.find_compiled() is None


def test_a_build_that_was_interrupted_is_not_used(clone: Path) -> None:
    (environment.COMPILED / environment.source_stamp() / "ready").unlink()
    assert environment.find_compiled() is None


def test_whoever_wants_plain_source_gets_it(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environment.PLAIN, "1")
    assert environment.find_compiled() is None


def test_without_a_compiler_one_line_says_so(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (clone / "core" / "table.py").write_text("x = 2\n", "utf-8")
    monkeypatch.setattr(environment, "has_compiler", lambda: False)
    assert compiling.main([]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "no C compiler" in line


def test_a_build_is_tried_only_once_for_a_state_of_the_source(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (environment.COMPILED / environment.source_stamp() / "ready").unlink()
    monkeypatch.setattr(environment, "has_compiler", lambda: True)
    assert compiling.main([]) == 1
    assert "to try again, remove" in capsys.readouterr().err


def test_an_environment_that_is_made_anew_first_does_not_take_the_build_with_it(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remake(groups: tuple[str, ...]) -> None:
        shutil.rmtree(environment.COMPILED.parent)
        environment.COMPILED.parent.mkdir()

    def make(target: Path, python: Path) -> None:
        (target / "core").mkdir(parents=True)

    monkeypatch.setattr(environment, "prepare", remake)
    monkeypatch.setattr(environment, "has_compiler", lambda: True)
    monkeypatch.setattr(compiling, "build", make)
    (clone / "core" / "table.py").write_text("x = 3\n", "utf-8")
    folder = compiling.compile_all()
    assert folder == environment.find_compiled() and (folder / "core").is_dir()


def test_source_that_is_being_edited_is_not_compiled_beside_a_game(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor does it wait for ever: an hour later it is, and so is a clone that has just been made."""
    begun: list[object] = []
    monkeypatch.setattr(environment, "has_compiler", lambda: True)
    monkeypatch.setattr(environment.sys, "stdin", sys.stdout)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(environment.subprocess, "Popen", lambda *given, **_: begun.append(given))
    monkeypatch.setattr(environment.os, "set_inheritable", lambda *_: None)
    monkeypatch.setattr(environment, "_held", [])
    table, search = clone / "core" / "table.py", clone / "ai" / "search" / "search.py"
    (clone / "core" / "new.py").write_text("x = 1\n", "utf-8")
    now = time.time()
    for path in (table, search):
        os.utime(path, (now - 86_400, now - 86_400))
    environment.compile_later()
    assert "were edited within the hour" in capsys.readouterr().err
    assert not begun
    assert environment._is_being_edited()
    os.utime(clone / "core" / "new.py", (now - 4000, now - 4000))
    assert not environment._is_being_edited()
    for path in (table, search, clone / "core" / "new.py"):
        os.utime(path, (now, now))
    assert not environment._is_being_edited()
