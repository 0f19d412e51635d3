"""Sit down on this machine: on the screen, or with lines of text."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import HostlessError
from p2p.base.identity import Profile
from p2p.base.names import clean_name
from p2p.session.commands import Browse, Command
from ui.choices.unsent import UnsentNote
from ui.commands.person import (
    config_of,
    game_files,
    home_of,
    identity_of,
    is_in_browser,
    keep_first_choices,
    name_of,
    settings_of,
    wants_lines,
)
from ui.language.error_texts import in_language
from ui.language.text import load
from ui.model.notes import Notes
from ui.port import PublishNews, UiCommand
from ui.process.diagnosis import keep_off_the_screen, noting
from ui.process.fault import fault_texts
from ui.process.garbage import collect_when_quiet, nothing_collected
from ui.process.sponsored import end_soon
from ui.process.system import on_end
from ui.settings import Settings, save_settings

if TYPE_CHECKING:
    from ui.app import HostlessApp
    from ui.plain.loop import PlainNode

# Milliseconds that a screen waits to see whether an escape begins the name of a key (ncurses(3X)).
# Over a LAN the whole name comes at once; with Textual's 100 every page would close late.
ESCAPE_DELAY: Final = "25"
LOCK_FILE_NAME: Final = "screen.lock"  # Of a home; whoever has it open first holds it.
LAST_S: Final = 10.0  # For a screen to end whose terminal was closed.
FIRST_PAINT_S_MAX: Final = 5.0  # The machine is the screen's until it is painted, or so long.


def sit(args: argparse.Namespace, first: UiCommand | None) -> int:
    """Run a front end until the person leaves; gives the exit code."""
    if not is_in_browser() and sys.stdin.isatty():  # A tab, and what a pipe plays, go by others.
        keep_first_choices(args)
    if wants_lines(args):
        return sit_in_lines(args, first)
    if is_in_browser():
        return _sit_at_screen(args, first)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise HostlessError("this is no terminal; use --plain for lines of text")
    if not sys.stderr.isatty():
        raise HostlessError(
            "the screen is painted on standard error, which is no terminal here",
            "leave it as it is, or use --plain for lines of text",
        )
    return _sit_at_screen(args, first)


def _sit_at_screen(args: argparse.Namespace, first: UiCommand | None) -> int:
    with nothing_collected():
        return asyncio.run(_run_screen(args, first))


def sit_in_lines(args: argparse.Namespace, first: UiCommand | None) -> int:
    """Lines of text, also through a pipe."""
    from ui.commands.interruptible import run_interruptibly
    from ui.plain.loop import PlainLoop, in_ascii, print_complaint, print_line, typed_line
    from ui.plain.presenter import PlainPresenter

    settings = settings_of(args)
    words = load(settings.language)
    write = in_ascii(print_line) if settings.is_ascii else print_line
    is_terminal = sys.stdin.isatty()
    takes_back = is_terminal and settings.takes_back  # What a pipe says is meant.
    notes = Notes(home_of(args))
    presenter = PlainPresenter(words, takes_back=takes_back, is_seen=settings.is_seen, notes=notes)
    presenter.unsent = UnsentNote(is_kept=True)
    plain = PlainLoop(presenter, write, print_complaint)
    node = own_node(args, in_language(plain.publish, lambda: words), talks_on=is_terminal)
    if is_terminal:
        write(words("plain.welcome"))
    is_staying = first is None
    run = partial(plain.run, is_patient=not is_terminal, is_staying=is_staying)
    run_interruptibly(run, node, first or Browse(), typed_line)
    if plain.practised is not None and plain.practised.path is not None:
        from ui.commands.replay import play_on

        play_on(args, plain.practised.path, seat=plain.practised.view.seat)
    return 0 if node.failure is None else 1  # What failed has been said when it did.


def own_node(
    args: argparse.Namespace, publish: PublishNews, *, talks_on: bool = False
) -> PlainNode:
    """My machine, as it sits down at tables; at one that is over it stays if people `talks_on`."""
    from p2p.table.node import Node

    config = replace(config_of(args), talks_on=talks_on)
    return Node(noting(publish), config)


def import_the_rest() -> None:
    """What a table and the form that opens one need of all games: no key press waits for it."""
    from ai.games import knowledge_of
    from core.games import GAMES, find_game
    from ui.games import look_of

    import_module("p2p.table.node")
    import_module("ai.processes.workers")
    for part in (find_game, look_of, knowledge_of):
        for slug in GAMES:
            part(slug)


def _keep(home: Path, settings: Settings, name: str) -> None:
    """Write what was chosen on the screen.

    Raises:
        HostlessError: it cannot be written, or the name is none.
    """
    save_settings(home, settings)
    if name:
        Profile(clean_name(name), settings.language).save(home)


def is_first(home: Path) -> bool:
    """Whether no other program with a screen has this home open; it is kept until we end."""
    import os

    from p2p.base.disk import lock

    try:
        return lock(os.open(home / LOCK_FILE_NAME, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError:  # A home where nothing can be written: two programs do no harm there.
        return True


def _is_alone() -> bool:
    """Whether this machine is on no network; asked when the first screen is painted."""
    from p2p.net.interfaces import is_alone

    return is_alone()


def end_with_terminal(app: HostlessApp) -> None:
    """Leave the table politely when the terminal is closed; a screen that hangs is ended, too."""

    def end(code: int) -> None:
        app.exit(None, code)
        end_soon(LAST_S)

    on_end(end)


async def _run_screen(args: argparse.Namespace, first: UiCommand | None) -> int:
    import os

    import trio

    keep_off_the_screen()
    os.environ.setdefault("ESCDELAY", ESCAPE_DELAY)

    from p2p.base.identity import four_words
    from ui.app import HostlessApp
    from ui.backend.bridge import guest_engine
    from ui.backend.hints import advised

    # What is wrong with home, name or key is said before there is a screen.
    home, name, identity = home_of(args), name_of(args), identity_of(args)
    painted = trio.Event()

    async def node(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        # The first paint does not wait for the cards, nor does a key press while they load.
        with trio.move_on_after(FIRST_PAINT_S_MAX):
            await painted.wait()
        await trio.to_thread.run_sync(import_the_rest)
        # A hint need not wait for it, nor the first paint.
        import_module("ai.processes.workers").prepare()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(collect_when_quiet, lambda: app.quiet_s)
            tell = in_language(publish, lambda: app.words)
            await own_node(args, tell, talks_on=True).run(commands)
            nursery.cancel_scope.cancel()

    async with guest_engine(
        advised(node),
        lambda news: app.publish(news),
        lambda error: app.engine_crashed(error),
        lambda: app.say_busy(),
    ) as engine:
        app = HostlessApp(
            engine,
            settings_of(args),
            first=first,
            keep=partial(_keep, home),
            name=name,
            games=partial(game_files, home),
            admit=lambda error: fault_texts(app.words, error, home),
        )
        app.is_alone, app.notes = _is_alone, Notes(home)
        app.unsent = UnsentNote(is_kept=True)
        app.is_second = not is_first(home)
        app.my_words, app.when_painted = four_words(identity.public), painted.set
        end_with_terminal(app)
        await app.run_async()
    if app.crash is not None:
        raise app.crash
    return app.return_code or 0
