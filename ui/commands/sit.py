"""Sit down on this machine: on the screen, or with lines of text."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from p2p.news import Command, Look
from ui.commands.person import config_of, game_files, home_of, settings_of, words_of
from ui.port import Publish


def sit(args: argparse.Namespace, first: Command | None) -> int:
    """Run a front end until the person leaves; gives the exit code."""
    if getattr(args, "plain", False):
        return sit_in_words(args, first)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from p2p.errors import HostlessError

        raise HostlessError("this is no terminal; use --plain for lines of text")
    return sit_at_screen(args, first)


def sit_in_words(args: argparse.Namespace, first: Command | None) -> int:
    """Lines of text, also through a pipe."""
    import trio

    from p2p.node import Node
    from ui.plain import Plain, Teller, print_line, typed_line

    words = words_of(args)
    plain = Plain(Teller(words), print_line)
    node = Node(plain.publish, config_of(args))
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        print_line(words("plain.welcome"))
    run = partial(plain.run, is_patient=not is_terminal, is_staying=first is None)
    trio.run(run, node, first or Look(), typed_line)
    if node.failure is not None:
        raise node.failure
    return 0


def sit_at_screen(args: argparse.Namespace, first: Command | None) -> int:
    """The screen, with the node as a guest in its loop."""
    import asyncio

    return asyncio.run(_run_screen(args, first))


async def _run_screen(args: argparse.Namespace, first: Command | None) -> int:
    import asyncio
    import signal

    import trio

    from p2p.node import run_node
    from ui.app import HostlessApp
    from ui.bridge import guest_engine
    from ui.settings import save_settings

    home, config = home_of(args), config_of(args)

    async def node(commands: trio.MemoryReceiveChannel[Command], publish: Publish) -> None:
        await run_node(commands, publish, config)

    async with guest_engine(
        node,
        lambda news: app.publish(news),
        lambda error: app.engine_crashed(error),
        lambda: app.say_busy(),
    ) as engine:
        app = HostlessApp(
            engine,
            settings_of(args),
            first=first,
            keep=partial(save_settings, home),
            games=partial(game_files, home),
        )
        if sys.platform != "win32":
            # A closed terminal or a kill must still leave the table politely.
            for number in (signal.SIGTERM, signal.SIGHUP):
                leave = partial(app.exit, None, 128 + number)
                asyncio.get_running_loop().add_signal_handler(number, leave)
        await app.run_async()
    if app.crash is not None:
        raise app.crash
    return app.return_code or 0
