"""The prompt: in every phase that asks for something, it says what."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games.carta.cards import PHASES
from core.requests import Over
from core.view import View
from tests.ui.fakes import PracticePort
from ui.picture import paint, prompt, what_to_choose
from ui.text import LANGUAGE_NAMES, load

ASKING = PHASES[PHASES.index("keep") : PHASES.index("copy") + 1]
WIDTH = 79  # Of the bar, beside its margin, on the narrowest usual terminal.


def a_view(verb: str) -> View:
    """A view whose offers are all of one verb."""
    view = PracticePort(seed=3).begin().news().view
    offer = view.offers[0]
    action = offer.action._replace(verb=verb)
    return replace(view, phase="unheard", offers=(replace(offer, action=action),))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("phase", ASKING)
def test_every_phase_of_carta_that_asks_has_its_sentence(code: str, phase: str) -> None:
    assert load(code).has(f"phase.carta.{phase}") or phase == "effects"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_whole_games_the_prompt_always_says_what_to_choose(code: str, seed: int) -> None:
    words, phases = load(code), set()
    for players, deal in ((2, "basic"), (3, "draft"), (4, "draft")):
        port = PracticePort(seed=seed, players=players, options={"deal": deal}).begin()
        while not isinstance(port.request, Over):
            picture = paint(words, port.news())
            assert picture.is_my_turn
            phases.add(picture.view.phase)
            said = prompt(picture)
            assert words("ask.choose") != what_to_choose(words, picture.view), picture.view.phase
            assert cell_len(said) <= WIDTH, said
            port.play(1)
    assert {"keep", "play", "effects"} <= phases <= set(ASKING)


def test_a_phase_without_a_sentence_falls_back_to_the_verb_and_then_to_choose() -> None:
    words = load("en")
    assert what_to_choose(words, a_view("discard")) == "choose what to discard"
    assert what_to_choose(words, a_view("skip")) == "no card can be played"
    assert what_to_choose(words, a_view("juggle")) == "choose"


def test_an_effect_that_asks_for_several_cards_says_how_many_are_to_come() -> None:
    view = replace(a_view("discard"), phase="discard hand")
    two = replace(view, counters={**view.counters, "need": 2})
    assert what_to_choose(load("en"), two) == "choose a card of your hand to discard; 2 to go"
    one = replace(view, counters={**view.counters, "need": 1})
    assert what_to_choose(load("en"), one) == "choose a card of your hand to discard"
