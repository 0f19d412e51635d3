"""The wheel: one name for others to see, everything inside, and good manners beside strangers."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.wheels import build, unpack

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "p2p", "ai", "ui")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = PROJECT["version"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip would leave in site-packages, beside somebody else's package called core."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "core").mkdir()
    (site / "core" / "__init__.py").write_text("OWNER = 'somebody else'\n", "utf-8")
    return site


def run(site: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a Python of its own that finds `site` before everything else."""
    prelude = f"import sys; sys.path.insert(0, {str(site)!r})\n"
    command = [sys.executable, "-I", "-c", prelude + code, *arguments]
    return subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_one_name_for_others_to_see(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert tops == {"hostless", f"hostless-{VERSION}.dist-info"}


def test_everything_of_the_program_is_in_the_wheel(wheel: Path) -> None:
    sources = {
        "hostless/_app/" + path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    held = {name for name in names(wheel) if name.startswith("hostless/_app/")}
    assert held == sources


def test_without_a_compiler_the_wheel_is_plain_and_runs_everywhere(tmp_path: Path) -> None:
    built = build(ROOT, "wheel", tmp_path, PATH=str(tmp_path))
    assert built.name == f"hostless-{VERSION}-py3-none-any.whl"
    assert not [name for name in names(built) if name.endswith((".so", ".pyd"))]


def test_the_wheel_says_what_it_needs_and_under_which_terms(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        said = archive.read(f"hostless-{VERSION}.dist-info/METADATA").decode()
        doors = archive.read(f"hostless-{VERSION}.dist-info/entry_points.txt").decode()
    asked = [line for line in said.splitlines() if line.startswith("Requires-Dist")]
    asked = [line for line in asked if "extra ==" not in line]
    assert len(asked) == len(PROJECT["dependencies"])
    assert all("<" in line for line in asked), "Every dependency has an upper bound."
    assert "License-Expression: MIT" in said
    assert "hostless = hostless:main" in doors


def test_a_wheel_from_the_sdist_is_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build(ROOT, "sdist", tmp_path)
    unpacked = unpack(sdist, tmp_path)
    assert names(build(unpacked, "wheel", tmp_path / "again")) == names(wheel)
    tops = {path.name for path in unpacked.iterdir()}
    assert {"tests", "scripts", "README.md", "LICENSE"} <= tops


def test_no_library_of_ours_ships_one_of_our_names() -> None:
    owners = importlib.metadata.packages_distributions()
    assert {name: owners[name] for name in PACKAGES if name in owners} == {}


def test_our_core_is_found_beside_a_foreign_one(installed: Path) -> None:
    done = run(installed, "import hostless, core, core.engine; print(core.engine.__file__)")
    assert done.stdout.strip() == str(installed / "hostless" / "_app" / "core" / "engine.py")


def test_a_program_that_does_not_ask_for_us_keeps_its_own_core(installed: Path) -> None:
    done = run(installed, "import core; print(core.OWNER)")
    assert done.stdout.strip() == "somebody else"


def test_a_worker_process_finds_our_core_too(installed: Path) -> None:
    code = """
import hostless, multiprocessing
from concurrent.futures import ProcessPoolExecutor
from core.chance import Chance
with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
    print(pool.submit(Chance, 7).result().below(1000) == Chance(7).below(1000))
"""
    done = run(installed, code)
    assert done.stdout.strip() == "True", done.stderr


def test_the_installed_program_says_its_version(installed: Path) -> None:
    done = run(installed, "import hostless; raise SystemExit(hostless.main())", "--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"hostless {VERSION}"), done.stderr
