"""`learn GAME`: a first game against bots on this machine, with a commentary."""

from __future__ import annotations

import argparse

from ui.commands.sit import sit
from ui.model.lesson import first_game


def run(args: argparse.Namespace) -> int:
    """An ordinary game, explained until one knows it."""
    return sit(args, first_game(args.game))
