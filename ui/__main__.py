"""The command line: one word for what to do, the same options everywhere, four exit codes.

    0 done    1 the thing asked for did not hold    2 wrong usage    130 interrupted

Every command is a module of `ui.commands` with one function `run`, imported when it is asked for:
the first paint must not wait for what the screen does not need.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from core.table import RulesError
from p2p.errors import HostlessError, PeerError
from ui.commandline import make_parser
from ui.commands.person import home_of, words_for
from ui.complaints import complaint_of
from ui.diagnosis import logged
from ui.parser import WRONG_USAGE
from ui.system import is_lost_reader, write_to_nobody
from ui.text import Words

DONE: Final = 0
DID_NOT_HOLD: Final = 1
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; gives the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    words = words_for(given)
    try:
        args = make_parser(words).parse_args(given)
    except SystemExit as error:  # How argparse says that the usage was wrong, or asked for help.
        return error.code if isinstance(error.code, int) else WRONG_USAGE
    try:
        return _carry_out(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if not is_lost_reader(error):
            raise
        write_to_nobody()
        return DID_NOT_HOLD
    except (RulesError, HostlessError, PeerError) as error:
        return _explain(words, error)
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt) is not None:
            return INTERRUPTED
        known = group.subgroup((RulesError, HostlessError, PeerError))
        if known is None or known.exceptions != group.exceptions:
            raise
        return _explain(words, _first(known))


def _carry_out(args: argparse.Namespace) -> int:
    command = args.command or "screen"
    with logged(home_of(args), getattr(args, "log_level", None), command):
        return int(import_module(f"ui.commands.{command}").run(args))


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _explain(words: Words, error: BaseException) -> int:
    """One clear line for what a person can do something about."""
    from ui.plain import print_complaint

    print_complaint(complaint_of(words, error))
    return WRONG_USAGE if isinstance(error, RulesError) else DID_NOT_HOLD


if __name__ == "__main__":
    sys.exit(main())
