"""`serve`: the screen in a browser, where textual-serve is installed."""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib import import_module
from importlib.util import find_spec

from p2p.errors import HostlessError
from ui.commands.person import home_of


def run(args: argparse.Namespace) -> int:
    """One process per browser tab: a tab is a seat whose keys live on this machine."""
    if find_spec("textual_serve") is None:
        raise HostlessError("serve needs one more package: pip install textual-serve")
    command = [sys.executable, "-P", "-m", "ui", "--home", str(home_of(args))]
    import_module("textual_serve.server").Server(shlex.join(command)).serve()
    return 0
