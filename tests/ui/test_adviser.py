"""The adviser thinks about a person's choice in another process, when it is asked."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

import pytest
import trio
import trio.testing

from ai.advice.explain import Explanation, usual_iterations
from ai.games.dominion.finding import games_for
from ai.levels import SearchSettings
from ai.seats import brain as thinking
from ai.seats.brain import Brain, open_brain
from core.games import find_game
from core.table import Table
from p2p.base.roster import DecisionPoint
from p2p.session.commands import Browse, Command, Leave
from p2p.session.news import Notice
from tests.limits import HANGS_S
from tests.ui.fakes import PracticePort
from ui.backend.hints import FIRST_LOOK_ITERATIONS, Adviser, advised, explain_turn, get_ready
from ui.port import Explain, Explained, PublishNews, UiCommand, UiNews

DOMINION = find_game("dominion")


@pytest.fixture(autouse=True)
def _quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.backend.hints.LEVEL", "gentle")


class Said:
    """What was published; the first of it can be waited for."""

    def __init__(self) -> None:
        self.news: list[UiNews] = []
        self._something, self._final = trio.Event(), trio.Event()

    def publish(self, news: UiNews) -> None:
        self.news.append(news)
        self._something.set()
        if isinstance(news, Explained) and not news.is_first_look:
            self._final.set()

    async def first(self) -> UiNews:
        with trio.fail_after(HANGS_S):
            await self._something.wait()
        return self.news[0]

    async def final(self) -> list[UiNews]:
        """All that was published until a hint that nothing better follows."""
        with trio.fail_after(HANGS_S):
            await self._final.wait()
        return self.news


async def test_an_adviser_publishes_what_search_thinks_of_the_newest_question() -> None:
    first, second = PracticePort(seed=3).begin().turn(), PracticePort(seed=4).begin().turn()
    said = Said()
    async with trio.open_nursery() as nursery:
        adviser = Adviser(nursery, said.publish)
        adviser.ask(Explain(first))
        adviser.ask(Explain(second))
        explained = await said.first()
        nursery.cancel_scope.cancel()
    assert len(said.news) == 1
    assert isinstance(explained, Explained)
    assert [each.action for each in explained.explanation.prospects] == (
        second.game.legal_actions(second.table, 0, second.observation)
    )


async def test_a_person_has_a_first_look_before_the_hint() -> None:
    turn, said = PracticePort(seed=3).begin().turn(), Said()
    async with trio.open_nursery() as nursery:
        Adviser(nursery, said.publish).ask(Explain(turn))
        first, final = await said.final()
        nursery.cancel_scope.cancel()
    assert isinstance(first, Explained) and isinstance(final, Explained)
    assert (first.is_first_look, final.is_first_look) == (True, False)
    assert first.explanation.iterations <= FIRST_LOOK_ITERATIONS
    assert (first.entry, first.explanation.seat) == (final.entry, final.explanation.seat)


async def test_who_asks_for_a_level_has_one_answer() -> None:
    turn, said = PracticePort(seed=3).begin().turn(), Said()
    async with trio.open_nursery() as nursery:
        Adviser(nursery, said.publish).ask(Explain(turn, "gentle"))
        assert len(await said.final()) == 1
        nursery.cancel_scope.cancel()


async def test_where_a_hint_is_no_longer_than_a_first_look_there_is_none() -> None:
    turn, said = PracticePort(seed=3, game=find_game("civilization")).begin().turn(), Said()
    assert usual_iterations(turn.game, "gentle") <= FIRST_LOOK_ITERATIONS
    async with trio.open_nursery() as nursery:
        Adviser(nursery, said.publish).ask(Explain(turn))
        assert len(await said.final()) == 1
        nursery.cancel_scope.cancel()


async def test_nobody_waits_for_an_agenda_before_the_first_look() -> None:
    turn, brain = PracticePort(seed=3, game=DOMINION).begin().turn(), NotingBrain()
    with suppress(NotImplementedError):
        await explain_turn(brain, turn, "sharp", FIRST_LOOK_ITERATIONS)
    ((_, (*_, settings)),) = brain.asked
    assert isinstance(settings, SearchSettings) and games_for(settings.iterations) == 0


async def test_a_hint_is_the_same_whenever_it_is_asked() -> None:
    turn = PracticePort(seed=3).begin().turn()
    with trio.fail_after(HANGS_S):
        async with open_brain() as brain:
            first = await explain_turn(brain, turn, "gentle")
            assert await explain_turn(brain, turn, "gentle") == first


async def test_after_a_hint_without_a_thought_the_next_one_is_got_ready_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In Dominion a hint for a purchase looks for an agenda first, which takes seconds."""
    ready: list[tuple[Table, str]] = []

    async def note(brain: Brain, turn: DecisionPoint, level: str) -> None:
        ready.append((turn.table, level))

    monkeypatch.setattr("ui.backend.hints.get_ready", note)
    turns = [
        PracticePort(seed=3, game=DOMINION).begin().turn(),
        PracticePort(seed=3).begin().turn(),
    ]
    for turn in turns:
        said = Said()
        async with trio.open_nursery() as nursery:
            Adviser(nursery, said.publish).ask(Explain(turn, "gentle"))
            explained = await said.first()
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert isinstance(explained, Explained)
        assert bool(explained.explanation.iterations) is (turn is turns[1])
    assert ready == [(turns[0].table, "gentle")]


