#!/usr/bin/env python3
"""The manual page of hostless, written from its parser.

    python scripts/manual.py           writes docs/guide/hostless.1
    man docs/guide/hostless.1                reads it

A test holds the page against the parser, so it is written anew with every option.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# The folder of a script is not searched when PYTHONSAFEPATH is set.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import environment

if __name__ == "__main__":
    environment.enter()

from ui.commandline.parser import Parser
from ui.commandline.surface import make_parser
from ui.language.text import load
from ui.lobby.game_help import game_help

PAGE: Final = environment.ROOT / "docs" / "guide" / "hostless.1"
ENVIRONMENT: Final = {
    "HOSTLESS_PASSWORD": "the password of a table, where nobody can type it",
    "HOSTLESS_INTERFACES": "names of network interfaces, with commas; no other is used",
    "HOSTLESS_PLAIN": "1 keeps a clone to its plain source, without compiling",
    "TERM": "dumb: lines of text, as with --plain",
    "LANG": "language and characters, unless --lang or the settings say otherwise",
}
FILES: Final = {
    "games/*.hostless": "one file a game: save game, replay, evidence and bug report",
    "games/*.secret": "what only this seat knows of a game; never give it away",
    "identity.pem": "the key by which others know you; never give it away",
    "hostless.log": "what happened, and why a link was refused, lost or closed; "
    "hostless.log.1 to .3 are older",
}
CODES: Final = {
    "0": "done",
    "1": "the thing asked for did not hold",
    "2": "wrong usage",
    "130": "interrupted",
}


def page() -> str:
    """The whole page, in roff with the man macros."""
    parser = make_parser(load("en"))
    return "\n".join([*_lines(parser), ""])


def _lines(parser: Parser) -> Iterator[str]:
    yield '.TH HOSTLESS 1 "" "hostless" "User Commands"'
    yield from (".SH NAME", r"hostless \- a tabletop for the LAN that nobody hosts")
    yield from (".SH SYNOPSIS", r".B hostless", r"[\fIoptions\fR] [\fICOMMAND\fR ...]")
    yield from (".SH DESCRIPTION", _plain(parser.description or ""))
    yield ".SH OPTIONS"
    yield from _options(parser)
    yield ".SH COMMANDS"
    for name, command in _commands(parser).items():
        yield from (f".SS {_plain(name)} {_arguments(command)}".rstrip(), _sentence(command))
        yield from _options(command, but=_names(parser))
    yield from (".SH GAMES", ".nf", _plain(game_help(load("en"))), ".fi")
    for title, entries in (("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", CODES)):
        yield f".SH {title}"
        yield from _list(entries)
    yield from (".SH FILES", "In the folder of the profile, or that of")
    yield from (r".BR \-\-home :", *_list(FILES))


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = [each for each in parser._actions if each.dest == "command"]
    assert isinstance(commands.choices, dict), "commands are parsers by their names"
    return commands.choices


def _names(parser: argparse.ArgumentParser) -> set[str]:
    """What every command takes, and is said once."""
    return {each.dest for each in parser._actions}


def _sentence(command: argparse.ArgumentParser) -> str:
    text = command.description or ""
    return _plain(text[:1].upper() + text[1:] + ".")


def _arguments(command: argparse.ArgumentParser) -> str:
    named = [each for each in command._actions if not each.option_strings]
    return " ".join(rf"\fI{_plain(str(each.metavar))}\fR" for each in named)


def _options(parser: argparse.ArgumentParser, but: set[str] | None = None) -> Iterator[str]:
    for action in parser._actions:
        is_said = action.dest in (but or ()) or action.help == argparse.SUPPRESS
        if is_said or action.dest == "command":
            continue
        names = ", ".join(rf"\fB{_plain(name)}\fR" for name in action.option_strings)
        yield ".TP"
        yield " ".join(filter(None, [names, _value(action)]))
        yield _plain((action.help or "").replace("%%", "%"))


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if action.choices is not None and action.metavar is None:
        return "{" + ", ".join(map(_plain, map(str, action.choices))) + "}"
    return rf"\fI{_plain(str(action.metavar))}\fR"


def _list(entries: dict[str, str]) -> Iterator[str]:
    for name, text in entries.items():
        yield from (".TP", rf"\fB{_plain(name)}\fR", _plain(text))


def _plain(text: str) -> str:
    """Text in which roff sees no commands."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line
                     for line in escaped.splitlines())  # fmt: skip


def main(arguments: list[str]) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser("manual.py", description="Write docs/guide/hostless.1 anew.")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where to write it")
    parser.parse_args(arguments).page.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
