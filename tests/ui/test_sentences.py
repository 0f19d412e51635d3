"""Offers and log lines as sentences, from the stable notation, in every language."""

from __future__ import annotations

import pytest

from core.narrate import Line
from core.requests import Action, Over
from tests.ui.fakes import PracticePort, some_seats
from ui.games import look_of
from ui.sentences import line_sentence, offer_sentence, told
from ui.text import LANGUAGE_NAMES, load


@pytest.mark.parametrize(
    ("notation", "english", "korean", "japanese"),
    [
        ("play military", "play Military", "군사 내기", "軍事を出す"),
        ("use economy.2", "Monopoly", "독점", "独占"),
        ("target seat1 science", "target grace Science", "대상: grace 과학", "対象: grace 科学"),
        ("copy religion.1", "copy Holy Book", "따라 하기: 성스러운 경전", "写す: 聖典"),
        ("end", "end your turn", "차례 마치기", "手番を終える"),
        ("hurl pots", "hurl pots", "hurl pots", "hurl pots"),
    ],
)
def test_an_offer_is_a_sentence_in_every_language(
    notation: str, english: str, korean: str, japanese: str
) -> None:
    seats = some_seats(3)
    sentences = [offer_sentence(load(code), seats, notation) for code in ("en", "ko", "ja")]
    assert sentences == [english, korean, japanese]


def test_a_line_names_who_did_what_and_never_a_face_nobody_saw() -> None:
    seats = some_seats(3)
    line = Line(4, "chosen", 1, Action("give", (7,)), (None,), 0, "give ?")
    assert line_sentence(load("en"), seats, line) == "grace gives back a card"
    assert line_sentence(load("ja"), seats, line) == "graceさんがカード1枚を返す"


@pytest.mark.parametrize(
    ("code", "carta", "other"),
    [
        ("en", "grace begins: drawn by lot", "The dice show 2"),
        ("ko", "grace 님부터 시작합니다", "굴린 수: 2"),
        ("ja", "graceさんから始めます", "出た数: 2"),
    ],
)
def test_the_roll_of_carta_says_who_begins(code: str, carta: str, other: str) -> None:
    line, words, seats = Line(0, "rolled", number=1), load(code), some_seats(3)
    assert line_sentence(words, seats, line, look_of("carta")).startswith(carta)
    assert line_sentence(words, seats, line) == other


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_line_of_whole_games_can_be_told(code: str, seed: int) -> None:
    words = load(code)
    for players in (2, 3, 4):
        port = PracticePort(seed=seed, players=players, options={"deal": "draft"}).begin()
        port.play(10_000)
        assert isinstance(port.request, Over)
        for line in port.narrator.lines:
            sentence = line_sentence(words, some_seats(players), line)
            assert sentence
            assert "{" not in sentence
            if line.kind == "chosen" and code == "en":
                assert "." not in sentence, "an effect has no name"


def test_a_hand_that_changes_sides_is_taken_and_given_not_drawn() -> None:
    lines = [
        Line(0, "chosen", 0, Action("target", (), 8), (), 8, "target seat1"),
        Line(1, "drawn", 0, number=3),
        Line(2, "chosen", 0, Action("give", (7,)), (None,), 0, "give ?"),
        Line(3, "drawn", 1, number=1),
        Line(4, "chosen", 0, Action("end"), (), 0, "end"),
        Line(5, "drawn", 0, number=1),
    ]
    kinds = [line.kind for line in told(lines)]
    assert kinds == ["chosen", "taken", "chosen", "chosen", "drawn"]
    assert all(told(lines[:count]) == told(lines)[: len(told(lines[:count]))] for count in range(7))
