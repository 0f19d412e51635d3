"""The table by keyboard and by mouse, without a network, and replays of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from textual.content import Content
from textual.events import MouseScrollDown, MouseScrollUp

from core.requests import Over
from p2p.session.commands import Choose, Leave, TakeOver, Watch
from p2p.session.news import Accused, Elsewhere, Fairness, Notice, TableChanged
from tests.ui.driving import (
    QUIET,
    an_app,
    at_table,
    has_effects,
    is_playing,
    my_chosen,
    place_of,
    port_of,
    settled,
    shown,
    text_of,
    whole_text,
)
from tests.ui.fakes import PracticePort, some_seats, ui, with_fairness
from ui.app import HostlessApp
from ui.draw import story as draw_story
from ui.model.story import Told
from ui.model.view_model import ViewModel
from ui.replay.recording import record
from ui.screens import answering
from ui.screens.replays import ReplayScreen
from ui.screens.table import TableScreen
from ui.settings import Settings
from ui.terminal.spans import Row, Span
from ui.widgets.rows import RowsWidget


@ui
async def test_a_number_and_enter_play_a_card() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        pick = screen.model.pick("2")
        assert pick is not None
        entry = screen.model.news.event_count
        await pilot.press("2")
        assert pick.text in text_of(app, "prompt")
        await pilot.press("enter")
        assert my_chosen(port_of(app)) == [Choose(pick.offer.action, entry)]


@ui
async def test_escape_takes_the_pick_back_and_enter_then_says_what_to_press() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("1", "escape", "enter")
        await shown(pilot, "Nothing is picked: press 1, 2")
    assert my_chosen(port_of(app)) == []


@ui
async def test_the_key_that_takes_a_choice_back_first_takes_back_what_is_only_picked() -> None:
    app = an_app(settings=replace(QUIET, takes_back=True))
    async with app.run_test() as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("1", "u")
        await settled(pilot)
        assert screen.picked == "" and my_chosen(port_of(app)) == []
        await pilot.press("enter")
        await settled(pilot)
        assert my_chosen(port_of(app)) == [], "nothing is picked any more"


@ui
async def test_a_key_that_nothing_has_is_answered_and_what_is_picked_stays() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("1", "Z")
        await shown(pilot, "Nothing has the key Z now")
        assert screen.picked == "1"


@ui
async def test_a_choice_is_sent_once_however_often_enter_is_pressed() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot, is_playing)
        port_of(app).is_running = False
        port_of(app).entry += 1  # The node is slow: it will not answer.
        await pilot.press("1", "enter", "1", "enter", "enter")
        assert len(my_chosen(port_of(app))) == 1
        app.publish(Notice("not now", asks_again=True))
        await pilot.pause()
        await pilot.press("1", "enter")
        assert len(my_chosen(port_of(app))) == 2


@ui
async def test_two_clicks_on_a_card_play_it() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        x, y = place_of(screen, "hand", "1")
        await pilot.click("#hand", offset=(x, y))
        assert screen.picked == "1"
        await pilot.click("#hand", offset=(x, y))
        await pilot.pause()
    assert len(my_chosen(port_of(app))) == 1


@ui
async def test_the_wheel_goes_through_everything_that_is_legal() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        first, second = (pick.label for pick in screen.model.picks[:2])
        seen = []
        for kind in (MouseScrollDown, MouseScrollDown, MouseScrollUp):
            app.post_message(turned(kind))  # As from a terminal.
            await pilot.pause()
            seen.append(screen.picked)
    assert seen == [first, second, first]


def turned(kind: type[MouseScrollDown] | type[MouseScrollUp]) -> MouseScrollDown | MouseScrollUp:
    """One notch of the wheel."""
    return kind(None, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False)


@ui
async def test_an_effect_is_picked_by_letter_and_by_a_click_and_done_by_the_prompt() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, has_effects)
        assert screen.model is not None
        uses = [pick for pick in screen.model.picks if pick.offer.action.verb == "use"]
        first, second = uses[0].label, uses[1].label
        await pilot.press(second)
        assert screen.picked == second
        await pilot.click("#hand", offset=place_of(screen, "hand", first))
        assert screen.picked == first
        await pilot.click("#prompt")
        await pilot.pause()
    assert len(my_chosen(port_of(app))) == 1


@ui
async def test_tab_goes_through_everything_that_is_legal() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test() as pilot:
        screen = await at_table(pilot, has_effects)
        assert screen.model is not None
        seen = []
        for _ in screen.model.picks:
            await pilot.press("tab")
            seen.append(screen.picked)
        assert seen == [pick.label for pick in screen.model.picks]
        await pilot.press("shift+tab")
        assert screen.picked == seen[-2]


@ui
async def test_arrows_go_to_what_lies_beside_and_back() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("right")
        assert screen.picked == "1"
        await pilot.press("right")
        assert screen.picked == "2"
        await pilot.press("left")
        assert screen.picked == "1"


@pytest.mark.slow
@ui
async def test_the_fortieth_reason_is_to_be_read_like_the_first() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot, has_effects)
        for _ in range(40):
            await pilot.press("1")
        await settled(pilot)
        assert "One card a turn" in whole_text(app)


@ui
async def test_a_dim_card_says_why_and_sends_nothing() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot, has_effects)
        await pilot.press("1")
        await pilot.pause()
        assert "One card a turn" in whole_text(app)
        await pilot.press("1")
        await pilot.press("1")
        await settled(pilot)
        assert whole_text(app).count("One card a turn") == 1, "reasons do not pile up"
        assert "One card a turn" not in "\n".join(whole_text(app).splitlines()[-8:])
    assert my_chosen(port_of(app)) == []


@ui
async def test_a_choice_with_one_answer_is_given_after_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, "AUTOMATIC_ANSWER_S", 3.0)  # Seen on a busy machine as well.

    def is_single(news: TableChanged) -> bool:
        return len(news.view.offers) == 1 and news.view.offers[0].action.verb != "end"

    app = an_app(PracticePort(seed=4), Settings(takes_back=False))
    async with app.run_test() as pilot:
        screen = await at_table(pilot, is_single)
        assert screen.picked  # It is shown first.
        for _ in range(300):
            await pilot.pause(0.02)
            if my_chosen(port_of(app)):
                break
        assert my_chosen(port_of(app))


@ui
async def test_the_end_of_a_turn_is_never_given_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, "AUTOMATIC_ANSWER_S", 0.05)

    def is_end(news: TableChanged) -> bool:
        return [offer.text for offer in news.view.offers] == ["end"]

    app = an_app(PracticePort(seed=4), Settings())
    async with app.run_test() as pilot:
        await at_table(pilot, is_end)
        await pilot.pause(0.2)
        assert my_chosen(port_of(app)) == []
        await pilot.press("enter")
        assert len(my_chosen(port_of(app))) == 1


@pytest.mark.slow
@ui
async def test_a_whole_game_is_played_by_keyboard_alone() -> None:
    app = an_app(PracticePort(seed=7))
    port = port_of(app)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        for _ in range(2_000):
            await pilot.pause()
            if isinstance(port.request, Over):
                break
            screen = app.subscribers["table"]
            assert isinstance(screen, TableScreen)
            labels = [pick.label for pick in screen.model.picks] if screen.model else []
            label = "e" if "e" in labels else labels[0]
            await pilot.press(*label, "enter")
        await pilot.pause()
        assert "victory" in whole_text(app)
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen)
        await pilot.press("q")
        await pilot.pause()
        assert app.current_mode == "lobby"
    assert port.sent[-1] == Leave()


@pytest.mark.slow
@ui
async def test_pages_open_over_the_table_and_close_again() -> None:
    app = an_app()
    expected = {
        "l": "plays",
        "p": "Discard pile",
        "f": "Who verified",
        "r": "Step 1",
        "question_mark": "esc",
    }
    async with app.run_test(size=(80, 40)) as pilot:
        screen = await at_table(pilot)
        port_of(app).play(4)
        app.publish(port_of(app).news())
        await pilot.pause()
        for key, words in expected.items():
            await pilot.press(key)
            await shown(pilot, words)
            await pilot.press("escape")
            await pilot.pause()
            assert app.screen is screen


@ui
async def test_a_tiny_terminal_gets_one_clear_sentence_and_loses_nothing() -> None:
    app = an_app()
    async with app.run_test(size=(40, 12)) as pilot:
        screen = await at_table(pilot, is_playing)
        shown = " ".join(whole_text(app).split())
        assert "This terminal is 40x12" in shown
        assert "--plain" in shown
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "YOUR TURN" in whole_text(app)
        assert app.screen is screen


@ui
async def test_a_cheater_is_named_and_the_page_says_that_nothing_is_lost() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot)
        app.publish(Accused(1, "grace", "The shuffle proof does not hold."))
        await pilot.pause()
        text = whole_text(app)
    assert "grace misbehaved" in text
    assert "The shuffle proof does not hold." in text


@ui
@pytest.mark.parametrize(("key", "sent"), [("y", TakeOver()), ("n", Leave())])
async def test_a_person_is_asked_which_program_is_to_go_on(key: str, sent: object) -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot)
        app.publish(Elsewhere("ada", "10.0.0.4"))
        await pilot.pause()
        assert "10.0.0.4" in whole_text(app)
        await pilot.press(key)
        await pilot.pause()
        assert port_of(app).sent[-1] == sent


@ui
async def test_a_cheater_for_whom_a_bot_plays_on_stops_nothing() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        screen = await at_table(pilot)
        app.publish(Accused(1, "grace", "The shuffle proof does not hold.", is_replaced=True))
        await pilot.pause()
        (told,) = app._notifications
        assert app.screen is screen and "a bot plays on" in told.message


@ui
async def test_an_answered_choice_is_no_longer_offered_while_others_answer() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot, is_playing)
        news = port_of(app).news()
        port_of(app).entry += 1  # The node will not answer.
        await pilot.press("1", "enter")
        app.publish(news)
        await settled(pilot)
        assert "YOUR TURN" not in whole_text(app)


@ui
async def test_ascii_has_nothing_beyond_ascii() -> None:
    app = an_app(PracticePort(seed=29), Settings(is_ascii=True, is_automatic=False))
    async with app.run_test(size=(120, 32)) as pilot:
        await at_table(pilot, has_effects)
        strips = [*app.screen.query(RowsWidget)]
        assert all(strip.render().plain.isascii() for strip in strips)


@ui
async def test_a_replay_steps_jumps_and_scrubs() -> None:
    port = PracticePort(seed=11).begin().play(30)
    recording = record("carta", some_seats(3), {}, port.history)
    app = HostlessApp(PracticePort(), QUIET, opening=lambda: ReplayScreen(recording))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("right", "right", "left")
        assert screen.position == 1
        await pilot.press("end")
        assert screen.position == len(port.history)
        await pilot.press("up")
        assert screen.position in recording.marks
        await pilot.click("#prompt", offset=(78, 0))
        assert screen.position == len(port.history)
        assert my_chosen(port_of(app)) == []


@ui
async def test_the_end_says_that_all_is_proven_once_the_last_proof_is() -> None:
    app = an_app()
    port = port_of(app)
    async with app.run_test(size=(80, 40)) as pilot:
        port.begin().play(10_000)
        app.is_seated = True
        app.publish(with_fairness(port.news(), Fairness(9, 9, pending=2)))
        await shown(pilot, "victory")
        assert "nothing left open" not in whole_text(app)
        app.publish(with_fairness(port.news(), Fairness(11, 9)))
        await shown(pilot, "nothing left open")
        assert app.screen.query_one("#result", RowsWidget).is_mounted


@ui
async def test_somebody_who_looks_on_sees_no_hand_and_goes_back_to_the_lobby() -> None:
    port = PracticePort(seed=5).begin().play(12)
    recording = record("carta", some_seats(3), {}, port.history)
    app = HostlessApp(PracticePort(), QUIET, first=Watch("amber"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.publish(recording.positions[-1])
        await shown(pilot, "You are looking on")
        assert all(name in whole_text(app) for name in ("ada", "grace", "alan"))
        await pilot.press("q")
        await pilot.pause()
        assert app.current_mode == "lobby"
    assert port_of(app).sent[1:] == [Watch("amber"), Leave()]


@ui
async def test_a_pick_lays_nothing_out_anew_and_tells_the_story_once() -> None:
    app, laid_out, told = an_app(), [], []
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("right")
        await settled(pilot)
        lay_out, tell = screen._refresh_layout, draw_story.story

        def note_layout(*arguments: Any, **named: Any) -> None:
            laid_out.append(arguments)
            lay_out(*arguments, **named)

        def note_story(model: ViewModel) -> list[Told]:
            told.append(model)
            return tell(model)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(screen, "_refresh_layout", note_layout)
            patch.setattr(draw_story, "story", note_story)
            for key in ("right", "left", "right"):
                await pilot.press(key)
                await settled(pilot)
            assert not laid_out and not told
            screen.show(port_of(app).news())
            await settled(pilot)
            assert len(told) == 1, "another picture, and it is told anew"


@ui
async def test_only_the_lines_that_changed_are_made_again() -> None:
    app, made = an_app(), []
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        strip = screen.query_one("#hand", RowsWidget)
        rows = [*strip.rows(strip.content_size.width)]
        make = strip._content

        def note(rows: Sequence[Row]) -> Content:
            made.extend(rows)
            return make(rows)

        setattr(strip, "_content", note)  # noqa: B010
        strip.show(lambda width: [*rows[:-1], [Span("changed")]])
        await settled(pilot)
        assert "changed" in whole_text(app)
    assert made == [[Span("changed")]]
