"""What a front end holds of its node: one method, and news that arrive by themselves.

Beside the node's own there are three commands for the adviser, which thinks on this machine
(`ui.backend.hints`): `Explain`, `Review` and `TraceWinCurve`, and its news are what they are named
after.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import trio

from p2p.session.commands import Command, OpenTable
from p2p.session.news import News

if TYPE_CHECKING:
    from pathlib import Path

    from ai.advice.explain import Explanation
    from ai.advice.win_probability import WinCurve
    from ai.review import CostlyChoice, MadeChoice
    from p2p.base.roster import DecisionPoint

COMMANDS_MAX: Final = 64  # Commands a person can be ahead of the node.


@dataclass(frozen=True, slots=True)
class Explain:
    """Think about a choice; what was thought about until now is given up.  None: think no more."""

    turn: DecisionPoint | None
    level: str = ""  # How far; empty: as for a hint.


@dataclass(frozen=True, slots=True)
class Explained:
    """What search thinks of the choice that began after `entry` events."""

    entry: int
    explanation: Explanation
    is_first_look: bool = False  # A better one is on its way.


@dataclass(frozen=True, slots=True)
class Learn(OpenTable):
    """Play a first game with a commentary (`ui.model.lesson`); to a node it is any other table."""


@dataclass(frozen=True, slots=True)
class Review:
    """Find the choices that cost a seat most among these, instead of what is thought about now."""

    choices: tuple[MadeChoice, ...]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """How far a review is; at its end, what it has found."""

    done: int
    steps: int
    costly: tuple[CostlyChoice, ...] | None = None  # The worst first; None: not yet.


@dataclass(frozen=True, slots=True)
class TraceWinCurve:
    """Find out how a game went that is over, from its file, in place of what is thought about."""

    path: Path


@dataclass(frozen=True, slots=True)
class WinCurveTraced:
    """How it went."""

    path: Path
    course: WinCurve


UiCommand: TypeAlias = Command | Explain | Review | TraceWinCurve
UiNews: TypeAlias = News | Explained | Reviewed | WinCurveTraced
PublishNews: TypeAlias = Callable[[UiNews], object]
RunNode: TypeAlias = Callable[[trio.MemoryReceiveChannel[Command], PublishNews], Awaitable[None]]
RunAdvisedNode: TypeAlias = Callable[
    [trio.MemoryReceiveChannel[UiCommand], PublishNews], Awaitable[None]
]


class Port(Protocol):
    """The way from a front end to its node."""

    def send(self, command: UiCommand) -> None:
        """Ask for something.  Never waits; a node that is too busy makes a notice appear."""
        ...
