"""`bot [TABLE or HOST:PORT]`: a seat without a person, as a peer of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial

import trio

from ai.bot import PACE_S, play_as_bot
from core.table import RulesError
from p2p.errors import HostlessError
from p2p.identity import IDENTITY_BYTES
from p2p.news import Accused, JoinTable, News, Notice, Resume
from ui.commands.person import config_of


def run(args: argparse.Namespace) -> int:
    """Sit down, play to the end, get up."""
    if args.program is not None:
        raise HostlessError("foreign programs cannot be seated yet; leave --command out")
    config = replace(config_of(args), sponsor=_sponsor(args.sponsor))
    command = JoinTable(args.target) if args.resume is None else Resume(args.resume)
    trio.run(partial(play_as_bot, level=args.level, pace_s=PACE_S), command, report, config)
    return 0


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
