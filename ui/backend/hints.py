"""Hints: a search from exactly the observation of one seat, beside the node and in another process.

What is thought about never leaves this machine.  One choice at a time; a new question, a choice
that has gone and a table that was left end the thinking and its process.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeVar

import trio

from core.bot_levels import ITERATIONS_MAX
from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.session.commands import Command
from p2p.session.news import Notice
from ui.language.text import Words
from ui.model.sentences import move_sentence, offer_sentence
from ui.model.view_model import ViewModel
from ui.port import (
    COMMANDS_MAX,
    Explain,
    Explained,
    PublishNews,
    Review,
    Reviewed,
    RunAdvisedNode,
    RunNode,
    TraceWinCurve,
    UiCommand,
    WinCurveTraced,
)

if TYPE_CHECKING:
    from ai.advice.explain import Explanation, Prospect
    from ai.levels import SearchSettings
    from ai.search.search import Decision
    from ai.seats.brain import Brain
    from p2p.base.roster import DecisionPoint

Q = TypeVar("Q", Explain, Review, TraceWinCurve)
LEVEL: Final = "sharp"  # A person who asks can wait as long as for a good opponent.
FIRST_LOOK_ITERATIONS: Final = 100  # At once, and so few that nothing is got ready for them.


class Adviser:
    """Thinks about a person's choice when asked, and publishes what it found out."""

    def __init__(self, nursery: trio.Nursery, publish: PublishNews) -> None:
        self._nursery, self._publish = nursery, publish
        self._thought = trio.CancelScope()
        self._traced: TraceWinCurve | None = None  # What is being traced.
        self._brain: Brain | None = None
        self._opening = trio.Lock()

    def ask(self, question: Explain | Review | TraceWinCurve) -> None:
        """Think about this from now on, and about nothing else."""
        if self._traced is not None and question == self._traced:
            return
        self._thought.cancel()
        self._thought, self._traced = trio.CancelScope(), None
        if isinstance(question, TraceWinCurve):
            self._traced = question
            self._nursery.start_soon(self._think, self._trace, question, self._thought)
        elif isinstance(question, Review):
            self._nursery.start_soon(self._think, self._review, question, self._thought)
        elif question.turn is not None:
            self._nursery.start_soon(self._think, self._explain, question, self._thought)

    async def _think(
        self, answer: Callable[[Brain, Q], Awaitable[None]], question: Q, thought: trio.CancelScope
    ) -> None:
        with thought:
            brain = await self._open_brain()
            from trio_parallel import BrokenWorkerError  # type: ignore[import-untyped]

            try:
                await answer(brain, question)
            except BrokenWorkerError:
                self._publish(Notice("the hint was lost: its process has ended", "ask once more"))

    async def _explain(self, brain: Brain, question: Explain) -> None:
        turn = question.turn
        assert turn is not None, "there is something to think about"
        level = question.level or LEVEL
        is_longer = _settings(turn, level).iterations > FIRST_LOOK_ITERATIONS
        if is_longer and not question.level:  # A person waits; others need what is final.
            first_look = await explain_turn(brain, turn, level, FIRST_LOOK_ITERATIONS)
            if first_look.iterations:
                self._publish(Explained(turn.event_count, first_look, is_first_look=True))
        explanation = await explain_turn(brain, turn, level)
        self._publish(Explained(turn.event_count, explanation))
        if not explanation.iterations:  # Nothing was thought about; the next hint may take more.
            self._nursery.start_soon(get_ready, brain, turn, level)

    async def _review(self, brain: Brain, question: Review) -> None:
        from ai.review import review

        def tell(done: int, steps: int) -> None:
            self._publish(Reviewed(done, steps))

        costly = await review(brain, question.choices, tell)
        self._publish(Reviewed(0, 0, costly))

    async def _trace(self, brain: Brain, question: TraceWinCurve) -> None:
        from ui.replay.course import read_course

        try:
            course = await brain.ask(read_course, question.path)
        except (HostlessError, PeerError) as error:
            self._publish(Notice(str(error)))
        else:
            self._publish(WinCurveTraced(question.path, course))
        self._traced = None

    async def _open_brain(self) -> Brain:
        """The brain, opened at the first question and kept."""
        async with self._opening:
            if self._brain is None:
                # A key press does not wait while the games and the search are imported.
                await trio.to_thread.run_sync(import_module, "ai.seats.brain")
                self._brain = await self._nursery.start(_keep_brain)
            return self._brain


async def _keep_brain(task_status: trio.TaskStatus[Brain]) -> None:
    from ai.seats.brain import open_brain

    async with open_brain() as brain:
        task_status.started(brain)
        await trio.sleep_forever()


