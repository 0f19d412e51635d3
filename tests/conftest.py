"""What every test can rely on: a printed seed, a home that is nobody's, and a quiet network."""

from __future__ import annotations

import gc
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import hypothesis
import pytest

from tests import network, running

LOOPBACK: Final = {"darwin": "lo0", "linux": "lo"}.get(sys.platform, "")  # Disturb no network.

# A red check is about the change and not about luck: whoever checks has the same deals, unless the
# environment asks for another seed, or for any (HOSTLESS_SEED=random).
_WANTED, _, _DRAWN = os.environ.get("HOSTLESS_SEED", "1").partition(" ")
if _WANTED == "random":
    SEED = int(_DRAWN or random.SystemRandom().randrange(1 << 32))
    os.environ["HOSTLESS_SEED"] = f"random {SEED}"  # Workers of pytest-xdist take it from here.
else:
    SEED = int(_WANTED)
OBJECTS_MADE: Final = 20_000  # So many more than were given up, until they are collected.
# Before there is a thread that could stay behind.
HAS_OWN_NETWORK: Final = network.leave_for_own()

# Machines under load are slow now and then, which says nothing about the code.
hypothesis.settings.register_profile(
    "hostless", deadline=None, print_blob=True, derandomize=_WANTED != "random"
)
hypothesis.settings.load_profile("hostless")


def pytest_report_header() -> str:
    """Say how to repeat this very run."""
    place = "one of its own" if HAS_OWN_NETWORK else "that of this machine"
    order = f", {running.ORDER}={os.environ[running.ORDER]}" if running.ORDER in os.environ else ""
    return f"HOSTLESS_SEED={SEED}{order}; network: {place}"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: there is little, and looking for it takes a third as long."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # Before `-m` looks at the marks.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long, and begin with it."""
    running.mark_long(items)
    items[:] = running.ordered(items)


def pytest_collection_finish() -> None:
    """Leave the thousands of tests alone in what is collected later: they stay to the end.

    It is collected more seldom than in a program that goes on for hours: a test is soon over.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_MADE)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> running.Scheduling:
    """Say what may run at the same time."""
    return running.Scheduling(config, log, HAS_OWN_NETWORK)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A number of the test's own, printed when it fails."""
    chosen = random.Random(f"{SEED} {request.node.nodeid}").randrange(1 << 63)
    print(f"seed {chosen} (HOSTLESS_SEED={SEED})")
    return chosen


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or writes the profile of the person who runs it."""
    home = tmp_path_factory.getbasetemp() / "home"
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("DATA", "CONFIG", "STATE", "CACHE"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
        patch.setenv("LOCALAPPDATA", str(home))
        patch.setenv("HOSTLESS_INTERFACES", LOOPBACK)
        yield home
