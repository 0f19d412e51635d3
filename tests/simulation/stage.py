"""Playing a simulated game: the program finds a virtual world where the real one is outside."""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import trio
from trio._core import _run as trio_run
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.disk import MARK_BYTES
from p2p.base.entry import Entry
from p2p.base.identity import Identity
from p2p.crypto import entropy
from p2p.game.steps import TAKE_BACK
from p2p.log import files, game_file, recovery, secrets_file
from p2p.log.files import GameFileError
from p2p.net import beacon, handshake, link, listening
from p2p.net.admission import Call
from p2p.net.presence import Noticed, Presence, new_presence, seat_of
from p2p.session.session import Session
from p2p.table import node
from p2p.table.mesh import Mesh
from p2p.table.router import LinkRouter
from tests.p2p.beads import BEADS
from tests.simulation.here import HERE, here
from tests.simulation.network import HOST, PlainStream, VirtualListener, VirtualStream
from tests.simulation.plan import Plan
from tests.simulation.verdict import judge_honest
from tests.simulation.volume_group import volume_group
from tests.simulation.world import MakeSession, World

ANNOUNCED_S: Final = 1.0  # How often a seat is heard to announce itself.


@dataclass
class Outcome:
    """How a simulated game went."""

    seed: int | str
    failures: list[str] = field(default_factory=list)
    height: int = 0
    seconds: float = 0.0  # Of the virtual clock.
    trace: str = ""  # Of everything that was sent and written; the same for the same seed.
    faults: int = 0
    is_finished: bool = False
    kinds: set[str] = field(default_factory=set)  # Of entries in the log.
    accused: dict[int, list[int | None]] = field(default_factory=dict)  # By honest machine.


def kind_of(entry: Entry) -> str:
    """The kind of an entry; to go back is a kind of its own here."""
    body = entry.body
    is_back = isinstance(body, list) and bool(body) and body[0] == TAKE_BACK
    return TAKE_BACK if is_back else entry.kind


Judge: TypeAlias = Callable[[World], list[str]]


class _Steps(trio.abc.Instrument):
    """Counts the steps of every machine, so that a plug can be pulled at any of them."""

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        run = task.context.get(HERE)
        if run is not None and not run.is_dead:
            run.step()


async def _run_inline(
    function: Callable[..., Any], *arguments: Any, rng: random.Random, **_: object
) -> Any:
    """What a thread does outside: the same work, done after a while."""
    await trio.sleep(rng.random() ** 4 * 0.2)
    return function(*arguments)


def _random_bytes(size: int) -> bytes:
    assert entropy._open.get() is not None, "only machines draw, each from its own seed"
    return entropy.fresh_bytes(size)


def _certificates() -> Callable[[Identity], tuple[bytes, bytes]]:
    made = iter(range(1 << 32))

    def certify(identity: Identity) -> tuple[bytes, bytes]:
        certificate = identity.public + next(made).to_bytes(4)
        return certificate, certificate

    return certify


async def _answer(
    listener: VirtualListener, admit: Callable[[str], Call | None], take_in: Callable[..., Any]
) -> None:
    """Let callers in until cancelled: there is no crowd here."""

    async def see_in(stream: VirtualStream) -> None:
        call = admit(HOST)
        try:
            if call is not None:
                await take_in(stream, call)
        finally:
            await trio.aclose_forcefully(stream)

    async with listener, trio.open_nursery() as nursery:
        while True:
            nursery.start_soon(see_in, await listener.accept())


async def _stay(
    session: Session, mesh: Mesh, router: LinkRouter, introduce: Callable[[Presence], object]
) -> None:
    """Tell the others where this machine is."""
    await session.relaying.move([(HOST, router.port)])


def _stay_announced(world: World) -> Callable[..., Awaitable[None]]:
    """The same where some have lost what they knew of each other, and hear where the others are."""

    async def stay(session: Session, *rest: Any) -> None:
        replica = session.replica

        def notice(heard: Presence, host: str) -> None:
            seat = seat_of(heard, replica.game_id, replica.others)
            if seat is not None:
                session.relaying.places.announce(seat, (host, heard.port))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stay, session, *rest)
            await _listen_for_seats(world)(notice)

    return stay


