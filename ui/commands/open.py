"""`open GAME`: open a table on the LAN and take a seat."""

from __future__ import annotations

import argparse

from core.game import usual_seats
from core.games import find_game
from core.table import RulesError
from p2p.net.interfaces import is_alone
from p2p.session.commands import OpenTable
from ui.commands.passwords import new_password
from ui.commands.person import words_of
from ui.commands.sit import sit
from ui.commands.variants import chosen_options
from ui.plain.loop import print_complaint


def run(args: argparse.Namespace) -> int:
    """A table that others see."""
    seats = usual_seats(find_game(args.game)) if args.seats is None else args.seats
    options = chosen_options(args.game, seats, args.option)
    if not 0 <= args.bots < seats:
        raise RulesError(f"{seats} seats leave room for 0 to {seats - 1} bots, not {args.bots}")
    table = OpenTable(
        args.game, seats, args.bots, args.level, options, args.name or "",
        are_bots_open=args.open_bots, opens_hands=args.open_hands, iterations=args.iterations,
        password=new_password(args),
        is_escrowed=args.escrow, grace_s=args.grace, clock=args.clock,
    )  # fmt: skip
    if is_alone():
        print_complaint(words_of(args)("lobby.alone"))
    return sit(args, table)
