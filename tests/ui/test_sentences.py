"""Offers and log lines as sentences, from the stable notation, in every language."""

from __future__ import annotations

import pytest

from core.games import GAMES
from core.narrate import SCORED_FACT, WON, Line
from core.requests import Action, Fact, Over
from core.testing.worlds import BlindGame
from tests.ui.fakes import PracticePort, some_seats
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.model.sentences import line_sentence, offer_sentence


@pytest.mark.parametrize(
    ("notation", "english", "korean", "japanese"),
    [
        ("play military", "play Military", "군사 내기", "軍事を出す"),
        ("use economy.2", "Monopoly", "독점", "独占"),
        ("target seat1 science", "choose grace Science", "대상: grace 과학", "対象: grace 科学"),
        ("copy religion.1", "copy Holy Book", "따라 하기: 성스러운 경전", "コピー: 聖典"),
        (
            "discard copper copper silver",
            "discard Copper×2, Silver",
            "동×2, 은 버리기",
            "銅貨×2、銀貨を捨てる",
        ),
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


def test_a_domain_that_is_aimed_at_in_carta_is_that_of_a_seat() -> None:
    seats, words = some_seats(3), load("en").of("carta")
    offer = offer_sentence(words, seats, "target seat1 science", "carta")
    assert offer == "choose grace's Science"
    line = Line(4, "chosen", 0, Action("target", (), 3), (), 0, "target seat1 science")
    assert line_sentence(words, seats, line, "carta") == "ada chooses grace's Science"


def test_a_fact_is_told_by_its_plain_sentence_where_a_game_has_none_for_one() -> None:
    taken = {"fact.low.taken": "{name} takes it", "fact.low.taken_many": "{name}: {number}"}
    words = Words("en", {**load("en").sentences, **taken})
    lines = [Line(1, "told", 0, fact=Fact("taken", 0, (), number)) for number in (1, 2)]
    told = [line_sentence(words, some_seats(3), line, "low") for line in lines]
    assert told == ["ada takes it", "ada: 2"]


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
    assert line_sentence(words, seats, line, "carta").startswith(carta)
    assert line_sentence(words, seats, line) == other


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_line_of_whole_games_can_be_told(code: str, seed: int) -> None:
    words = load(code)
    for players in (2, 3, 4):
        port = PracticePort(seed=seed, players=players, options={"deal": "draft"}).begin()
        port.play(10_000)
        assert isinstance(port.request, Over)
        for line in port.narrator.lines:
            sentence = line_sentence(words, some_seats(players), line, "carta")
            assert sentence
            assert "{" not in sentence
            if line.kind == "chosen" and code == "en":
                assert "." not in sentence, "an effect has no name"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whatever_a_game_tells_has_a_sentence(code: str) -> None:
    words = load(code)
    for game in GAMES.values():
        for kind in {*game.tells, SCORED_FACT, WON}:
            own = (f"{game.slug}.", "")
            keys = [f"{section}.{of}{kind}" for section in ("line", "fact") for of in own]
            ends = ("", "_by", "_many")
            assert any(words.has(key + end) for key in keys for end in ends), (game.slug, kind)


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("en", ["ada loses Science to grace", "grace's turn 4", "ada: 1 point", "ada: 3 points"]),
        ("ko", ["ada 님이 grace 님 때문에 과학 카드를 잃습니다", "grace 님의 4번째 차례",
               "ada 님: 1점",
                "ada 님: 3점"]),
        ("ja", ["adaさんがgraceさんによって科学を失う", "graceさんの4回目の手番", "adaさん: 1点",
                "adaさん: 3点"]),
    ],
)  # fmt: skip
def test_what_followed_is_a_sentence_in_every_language(code: str, sentences: list[str]) -> None:
    facts = [Fact("lost", 0, (7,), 0, 1), Fact("turn", 1, (), 4), Fact("scored", 0, (), 1),
             Fact("scored", 0, (), 3)]  # fmt: skip
    lines = [
        Line(4, "told", fact.seat, faces=("science",) * len(fact.cards), fact=fact)
        for fact in facts
    ]
    assert [line_sentence(load(code), some_seats(3), line, "carta") for line in lines] == sentences


def test_what_a_game_has_no_sentence_for_is_told_by_its_key() -> None:
    fact = Fact("melds queen", 1, (3,), 5)
    line = Line(4, "told", 1, faces=(None,), fact=fact)
    assert line_sentence(load("en"), some_seats(3), line) == "grace: melds queen a card 5"


def test_a_hand_that_changes_sides_is_taken_and_given_not_drawn() -> None:
    """Carta, 5.2: who sees those cards was told, so nobody is said to draw them."""
    world = BlindGame(GAMES["carta"], 3, {}, seed=5)
    for _ in world.play():
        pass
    lines = world.peers[0].narrator.lines
    texts = [line.text for line in lines]
    robbed = texts.index("robbed")
    assert [line.kind for line in lines[robbed - 1 : robbed + 1]] == ["chosen", "told"]
    thief = lines[robbed - 1].seat
    assert lines[robbed].fact is not None and lines[robbed].fact.other == thief
    given = [line.text for line in lines[robbed + 1 :] if line.kind in ("chosen", "drawn")]
    assert given[0] == "give ?"
