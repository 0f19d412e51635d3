"""The form that opens a table says of every line what it does, on small terminals too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from core.games import GAMES, find_game
from p2p.base.limits import GRACE_S, GRACE_S_MAX, GRACE_S_MIN
from p2p.session.commands import OpenTable
from tests.ui.driving import an_app, port_of, settled, text_of, whole_text
from tests.ui.fakes import ui
from ui.commandline.surface import make_parser
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.game_help import game_help
from ui.screens.base import HEIGHT_MIN, WIDTH_MIN
from ui.screens.opening import GRACES_S, OpenScreen, questions_for
from ui.settings import Settings
from ui.terminal.spans import to_text, wrap
from ui.widgets.form import Form

LINES_MAX = 5  # Of 15, with a title, the keys and some of the form.


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_every_game_is_explained_in_every_language(game: str, code: str) -> None:
    for seats in find_game(game).players:
        for question in questions_for(load(code), game, seats, 1):
            assert question.about, question.key
            assert len(wrap(question.about, WIDTH_MIN - 4)) <= LINES_MAX, question.key


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_help_of_a_command_explains_the_options_in_the_same_words(code: str) -> None:
    words = load(code)
    told = "".join(game_help(words).split())
    for game in GAMES.values():
        for option in game.options:
            assert "".join(words(f"about.{option.key}").split()) in told


@pytest.mark.parametrize("size", [(80, 24), (WIDTH_MIN, HEIGHT_MIN + 1)])
@ui
async def test_the_line_of_the_bar_and_what_it_does_are_in_sight(size: tuple[int, int]) -> None:
    app = an_app(settings=Settings(language="ko"))
    async with app.run_test(size=size) as pilot:
        await pilot.press("o", "right")  # Dominion, with its kingdom below.
        await settled(pilot)
        form = app.screen.query_one(Form)
        for question in form.questions:
            screen, (first, _) = whole_text(app), form.rows_of_line()
            assert to_text([form.rows(form.content_size.width)[first]]).rstrip() in screen
            assert all(line in screen for line in text_of(app, "about").splitlines())
            assert "".join(question.about.split()) in "".join(text_of(app, "about").split())
            await pilot.press("down")
            await settled(pilot)


@ui
async def test_the_form_asks_first_about_the_game_under_the_bar() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "o")  # The first line explains a game.
        await settled(pilot)
        form = app.screen.query_one(Form)
        assert (form.value("game"), form.value("seats")) == ("dominion", 3)
        await pilot.press("right")
        await settled(pilot)
        assert form.value("game") == "renaissance"


@ui
async def test_a_form_that_is_left_at_once_is_not_laid_out_any_more() -> None:
    """Enter may come between an arrow and the painting that follows it."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        await settled(pilot)
        form = app.screen
        assert isinstance(form, OpenScreen)
        later: list[Callable[[], object]] = []

        def keep(call: Callable[..., object], *given: object, **named: object) -> bool:
            later.append(partial(call, *given, **named))
            return True

        form.call_after_refresh = keep  # type: ignore[method-assign]
        await pilot.press("down")
        await app.pop_screen()
        assert later and not form.query(Form)
        for each in later:
            each()


@ui
async def test_a_clock_is_asked_for_where_several_persons_play_and_goes_with_the_table() -> None:
    app = an_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("o")
        await settled(pilot)
        form = app.screen.query_one(Form)
        assert [each.key for each in form.questions][-1] == "clock"
        await pilot.press("down", "down", "right", "right")  # Bots on both other seats.
        await settled(pilot)
        assert "clock" not in [each.key for each in form.questions]
        await pilot.press("left", *["up"] * 5, *["right"] * 4, "enter")  # Round by the typed lines.
        await settled(pilot)
    (table,) = (each for each in port_of(app).sent if isinstance(each, OpenTable))
    assert str(table.clock) == "10+5" and table.bots == 1


