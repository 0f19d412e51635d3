"""The costly choices of a seat: asked for with one key, each of them a way to its moment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio
from textual.widgets import OptionList

from ai.review import CostlyChoice
from core.errors import HostlessError
from p2p.session.commands import Command
from tests.limits import HANGS_S
from tests.ui.driving import an_app, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_practice import a_recording, replaying
from ui.__main__ import main
from ui.backend.hints import advised
from ui.commands import replay
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.sentences import seat_name
from ui.port import Explain, PublishNews, Review, Reviewed, UiCommand, UiNews
from ui.replay.recording import Recording
from ui.replay.review import choices_to_review, review_lines
from ui.screens.end import EndScreen
from ui.screens.replays import ReplayScreen
from ui.screens.review import ReviewScreen

COSTLY = CostlyChoice(9, 0, "end", "play military", 81, 292)
LAST = len(a_recording().positions) - 1


def reviews_of(port: PracticePort) -> list[Review]:
    return [each for each in port.sent if isinstance(each, Review)]


def test_every_choice_of_the_seat_is_thought_about_as_it_saw_it() -> None:
    recording = a_recording()
    choices = choices_to_review(recording, 0)
    assert len(choices) > 2
    for turn, action in choices:
        asked = recording.turn_at(turn.event_count)
        assert asked is not None and (asked.seat, asked.observation) == (0, turn.observation)
        assert action in turn.game.legal_actions(turn.table, 0, turn.observation)
        assert turn.table.face == asked.table.face


def test_a_costly_choice_is_named_by_the_turn_in_which_it_was_made() -> None:
    """`At 92 of 698` it said, which tells nobody who did not count the entries."""
    recording = a_recording()
    shown, words = recording.positions[-1], load("en")
    for turn, _ in choices_to_review(recording, 0):
        costly = COSTLY._replace(entry=turn.event_count)
        told = review_lines(words, shown, 0, [costly])[1]
        assert told.startswith(f"{seat_name(words, shown.seats, 0)}'s turn "), told
        assert f"({turn.event_count} of {LAST})" in told


def test_a_seat_whose_cards_are_not_known_cannot_be_judged() -> None:
    with pytest.raises(HostlessError, match="the cards of seat 2 are not known here"):
        choices_to_review(a_recording(), 1)


@pytest.mark.parametrize("seat", [-1, 3])
def test_who_asks_for_a_seat_that_a_game_has_not_reads_which_there_are(seat: int) -> None:
    """It was told that the cards of that seat are not known, and where its key could be."""
    with pytest.raises(HostlessError, match=f"this game has no seat {seat + 1}$") as refused:
        choices_to_review(a_recording(), seat)
    assert refused.value.hint == "its seats are 1 to 3"


@ui
async def test_one_key_in_a_replay_finds_them_and_enter_shows_the_moment() -> None:
    app = replaying(a_recording())
    async with app.run_test(size=(100, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end", "c")
        await shown(pilot, "Every choice is thought about again")
        await shown(pilot, "The choices that cost ada most")
        while not reviews_of(port_of(app)):
            await pilot.pause(0.01)
        app.publish(Reviewed(3, 20))
        await shown(pilot, "Thinking: step 3 of 20")
        app.publish(Reviewed(0, 0, (COSTLY, COSTLY._replace(entry=5))))
        await shown(pilot, f'(9 of {LAST}): "end your turn" wins 8.1%')
        await shown(pilot, '"play Military" 29.2%')
        assert app.screen.query_one(OptionList).option_count == 2
        await pilot.press("down", "enter")
        await settled(pilot)
        assert isinstance(app.screen, ReplayScreen) and app.screen.position == 5
        assert Explain(None) not in port_of(app).sent


@ui
async def test_who_leaves_the_page_ends_the_thinking() -> None:
    app = replaying(a_recording())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("c")
        await shown(pilot, "esc leaves")
        assert isinstance(app.screen, ReviewScreen)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, ReplayScreen)
        assert port_of(app).sent[-1] == Explain(None)
        app.publish(Reviewed(0, 0, (COSTLY,)))
        await settled(pilot)
        assert "8.1%" not in whole_text(app)


@ui
async def test_a_replay_without_any_hand_says_why_there_is_nothing_to_judge() -> None:
    known = a_recording()
    closed = Recording(known.name, known.positions, known.marks, known.history)
    app = replaying(closed)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("c")
        await shown(pilot, "No key was opened")
        assert isinstance(app.screen, ReplayScreen)


@ui
async def test_the_end_page_leads_there_with_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    app, recording = an_app(), a_recording()
    monkeypatch.setattr("ui.screens.opened.read_recording", lambda path: recording)
    async with app.run_test(size=(100, 30)) as pilot:
        port_of(app).begin().play(10_000)
        app.is_seated = True
        app.publish(port_of(app).news())
        await settled(pilot)
        assert isinstance(app.screen, EndScreen)
        await pilot.press("c")
        await shown(pilot, "The choices that cost ada most")


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_they_are_told_in_every_language(language: str) -> None:
    last = a_recording().positions[-1]
    title, line = review_lines(load(language), last, 0, [COSTLY])
    assert "ada" in title and "8.1%" in line and "29.2%" in line
    assert len(review_lines(load(language), last, 0, [])) == 2


@pytest.mark.slow
async def test_the_adviser_says_how_far_it_is_and_what_it_found() -> None:
    heard = list[UiNews]()

    async def nobody(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        async for _ in commands:
            pass

    done = trio.Event()

    def publish(news: UiNews) -> None:
        heard.append(news)
        if isinstance(news, Reviewed) and news.costly is not None:
            done.set()

    uplink, asked = trio.open_memory_channel[UiCommand](1)
    choices = choices_to_review(a_recording(), 0)[:2]
    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(advised(nobody), asked, publish)
            await uplink.send(Review(choices))
            await done.wait()
            await uplink.aclose()
    assert [type(each) for each in heard] == [Reviewed] * len(heard) and len(heard) > 1


@pytest.mark.parametrize("is_json", [False, True])
def test_the_command_line_prints_them(
    is_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def found(*asked: object) -> tuple[CostlyChoice, ...]:
        return (COSTLY,)

    monkeypatch.setattr(replay, "read_recording", lambda path: a_recording())
    monkeypatch.setattr(replay, "_reviewed", found)
    kind = ["--json"] if is_json else []
    assert main(["--lang", "en", "replay", "any.hostless", "--review", "1", *kind]) == 0
    out = capsys.readouterr().out
    if is_json:
        assert json.loads(out) == [COSTLY._asdict()]
    else:
        assert f'(9 of {LAST}): "end your turn" wins 8.1%' in out


def test_a_seat_that_there_is_not_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(replay, "read_recording", lambda path: a_recording())
    asked = ["--home", str(tmp_path), "--lang", "ko", "replay", "any.hostless", "--review", "7"]
    assert main(asked) == 1
    said = "이 게임에 7번 자리는 없습니다. 자리는 1부터 3까지"
    assert capsys.readouterr().err == f"hostless: {said}\n"
