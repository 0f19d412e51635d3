"""Choosing on the map of Civilization: how far, what a city would yield, reading by keys."""

from __future__ import annotations

import pytest

from core.games.civilization import GAME
from core.games.civilization.layout import CITY_AT
from core.games.civilization.printed import MARKET_KINDS, RESOURCES
from core.games.civilization.wealth import coins, output, production, resources_of
from p2p.session.news import TableChanged
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import field
from tests.core.games.civilization.test_natives import beside_village
from tests.ui.driving import an_app, at_table, shown, whole_text
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_civilization_story import model_of as told_picture
from ui.draw.frame import draw_table
from ui.draw.panels import ABOUT
from ui.draw.places import places_of
from ui.draw.scene import Scene
from ui.games.civilization.battle import is_fought
from ui.games.civilization.labels import squares_of
from ui.games.civilization.map import (
    SIZES,
    Sheet,
    Size,
    draw_map,
    spots_of,
    square_rows,
    steps_of,
)
from ui.games.civilization.position import square_name, table_of
from ui.games.civilization.squares import square_text
from ui.games.civilization.window import now_rows
from ui.language.text import LANGUAGE_NAMES, RAISED, load
from ui.model.story import since_my_choice
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import to_text


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


def at_start() -> PracticePort:
    """Where I choose the square of my capital."""
    return PracticePort(seed=3, players=3, game=GAME).begin()


def is_moving(news: TableChanged) -> bool:
    """Whether I choose where figures go, and some of it is farther than a step."""
    return news.view.phase == "moving" and 2 in _steps(news).values()


def _steps(news: TableChanged) -> dict[int, int]:
    return steps_of(Scene(view_model(load("en"), news)), table_of(news.view))


def test_how_many_steps_away_a_square_is_stands_on_it_where_nothing_else_does() -> None:
    """It was told by colour alone which squares can be reached, and by nothing how far they are."""
    model = model_of(a_port(seed=3, turns=30).play_until(is_moving))
    scene, table = Scene(model), table_of(model.view)
    steps = steps_of(scene, table)
    reached = set(spots_of(scene)) & set(steps)
    for size in SIZES:
        texts: dict[str, str] = {}
        for row in draw_map(scene, table, size, 40):
            for span in row:
                texts[span.hot] = texts.get(span.hot, "") + span.text
        told = [at for at in reached if RAISED[steps[at]] in texts[",".join(spots_of(scene)[at])]]
        assert told, f"no square of {size} says how far away it is"
    prompt = to_text(draw_table(Scene(model, width=80, height=24)).prompt)
    assert "¹²³ = steps" in prompt


@pytest.mark.parametrize("choice", range(4))
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_a_city_would_yield_is_said_before_it_is_founded(code: str, choice: int) -> None:
    """The lesson says to look for trade and production, and the screen said neither."""
    port = at_start()
    model = model_of(port, code)
    seat, pick = port.news().view.seat, model.picks[choice]
    assert seat is not None
    before = square_text(model, table_of(model.view), squares_of(pick.offer)[0])
    port.answer(pick.offer.action)
    table = table_of(port.news().view)
    assert table.counters[CITY_AT[seat]] - 1 == squares_of(pick.offer)[0]
    here = model.words(
        "civilization.city_here", production=production(table, seat, 0),
        trade=output(table, seat, 0, 0), culture=1,
    )  # fmt: skip
    assert here in before
    number = coins(table, seat)
    assert (model.words("civilization.city_coins", number=number) in before) == bool(number)
    for kind in range(MARKET_KINDS):
        resource = model.words(f"civilization.resource.{RESOURCES[kind]}")
        is_there = bool(resources_of(table, seat, 0) >> kind & 1)
        assert (resource in before.partition(here)[2]) == is_there


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_bar_says_that_bright_squares_can_be_chosen_and_how_one_is_typed(code: str) -> None:
    frame = draw_table(Scene(model_of(at_start(), code), width=80, height=24))
    assert "k2" in to_text(frame.prompt)


def test_the_letters_and_numbers_of_squares_that_can_be_chosen_are_bold() -> None:
    """The letters were; of the rows nothing said which ones."""
    model = model_of(at_start())
    scene = Scene(model)
    heads, *rows = draw_map(scene, table_of(model.view), SIZES[-1], 20)
    names = [square_name(square) for square in spots_of(scene)]
    bold = {span.text.strip() for span in (*heads, *(row[0] for row in rows))
            if span.style.startswith("bold")}  # fmt: skip
    assert bold == {name[0] for name in names} | {name[1:] for name in names}


def test_the_arrows_reach_a_square_for_which_there_are_two_choices() -> None:
    """An army and a scout on one square: it had no place, and the arrows went on to the next."""

    def is_shared(news: TableChanged) -> bool:
        return any(
            len(labels) > 1 for labels in spots_of(Scene(view_model(load("en"), news))).values()
        )

    model = model_of(a_port(seed=3, turns=30).play_until(is_shared))
    labels = {pick.label for pick in model.picks}
    places = places_of(draw_table(Scene(model, width=120, height=36)), labels)
    assert all(shared[0] in places for shared in spots_of(Scene(model)).values())


@ui
async def test_what_lies_on_squares_that_cannot_be_chosen_is_read_by_keys() -> None:
    """The arrows pass by them, so they were read by a click alone."""
    app = an_app(at_start())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "capital")
        assert screen.model is not None
        chosen = {at for pick in screen.model.picks for at in squares_of(pick.offer)}
        await pilot.press("shift+right")
        assert screen.model.pick(screen.picked), "it begins where something can be chosen"
        for _ in range(4):
            await pilot.press("shift+down")
        square = int(screen.read.removeprefix(ABOUT))
        assert square not in chosen and not screen.picked
        assert square_name(square) + ": " in whole_text(app)
        await pilot.press("right")
        assert screen.picked and not screen.read
        await pilot.press("shift+down", "shift+down", "shift+down", "escape")
        assert not screen.picked and not screen.read


