"""The password of a table, from where nobody else reads it: the environment, or a prompt."""

from __future__ import annotations

import argparse
import getpass
import os
import sys

from p2p.net.password import PasswordRefused, clean_password
from ui.commands.companions import PASSWORD_VARIABLE
from ui.commands.person import words_of


def new_password(args: argparse.Namespace) -> str:
    """The password of a table that is opened; empty unless one was asked for.

    Raises:
        PasswordRefused: it is none, or there is nobody to ask.
    """
    return _password(args) if args.password else ""


def known_password(args: argparse.Namespace) -> str:
    """The password of a table that is joined; empty if none was given.

    Raises:
        PasswordRefused: it is none, or there is nobody to ask.
    """
    return _password(args) if args.password or os.environ.get(PASSWORD_VARIABLE) else ""


def _password(args: argparse.Namespace) -> str:
    given = os.environ.get(PASSWORD_VARIABLE)
    if not given and not sys.stdin.isatty():
        raise PasswordRefused("there is no terminal to type a password", f"set {PASSWORD_VARIABLE}")
    return clean_password(given or getpass.getpass(f"{words_of(args)('lobby.password_title')}: "))
