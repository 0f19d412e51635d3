"""People at real nodes on this machine: links, files and proofs as in life, all in one process."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio

from core.errors import HostlessError
from core.requests import Action
from core.table import OptionValue
from p2p.audit.audit import audit_file
from p2p.base.entry import parse_entry
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.roster import DecisionPoint
from p2p.log.entries import place_of
from p2p.log.game_file import read_game
from p2p.log.secrets_file import SecretsFile
from p2p.log.shared import log_in
from p2p.session.commands import Command, JoinTable, OpenTable
from p2p.session.news import Accused, Gathering, News, Notice, TableChanged
from p2p.session.players import Players
from p2p.session.session import Session
from p2p.table.node import NodeConfig, run_once
from tests.limits import HANGS_S

NAMES: Final = ("ada", "grace", "mary", "rosa")
HERE: Final = "127.0.0.1"
PATIENCE_S: Final = HANGS_S

MakeSession = Callable[..., Session]


class Person:
    """Somebody with a home, an identity and a mind of their own, and all the news they heard."""

    def __init__(self, home: Path, name: str, seed: int, *, is_brief: bool = True) -> None:
        self.home, self.name = home, name
        self.rng = random.Random(seed)
        self.config = NodeConfig(home, Identity.load(home), name, Players(self.decide))
        self.is_brief = is_brief
        self.pause: trio.Event | None = None  # Until then nothing is chosen.
        self.news: list[News] = []
        self.failure: Exception | None = None
        self._grew = trio.Event()
        self._scope = trio.CancelScope()
        self.stopped = trio.Event()  # By `stop`.
        self.done = trio.Event()  # With the last command, whatever its end.

    async def decide(self, turn: DecisionPoint) -> Action:
        """What ends a game of Carta soon, or anything that is allowed."""
        if self.pause is not None:
            await self.pause.wait()
        actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        return shortest(turn, actions) if self.is_brief else self.rng.choice(actions)

    def receive(self, news: News) -> None:
        """Keep a piece of news."""
        self.news.append(news)
        self._grew.set()
        self._grew = trio.Event()

    async def until(self, holds: Callable[[News], bool]) -> News:
        """The first piece of news for which something holds."""
        seen = 0
        while True:
            for news in self.news[seen:]:
                if holds(news):
                    return news
            seen = len(self.news)
            await self._grew.wait()

    async def do(self, command: Command, make_session: MakeSession = Session) -> None:
        """Carry out one command to its end, or until `stop`; `failure` says how it went."""
        self.failure, self.done = None, trio.Event()
        config = replace(self.config, make_session=make_session)
        with trio.CancelScope() as self._scope:
            try:
                await run_once(command, self.receive, config)
            except (HostlessError, PeerError) as error:
                self.failure = error
        if self._scope.cancelled_caught:
            self.stopped.set()
        self.done.set()

    def stop(self) -> None:
        """Be gone, wherever the program stands."""
        self._scope.cancel()

    @property
    def port(self) -> int:
        """Where the table that I opened listens."""
        (first, *_) = [news for news in self.news if isinstance(news, Gathering)]
        return first.table.port

    @property
    def path(self) -> Path:
        """My game file."""
        (path,) = (self.home / "games").glob("*.hostless")
        return path

    @property
    def accused(self) -> list[str]:
        """Whom I heard named as a cheater."""
        return [news.name for news in self.news if isinstance(news, Accused)]

    @property
    def notices(self) -> list[str]:
        """What my screen told me."""
        return [news.text for news in self.news if isinstance(news, Notice)]

    @property
    def has_finished(self) -> bool:
        """Whether I saw the signed end of the game."""
        return any(isinstance(news, TableChanged) and news.is_finished for news in self.news)


def shortest(turn: DecisionPoint, actions: list[Action]) -> Action:
    """No effects, and one domain before the next: a third of the choices of a game by lot."""

    def place(action: Action) -> tuple[bool, bool, int]:
        face = turn.observation[action.cards[0]] if action.cards else 0
        return action.verb != "end", action.verb != "play", face

    return min(actions, key=place)


def people(folder: Path, count: int, seed: int = 0, *, is_brief: bool = True) -> list[Person]:
    """So many persons with homes in a folder."""
    return [
        Person(folder / name, name, seed + index, is_brief=is_brief)
        for index, name in enumerate(NAMES[:count])
    ]


@asynccontextmanager
async def sitting_down(
    party: list[Person],
    options: Mapping[str, OptionValue] | None = None,
    cheats: Mapping[int, MakeSession] | None = None,
    seats: int | None = None,
) -> AsyncIterator[trio.Nursery]:
    """Everybody at one table, seated in the order of the list; ends when all have got up."""
    made = cheats or {}
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            opened = OpenTable(
                "carta", seats or len(party), options=dict(options or {}), is_local=True
            )
            nursery.start_soon(party[0].do, opened, made.get(0, Session))
            await party[0].until(lambda news: isinstance(news, Gathering))
            for seat, person in enumerate(party[1:], 1):
                join = JoinTable(f"{HERE}:{party[0].port}", is_local=True)
                nursery.start_soon(person.do, join, made.get(seat, Session))
                await person.until(lambda news: isinstance(news, Gathering | TableChanged))
            yield nursery


async def play_a_while(
    party: list[Person], entries: int, cheats: Mapping[int, MakeSession] | None = None
) -> None:
    """Play until everybody has seen so many entries, then get up; see `check_one_log`."""
    async with sitting_down(party, cheats=cheats):
        for person in party:
            await person.until(has_entries(entries))
        for person in party:
            person.stop()


def has_entries(count: int) -> Callable[[News], bool]:
    """Whether a snapshot shows a log of so many entries."""
    return lambda news: isinstance(news, TableChanged) and news.fairness.entries >= count


def check_one_log(party: list[Person]) -> None:
    """All logs begin alike, an audit finds nothing, and nobody was accused."""
    short, *longer = sorted((log_in(person.path) for person in party), key=len)
    assert all(log[: len(short)] == short for log in longer)
    assert all(audit_file(person.path).holds for person in party)
    assert not any(person.accused for person in party)
    check_nothing_signed_twice(party)


def check_same_clean_files(party: list[Person]) -> None:
    """All have one log, and an audit finds a whole and honest game."""
    logs = {tuple(log_in(person.path)) for person in party}
    assert len(logs) == 1, f"{len(logs)} different logs of one game"
    report = audit_file(party[0].path)
    assert report.holds and report.is_finished, report
    assert not any(person.accused for person in party)
    check_nothing_signed_twice(party)


def check_nothing_signed_twice(party: list[Person]) -> None:
    """Over all files and vaults, no seat signed two entries that answer one log."""
    signed: dict[tuple[int, int, bytes], bytes] = {}
    for person in party:
        secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
        secrets.close()
        raws = [*secrets.entries, *(raw for _, raw in read_game(person.path).entries)]
        for entry in map(parse_entry, raws):
            known = signed.setdefault(place_of(entry), entry.hash)
            assert known == entry.hash, f"seat {entry.seat} answers {entry.height} entries twice"


def kinds(path: Path) -> Counter[str]:
    """How many entries of each kind a game file has."""
    return Counter(parse_entry(raw).kind for _, raw in read_game(path).entries)
