"""Which machine the running task belongs to, and what the simulated world asks of a machine."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.machine import Run

HERE: ContextVar[Run | None] = ContextVar("the machine that runs this task", default=None)


class PulledPlugError(BaseException):
    """This machine has just lost its power; nothing below its plug may catch that."""


def here() -> Run:
    """The machine that the running task belongs to."""
    run = HERE.get()
    assert run is not None, "only machines write, dial and listen"
    return run
