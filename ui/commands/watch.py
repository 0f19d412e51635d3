"""`watch [TABLE or HOST:PORT]`: look on."""

from __future__ import annotations

import argparse

from ui.commands.person import identity_of, name_of
from ui.commands.sit import sit
from ui.plain import PlainNode
from ui.port import Publish


def run(args: argparse.Namespace) -> int:
    """At the table named, or at the first one that is seen."""

    def make(publish: Publish) -> PlainNode:
        from p2p.link import Link, connect
        from ui.watching import Watcher, find_game_in_progress

        identity, name = identity_of(args), name_of(args)

        async def dial() -> Link:
            address, opener = await find_game_in_progress(args.target)
            return await connect(address, identity, name, opener)

        return Watcher(publish, dial)

    return sit(args, None, make)
