"""Collections of garbage wait for the first picture, and full ones until nobody presses keys."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from tests.ui.driving import an_app, at_table, is_playing
from tests.ui.fakes import ui
from ui.process.garbage import EVERY_S, QUIET_S, collect_when_quiet, nothing_collected


@pytest.fixture
def full_collections() -> Iterator[list[int]]:
    """Grows by one with every full collection."""
    seen: list[int] = []

    def remember(phase: str, told: dict[str, int]) -> None:
        if phase == "stop" and told["generation"] == 2:
            seen.append(told["collected"])

    gc.callbacks.append(remember)
    yield seen
    gc.callbacks.remove(remember)


def make_much() -> None:
    """So many things at a time that Python collects the middle generation."""
    young, middle, _ = gc.get_threshold()
    before = gc.get_count()[-1]
    kept = [[] for _ in range(2 * young * (middle + 1))]  # type: list[list[None]]
    assert kept and gc.get_count()[-1] > before


async def test_where_nothing_has_been_made_nothing_is_collected(
    autojump_clock: trio.testing.MockClock, full_collections: list[int]
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(collect_when_quiet, trio.current_time)
        await trio.testing.wait_all_tasks_blocked()
        gc.collect()
        full_collections.clear()
        # Half-way between two looks: who wakes first of two at the same moment is left to chance.
        await trio.sleep(10.5 * EVERY_S)
        assert not full_collections, "whoever only waits pays for no full collection"
        make_much()
        await trio.sleep(EVERY_S)
        assert len(full_collections) == 1
        nursery.cancel_scope.cancel()


async def test_garbage_is_collected_when_nobody_presses_keys_and_only_then(
    autojump_clock: trio.testing.MockClock, full_collections: list[int]
) -> None:
    thresholds = gc.get_threshold()
    pressed_at = 0.0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(collect_when_quiet, lambda: trio.current_time() - pressed_at)
        await trio.testing.wait_all_tasks_blocked()
        make_much()
        await trio.sleep(2 * EVERY_S - QUIET_S / 2)
        assert len(full_collections) == 1
        assert gc.get_freeze_count() > 0
        pressed_at = trio.current_time()
        make_much()
        await trio.sleep(QUIET_S)
        assert len(full_collections) == 1
        await trio.sleep(EVERY_S)
        assert len(full_collections) == 2
        nursery.cancel_scope.cancel()
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0


async def test_nothing_is_collected_until_the_program_has_started(
    autojump_clock: trio.testing.MockClock,
) -> None:
    with nothing_collected():
        assert not gc.isenabled()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(collect_when_quiet, trio.current_time)
            await trio.testing.wait_all_tasks_blocked()
            assert gc.isenabled()
            nursery.cancel_scope.cancel()
    with pytest.raises(KeyboardInterrupt), nothing_collected():
        raise KeyboardInterrupt
    assert gc.isenabled()


@ui
async def test_a_key_press_ends_the_quiet() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot, is_playing)
        before = app.quiet_s
        await pilot.press("right")
        assert app.quiet_s < before