async def explain_turn(
    brain: Brain, turn: DecisionPoint, level: str, most: int = ITERATIONS_MAX
) -> Explanation:
    """What search thinks of a choice after so many iterations at most."""
    from ai.advice.explain import explain

    decision = await think(brain, turn, level, most)
    return explain(turn.game, turn.table, turn.observation, turn.seat, decision)


async def think(
    brain: Brain, turn: DecisionPoint, level: str, most: int = ITERATIONS_MAX
) -> Decision:
    """What a bot of ours would do in this seat, with the level's budget on a usual machine."""
    settings = _settings(turn, level, most)
    return await brain.decide(turn.game.slug, turn.table, turn.observation, turn.seat, settings)


async def get_ready(brain: Brain, turn: DecisionPoint, level: str) -> None:
    """Find out beforehand what the next hint in this game needs, if that takes a while."""
    from trio_parallel import BrokenWorkerError

    from ai.seats.brain import get_ready as ready

    with suppress(BrokenWorkerError):  # Then the next hint finds it out.
        await brain.ask(ready, turn.game.slug, turn.table, _settings(turn, level))


def _settings(turn: DecisionPoint, level: str, most: int = ITERATIONS_MAX) -> SearchSettings:
    from ai.advice.explain import usual_iterations
    from ai.levels import SearchSettings

    return SearchSettings(turn.seed, level, min(usual_iterations(turn.game, level), most))


def advised(node: RunNode) -> RunAdvisedNode:
    """The node with an adviser at its side: it gets the commands, the adviser the questions."""

    async def run(asked: trio.MemoryReceiveChannel[UiCommand], publish: PublishNews) -> None:
        uplink, commands = trio.open_memory_channel[Command](COMMANDS_MAX)
        async with trio.open_nursery() as nursery:
            adviser = Adviser(nursery, publish)
            nursery.start_soon(_until_done, node, commands, publish, nursery.cancel_scope)
            async with uplink:
                async for each in asked:
                    if isinstance(each, Explain | Review | TraceWinCurve):
                        adviser.ask(each)
                    else:
                        await uplink.send(each)
            adviser.ask(Explain(None))

    return run


async def _until_done(
    node: RunNode,
    commands: trio.MemoryReceiveChannel[Command],
    publish: PublishNews,
    everything: trio.CancelScope,
) -> None:
    await node(commands, publish)
    everything.cancel()


# ---- in words ----


def hint_lines(model: ViewModel, explanation: Explanation) -> list[str]:
    """The hint as lines of text, the best choice first and marked."""
    words, seats, view = model.words, model.news.seats, model.view
    numbers = {offer.action: number for number, offer in enumerate(view.offers, 1)}
    lines = [basis_sentence(words, explanation)]
    for prospect in explanation.ranked():
        mark = "*" if prospect.action == explanation.best else " "
        what = offer_sentence(words, seats, prospect.text, view.game, view.phase)
        number = numbers.get(prospect.action, "")
        lines.append(f" {mark}{number}  {what}: {_promise(words, prospect)}")
    unsure = unsure_sentence(words, explanation)
    return [*lines, *([unsure] if unsure else []), expected_sentence(model, explanation)]


def basis_sentence(words: Words, explanation: Explanation) -> str:
    """What the hint rests on."""
    if not explanation.iterations:
        return words("hint.sure")
    return words("hint.imagined", number=explanation.iterations)


def unsure_sentence(words: Words, explanation: Explanation) -> str:
    """Why the best choice is not the one that won most often; empty where it is.

    A bot does what its policy says unless search is sure of something better (`ai.search.search`),
    and what looked worse at first was tried less.
    """
    tried = {each.action: each.win_permille for each in explanation.prospects if each.visits}
    best = tried.get(explanation.best)
    return words("hint.unsure") if best is not None and max(tried.values()) > best else ""


def expected_sentence(model: ViewModel, explanation: Explanation, count: int = 0) -> str:
    """The moves that search expects, the first `count` of them or all, as one sentence."""
    words, seats = model.words, model.news.seats
    line = explanation.line[: count or None]
    game = model.view.game
    moves = [move_sentence(words, seats, move.seat, move.text, game) for move in line]
    key = "hint.line" if len(line) == len(explanation.line) else "hint.line_first"
    return words(key, moves=words.parted(moves))


def win_text(prospect: Prospect) -> str:
    """How often a choice wins; a dash for one that was not tried."""
    return f"{prospect.win_permille / 10:.1f}%" if prospect.visits else "-"


def _promise(words: Words, prospect: Prospect) -> str:
    if not prospect.visits:
        return words("hint.untried")
    return words("hint.promise", win=win_text(prospect), visits=prospect.visits)
