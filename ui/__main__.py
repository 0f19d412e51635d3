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
from traceback import print_exception
from typing import Final

from core.errors import HostlessError
from core.table import RulesError
from p2p.base.errors import PeerError
from ui.commandline.parser import WRONG_USAGE
from ui.commandline.surface import make_parser
from ui.commands.person import home_of, words_for
from ui.language.error_texts import error_line
from ui.language.plugin_errors import plugin_errors
from ui.language.text import Words
from ui.process.diagnosis import log_path, logged
from ui.process.fault import cause_text, fault_texts, is_fault
from ui.process.system import is_lost_reader, write_to_nobody

_DONE: Final = 0
_DID_NOT_HOLD: Final = 1
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
        return _carry_out(args, words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if not is_lost_reader(error):
            raise
        return _end_unread()
    except (RulesError, HostlessError, PeerError) as error:
        return _explain(words, error)
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt) is not None:
            return INTERRUPTED
        if _is_unread(group):
            return _end_unread()
        if is_fault(group):
            return _admit(words, group, args)
        if not isinstance(group, ExceptionGroup):
            raise
        return _explain(words, _first(group))
    except Exception as error:  # noqa: BLE001 - its traceback is in the log.
        return _admit(words, error, args)


def _carry_out(args: argparse.Namespace, words: Words) -> int:
    command = args.command or "screen"
    if complaints := plugin_errors(words):
        from ui.plain.loop import print_complaint

        for line in complaints:
            print_complaint(line)
    with logged(home_of(args), getattr(args, "log_level", None), command):
        return int(import_module(f"ui.commands.{command}").run(args))


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _is_unread(group: BaseExceptionGroup[BaseException]) -> bool:
    """Whether some task of a nursery wrote to somebody who reads no more, as `head`."""
    lost = group.subgroup(lambda error: isinstance(error, OSError) and is_lost_reader(error))
    return lost is not None


def _end_unread() -> int:
    """Nobody reads what we say: end without a word."""
    write_to_nobody()
    return _DID_NOT_HOLD


def _admit(words: Words, error: BaseException, args: argparse.Namespace) -> int:
    """A fault of ours: what happened, and how to go on.  Its traceback is in the log file."""
    from ui.plain.loop import print_complaint

    is_started_again = bool(getattr(args, "sponsor", ""))  # A bot, and its last line is told.
    whole = fault_texts(words, error, home_of(args))
    for line in [cause_text(words, error)] if is_started_again else whole:
        print_complaint(line)
    if not log_path(home_of(args)).exists():
        print_exception(error)
    return _DID_NOT_HOLD


def _explain(words: Words, error: BaseException) -> int:
    """One clear line for what a person can do something about."""
    from ui.plain.loop import print_complaint

    print_complaint(error_line(words, error))
    return WRONG_USAGE if isinstance(error, RulesError) else _DID_NOT_HOLD


if __name__ == "__main__":
    sys.exit(main())
