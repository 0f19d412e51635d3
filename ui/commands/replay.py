"""`replay FILE`: step through a game; with `--json` one line per event.

With `--review SEAT` it says which choices cost that seat most, with `--play-on N` it is played on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.games import find_game
from core.table import RulesError
from ui.commands.person import home_of, settings_of, wants_lines, words_of
from ui.model.story import plain_sentences, told
from ui.model.view_model import view_model
from ui.plain.loop import in_ascii, print_line
from ui.plain.table_lines import table_lines
from ui.process.diagnosis import keep_off_the_screen
from ui.replay.recording import Recording, event_value, read_recording
from ui.replay.review import choices_to_review, review_lines

if TYPE_CHECKING:
    from pathlib import Path

    from ai.review import CostlyChoice, MadeChoice
    from core.requests import Action, Player
    from p2p.base.roster import DecisionPoint
    from ui.plain.presenter import PlainPresenter
    from ui.replay.practice import Practice


def run(args: argparse.Namespace) -> int:
    """On the screen; as sentences with `--plain` or where there is no screen."""
    if args.play_on is not None and (args.json or args.review is not None):
        raise RulesError("--play-on goes neither with --json nor with --review")
    if args.play_on is not None:
        play_on(args, args.file, args.play_on)
        return 0
    recording = read_recording(args.file)
    if args.review is not None:
        return _review(args, recording)
    if args.json:
        faces = find_game(recording.positions[0].view.game).faces
        for entry, (request, event) in enumerate(recording.history):
            print(json.dumps(event_value(entry, request, event, faces)))
        return 0
    if wants_lines(args) or not sys.stdout.isatty():
        model = view_model(words_of(args), recording.positions[-1])
        story = plain_sentences(told(model, model.news.lines))
        for line in [*story, *table_lines(model)]:
            print_line(line)
        return 0
    return _show(args, recording)


def _review(args: argparse.Namespace, recording: Recording) -> int:
    """What cost a seat most, as sentences or as JSON; how far it is, on a terminal."""
    from ui.commands.interruptible import run_interruptibly

    words, seat, shown = words_of(args), args.review - 1, recording.positions[-1]
    choices = choices_to_review(recording, seat)

    def tell(done: int, steps: int) -> None:
        if sys.stderr.isatty():
            line = words("review.thinking", done=done, steps=steps)
            print(f"\r{line}\033[K", end="\r", file=sys.stderr, flush=True)

    costly = run_interruptibly(_reviewed, choices, tell)
    if args.json:
        print(json.dumps([each._asdict() for each in costly]))
        return 0
    for line in review_lines(words, shown, seat, costly):
        print_line(line)
    return 0


async def _reviewed(
    choices: Sequence[MadeChoice], tell: Callable[[int, int], object]
) -> tuple[CostlyChoice, ...]:
    from ai.review import review
    from ai.seats.brain import open_brain

    async with open_brain() as brain:
        return await review(brain, choices, tell)


def play_on(
    args: argparse.Namespace, file: Path, position: int | None = None, seat: Player | None = None
) -> None:
    """A practice game in lines of text, from after so many events, or from where a file ends.

    It is played in `seat`, or in that whose choice it is.
    """
    from ui.commands.interruptible import run_interruptibly
    from ui.model.notes import Notes
    from ui.plain.presenter import PlainPresenter
    from ui.replay.practice import practice_at

    practice, words = practice_at(read_recording(file), position, seat), words_of(args)
    write = in_ascii(print_line) if settings_of(args).is_ascii else print_line
    write(words("practice.begun"))
    presenter = PlainPresenter(words, notes=Notes(home_of(args)))
    run_interruptibly(_practised, practice, presenter, write, file)


async def _practised(
    practice: Practice, presenter: PlainPresenter, write: Callable[[str], object], file: Path
) -> None:
    """The loop of lines around a practice game, its bots thinking in a process of their own."""
    from ai.seats.brain import open_brain
    from p2p.session.commands import Resume
    from ui.backend.hints import think
    from ui.plain.loop import PlainLoop, print_complaint, typed_line
    from ui.replay.practice import BOT_LEVEL, PracticeInLines

    async with open_brain() as brain:

        async def choose(turn: DecisionPoint) -> Action:
            return (await think(brain, turn, BOT_LEVEL)).action

        plain = PlainLoop(presenter, write, print_complaint)
        node = PracticeInLines(practice, plain.publish, choose)
        await plain.run(node, Resume(file), typed_line, is_patient=not sys.stdin.isatty())


def _show(args: argparse.Namespace, recording: Recording) -> int:
    import asyncio

    keep_off_the_screen()
    return asyncio.run(_run_screen(args, recording))


async def _run_screen(args: argparse.Namespace, recording: Recording) -> int:
    import trio

    from p2p.session.commands import Command
    from ui.app import HostlessApp
    from ui.backend.bridge import guest_engine
    from ui.backend.hints import advised
    from ui.model.notes import Notes
    from ui.port import PublishNews
    from ui.screens.replays import ReplayScreen

    async def nobody(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        """A replay asks nothing of a node."""
        async for _ in commands:
            pass

    async with guest_engine(
        advised(nobody),
        lambda news: app.publish(news),
        lambda error: app.engine_crashed(error),
        lambda: app.say_busy(),
    ) as engine:
        app = HostlessApp(engine, settings_of(args), opening=lambda: ReplayScreen(recording))
        app.notes = Notes(home_of(args))
        await app.run_async()
    if app.crash is not None:
        raise app.crash
    return app.return_code or 0
