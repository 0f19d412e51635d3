"""Who sits down: home, name, language and identity, from the command line and the profile."""

from __future__ import annotations

import argparse
import getpass
import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import HostlessError
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.process.system import language_here
from ui.settings import Settings, are_settings_kept, load_settings, save_settings
from ui.terminal.charset import is_poor_terminal, is_utf8

if TYPE_CHECKING:
    from p2p.base.identity import Identity
    from p2p.table.node import NodeConfig

_GAMES_FOLDER: str = "games"
USE_HOME: str = "choose another place with --home DIR"
SOMEBODY: str = "somebody"  # Where the system knows no name either.


def home_of(args: argparse.Namespace) -> Path:
    """The folder with profile, keys and games."""
    given: Path | None = getattr(args, "home", None)
    if given is not None:
        return _expanded(given)
    from p2p.base.identity import default_home

    return default_home()


def _expanded(given: Path) -> Path:
    try:
        return given.expanduser()
    except RuntimeError as error:
        from p2p.base.identity import UnusableHome

        raise UnusableHome(f"nobody here has the home {given.parts[0]}", USE_HOME) from error


def words_for(arguments: Sequence[str]) -> Words:
    """Every sentence in the language of this start, before its command line is understood."""
    language, home = (_value_of(name, arguments) for name in ("--lang", "--home"))
    known = language if language in LANGUAGE_NAMES else None
    args = argparse.Namespace(lang=known, home=Path(home) if home else None)
    try:
        return words_of(args)
    except HostlessError:  # It is said as soon as it is known in which language.
        return load(known or language_here(os.environ))


def _value_of(option: str, arguments: Sequence[str]) -> str:
    for argument, following in zip_longest(arguments, arguments[1:], fillvalue=""):
        name, is_joined, value = argument.partition("=")
        if name == option:
            return value if is_joined else following
    return ""


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of this start: the kept ones, under what the command line and terminal say."""
    standard = Settings(language=language_here(os.environ))
    settings = load_settings(home_of(args), standard)
    language = getattr(args, "lang", None) or settings.language
    is_ascii = settings.is_ascii or getattr(args, "ascii", False) or is_poor_terminal()
    if is_ascii and not is_utf8() and language != "en":
        language = "en"  # Hangul and kana cannot be shown here at all.
    return replace(settings, language=language, is_ascii=is_ascii)


def words_of(args: argparse.Namespace) -> Words:
    """Every sentence, in the language of this start."""
    return load(settings_of(args).language)


def is_in_browser() -> bool:
    """Whether a tab of `serve` shows this program: Textual is told so by this variable."""
    return "TEXTUAL_DRIVER" in os.environ


def wants_lines(args: argparse.Namespace) -> bool:
    """Whether lines of text were asked for, or the terminal can show nothing else."""
    return bool(getattr(args, "plain", False)) or os.environ.get("TERM", "") == "dumb"


def name_of(args: argparse.Namespace) -> str:
    """The name others read."""
    from p2p.base.identity import Profile
    from p2p.base.names import NameRefused, clean_name

    given: str | None = getattr(args, "name_as", None)
    if given is not None:
        return given
    profile = Profile.load(home_of(args))
    if profile is not None:
        return profile.name
    try:
        return clean_name(getpass.getuser()[:32])
    except (OSError, KeyError, NameRefused):
        return SOMEBODY


def keep_first_choices(args: argparse.Namespace) -> None:
    """Keep the name of `--as` and the language of `--lang`, where there is none yet.

    In a home that has them they hold for this once: others may play on somebody's machine.

    Raises:
        HostlessError: it cannot be written.
    """
    from p2p.base.identity import Profile

    home, name = home_of(args), getattr(args, "name_as", None)
    if name is not None and Profile.load(home) is None:
        Profile(name, settings_of(args).language).save(home)
    language = getattr(args, "lang", None)
    if language is not None and not are_settings_kept(home):
        save_settings(home, Settings(language=language))


def identity_of(args: argparse.Namespace) -> Identity:
    """The key of this home.

    Raises:
        UnusableHome: it cannot be read or made.
    """
    from p2p.base.identity import Identity

    return Identity.load(home_of(args))


def config_of(args: argparse.Namespace) -> NodeConfig:
    """Who I am and what I bring to a table.

    Raises:
        HostlessError: the home cannot be used, or the name is none.
    """
    from ai.seats.open_bot import decide_openly, measure_here, prepare_openly, start_worker
    from ai.seats.program import PROGRAM
    from p2p.session.players import Players
    from p2p.table.node import NodeConfig
    from ui.commands.companions import Launcher

    home, name, identity = home_of(args), name_of(args), identity_of(args)
    return NodeConfig(
        home, identity, name,
        port=getattr(args, "listen_port", 0) or settings_of(args).port,
        launch_bot=Launcher(home, identity.public, getattr(args, "log_level", None)),
        players=Players(of_open_seats=decide_openly, wake=start_worker, prepare=prepare_openly),
        measure=measure_here, program=PROGRAM,
    )  # fmt: skip


def game_files(home: Path) -> tuple[Path, ...]:
    """The games kept in a home, the newest first."""
    from p2p.table.kept_games import newest_files

    return tuple(newest_files(home / _GAMES_FOLDER))
