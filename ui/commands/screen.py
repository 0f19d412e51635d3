"""No command: the screen, or its words with `--plain`."""

from __future__ import annotations

import argparse

from ui.commands.sit import sit


def run(args: argparse.Namespace) -> int:
    """The lobby."""
    return sit(args, None)
