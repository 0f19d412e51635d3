"""Playing on from a position of a recorded game: a table of one person, against bots."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest
import trio
from textual.pilot import Pilot

from ai.advice.explain import Explanation
from core.errors import HostlessError
from core.game import complete_options
from core.games import GAMES, find_game
from core.requests import Action, Event
from core.table import HIDDEN
from p2p.base.roster import DecisionPoint
from p2p.session.commands import Resume
from tests.limits import HANGS_S
from tests.ui.driving import QUIET, port_of, settled, whole_text
from tests.ui.fakes import PracticePort, some_seats, ui
from ui.app import HostlessApp
from ui.draw.frame import board_of
from ui.language.text import load
from ui.model.view_model import view_model
from ui.plain.loop import PlainLoop
from ui.plain.presenter import PlainPresenter
from ui.port import Explain, Explained
from ui.replay.practice import BOT_LEVEL, Practice, PracticeInLines, practice_at
from ui.replay.recording import Recording, record
from ui.screens.practice import PracticeScreen
from ui.screens.replays import ReplayScreen

CHOICES = 12
ME = 0
SHORT = {"civilization": {"max_turns": 6}}


class Noting(PracticePort):
    """It keeps what my seat knew after each event."""

    known: list[list[int]]

    def begin(self) -> Noting:
        self.known = []
        super().begin()
        return self

    def _feed(self, event: Event) -> None:
        if not self.known:
            self.known.append(self.observation(ME))
        super()._feed(event)
        self.known.append(self.observation(ME))


def a_recording(slug: str = "carta", seed: int = 11, choices: int = CHOICES) -> Recording:
    """What I know of some moves of a game."""
    game = find_game(slug)
    options = complete_options(game, 3, SHORT.get(slug, {}))
    port = Noting(seed=seed, game=game, options=options)
    port.begin().play(choices)
    return record(slug, some_seats(port.players), options, port.history, port.known)


def play_on(practice: Practice, rng: random.Random) -> None:
    """Everybody chooses by dice, to the end."""
    while not (news := practice.news()).is_finished:
        asked = practice.asked() or news.turn
        assert asked is not None, "somebody has to choose"
        legal = asked.game.legal_actions(asked.table, asked.seat, asked.observation)
        practice.act(asked.seat, rng.choice(legal))


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_goes_on_to_its_end_from_any_position(slug: str) -> None:
    recording = a_recording(slug)
    last = len(recording.positions) - 1
    for position in (0, last // 2, last):
        practice = Practice(recording, position, ME, seed=position)
        told = recording.seen_by(position, ME).lines
        assert practice.news().lines[: len(told)] == told
        play_on(practice, random.Random(position))
        news = practice.news()
        assert news.view.is_over and len(news.lines) > len(told)
        assert news.turn is None and not news.view.offers


def test_what_i_had_seen_stays_and_the_rest_is_dealt_anew() -> None:
    recording = a_recording()
    last = len(recording.positions) - 1
    known = recording.known[last]
    hands = set[tuple[int, ...]]()
    for seed in range(20):
        practice = Practice(recording, last, ME, seed)
        seen = practice._table.observation(ME)
        assert all(now == then for now, then in zip(seen, known, strict=True) if then != HIDDEN)
        hands.add(tuple(practice._table.deal))
    assert len(hands) > 10, "what nobody showed me is not what it was"


def test_a_bot_is_asked_with_nothing_but_its_own_cards() -> None:
    recording = a_recording()
    practice, rng = Practice(recording, 0, ME, seed=3), random.Random(3)
    asked = 0
    while not (news := practice.news()).is_finished:
        turn = practice.asked() or news.turn
        assert turn is not None
        for card, face in enumerate(turn.observation):
            may_see = turn.table.seen[card] >> turn.seat & 1 or turn.table.face[card] != HIDDEN
            assert face == HIDDEN or may_see
        asked += turn.seat != ME
        legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        practice.act(turn.seat, rng.choice(legal))
    assert asked > 10


def replaying(recording: Recording) -> HostlessApp:
    return HostlessApp(PracticePort(), QUIET, opening=lambda: ReplayScreen(recording))


async def answer_for_bots(pilot: Pilot[int]) -> PracticeScreen:
    """Let bots choose what the rules list first, until it is my turn."""
    app = pilot.app
    assert isinstance(app, HostlessApp)
    while True:
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, PracticeScreen)
        asked = screen._asked
        if asked is None:
            return screen
        assert port_of(app).sent[-1] == Explain(asked, BOT_LEVEL)
        best = asked.game.legal_actions(asked.table, asked.seat, asked.observation)[0]
        app.publish(Explained(asked.event_count, Explanation(asked.seat, best, 0, (), ())))


@ui
async def test_a_replay_is_played_on_with_one_key_and_left_with_another() -> None:
    app = replaying(a_recording())
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("down", "down", "b")
        screen = await answer_for_bots(pilot)
        text = whole_text(app)
        assert "Practice" in text.splitlines()[0] and "YOUR TURN" in text
        entry, sent = screen._practice.entry, len(port_of(app).sent)
        await pilot.press("1", "enter")
        await settled(pilot)
        assert screen._practice.entry > entry or screen.pending.is_open
        assert all(isinstance(each, Explain) for each in port_of(app).sent[sent:])
        await pilot.press("q")
        await settled(pilot)
        assert isinstance(app.screen, ReplayScreen)


@ui
async def test_practice_begun_from_a_table_that_is_over_does_not_show_its_result() -> None:
    app = replaying(a_recording())
    over = a_recording(choices=2000).positions[-1]
    async with app.run_test(size=(120, 36)) as pilot:
        app.newest = over
        await settled(pilot)
        await pilot.press("down", "b")
        screen = await answer_for_bots(pilot)
        assert app.screen is screen, "no page lies over the practice table"


@ui
async def test_a_replay_in_which_nobody_knows_a_hand_says_why_it_is_not_played_on() -> None:
    recording = a_recording()
    closed = Recording(recording.name, recording.positions, recording.marks, recording.history)
    app = replaying(closed)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("b")
        await settled(pilot)
        assert isinstance(app.screen, ReplayScreen)
        assert "you cannot play on" in whole_text(app)


@ui
async def test_the_end_of_a_recording_is_not_played_on() -> None:
    app = replaying(a_recording(choices=2000))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("end", "b")
        await settled(pilot)
        assert isinstance(app.screen, ReplayScreen)
        assert "go back" in whole_text(app)


def played_in_words(recording: Recording, position: int, line: str = "") -> list[str]:
    """What the loop of lines prints when this is typed, or else a choice by dice each time."""
    rng, presenter, printed = random.Random(position), PlainPresenter(load("en")), list[str]()
    plain = PlainLoop(presenter, printed.append)

    async def read_line() -> str:
        await trio.lowlevel.checkpoint()
        offers = presenter.newest.view.offers if presenter.newest else ()
        return line or f"{rng.randint(1, max(1, len(offers)))}\n"

    async def choose(turn: DecisionPoint) -> Action:
        await trio.lowlevel.checkpoint()
        return rng.choice(turn.game.legal_actions(turn.table, turn.seat, turn.observation))

    async def play() -> None:
        node = PracticeInLines(practice_at(recording, position), plain.publish, choose)
        with trio.fail_after(HANGS_S):
            await plain.run(node, Resume(Path("game")), read_line, is_patient=True)
        assert node.failure is None

    trio.run(play)
    return printed


@pytest.mark.parametrize("slug", GAMES)
def test_in_lines_of_text_a_game_is_played_on_to_its_end(slug: str) -> None:
    printed = played_in_words(a_recording(slug), CHOICES)
    told = "\n".join(printed)
    assert "YOUR TURN" in told
    assert "No shuffle yet" not in told, "Nothing is proven, and nothing is said about proofs."
    ends = ("win", "Nobody has won", "YOU")
    assert any(end in line for end in ends for line in printed[-40:]), told[-2000:]


def test_a_practice_game_in_lines_is_left_with_a_word() -> None:
    printed = played_in_words(a_recording(), CHOICES, "quit\n")
    assert not any("wins" in line for line in printed)


def test_where_nobody_can_play_on_a_sentence_says_so() -> None:
    recording = a_recording(choices=2000)
    last = len(recording.positions) - 1
    for late in (last, last + 1):
        with pytest.raises(HostlessError, match="too late"):
            practice_at(recording, late)
    closed = Recording(recording.name, recording.positions, recording.marks, recording.history)
    with pytest.raises(HostlessError, match="no cards are known"):
        practice_at(closed, 0)


@ui
async def test_a_key_of_the_replay_does_what_the_line_of_keys_says_whatever_else_has_it() -> None:
    """The letter of an effect that cannot be used explained it, and nobody could play on."""
    recording = a_recording(seed=12, choices=400)
    words = load("en")
    last = len(recording.positions) - 1
    models = [view_model(words, recording.seen_by(at, ME)) for at in range(last)]
    at = next(at for at in range(last) if board_of(models[at]).about(models[at], "b"))
    opening = partial(ReplayScreen, recording, at, ME)
    app = HostlessApp(PracticePort(), QUIET, opening=opening)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("b")
        await settled(pilot)
        assert isinstance(app.screen, PracticeScreen)
