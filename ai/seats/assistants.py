"""Processes that try some of the candidates of a search, so that its answer comes sooner.

A search divides its candidates among itself and its assistants.  What it decides is the same with
any number of them (`ai.search.search`), so that is no part of a bot's terms, and an audit needs
none.

An assistant is a program of its own, which reads from one pipe what it is asked and answers by
another.  It is not started by multiprocessing: whoever thinks is a worker itself, which may have no
children there.  It ends when its pipe is closed, which is at the latest when the worker has ended.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import IO, Any, Final, NamedTuple, TypeVar

from ai.games import find_knowledge
from ai.processes.workers import ORPHANED, give_way
from ai.search.knowledge import Knowledge
from ai.search.search import Assistant, SearchPosition, search
from ai.search.tree import Arm, Move, Tree, principal_variation
from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice, start
from core.game import Game
from core.games import find_game
from core.requests import Action, Over, Player, to_act
from core.table import Observation, OptionValue, Table

_MEASURE_S: Final = 0.15
_MEASURE_ITERATIONS: Final = 96  # For each choice; with more, some games get ready for long.
PROCESSES_MAX: Final = 4  # More gain little: in the last round of a search two candidates are left.
_START: Final = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"
_log: Final = logging.getLogger("hostless.bots")
T = TypeVar("T")


class AssistantError(Exception):
    """An assistant has died; whoever asked can think alone."""


class LocalAssistant(Assistant):
    """Some of the candidates of a search, tried in this process."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._tree: Tree | None = None
        self._arms: list[Arm] = []
        self._gains: list[list[int]] = []

    def begin(self, position: SearchPosition, candidates: list[Action], errors: list[int]) -> None:
        """From now on these are tried, each of which looks better or worse by its error."""
        table, observation, player, nodes_max, iterations = position
        self._knowledge.prepare(table, iterations)
        self._tree = Tree(self._knowledge, table, observation, player, nodes_max)
        self._arms = self._tree.add_arms(candidates)
        assert len(self._arms) == len(candidates), "no two candidates mean the same"
        for (node, _), error in zip(self._arms, errors, strict=True):
            node.error = error

    def start(self, places: list[int], seed: int, deals: int) -> None:
        """Try those of the candidates at these places on so many deals."""
        assert self._tree is not None, "somebody is lined up"
        self._gains = self._tree.gains([self._arms[each] for each in places], seed, deals)

    def gains(self) -> list[list[int]]:
        """What was started last: the gains of each candidate, deal by deal."""
        return self._gains

    def line(self, place: int) -> tuple[Move, ...]:
        """What is expected to follow one of them, beginning with it."""
        return principal_variation(self._arms[place][0])


# ---- what an assistant is told; the last two are answered ----


class _Ready(NamedTuple):
    game: str
    table: Table
    iterations: int


class _Begin(NamedTuple):
    game: str
    position: SearchPosition
    candidates: list[Action]
    errors: list[int]


class _Try(NamedTuple):
    places: list[int]
    seed: int
    deals: int


class _Line(NamedTuple):
    place: int


class AssistantProcess(Assistant):
    """An assistant for one game, in a process of its own."""

    def __init__(self, game: str) -> None:
        self.game = game
        code = _START.format(path=sys.path, module=__name__)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise AssistantError(str(error)) from error

    def get_ready(self, table: Table, iterations: int) -> None:
        """Do what a game needs before the first search; in some it takes a while."""
        self._tell(_Ready(self.game, table, iterations))

    def begin(self, position: SearchPosition, candidates: list[Action], errors: list[int]) -> None:
        """From now on these are tried, each of which looks better or worse by its error."""
        self._tell(_Begin(self.game, position, candidates, errors))

    def start(self, places: list[int], seed: int, deals: int) -> None:
        """Try those of the candidates at these places on so many deals."""
        self._tell(_Try(places, seed, deals))

    def gains(self) -> list[list[int]]:
        """What was started last: the gains of each candidate, deal by deal."""
        found: list[list[int]] = self._answer()
        return found

    def line(self, place: int) -> tuple[Move, ...]:
        """What is expected to follow one of them, beginning with it."""
        self._tell(_Line(place))
        found: tuple[Move, ...] = self._answer()
        return found

    def close(self) -> None:
        """Let it end, also in the middle of a thought."""
        self._process.kill()
        self._process.communicate()

    def _tell(self, what: object) -> None:
        assert self._process.stdin is not None, "an assistant has a pipe"
        try:
            _write(self._process.stdin, what)
        except OSError as error:
            raise AssistantError(str(error)) from error

    def _answer(self) -> Any:
        assert self._process.stdout is not None, "an assistant has a pipe"
        try:
            return pickle.load(self._process.stdout)  # noqa: S301 - from our own process.
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise AssistantError(str(error)) from error


