"""The same game as lines of text: for screen readers, dumb terminals, pipes and tests.

The loop around `ui.plain.presenter`, and the ways of lines in and out.  It runs under plain trio
and imports no screen.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

import trio

from p2p.session.commands import (
    BeSeen,
    Choose,
    Command,
    JoinTable,
    Leave,
    OpenTable,
    Rematch,
    Resume,
    Watch,
)
from p2p.session.news import Accused, BotEnded, Notice, TableChanged
from ui.backend.hints import Adviser
from ui.language.text import ASCII_OF
from ui.model.lesson import LessonHeard
from ui.plain.presenter import LEAVING, PlainPresenter
from ui.port import Explain, Learn, Review, TraceWinCurve, UiCommand, UiNews

ReadLine: TypeAlias = Callable[[], Awaitable[str]]  # The next line; nothing at the end.


class PlainNode(Protocol):
    """What the loop needs of a node: `p2p.table.node.Node` has it."""

    failure: Exception | None

    def serve_in(self, nursery: trio.Nursery) -> None:
        """Run in this nursery."""

    async def obey(self, command: Command) -> None:
        """Carry out a command, or begin to."""

    async def idle(self) -> None:
        """Wait until nothing is going on any more."""

    async def run(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Carry out commands until their channel closes."""


class PlainLoop:
    """News on one side, typed lines on the other, a node in between."""

    def __init__(
        self,
        presenter: PlainPresenter,
        write: Callable[[str], object],
        complain: Callable[[str], object] | None = None,
    ) -> None:
        """`complain` prints notices and accusations; `write` does where it is not given."""
        self.presenter = presenter
        self._write, self._complain = write, complain or write
        self._changed, self._asked_again = trio.Event(), trio.Event()
        self._is_at_table = False
        self._is_staying, self._is_patient = False, True
        self._is_again_told = False
        self.practised: TableChanged | None = None  # From where the person plays on against bots.

    def publish(self, news: UiNews) -> None:
        """Called by the node, at any time."""
        say = self._complain if isinstance(news, Notice | Accused | BotEnded) else self._write
        for line in self.presenter.receive(news):
            say(line)
        if self.presenter.may_play_again and not self._is_again_told and not self._is_patient:
            self._write(self.presenter.words("again.typed"))
        self._is_again_told = self.presenter.may_play_again
        is_refused = isinstance(news, Notice) and self.presenter.newest is None
        is_over = isinstance(news, TableChanged) and news.view.is_over
        if is_refused or (is_over and self._is_staying):
            self._is_at_table = False
        self._changed.set()
        self._changed = trio.Event()

    async def run(
        self,
        node: PlainNode,
        first: UiCommand,
        read_line: ReadLine,
        *,
        is_patient: bool,
        is_staying: bool = False,
    ) -> None:
        """Carry out `first` and read lines until the table is over, left, or the lines end.

        A patient reader (a pipe) takes the next line only when it can be used; whoever wants to
        leave does not have to wait.  One that stays goes on reading when nothing is going on: the
        lobby in words.
        """
        self._is_staying, self._is_patient = is_staying, is_patient
        async with trio.open_nursery() as nursery:
            node.serve_in(nursery)
            self._adviser = Adviser(nursery, self.publish)
            await self._obey(node, BeSeen(self.presenter.is_seen))
            await self._obey(node, first)
            nursery.start_soon(self._answer_singles, node)
            nursery.start_soon(self._read, node, read_line, nursery.cancel_scope, is_patient)
            if is_staying:
                await trio.sleep_forever()
            await node.idle()
            while self.presenter.may_play_again and not is_patient:
                await self._asked_again.wait()
                self._asked_again = trio.Event()
                await node.idle()
            nursery.cancel_scope.cancel()

    async def _obey(self, node: PlainNode, command: UiCommand) -> None:
        if isinstance(command, Explain | Review | TraceWinCurve):
            self._adviser.ask(command)
            return
        if isinstance(command, Choose | Leave):
            self._adviser.ask(Explain(None))
        if isinstance(command, OpenTable | JoinTable | Resume | Watch | Rematch):
            self._is_at_table = True
            self.presenter.lesson = LessonHeard() if isinstance(command, Learn) else None
        if isinstance(command, Rematch):
            self._asked_again.set()
        await node.obey(command)

    async def _answer_singles(self, node: PlainNode) -> None:
        while True:
            changed = self._changed
            single = self.presenter.own_answer()
            if single is not None:
                for line in single[0]:
                    self._write(line)
                if single[1] is not None:
                    await self._obey(node, single[1])
                continue
            await changed.wait()

    async def _read(
        self, node: PlainNode, read_line: ReadLine, scope: trio.CancelScope, is_patient: bool
    ) -> None:
        while True:
            line = await read_line()
            # A choice may be answered by itself while a pipe is read: so wait after reading.
            is_patient_now = is_patient and line.strip() not in LEAVING
            while is_patient_now and self._is_at_table and not self.presenter.is_ready:
                await self._changed.wait()
            if not line:
                break
            reply = self.presenter.read(line)
            for each in reply.lines:
                self._write(each)
            if reply.command is not None:
                await self._obey(node, reply.command)
            if reply.is_practising:
                self.practised = self.presenter.newest
            if reply.is_leaving:
                break
        await self._obey(node, Leave())
        scope.cancel()


async def typed_line() -> str:
    """The next line of standard input; nothing at its end."""
    return await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


def print_line(line: str) -> None:
    """To standard output, at once; what the terminal cannot show becomes a question mark."""
    encoding = sys.stdout.encoding or "ascii"
    print(line.encode(encoding, "replace").decode(encoding), flush=True)


def in_ascii(write: Callable[[str], object]) -> Callable[[str], object]:
    """A writer for terminals without other characters, that writes with `write`."""
    return lambda line: write(line.translate(ASCII_OF).encode("ascii", "replace").decode())


def print_complaint(line: str) -> None:
    """To standard error, as one of our lines."""
    encoding = sys.stderr.encoding or "ascii"
    safe = line.encode(encoding, "replace").decode(encoding)
    print(f"hostless: {safe}", file=sys.stderr, flush=True)
