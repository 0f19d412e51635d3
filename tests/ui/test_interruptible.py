"""Ctrl-C ends a command in order."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from ui.commands.interruptible import run_interruptibly


@pytest.fixture(autouse=True)
def not_ignored() -> Iterator[None]:
    """Tests that run in the background of a shell may have inherited that Ctrl-C is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_for_the_step_that_is_going_on() -> None:
    """As an exception it could come while a lock is held, or in a finalizer, and be lost."""
    steps = []

    async def work() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
            steps.append("the step is done")
            await trio.sleep_forever()
        finally:
            steps.append("put away")

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work)
    assert steps == ["the step is done", "put away"]


def test_the_second_ctrl_c_interrupts_what_takes_too_long() -> None:
    async def work() -> None:
        signal.raise_signal(signal.SIGINT)
        with trio.CancelScope(shield=True):
            await trio.testing.wait_all_tasks_blocked()
            signal.raise_signal(signal.SIGINT)
            pytest.fail("the second one was lost")

    with pytest.RaisesGroup(KeyboardInterrupt, flatten_subgroups=True):
        run_interruptibly(work)


def test_what_was_found_out_is_given() -> None:
    async def work(answer: int) -> int:
        return answer

    assert run_interruptibly(work, 42) == 42
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
