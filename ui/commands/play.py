"""`play GAME`: sit down at once against bots on this machine."""

from __future__ import annotations

import argparse

from core.game import usual_seats
from core.games import find_game
from p2p.session.commands import OpenTable
from ui.commands.sit import sit
from ui.commands.variants import chosen_options


def run(args: argparse.Namespace) -> int:
    """The full protocol, over loopback."""
    seats = usual_seats(find_game(args.game)) if args.seats is None else args.seats
    options = chosen_options(args.game, seats, args.option)
    table = OpenTable(
        args.game, seats, seats - 1, args.level, options, is_local=True, iterations=args.iterations
    )
    return sit(args, table)
