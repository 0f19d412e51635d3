"""Thinking in another process: the same thoughts, and nobody waits."""

from __future__ import annotations

import asyncio
import os

import outcome
import trio
import trio.testing

from ai.brain import Brain, How, open_brain
from ai.knowledge.carta import CartaKnowledge
from ai.levels import LEVELS, decide
from ai.search import Decision
from core.games.carta import Carta
from tests.ai.positions import Position, positions, real_choices


def position() -> Position:
    return real_choices(positions(Carta(), 2, 5))[3]


async def ask(brain: Brain, seed: int, level: str = "gentle") -> Decision:
    _, table, _, seat = position()
    iterations = LEVELS[level].iterations(CartaKnowledge(Carta()).speed)
    how = How(seed, level, iterations)
    return await brain.decide("carta", table, position().eyes, seat, how)


async def test_a_worker_thinks_what_this_process_would_think(seed: int) -> None:
    game, table, _, seat = position()
    iterations = LEVELS["gentle"].iterations(CartaKnowledge(Carta()).speed)
    expected = decide(
        *(game, table, position().eyes, seat), seed=seed, level="gentle", iterations=iterations
    )
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
        assert await brain.measure("carta", 3) > 1


async def test_a_worker_gives_way_to_screens_and_peers() -> None:
    async with open_brain() as brain:
        await brain.warm_up()
        niceness = await brain._workers.run_sync(os.nice, 0)
    assert niceness >= max(10, os.nice(0))  # The whole run may have been made to give way.
