"""`arena --dask tcp://HOST:PORT`: what it asks of a cluster that runs already, and what it says.

`distributed` need not be installed: what poses as it plays here.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from threading import Event
from typing import Any

import pytest

from tests.ai.inline import Here
from ui.__main__ import _DONE, main

ADDRESS = "tcp://10.0.0.1:8786"
WISH = ("arena", "carta", "--players", "rush,random", "--games", "6", "--seed", "2")
ENDED = 1


class Killed(Exception):
    """What Dask says when worker after worker has died of one task."""


class Dying(Here):
    """An executor whose workers die."""

    def submit(self, fn: Any, /, *args: Any, **named: Any) -> Any:
        raise Killed


@dataclass
class Cluster:
    """The client of a cluster; `played` is what its workers say, where it is not the truth."""

    threads: int = 2
    python: tuple[str, ...] = platform.python_version_tuple()
    played: str | Exception = ""
    executor: Here = field(default_factory=Here)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return {"tcp://10.0.0.2:4000": self.threads} if self.threads else {}

    def run(self, work: Any, on_error: str = "raise") -> dict[str, Any]:
        said = self.python if work is platform.python_version_tuple else self.played or work()
        return dict.fromkeys(self.nthreads(), said)

    def get_executor(self, *, pure: bool) -> Here:
        assert not pure, "two games with the same players and cards are two games"
        return self.executor


@dataclass
class Dask:
    """Poses as `distributed`, and as its module `scheduler`."""

    cluster: Cluster | None = None  # Without one nobody listens at the address.
    silence: Event | None = None  # Somebody listens who says nothing before it is set.
    KilledWorker: type[Exception] = Killed

    def Client(self, address: str, timeout: float) -> Cluster:  # noqa: N802
        assert address == ADDRESS
        if self.silence:
            self.silence.wait()
        if self.cluster is None:
            raise OSError("timed out")
        return self.cluster


def given(monkeypatch: pytest.MonkeyPatch, dask: Dask) -> None:
    monkeypatch.setattr("ai.processes.executors.find_spec", lambda name: ModuleSpec(name, None))
    monkeypatch.setattr("ai.processes.executors.import_module", lambda _: dask)


def complaint(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """The one line that is said of a cluster that is of no use."""
    assert main([*WISH, "--dask", ADDRESS, *more]) == ENDED
    written = capsys.readouterr()
    assert written.out == "" and written.err.count("\n") == 1
    return written.err


@pytest.mark.parametrize("more", [(), ("--workers", "1")])
def test_it_plays_the_same_games_on_a_cluster_that_runs_already(
    more: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, Dask(Cluster()))
    assert main([*WISH, "--dask", ADDRESS, *more]) == _DONE
    on_cluster = capsys.readouterr().out
    monkeypatch.undo()
    assert main([*WISH, "--workers", "1"]) == _DONE
    assert capsys.readouterr().out == on_cluster


def test_an_address_at_which_nobody_answers_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, Dask())
    assert f"no Dask scheduler answers at {ADDRESS}; start one" in complaint(capsys)


def test_somebody_else_who_listens_there_and_is_silent_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    silence = Event()
    given(monkeypatch, Dask(silence=silence))
    monkeypatch.setattr("ai.processes.executors._ANSWER_S", 0.01)
    assert f"no Dask scheduler answers at {ADDRESS}" in complaint(capsys)
    silence.set()


@pytest.mark.parametrize(
    ("cluster", "says"),
    [
        (Cluster(threads=0), f"has no workers; start one: dask worker {ADDRESS}"),
        (Cluster(python=("3", "9", "1")), "the worker tcp://10.0.0.2:4000 has Python 3.9.1; start"),
        (Cluster(played="other source"), "another version of this program, or of a player's"),
        (
            Cluster(played=Exception("No module named 'ai'")),
            "cannot load this program: No module named 'ai'; start it anew with the folder",
        ),
        (Cluster(executor=Dying()), "workers that played a game have died; the same command"),
    ],
)
def test_a_cluster_that_would_play_other_games_or_none_is_refused(
    cluster: Cluster,
    says: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(monkeypatch, Dask(cluster))
    assert says in complaint(capsys)


def test_another_python_is_said_in_the_language_of_the_person(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, Dask(Cluster(python=("3", "9", "1"))))
    said = complaint(capsys, "--lang", "ko")
    assert "3.9.1" in said and "다시 시작하세요" in said