@ui
async def test_a_square_that_is_typed_and_cannot_be_chosen_says_why_by_its_whole_name() -> None:
    """By its figure alone: `d11` told of the square that has number 1."""
    app = an_app(at_start())
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "capital")
        assert screen.model is not None
        letters = {pick.label[0] for pick in screen.model.picks}
        free = next(letter for letter in "abcdefgh" if letter not in letters)
        begun = next(pick.label for pick in screen.model.picks)[0]
        names = {pick.label for pick in screen.model.picks}
        for letter in (free, begun):
            at = next(str(row) for row in range(2, 10) if f"{letter}{row}" not in names)
            await pilot.press(letter, at)
            await shown(pilot, f"{letter}{at}: ")
        await pilot.press(free, "1")
        await shown(pilot, f"{free}1: ")
        await pilot.press("2")
        await shown(pilot, f"{free}12: ")


@ui
async def test_a_technology_that_cannot_be_learned_is_read_by_keys() -> None:
    """What is no square says what it is in a notice, as after a click."""
    app = an_app(a_port(seed=3))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "city")
        for _ in range(40):
            await pilot.press("shift+right", "shift+down")
            if screen.read.startswith("about:tech."):
                break
        face = screen.read.removeprefix(ABOUT)
        assert face.startswith("tech."), screen.read
        await shown(pilot, f"{load('en')(f'civilization.{face}')}: ")


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_others_did_stands_beside_the_map_where_there_is_no_column_for_it(code: str) -> None:
    """At 80 x 24 nothing but the map told what anybody had done."""
    port = a_port(seed=5).play(60).play_until(lambda news: news.view.phase == "trade")
    model = model_of(port, code)
    others = [each.text for each in since_my_choice(model)]
    board = to_text(draw_table(Scene(model, width=80, height=24)).board)
    title = model.words("board.since_choice")
    assert others and title in board
    first = board.split(title)[1].splitlines()[1]
    assert any(each.split()[0] in first for each in others)
    wide = to_text(draw_table(Scene(model, width=120, height=36)).board)
    assert title not in wide, "there the story has a column"


@pytest.mark.parametrize("phase", ["trade", "city", "move"])
def test_an_explanation_leaves_nearly_all_of_the_map(phase: str) -> None:
    """Four rows of it were gone, and with them whoever begins in the south."""
    port = a_port(seed=5).play(9).play_until(lambda news: news.view.phase == phase)
    model = model_of(port)
    frame = draw_table(Scene(model, width=80, height=24, lesson=("word " * 44,)))
    shown = [row for row in to_text(frame.board).splitlines() if row[:2].strip().isdigit()]
    assert len(shown) >= 14


def test_what_somebody_else_places_is_told_with_the_name() -> None:
    """`Architect: production 2, coin 1` stood there, and nobody read whose it was."""
    port = a_port(seed=3, turns=30).play_until(lambda news: news.view.phase == "person")
    mine, theirs = view_model(load("en"), port.news()), view_model(load("en"), port.looked_on())
    texts = [to_text(now_rows(Scene(each), table_of(each.view), 200)) for each in (mine, theirs)]
    assert texts[0] and texts[1] == f"{theirs.seats[0].name} · {texts[0]}"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_begins_where_a_move_ends_is_said_before_it(code: str) -> None:
    """A hut, a village or somebody's armies were named, and not that a battle comes of them."""

    def meets(news: TableChanged) -> str:
        model = view_model(load(code), news)
        goes = [each for each in news.view.offers if each.action.verb == "go"]
        texts = (square_text(model, table_of(news.view), squares_of(each)[0]) for each in goes)
        begins = [model.words(f"civilization.met.{key}") for key in ("hut", "village", "armies")]
        return next((text for text in texts if any(map(text.endswith, begins))), "")

    port = a_port(seed=3, turns=30).play_until(lambda news: bool(meets(news)))
    assert meets(port.news())


@pytest.mark.parametrize("size", SIZES)
def test_where_somebody_fights_natives_their_village_stays_on_the_map(size: Size) -> None:
    stage = beside_village("infantry.1").phase("move")
    model = told_picture(Narrated(stage).do("move 8.8 1+0", "go 9.8"))
    table, square = table_of(model.view), 16 * 8 + 9
    assert is_fought(table)
    drawn = to_text(square_rows(Sheet(Scene(model), table, size, {}, -1, {}), square))
    assert "v" in drawn and "a" in drawn


@pytest.mark.parametrize(("size", "text"), zip(SIZES, ("1a1b", "ab", "ab"), strict=True))
def test_where_two_seats_fight_both_stand_on_the_map(size: Size, text: str) -> None:
    """The attacker stood there alone, also where the defender was asked what to do."""
    stage = field().holds(0, "infantry.1").holds(1, "infantry.2").phase("move")
    model = told_picture(Narrated(stage).do("move 8.8 1+0", "go 9.8"))
    table, square = table_of(model.view), 16 * 8 + 9
    assert is_fought(table)
    scene = Scene(model)
    rows = square_rows(Sheet(scene, table, size, {}, -1, {}), square)
    assert to_text(rows[-1:]).strip().endswith(text)
    styles = {span.style for span in rows[-1] if span.text.strip()}
    assert all(any(scene.style_of(seat) in style for style in styles) for seat in (0, 1))
