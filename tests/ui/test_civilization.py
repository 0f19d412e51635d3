"""Civilization on the screen and in lines: its words, its map, its windows."""

from __future__ import annotations

import re

import pytest

from core.games.civilization import GAME
from core.games.civilization.frames import KINDS
from core.games.civilization.rules import VERBS
from core.requests import Over
from core.testing.worlds import BlindGame
from tests.ui.fakes import some_seats
from ui.games.civilization.words import say
from ui.sentences import line_sentence, move_sentence, offer_sentence
from ui.text import LANGUAGE_NAMES, load

_CODE = re.compile(r"[a-z]+_[a-z]+|seat\d|\b\d+\.\d+\b|[{}]")
_LATIN = re.compile(r"[A-Za-z]{3,}")


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_verb_and_every_question_has_a_sentence(language: str) -> None:
    words = load(language)
    for kind, verbs in VERBS.items():
        assert words.has(f"phase.civilization.{KINDS[kind]}")
        for verb in verbs:
            assert words.has(f"offer.civilization.{verb}"), (KINDS[kind], verb)
            assert words.has(f"line.civilization.{verb}"), (KINDS[kind], verb)


def test_no_notation_of_whole_games_is_shown_as_a_code(seed: int) -> None:
    seats = some_seats(3)
    languages = [load(code) for code in LANGUAGE_NAMES]
    world = BlindGame(GAME, 3, {"max_turns": 6}, seed=seed)
    for _ in world.play():
        pass
    assert isinstance(world.peers[0].request, Over)
    for line in world.peers[0].narrator.lines:
        if line.kind != "chosen":
            continue
        for words in languages:
            told = line_sentence(words, seats, line, "civilization")
            offered = offer_sentence(words, seats, line.text, "civilization")
            assert not _CODE.search(told + offered), line.text
            if words.code != "en":
                names = told.replace("ada", "").replace("grace", "").replace("alan", "")
                assert not _LATIN.search(names), line.text


@pytest.mark.parametrize(
    ("notation", "english"),
    [
        ("move 4.6 2+1", "move 2 armies, 1 scout from g7"),
        ("make trading_post 1", "second city: Trading Post"),
        ("reap silk iron 0", "capital: harvest silk and iron"),
        ("give event.ancient 2", "give 2 ancient event"),
        ("target seat1.army 5.7", "grace: army i8"),
        ("power pottery hut.silk hut.iron", "Pottery (any×2), Hut: silk, Hut: iron"),
        ("infiltrate scout 4.6 seat2.0", "scout at g7 goes to learn in alan: capital"),
        ("learn monarchy", "learn Monarchy"),
    ],
)
def test_a_notation_is_a_sentence(notation: str, english: str) -> None:
    words, seats = load("en"), some_seats(3)
    assert offer_sentence(words, seats, notation, "civilization") == english
    assert move_sentence(words, seats, 0, notation, "civilization").startswith("ada ")
    assert set(say(words, seats, notation)) == {"what", "where", "city", "more", "number"}
