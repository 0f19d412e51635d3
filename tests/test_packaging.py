"""The wheel: one name for others to see, everything inside, and good manners beside strangers."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from ai.tournaments.results import source_digest
from core.games import GAMES
from tests.wheels import build, build_editable, install, unpack

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "p2p", "ai", "ui")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
VERSION = PROJECT["version"]
# Imported where a person has asked for what needs them, and told how to get them.
ON_REQUEST = {"aiohttp", "distributed", "pyspiel", "shtab", "textual_serve"}
ONLY_FOR_TYPES = {"mypy_extensions"}

IMPORT_ALL = """
import doctest, importlib
names, others, on_request, has_examples = {modules}, {others}, {on_request}, {has_examples}
failed = attempted = 0
for name in names:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in on_request:
            raise
        continue
    if has_examples:
        result = doctest.testmod(module)
        failed, attempted = failed + result.failed, attempted + result.attempted
print(failed, attempted, *[importlib.util.find_spec(name) for name in others])
"""
DOCUMENTS = ("README.md", "docs/guide/library.md")
READ = """
import doctest, pathlib, re
path = pathlib.Path({path!r})
text = re.sub("(?m)^```.*$", "", path.read_text("utf-8"))
test = doctest.DocTestParser().get_doctest(text, {{}}, path.name, path.name, 0)
print(*doctest.DocTestRunner().run(test))
"""
OTHERS = ("core", "p2p", "ai", "ui", "scripts", "tests", "compile", "bench", "check", "play")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which the wheel is installed."""
    return install(wheel, tmp_path_factory.mktemp("environment"))


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Somebody's own folder, with a package core and a module ui."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "core").mkdir()
    (folder / "core" / "__init__.py").write_text("OWNER = 'somebody'\n", "utf-8")
    (folder / "ui.py").write_text("OWNER = 'somebody else'\n", "utf-8")
    return folder


