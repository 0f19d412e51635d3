"""`bot`: a seat without a person, as a peer of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial

import trio

from ai.bot import PACE_S, play_as_bot
from p2p.errors import HostlessError
from p2p.news import Accused, JoinTable, News, Notice, Resume
from ui.commands.person import config_of


def run(args: argparse.Namespace) -> int:
    """Sit down, play to the end, get up."""
    if args.program is not None:
        raise HostlessError("foreign programs cannot take a seat yet; leave --command out")
    config = replace(config_of(args), launch_bot=None, sponsor=_sponsor(args.sponsor))
    command = Resume(args.resume) if args.resume else JoinTable(args.target, is_local=args.local)
    pace_s = PACE_S if args.pace is None else args.pace
    trio.run(partial(play_as_bot, command, _tell, config, level=args.level, pace_s=pace_s))
    return 0


def _sponsor(text: str) -> bytes:
    """The identity of the peer that runs us.

    Raises:
        HostlessError: it is not hexadecimal; only our own program passes it.
    """
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise HostlessError("--sponsor takes an identity in hexadecimal digits") from error


def _tell(news: News) -> None:
    match news:
        case Notice(text, hint):
            print(f"hostless: {text} {hint}".rstrip(), file=sys.stderr)
        case Accused(sentence=sentence):
            print(f"hostless: {sentence}", file=sys.stderr)
