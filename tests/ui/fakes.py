"""A table without a network: the real rules, one person's seat, and dice for the others.

The screen cannot tell it from a node: commands in, news out.  The same seed, the same game.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any

from ai.advice.win_probability import TurningPoint, WinCurve
from core.chance import Chance
from core.engine import next_request, shuffle_deal, start
from core.game import Game
from core.games import find_game
from core.narrate import Narrator
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Opened,
    Over,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import HIDDEN
from core.view import offers, view
from p2p.base.roster import DecisionPoint
from p2p.net.discovery import TableAd
from p2p.net.people import SOME_TABLE, Neighbor
from p2p.session.commands import Choose, OpenTable
from p2p.session.news import Fairness, Gathering, PeopleSeen, SeatState, TableChanged
from ui.port import UiCommand, UiNews, WinCurveTraced

NAMES = ("ada", "grace", "alan", "edsger", "barbara", "donald")
WORDS = ("amber falcon river stone", "quiet maple north drum", "copper lark early tide",
         "velvet oak seven mile", "silver fern lost cove", "tidy wren oak gate")  # fmt: skip
PATH = Path("2026-11-21-carta-amber.hostless")


def ui(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs on asyncio, as the screen does; pytest-trio must not see it."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


def some_ad(name: str = "amber-falcon-42", taken: int = 2, seats: int = 3) -> TableAd:
    """A table on the LAN."""
    return TableAd(
        table_id=name.encode().hex()[:16], name=name, game="carta", seats=seats, taken=taken,
        opener=b"\x01" * 32, host="192.168.7.12", port=40123, options="deal=basic",
        heard_by="dns-sd",
    )  # fmt: skip


def some_seats(players: int, me: int = 0) -> tuple[SeatState, ...]:
    """Somebody on every seat; the last one is a bot."""
    return tuple(
        SeatState(NAMES[seat], WORDS[seat], "me" if seat == me else "up",
                  is_bot=seat == players - 1 and seat != me)
        for seat in range(players)
    )  # fmt: skip


def some_gathering() -> Gathering:
    """A table with a free seat."""
    seats = (*some_seats(3)[:2], SeatState("", "", "free"))
    return Gathering(some_ad(), 0, seats)


@dataclass
class PracticePort:
    """A `Port`: it plays a whole game with whoever holds it, and remembers what it was asked."""

    publish: Callable[[UiNews], object] = lambda news: None
    seed: int = 7
    players: int = 3
    options: dict[str, Any] = field(default_factory=dict)
    me: int = 0
    game: Game = field(default_factory=lambda: find_game("carta"))
    sent: list[UiCommand] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.is_running = False

    def send(self, command: UiCommand) -> None:
        """Remember it; a table is opened, a choice is made, the rest does nothing."""
        self.sent.append(command)
        if isinstance(command, OpenTable):
            self.players = command.seats
            self.begin()
            self.publish(self.news())
        elif isinstance(command, Choose) and command.event_count == self.entry:
            self.answer(command.action)
            self.publish(self.news())

    def begin(self) -> PracticePort:
        """Deal."""
        self.chance = Chance(self.seed)
        self.table = start(self.game, self.players, self.options)
        self.request = next_request(self.game, self.table)
        self.deal = [face if face != HIDDEN else 0 for face in self.table.face]
        self.narrator = Narrator(self.game)
        self._kinds = Counter[str]()  # Of the lines that were told until now.
        self.entry = 0
        self.history: list[tuple[Request, Event]] = []
        self.is_running = True
        self._go_on()
        return self

    def answer(self, action: Action) -> None:
        """My choice, and everything that follows from it without me."""
        if isinstance(self.request, Secret):
            others = {seat: self._any(seat) for seat in self.request.players}
            others[self.me] = action
            self._feed(Opened(tuple(others[seat] for seat in self.request.players)))
        else:
            self._feed(Chosen(action))
        self._go_on()

    def play(self, choices: int) -> PracticePort:
        """Let dice choose for me too, so many times or to the end."""
        for _ in range(choices):
            if isinstance(self.request, Over):
                break
            self.answer(self._any(self.me))
        return self

    def play_until(self, is_there: Callable[[TableChanged], bool]) -> PracticePort:
        """Let dice choose for me until the picture is a certain one."""
        while not isinstance(self.request, Over) and not is_there(self.news()):
            self.answer(self._any(self.me))
        return self

    def news(self) -> TableChanged:
        """The picture of my seat."""
        observation = self.observation(self.me)
        seen = view(self.game, self.table, self.request, observation, self.me)
        seats, kinds = some_seats(self.players, self.me), self._counted()
        return TableChanged(
            event_count=self.entry,
            view=seen,
            seats=seats,
            lines=tuple(self.narrator.lines),
            fairness=Fairness(kinds["shuffled"] * self.players, kinds["drawn"], 0, 0, self.entry),
            path=PATH,
            is_finished=isinstance(self.request, Over),
            turn=self.turn() if seen.offers else None,
        )

    def _counted(self) -> Counter[str]:
        """How many lines there are of each kind; those of before are not counted again."""
        new = self.narrator.lines[self._kinds.total() :]
        self._kinds.update(line.kind for line in new)
        return self._kinds

    def looked_on(self) -> TableChanged:
        """The picture of somebody who has no seat."""
        seen = view(self.game, self.table, self.request, self.table.face, None)
        return replace(self.news(), view=seen, seats=some_seats(self.players, me=-1), turn=None)

    def turn(self) -> DecisionPoint:
        """The open choice of my seat."""
        table, observation = self.table.copy(), self.observation(self.me)
        return DecisionPoint(self.game, table, observation, self.me, self.entry, seed=self.seed)

    def observation(self, seat: int) -> list[int]:
        table, bit = self.table, 1 << seat
        return [
            face if face != HIDDEN else dealt if seen & bit else HIDDEN
            for face, dealt, seen in zip(table.face, self.deal, table.seen, strict=True)
        ]

    def _any(self, seat: int) -> Action:
        """Dice, but with a liking for what is already collected, so that games have a shape."""
        given = offers(self.game, self.table, self.observation(seat), seat)
        ends = [offer for offer in given if offer.action.verb == "end"]
        if ends and self.chance.below(5):
            return ends[0].action
        plays = [offer for offer in given if offer.action.verb == "play"]
        if plays and self.chance.below(5):
            return max(plays, key=lambda offer: self._count(seat, offer.text.split()[-1])).action
        return self.chance.pick(given).action

    def _count(self, seat: int, face: str) -> int:
        if f"seat{seat}.{face}" not in self.table.layout.zone_index:
            return 0
        return len(self.table.zones[self.table.layout.zone_index[f"seat{seat}.{face}"]])

    def _go_on(self) -> None:
        while (event := self._answer_to(self.request)) is not None:
            self._feed(event)

    def _answer_to(self, request: Request) -> Event | None:
        match request:
            case Choice(player) if player != self.me:
                return Chosen(self._any(player))
            case Secret(players) if self.me not in players:
                return Opened(tuple(self._any(player) for player in players))
            case Reveal(cards, player):
                return Revealed(tuple(self.deal[card] for card in cards) if player is None else ())
            case Shuffle(piles, _):
                for pile in piles:
                    shuffle_deal(self.deal, pile, self.chance)
                return Shuffled()
            case Roll(sides):
                return Rolled(self.chance.below(sides))
        return None

    def _feed(self, event: Event) -> None:
        before, self.narrator.reader = self.request, self.me
        self.history.append((before, event))
        # What is known before it matters of cards that are chosen, and nothing else takes so long.
        seen = self.observation(self.me) if isinstance(event, Chosen | Opened) else None
        self.request = self.narrator.apply(self.table, before, event, seen)
        self.entry += 1


def with_fairness(news: TableChanged, fairness: Fairness) -> TableChanged:
    """The same picture with other proofs."""
    return replace(news, fairness=fairness)


def some_people() -> PeopleSeen:
    """Somebody in the lobby, at the first table of it, and at a table that is not announced."""
    at_table = Neighbor(b"g" * 32, "grace", some_ad().key)
    elsewhere = Neighbor(b"c" * 32, "cleo", SOME_TABLE)
    return PeopleSeen((Neighbor(b"b" * 32, "bert"), at_table, elsewhere))


def _moved(chances: tuple[int, int, int], best: int) -> tuple[int, int, int]:
    """The last of three chances at the place of the best seat, the others in their order."""
    first, second, last = chances
    return ((last, first, second), (first, last, second), chances)[best]


def a_trend(news: TableChanged | None = None) -> WinCurveTraced:
    """How a game of three seats went: the first fell back, the third won.

    Where the news of a game that is over are given, its winner was the one that came up, and it
    turned with something that this seat chose.
    """
    first = [333, 340, 380, 400, 420, 390, 350, 360, 180, 140, 120, 90, 60, 0]
    second = [333, 330, 300, 310, 280, 250, 300, 290, 220, 200, 160, 120, 80, 0]
    chances = tuple((a, b, 1000 - a - b) for a, b in zip(first, second, strict=True))
    turned: TurningPoint | None = TurningPoint(8, 20, 24, 350, 600)
    if news is not None and len(news.view.winners) != 1:
        chances, turned = ((333, 333, 334),) * len(first), None
    elif news is not None:
        best = news.view.winners[0]
        chances = tuple(_moved(each, best) for each in chances)
        chosen = [each.entry for each in news.lines if (each.kind, each.seat) == ("chosen", best)]
        entry = chosen[len(chosen) // 2]
        turned = TurningPoint(8, entry, entry + 1, 350, 600)
    return WinCurveTraced(PATH, WinCurve(tuple(range(1, len(first) + 1)), chances, turned))
