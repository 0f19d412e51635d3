"""The race of Carta: nothing in it is cut, and it says who is about to win and what is aimed at."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2p.session.news import TableChanged
from tests.ui.fakes import PracticePort
from tests.ui.test_draw import SIZES, every_drawing
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games.carta.board import column
from ui.games.carta.race import (
    BARS_FROM,
    DOMAIN_KEYS,
    coin_row,
    held,
    leaders,
    near_rows,
    points,
    points_row,
)
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.notes import NOTED
from ui.model.sentences import offer_sentence
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import to_text

TINY, SMALL = SIZES[:2]
EMBARGOED = 2  # Of a game in which an embargo of mine is asked for.


def board_of(model: ViewModel, size: tuple[int, int], picked: tuple[str, ...] = ()) -> str:
    frame = draw_table(Scene(model, picked, "", *size))
    return to_text([*frame.board, *frame.prompt, *frame.hand])


def is_embargo(news: TableChanged) -> bool:
    return news.view.phase == "embargo"


def is_close(news: TableChanged) -> bool:
    """Whether somebody else is one card from winning."""
    others = (seat for seat in range(news.view.players) if seat != news.view.seat)
    return any(held(news.view, seat, domain).is_close for seat in others for domain in DOMAIN_KEYS)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_domains_over_the_numbers_are_whole(language: str) -> None:
    """`M Milit R Relig Economy` stood there: letters for two of six, and names run together."""
    model = view_model(load(language), PracticePort(seed=4, players=3).begin().news())
    head = board_of(model, TINY).splitlines()[1]
    names = [model.words.name("face", domain).removesuffix(NOTED) for domain in DOMAIN_KEYS]
    places = [head.index(name) for name in names]
    assert places == sorted(places)
    assert all(head[at - 1] == " " for at in places)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_number_does_not_touch_its_bar(language: str) -> None:
    """`■■· ·· ··2`: at 80 columns it read as one more card."""
    port = PracticePort(seed=4, players=3).begin().play(20)
    for width, height in (size for size in SIZES if size[0] >= BARS_FROM):
        text = board_of(view_model(load(language), port.news()), (width, height))
        assert not re.search(r"[■·]\d", text), text


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_who_is_one_card_from_winning_is_told_at_every_size(language: str) -> None:
    port = PracticePort(seed=4, players=3).begin().play_until(is_close)
    model = view_model(load(language), port.news())
    said = ("6/7", model.words("carta.to_win", number=1))
    assert is_close(port.news())
    for size in SIZES:
        assert any(text in board_of(model, size) for text in said), size


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_coin_that_only_a_copy_takes_is_in_the_middle_though_one_leads(language: str) -> None:
    """`coin: nobody, Culture is tied` stood there."""
    port = PracticePort(seed=4, players=3, options={"coin": "jp"}).begin()
    port.play_until(lambda news: len(leaders(news.view, "culture")) == 1)
    model = view_model(load(language), port.news())
    assert model.view.counters["coin.holder"] < 0
    assert to_text([coin_row(Scene(model))]) == f"© {model.words('carta.coin_middle')}"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_of_four_seats_the_last_one_has_its_points_too(language: str) -> None:
    """`alan 2  e…` was the end of the row on 60 columns."""
    model = view_model(load(language), PracticePort(seed=5, players=4).begin().news())
    row = next(line for line in board_of(model, TINY).splitlines() if line.startswith(" ▲"))
    assert "…" not in row
    assert all(f"{Scene(model).name_of(seat)} " in row for seat in range(4))


def test_a_target_that_democracy_has_raised_stands_in_the_race() -> None:
    """The page of signs had a sign for it that stood nowhere."""
    news = PracticePort(seed=4, players=3).begin().news()
    counters = {**news.view.counters, "seat1.democracy.utopia": 1}
    raised = replace(news, view=replace(news.view, counters=counters))
    size = held(news.view, 1, "utopia").size
    for each in SIZES:
        assert f"{size}/8" in board_of(view_model(load("en"), raised), each)


def test_choices_whose_keys_stand_in_the_race_are_not_said_again_where_rows_are_dear() -> None:
    """Ten lines of `choose grace's Military` drove out what had happened."""
    port = PracticePort(seed=EMBARGOED, players=3).begin()
    model = view_model(load("en"), port.play_until(is_embargo).news())
    labels = {pick.label for pick in model.picks}
    first = model.picks[0]
    for size in (TINY, SMALL):
        text = board_of(model, size)
        assert first.text not in text
        assert model.words("board.log") in text
        drawn = {span.hot for row in every_drawing(model, size) for span in row}
        assert labels <= drawn
        assert "▶" in board_of(model, size, (first.label,)).replace("▶ ", "")
    assert first.text in board_of(model, (120, 36))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize(("phase", "effect"), [("embargo", "economy.x"), ("democracy", "utopia.x")])
def test_a_choice_says_what_is_done_to_whom(language: str, phase: str, effect: str) -> None:
    """`choose grace's Military` did not say for what."""
    words, seats = load(language), PracticePort(seed=4, players=3).begin().news().seats
    said = offer_sentence(words, seats, "target seat1 military", "carta", phase)
    assert words.name("effect", effect) in said
    assert seats[1].name in said
    assert words.name("face", "military") in said


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_two_cards_that_differ_by_their_age_differ_on_the_smallest_screen(language: str) -> None:
    """`1 Military ×5   6 Military ×2` stood there, and nothing said how these differ."""
    port = PracticePort(seed=4, players=3).begin()
    port.play_until(lambda news: any(map(len, aged(news).values())))
    model = view_model(load(language), port.news())
    text = to_text(column(Scene(model, (), "", *TINY), TINY[0], TINY[1] - 3).below)
    for domain, ages in aged(port.news()).items():
        name = model.words.name("face", domain)
        told = {f"{name} · {model.words('carta.age', age=age)}" for age in ages}
        assert all(each in text for each in told)


def aged(news: TableChanged) -> dict[str, set[str]]:
    """The ages of the domains in my hand of which I hold cards of several."""
    hand = [(each.card.face or "", each.card.back) for each in view_model(load("en"), news).hand]
    ages = {face: {back for other, back in hand if other == face} for face, _ in hand}
    return {face: backs for face, backs in ages.items() if len(backs) > 1}


@pytest.mark.parametrize("size", [*SIZES, (100, 30)])
@pytest.mark.parametrize(("players", "teams"), [(2, False), (3, False), (4, False), (4, True)])
def test_the_points_are_on_the_board_at_every_size(
    players: int, teams: bool, size: tuple[int, int]
) -> None:
    port = PracticePort(seed=4, players=players, options={"team": teams}).begin().play(20)
    model = view_model(load("en"), port.news())
    rows = [row.lstrip("│ ") for row in board_of(model, size).splitlines()]
    (told,) = (row for row in rows if row.startswith("▲"))
    for seat, number in enumerate(points(model.view)):
        name = Scene(model).name_of(seat)
        assert f"{name} {number}" in told or f"{name} + " in told, told


def test_in_teams_partners_stand_together_with_their_points() -> None:
    """Four names stood side by side, and none of them was said to be my partner."""
    port = PracticePort(seed=4, players=4, options={"team": True}).begin().play(20)
    model = view_model(load("en"), port.news())
    mine, theirs = points(model.view)[:2]
    told = to_text([points_row(Scene(model), 80)])
    assert f"You + alan {mine}" in told and f"grace + edsger {theirs}" in told
    near = to_text(near_rows(Scene(model))).splitlines()
    assert [row.split()[0] for row in near if "partner - " in row] == ["alan"]
