"""The build hook of the wheel: one package `hostless`, and for a release its compiled rules.

`pip install .` and `python -m build` come here (see pyproject.toml).  The four packages of the
clone are written into one (`one_package.py`), which is plain Python and takes seconds.  With
``HOSTLESS_COMPILED=1``, as cibuildwheel builds the wheels of a release, rules and search are
compiled beside their source, and Python finds them first.  Such a build needs a C compiler, takes
minutes, proves that the compiled rules play as the plain ones do, and fails when any of that fails.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling loads this file by its path, and knows nothing of its neighbours.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import compile as compiling
import environment
import one_package

COMPILED: Final = "HOSTLESS_COMPILED"


class CustomBuildHook(BuildHookInterface):
    """Hands the package to the builder."""

    _workshop: Path | None = None  # A folder that lives until the wheel has been written.

    def dependencies(self) -> list[str]:
        """What has to be installed before the build: the compiler for Python, for a release."""
        return environment.requirements("compile") if is_release() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the package; an editable install reads the clone itself (`scripts/editable`)."""
        if version != "standard":
            return
        self._workshop = Path(tempfile.mkdtemp())
        package = self._workshop / one_package.PACKAGE
        try:
            self._make(package, build_data)
        except BaseException:
            self._clear()
            raise
        front = {path.name for path in (Path(self.root) / one_package.FRONT).iterdir()}
        for path in package.iterdir():
            if path.name not in front:  # The front is included already, as it is.
                build_data["force_include"][str(path)] = f"{package.name}/{path.name}"
        for path in package.parent.glob(f"{package.name}_compiled*"):
            build_data["force_include"][str(path)] = path.name

    def _make(self, package: Path, build_data: dict[str, Any]) -> None:
        one_package.write(Path(self.root), package)
        if is_release():
            # The compiler is wherever pip has put it for this build: that is in the environment.
            compiling.build_package(package, Path(sys.executable), dict(os.environ))
            build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The wheel has been written."""
        self._clear()

    def _clear(self) -> None:
        if self._workshop:
            shutil.rmtree(self._workshop, ignore_errors=True)


def is_release() -> bool:
    """Whether this build is to be compiled."""
    return os.environ.get(COMPILED, "0") not in ("", "0")
