"""`bench [NAME ...]`: figures beside the peers'."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from core.errors import HostlessError

SCRIPT: Path = Path(__file__).parent.parent.parent / "scripts" / "bench.py"


def run(args: argparse.Namespace) -> int:
    """Measure; the script is part of the sources, not of the installed program."""
    if not SCRIPT.is_file():
        raise HostlessError("bench is part of the sources; run it in a clone")
    command = [sys.executable, str(SCRIPT), *args.names, *["--json"] * args.json]
    return subprocess.call(command)
