"""The screen by keyboard and by mouse, on a table without a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import OptionList

from core.requests import Over
from p2p.errors import HostlessError
from p2p.news import (
    Accused,
    Choose,
    JoinTable,
    Leave,
    Look,
    Notice,
    OpenTable,
    TableChanged,
    TablesSeen,
)
from tests.ui.fakes import PracticePort, some_ad, some_gathering, some_seats, ui
from ui.app import HostlessApp
from ui.ink import to_text
from ui.recording import record
from ui.screens.replays import ReplayScreen
from ui.screens.table import TableScreen
from ui.settings import Settings
from ui.widgets.form import Form
from ui.widgets.strip import Strip

QUIET = Settings(is_automatic=False)


def an_app(port: PracticePort | None = None, settings: Settings = QUIET) -> HostlessApp:
    port = port or PracticePort()
    app = HostlessApp(port, settings)
    port.publish = app.publish
    return app


def port_of(app: HostlessApp) -> PracticePort:
    assert isinstance(app.port, PracticePort)
    return app.port


def text_of(app: HostlessApp, part: str) -> str:
    strip = app.screen.query_one(f"#{part}", Strip)
    return to_text(strip.rows(strip.content_size.width))


def whole_text(app: App[int]) -> str:
    """Everything on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)


async def shown(pilot: Pilot[int], words: str) -> None:
    """Wait until something is on the screen; what is laid out in steps takes a few of them."""
    for _ in range(200):
        await pilot.pause(0.01)
        if words in whole_text(pilot.app):
            return
    raise AssertionError(f"{words!r} never appeared in\n{whole_text(pilot.app)}")


async def settled(pilot: Pilot[int]) -> None:
    """Wait until the layout has come to rest, so that a click hits what was measured."""
    before = ""
    for _ in range(200):
        await pilot.pause()
        now = whole_text(pilot.app)
        if now == before:
            return
        before = now
    raise AssertionError("the screen never came to rest")


async def at_table(
    pilot: Pilot[int], is_there: Callable[[TableChanged], bool] = lambda news: True
) -> TableScreen:
    """Go to a table where it is my turn and something is so."""
    app = pilot.app
    assert isinstance(app, HostlessApp)
    port = port_of(app)
    if not port.is_running:
        port.begin()
    port.play_until(is_there)
    app.is_seated = True
    app.publish(port.news())
    await settled(pilot)
    screen = app.screen
    assert isinstance(screen, TableScreen)
    return screen


def my_chosen(port: PracticePort) -> list[Choose]:
    return [command for command in port.sent if isinstance(command, Choose)]


def is_playing(news: TableChanged) -> bool:
    verbs = {offer.action.verb for offer in news.view.offers}
    return verbs == {"play"} and len(news.view.offers) > 1


def has_effects(news: TableChanged) -> bool:
    return sum(offer.action.verb == "use" for offer in news.view.offers) >= 3


# ---- lobby ----


@ui
async def test_one_key_from_the_first_paint_is_a_game_against_bots() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await pilot.press("b")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
    opened = port_of(app).sent[1]
    assert isinstance(opened, OpenTable)
    assert (opened.bots, opened.is_local) == (2, True)


@ui
async def test_the_lobby_begins_to_look_and_tables_appear_by_themselves() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        assert port_of(app).sent == [Look()]
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        assert "amber-falcon-42" in whole_text(app)
        app.publish(TablesSeen(()))
        await pilot.pause()
        assert "amber-falcon-42" not in whole_text(app)


@ui
async def test_enter_joins_the_table_under_the_bar() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        await pilot.press("down", "enter")
    assert port_of(app).sent[-1] == JoinTable(some_ad().table_id)


@ui
async def test_a_click_joins_too() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        await pilot.click("#tables", offset=(5, 2))
        await pilot.pause()
    assert port_of(app).sent[-1] == JoinTable(some_ad().table_id)


