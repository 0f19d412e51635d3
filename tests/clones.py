"""Small clones in a temporary folder, with libraries of a few bytes, to try the scripts on.

A clone holds the real scripts and a stand-in for the program.  Its libraries come from a folder of
hand-made wheels, so that pip really installs and nobody's network is touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.limits import HANGS_S

ROOT: Final = Path(__file__).resolve().parents[1]
SCRIPTS: Final = ("environment.py", "play.py", "check.py")
# The Python that a person would start the scripts with; the tests' own may be .venv's.
PYTHON: Final[str] = getattr(sys, "_base_executable", sys.executable)
RUN_LIMIT_S: Final = HANGS_S

PROJECT: Final = """
[project]
dependencies = ["pebble>=1"]
[dependency-groups]
test = ["checkers"]
lint = ["checkers"]
"""
PROGRAM: Final = """
import sys, pebble
print(sys.argv[1:], pebble.WEIGHT, sys.flags.safe_path)
sys.exit(7 if "seven" in sys.argv else 0)
"""
CHECKERS: Final = {  # Stand-ins for the tools that check.py calls; ruff is the one that complains.
    "ruff.py": "import sys\nsys.exit('spam.py:1: bad style')\n",
    "mypy.py": "import sys\nprint('types fine', *sys.argv[1:])\n",
    "pytest.py": "import sys\nprint('3 passed', sys.argv[1:])\n",
    "importlinter/__init__.py": "",
    "importlinter/cli.py": "def lint_imports_command():\n    print('contracts kept')\n",
}


@dataclass(frozen=True)
class Clone:
    """One clone and the folder of wheels that it can install from."""

    root: Path
    wheels: Path

    @property
    def environment(self) -> Path:
        """The clone's private environment."""
        return self.root / ".venv"

    def start(
        self, script: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start one of the scripts from a folder that has a `core` and a `ui` of its own."""
        return subprocess.Popen(
            [PYTHON, str(self.root / "scripts" / script), *arguments],
            cwd=self.wheels.parent / "elsewhere",
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **(variables or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, script: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts to its end."""
        return ended(self.start(script, *arguments, variables=variables))

    def play(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run play.py with the wheels of this clone."""
        return self.run("play.py", "--wheels", str(self.wheels), *arguments)


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    """What a started script said, and how it ended."""
    out, err = process.communicate(timeout=RUN_LIMIT_S)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def make_clone(folder: Path) -> Clone:
    """A clone in a folder with a space and a letter beyond ASCII in its name."""
    clone = Clone(folder / "Spiele für alle", folder / "wheels")
    (clone.root / "scripts").mkdir(parents=True)
    for script in SCRIPTS:
        shutil.copy(ROOT / "scripts" / script, clone.root / "scripts")
    (clone.root / "pyproject.toml").write_text(PROJECT, "utf-8")
    write_package(clone.root / "ui", PROGRAM)
    for name in ("core", "ui", "pebble"):
        write_package(folder / "elsewhere" / name, "raise SystemExit('a stranger')\n")
    clone.wheels.mkdir()
    make_wheel(clone.wheels, "pebble", "1.0", {"pebble.py": "WEIGHT = 1\n"})
    make_wheel(clone.wheels, "checkers", "1.0", CHECKERS)
    return clone


def write_package(folder: Path, program: str) -> None:
    """A package that can be run."""
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "__main__.py").write_text(program, "utf-8")


def make_wheel(folder: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """A wheel that holds `files` (PEP 427)."""
    meta = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    everything = {
        **files,
        f"{meta}/METADATA": metadata,
        f"{meta}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*everything, f"{meta}/RECORD"])
    built = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(built, "w") as archive:
        for path, text in {**everything, f"{meta}/RECORD": record}.items():
            archive.writestr(path, text)
    return built
