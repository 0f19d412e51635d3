"""The build hook of the wheel: compiled rules and search, where a compiler is at hand.

`pip install .` and `python -m build` come here (see pyproject.toml).  A wheel holds the plain
source in any case; compiled modules lie beside it, and Python finds them first.  Without a C
compiler, without `Python.h`, with ``HOSTLESS_PLAIN=1``, or when the compiler fails, the wheel is
plain and runs everywhere.  A build never fails for want of a compiler.
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

_PLACE: Final = "hostless/_app/"  # Where the packages lie in the wheel.
_BINARIES: Final = (".so", ".pyd")


class CustomBuildHook(BuildHookInterface):
    """Adds compiled modules to the wheel."""

    _workshop: Path | None = None  # A folder that lives until the wheel has been written.

    def dependencies(self) -> list[str]:
        """What has to be installed before the build: the compiler for Python, if it is of use."""
        return environment.requirements("compile") if environment.has_compiler() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless a clone has been compiled already; say in one line why not."""
        if version != "standard" or not environment.has_compiler():  # An editable wheel is a path.
            return
        try:
            binaries = self._compile()
        except compiling.CompileError as error:
            self._clear()
            self.app.display_warning(f"The wheel is plain Python: {error}")
            return
        build_data["force_include"].update(binaries)
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The wheel has been written."""
        self._clear()

    def _clear(self) -> None:
        if self._workshop:
            shutil.rmtree(self._workshop, ignore_errors=True)

    def _compile(self) -> dict[str, str]:
        """The compiled modules, and where each of them goes."""
        folder = environment.find_compiled()
        if folder is None:
            self._workshop = Path(tempfile.mkdtemp())
            folder = self._workshop / "built"
            # The compiler is wherever pip has put it for this build: that is in the environment.
            compiling.build(folder, Path(sys.executable), dict(os.environ))
        found = [path for path in folder.rglob("*") if path.suffix in _BINARIES]
        return {str(path): _PLACE + path.relative_to(folder).as_posix() for path in found}
