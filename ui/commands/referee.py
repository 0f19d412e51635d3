"""`referee GAME`: the rules over JSON lines, on standard input and output."""

from __future__ import annotations

import argparse
import sys

from ai.explain import advise
from core.referee import serve


def run(args: argparse.Namespace) -> int:
    """Answer line by line until `quit` or the end of the input."""

    def write(line: str) -> None:
        print(line, end="", flush=True)

    serve(sys.stdin.buffer, write, advise)
    return 0
