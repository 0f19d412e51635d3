"""Thinking in another process: the same thoughts, and nobody waits."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import outcome
import pytest
import trio
import trio.testing
import trio_parallel
from trio_parallel import BrokenWorkerError

from ai.games.carta import CartaKnowledge
from ai.games.dominion.finding import _FOUND, GAMES_PER_ITERATION
from ai.levels import LEVELS, SearchSettings, decide
from ai.processes.retries import _TRIES, with_retries
from ai.search.search import Decision
from ai.seats import brain as thinking
from ai.seats.bot import BotPlayer
from ai.seats.bot_terms import new_bot_terms
from ai.seats.brain import Brain, open_brain
from core.errors import HostlessError
from core.games.carta import GAME as CARTA
from core.games.dominion import GAME as DOMINION
from tests.ai.positions import Position, positions, real_choices
from tests.core.games.dominion.stage import Stage
from tests.ui.fakes import PracticePort


def position() -> Position:
    return real_choices(positions(CARTA, 2, 5))[3]


async def ask(brain: Brain, seed: int, level: str = "gentle") -> Decision:
    _, table, _, seat = position()
    iterations = LEVELS[level].iterations(CartaKnowledge(CARTA).speed)
    settings = SearchSettings(seed, level, iterations)
    return await brain.decide("carta", table, position().observation, seat, settings)


async def test_a_worker_thinks_what_this_process_would_think(seed: int) -> None:
    game, table, _, seat = position()
    iterations = LEVELS["gentle"].iterations(CartaKnowledge(CARTA).speed)
    settings = SearchSettings(seed, "gentle", iterations)
    expected = decide(game, table, position().observation, seat, settings)
    async with open_brain() as brain:
        assert await ask(brain, seed) == expected


async def test_other_tasks_go_on_while_a_bot_thinks() -> None:
    turns = 0
    async with open_brain() as brain:
        await brain.warm_up()
        with trio.CancelScope() as others:
            async with trio.open_nursery() as nursery:

                async def think() -> None:
                    await ask(brain, 1, "steady")
                    others.cancel()

                nursery.start_soon(think)
                while True:
                    turns += 1
                    await trio.lowlevel.checkpoint()
    assert turns > 10


async def test_a_cancelled_thought_is_dropped_and_the_next_one_comes(seed: int) -> None:
    async with open_brain() as brain:
        await brain.warm_up()
        with trio.CancelScope() as thought:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask, brain, seed, "sharp")
                await trio.testing.wait_all_tasks_blocked()
                thought.cancel()
        assert thought.cancelled_caught
        assert (await ask(brain, seed)).iterations > 0


async def test_two_questions_are_answered_one_after_the_other_by_one_worker() -> None:
    async with open_brain() as brain:
        answers: list[Decision] = []

        async def think(seed: int) -> None:
            answers.append(await ask(brain, seed))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(think, 1)
            nursery.start_soon(think, 2)
        assert len(answers) == 2
        assert brain.workers_count == 1


def test_a_bot_does_not_get_ready_for_what_has_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage("copper*4 estate", "")
    seen = ("dominion", stage.table, stage.observation(stage.chooser), stage.chooser)
    asked: list[SearchSettings] = []
    monkeypatch.setattr(thinking, "get_ready", lambda game, table, used: asked.append(used))
    settings = SearchSettings(1, "steady", 40)
    treasures = thinking.think(*seen, settings).action
    assert not asked and treasures.cards
    stage.act(treasures)
    seat = stage.chooser
    thinking.think("dominion", stage.table, stage.observation(seat), seat, settings)
    assert asked == [settings]


def test_a_brain_works_where_trio_is_a_guest_of_asyncio() -> None:
    async def think() -> Decision:
        async with open_brain() as brain:
            return await ask(brain, 3)

    async def host() -> outcome.Outcome[Decision]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[outcome.Outcome[Decision]] = loop.create_future()
        trio.lowlevel.start_guest_run(
            think,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            done_callback=done.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        return await done

    decision = asyncio.run(host()).unwrap()
    assert decision.action in position().actions


async def test_a_brain_measures_how_fast_it_thinks_about_a_game() -> None:
    async with open_brain() as brain:
        assert await brain.measure("carta", 3, "gentle") > 1
        assert await brain.measure("carta", 3, "steady") > 1


def test_less_is_promised_than_short_thoughts_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree of a whole thought is deep, and each of its iterations takes longer."""
    monkeypatch.setattr(thinking, "measure_speed", lambda *asked: 1000)
    assert 500 < thinking.measure("carta", 2, has_assistants=False) < 1000
    monkeypatch.setattr(thinking, "measure_speed", lambda *asked: 1)
    assert thinking.measure("carta", 2, has_assistants=False) == 1


async def test_a_worker_gives_way_to_screens_and_peers() -> None:
    async with open_brain() as brain:
        await brain.warm_up()
        niceness = await brain._workers.run_sync(os.nice, 0)
    assert niceness >= max(10, os.nice(0))  # The whole run may have been made to give way.


# ---- workers that die ----


def die_first(mark: Path) -> int:
    """In a worker: die in the middle of the first thought, and answer in the second."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGTERM)
    return 7


async def test_what_was_asked_is_asked_again_when_its_worker_is_killed(tmp_path: Path) -> None:
    async with trio_parallel.open_worker_context() as workers:
        think = partial(workers.run_sync, die_first, tmp_path / "mark")
        with pytest.raises(BrokenWorkerError):
            await think()
        (tmp_path / "mark").unlink()
        assert await with_retries(think) == 7


async def test_workers_that_die_one_after_the_other_end_with_one_line(
    autojump_clock: trio.testing.MockClock,
) -> None:
    tries = 0

    async def die() -> None:
        nonlocal tries
        tries += 1
        raise BrokenWorkerError("killed")

    with pytest.raises(HostlessError, match="5 times in a row"):
        await with_retries(die)
    assert tries == _TRIES


async def test_a_worker_that_is_killed_while_nobody_asks_does_not_spoil_the_end() -> None:
    async with open_brain() as brain:
        await brain.warm_up()
        (worker,) = (each for each in active_children() if "trio-parallel" in each.name)
        worker.kill()
        worker.join()
    assert not worker.is_alive()


async def test_what_a_bot_finds_out_while_others_choose_is_not_found_out_again() -> None:
    """An agenda of Dominion takes seconds, and everybody would wait for the first purchase."""
    turn = PracticePort(seed=3, game=DOMINION).begin().turn()
    terms = new_bot_terms("steady", 800 // GAMES_PER_ITERATION)
    async with open_brain() as brain:
        await BotPlayer(brain).prepare(turn.game, turn.table, terms)
        assert await brain.ask(agendas_found) == 1
        settings = SearchSettings(1, terms.level, terms.iterations)
        await brain.ask(thinking.get_ready, turn.game.slug, turn.table, settings)
        assert await brain.ask(agendas_found) == 1


def agendas_found() -> int:
    """In the worker: how often an agenda has been looked for."""
    return len(_FOUND)
