"""`bot [TABLE or HOST:PORT]`: a seat without a person, as a peer of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial

import trio

from ai.bot import PACE_S, play_as_bot
from core.table import RulesError
from p2p.identity import IDENTITY_BYTES
from p2p.news import Accused, JoinTable, News, Notice, Resume
from p2p.node import NodeConfig, run_once
from ui.commands.person import config_of
from ui.foreign import foreign_player


def run(args: argparse.Namespace) -> int:
    """Sit down, play to the end, get up."""
    config = replace(config_of(args), sponsor=_sponsor(args.sponsor))
    command = JoinTable(args.target) if args.resume is None else Resume(args.resume)
    if args.program is not None:
        trio.run(_seat_program, args.program, command, config)
    else:
        trio.run(partial(play_as_bot, level=args.level, pace_s=PACE_S), command, report, config)
    return 0


async def _seat_program(program: str, command: JoinTable | Resume, config: NodeConfig) -> None:
    async with foreign_player(program) as player:
        playing = replace(config, player=player.decide, is_bot=True)
        await run_once(command, report, playing)


def _sponsor(text: str) -> bytes:
    """The identity of the peer that runs this bot on its machine; nobody's when empty."""
    try:
        sponsor = bytes.fromhex(text)
    except ValueError as error:
        raise RulesError("a sponsor is an identity in hexadecimal") from error
    if len(sponsor) not in (0, IDENTITY_BYTES):
        raise RulesError(f"a sponsor is an identity of {IDENTITY_BYTES} bytes")
    return sponsor


def report(news: News) -> None:
    """What somebody who reads the log of a bot should know."""
    if isinstance(news, Notice):
        print(f"{news.text} {news.hint}".rstrip(), file=sys.stderr, flush=True)
    elif isinstance(news, Accused):
        print(f"{news.name}: {news.sentence}", file=sys.stderr, flush=True)
