"""What the command line accepts: every command and option of the stable surface.

The options of all commands may stand before or after the name of the command.  What each is for
stands in `locales/usage.LANGUAGE.toml`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from core.bot_levels import BOT_LEVELS
from p2p.base.limits import GRACE_S
from ui.commandline import arguments
from ui.commandline.completion import SHELLS, PrintCompletion
from ui.commandline.parser import Parser
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.process.diagnosis import LOG_LEVELS as LOG_LEVELS
from ui.process.diagnosis import version

_Adder: TypeAlias = Callable[[str], Parser]  # A command by its name.

WAIT_S: Final = 3.0  # How long `tables` listens.
BOTS_PERCENT: Final = 10
SERVE_HOST: Final = "127.0.0.1"  # Whoever opens the page plays with the keys of this machine.
SERVE_PORT: Final = 27487


def make_parser(words: Words | None = None) -> Parser:
    """Every command and option, explained in the language of `words`."""
    words = words or load("en")
    parser = Parser(words, prog="hostless", description=words("usage.hostless"))
    parser.add_argument("--version", action="version", version=f"hostless {version()}")
    parser.add_argument("--print-completion", action=PrintCompletion, choices=SHELLS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", help=words("usage.command"))

    def command(name: str) -> Parser:
        text = words(f"usage.{name}")
        return commands.add_parser(name, words=words, about=name, help=text, description=text)

    _add_tables_to_sit_at(command)
    _add_files_and_figures(command)
    for each in (parser, *commands.choices.values()):
        _add_everywhere(each)
    return parser


def _add_everywhere(parser: Parser) -> None:
    """The options that every command takes, before or after its name."""
    unless_given = {"default": argparse.SUPPRESS}  # What stood before the name stays.
    parser.add_argument("--home", type=Path, metavar="DIR", **unless_given)
    parser.add_argument(
        "--as", dest="name_as", type=arguments.player_name, metavar="NAME", **unless_given
    )
    parser.add_argument("--lang", choices=tuple(LANGUAGE_NAMES), **unless_given)
    parser.add_argument("--plain", action="store_true", **unless_given)
    parser.add_argument("--ascii", action="store_true", **unless_given)
    parser.add_argument("--seed", metavar="S", **unless_given)
    parser.add_argument("--log-level", choices=LOG_LEVELS, **unless_given)


def _add_tables_to_sit_at(command: _Adder) -> None:
    play = command("play")
    _add_game(play)
    _add_level(play)
    _add_option(play)
    _add_game(command("learn"), has_seats=False)
    opening = command("open")
    _add_game(opening)
    opening.add_argument("--bots", type=arguments.whole, default=0, metavar="N")
    _add_level(opening)
    opening.add_argument("--name", type=arguments.player_name, metavar="NAME")
    opening.add_argument("--open-bots", action="store_true")
    opening.add_argument("--open-hands", action="store_true")
    _add_password(opening)
    opening.add_argument("--escrow", action="store_true")
    opening.add_argument("--grace", type=arguments.grace, default=GRACE_S, metavar="S")
    opening.add_argument("--clock", type=arguments.clock, metavar="M+S")
    _add_option(opening)
    _add_port(opening)
    tables = command("tables")
    tables.add_argument("--wait", type=arguments.seconds, default=WAIT_S, metavar="S")
    tables.add_argument("--json", action="store_true")
    joining = command("join")
    _add_target(joining)
    _add_password(joining)
    _add_port(joining)
    _add_target(command("watch"))
    bot = command("bot")
    _add_target(bot)
    _add_level(bot)
    _add_password(bot)
    bot.add_argument("--command", dest="program", metavar="CMD")
    bot.add_argument("--resume", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    bot.add_argument("--take-over", dest="taking", action="store_true", help=argparse.SUPPRESS)
    bot.add_argument("--sponsor", default="", help=argparse.SUPPRESS)
    bot.add_argument("--local", action="store_true", help=argparse.SUPPRESS)
    bot.add_argument("--pace", type=arguments.seconds, metavar="S")
    _add_port(bot)
    resume = command("resume")
    resume.add_argument("file", nargs="?", type=Path, metavar="FILE")
    resume.add_argument(
        "--at", action="append", type=arguments.address, default=[], metavar="HOST:PORT"
    )
    _add_port(resume)
    resume.add_argument("--take-over", dest="taking", action="store_true")


def _add_game(parser: Parser, *, has_seats: bool = True) -> None:
    parser.add_argument("game", type=arguments.game, metavar="GAME")
    if has_seats:
        parser.add_argument("--seats", type=arguments.whole, metavar="N")


def _add_target(parser: Parser) -> None:
    metavar = "TABLE or HOST:PORT"
    parser.add_argument("target", nargs="?", type=arguments.target, default="", metavar=metavar)


def _add_port(parser: Parser) -> None:
    parser.add_argument("--port", dest="listen_port", type=arguments.port, default=0, metavar="N")


def _add_password(parser: Parser) -> None:
    """Never the password itself: every process of this machine may read a command line."""
    parser.add_argument("--password", action="store_true")


def _add_level(bots: Parser) -> None:
    metavar = "LEVEL[+STYLE]"
    bots.add_argument("--level", choices=BOT_LEVELS, default="steady", metavar=metavar)
    bots.add_argument("--iterations", type=arguments.iterations, default=0, metavar="N")


def _add_option(parser: Parser) -> None:
    parser.add_argument("--option", action="append", nargs="+", default=[], metavar="K=V")


def _add_files_and_figures(command: _Adder) -> None:
    auditing, replaying = command("audit"), command("replay")
    auditing.add_argument("files", type=Path, nargs="+", metavar="FILE")
    replaying.add_argument("file", type=Path, metavar="FILE")
    replaying.add_argument("--review", type=arguments.whole, metavar="SEAT")
    replaying.add_argument("--play-on", type=arguments.whole, metavar="N")
    for reading in (auditing, replaying):
        reading.add_argument("--json", action="store_true")
    auditing.add_argument("--bots", type=arguments.percent, default=BOTS_PERCENT, metavar="PERCENT")
    _add_game(command("referee"), has_seats=False)
    _add_arena(command("arena"))
    bench = command("bench")
    bench.add_argument("names", nargs="*", metavar="NAME")
    bench.add_argument("--json", action="store_true")
    serving = command("serve")
    serving.add_argument("--host", dest="serve_host", default=SERVE_HOST, metavar="HOST")
    serving.add_argument(
        "--port", dest="serve_port", type=arguments.port, default=SERVE_PORT, metavar="N"
    )
    command("doctor").add_argument("--json", action="store_true")


def _add_arena(arena: Parser) -> None:
    _add_game(arena)
    arena.add_argument("--players", required=True, metavar="A,B[,C,D]")
    arena.add_argument("--games", type=arguments.whole, required=True, metavar="N")
    arena.add_argument("--results", type=Path, metavar="FILE")
    arena.add_argument("--only", type=arguments.whole, metavar="N")
    arena.add_argument("--elo1", type=arguments.decimal, metavar="E")
    arena.add_argument("--elo0", type=arguments.decimal, metavar="E")
    arena.add_argument("--alpha", type=arguments.decimal, metavar="P")
    arena.add_argument("--beta", type=arguments.decimal, metavar="P")
    arena.add_argument("--workers", type=arguments.whole, metavar="N")
    arena.add_argument("--dask", nargs="?", const="", type=arguments.scheduler, metavar="ADDRESS")
    arena.add_argument("--json", action="store_true")
    _add_option(arena)