# ---- in the process that thinks ----

_assistants: Final[list[AssistantProcess]] = []


def assistants_for(game: str) -> list[AssistantProcess]:
    """The assistants of this process, started when they are asked for first; none on one core."""
    for assistant in _assistants:
        assistant.game = game
    while len(_assistants) < min(_cores(), PROCESSES_MAX) - 1:
        _assistants.append(AssistantProcess(game))
    return _assistants


def with_assistants(game: str, work: Callable[[Sequence[AssistantProcess]], T]) -> T:
    """Do some work with assistants, and once more without if one of them has died."""
    try:
        return work(assistants_for(game))
    except AssistantError as error:
        _log.info("a process that helped a bot to think has died: %s", error)
        dismiss()
        return work(())
    except BaseException:
        dismiss()  # An answer that nobody has read would be taken for that to the next question.
        raise


def dismiss() -> None:
    """End the assistants of this process.  They are started again when they are asked for."""
    while _assistants:
        _assistants.pop().close()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # Not on macOS and Windows.
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gain_percent(
    game: Game, players: int, options: Mapping[str, OptionValue], speed: int,
    assistants: Sequence[AssistantProcess],
) -> int:  # fmt: skip
    """How many times as much is thought in the same time with these assistants, in percent.

    Alone a machine does `speed` iterations a second.  It is never less than 100.
    """
    if not assistants:
        return 100
    knowledge = find_knowledge(game)
    table, observation, player = _first_real_choice(game, players, options)
    think = partial(search, knowledge, table, observation, player)
    think(seed=0, iterations=1, assistants=assistants)  # Now all of them have started.
    seeds = range(max(1, int(speed * _MEASURE_S) // _MEASURE_ITERATIONS))
    begin = time.perf_counter()
    for seed in seeds:
        think(seed=seed, iterations=_MEASURE_ITERATIONS)
    middle = time.perf_counter()
    for seed in seeds:
        think(seed=seed, iterations=_MEASURE_ITERATIONS, assistants=assistants)
    end = time.perf_counter()
    return max(100, int(100 * (middle - begin) / (end - middle)))


def _first_real_choice(
    game: Game, players: int, options: Mapping[str, OptionValue]
) -> tuple[Table, Observation, Player]:
    """The first position of a game where somebody has more than two candidates, if there is one."""
    knowledge, chance = find_knowledge(game), Chance(0)
    table = start(game, players, options)
    deal = table.face[:]
    while True:
        pending = run_until_choice(game, table, deal, chance)
        assert not isinstance(pending, Over), "somebody has a choice in every game"
        for seat in to_act(pending):
            observation = observation_of(table, deal, seat)
            if len(knowledge.candidates(table, seat, observation)) > 2:
                return table, observation, seat
            game.apply(table, seat, knowledge.rollout_policy(table, seat, observation, chance))


# ---- in an assistant ----


def serve() -> None:
    """Do what is read from the standard input, and answer, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # A person interrupts the program, and it us.
    give_way()
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # What anybody prints is no answer.
    try:
        _serve(asked, answers)
    except (EOFError, BrokenPipeError):
        os._exit(ORPHANED)  # Nothing is left to be flushed into a closed pipe.


def _serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    assistant: LocalAssistant | None = None
    while True:
        told = pickle.load(asked)  # noqa: S301 - from the process that started us.
        match told:
            case _Ready(game, table, iterations):
                find_knowledge(find_game(game)).prepare(table, iterations)
            case _Begin(game, position, candidates, errors):
                assistant = LocalAssistant(find_knowledge(find_game(game)))
                assistant.begin(position, candidates, errors)
            case _Try(places, seed, deals) if assistant is not None:
                assistant.start(places, seed, deals)
                _write(answers, assistant.gains())
            case _Line(place) if assistant is not None:
                _write(answers, assistant.line(place))
            case _:
                raise AssertionError(f"an assistant cannot do {told} now")


def _write(pipe: IO[bytes], what: object) -> None:
    pickle.dump(what, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()
