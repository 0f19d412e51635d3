"""Where the games of a tournament are played: processes of this machine, or a Dask cluster.

When a process or the cluster dies, one line says so, and the file can be gone on with.
"""

from __future__ import annotations

import platform
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from threading import Thread
from typing import Any, Final

from ai.processes.workers import end_with_program
from core.errors import HostlessError

_GO_ON: Final = "the same command with the same --results goes on from the games played"
_ANSWER_S: Final = 5  # A scheduler that is there answers at once.


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """So many processes of this machine.

    Raises:
        HostlessError: one of them died.
    """
    executor = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_obey)
    try:
        yield executor
    except BrokenExecutor as error:
        raise HostlessError("a process that played a game has died", _GO_ON) from error
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def local_cluster(workers: int) -> Iterator[Executor]:
    """A Dask cluster of so many workers, started on this machine.

    Raises:
        HostlessError: `distributed` is not installed, or worker after worker died.
    """
    dask = _distributed()
    place = {"host": "127.0.0.1", "dashboard_address": None}
    with (
        dask.LocalCluster(n_workers=workers, threads_per_worker=1, **place) as cluster,
        dask.Client(cluster) as client,
        _deaths_told(),
    ):
        yield client.get_executor(pure=False)


@contextmanager
def running_cluster(
    address: str, what_is_played: Callable[[], str]
) -> Iterator[tuple[Executor, int]]:
    """The Dask cluster whose scheduler is there, and how many games its workers play at once.

    Every worker is asked `what_is_played`, a function of a module, and has to say what we say.

    Raises:
        HostlessError: `distributed` is not installed, nobody answers, there is no worker, one of
            them would play other games, or worker after worker died.
    """
    try:
        client = _client_at(_distributed(), address)
    except OSError as error:
        raise HostlessError(
            f"no Dask scheduler answers at {address}", "start one there: dask scheduler"
        ) from error
    with client, _deaths_told():
        threads = client.nthreads()
        if not threads:
            raise HostlessError(
                f"the Dask cluster at {address} has no workers", f"start one: dask worker {address}"
            )
        _check_workers(client, what_is_played)
        yield client.get_executor(pure=False), sum(threads.values())


def _distributed() -> Any:
    if find_spec("distributed") is None:
        raise HostlessError("--dask needs one more package", "pip install distributed")
    return import_module("distributed")


def _client_at(dask: Any, address: str) -> Any:
    """Raises OSError when no scheduler answers there.

    To something else that listens and is silent Dask itself would listen for ever, so another
    thread does, which ends with the program.
    """
    answer: Future[Any] = Future()

    def ask() -> None:
        try:
            answer.set_result(dask.Client(address, timeout=_ANSWER_S))
        except (OSError, UnboundLocalError) as error:  # Dask's own, when the program ends.
            answer.set_exception(error)

    Thread(target=ask, daemon=True).start()
    return answer.result(2 * _ANSWER_S)


@contextmanager
def _deaths_told() -> Iterator[None]:
    """A cluster plays a game again elsewhere when a worker dies, and gives up when that goes on."""
    killed = import_module("distributed.scheduler").KilledWorker
    try:
        yield
    except (killed, CancelledError) as error:
        raise HostlessError("workers that played a game have died", _GO_ON) from error


def _check_workers(client: Any, what_is_played: Callable[[], str]) -> None:
    """Results of another program, or of a player's program that differs, would be of no use."""
    ours = platform.python_version_tuple()[:2]
    for worker, version in client.run(platform.python_version_tuple).items():
        if version[:2] != ours:
            raise HostlessError(
                f"the worker {worker} has Python {'.'.join(version)}",
                f"start it anew with Python {'.'.join(ours)}",
            )
    for worker, played in client.run(what_is_played, on_error="return").items():
        if isinstance(played, Exception):
            raise HostlessError(
                f"the worker {worker} cannot load this program: {played}",
                "start it anew with the folder of the program in PYTHONPATH",
            )
        if played != what_is_played():
            raise HostlessError(
                f"the worker {worker} has another version of this program, or of a player's",
                "start it anew from the same files in the same folders",
            )


def _obey() -> None:
    """In a worker: end at once when the terminal interrupts, and when the program is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_program()
