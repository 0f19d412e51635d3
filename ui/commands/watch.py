"""`watch [TABLE or HOST:PORT]`: look on."""

from __future__ import annotations

import argparse

from p2p.session.commands import Watch
from ui.commands.sit import sit


def run(args: argparse.Namespace) -> int:
    """At the table named, or at the first one where a game is played."""
    return sit(args, Watch(args.target))