def _listen_for_seats(world: World) -> Callable[[Noticed], Awaitable[None]]:
    """What tells of every seat that can be heard, until cancelled."""

    async def listen(notice: Noticed) -> None:
        while True:
            await trio.sleep(ANNOUNCED_S)
            for port, owner in world.network.heard_by(here()):
                replica = world.machines[owner].replica
                if replica is not None:
                    notice(new_presence(replica.game_id, owner, port), HOST)

    return listen


@contextmanager
def _staged(world: World) -> Iterator[None]:
    """In this block the program finds the virtual world where the real one is outside."""
    network, rng = world.network, random.Random(f"threads {world.seed}")

    async def run_inline(function: Callable[..., Any], *arguments: Any, **_: object) -> Any:
        return await _run_inline(function, *arguments, rng=rng)

    replaced: list[tuple[Any, str, Any]] = [
        (trio, "open_tcp_stream", network.dial),
        (trio, "open_tcp_listeners", network.listen),
        (trio, "SSLStream", PlainStream),
        (trio.to_thread, "run_sync", run_inline),
        (listening, "listening_context", _certificates()),
        (link, "dialling_context", bytes),
        (listening, "answer", _answer),
        (handshake, "identity_in", lambda certificate: certificate[:32]),
        *((place, "os", world.disk) for place in (files, game_file, secrets_file)),
        (files, "open_binary", world.disk.open),
        (game_file, "sync", world.disk.fsync),
        *((place, "sync_data", world.disk.fsync) for place in (game_file, secrets_file)),
        *((place, "replace", world.disk.replace) for place in (game_file, recovery)),
        (recovery, "os", world.disk),
        # No home is copied here, and where a file lies on a real disk follows from no seed.
        (secrets_file, "mark_of", lambda file: bytes(MARK_BYTES)),
        (node, "stay_found", _stay_announced(world) if world.plan.is_announced else _stay),
        (beacon, "listen_for_seats", _listen_for_seats(world)),
        (trio_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
        (trio_run, "_r", random.Random(f"scheduler {world.seed}")),
    ]
    with ExitStack() as stack:
        for place, name, stand_in in replaced:
            stack.enter_context(patch.object(place, name, stand_in))
        stack.enter_context(patch("os.urandom", _random_bytes))
        yield


def simulate(
    seed: int | str,
    plan: Plan,
    cheats: Mapping[int, MakeSession] | None = None,
    *,
    is_real: bool = False,
    judge: Judge = judge_honest,
    may_fork: bool = False,
) -> Outcome:
    """Play the game of a seed; `is_real` uses the real group instead of the fast one."""
    outcome = Outcome(seed)
    with tempfile.TemporaryDirectory(prefix="hostless-") as folder, ExitStack() as stack:
        stack.enter_context(patch.dict(GAMES, {"beads": BEADS}))
        if not is_real:
            stack.enter_context(volume_group())
        world = World(seed, plan, Path(folder), cheats or {})
        world.checks.may_fork |= may_fork
        with _staged(world):
            _run(world, outcome)
        outcome.failures = world.failures or _judged(world, judge)
    return outcome


def _judged(world: World, judge: Judge) -> list[str]:
    try:
        return judge(world)
    except GameFileError as error:
        return [f"a file cannot be read: {error}"]


def _run(world: World, outcome: Outcome) -> None:
    async def main() -> None:
        await world.run()
        outcome.seconds = trio.current_time()

    try:
        trio.run(main, clock=MockClock(autojump_threshold=0), instruments=[_Steps()])
    except BaseExceptionGroup as group:
        world.failures.append(f"a machine broke: {_innermost(group)!r}")
    outcome.height, outcome.faults = world.checks.height, world.struck
    replicas = [machine.replica for machine in world.honest if machine.replica is not None]
    outcome.kinds = {kind_of(entry) for each in replicas for entry in each.log}
    outcome.is_finished = all(machine.has_finished for machine in world.honest)
    outcome.accused = {each.number: each.accused for each in world.honest}
    outcome.trace = _trace(world)


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _trace(world: World) -> str:
    trace = hashlib.sha256(world.network.trace.digest() + world.disk.trace.digest())
    for machine in world.machines:
        if machine.path is not None:
            trace.update(machine.path.read_bytes())
    return trace.hexdigest()
