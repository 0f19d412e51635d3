"""What is said at the door of a running game, to whoever looks on, and to a bot that sits down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import trio
from trio.testing import MockClock

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.base.roster import BotTerms, Roster
from p2p.base.wire import encode
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from p2p.net.link import Address, Link
from p2p.session.news import Gathering, News
from p2p.session.session import Session
from p2p.table.guest import Guest, take_seat
from p2p.table.mesh import Mesh
from p2p.table.router import LinkRouter
from p2p.table.terms import check_bot_terms
from p2p.table.watching import look_on
from tests.fuzz.seats import SEAT, Silent
from tests.fuzz.strangers import (
    Caller,
    NeverPlayed,
    check_news,
    check_shown,
    hearing,
    said_by_openers,
)
from tests.fuzz.target import Target
from tests.fuzz.worlds import begun, finished
from tests.p2p.room import BOT_TERMS
from ui.language.text import load
from ui.plain.presenter import PlainPresenter


def door_of_a_game() -> Target:
    """What a seat, and anybody else, says first to a machine that plays."""
    room = begun("share", 0)
    replica, theirs = room.replicas[2], room.replicas[SEAT]
    unkept = SimpleNamespace(path=Path("game"), count=len(replica.log), last=b"")
    game_file = cast("GameFile", unkept)
    assert theirs.identity is not None and replica.identity is not None

    def receive(messages: list[object]) -> None:
        async def welcome() -> None:
            session = Session(replica, game_file, Silent(), check_news)
            door = LinkRouter(4000, check_news)
            door.meet(session, Mesh(session, (replica.identity, "ada")))
            caller = Caller(messages)
            caller.peer = room.identities[SEAT].public
            await door._welcome(cast("Link", caller))

        trio.run(welcome, clock=MockClock(autojump_threshold=0))

    session = Session(theirs, game_file, Silent(), lambda _: None)
    elsewhere = Session(replica, game_file, Silent(), lambda _: None).instances.mine()
    mesh = ["mesh", replica.game_id, session.instances.mine()]
    samples: list[list[object]] = [
        [mesh, ["meshed"], ["have", 0]],
        [mesh, ["busy", elsewhere, "10.77.0.9"]],
        [mesh, ["fenced", session.instances.mine()]],
        [["mesh", replica.game_id, [SEAT, 0, bytes(16), bytes(64)]]],  # Nobody has signed that.
        [["watch"]],
        [["sit", "bob", bytes(32), None, b"", 4000]],
    ]
    return Target(hearing(receive), [encode(each) for each in samples], "cbor")


def spectator() -> Target:
    """What a table shows to somebody who looks on, up to the lines that a person reads."""
    presenter_words, shown = load("en"), list[News]()

    def receive(messages: list[object]) -> None:
        async def look() -> None:
            presenter = PlainPresenter(presenter_words)

            def hear(news: News) -> None:
                check_shown(presenter.receive(news))
                shown.append(news)

            await look_on(cast("Link", Caller(messages)), hear)

        trio.run(look, clock=MockClock(autojump_threshold=0))

    room = finished()
    entries: list[object] = [["entry", each.raw] for each in room.replicas[0].log[:12]]
    begin = ["roster", room.roster.plain(), []]
    beside: list[object] = ["beside", [0], [[1, "nobody", None]], [], [0, 2, 1, [1]]]
    samples: list[list[object]] = [
        [begin, *entries, beside], [["refused", "the game has begun"]],
    ]  # fmt: skip
    hears = hearing(receive, HostlessError, PeerError)

    def read(said: bytes) -> bool:
        """Every table closes in the end; what was shown until then is what counts."""
        shown.clear()
        hears(said)
        return bool(shown)

    return Target(read, [encode(each) for each in samples], "cbor")


def opener_to_a_bot() -> Target:
    """What somebody says at whose table a bot of ours sits down, up to the game that begins."""
    presenter_words = load("en")
    mine = replace(finished().roster.seats[1], bot_terms=replace(BOT_TERMS, iterations=0))

    def tell(gathering: Gathering) -> None:
        check_shown(PlainPresenter(presenter_words).receive(gathering))

    def keep(roster: Roster, _: list[Address]) -> NeverPlayed:
        check_bot_terms(roster, BOT_TERMS.program)
        Replica(roster)
        return NeverPlayed()

    async def measure(bot_terms: BotTerms, game: str, seats: int) -> BotTerms:
        await trio.lowlevel.checkpoint()
        return replace(bot_terms, iterations=BOT_TERMS.iterations)

    def receive(messages: list[object]) -> None:
        async def sit() -> None:
            caller = cast("Link", Caller(messages))
            await take_seat(caller, Guest(mine, 4000, tell, keep, measure))

        trio.run(sit, clock=MockClock(autojump_threshold=0))

    return Target(hearing(receive, HostlessError), said_by_openers(), "cbor")
