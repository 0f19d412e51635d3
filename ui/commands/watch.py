"""`watch [TABLE or HOST:PORT]`: look on."""

from __future__ import annotations

import argparse

from p2p.errors import HostlessError


def run(args: argparse.Namespace) -> int:
    """Not there yet: a node has no command for it."""
    raise HostlessError("looking on is not there yet; a game file can be seen with replay FILE")