@ui
async def test_how_long_a_silent_seat_is_waited_for_is_asked_where_several_persons_play() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        await settled(pilot)
        form = app.screen.query_one(Form)
        assert form.value("grace") == GRACE_S and tuple(sorted(GRACES_S)) == GRACES_S
        assert GRACES_S[0] >= GRACE_S_MIN and GRACES_S[-1] <= GRACE_S_MAX
        keys = [each.key for each in form.questions]
        await pilot.press(*["down"] * keys.index("grace"), "right")
        await settled(pilot)
        assert "Wait for a silent seat" in whole_text(app) and "120 s" in whole_text(app)
        await pilot.press("enter")
        await settled(pilot)
    (table,) = (each for each in port_of(app).sent if isinstance(each, OpenTable))
    assert table.grace_s == 120


@ui
async def test_a_bot_for_a_silent_seat_is_offered_where_three_seats_have_own_keys() -> None:
    app = an_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("o")
        await settled(pilot)
        form = app.screen.query_one(Form)
        keys = [each.key for each in form.questions]
        assert form.value("seats") == 3 and "escrow" in keys
        await pilot.press("down", "left")  # Two seats.
        await settled(pilot)
        assert "escrow" not in [each.key for each in form.questions]
        await pilot.press("right", "down", "right")
        await settled(pilot)  # With a bot its style is asked as well.
        await pilot.press(*["down"] * (keys.index("sealed") - 1), "right")
        await settled(pilot)
        assert (form.value("bots"), form.value("sealed")) == (1, False)
        assert "escrow" not in [each.key for each in form.questions]
        await pilot.press("enter")
        await settled(pilot)
    (table,) = (each for each in port_of(app).sent if isinstance(each, OpenTable))
    assert not table.is_escrowed


@ui
@pytest.mark.parametrize(("presses", "level"), [(0, "steady"), (2, "steady+attacker")])
async def test_a_style_is_asked_for_where_bots_sit_and_goes_with_their_level(
    presses: int, level: str
) -> None:
    app = an_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("o")
        await settled(pilot)
        form = app.screen.query_one(Form)
        assert "style" not in [each.key for each in form.questions]
        await pilot.press("down", "down", "right")
        await settled(pilot)
        assert [each.key for each in form.questions][2:5] == ["bots", "level", "style"]
        await pilot.press("down", "down", *["right"] * presses)
        await settled(pilot)
        assert all(each in text_of(app, "about") for each in ("Builder", "Attacker"))
        await pilot.press("enter")
        await settled(pilot)
    (table,) = (each for each in port_of(app).sent if isinstance(each, OpenTable))
    assert (table.bots, table.level) == (1, level) and "style" not in table.options


@pytest.mark.parametrize("game", ["carta", "renaissance"])
def test_what_matters_in_teams_alone_is_asked_for_behind_the_teams(game: str) -> None:
    (key,) = (each.key for each in find_game(game).options if each.only_with == ("team", True))
    asked = partial(questions_for, load("en"), game)
    assert key not in [each.key for each in asked(4, 0)]
    with_teams = [each.key for each in asked(4, 0, {"team": True})]
    assert with_teams.index(key) > with_teams.index("team")
    assert key not in [each.key for each in asked(3, 0, {"team": True})], "no teams of three"
    assert f"{key}=" in game_help(load("en")) and "(only with team=true)" in game_help(load("en"))


@ui
async def test_what_was_chosen_for_teams_is_not_agreed_on_once_there_are_none() -> None:
    app = an_app()
    async with app.run_test(size=(100, 44)) as pilot:
        await pilot.press("o", "down", "right")  # Four seats.
        await settled(pilot)
        form = app.screen.query_one(Form)
        keys = [each.key for each in form.questions]
        await pilot.press(*["down"] * (keys.index("team") - 1), "right", "down", "right", "up")
        await settled(pilot)
        assert form.value("team") is True and form.value("culture_majority_vs_partner") is False
        await pilot.press("right", "enter")
        await settled(pilot)
    (table,) = (each for each in port_of(app).sent if isinstance(each, OpenTable))
    assert table.options["team"] is False and "culture_majority_vs_partner" not in table.options


@pytest.mark.parametrize("command", ["play carta", "open carta", "bot"])
def test_on_the_command_line_a_style_stands_behind_the_level(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parse = make_parser(load("en")).parse_args
    assert parse(command.split()).level == "steady"
    assert parse([*command.split(), "--level", "sharp+builder"]).level == "sharp+builder"
    with pytest.raises(SystemExit):
        parse([*command.split(), "--level", "sharp+bulider"])
    assert "did you mean sharp+builder?" in capsys.readouterr().err
