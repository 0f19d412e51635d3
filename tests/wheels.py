"""Wheels and sdists of the project, built in a process of its own; no network is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def build(source: Path, kind: str, folder: Path, **variables: str) -> Path:
    """A wheel or an sdist of the project in `source`, with nothing compiled unless told so."""
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    chosen = {**os.environ, **(variables or {"HOSTLESS_PLAIN": "1"})}
    done = subprocess.run(
        command, cwd=source, env=chosen, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def unpack(sdist: Path, folder: Path) -> Path:
    """The project as the sdist holds it."""
    subprocess.run([sys.executable, "-m", "tarfile", "-e", str(sdist), str(folder)], check=True)
    return folder / sdist.name.removesuffix(".tar.gz")