def run(python: Path, folder: Path, code: str) -> str:
    """What a program of somebody's prints."""
    (folder / "program.py").write_text(code, "utf-8")
    done = subprocess.run(
        [str(python), str(folder / "program.py")],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


# ---- what is in it ----


def test_the_wheel_holds_one_name_for_others_to_see(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert tops == {"hostless", f"hostless-{VERSION}.dist-info"}


def test_everything_of_the_program_is_in_the_wheel(wheel: Path) -> None:
    sources = {
        f"hostless/{path.relative_to(ROOT).as_posix()}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    front = {f"hostless/{name}" for name in ("__init__.py", "__main__.py", "py.typed")}
    assert {name for name in names(wheel) if name.startswith("hostless/")} == sources | front


def test_a_wheel_is_plain_python_unless_a_release_asks_for_more(wheel: Path) -> None:
    assert wheel.name == f"hostless-{VERSION}-py3-none-any.whl"
    assert not [name for name in names(wheel) if name.endswith((".so", ".pyd"))]


def test_the_wheel_says_what_it_needs_and_under_which_terms(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        said = archive.read(f"hostless-{VERSION}.dist-info/METADATA").decode()
        doors = archive.read(f"hostless-{VERSION}.dist-info/entry_points.txt").decode()
    asked = [line for line in said.splitlines() if line.startswith("Requires-Dist")]
    asked = [line for line in asked if "extra ==" not in line]
    assert len(asked) == len(PROJECT["dependencies"])
    assert all("<" in line or "==" in line for line in asked), "Every dependency has a bound."
    assert "License-Expression: MIT" in said
    assert "hostless = hostless.ui.__main__:main" in doors


def test_a_wheel_from_the_sdist_is_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build(ROOT, "sdist", tmp_path)
    unpacked = unpack(sdist, tmp_path)
    again = build(unpacked, "wheel", tmp_path / "again")
    assert again.read_bytes() == wheel.read_bytes()
    tops = {path.name for path in unpacked.iterdir()}
    assert {"tests", "scripts", "README.md", "LICENSE"} <= tops


# ---- what it needs ----


def imported() -> set[str]:
    """The libraries that the program imports, by the names of their packages."""
    found = set[str]()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                ("import_module", "find_spec")
            ):
                name = node.args[0]
                if isinstance(name, ast.Constant):
                    found.add(str(name.value).split(".")[0])
    return found - set(PACKAGES) - set(sys.stdlib_module_names)


def test_what_the_program_imports_is_what_it_declares() -> None:
    declared = {re.split(r"[^\w-]", line)[0] for line in PROJECT["dependencies"]}
    modules = {name.replace("-", "_") for name in declared}
    assert imported() - ON_REQUEST - ONLY_FOR_TYPES == modules


def test_the_library_whose_private_module_is_loaded_is_bound_to_its_version() -> None:
    (asked,) = [line for line in PROJECT["dependencies"] if line.startswith("rbcl")]
    assert asked == f"rbcl=={importlib.metadata.version('rbcl')}"


def test_no_library_of_ours_ships_one_of_our_names() -> None:
    owners = importlib.metadata.packages_distributions()
    taken = {"hostless", *PACKAGES}
    assert {name: owners[name] for name in taken if name in owners} == {}


# ---- what it is, once installed ----


def import_all(python: Path, wheel: Path, folder: Path, *, has_examples: bool) -> list[str]:
    """Imports every module, and tries its examples: those that failed, those there are, others."""
    modules = [
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in sorted(names(wheel))
        if name.endswith(".py")
    ]
    assert len(modules) > 200
    code = IMPORT_ALL.format(modules=modules, others=OTHERS, on_request=ON_REQUEST,
                             has_examples=has_examples)  # fmt: skip
    return run(python, folder, code).split()


@pytest.mark.slow
def test_every_module_of_the_package_is_imported_and_takes_no_other_name(
    python: Path, wheel: Path, tmp_path: Path
) -> None:
    failed, examples, *others = import_all(python, wheel, tmp_path, has_examples=True)
    assert failed == "0" and int(examples) >= 25
    assert set(others) == {"None"}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_the_documents_show_of_the_library_is_true(
    python: Path, elsewhere: Path, name: str
) -> None:
    told = run(python, elsewhere, READ.format(path=str(ROOT / name)))
    failed, _ = told.split()
    assert failed == "0", told


def test_somebodys_own_core_and_ui_stay_theirs(python: Path, elsewhere: Path) -> None:
    code = "import sys; before = sys.path[:]; import hostless, core, ui, hostless.core.table\n"
    code += "print(core.OWNER, ui.OWNER, hostless.core.table.Table.__module__, sys.path == before)"
    assert run(python, elsewhere, code) == "somebody somebody else hostless.core.table True"


def test_an_action_is_read_in_another_process(python: Path, elsewhere: Path) -> None:
    code = "import pickle; from hostless import Action\n"
    told = run(python, elsewhere, code + "print(pickle.dumps(Action('play', (17,))).hex())")
    code = f"import pickle; print(pickle.loads(bytes.fromhex({told!r})))"
    assert run(python, elsewhere, code) == "Action(verb='play', cards=(17,), number=0)"


def test_a_worker_process_finds_the_rules_too(python: Path, elsewhere: Path) -> None:
    code = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from hostless.core.chance import Chance
if __name__ == "__main__":
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        print(pool.submit(Chance, 7).result().below(1000) == Chance(7).below(1000))
"""
    assert run(python, elsewhere, code) == "True"


def test_types_are_found_in_the_package(python: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    code = "from hostless import Match\n\nmatch = Match('carta', seats=2, seed=7)\n"
    program.write_text(
        code + "verb: str = match.legal_actions(0)[0].verb\nscore: int = match.scores\n", "utf-8"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    done = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), "program.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    (complaint, _) = done.stdout.splitlines()
    assert complaint.startswith("program.py:5: error: Incompatible types in assignment (expression")


@pytest.mark.parametrize("module", ["hostless", "hostless.ui"])
def test_the_installed_program_says_its_version(python: Path, elsewhere: Path, module: str) -> None:
    done = subprocess.run(
        [str(python), "-P", "-m", module, "--version"],
        cwd=elsewhere, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, f"hostless {VERSION}"), done.stderr


def test_bots_beside_the_installed_program_are_the_installed_program(
    python: Path, elsewhere: Path
) -> None:
    code = """
import pathlib, subprocess, tempfile, trio
from hostless.ui.commands.companions import Launcher
async def kept(command, *, env, **_):
    print(subprocess.check_output([*command[:4], "--version"], env=env, text=True))
    return subprocess.CompletedProcess(command, 0)
trio.run_process = kept
with tempfile.TemporaryDirectory() as home:
    trio.run(Launcher(pathlib.Path(home), bytes(32)).run, 0, [], "")
"""
    assert run(python, elsewhere, code) == f"hostless {VERSION}"


def test_results_of_a_clone_and_of_the_installed_program_go_together(
    python: Path, tmp_path: Path
) -> None:
    code = "from hostless.ai.tournaments.results import source_digest\n"
    told = run(python, tmp_path, f"{code}print(*map(source_digest, {list(GAMES)}))")
    assert told.split() == [source_digest(slug) for slug in GAMES]


# ---- installed to be worked on ----


@pytest.mark.slow
def test_an_editable_install_takes_no_other_name_either(wheel: Path, tmp_path: Path) -> None:
    live = build_editable(ROOT, tmp_path / "wheel")
    assert {name.split("/")[0] for name in names(live)} == {
        "_hostless.pth", f"hostless-{VERSION}.dist-info",
    }  # fmt: skip
    python = install(live, tmp_path / "environment")
    _, _, *others = import_all(python, wheel, tmp_path, has_examples=False)
    assert set(others) == {"None"}
    code = "import hostless.core.table as table; print(table.__file__, table.Table.__module__)"
    told = run(python, tmp_path, code)
    assert told == f"{ROOT / 'core' / 'table.py'} hostless.core.table"
