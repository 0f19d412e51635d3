"""From the first paint to a table: lobby, forms, gathering, settings, notices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.widgets import OptionList

from core.errors import HostlessError
from core.games import GAMES, find_game
from p2p.base.limits import OPTIONS_LETTERS_MAX
from p2p.session.commands import Browse, JoinTable, Leave, OpenTable, Resume, Watch
from p2p.session.news import Notice, TablesSeen
from scripts.lab.person import keys_to_a_table
from tests.ui.driving import (
    QUIET,
    an_app,
    at_table,
    port_of,
    settled,
    shown,
    whole_text,
)
from tests.ui.fakes import PracticePort, some_ad, some_gathering, ui
from ui.app import HostlessApp
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.filling import told_terms
from ui.screens import lobby
from ui.screens.lobby import LobbyScreen
from ui.screens.opening import questions_for
from ui.screens.table import TableScreen
from ui.settings import Settings
from ui.terminal.spans import row_width, to_text
from ui.widgets.form import Form
from ui.widgets.keys import draw_keys
from ui.widgets.rows import RowsWidget

FORM_WIDTH = 78  # On a terminal of 80 columns.


@ui
@pytest.mark.parametrize("slug", GAMES)
async def test_what_a_newcomer_presses_by_sight_is_a_game_against_bots(slug: str) -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await pilot.press(*keys_to_a_table(whole_text(app), slug))
        await pilot.pause()
        opened = port_of(app).sent[-1]
    assert isinstance(opened, OpenTable) and opened.game == slug


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
        assert port_of(app).sent == [Browse()]
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
        await pilot.press("down", "up", "enter")
    assert port_of(app).sent[-1] == JoinTable(some_ad().target)


@ui
async def test_the_first_table_that_appears_is_under_the_bar_but_not_for_a_hasty_enter() -> None:
    """Nothing was said, so that enter seemed broken."""
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        tables = app.screen.query_one(OptionList)
        assert tables.highlighted_option is not None
        assert tables.highlighted_option.id == f"t-{some_ad().target}"
        await pilot.press("enter")  # Meant for the game against bots that was there before.
        await settled(pilot)
        assert "enter once more takes it" in " ".join(whole_text(app).split())
    assert port_of(app).sent == [Browse()]


@ui
async def test_a_full_table_is_looked_on_at_and_one_of_another_version_left_alone() -> None:
    app = an_app()
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        await pilot.press("w")
        full, strange = some_ad("den", taken=3), replace(some_ad("zoo"), version=99)
        app.publish(TablesSeen((full, strange)))
        await pilot.pause()
        assert "full: watch" in whole_text(app)
        assert "another version (99)" in whole_text(app)
        await pilot.press("down", "up", "w", "enter", "down", "enter")
        await pilot.pause()
    assert port_of(app).sent[1:] == [Watch(""), Watch(full.target), Watch(full.target)]


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_who_wants_to_look_on_at_a_table_that_fills_reads_at_once_what_to_do(language: str) -> None:
    @ui
    async def look() -> None:
        app = an_app(settings=Settings(language=language))
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            app.publish(TablesSeen((some_ad(),)))
            await settled(pilot)
            await pilot.press("w")
            said = app.words("lobby.not_begun", join_table="enter", watch="w")
            await shown(pilot, said[:12])
            await pilot.press("down", "w")
            await shown(pilot, app.words("lobby.none_begun", watch="w")[:12])
        assert port_of(app).sent == [Browse()]

    look()


@ui
async def test_a_table_of_this_machine_alone_asks_for_nobody_else() -> None:
    app = an_app()
    local = replace(some_gathering(), table=replace(some_ad(), host="127.0.0.1"))
    async with app.run_test(size=(100, 24)) as pilot:
        app.is_seated = True
        app.publish(local)
        await shown(pilot, "on this machine alone")
        assert "four words" not in whole_text(app)
        assert "join with" not in whole_text(app)
        app.publish(replace(local, me=1))  # A guest on this machine: the table may be on the LAN.
        await shown(pilot, "four words")


@ui
async def test_a_click_joins_too() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        await pilot.press("down")
        await pilot.click("#tables", offset=(5, 1))
        await pilot.pause()
    assert port_of(app).sent[-1] == JoinTable(some_ad().target)


@ui
async def test_a_table_that_appears_does_not_move_what_is_under_the_bar() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        tables = app.screen.query_one(OptionList)
        app.publish(TablesSeen((some_ad("zz-last"),)))
        await pilot.pause()
        await pilot.press("down", "up")
        app.publish(TablesSeen((some_ad("aa-first"), some_ad("zz-last"))))
        await pilot.pause()
        await pilot.press("enter")
        assert tables.highlighted == 1
    assert port_of(app).sent[-1] == JoinTable(some_ad("zz-last").target)


@ui
async def test_the_form_opens_the_table_that_it_describes() -> None:
    app = an_app()
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.press("o", "down", "right", "down", "right", *["down"] * 3, "right")
        assert "Teams of two" in whole_text(app)
        form = app.screen.query_one(Form)
        assert form.value("seats") == 4
        await pilot.press("enter")
    opened = port_of(app).sent[1]
    assert isinstance(opened, OpenTable)
    assert (opened.seats, opened.bots, opened.options["deal"]) == (4, 1, "draft")


@ui
async def test_no_game_is_shown_with_the_questions_of_another() -> None:
    """A screen that was drawn between a key and its message ended the program."""
    app = an_app()
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.press("o")
        form = app.screen.query_one(Form)
        for _ in GAMES:
            form.action_turn(1)
            options = find_game(str(form.value("game"))).options
            always = {each.key for each in options if not (each.players or each.only_with)}
            assert always <= {question.key for question in form.questions}
            app.screen.query_one("#about", RowsWidget).on_resize()


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


@ui
@pytest.mark.parametrize(("options", "note"), [
    ("seats=kept deal=draft", "kept for who played before"),
    ("seats=filled deal=draft", "kept, bots for the missing"),
])  # fmt: skip
async def test_seats_that_are_kept_for_who_played_before_do_not_look_free(
    options: str, note: str
) -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        app.publish(TablesSeen((replace(some_ad(), options=options),)))
        await pilot.pause()
        assert note in whole_text(app)


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
        assert "봇과 바로" in whole_text(app)
    assert kept == [(replace(QUIET, language="ko"), "ada")]


@ui
async def test_a_port_is_typed_in_the_settings_and_stays_when_others_change() -> None:
    kept: list[Settings] = []
    app = HostlessApp(PracticePort(), QUIET, keep=lambda settings, name: kept.append(settings))
    async with app.run_test(notifications=True) as pilot:
        await pilot.press("s", "tab", "tab", *"99999", "enter")
        await shown(pilot, "a port is a number from 1 to 65535")
        assert not kept
        await pilot.press("backspace", "enter")
        await pilot.pause()
        await pilot.press("s", "right", "enter")
        await pilot.pause()
    assert kept == [replace(QUIET, port=9999), replace(QUIET, port=9999, language="ko")]


@ui
async def test_a_machine_without_a_network_is_told_so_until_it_has_one() -> None:
    is_alone = True
    app = an_app()
    app.is_alone = lambda: is_alone
    async with app.run_test() as pilot:
        await shown(pilot, "This machine is on no network")
        is_alone = False
        await shown(pilot, "No table is open on this network yet")
        assert "on no network" not in whole_text(app)


@ui
async def test_a_lobby_under_a_table_looks_for_no_network_until_it_is_seen_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobby, "LOOK_S", 0.01)
    looks, beats = list[str](), list[int]()
    app = an_app()
    app.is_alone = lambda: bool(looks.append(app.current_mode))
    async with app.run_test() as pilot:
        await at_table(pilot)
        looks.clear()
        app.set_interval(lobby.LOOK_S, lambda: beats.append(len(beats)))
        while len(beats) < 20:
            await pilot.pause()
        assert not looks
        await app.to_lobby()
        while not looks:
            await pilot.pause()
        assert set(looks) == {"lobby"}


@ui
async def test_a_bar_that_was_moved_a_moment_ago_stays_when_tables_are_seen_again() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await shown(pilot, some_ad().name)
        options = app.screen.query_one(OptionList)
        options.highlighted = 1  # Nobody has heard of that yet.
        assert isinstance(app.screen, LobbyScreen)
        app.screen.show_tables((some_ad(),))
        await pilot.pause()
        assert options.highlighted == 1


def test_what_an_announcement_has_no_room_for_is_not_told_in_halves() -> None:
    options = " ".join(f"{each.key}={each.values[0]}" for each in find_game("carta").options)
    announced = f"deal=draft {options} grace=45"[:OPTIONS_LETTERS_MAX]
    assert not announced.endswith("grace=45")
    assert told_terms(load("en"), "carta", announced) == ["Deal: draft"]
    assert told_terms(load("en"), "carta", "clock=10+5") == [
        "a clock of 10+5 (minutes + seconds for each choice)"
    ]
    assert told_terms(load("en"), "carta", "times=shown") == ["everybody's time is shown"]


@ui
async def test_who_opens_a_table_is_not_told_that_none_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = an_app()
    monkeypatch.setattr(app.port, "send", lambda command: None)  # It takes its time.
    async with app.run_test(notifications=True) as pilot:
        await shown(pilot, "No table is open")
        await pilot.press("o")
        await settled(pilot)
        await pilot.press("enter")
        await shown(pilot, "on the way to the table")
        assert "No table is open" not in whole_text(app)
        app.publish(Notice("cannot listen on any port"))
        await shown(pilot, "No table is open")
        assert "on the way" not in whole_text(app)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("game", GAMES)
def test_no_label_of_the_form_is_cut(code: str, game: str) -> None:
    questions = questions_for(load(code), game, find_game(game).players[-1], 1)
    rows = Form(questions)._draw(FORM_WIDTH)
    labels = "".join("".join(row[1].text.split()) for row in rows)
    assert labels == "".join("".join(question.label.split()) for question in questions)
    assert max(sum(cell_len(span.text) for span in row) for row in rows) <= FORM_WIDTH


@ui
async def test_settings_that_cannot_be_kept_are_a_notice_and_hold_until_the_end() -> None:
    def keep(settings: Settings, name: str) -> None:
        raise HostlessError("cannot write /nowhere: Permission denied")

    app = HostlessApp(PracticePort(), QUIET, keep=keep)
    async with app.run_test(notifications=True) as pilot:
        await pilot.press("s", "right", "enter")
        await shown(pilot, "/nowhere")
        assert app.words.code == "ko" and "쓸 수 없습니다" in whole_text(app)


@ui
async def test_the_line_of_keys_can_be_clicked() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await settled(pilot)
        await pilot.click("KeyLine", offset=(3, 0))
        await pilot.pause()
    assert isinstance(port_of(app).sent[-1], OpenTable)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_where_not_all_keys_have_room_the_one_that_shows_them_stays(code: str) -> None:
    words = load(code)
    for where in ("lobby", "table"):
        for width in (56, 60, 80, 120):
            (row,) = draw_keys(words, where, width)
            assert row_width(row) <= width + 2
            assert f"? {words('key.help')}" in to_text([row])
            assert "q " in to_text([row]), "the way out"


@ui
async def test_a_kept_game_is_sat_down_at_again_with_one_key() -> None:
    path = Path("games/carta-amber.hostless")
    port = PracticePort()
    app = HostlessApp(port, QUIET, games=lambda: [path])
    async with app.run_test() as pilot:
        await pilot.press("g")
        await shown(pilot, "carta-amber.hostless")
        await pilot.press("down", "r")
        await pilot.pause()
    assert port.sent[-1] == Resume(path)


@ui
async def test_a_damaged_game_is_a_notice_and_the_list_stays(tmp_path: Path) -> None:
    (tmp_path / "torn.hostless").write_bytes(b"torn")
    app = HostlessApp(PracticePort(), QUIET, games=lambda: [tmp_path / "torn.hostless"])
    async with app.run_test(notifications=True, size=(100, 24)) as pilot:
        await pilot.press("g", "down", "enter")
        await shown(pilot, "torn.hostless is")
        assert "Reading" not in whole_text(app)


@ui
async def test_without_kept_games_the_list_says_so() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await pilot.press("g")
        await shown(pilot, "No finished or interrupted game")
        await pilot.press("enter", "r", "escape")
        assert app.screen is app.subscribers["lobby"]


@ui
async def test_ctrl_c_says_in_the_persons_language_how_to_leave() -> None:
    app = an_app(settings=replace(QUIET, language="ko"))
    async with app.run_test(notifications=True) as pilot:
        await pilot.press("ctrl+c")
        await shown(pilot, "ctrl+q는 프로그램을 끝내고")
        assert "Press ctrl+q" not in whole_text(app)


@ui
async def test_a_second_line_of_the_list_begins_below_the_words_of_its_first() -> None:
    app = an_app()
    async with app.run_test(size=(60, 16)):
        lines = whole_text(app).splitlines()
    at = next(number for number, line in enumerate(lines) if "Your first game?" in line)
    words = lines[at].index("Your first game?")
    assert lines[at + 1][:words].isspace() and lines[at + 1][words:].startswith("step")


def test_a_kingdom_of_ones_own_is_told_by_the_names_of_its_cards() -> None:
    """`witch,throne_room` it said, in every language."""
    announced = "kingdom=witch,throne_room,moat"
    assert told_terms(load("en"), "dominion", announced) == ["Kingdom: Witch, Throne Room, Moat"]
    assert "마녀" in told_terms(load("ko"), "dominion", announced)[0]