async def test_what_is_got_ready_is_what_the_next_hint_needs() -> None:
    """The same kingdom and the same budget: an agenda is kept by these."""
    turn = PracticePort(seed=3, game=DOMINION).begin().turn()
    brain = NotingBrain()
    await get_ready(brain, turn, "sharp")
    with suppress(NotImplementedError):
        await explain_turn(brain, turn, "sharp")
    (ready, first), (decide, then) = brain.asked
    assert (ready, decide) == (thinking.get_ready, thinking.think)
    assert first == (*then[:2], then[-1]), "game, table and settings"


class NotingBrain(Brain):
    """One that notes what it would have to do, and does nothing."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, tuple[object, ...]]] = []

    async def ask(self, work: Callable[..., object], *arguments: object) -> object:
        self.asked.append((work, arguments))
        if work is thinking.think:
            raise NotImplementedError
        return None


async def test_an_adviser_that_is_told_to_stop_kills_its_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    brains = kept_brains(monkeypatch)
    said = Said()
    async with trio.open_nursery() as nursery:
        adviser = Adviser(nursery, said.publish)
        adviser.ask(Explain(PracticePort(seed=3).begin().turn()))
        with trio.fail_after(HANGS_S):
            while not (brains and brains[0].workers_count):
                await trio.lowlevel.checkpoint()
            adviser.ask(Explain(None))
            while brains[0].workers_count:
                await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    assert said.news == []


def kept_brains(monkeypatch: pytest.MonkeyPatch) -> list[Brain]:
    """The brains that are opened from now on."""
    brains: list[Brain] = []
    begin = Brain.__init__

    def remember(self: Brain, *arguments: object) -> None:
        begin(self, *arguments)  # type: ignore[arg-type]
        brains.append(self)

    monkeypatch.setattr(Brain, "__init__", remember)
    return brains


async def test_a_worker_that_dies_is_one_line_and_can_be_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def die(brain: Brain, turn: DecisionPoint, level: str, most: int) -> Explanation:
        await brain._workers.run_sync(os._exit, 9)
        raise AssertionError("nobody survives this")

    monkeypatch.setattr("ui.backend.hints.explain_turn", die)
    said = Said()
    async with trio.open_nursery() as nursery:
        Adviser(nursery, said.publish).ask(Explain(PracticePort(seed=3).begin().turn()))
        notice = await said.first()
        nursery.cancel_scope.cancel()
    assert isinstance(notice, Notice)
    assert notice.text == "the hint was lost: its process has ended"


async def test_the_node_gets_the_commands_and_the_adviser_the_questions() -> None:
    heard: list[Command] = []

    async def node(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        heard.extend([command async for command in commands])

    said = Said()
    uplink, asked = trio.open_memory_channel[UiCommand](8)
    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(advised(node), asked, said.publish)
            await uplink.send(Browse())
            await uplink.send(Explain(PracticePort(seed=3).begin().turn()))
            explained = await said.first()
            await uplink.send(Leave())
            await uplink.aclose()
    assert heard == [Browse(), Leave()]
    assert isinstance(explained, Explained)
