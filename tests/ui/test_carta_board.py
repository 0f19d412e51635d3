"""The board of Carta: who leads, how near everybody is, what a card and an effect would do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.games.carta.scoring import majority_points
from core.requests import Over
from tests.ui.driving import has_effects, is_playing
from tests.ui.fakes import PracticePort
from tests.ui.test_draw import SIZES, every_drawing, is_whole
from ui.draw.panels import card
from ui.draw.scene import Scene
from ui.games.carta import EFFECT_LETTERS
from ui.games.carta.board import _card
from ui.games.carta.effects import effects_of
from ui.games.carta.race import DOMAIN_KEYS, draw_race, points
from ui.ink import to_text
from ui.picture import Picture, paint
from ui.text import LANGUAGE_NAMES, load


def picture_of(port: PracticePort, language: str = "en") -> Picture:
    return paint(load(language), port.news())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_points_are_those_of_the_rules_at_any_moment(players: int, seed: int) -> None:
    port = PracticePort(seed=seed, players=players).begin()
    while not isinstance(port.request, Over):
        assert tuple(points(port.news().view)) == majority_points(port.table)
        port.play(5)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_board_fills_every_size_in_every_language(language: str, players: int) -> None:
    port = PracticePort(seed=4, players=players, options={"deal": "draft"}).begin()
    for _ in range(12):
        picture = picture_of(port, language)
        labels = {pick.label for pick in picture.picks}
        for size in SIZES:
            rows = every_drawing(picture, size)
            assert is_whole(picture, size)
            assert labels <= {each for row in rows for span in row for each in span.hot.split(",")}
        port.play(9)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_name_of_whoever_is_to_act_is_whole_beside_the_race(
    language: str, players: int
) -> None:
    """`▶ Mist…` stood there for every bot with a name of seven letters."""
    picture = picture_of(PracticePort(seed=4, players=players).begin(), language)
    seats = tuple(
        replace(seat, name="Mistral", is_to_act=seat != picture.mine) for seat in picture.seats
    )
    for width in (80, 120):
        rows = to_text(draw_race(Scene(replace(picture, seats=seats)), width - 2, 20))
        assert rows.count("▶ Mistral ") == players - 1


def test_the_name_of_an_effect_is_cut_on_a_narrow_card_and_not_broken() -> None:
    """With seven cards in the hand `give up: I` stood above `nquisition`."""
    port = PracticePort(seed=4, players=3).begin()
    port.play_until(lambda news: any(
        each.card.face == "religion" for each in paint(load("en"), news).hand))  # fmt: skip
    picture = picture_of(port)
    number, held = next((at, each) for at, each in enumerate(picture.hand, 1)
                        if each.card.face == "religion")  # fmt: skip
    name = picture.words.name("effect", "religion.x")
    for cells in range(12, 30):
        drawn = to_text(card(_card(Scene(picture), [number], held, cells), cells, 9))
        rows = [row.strip("│┃╭╮╰╯━─ ") for row in drawn.splitlines()]
        said = [row for row in rows if name[:3] in row]
        assert said and ("…" in said[0] or name in said[0]), drawn


def test_an_effect_has_one_letter_for_the_whole_game(seed: int) -> None:
    port = PracticePort(seed=seed).begin()
    while not isinstance(port.request, Over):
        for pick in picture_of(port).picks:
            if pick.offer.action.verb == "use":
                assert pick.label == EFFECT_LETTERS[pick.offer.text.removeprefix("use ")]
        port.play(1)


def test_every_effect_that_is_offered_is_lit_and_every_other_has_its_reason(seed: int) -> None:
    port = PracticePort(seed=seed).begin().play_until(has_effects)
    scene = Scene(picture_of(port))
    offered = {
        offer.text.removeprefix("use ") for offer in scene.view.offers if offer.text != "end"
    }
    effects = effects_of(scene)
    assert offered == {each.key for each in effects if not each.reason and not each.is_by_itself}
    assert all(each.reason for each in effects if each.key not in offered and each.label)


def test_the_race_names_everybody_and_counts_every_domain() -> None:
    scene = Scene(picture_of(PracticePort(seed=29).begin().play_until(is_playing)), (), "", 120, 36)
    text = to_text(draw_race(scene, 80, 16))
    assert all(scene.words.name("face", domain) in text for domain in DOMAIN_KEYS)
    assert all(name in text for name in ("You", "grace", "alan"))
