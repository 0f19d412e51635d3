"""What the command line accepts: every command and option of the stable surface.

The options of all commands may stand before or after the name of the command.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from core.minds import LEVEL_NAMES
from core.table import RulesError
from p2p.limits import GRACE_S
from ui.diagnosis import LEVELS as LOG_LEVELS
from ui.diagnosis import version

_Adder: TypeAlias = Callable[[str, str], argparse.ArgumentParser]  # Name and text of a command.

WAIT_S: Final = 3.0  # How long `tables` listens.
COUNT_DIGITS_MAX: Final = 6
BOTS_PERCENT: Final = 10


def make_parser() -> argparse.ArgumentParser:
    """Every command and option of the stable surface."""
    everywhere = _everywhere()
    parser = argparse.ArgumentParser(
        prog="hostless", parents=[everywhere],
        description="A tabletop for the LAN that nobody hosts. Without a command: the screen.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"hostless {version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[everywhere])

    _add_tables_to_sit_at(command)
    _add_files_and_figures(command)
    return parser


def _everywhere() -> argparse.ArgumentParser:
    """The options that every command takes, before or after its name."""
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument("--home", type=Path, metavar="DIR", help="profile, keys and games")
    shared.add_argument("--as", dest="name_as", metavar="NAME", help="your name at the table")
    shared.add_argument("--lang", choices=("en", "ko", "ja"), help="language of the screen")
    shared.add_argument("--plain", action="store_true", help="lines of text, no screen")
    shared.add_argument("--ascii", action="store_true", help="no characters beyond ASCII")
    shared.add_argument("--seed", help="where something local is random; never a deck")
    shared.add_argument(
        "--log-level", choices=LOG_LEVELS, help="what goes to the log, and to standard error"
    )
    return shared


def _add_tables_to_sit_at(command: _Adder) -> None:
    play = command("play", "sit down at once against bots on this machine")
    play.add_argument("game", type=_game, metavar="GAME")
    play.add_argument("--seats", type=int, metavar="N")
    _add_level(play)
    _add_option(play)
    opening = command("open", "open a table on the LAN and take a seat")
    opening.add_argument("game", type=_game, metavar="GAME")
    opening.add_argument("--seats", type=int, metavar="N")
    opening.add_argument("--bots", type=int, default=0, metavar="N")
    _add_level(opening)
    opening.add_argument("--name", default="", metavar="NAME", help="name of the table")
    opening.add_argument(
        "--open-bots", action="store_true", help="bots that every machine computes, hands shown"
    )
    opening.add_argument(
        "--open-hands", action="store_true", help="everybody's keys are opened after the game"
    )
    _add_password(opening, "ask whoever sits down for a password")
    opening.add_argument(
        "--escrow", action="store_true",
        help="play on for a seat that falls silent; all others together could read its cards",
    )  # fmt: skip
    opening.add_argument(
        "--grace", type=_whole_seconds, default=GRACE_S, metavar="S",
        help="seconds to wait for it (60)",
    )  # fmt: skip
    _add_option(opening)
    tables = command("tables", "what is to be seen on the LAN")
    tables.add_argument("--wait", type=_seconds, default=WAIT_S, metavar="S", help="seconds")
    tables.add_argument("--json", action="store_true")
    for name, text in (("join", "take a seat"), ("watch", "look on")):
        joining = command(name, text)
        joining.add_argument("target", nargs="?", default="", metavar="TABLE or HOST:PORT")
        if name == "join":
            _add_password(joining, "the table asks for one")
    bot = command("bot", "a seat without a person, as a peer of its own")
    bot.add_argument("target", nargs="?", default="", metavar="TABLE or HOST:PORT")
    _add_level(bot)
    _add_password(bot, "the table asks for one")
    bot.add_argument("--command", dest="program", metavar="CMD", help="seats a foreign program")
    bot.add_argument("--resume", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    bot.add_argument("--sponsor", default="", help=argparse.SUPPRESS)
    bot.add_argument("--local", action="store_true", help=argparse.SUPPRESS)
    bot.add_argument("--pace", type=_seconds, metavar="S", help="least seconds for a choice")
    resume = command("resume", "sit down again after a crash, a quit, a moved machine")
    resume.add_argument("file", nargs="?", type=Path, metavar="FILE")


def _add_password(command: argparse.ArgumentParser, text: str) -> None:
    """Never the password itself: every process of this machine may read a command line."""
    text += "; it is typed, or taken from HOSTLESS_PASSWORD"
    command.add_argument("--password", action="store_true", help=text)


def _add_level(bots: argparse.ArgumentParser) -> None:
    bots.add_argument("--level", choices=LEVEL_NAMES, default="steady")
    bots.add_argument(
        "--iterations", type=_iterations, default=0, metavar="N",
        help="for each choice; without it the machine is measured when the table is laid",
    )  # fmt: skip


def _add_files_and_figures(command: _Adder) -> None:
    for name, text in (("audit", "check a game"), ("replay", "step through a game")):
        reading = command(name, text)
        reading.add_argument("file", type=Path, metavar="FILE")
        reading.add_argument("--json", action="store_true")
        if name == "audit":
            reading.add_argument(
                "--bots", type=_percent, default=BOTS_PERCENT, metavar="PERCENT",
                help="how many decisions of bots to do again (10); each costs what it cost the bot",
            )  # fmt: skip
    referee = command("referee", "the rules over JSON lines")
    referee.add_argument("game", type=_game, metavar="GAME")
    _add_arena(command)
    bench = command("bench", "figures beside the peers'")
    bench.add_argument("names", nargs="*", metavar="NAME")
    bench.add_argument("--json", action="store_true")
    command("serve", "the screen in a browser")
    doctor = command("doctor", "whether a table can be opened and found here")
    doctor.add_argument("--json", action="store_true")


def _add_arena(command: _Adder) -> None:
    arena = command("arena", "tournaments with confidence intervals and Elo")
    arena.add_argument("game", type=_game, metavar="GAME")
    arena.add_argument("--players", required=True, metavar="A,B[,C,D]")
    arena.add_argument("--games", type=int, required=True, metavar="N", help="in all")
    arena.add_argument("--seats", type=int, metavar="N", help="fewer: each meets each")
    arena.add_argument("--results", type=Path, metavar="FILE", help="kept, and gone on with")
    arena.add_argument("--elo1", type=float, metavar="E", help="stop when the first is so strong")
    arena.add_argument("--elo0", type=float, default=0.0, metavar="E", help="or only so strong")
    arena.add_argument("--alpha", type=float, default=0.05, metavar="P", help="wrongly elo1")
    arena.add_argument("--beta", type=float, default=0.05, metavar="P", help="wrongly elo0")
    arena.add_argument("--workers", type=int, metavar="N", help="processes; all cores")
    arena.add_argument("--dask", action="store_true", help="on a local Dask cluster")
    arena.add_argument("--json", action="store_true")
    _add_option(arena)


def _add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", action="append", nargs="+", default=[], metavar="K=V", help="a variant"
    )


def _game(text: str) -> str:
    from core.games import find_game

    try:
        return find_game(text).slug
    except RulesError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:  # So that "nan" is refused too.
        raise argparse.ArgumentTypeError(f"a time is a number of seconds, not {text[:40]!r}")
    return seconds


def _percent(text: str) -> int:
    if not text.isdecimal() or len(text) > COUNT_DIGITS_MAX or int(text) > 100:
        raise argparse.ArgumentTypeError(f"a share is 0 to 100 percent, not {text[:40]!r}")
    return int(text)


def _iterations(text: str) -> int:
    return _whole_number(text, "a number of iterations")


def _whole_seconds(text: str) -> int:
    return _whole_number(text, "a number of whole seconds")


def _whole_number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= COUNT_DIGITS_MAX):
        digits = f"1 to {COUNT_DIGITS_MAX} digits"
        raise argparse.ArgumentTypeError(f"{what} has {digits}, not {text[:40]!r}")
    return int(text)
