"""In which order tests run, and which of them share a worker of pytest-xdist."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from xdist.scheduler import LoadFileScheduling

ORDER: Final = "HOSTLESS_ORDER"  # A number: files, and the tests in each, in an order of its own.
# The tests that took long when all were run, by name; `scripts/lab.py durations` writes it.
LONG: Final = Path(__file__).with_name("long.txt")
# Where a worker has no network of its own, these meet on that of the machine.
ON_THE_NETWORK: Final = ("tests/p2p/net/", "tests/p2p/session/", "tests/p2p/table/", "tests/ui/")


class Scheduling(LoadFileScheduling):
    """The tests of a file share a worker, because they share what was made for them.

    Longest files come first, so that no worker has much to do when the other is ready.
    """

    def __init__(self, config: pytest.Config, log: object, is_alone: bool) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # The order is that of `ordered`.
        self._is_alone = is_alone

    def _split_scope(self, nodeid: str) -> str:
        if not self._is_alone and is_on_the_network(nodeid):
            return "network"
        return super()._split_scope(nodeid)


def is_on_the_network(nodeid: str) -> bool:
    """Whether a test may use the network of its process: all in p2p that is in no room, too."""
    folder = nodeid.split("::")[0].rpartition("/")[0]
    return nodeid.startswith(ON_THE_NETWORK) or folder == "tests/p2p"


def mark_long(items: Iterable[pytest.Item]) -> None:
    """Mark the tests that are listed in `LONG`, with all their parameters."""
    names = set(LONG.read_text("utf-8").splitlines())
    for item in items:
        if item.nodeid.partition("[")[0] in names:
            item.add_marker("long")


def ordered(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Files with slow tests first; with `HOSTLESS_ORDER` as that number says."""
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.split("::")[0], []).append(item)
    found = sorted(files.values(), key=_has_nothing_slow)
    if os.environ.get(ORDER):
        chance = random.Random(os.environ[ORDER])
        chance.shuffle(found)
        for tests in found:
            chance.shuffle(tests)
    return [item for tests in found for item in tests]


def _has_nothing_slow(tests: list[pytest.Item]) -> bool:
    return not any(item.get_closest_marker("slow") for item in tests)
