"""Tests that run at the same time do not meet, and each run can be had again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.lab import durations
from tests import conftest, running

ROOT = Path(__file__).resolve().parents[1]


class Item(SimpleNamespace):
    """As much of a test as matters for its place."""

    def get_closest_marker(self, name: str) -> str | None:
        return name if self.is_slow else None


class Marked(SimpleNamespace):
    """As much of a test as matters for its marks."""

    def __init__(self, nodeid: str) -> None:
        super().__init__(nodeid=nodeid, marks=[])

    def add_marker(self, name: str) -> None:
        self.marks.append(name)


def items(*names: str) -> list[Item]:
    """Tests, of which those with `slow` in their names are slow."""
    return [Item(nodeid=name, is_slow="slow" in name) for name in names]


FILES = items("a.py::one", "a.py::two", "b.py::one", "b.py::slow", "c.py::one", "c.py::two")


def order(found: list[Item]) -> list[str]:
    return [item.nodeid for item in running.ordered(found)]


def test_files_with_slow_tests_come_first_and_stay_in_one_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(running.ORDER, raising=False)
    assert order(FILES) == ["b.py::one", "b.py::slow", "a.py::one", "a.py::two", "c.py::one",
                            "c.py::two"]  # fmt: skip


def test_every_test_that_is_listed_as_long_is_there() -> None:
    names = running.LONG.read_text("utf-8").splitlines()
    assert names == sorted(set(names)) and len(names) > 100
    for path, _, test in (name.partition("::") for name in names):
        function = test.rpartition("::")[2]
        assert f"def {function}(" in (ROOT / path).read_text("utf-8"), f"{path} has no {function}"


def test_a_test_that_is_listed_is_marked_with_all_its_parameters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(running, "LONG", tmp_path / "long.txt")
    running.LONG.write_text("a.py::one\n", "utf-8")
    found = [Marked(nodeid=name) for name in ("a.py::one[x]", "a.py::one", "a.py::one_more")]
    running.mark_long(found)
    assert [item.marks for item in found] == [["long"], ["long"], []]


def test_the_parts_and_parameters_of_a_test_are_added_up() -> None:
    lines = [
        "0.20s call     tests/a.py::test_x[1]",
        "0.05s setup    tests/a.py::test_x[2]",
        "0.07s teardown tests/a.py::test_x[2]",
        "0.30s call     tests/b.py::test_y",
        "0.6 s",
    ]
    assert durations.listed(durations.seconds(lines)) == ["tests/a.py::test_x"]


def test_another_order_is_the_same_for_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = set()
    for number in range(20):
        monkeypatch.setenv(running.ORDER, str(number))
        assert order(FILES) == order(FILES) and sorted(order(FILES)) == sorted(
            item.nodeid for item in FILES
        )
        orders.add(tuple(order(FILES)))
    assert len(orders) > 5


@pytest.mark.parametrize(
    "nodeid",
    ["tests/ui/test_lobby.py::test_x", "tests/p2p/net/test_link.py::test_x[a/b]",
     "tests/p2p/test_dominion.py::test_x"],
)  # fmt: skip
def test_what_may_use_the_network_is_known(nodeid: str) -> None:
    assert running.is_on_the_network(nodeid)
    assert not running.is_on_the_network("tests/p2p/crypto/test_group.py::test_x")
    assert not running.is_on_the_network("tests/core/test_view.py::test_x")


@pytest.mark.parametrize(("is_alone", "groups"), [(True, 3), (False, 2)])
def test_without_networks_of_their_own_those_that_use_one_share_a_worker(
    pytestconfig: pytest.Config, is_alone: bool, groups: int
) -> None:
    option = SimpleNamespace(loadscopereorder=True)
    config = SimpleNamespace(option=option, getvalue=lambda name: ["popen"])
    scheduling = running.Scheduling(config, None, is_alone)
    assert option.loadscopereorder is False
    names = ("tests/ui/test_a.py::a", "tests/p2p/net/test_b.py::b", "tests/core/test_c.py::c")
    assert len({scheduling._split_scope(name) for name in names}) == groups
    assert len({scheduling._split_scope(f"{names[0]}[{n}]") for n in range(3)}) == 1


def test_on_a_network_of_its_own_a_run_is_alone() -> None:
    if conftest.HAS_OWN_NETWORK:
        assert [name for _, name in socket.if_nameindex()] == ["lo"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert socket.create_connection(server.getsockname()).close() is None


def test_workers_take_over_a_seed_that_was_drawn() -> None:
    told = "import os; from tests.conftest import SEED; print(SEED, os.environ['HOSTLESS_SEED'])"
    command = [sys.executable, "-c", told]

    def ask(seed: str) -> str:
        variables = {**os.environ, "HOSTLESS_SEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    drawn, environment = ask("random").split(" ", 1)
    assert environment == f"random {drawn}" and ask(environment) == f"{drawn} {environment}"
    assert ask("random") != ask("random")
    assert ask("7") == "7 7"
