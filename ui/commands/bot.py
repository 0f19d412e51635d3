"""`bot [TABLE or HOST:PORT]`: a seat without a person, as a peer of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial

from ai.seats.bot import PACE_S, play_as_bot
from ai.seats.bot_terms import new_bot_terms
from core.errors import HostlessError
from core.table import RulesError
from p2p.base.errors import PeerError
from p2p.base.identity import IDENTITY_BYTES
from p2p.base.roster import BotTerms
from p2p.session.commands import JoinTable, Resume
from p2p.session.news import Accused, News, Notice, TableChanged
from p2p.table.node import NodeConfig, run_once
from ui.commands.foreign import foreign_player
from ui.commands.interruptible import run_interruptibly
from ui.commands.passwords import known_password
from ui.commands.person import config_of, words_of
from ui.language.error_texts import translate_error
from ui.language.text import Words
from ui.model.prompt import prompt
from ui.model.view_model import view_model
from ui.plain.loop import print_line
from ui.process.diagnosis import keep_off_the_screen, noting
from ui.process.sponsored import while_sponsored


def run(args: argparse.Namespace) -> int:
    """Sit down, play to the end, get up."""
    config = replace(config_of(args), sponsor=_sponsor(args.sponsor))
    if config.sponsor:
        keep_off_the_screen()  # Its standard error is `bot.log`: notices, and how it ended.
    joining = JoinTable(args.target, password=known_password(args))
    again = Resume(args.resume, is_taking_over=args.taking) if args.resume else None
    command = again or joining
    log = _Log(words_of(args), tells_course=not config.sponsor)
    try:
        if args.program is not None:
            return run_interruptibly(_seat_program, args, command, log, config)
        bot_terms = new_bot_terms(args.level, args.iterations)
        pace_s = PACE_S if args.pace is None else args.pace
        play = partial(
            play_as_bot, command, noting(log.report), config, bot_terms=bot_terms, pace_s=pace_s
        )
        run_interruptibly(partial(while_sponsored, play) if config.sponsor else play)
    except* (HostlessError, PeerError) as group:
        if not log.has_said(group):
            raise
        return_code = 1
    else:
        return_code = 0
    return return_code


async def _seat_program(
    args: argparse.Namespace, command: JoinTable | Resume, log: _Log, config: NodeConfig
) -> int:
    """Play the seat to the end; 1 when the program could not, and a bot has played on."""
    report = noting(log.report)
    async with foreign_player(args.program, report, level=args.level) as player:
        players = config.players._replace(mine=player.decide)
        playing = replace(config, players=players, bot_terms=BotTerms())
        await run_once(command, report, playing)
    return int(player.has_failed)


def _sponsor(text: str) -> bytes:
    """The identity of the peer that runs this bot on its machine; nobody's when empty."""
    try:
        sponsor = bytes.fromhex(text)
    except ValueError as error:
        raise RulesError("a sponsor is an identity in hexadecimal") from error
    if len(sponsor) not in (0, IDENTITY_BYTES):
        raise RulesError(f"a sponsor is an identity of {IDENTITY_BYTES} bytes")
    return sponsor


class _Log:
    """What somebody who runs a bot should know, each thing once: on standard error what is wrong.

    Where nobody else shows the table, standard output says that it plays, and how the game ended.
    """

    def __init__(self, words: Words, *, tells_course: bool = False) -> None:
        self._words, self._last = words, ""
        self._course = [self._begun, self._ended] if tells_course else []

    def has_said(self, group: BaseExceptionGroup[Exception]) -> bool:
        """Whether the one error in this group is what was printed last."""
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        return self._last == str(error)

    def report(self, news: News) -> None:
        """Print notices and accusations, that the game has begun and how it has ended."""
        if isinstance(news, TableChanged):
            while self._course and (line := self._course[0](news)):
                del self._course[0]
                print_line(line)
        elif isinstance(news, Notice):
            told = (translate_error(self._words, part) for part in (news.text, news.hint))
            self._say(self._words.parted(told), news.text)
        elif isinstance(news, Accused):
            self._say(f"{news.name}: {translate_error(self._words, news.sentence)}", news.sentence)

    def _begun(self, news: TableChanged) -> str:
        me, *_ = [seat.name for seat in news.seats if seat.link == "me"] or [""]
        others = self._words.listed(seat.name for seat in news.seats if seat.link != "me")
        game = self._words.name("game", news.view.game)
        return self._words("bot.begun", name=me, game=game, others=others)

    def _ended(self, news: TableChanged) -> str:
        return prompt(view_model(self._words, news)) if news.view.is_over else ""

    def _say(self, line: str, sentence: str) -> None:
        self._last = sentence
        print(f"hostless: {line}", file=sys.stderr, flush=True)
