"""Completion for a shell, printed from the parser by shtab, where that is installed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

SHELLS: Final = ("bash", "zsh", "tcsh")
DID_NOT_HOLD: Final = 1
_FILES: Final = ("file", "files", "results")  # Arguments that are files,
_FOLDERS: Final = ("home",)  # and folders.


class PrintCompletion(argparse.Action):
    """Prints what `source` or a file of the shell takes, and ends."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
        values: Any, option_string: str | None = None,
    ) -> None:  # fmt: skip
        """Print it, or say what is missing."""
        if find_spec("shtab") is None:
            need = f"{parser.prog}: {option_string} needs one more package: pip install shtab\n"
            parser.exit(DID_NOT_HOLD, need)
        print(completion(parser, values))
        parser.exit()


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell; it knows every command and option, the games, and where files go."""
    from core.games import GAMES

    shtab = import_module("shtab")
    for action in _actions(parser):
        if action.dest == "game":
            action.choices = tuple(GAMES)
        elif action.dest in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell=shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every argument of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
