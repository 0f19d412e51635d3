"""The two commands of the README, on machines that have Python and nothing else."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import runpy
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.match import Match
from scripts import runner
from scripts.bench.joint_shuffle import _report_of
from scripts.bench.pile import make_pile
from scripts.lab.lan_cheaters import CHEATS
from tests.clones import PYTHON, ROOT, Clone, ended, make_clone, make_wheel, write_package
from tests.limits import HANGS_S

ENTRIES = ("play.py", "check.py")
AT_THE_TOP = [  # What people start by its file.
    (path.name,)
    for path in sorted((ROOT / "scripts").glob("*.py"))
    if '__name__ == "__main__"' in path.read_text("utf-8")
]
BY_NAME = [  # What one of those starts by its name.
    (f"{folder}.py", name) for folder in ("bench", "lab") for name in runner.commands(folder)
]
LEFT_ALONE = {"pyproject.toml", "scripts", "ui"}  # What a clone holds before its first start.


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone that has never been started."""
    return make_clone(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A clone that has been started once; its tests leave it in working order."""
    clone = make_clone(tmp_path_factory.mktemp("shared"))
    first = clone.play("carta", "--plain")
    assert first.returncode == 0, first.stderr
    assert first.stdout == "['carta', '--plain'] 1 True\n"
    assert "Preparing" in first.stderr
    return clone


def contents(clone: Clone) -> set[str]:
    return {path.name for path in clone.root.iterdir()}


def test_the_second_start_prepares_nothing(shared: Clone) -> None:
    again = shared.run("play.py", "carta")
    assert (again.stdout, again.stderr) == ("['carta'] 1 True\n", "")
    assert contents(shared) == LEFT_ALONE | {".venv"}


def test_the_exit_code_of_the_program_is_the_exit_code_of_the_script(shared: Clone) -> None:
    assert shared.run("play.py", "seven").returncode == 7


def test_strangers_on_the_import_path_are_not_listened_to(shared: Clone) -> None:
    strangers = {"PYTHONPATH": str(shared.wheels.parent / "elsewhere"), "PYTHONSAFEPATH": "1"}
    done = shared.run("play.py", variables=strangers)
    assert done.stdout == "[] 1 True\n", done.stderr


def test_any_script_can_go_on_as_the_environments_python(shared: Clone) -> None:
    script = shared.root / "scripts" / "throw.py"
    lines = [
        f"import sys; sys.path.insert(0, {str(script.parent)!r})",
        "import environment; environment.enter()",
        "import pebble; print(sys.argv)",
    ]
    script.write_text("\n".join(lines), "utf-8")
    done = shared.run("throw.py", "far")
    script.unlink()
    assert done.stdout == f"{[str(script), 'far']}\n", done.stderr


def test_new_code_needs_no_new_environment(shared: Clone) -> None:
    shutil.rmtree(shared.root / "ui")
    write_package(shared.root / "ui", "import sys, pebble\nprint(sys.argv[1:], 'new')\n")
    done = shared.run("play.py", "carta")
    assert (done.stdout, done.stderr) == ("['carta'] new\n", "")


@pytest.mark.slow
def test_first_starts_at_once_prepare_only_once(clone: Clone) -> None:
    wheels = ("--wheels", str(clone.wheels))
    processes = [clone.start("play.py", *wheels, str(seat)) for seat in range(3)]
    done = [ended(process) for process in processes]
    assert [each.stdout for each in done] == [f"['{seat}'] 1 True\n" for seat in range(3)]
    assert sum("the libraries, once" in each.stderr for each in done) == 1
    assert contents(clone) == LEFT_ALONE | {".venv"}


def test_a_failed_first_start_says_one_line_and_leaves_nothing(clone: Clone) -> None:
    (clone.wheels / "pebble-1.0-py3-none-any.whl").unlink()
    done = clone.play()
    *_, line = done.stderr.splitlines()
    assert done.returncode == 1
    assert "pebble" in line
    assert "--wheels DIR" in line
    assert "Traceback" not in done.stderr
    assert contents(clone) == LEFT_ALONE


def test_without_a_network_the_line_says_so(clone: Clone) -> None:
    with socket.socket() as closed:  # Bound and not listening: every connection is refused.
        closed.bind(("127.0.0.1", 0))
        index = f"http://127.0.0.1:{closed.getsockname()[1]}/simple"
        variables = {"PIP_INDEX_URL": index, "PIP_CONFIG_FILE": "/dev/null", "NO_PROXY": "*"}
        done = clone.run("play.py", variables=variables)
    assert done.returncode == 1
    assert "the package index cannot be reached" in done.stderr
    assert contents(clone) == LEFT_ALONE


def test_a_python_without_any_pip_is_told_where_to_get_one(clone: Clone, tmp_path: Path) -> None:
    for name in ("pip", "ensurepip"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(1)\n", "utf-8")
    done = clone.run("play.py", variables={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("hostless needs pip for its first start")
    assert contents(clone) == LEFT_ALONE


def test_a_clone_that_cannot_be_written_to_is_a_clear_line(clone: Clone) -> None:
    (clone.root / ".venv.lock").mkdir()  # Stands in for a read-only folder, also for root.
    done = clone.play()
    assert done.returncode == 1
    assert done.stderr.startswith("hostless cannot prepare")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_new_libraries_and_new_places_make_a_new_environment(clone: Clone) -> None:
    clone.play()
    make_wheel(clone.wheels, "pebble", "2.0", {"pebble.py": "WEIGHT = 2\n"})
    project = clone.root / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace("pebble>=1", "pebble>=2"), "utf-8")
    assert clone.play().stdout == "[] 2 True\n"

    moved = Clone(clone.root.with_name("moved"), clone.wheels)
    clone.root.rename(moved.root)
    done = moved.play()
    assert (done.stdout, "Preparing" in done.stderr) == ("[] 2 True\n", True)

    (moved.wheels / "pebble-2.0-py3-none-any.whl").unlink()
    assert moved.play("--fresh").returncode == 1
    assert moved.run("play.py").stdout == "[] 2 True\n", "The old environment stays on failure."
    assert contents(moved) == LEFT_ALONE | {".venv"}


@pytest.mark.slow
def test_wheels_for_a_table_without_internet_can_be_saved(shared: Clone, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(shared.wheels)}
    done = shared.run("play.py", "--save-wheels", str(stick), variables=variables)
    assert done.returncode == 0, done.stderr
    assert [wheel.name for wheel in stick.iterdir()] == ["pebble-1.0-py3-none-any.whl"]


def test_check_runs_everything_and_names_what_failed(shared: Clone) -> None:
    done = shared.run("check.py", "--fast", "--wheels", str(shared.wheels))
    assert done.returncode == 1
    assert "contracts kept" in done.stdout
    assert "types fine" in done.stdout
    assert "3 passed ['-n', '3', '-m', 'not slow and not long']" in done.stdout
    assert done.stdout.splitlines()[-1] == "FAILED: style"
    assert "Preparing" not in shared.run("play.py").stderr, "Playing keeps working after a check."

    named = shared.run("check.py", "types", "tests")
    assert (named.returncode, named.stderr) == (0, "")
    assert "3 passed ['-n', '3']" in named.stdout
    assert named.stdout.splitlines()[-1] == "All checks hold."


def test_a_check_that_does_not_exist_is_wrong_usage(clone: Clone) -> None:
    done = clone.run("check.py", "spelling")
    assert done.returncode == 2
    assert "no check called spelling; there are: style, imports, types, tests" in done.stderr
    assert contents(clone) == LEFT_ALONE


@pytest.mark.parametrize("script", ENTRIES)
def test_an_old_python_gets_one_polite_sentence(script: str) -> None:
    path = ROOT / "scripts" / script
    assert not list(newer_than_python_2(ast.parse(path.read_text("ascii"))))
    pretend = "import runpy, sys; sys.version_info = (3, 10, 2); sys.version = '3.10.2 (old)'; "
    start = f"runpy.run_path({str(path)!r}, run_name='__main__')"
    done = subprocess.run([PYTHON, "-c", pretend + start], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "hostless needs Python 3.11 or newer, and this is Python 3.10.2. "
        f"Start it with a newer one, for example: python3.11 {path}\n"
    )


def newer_than_python_2(module: ast.Module) -> Iterator[int]:
    """The lines that Python 2.7 could not even read, and so could say nothing politely."""
    kinds = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.Await, ast.YieldFrom,
             ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Match)  # fmt: skip
    for node in ast.walk(module):
        is_new = isinstance(node, kinds) or (isinstance(node, ast.Raise) and node.cause is not None)
        is_new |= isinstance(node, ast.arguments) and bool(node.kwonlyargs or node.posonlyargs)
        is_new |= isinstance(node, ast.arg) and node.annotation is not None
        is_new |= isinstance(node, ast.FunctionDef) and node.returns is not None
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            is_new |= any(isinstance(each, ast.Starred) for each in node.elts)
        if is_new:
            yield getattr(node, "lineno", 0)


def test_what_python_2_cannot_read_is_found() -> None:
    for line in ("f'{a}'", "[*a]", "def f(a: int): ...", "def f(*, a): ...", "a: int = 1"):
        assert list(newer_than_python_2(ast.parse(line)))
    assert not list(newer_than_python_2(ast.parse("print('%s' % a)\nf(*a)\na = [1] + b")))


class Interrupted(subprocess.Popen[bytes]):
    """A program of Windows at which Ctrl-C was pressed: its launcher hears of it, too."""

    def __init__(self) -> None:
        self.waits = 0

    def wait(self, timeout: float | None = None) -> int:
        self.waits += 1
        if self.waits == 1:
            raise KeyboardInterrupt
        return 130

    def __del__(self, _maxsize: int = 0, _warn: object = None) -> None:
        """There is no process to let go of."""


def test_a_launcher_that_is_interrupted_lets_the_program_say_goodbye(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    environment = importlib.import_module("environment")
    program = Interrupted()
    assert environment.outlast(program) == 130 and program.waits == 2


@pytest.mark.parametrize(
    "command", [*AT_THE_TOP, ("bench.py", "figures"), ("lab.py", "simulate")], ids=" ".join
)
def test_every_script_starts_with_a_python_that_has_no_libraries(command: tuple[str, ...]) -> None:
    """Which finds them in `.venv`, as a clone has it in which these tests are run."""
    script, *names = command
    bare = [PYTHON, "-I", "-S", str(ROOT / "scripts" / script), *names, "--help"]
    done = subprocess.run(bare, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    called = "hostless" if script == "play.py" else " ".join(command)
    assert done.stdout.startswith(f"usage: {called} ")
    assert done.stderr == ""


@pytest.mark.parametrize(("script", "name"), BY_NAME)
def test_every_script_that_has_a_name_says_what_it_takes(
    script: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(f"scripts.{script.removesuffix('.py')}.{name}")
    with pytest.raises(SystemExit, match="0"):
        module.main(["--help"])
    assert capsys.readouterr().out.startswith("usage: ")


OURS = ("core", "p2p", "ai", "ui", "tests", "scripts")


def imported(script: Path) -> Iterator[tuple[str, str]]:
    """What of ours a script imports, also where it does so late: modules and names in them."""
    for node in ast.walk(ast.parse(script.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            yield from ((str(node.module), alias.name) for alias in node.names)


@pytest.mark.parametrize(
    "script", sorted((ROOT / "scripts").glob("*/*.py")), ids=lambda path: "/".join(path.parts[-2:])
)
def test_whatever_a_script_imports_is_there(script: Path) -> None:
    """No type checker looks at scripts, and many import late."""
    for module, name in imported(script):
        found = importlib.import_module(module)
        is_there = hasattr(found, name) or importlib.util.find_spec(f"{module}.{name}")
        assert is_there, f"{module} has no {name}"


@pytest.mark.parametrize("runs", ["bench.py", "lab.py"])
def test_a_process_that_a_script_starts_keeps_the_path_of_the_script(
    runs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or it would find the plain source before what is compiled, which its script found."""
    path = ["what is compiled", *sys.path]
    monkeypatch.setattr(sys, "path", path[:])
    runpy.run_path(str(ROOT / "scripts" / runs), run_name="__mp_main__")
    assert sys.path == path


@pytest.mark.parametrize("runs", ["bench.py", "lab.py"])
def test_a_name_that_no_script_has_is_wrong_usage(runs: str) -> None:
    bare = [PYTHON, "-I", "-S", str(ROOT / "scripts" / runs), "simulat"]
    done = subprocess.run(bare, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is called simulat" in done.stderr


def test_each_script_has_a_line_in_the_readme_of_its_folder() -> None:
    lines = (ROOT / "scripts" / "README.md").read_text("utf-8").splitlines()
    listed = [line.split("`")[1] for line in lines if line.startswith("| `")]
    commands = [name for (name,) in AT_THE_TOP] + [" ".join(command) for command in BY_NAME]
    assert sorted(listed) == sorted(commands)


@pytest.mark.slow
def test_figures_are_measured_with_a_python_that_has_no_libraries() -> None:
    bare = [PYTHON, "-I", "-S", str(ROOT / "scripts" / "bench.py"), "share", "--json"]
    done = subprocess.run(bare, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert all(json.loads(line)["bench"] == "share" for line in done.stdout.splitlines())
    assert done.stdout


def test_the_readme_and_ci_give_the_same_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    steps = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert steps[-1] == "python3 scripts/check.py"
    assert steps[-1] in readme
    assert "python3 hostless/scripts/play.py" in readme


def test_the_hosted_checks_are_ours_on_every_python_that_we_support() -> None:
    lines = (ROOT / ".github" / "workflows" / "check.yml").read_text("utf-8").splitlines()
    (pythons,) = (line.split(":", 1)[1] for line in lines if line.strip().startswith("python:"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    kinds = [kind.rsplit(" :: ", 1)[-1] for kind in project["classifiers"]]
    assert json.loads(pythons) == [kind for kind in kinds if kind.startswith("3.")]
    assert "        run: python scripts/check.py" in lines
    began = lines.index("on:")
    assert lines[began + 1 : began + 3] == ["  workflow_dispatch:", ""], "only by hand"


def test_types_are_checked_for_every_system(shared: Clone) -> None:
    done = shared.run("check.py", "types", "--wheels", str(shared.wheels))
    assert done.stdout.count("types fine") == 3, done.stderr
    for system in ("linux", "win32", "darwin"):
        assert f"--platform {system}" in done.stdout


def test_the_clone_itself_says_its_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    command = [sys.executable, "-m", "ui", "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"hostless {version}\n"), done.stderr


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_changed_program_finds_the_lines_that_it_changes(cheat: str) -> None:
    for name, line, instead in CHEATS[cheat]:
        assert (ROOT / name).read_text("utf-8").count(line) == 1, f"{name} holds no {line!r}"
        assert instead != line


def test_the_pile_of_the_benchmark_is_a_game_that_ends() -> None:
    match = Match(make_pile(20, 3, 2), seats=2)
    while not match.is_over:
        match.apply(0, match.legal_actions(0)[0])
    assert (match.scores, match.view(1).account) == ((0, 0), None)


def test_a_benchmark_of_several_peers_ends_when_one_of_them_has_failed() -> None:
    waits, fails = (
        subprocess.Popen([sys.executable, "-c", said], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
        for said in ("input()", "raise SystemExit(1)")
    )  # fmt: skip
    with pytest.raises(SystemExit):
        _report_of([waits, fails], fails)
    waits.communicate()
    assert waits.returncode != 0, "it waits for a line that does not come"


@pytest.mark.parametrize("name", ["browser", "in_words", "person", "screens"])
def test_who_reads_screens_is_as_patient_as_a_test_however_busy_the_machine_is(name: str) -> None:
    """A game by mouse was given up after 10 s without a picture, and after 5 s in its end."""
    limits = vars(importlib.import_module(f"scripts.lab.{name}")).items()
    waits = {key: value for key, value in limits if key.endswith("_S_MAX")}
    short = {key: value for key, value in waits.items() if isinstance(value, float)}
    assert all(value >= HANGS_S for value in short.values()), short