@ui
async def test_a_table_that_appears_does_not_move_what_is_under_the_bar() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        tables = app.screen.query_one(OptionList)
        app.publish(TablesSeen((some_ad("zz-last"),)))
        await pilot.pause()
        await pilot.press("down")
        app.publish(TablesSeen((some_ad("aa-first"), some_ad("zz-last"))))
        await pilot.pause()
        await pilot.press("enter")
        assert tables.highlighted == 2
    assert port_of(app).sent[-1] == JoinTable(some_ad("zz-last").table_id)


@ui
async def test_the_form_opens_the_table_that_it_describes() -> None:
    app = an_app()
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.press("o", "down", "right", "down", "right", "down", "down", "right")
        assert "Teams of two" in whole_text(app)
        form = app.screen.query_one(Form)
        assert form.value("seats") == 4
        await pilot.press("enter")
    opened = port_of(app).sent[1]
    assert isinstance(opened, OpenTable)
    assert (opened.seats, opened.bots, opened.options["deal"]) == (4, 1, "draft")


@ui
async def test_the_form_is_filled_by_mouse_too() -> None:
    app = an_app()
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.press("o")
        form = app.screen.query_one(Form)
        await pilot.click(Form, offset=(12, 2))  # The second line, seats: the next answer.
        assert form.value("seats") == 4


@ui
async def test_an_address_is_typed_and_joined() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await pilot.press("a", *"10.0.0.7:4000", "enter")
        await pilot.pause()
    assert port_of(app).sent[-1] == JoinTable("10.0.0.7:4000")


# ---- before the game ----


@ui
async def test_seats_fill_and_leaving_goes_back_to_the_lobby() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        app.is_seated = True
        app.publish(some_gathering())
        await pilot.pause()
        assert "amber falcon river stone" in whole_text(app)
        await pilot.press("q")
        await pilot.pause()
        assert app.current_mode == "lobby"
        app.publish(some_gathering())  # A late word from the table that was left.
        await pilot.pause()
        assert app.current_mode == "lobby"
    assert port_of(app).sent[-1] == Leave()


# ---- the table ----


@ui
async def test_a_number_and_enter_play_a_card() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.picture is not None
        pick = screen.picture.pick("2")
        assert pick is not None
        entry = screen.picture.news.entry
        await pilot.press("2")
        assert pick.text in text_of(app, "prompt")
        await pilot.press("enter")
        assert my_chosen(port_of(app)) == [Choose(pick.offer.action, entry)]


@ui
async def test_escape_takes_the_pick_back_and_enter_then_does_nothing() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("1", "escape", "enter")
    assert my_chosen(port_of(app)) == []


@ui
async def test_a_choice_is_sent_once_however_often_enter_is_pressed() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await at_table(pilot, is_playing)
        port_of(app).is_running = False
        port_of(app).entry += 1  # The node is slow: it will not answer.
        await pilot.press("1", "enter", "1", "enter", "enter")
        assert len(my_chosen(port_of(app))) == 1
        app.publish(Notice("not now"))
        await pilot.pause()
        await pilot.press("1", "enter")
        assert len(my_chosen(port_of(app))) == 2


@ui
async def test_two_clicks_on_a_card_play_it() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.picture is not None
        x, y = place_of(screen, "hand", "1")
        await pilot.click("#hand", offset=(x, y))
        assert screen.picked == "1"
        await pilot.click("#hand", offset=(x, y))
        await pilot.pause()
    assert len(my_chosen(port_of(app))) == 1


def place_of(screen: TableScreen, part: str, label: str) -> tuple[int, int]:
    """Where a label is drawn."""
    strip = screen.query_one(f"#{part}", Strip)
    for y, row in enumerate(strip.rows(strip.content_size.width)):
        x = 0
        for span in row:
            if label in span.hot.split(","):
                return x + 1, y
            x += len(span.text)
    raise AssertionError(f"{label} is not drawn in {part}")


