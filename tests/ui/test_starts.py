"""What starts a game in the lobby: cards where there is room, and what is explained by one key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Markdown, OptionList

from core.games import GAMES
from p2p.session.news import TablesSeen
from tests.gin_rummy import FACES, GIN_RUMMY
from tests.ui.driving import QUIET, an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import some_ad, ui
from ui.draw.starts import START_CELLS_MIN, START_ROWS, draw_starts
from ui.games import look_of
from ui.language.text import LANGUAGE_NAMES, load
from ui.look import PLAIN, Inked
from ui.port import Learn
from ui.terminal.spans import row_width, to_text


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [54, 74, START_CELLS_MIN, 194])
@pytest.mark.parametrize("is_roomy", [True, False])
def test_every_game_is_started_by_its_name_and_no_row_is_too_wide(
    code: str, width: int, is_roomy: bool
) -> None:
    words, is_wide = load(code), width >= START_CELLS_MIN
    drawn = draw_starts(words, {"carta": "b"}, width, is_roomy=is_roomy and is_wide)
    assert list(drawn) == list(GAMES)
    for game, rows in drawn.items():
        assert words.name("game", game) in to_text(rows[:1])
        assert not is_wide or max(map(row_width, rows)) <= width
        assert len(rows) == (START_ROWS if is_roomy and width >= START_CELLS_MIN else 1)
    assert " b " in to_text(drawn["carta"])


@ui
@pytest.mark.parametrize(
    ("size", "tables", "has_cards"),
    [((120, 36), 1, True), ((120, 36), 12, False), ((120, 24), 1, False), ((80, 36), 1, False)],
)
async def test_a_lobby_with_room_shows_a_card_for_each_game_and_no_other_does(
    size: tuple[int, int], tables: int, has_cards: bool
) -> None:
    app = an_app()
    async with app.run_test(size=size) as pilot:
        app.publish(TablesSeen(tuple(some_ad(f"{at}-falcon") for at in range(tables))))
        await settled(pilot)
        text = whole_text(app)
        assert ("( Y )────[ 2 ]" in text) is has_cards
        assert all(load("en").name("game", game) in text for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_ours_draws_its_own_emblem(game: str) -> None:
    drawn = look_of(game).emblem
    assert len(drawn) == START_ROWS - 1
    card = draw_starts(load("en"), {}, START_CELLS_MIN, is_roomy=True)[game]
    for inked, row in zip(drawn, card, strict=False):
        assert "".join(each.text for each in inked) in to_text([row])


@pytest.mark.parametrize("emblem", [(), ((Inked("gin"),),)])
def test_a_game_that_nobody_has_drawn_shows_some_of_its_cards(
    emblem: tuple[tuple[Inked, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of another package had no picture at all; a picture with too few rows is filled up."""
    monkeypatch.setitem(GAMES, GIN_RUMMY.slug, GIN_RUMMY)
    look = replace(PLAIN, emblem=emblem)
    monkeypatch.setattr("ui.draw.starts.look_of", lambda game: look)
    card = draw_starts(load("en"), {}, START_CELLS_MIN, is_roomy=True)[GIN_RUMMY.slug]
    names = "".join(f"│{face:^3}│" for face in (FACES[0], FACES[26], FACES[-1]))
    assert (names in to_text(card)) is not bool(emblem)
    assert len(card) == START_ROWS and max(map(row_width, card)) <= START_CELLS_MIN


@ui
@pytest.mark.parametrize("is_newcomer", [True, False])
async def test_which_game_is_explained_is_said_and_is_the_one_under_the_bar(
    is_newcomer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only Carta was named, and to nobody who had a game on this machine."""
    app = an_app()
    if not is_newcomer:
        monkeypatch.setattr(app, "list_games", lambda: [Path("carta.hostless")])
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "Carta Impera Victoria, explained step by step")
        assert ("Your first game?" in whole_text(app)) is is_newcomer
        options = app.screen.query_one(OptionList)
        options.highlighted = [each.id for each in options.options].index("start-dominion")
        await shown(pilot, "Dominion, explained step by step")
        await pilot.press("t")
        await settled(pilot)
        opened = port_of(app).sent[-1]
        assert isinstance(opened, Learn) and opened.game == "dominion"


@ui
async def test_a_terminal_without_signs_gets_none_in_the_lobby() -> None:
    app = an_app(settings=replace(QUIET, is_ascii=True))
    async with app.run_test(size=(120, 36)) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await settled(pilot)
        assert not {sign for sign in whole_text(app) if not sign.isascii()}


@ui
async def test_a_terminal_without_signs_gets_none_in_rules_and_notices() -> None:
    app = an_app(settings=replace(QUIET, is_ascii=True))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("r")
        await shown(pilot, "* ")
        app.notify("something to read")
        await shown(pilot, "something to read")
        while not app.screen.query("#whole"):
            await pilot.pause(0.01)
        assert all(text.source.isascii() for text in app.screen.query(Markdown)), "below it, too"
        assert not {sign for sign in whole_text(app) if not sign.isascii()}
