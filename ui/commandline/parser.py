"""A parser of command lines that speaks the person's language and complains in one line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import Any, Final, NoReturn

from ui.language.error_texts import translate_error
from ui.language.text import Words

WRONG_USAGE: Final = 2
# How argparse of every version says that a value is none of those there are.
_NO_CHOICE: Final = re.compile(
    r"argument (?P<name>.+?): invalid choice: (?P<given>'.*?')[ ,(].*choose from (?P<choices>.*)\)"
)


class Parser(argparse.ArgumentParser):
    """One command, or all.  What an option is for stands in the locales, not in the code.

    The text of an option is `usage.COMMAND_OPTION`, or `usage.OPTION` where it says the same for
    every command.
    """

    def __init__(self, words: Words, about: str = "", **settings: Any) -> None:
        """`about` is the command; empty for what all have in common."""
        self.words, self.about = words, about
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **settings)
        self._positionals.title = words("usage.arguments")
        self._optionals.title = words("usage.options")

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """Add an option or an argument, with its text."""
        action = super().add_argument(*names, **settings)
        if action.help is None or settings.get("action") in ("help", "version"):
            for key in (f"usage.{self.about}_{action.dest}", f"usage.{action.dest}"):
                if self.words.has(key):
                    action.help = self.words(key)
                    break
        return action

    def format_usage(self) -> str:
        """The first lines of the help."""
        return self._translated(super().format_usage())

    def format_help(self) -> str:
        """Everything about this command; games and their options where it takes one."""
        if any(action.dest == "game" for action in self._actions):
            from ui.lobby.game_help import game_help

            self.epilog = game_help(self.words)
        return self._translated(super().format_help())

    def _translated(self, text: str) -> str:
        return text.replace("usage: ", self.words("usage.usage") + " ", 1)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Keep what was given, for a complaint that needs more than argparse says."""
        self._given = [*(sys.argv[1:] if args is None else args)]
        return super().parse_known_args(self._given, namespace)

    def error(self, message: str) -> NoReturn:
        """Say what was wrong with the command line, on one line, and where to read more."""
        complaint = (
            self._misplaced()
            or self._choice(message)
            or translate_error(self.words, message) + self._near(message)
        )
        see = self.words("usage.see", prog=self.prog)
        self.exit(WRONG_USAGE, f"{self.prog}: {' '.join(complaint.splitlines())}; {see}\n")

    def _misplaced(self) -> str:
        """That an option of some commands stands where it means nothing: before the command.

        argparse takes its value for the command.
        """
        isa, known = argparse._SubParsersAction, self._option_string_actions
        commands = next((each.choices for each in self._actions if isinstance(each, isa)), {})
        for given in takewhile(lambda each: each not in commands, self._given):
            option = given.partition("=")[0]
            owners = [n for n, c in commands.items() if option in c._option_string_actions]
            if owners and option not in known:
                names = self.words.listed(owners)
                return self.words("usage.misplaced", option=option, commands=names)
        return ""

    def _near(self, message: str) -> str:
        """Which option may have been meant by the first one that is none."""
        unknown, _, given = message.partition("unrecognized arguments: ")
        near = [] if unknown or not given.startswith("-") else get_close_matches(
            given.split()[0].partition("=")[0], sorted(self._every_option()), 1
        )  # fmt: skip
        return self.words("usage.near", near=near[0]) if near else ""

    def _every_option(self) -> Iterator[str]:
        """The options of this parser and of its commands."""
        for action in self._actions:
            yield from action.option_strings
            if isinstance(action, argparse._SubParsersAction):
                for command in action.choices.values():
                    yield from command._every_option()

    def _choice(self, message: str) -> str:
        found = _NO_CHOICE.match(message)
        if found is None:
            return ""
        choices = [each.strip(" '\"") for each in found["choices"].split(",")]
        given = found["given"].strip("'")
        near = _game_to_play(given, choices) or get_close_matches(given, choices, 1)
        says = self.words("usage.near", near=near[0]) if near else ""
        return self.words("usage.choice", name=found["name"], given=found["given"],
                          choices=", ".join(choices)) + says  # fmt: skip


def _game_to_play(given: str, choices: Sequence[str]) -> list[str]:
    """What was likely meant by the name of a game where a command is wanted."""
    from core.games import GAMES

    return [f"play {given}"] if given in GAMES and "play" in choices else []
