"""What is said of Dominion: what is not done, what lies on top, and nothing of mixed hands."""

from __future__ import annotations

from typing import Final

import pytest

import core.games.dominion.cards as c
from core.games.dominion.picks import DECLINES
from core.narrate import Line
from core.requests import Action
from tests.core.games.dominion.stage import Stage
from tests.ui.shopping import ALL_CARDS, Market, choose, laid_out, market
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.prompt import prompt
from ui.model.sentences import line_sentence
from ui.model.story import plain_sentences, told, untold
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.plain.table_lines import table_lines
from ui.terminal.spans import to_text

DECLINED: Final = {**DECLINES, c.ACTING: "stop", c.CHANCELLING: "pass"}
ALIKE: Final = ((c.CHAPELING, c.SENTRY_TRASHING), (c.CELLARING, c.SENTRY_DISCARDING))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whoever_declines_is_told_by_what_is_not_done(code: str) -> None:
    """`ada passes` stood between the discards of a Militia, and `ada stops there` after a look."""
    words, seats, told = load(code), market().news().seats, dict[int, str]()
    for phase, verb in DECLINED.items():
        if verb in ("pass", "stop"):
            line = Line(0, "chosen", 0, Action(verb), text=verb, phase=c.PHASES[phase])
            told[phase] = line_sentence(words, seats, line, "dominion")
    assert all(told[one] == told[two] for one, two in ALIKE), "the same is not done"
    assert len({*told.values()}) == len(told) - len(ALIKE) == 11
    assert words("line.stop", name="ada") not in told.values()
    assert all("ada" in sentence for sentence in told.values())


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_lines_of_text_say_that_of_the_discards_the_top_card_is_named(code: str) -> None:
    """`Discards: Curse`, of eleven cards, read as if there were one."""
    port, words = market(kingdom=ALL_CARDS), load(code)
    news = port.play_until(lambda news: bool(news.view.zones["seat1.discard"])).news()
    top = news.view.zones["seat1.discard"][-1].face or "?"
    name = words.of("dominion").name("face", "discard")
    said = f"{words('plain.on_top', pile=name)}: {words.of('dominion').name('face', top)}"
    assert name in said
    assert any(said in line for line in table_lines(view_model(words, news)))


def test_lines_of_text_tell_of_no_hand_that_its_owner_mixes() -> None:
    """`cora mixes 5 cards of the hand` was read aloud in every turn of every seat."""
    port, words = market(kingdom=ALL_CARDS), load("en")
    port.play_until(lambda news: any(line.kind == "shuffled" and line.seat == 1
                                     for line in news.lines))  # fmt: skip
    presenter = PlainPresenter(words)
    heard = presenter.receive(port.news())
    mixed = words("line.mixed", name="", number=0).split()[0]
    assert not [line for line in heard if f" {mixed} " in line]
    assert [line for line in presenter.read("log").lines if f" {mixed} " in line]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_draw_that_everybody_has_seen_is_told_as_well(code: str) -> None:
    """With a Silver of a Bureaucrat on the deck, a hand of five was told as `draws 4 cards`."""
    port, words = market(kingdom=ALL_CARDS), load(code)
    port.play_until(lambda news: any(line.text == "drew" for line in news.lines))
    lines = port.news().lines
    (at,) = [at for at, line in enumerate(lines) if line.text == "drew"][:1]
    fact, drawn = lines[at], lines[at + 1]
    assert (drawn.kind, drawn.seat) == ("drawn", fact.seat)
    assert len(fact.faces) + drawn.number == 5
    told = line_sentence(words, port.news().seats, fact, "dominion")
    assert all(words.of("dominion").name("face", face or "?") in told for face in fact.faces)


def sentences(port: Market, code: str) -> list[str]:
    """The story until now."""
    model = view_model(load(code), port.news())
    return plain_sentences(told(model, model.news.lines))