@ui
async def test_an_effect_is_picked_by_letter_by_its_chip_and_on_its_pile() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, has_effects)
        await pilot.press("b")
        assert screen.picked == "b"
        await pilot.click("#choices", offset=place_of(screen, "choices", "a"))
        assert screen.picked == "a"
        await pilot.press("escape")
        await pilot.click("#area", offset=place_of(screen, "area", "b"))
        first = screen.picked
        await pilot.click("#area", offset=place_of(screen, "area", "b"))
        assert {first, screen.picked} >= {"b"}
        await pilot.click("#prompt")
        await pilot.pause()
    assert len(my_chosen(port_of(app))) == 1


@ui
async def test_arrows_go_through_everything_that_is_legal() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test() as pilot:
        screen = await at_table(pilot, has_effects)
        assert screen.picture is not None
        seen = []
        for _ in screen.picture.picks:
            await pilot.press("right")
            seen.append(screen.picked)
        assert seen == [pick.label for pick in screen.picture.picks]
        await pilot.press("left")
        assert screen.picked == seen[-2]


@ui
async def test_a_dim_card_says_why_and_sends_nothing() -> None:
    app = an_app(PracticePort(seed=29))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot, has_effects)
        await pilot.press("1")
        await pilot.pause()
        assert "One card a turn" in whole_text(app)
    assert my_chosen(port_of(app)) == []


@ui
async def test_a_choice_with_one_answer_is_given_after_a_moment() -> None:
    def is_single(news: TableChanged) -> bool:
        return len(news.view.offers) == 1 and news.view.offers[0].action.verb != "end"

    app = an_app(PracticePort(seed=3), Settings())
    async with app.run_test() as pilot:
        screen = await at_table(pilot, is_single)
        assert screen.picked  # It is shown first.
        await pilot.pause(1.0)
        assert len(my_chosen(port_of(app))) >= 1


@ui
async def test_the_end_of_a_turn_is_never_given_by_itself() -> None:
    def is_end(news: TableChanged) -> bool:
        return [offer.text for offer in news.view.offers] == ["end"]

    app = an_app(PracticePort(seed=3), Settings())
    async with app.run_test() as pilot:
        await at_table(pilot, is_end)
        await pilot.pause(1.0)
        assert my_chosen(port_of(app)) == []
        await pilot.press("enter")
        assert len(my_chosen(port_of(app))) == 1


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
            screen = app.stage["table"]
            assert isinstance(screen, TableScreen)
            labels = [pick.label for pick in screen.picture.picks] if screen.picture else []
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
async def test_a_notice_is_shown_as_it_is_even_with_brackets() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        app.publish(Notice("no table called '[b]'", "try join HOST:PORT"))
        await pilot.pause()
        assert "no table called '[b]'" in whole_text(app)


@ui
async def test_settings_change_the_language_at_once_and_are_kept() -> None:
    kept: list[tuple[Settings, str]] = []
    keep = lambda settings, name: kept.append((settings, name))  # noqa: E731
    app = HostlessApp(PracticePort(), QUIET, keep=keep, name="ada")
    async with app.run_test() as pilot:
        await pilot.press("s", "right", "enter")
        await pilot.pause()
        assert "봇과 두기" in whole_text(app)
    assert kept == [(replace(QUIET, language="ko"), "ada")]


@ui
async def test_settings_that_cannot_be_kept_are_a_notice_and_hold_until_the_end() -> None:
    def keep(settings: Settings, name: str) -> None:
        raise HostlessError("cannot keep settings in /nowhere")

    app = HostlessApp(PracticePort(), QUIET, keep=keep)
    async with app.run_test(notifications=True) as pilot:
        await pilot.press("s", "right", "enter")
        await shown(pilot, "cannot keep settings")
        assert app.words.code == "ko"


@ui
async def test_the_line_of_keys_can_be_clicked() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await settled(pilot)
        await pilot.click("KeyLine", offset=(3, 0))
        await pilot.pause()
    assert isinstance(port_of(app).sent[-1], OpenTable)


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
        strips = [*app.screen.query(Strip)]
        assert all(strip.render().plain.isascii() for strip in strips)


@ui
async def test_a_replay_steps_jumps_and_scrubs() -> None:
    port = PracticePort(seed=11).begin().play(30)
    recording = record("carta-amber", "carta", some_seats(3), {}, port.history)
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
