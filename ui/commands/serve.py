"""`serve`: the screen in a browser, where textual-serve is installed."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from core.errors import HostlessError
from ui.commands.person import home_of, identity_of, name_of, words_of

_HOW: str = "start it with scripts/play.py in a clone, or install hostless[serve]"
TERMINAL = {"TERM": "xterm-256color", "PYTHONUTF8": "1"}  # What a browser can show.


def run(args: argparse.Namespace) -> int:
    """One process per browser tab: a tab is a seat whose keys live on this machine."""
    if find_spec("textual_serve") is None:
        raise HostlessError("serve needs one more package", _HOW)
    from ui.browser.server import TabServer
    from ui.browser.tabs import Tabs

    identity_of(args)  # What is wrong with the home is said here, not in a tab.
    os.environ.update(TERMINAL, PYTHONPATH=os.pathsep.join(each for each in sys.path if each))
    place = args.serve_host, args.serve_port
    server = TabServer(words_of(args), Tabs(home_of(args), name_of(args)), passed_on(args), place)
    try:
        server.serve()
    except OSError as error:
        hint = "name another with --port, or another address with --host"
        why = error.strerror or str(error)
        raise HostlessError(f"cannot listen at {place[0]} port {place[1]}: {why}", hint) from error
    return 0


def passed_on(args: argparse.Namespace) -> list[str]:
    """What was given on the command line and is for the program of each tab."""
    given = {"--lang": "lang", "--seed": "seed", "--log-level": "log_level", "--as": "name_as"}
    words = [
        word
        for option, name in given.items()
        if getattr(args, name, None) is not None
        for word in (option, str(getattr(args, name)))
    ]
    return [*words, *["--ascii"] * getattr(args, "ascii", False)]
