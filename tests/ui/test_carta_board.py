"""The board of Carta: who leads, how near everybody is, what a card and an effect would do."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from core.games.carta.scoring import majority_points
from core.requests import Over
from tests.ui.driving import has_effects, is_playing
from tests.ui.fakes import PracticePort
from tests.ui.test_draw import CROWDS, SIZES, every_drawing, is_whole
from ui.draw.cards import CARD_CELLS_MIN
from ui.draw.panels import ABOUT, card
from ui.draw.scene import Scene
from ui.games.carta import EFFECT_LETTERS
from ui.games.carta.board import _card
from ui.games.carta.effects import about, draw_effects, effects_of
from ui.games.carta.race import DOMAIN_KEYS, draw_race, points
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import row_width, to_text


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_points_are_those_of_the_rules_at_any_moment(players: int, seed: int) -> None:
    port = PracticePort(seed=seed, players=players).begin()
    while not isinstance(port.request, Over):
        assert tuple(points(port.news().view)) == majority_points(port.table)
        port.play(5)


@pytest.mark.parametrize(("language", "players"), CROWDS)
def test_the_board_fills_every_size_in_every_language(language: str, players: int) -> None:
    """And no row is wider than the terminal."""
    port = PracticePort(seed=4, players=players, options={"deal": "draft"}).begin()
    for _ in range(12):
        model = model_of(port, language)
        labels = {pick.label for pick in model.picks}
        for size in SIZES:
            rows = every_drawing(model, size)
            assert [row for row in rows if row_width(row) > size[0]] == []
            assert is_whole(model, size)
            assert labels <= {each for row in rows for span in row for each in span.hot.split(",")}
        port.play(9)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_name_of_whoever_is_to_act_is_whole_beside_the_race(
    language: str, players: int
) -> None:
    """`▶ Mist…` stood there for every bot with a name of seven letters."""
    model = model_of(PracticePort(seed=4, players=players).begin(), language)
    seats = tuple(
        replace(seat, name="Mistral", is_to_act=seat != model.mine) for seat in model.seats
    )
    for size in SIZES[1:3]:
        rows = to_text(every_drawing(replace(model, seats=seats), size))
        assert rows.count("▶ Mistral ") == players - 1


def test_the_name_of_an_effect_is_whole_on_a_card_or_not_there() -> None:
    """With seven cards in the hand `give up: I` stood above `nquisition`, later `give up:…`."""
    port = PracticePort(seed=4, players=3).begin()
    port.play_until(lambda news: any(
        each.card.face == "religion" for each in view_model(load("en"), news).hand))  # fmt: skip
    model = model_of(port)
    number, held = next((at, each) for at, each in enumerate(model.hand, 1)
                        if each.card.face == "religion")  # fmt: skip
    name = model.words.name("effect", "religion.x")
    told = set[int]()
    for cells, height in product(range(CARD_CELLS_MIN, 30), (5, 6, 9)):
        size = (cells, height)
        drawn = to_text(card(_card(Scene(model), [number], held, size), *size))
        rows = [row.strip("│┃╭╮╰╯━─ ") for row in drawn.splitlines()]
        assert not any("…" in row or "give up" in row for row in rows[1:]) or name in drawn, drawn
        told |= {cells} if name in drawn else set()
    assert {16, 29} <= told, "it is left out only where it has no room"


def test_an_effect_has_one_letter_for_the_whole_game(seed: int) -> None:
    port = PracticePort(seed=seed).begin()
    while not isinstance(port.request, Over):
        for pick in model_of(port).picks:
            if pick.offer.action.verb == "use":
                assert pick.label == EFFECT_LETTERS[pick.offer.text.removeprefix("use ")]
        port.play(1)


def test_every_effect_that_is_offered_is_lit_and_every_other_has_its_reason(seed: int) -> None:
    port = PracticePort(seed=seed).begin().play_until(has_effects)
    scene = Scene(model_of(port))
    offered = {
        offer.text.removeprefix("use ") for offer in scene.view.offers if offer.text != "end"
    }
    effects = effects_of(scene)
    assert offered == {each.key for each in effects if not each.reason and not each.is_by_itself}
    assert all(each.reason for each in effects if each.key not in offered and each.label)


def test_the_race_names_everybody_and_counts_every_domain() -> None:
    scene = Scene(model_of(PracticePort(seed=29).begin().play_until(is_playing)), (), "", 120, 36)
    text = to_text(draw_race(scene, 80, 16))
    assert all(scene.words.name("face", domain) in text for domain in DOMAIN_KEYS)
    assert all(name in text for name in ("You", "grace", "alan"))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_an_effect_that_cannot_be_used_says_why_by_its_letter_and_by_a_click(language: str) -> None:
    port = PracticePort(seed=4, players=3).begin()
    port.play_until(has_effects)
    model = model_of(port, language)
    scene = Scene(model, (), "", 120, 36)
    dim = [effect for effect in effects_of(scene) if effect.reason]
    assert dim, "in this position one of mine cannot be used"
    for effect in dim:
        said = about(model, effect.label)
        assert effect.reason in said and model.words.name("effect", effect.key) in said
        assert about(model, effect.key) == said
    drawn = [span.hot for row in draw_effects(scene, 100, 20) for span in row]
    assert {f"{ABOUT}{effect.key}" for effect in dim} <= set(drawn)
    usable = [effect.label for effect in effects_of(scene) if not effect.reason and effect.label]
    assert not any(about(model, label) for label in usable)
