"""`join [TABLE or HOST:PORT]`: take a seat."""

from __future__ import annotations

import argparse

from p2p.session.commands import JoinTable
from ui.commands.passwords import known_password
from ui.commands.sit import sit


def run(args: argparse.Namespace) -> int:
    """At the table named, or at the first one with a free seat."""
    return sit(args, JoinTable(args.target, password=known_password(args)))
