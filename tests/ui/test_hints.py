"""Hints: asked for with one key, thought elsewhere, shown while the choice is open."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
import trio
import trio.testing
from rich.cells import cell_len

from ai.advice.explain import Explanation, explain
from ai.games import find_knowledge
from ai.search.search import search
from core.games import find_game
from p2p.base.roster import DecisionPoint
from p2p.session.commands import BeSeen, Choose, Command, JoinTable, Leave
from tests.limits import HANGS_S
from tests.ui.driving import (
    an_app,
    at_table,
    is_playing,
    port_of,
    settled,
    shown,
    text_of,
    whole_text,
)
from tests.ui.fakes import PracticePort, some_seats, ui
from ui.backend.hints import hint_lines
from ui.key_bindings import bindings_of
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import view_model
from ui.plain.loop import PlainLoop
from ui.plain.presenter import PlainPresenter
from ui.port import Explain, Explained
from ui.replay.recording import Recording, record
from ui.screens.replays import ReplayScreen
from ui.settings import Settings
from ui.terminal.spans import row_width
from ui.widgets.hint import draw_hint

ITERATIONS = 100


def explanation_of(turn: DecisionPoint) -> Explanation:
    seen = turn.game, turn.table, turn.observation, turn.seat
    knowledge = find_knowledge(turn.game)
    decision = search(knowledge, *seen[1:], seed=1, iterations=ITERATIONS)
    return explain(*seen, decision)


@lru_cache
def a_port(game: str = "carta") -> PracticePort:
    port = PracticePort(seed=3, game=find_game(game)).begin()
    return port.play_until(lambda news: len(news.view.offers) > 1)


def asked_of(port: PracticePort) -> list[DecisionPoint | None]:
    """What the adviser was asked, in order; None where it was told to stop."""
    return [each.turn for each in port.sent if isinstance(each, Explain)]


def answer_to(turn: DecisionPoint) -> Explained:
    return Explained(turn.event_count, explanation_of(turn))


# ---- on the screen ----


@ui
async def test_one_key_asks_from_my_own_eyes_and_the_table_goes_on() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h")
        (turn,) = asked_of(port_of(app))
        assert turn is not None
        assert (turn.seat, list(turn.observation)) == (0, port_of(app).observation(0))
        await shown(pilot, "Thinking about your choice")
        await pilot.press("2")
        assert screen.picked == "2"


@ui
async def test_every_legal_action_is_shown_with_its_key_its_chance_and_its_visits() -> None:
    app = an_app()
    async with app.run_test(size=(200, 50)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h")
        (turn,) = asked_of(port_of(app))
        assert turn is not None and screen.model is not None
        explained = answer_to(turn)
        app.publish(explained)
        await settled(pilot)
        rows = text_of(app, "hint-panel").splitlines()
        best = explained.explanation.ranked()[0]
        assert rows[1].startswith("▸")
        assert f"{best.win_permille / 10:.1f}%" in rows[1]
        assert str(best.visits) in rows[1]
        for prospect, row in zip(explained.explanation.ranked(), rows[1:], strict=False):
            labels = [
                pick.label for pick in screen.model.picks if pick.offer.action == prospect.action
            ]
            assert row[1:].split()[0] == labels[0]
        assert "Expected: ada" in " ".join(rows)


@ui
async def test_a_click_on_a_row_of_the_hint_picks_that_action() -> None:
    app = an_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h")
        (turn,) = asked_of(port_of(app))
        assert turn is not None
        app.publish(answer_to(turn))
        await settled(pilot)
        label = text_of(app, "hint-panel").splitlines()[1][1:].split()[0]
        await pilot.click("#hint-panel", offset=(5, 2))
        assert screen.picked == label


@ui
async def test_the_same_key_then_shows_all_of_it_on_a_page() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h")
        (turn,) = asked_of(port_of(app))
        assert turn is not None
        app.publish(answer_to(turn))
        await settled(pilot)
        await pilot.press("h")
        await shown(pilot, "games imagined on this machine")
        assert app.screen is not screen
        await pilot.press("escape")
        assert app.screen is screen


@ui
async def test_a_hint_for_a_choice_that_has_gone_is_dropped() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h", "1", "enter")
        turn, stopped = asked_of(port_of(app))
        assert turn is not None and stopped is None
        app.publish(answer_to(turn))
        await settled(pilot)
        assert screen.explanation is None
        assert not screen.has_class("-hinted")


@ui
async def test_the_node_is_told_of_my_answer_before_a_hint_is_given_up() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("h", "1", "enter")
        sent = [type(each) for each in port_of(app).sent if isinstance(each, Explain | Choose)]
        assert sent[:2] == [Explain, Choose]


@pytest.mark.parametrize("key", ["escape", "q"])
def test_escape_and_leaving_end_the_thinking(key: str) -> None:
    @ui
    async def run() -> None:
        app = an_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await at_table(pilot, is_playing)
            await pilot.press("h", key)
            await settled(pilot)
            assert asked_of(port_of(app))[-1] is None
            assert len(asked_of(port_of(app))) == 2

    run()


@ui
async def test_without_a_choice_of_mine_there_is_nothing_to_think_about() -> None:
    app = an_app()
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await at_table(pilot, is_playing)
        port_of(app).entry += 1  # The node is slow: it will not answer.
        await pilot.press("1", "enter", "h")
        await shown(pilot, "No choice of yours is open")
    assert asked_of(port_of(app)) == []


@ui
async def test_the_help_page_says_where_a_hint_comes_from() -> None:
    app = an_app()
    async with app.run_test(size=(100, 60)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("question_mark")
        await shown(pilot, "thought on this machine")
        assert "nobody is told that you asked" in " ".join(whole_text(app).split())


def test_the_key_is_registered_at_the_table() -> None:
    assert [action.key for action in bindings_of("table") if action.name == "hint"] == ["h"]


# ---- looking back ----


def a_recording(*, is_open: bool) -> Recording:
    """A game of which my seat knows every card it saw, and the others nothing."""
    port = PracticePort(seed=3).begin()
    known = [port.observation(0) for _ in range(port.entry + 1)] if is_open else []
    return record("carta", some_seats(3), {}, port.history, known)


@ui
async def test_looking_back_a_hint_sees_what_the_seat_saw() -> None:
    recording = a_recording(is_open=True)
    app = an_app()
    async with app.run_test(size=(100, 30)) as pilot:
        last = len(recording.positions) - 1
        await app.push_screen(ReplayScreen(recording, last))
        await pilot.press("h")
        (turn,) = asked_of(port_of(app))
        assert turn is not None
        assert (turn.seat, turn.event_count) == (0, last)
        assert list(turn.observation) == PracticePort(seed=3).begin().observation(0)
        app.publish(answer_to(turn))
        await shown(pilot, "Expected first: ada plays")
        await pilot.press("left")
        await settled(pilot)
        assert "Expected" not in whole_text(app)


def test_without_an_open_key_nobody_can_think_for_a_seat() -> None:
    recording = a_recording(is_open=False)
    assert recording.turn_at(len(recording.positions) - 1) is None


def test_a_seat_whose_key_stayed_closed_is_not_thought_for() -> None:
    port = PracticePort(seed=3).begin()
    nobody = [port.table.face[:] for _ in range(port.entry + 1)]
    recording = record("carta", some_seats(3), {}, port.history, nobody)
    assert recording.turn_at(port.entry) is None


# ---- drawn and told ----


@pytest.mark.parametrize("game", ["carta", "dominion"])
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_hint_is_drawn_to_its_width_in_every_language(code: str, game: str) -> None:
    port = a_port(game)
    model, explanation = view_model(load(code), port.news()), explanation_of(port.turn())
    for width in (36, 48, 100):
        rows = draw_hint(model, explanation, width, 9)
        assert len(rows) <= 9
        assert {row_width(row) for row in rows if row} == {width}
    everything = draw_hint(model, explanation, 100)
    assert len(everything) > len(explanation.prospects)


def test_of_a_long_line_the_panel_shows_whole_moves_only() -> None:
    port = a_port()
    explanation = explanation_of(port.turn())
    longer = replace(explanation, line=explanation.line[:1] * 12)
    model = view_model(load("en"), port.news())
    shown_rows = draw_hint(model, longer, 48, 9)
    text = " ".join("".join(span.text for span in row).strip() for row in shown_rows)
    assert "Expected first: ada plays" in text and text.endswith(".") and "…" not in text
    assert len(shown_rows) <= 9
    everything = draw_hint(model, longer, 48)
    whole = " ".join("".join(span.text for span in row).strip() for row in everything)
    assert whole.count("ada plays") == 12


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_thinking_is_told_in_every_language(code: str) -> None:
    rows = draw_hint(view_model(load(code), a_port().news()), None, 40, 9)
    assert rows
    assert all(cell_len("".join(span.text for span in row)) == 40 for row in rows)


def test_in_words_the_best_is_marked_and_every_action_has_its_number() -> None:
    port = PracticePort(seed=3).begin()
    presenter = PlainPresenter(load("en"))
    presenter.receive(port.news())
    reply = presenter.read("hint")
    assert isinstance(reply.command, Explain) and reply.command.turn is not None
    assert not presenter.is_ready
    explained = answer_to(reply.command.turn)
    assert presenter.receive(replace(explained, is_first_look=True)) == []
    assert not presenter.is_ready, "a better hint follows the first look"
    _, *rows, expected = presenter.receive(explained)
    assert presenter.is_ready
    best = explained.explanation.best
    number = [offer.action for offer in port.news().view.offers].index(best) + 1
    assert rows[0].startswith(f" *{number}  play ")
    assert len(rows) == len(port.news().view.offers)
    assert expected.startswith("Expected: ada plays")


def test_where_all_else_is_plainly_worse_nothing_is_said_of_imagined_games() -> None:
    port = PracticePort(seed=3).begin()
    untried = replace(explanation_of(port.turn()), iterations=0)
    words = load("en")
    assert hint_lines(view_model(words, port.news()), untried)[0] == words("hint.sure")


def test_in_words_a_hint_that_is_no_longer_wanted_says_nothing() -> None:
    port = PracticePort(seed=3).begin()
    presenter = PlainPresenter(load("en"))
    assert presenter.read("hint").command is None
    presenter.receive(port.news())
    turn = port.turn()
    assert presenter.receive(answer_to(turn)) == []
    presenter.read("hint")
    presenter.read("1")
    assert presenter.receive(answer_to(turn)) == []
    assert presenter.read("hint").lines == (load("en")("hint.none"),)


class PracticeNode:
    """A node that remembers what it was told, and goes on playing."""

    failure: Exception | None = None

    def __init__(self, port: PracticePort) -> None:
        self.obeyed: list[Command] = []
        self._port = port

    def serve_in(self, nursery: trio.Nursery) -> None:
        """It does nothing beside."""

    async def obey(self, command: Command) -> None:
        self.obeyed.append(command)
        self._port.send(command)

    async def idle(self) -> None:
        await trio.sleep_forever()

    async def run(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        raise AssertionError("the loop sends commands one by one")


async def test_a_pipe_waits_for_its_hint_before_it_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ui.backend.hints.LEVEL", "gentle")
    port, printed = PracticePort(seed=3).begin(), list[str]()
    node, plain = (
        PracticeNode(port),
        PlainLoop(PlainPresenter(load("en"), is_automatic=False), printed.append),
    )
    port.publish = plain.publish
    lines = iter(["hint\n", "1\n"])

    async def read_line() -> str:
        return next(lines, "")

    with trio.fail_after(HANGS_S):
        plain.publish(port.news())
        await plain.run(node, JoinTable(""), read_line, is_patient=True)
    assert [type(command) for command in node.obeyed] == [BeSeen, JoinTable, Choose, Leave]
    assert any(line.startswith("Expected: ada plays") for line in printed)


@ui
async def test_settings_of_a_plain_terminal_show_the_hint_in_ascii() -> None:
    app = an_app(settings=Settings(is_automatic=False, is_ascii=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("h")
        (turn,) = asked_of(port_of(app))
        assert turn is not None
        app.publish(answer_to(turn))
        await settled(pilot)
        assert whole_text(app).isascii()
