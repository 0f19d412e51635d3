"""Renaissance says what it means: one word for one thing, whole titles, what would happen."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from core.games.renaissance.cards import FACES, FIRST_EVENT
from tests.ui.test_renaissance import in_phase, model_of
from ui.games.renaissance.events import _YEAR
from ui.prompt import prompt
from ui.text import LANGUAGE_NAMES, LOCALES, load
from ui.view_model import view_model

TITLE_CELLS = 29  # Of a card beside another one on 80 cells, behind the key of the event.


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_event_has_a_title_that_is_whole_on_a_narrow_card(code: str) -> None:
    words = load(code).of("renaissance")
    for face in FACES[FIRST_EVENT:]:
        key, title = f"renaissance.short.{face}", _YEAR.sub("", words.name("face", face))
        short = words(key) if words.has(key) else title
        assert cell_len(short) <= min(cell_len(title), TITLE_CELLS), face


def test_english_has_one_word_for_a_character_one_for_the_stake_and_one_spelling() -> None:
    for path in (LOCALES.parents[1] / "core/games/renaissance/locales").glob("*en.toml"):
        said = re.findall(r'= "+([^"]*)"', path.read_text("utf-8"))
        wrong = [each for each in said if re.search(r"person\b|persons|prize|color|center", each)]
        assert not wrong


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_how_many_card_actions_are_left_is_said(code: str) -> None:
    """After a piece that fills a colour there is one, and nothing told."""
    words = load(code).of("renaissance")
    port = in_phase("act")
    for count, key in ((2, "acts"), (1, "act")):
        news = port.play_until(
            lambda news, count=count: (  # type: ignore[misc]
                news.view.phase == "act" and news.view.counters["actions"] == count
            )
        ).news()
        assert words(f"phase.renaissance.{key}") in prompt(view_model(words, news))


def test_the_bonus_says_which_cards_may_be_taken_and_how_many_still() -> None:
    model = model_of(in_phase("bonus"))
    counters = model.view.counters
    kind = "characters" if counters["bonus.color"] else "culture cards"
    asked = prompt(model)
    assert f"take {kind} of the display" in asked
    assert counters["bonus"] < 2 or f"{counters['bonus']} to go" in asked
