"""`tables`: what is to be seen on the LAN."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

import trio

from p2p.net.discovery import TableAd, browsing
from p2p.net.interfaces import is_alone
from ui.commands.interruptible import run_interruptibly
from ui.commands.person import words_of
from ui.lobby.open_tables import table_note
from ui.lobby.people import by_table
from ui.plain.loop import print_complaint, print_line

WAIT_MAX_S: float = 3600.0


def run(args: argparse.Namespace) -> int:
    """Listen for a while, then tell; with `--json` one object per table."""
    tables = run_interruptibly(look, min(max(args.wait, 0.0), WAIT_MAX_S))
    words = words_of(args)
    for ad in tables:
        if args.json:
            print(json.dumps(table_value(ad), ensure_ascii=False))
            continue
        game = words.name("game", ad.game)
        seen = words("lobby.row", name=ad.shown_name, game=game, taken=ad.taken, seats=ad.seats)
        heard = words("lobby.heard", how=ad.heard_by, host=ad.shown_host, port=ad.port)
        names = words.listed(each.shown_name for each in by_table((), [ad])[ad.key])
        print_line("  ".join(filter(None, [seen, names, table_note(words, ad), heard])))
    if not tables:
        print_complaint(words("lobby.alone" if is_alone() else "lobby.heard_none"))
    return 0


def table_value(ad: TableAd) -> dict[str, object]:
    """A table as JSON values: bytes in hexadecimal."""
    return {
        key: value.hex() if isinstance(value, bytes) else value for key, value in asdict(ad).items()
    }


async def look(wait_s: float) -> tuple[TableAd, ...]:
    """The tables that are heard of within some seconds."""
    tables: tuple[TableAd, ...] = ()
    with trio.move_on_after(wait_s):
        async with browsing() as sightings:
            async for seen in sightings:
                tables = seen
    return tables
