"""Where the games of a tournament are played: processes of this machine, or a Dask cluster.

A worker that dies ends the tournament with one line; its file can be gone on with.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Final

from ai.workers import end_with_program
from core.errors import HostlessError

_GO_ON: Final = "the same command with the same --results goes on from the games played"


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
def dask_cluster(workers: int) -> Iterator[Executor]:
    """A Dask cluster of so many workers, started on this machine.

    It plays a game again elsewhere when a worker dies, and gives up when that goes on.

    Raises:
        HostlessError: `distributed` is not installed, or worker after worker died.
    """
    if find_spec("distributed") is None:
        raise HostlessError("--dask needs one more package", "pip install distributed")
    dask = import_module("distributed")
    killed = import_module("distributed.scheduler").KilledWorker
    place = {"host": "127.0.0.1", "dashboard_address": None}
    with (
        dask.LocalCluster(n_workers=workers, threads_per_worker=1, **place) as cluster,
        dask.Client(cluster) as client,
    ):
        try:
            yield client.get_executor(pure=False)
        except (killed, CancelledError) as error:
            raise HostlessError("workers that played a game have died", _GO_ON) from error


def _obey() -> None:
    """In a worker: end at once when the terminal interrupts, and when the program is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_program()
