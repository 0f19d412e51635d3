"""`bot [TABLE or HOST:PORT]`: a seat without a person, as a peer of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial

import trio

from ai.bot import PACE_S, play_as_bot
from core.table import RulesError
from p2p.errors import HostlessError, PeerError
from p2p.identity import IDENTITY_BYTES
from p2p.news import Accused, JoinTable, News, Notice, Resume
from p2p.node import NodeConfig, run_once
from ui.commands.person import config_of
from ui.foreign import foreign_player


def run(args: argparse.Namespace) -> int:
    """Sit down, play to the end, get up."""
    config = replace(config_of(args), sponsor=_sponsor(args.sponsor))
    command = JoinTable(args.target) if args.resume is None else Resume(args.resume)
    log = Log()
    try:
        if args.program is not None:
            trio.run(_seat_program, args.program, command, log, config)
        else:
            play = partial(play_as_bot, level=args.level, pace_s=PACE_S)
            trio.run(play, command, log.report, config)
    except* (HostlessError, PeerError) as group:
        if not log.has_said(group):
            raise
        return_code = 1
    else:
        return_code = 0
    return return_code


async def _seat_program(
    program: str, command: JoinTable | Resume, log: Log, config: NodeConfig
) -> None:
    async with foreign_player(program) as player:
        playing = replace(config, player=player.decide, is_bot=True)
        await run_once(command, log.report, playing)


def _sponsor(text: str) -> bytes:
    """The identity of the peer that runs this bot on its machine; nobody's when empty."""
    try:
        sponsor = bytes.fromhex(text)
    except ValueError as error:
        raise RulesError("a sponsor is an identity in hexadecimal") from error
    if len(sponsor) not in (0, IDENTITY_BYTES):
        raise RulesError(f"a sponsor is an identity of {IDENTITY_BYTES} bytes")
    return sponsor


class Log:
    """What somebody who reads the standard error of a bot should know, each thing once."""

    def __init__(self) -> None:
        self._last = ""

    def has_said(self, group: BaseExceptionGroup[Exception]) -> bool:
        """Whether the one error in this group is what was printed last."""
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        return self._last == str(error)

    def report(self, news: News) -> None:
        """Print notices and accusations."""
        if isinstance(news, Notice):
            self._say(f"{news.text}; {news.hint}" if news.hint else news.text, news.text)
        elif isinstance(news, Accused):
            self._say(f"{news.name}: {news.sentence}", news.sentence)

    def _say(self, line: str, sentence: str) -> None:
        self._last = sentence
        print(f"hostless: {line}", file=sys.stderr, flush=True)
