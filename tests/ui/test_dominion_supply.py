"""The supply of Dominion: what a pile says is whole where it matters, and rows are not wasted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games.dominion.cards import BASIC_KINDS, KINDS
from p2p.session.news import TableChanged
from tests.core.games.dominion.stage import Stage
from tests.ui.shopping import ALL_CARDS, choose, laid_out, market
from tests.ui.test_draw import SIZES
from ui.draw.choices import labels_in
from ui.draw.frame import draw_table
from ui.draw.marks import labels_of
from ui.draw.scene import Scene
from ui.draw.story import draw_story
from ui.games import look_of
from ui.games.dominion import wares
from ui.games.dominion.supply import (
    KINGDOM_ROWS_BROAD,
    NEAR,
    _dense,
    _edge,
    _kingdom,
    dense_table,
    draw_supply,
    pile_table,
    text_of,
)
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.story import story
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import Row, row_width, to_text

TINY, BROAD, LOW = SIZES[0], SIZES[-1], (60, 20)
BROAD_PILE = 28  # Cells of a pile on 200 columns.


def buying(language: str = "en") -> ViewModel:
    port = market(kingdom=ALL_CARDS).play_until(lambda news: news.view.phase == "buy")
    return view_model(load(language), port.news())


def is_before_treasures(news: TableChanged) -> bool:
    """Whether I have Actions, and Treasures that come after them."""
    return news.view.phase == "action" and any(
        card.face in ("silver", "gold") for card in news.view.zones["seat0.hand"]
    )


def above_of(model: ViewModel, size: tuple[int, int], label: str = "") -> list[Row]:
    return draw_table(Scene(model, (label,) if label else (), label, *size)).board


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_pile_is_on_the_smallest_screen_also_under_a_long_question(language: str) -> None:
    """`discard any number of cards, then draw as many` hid three piles under a sign."""
    port = market(kingdom=ALL_CARDS).play_until(lambda news: news.view.phase == "cellar")
    model = view_model(load(language), port.news())
    rows = above_of(model, TINY)
    hot = {span.hot for row in rows for span in row}
    piles = wares(model.view)
    assert {f"about:{ware.face}" for ware in piles} <= hot
    assert "▼" not in to_text(rows)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_low_screen_shows_every_pile_and_what_came_last_while_others_think(
    language: str,
) -> None:
    """Two columns of piles took every row of 20, and the hand grew over the dearest of them."""
    port, words, waits = market(players=4, kingdom=ALL_CARDS), load(language), 0
    for _ in range(70):
        model = view_model(words, port.news())
        rows = above_of(model, LOW)
        hot = {span.hot for row in rows for span in row}
        piles = {ware.face: labels_of(model, ware.zone) for ware in wares(model.view)}
        assert [face for face, label in piles.items() if not {f"about:{face}", label} & hot] == []
        if story(model) and not model.is_my_turn:
            last, waits = draw_story(story(model)[-6:], LOW[0] - 2), waits + 1
            assert {to_text([row]).strip() for row in last} & set(told_rows(rows))
        port.play(1)
    assert waits > 5


def told_rows(rows: list[Row]) -> list[str]:
    return [to_text([row]).strip() for row in rows]


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_kind_has_room_for_its_name_among_the_dense_piles(language: str) -> None:
    model = buying(language)
    scene, pile = Scene(model, (), "", *TINY), wares(model.view)[0]
    for kind in KINDS:
        row = _dense(scene, pile._replace(face=kind.key, zone="", height=10), 19)
        name = model.words.name("face", kind.key)
        assert row_width(row) == 19
        assert name in to_text([row]) or cell_len(name) > 11


def test_the_piles_do_not_move_when_one_is_picked_on_the_smallest_screen() -> None:
    model = buying()
    labels = [pick.label for pick in model.picks if pick.place.startswith("supply.")]
    before = to_text(dense_table(Scene(model, (), "", *TINY), wares(model.view), TINY[0]))
    assert labels
    for label in labels:
        now = to_text(above_of(model, TINY, label)).replace("▶", " ")
        assert before.splitlines() == now.splitlines()[: len(before.splitlines())]


@pytest.mark.parametrize("size", SIZES[:2])
@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_what_the_picked_pile_says_is_whole_or_says_that_it_is_not(
    language: str, size: tuple[int, int]
) -> None:
    """`… and it does not affect` was the end of what Moat says on 60 columns."""
    model = buying(language)
    piles = {ware.zone: ware for ware in wares(model.view)}
    for pick in model.picks:
        if pick.place not in piles:
            continue
        text = text_of(Scene(model), piles[pick.place]).replace(" ", "")
        shown = "".join(to_text(above_of(model, size, pick.label)).split())
        assert text in shown, text


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_who_owns_how_many_is_under_every_text_on_the_largest_screen(language: str) -> None:
    """The text of a Bureaucrat took the row."""
    model = buying(language)
    scene, pile = Scene(model, (), "", *BROAD), wares(model.view)[0]
    for kind in KINDS[BASIC_KINDS:]:
        decks = [Counter({kind.key: 2})] * model.view.players
        ware = pile._replace(face=kind.key, zone="")
        drawn = _kingdom(scene, ware, BROAD_PILE, KINGDOM_ROWS_BROAD, decks=decks)
        assert "grace 2" in to_text(drawn), kind.key


def test_owners_take_a_second_row_where_there_is_one() -> None:
    """Of four seats the last one was cut."""
    model = view_model(load("en"), market(players=4, kingdom=ALL_CARDS).news())
    pile = next(ware for ware in wares(model.view) if ware.face == "village")
    decks = [Counter({"village": 2})] * 4
    drawn = _kingdom(Scene(model, (), "", *BROAD), pile, BROAD_PILE, 10, decks=decks)
    said = " ".join(to_text(drawn).replace("│", "").split())
    names = [Scene(model).name_of(seat) for seat in range(4)]
    assert [name for name in names if f"{name} 2" not in said] == []


def test_a_basic_pile_is_low_where_it_is_broad() -> None:
    """Half of each was empty on 200 columns."""
    rows = draw_supply(Scene(buying(), (), "", *BROAD), 148, 40)
    assert "(0) ×" in to_text([rows[3]])
    assert "$1" in to_text([rows[3]])


def test_a_curse_is_not_marked_as_within_reach() -> None:
    """Nobody plans for one, and a sign at each pile of no cost hides those that matter."""
    model = view_model(load("en"), market().play_until(is_before_treasures).news())
    scene = Scene(model, (), "", *TINY)
    piles = {ware.face: ware for ware in wares(model.view)}
    assert piles["curse"].is_near
    assert piles["estate"].is_near
    assert NEAR in to_text([_dense(scene, piles["estate"], 19)])
    assert NEAR not in to_text([_dense(scene, piles["curse"], 19)])


def test_a_curse_is_as_quiet_as_every_pile_while_others_choose() -> None:
    """It was the brightest one then."""
    port = market()
    port.me = 1
    model = view_model(load("en"), port.news())
    assert not model.is_my_turn
    scene = Scene(model, (), "", *TINY)
    piles = {ware.face: _edge(scene, ware) for ware in wares(model.view)}
    assert piles["curse"] == piles["province"]


def test_treasures_that_cannot_be_played_any_more_reach_no_pile() -> None:
    """Who had played nothing chose a card of the hand for the discards, below +t at each pile."""
    buying = market().play_until(is_before_treasures).news().view
    for phase, is_in_time in (("buy", True), ("top", False)):
        view = replace(buying, phase=phase)
        told = look_of("dominion").tally(view)
        assert told is not None and bool(told.numbers["more"]) == is_in_time
        assert any(ware.is_near and ware.cost for ware in wares(view)) == is_in_time


@pytest.mark.parametrize("height", [16, 20])
@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_discard_pile_of_every_kind_can_be_chosen_from_on_the_smallest_screens(
    language: str, height: int
) -> None:
    """For a Harbinger the last cards, and how to choose none, lay hidden below `▼`."""
    kinds = [kind.key for kind in KINDS[:BASIC_KINDS]] + ALL_CARDS.split(",")
    stage = Stage("harbinger copper*2 estate silver", "", decks=["gold copper*5"],
                  discards=[" ".join(kinds)], kingdom=" ".join(kinds[BASIC_KINDS:]))  # fmt: skip
    port = choose(laid_out(stage, 2), "play harbinger")
    model = view_model(load(language), port.news())
    frame = draw_table(Scene(model, width=60, height=height))
    assert len(model.picks) == len(kinds) + 1
    assert {pick.label for pick in model.picks} <= labels_in([*frame.board, *frame.hand])


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_piles_stand_under_each_other_whatever_the_letters_are_wide(code: str) -> None:
    model = view_model(load(code), market().news())
    rows = pile_table(Scene(model), model.look.wares(model.view), 81)
    assert {row_width(row) for row in rows[:-1]} == {81}
