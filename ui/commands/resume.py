"""`resume [FILE]`: sit down again at an unfinished game."""

from __future__ import annotations

import argparse

from core.errors import HostlessError
from p2p.session.commands import Resume
from ui.commands.person import game_files, home_of
from ui.commands.sit import sit


def run(args: argparse.Namespace) -> int:
    """At the game of that file, or the newest one."""
    if args.file is not None:
        return sit(args, Resume(args.file, tuple(args.at), args.taking))
    files = game_files(home_of(args))
    if not files:
        raise HostlessError(f"no game is kept in {home_of(args)}; name a file, or play one")
    return sit(args, Resume(files[0], tuple(args.at), args.taking))