SPIED: Final = {
    "en": ["ada puts Gold back on the deck", "  grace reveals Silver",
           "grace has to discard Silver", "  alan reveals Curse",
           "alan has to put Curse back on the deck"],
    "ko": ["ada 님이 덱에 되돌립니다: 금", "  grace 님이 공개합니다: 은",
           "grace 님이 버려야 합니다: 은", "  alan 님이 공개합니다: 저주",
           "alan 님이 덱에 되돌려야 합니다: 저주"],
    "ja": ["adaさんが山札に戻す: 金貨", "  graceさんが公開: 銀貨",
           "graceさんが捨てさせられる: 銀貨", "  alanさんが公開: 呪い",
           "alanさんが山札に戻させられる: 呪い"],
}  # fmt: skip


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_spy_is_told_by_whose_card_goes_where(code: str) -> None:
    """`ada discards Silver` was told of a card of grace's deck."""
    stage = Stage("spy", "", "", decks=["copper gold", "silver", "curse"])
    port = choose(laid_out(stage, 3), "play spy", "put gold", "discard silver", "put curse")
    heard = sentences(port, code)
    start = heard.index(SPIED[code][0])
    assert heard[start : start + 5] == SPIED[code]


def test_a_thief_is_told_by_who_loses_the_card_and_it_stands_out_for_them() -> None:
    """`ada trashes Silver` was told of a card of grace's deck, and grace saw no mark on it."""
    stage = Stage("thief", "", decks=["", "copper silver"])
    port = choose(laid_out(stage, 2), "play thief", "trash silver")
    heard = sentences(port, "en")
    assert "grace has to trash Silver" in heard
    assert not [line for line in heard if line.startswith("ada trashes")]
    port.me = 1
    assert "! grace has to trash Silver" in sentences(port, "en")


BUREAUCRAT: Final = {
    "en": ("ada gains Silver onto the deck", "grace reveals Estate and puts it on the deck"),
    "ko": (
        "ada 님이 은 카드를 얻어 덱 위에 놓습니다",
        "grace 님이 사유지 카드를 공개해 덱 위에 놓습니다",
    ),
    "ja": ("adaさんが銀貨を得て山札に置く", "graceさんが屋敷を公開して山札に置く"),
}


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_bureaucrat_is_told_by_the_decks_that_both_cards_go_onto(code: str) -> None:
    """`ada gains Silver`, `grace reveals Estate`: the deck was not named."""
    stage = Stage("bureaucrat", "estate copper")
    heard = sentences(choose(laid_out(stage, 2), "play bureaucrat"), code)
    mine, theirs = BUREAUCRAT[code]
    assert f"  {mine}" in heard
    assert theirs in heard


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_spy_is_asked_of_whose_card_and_that_card_is_in_the_first_row(code: str) -> None:
    """Nothing in the question said it, and below much that was in play the card had no row."""
    actions = ("market", "village", "festival", "laboratory", "council_room", "harbinger")
    stage = Stage(f"spy {' '.join(actions)}", "", decks=["copper*12 gold", "curse*9"])
    port = choose(laid_out(stage, 2), *(f"play {action}" for action in actions), "play spy")
    mine = prompt(view_model(load(code), port.news()))
    choose(port, port.news().view.offers[0].text)
    model = view_model(load(code), port.news())
    words = model.words.of("dominion")
    assert words("phase.dominion.spy") in mine
    assert words("phase.dominion.spy other") in prompt(model)
    board = to_text(draw_table(Scene(model, width=60, height=20)).board)
    shown = f"grace · {words.name('face', 'shown')}: {words.name('face', 'curse')}"
    assert shown in board


TO_HAND: Final = {
    "en": "ada gains Silver into the hand",
    "ko": "ada 님이 은 카드를 손으로 얻습니다",
    "ja": "adaさんが銀貨を手札に獲得",
}


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(
    ("stage", "first"),
    [
        ("artisan", ("play artisan",)),
        ("mine copper", ("play mine", "trash copper")),
    ],
)
def test_a_card_that_is_gained_to_the_hand_is_told_and_asked_so(
    code: str, stage: str, first: tuple[str, ...]
) -> None:
    """`ada gains Silver`: that it can be played at once, no sentence said."""
    port = choose(laid_out(Stage(stage, ""), 2), *first)
    words = load(code).of("dominion")
    assert words("phase.dominion.gain hand") in prompt(view_model(load(code), port.news()))
    heard = sentences(choose(port, "gain silver"), code)
    assert heard.count(TO_HAND[code]) == 1
    assert sum(words.name("face", "silver") in line for line in heard) == 1


def test_what_is_gained_to_the_discard_pile_is_told_at_once_as_before() -> None:
    port = choose(laid_out(Stage("workshop", ""), 2), "play workshop", "gain silver")
    assert "ada gains Silver" in sentences(port, "en")
    assert untold(port.news(), 0) == port.news().lines
