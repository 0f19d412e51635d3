"""The command line: one word for what to do, the same options everywhere, four exit codes.

    0 done    1 the thing asked for did not hold    2 wrong usage    130 interrupted

Every command is a module of `ui.commands` with one function `run`, imported when it is asked for:
the first paint must not wait for what the screen does not need.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from core.table import RulesError
from p2p.errors import HostlessError, PeerError
from ui.commandline import make_parser
from ui.diagnosis import logged

DONE: Final = 0
DID_NOT_HOLD: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; gives the exit code."""
    parser = make_parser()
    try:
        args = parser.parse_args(arguments)
    except SystemExit as error:  # How argparse says that the usage was wrong, or asked for help.
        return error.code if isinstance(error.code, int) else WRONG_USAGE
    try:
        return _carry_out(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone: nothing is left to say, not even at shutdown.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DID_NOT_HOLD
    except (RulesError, HostlessError, PeerError) as error:
        return _explain(error)
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt) is not None:
            return INTERRUPTED
        known = group.subgroup((RulesError, HostlessError, PeerError))
        if known is None or known.exceptions != group.exceptions:
            raise
        return _explain(_first(known))


def _carry_out(args: argparse.Namespace) -> int:
    from ui.commands.person import home_of

    command = args.command or "screen"
    with logged(home_of(args), getattr(args, "log_level", None), command):
        return int(import_module(f"ui.commands.{command}").run(args))


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _explain(error: BaseException) -> int:
    """One clear line for what a person can do something about."""
    hint = getattr(error, "hint", "")
    print(f"hostless: {error}{'; ' if hint else ''}{hint}", file=sys.stderr)
    return WRONG_USAGE if isinstance(error, RulesError) else DID_NOT_HOLD


if __name__ == "__main__":
    sys.exit(main())
