"""Looking back: by lines of the log, from the end page, and from every seat that can be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from p2p.base.wire import encode, frame
from p2p.log.game_file import GameFile
from p2p.log.secrets_file import SECRET_MAGIC, SecretsFile
from p2p.session.news import TableChanged
from tests.p2p.room import Room, Terms
from tests.ui.driving import QUIET, an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, some_seats, ui
from ui.app import HostlessApp
from ui.replay.recording import Recording, read_recording, record
from ui.screens import opened
from ui.screens.pages import Page, RulesScreen
from ui.screens.replays import ReplayScreen
from ui.screens.story import StoryPage
from ui.terminal.spans import Row, Span

SIZES = [(120, 36), (80, 24), (60, 16)]


def a_recording(*, is_open: bool = False) -> Recording:
    port = PracticePort(seed=11).begin().play(12)
    known = [port.observation(0) for _ in range(port.entry + 1)] if is_open else []
    return record("carta", some_seats(3), {}, port.history, known)


def replaying(recording: Recording) -> HostlessApp:
    return HostlessApp(PracticePort(), QUIET, opening=lambda: ReplayScreen(recording))


def lines_on(pilot: Pilot[int]) -> OptionList:
    return pilot.app.screen.query_one(OptionList)


@pytest.mark.parametrize("size", SIZES)
def test_a_line_of_the_log_leads_to_the_position_after_it(size: tuple[int, int]) -> None:
    @ui
    async def look() -> None:
        recording = a_recording()
        app = replaying(recording)
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            await pilot.press("end", "l")
            await settled(pilot)
            assert isinstance(app.screen, StoryPage)
            at = 5
            lines_on(pilot).highlighted = at
            await pilot.press("enter")
            await settled(pilot)
            screen = app.screen
            assert isinstance(screen, ReplayScreen)
            assert screen.position == recording.positions[-1].lines[at].entry + 1

    look()


@ui
async def test_a_line_of_the_log_leads_to_the_rules_at_what_was_asked_then() -> None:
    recording = a_recording()
    app = replaying(recording)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end", "l")
        await settled(pilot)
        lines = recording.positions[-1].lines
        at = next(at for at, line in enumerate(lines) if line.text.startswith("play "))
        lines_on(pilot).highlighted = at
        await pilot.press("r")
        await shown(pilot, "You are here")
        await settled(pilot)
        assert isinstance(app.screen, RulesScreen) and "3.1 Step 1" in whole_text(app)
        await pilot.press("escape")
        screen = app.screen
        assert isinstance(screen, ReplayScreen) and screen.position == lines[at].entry


@ui
async def test_the_rules_of_a_moment_are_opened_from_the_log_of_a_table() -> None:
    app, recording = an_app(), a_recording()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReplayScreen(recording, 3, page="rules"))
        await shown(pilot, "You are here")
        assert isinstance(app.screen, RulesScreen)


@ui
async def test_turns_are_folded_and_unfolded_and_the_bar_stays_in_its_turn() -> None:
    app = replaying(a_recording())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end", "l")
        await settled(pilot)
        count = lines_on(pilot).option_count
        await pilot.press("z")
        await settled(pilot)
        folded = lines_on(pilot).option_count
        assert 0 < folded < count and "▸" in whole_text(app)
        assert lines_on(pilot).highlighted == folded - 1
        await pilot.press("z")
        await settled(pilot)
        assert lines_on(pilot).option_count == count


@pytest.mark.parametrize("size", SIZES)
def test_the_log_opens_at_its_newest_line(size: tuple[int, int]) -> None:
    @ui
    async def look() -> None:
        app = replaying(a_recording())
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            await pilot.press("end", "l")
            await settled(pilot)
            lines = lines_on(pilot)
            assert lines.highlighted == lines.option_count - 1
            assert lines.scroll_offset.y == lines.max_scroll_y > 0

    look()


@ui
async def test_a_table_without_a_file_says_that_there_is_nothing_to_look_back_in() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot)
        assert screen.newest is not None
        news = TableChanged(
            screen.newest.event_count, screen.newest.view, screen.newest.seats, screen.newest.lines,
            screen.newest.fairness,
        )  # fmt: skip
        app.publish(news)
        await settled(pilot)
        await pilot.press("l")
        await settled(pilot)
        await pilot.press("enter")
        await shown(pilot, "no file of this game")
        assert port_of(app).is_running


@pytest.mark.parametrize("key", ["escape", "q"])
def test_from_a_moment_of_a_running_game_one_comes_back_to_the_table(key: str) -> None:
    @ui
    async def look() -> None:
        app = an_app()
        async with app.run_test(size=(80, 24)) as pilot:
            table = await at_table(pilot)
            app.push_screen(ReplayScreen(a_recording(), 3))
            await settled(pilot)
            await pilot.press(key)
            await settled(pilot)
            assert app.screen is table and app.return_code is None

    look()


@pytest.mark.parametrize("key", ["enter", "r"])
def test_from_a_moment_that_the_log_has_led_to_one_comes_back_to_the_log(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    recording = a_recording()
    monkeypatch.setattr(opened, "read_recording", lambda path: recording)

    @ui
    async def look() -> None:
        app = an_app()
        async with app.run_test(size=(80, 24)) as pilot:
            table = await at_table(pilot)
            await pilot.press("l")
            await settled(pilot)
            await pilot.press("up")
            under = lines_on(pilot).highlighted
            await pilot.press(key)
            for _ in range(1000):
                await pilot.pause(0.01)
                if not isinstance(app.screen, StoryPage):
                    break
            for _ in range(1 if key == "enter" else 2):
                await settled(pilot)
                assert app.screen is not table and not isinstance(app.screen, StoryPage)
                await pilot.press("escape")
            await settled(pilot)
            assert isinstance(app.screen, StoryPage) and lines_on(pilot).highlighted == under
            await pilot.press("escape")
            assert app.screen is table

    look()


@pytest.mark.parametrize("key", ["escape", "q"])
def test_a_file_that_the_command_line_has_named_is_left_to_the_shell(key: str) -> None:
    """No node is there to which a lobby could send anything."""

    @ui
    async def look() -> None:
        app = replaying(a_recording())
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            await pilot.press(key)
            await pilot.pause()
            assert app.return_code == 0

    look()


@ui
async def test_looking_back_begins_where_it_was_asked_for_and_not_at_the_table_below() -> None:
    app, recording = an_app(), a_recording()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        app.push_screen(ReplayScreen(recording, 0))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        assert screen.newest == recording.seen_by(0, None)


@ui
async def test_seats_whose_cards_are_known_are_gone_through() -> None:
    recording = a_recording(is_open=True)
    assert recording.opened_seats() == (0,)
    app = replaying(recording)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end", "s")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, ReplayScreen) and screen.model is not None
        assert screen.model.view.seat == 0 and screen.model.hand
        name = screen.model.seats[0].name
        assert f"seen by {name}" in whole_text(app) and "shuffle yet" not in whole_text(app)
        assert not screen.model.view.offers, "what was chosen is chosen"
        await pilot.press("s")
        assert screen.model.view.seat is None
        await shown(pilot, "what everybody saw")


@ui
async def test_where_no_key_was_opened_no_hand_is_shown_and_it_is_said() -> None:
    app = replaying(a_recording())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("s")
        await shown(pilot, "No key was opened")
        screen = app.screen
        assert isinstance(screen, ReplayScreen) and screen.seat is None


def a_file(folder: Path, *, opens_hands: bool) -> tuple[Path, Room]:
    room = Room(2, seed=3, terms=Terms(opens_hands=opens_hands))
    room.run()
    game_file = GameFile.create(folder / "game.hostless", room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    game_file.close()
    return game_file.path, room


@pytest.mark.slow
def test_every_opened_hand_can_be_seen_at_every_position(tmp_path: Path) -> None:
    path, _ = a_file(tmp_path, opens_hands=True)
    recording = read_recording(path)
    assert recording.opened_seats() == (0, 1)
    for seat in (0, 1):
        for position in range(0, len(recording.positions), 7):
            seen = recording.seen_by(position, seat).view
            mine = seen.zones[f"seat{seat}.hand"]
            assert seen.seat == seat
            assert not seen.to_act or all(card.face is not None for card in mine)


@pytest.mark.slow
def test_my_own_hand_is_shown_in_my_replay_and_nobody_elses(tmp_path: Path) -> None:
    path, room = a_file(tmp_path, opens_hands=False)
    assert read_recording(path).opened_seats() == (), "nobody else's replay shows it"
    SecretsFile.create(path.with_suffix(".secret")).close()
    assert read_recording(path).opened_seats() == (), "a seed of another game fits no key"
    path.with_suffix(".secret").write_bytes(
        SECRET_MAGIC + frame(encode([["seed", room.vaults[1].seed], bytes(8)]))
    )
    recording = read_recording(path)
    assert recording.opened_seats() == (1,)
    later = range(len(recording.positions) // 2, len(recording.positions))
    views = (recording.seen_by(position, 1).view for position in later)
    # Before its turn a card may be on its way, and whoever took the hand has left none.
    hands = (each.zones["seat1.hand"] for each in views if each.to_act)
    hand = next(each for each in hands if each)
    assert all(card.face is not None for card in hand)


@ui
async def test_a_page_that_scrolls_is_drawn_once_for_the_width_and_classes_that_it_keeps() -> None:
    app, widths, classes = an_app(), list[int](), list[frozenset[str]]()

    def drawing(width: int) -> list[Row]:
        widths.append(width)
        classes.append(app.screen.classes)
        return [[Span(str(number))] for number in range(100)]

    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Page("a page", drawing))
        await settled(pilot)
        assert len(widths) == 1
        assert classes == [app.screen.classes]
