"""Wheels and sdists of the project, built in a process of its own; no network is needed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path


def build(source: Path, kind: str, folder: Path, **variables: str) -> Path:
    """A wheel or an sdist of the project in `source`."""
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    done = subprocess.run(
        command, cwd=source, env={**os.environ, **variables}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def build_editable(source: Path, folder: Path) -> Path:
    """The wheel that `pip install -e` makes and installs."""
    code = f"from hatchling.build import build_editable as build; build({str(folder)!r})"
    subprocess.run([sys.executable, "-P", "-c", code], cwd=source, check=True)
    (built,) = folder.glob("*.whl")
    return built


def install(wheel: Path, folder: Path) -> Path:
    """An environment that holds the wheel and the libraries of this one; gives its Python.

    What this environment finds by lines of .pth files, as the clone, is not in it.
    """
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    place = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", place))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    libraries = sysconfig.get_path("purelib")
    (site / "libraries.pth").write_text(f"{libraries}\n", "utf-8")
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def unpack(sdist: Path, folder: Path) -> Path:
    """The project as the sdist holds it."""
    subprocess.run([sys.executable, "-m", "tarfile", "-e", str(sdist), str(folder)], check=True)
    return folder / sdist.name.removesuffix(".tar.gz")
