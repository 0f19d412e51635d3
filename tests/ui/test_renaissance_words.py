"""Renaissance says what it means: one word for one thing, whole titles, what would happen."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games import find_game
from core.games.renaissance.cards import FACES, FIRST_EVENT
from core.games.renaissance.printed import STONES, SYMBOLS
from core.narrate import Line
from core.requests import Action
from p2p.session.news import TableChanged
from tests.ui.fakes import PracticePort
from tests.ui.test_renaissance import a_port, in_phase, model_of
from ui.draw.frame import SIDE_WIDTH, draw_table
from ui.draw.scene import Scene
from ui.games.renaissance.events import _YEAR
from ui.games.renaissance.facts import seat_lines
from ui.games.renaissance.notes import notes_of
from ui.games.renaissance.position import culture_outcome, displayed, genius_signs, locations
from ui.language.text import LANGUAGE_NAMES, LOCALES, load
from ui.model.prompt import prompt
from ui.model.sentences import line_sentence
from ui.model.story import story, told
from ui.model.view_model import view_model
from ui.terminal.spans import to_text

TITLE_CELLS = 23  # Of a card beside another one and a column, behind the key of the event.


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_event_has_a_title_that_is_whole_on_a_narrow_card(code: str) -> None:
    words = load(code).of("renaissance")
    for face in FACES[FIRST_EVENT:]:
        key, title = f"renaissance.short.{face}", _YEAR.sub("", words.name("face", face))
        short = words(key) if words.has(key) else title
        assert cell_len(short) <= min(cell_len(title), TITLE_CELLS), face


def test_english_has_one_word_for_a_character_one_for_the_stake_and_one_spelling() -> None:
    for path in (LOCALES.parents[2] / "core/games/renaissance/locales").glob("*en.toml"):
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


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_no_sentence_about_a_card_says_twice_that_it_is_one(code: str) -> None:
    """A double was taken as `종교 이중 카드 카드`."""
    words, seats = load(code).of("renaissance"), in_phase("act").news().seats
    for face in FACES[:FIRST_EVENT]:
        action = Action("take", (FACES.index(face),))
        line = Line(0, "chosen", 0, action, (face,), text=f"take {face}")
        assert "카드 카드" not in line_sentence(words, seats, line, "renaissance")


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_beside_a_column_the_bar_says_which_key_changes_the_piece_and_no_double_is_cut(
    code: str,
) -> None:
    scene = Scene(model_of(in_phase("place"), code), width=100, height=30)
    assert "g ★" in to_text(draw_table(scene).prompt)
    double = load(code).of("renaissance")("renaissance.double")
    longest = max(cell_len(load(code).name("face", symbol)) for symbol in SYMBOLS)
    assert longest + cell_len(double) + len(" d   ") <= SIDE_WIDTH - 4


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_that_a_scoring_follows_is_said_with_what_it_would_bring_as_of_now(code: str) -> None:
    """Beside a column it said `you win 1` alone, and the card action could still change it."""
    words = load(code).of("renaissance")
    model = model_of(in_a_scoring_soon(), code)
    text = to_text(draw_table(Scene(model, width=100, height=30)).board)
    first = words("renaissance.next_now")[:6]
    place = locations(model.view)[model.view.counters["scored"]]
    verdict = culture_outcome(model.view, place, 0)
    assert first in text and words("renaissance.win", number=verdict.mine - verdict.theirs) in text


def in_a_scoring_soon() -> PracticePort:
    """I have filled the blue spaces of an event, and win with what I have."""

    def is_there(news: TableChanged) -> bool:
        view = news.view
        if view.phase != "act" or view.counters["scored"] < 0 or view.counters["scored.color"]:
            return False
        outcome = culture_outcome(view, locations(view)[view.counters["scored"]], 0)
        return view.counters["turn"] == 0 and outcome.mine > outcome.theirs

    ports = (a_port(seed).play_until(is_there) for seed in range(20))
    return next(port for port in ports if is_there(port.news()))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_genius_marker_says_how_many_cards_it_brings(code: str) -> None:
    words, asked = load(code).of("renaissance"), set[int]()
    for seed in range(4):
        model = model_of(in_phase("place", seed), code)
        for pick in model.picks:
            if pick.offer.action.verb == "genius":
                at = next(each for each in locations(model.view) if each.letter == pick.label[-2])
                color = "blue" if at.is_culture(int(pick.label[-1]) - 1) else "red"
                number = min(genius_signs(model.view, 0, color), displayed(model.view, color))
                assert pick.text == words("renaissance.genius", what=pick.label[-2:], number=number)
                asked.add(number)
    assert asked


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_a_duel_a_card_says_what_it_adds_and_the_pile_what_lies_on_top(code: str) -> None:
    """A card that could be called said what it would do to the pile."""

    def is_there(news: TableChanged) -> bool:
        texts = {offer.text.split()[0] for offer in news.view.offers}
        return news.view.phase == "duel" and {"uncover", "call"} <= texts

    ports = (a_port(seed).play_until(is_there) for seed in range(60))
    model = model_of(next(port for port in ports if is_there(port.news())), code)
    frame = draw_table(Scene(model, width=120, height=36))
    text, words = to_text(frame.hand), model.words
    grows = words("renaissance.to_duel", number=0, more=0).split("0")[0]
    pile = words("renaissance.to_pile", number=0, more=0).split("0")[0]
    assert grows in text and not re.search(rf"{pile}\d+ →", text)
    top = model.view.zones["seat0.persons"][-1].face or ""
    assert words("renaissance.uncover", what=words.name("face", top)) in text


def test_the_lot_of_a_series_is_told_by_its_colour_and_nothing_is_closed_before_it() -> None:
    """A replay began with `closed` on every place, and with a number that nobody had asked for."""
    port = a_port()
    told = [each.text for each in story(model_of(port))]
    assert any("series" in each for each in told)
    assert not [each for each in told if "rolled" in each]
    zones = {zone: () if zone.startswith("event.") else cards
             for zone, cards in port.news().view.zones.items()}  # fmt: skip
    news = replace(port.news(), view=replace(port.news().view, zones=zones))
    text = to_text(draw_table(Scene(view_model(load("en"), news), width=100, height=30)).board)
    assert "closed" not in text


def test_a_card_of_the_talon_is_told_once() -> None:
    """Below `ada takes from the talon` stood `ada draws 1 card`."""
    port = a_port().play(30)
    told = [each.text for each in story(model_of(port))]
    assert any("takes from the talon" in each for each in told)
    assert not [each for each in told if "draws 1 card" in each]


def _returned_twice(news: TableChanged) -> list[int]:
    """The events in which a seat gets stones back, its genius marker, and stones again."""
    told = Counter((line.entry, line.seat) for line in news.lines if line.text == "returned")
    return [entry for (entry, _), count in told.items() if count > 1]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_stones_that_a_seat_gets_back_are_told_once(code: str) -> None:
    """With a genius marker between them, `grace gets 1 stone back` stood there once more."""
    port = PracticePort(seed=1, players=3, game=find_game("renaissance")).begin()
    port.play_until(lambda news: bool(_returned_twice(news)))
    words, news = load(code), port.news()
    entry = _returned_twice(news)[0]
    lines = [line for line in news.lines if line.entry == entry]
    back = Counter[int | None]()
    for line in lines:
        back[line.seat] += line.number * (line.text == "returned")
    heard = [each.text for each in told(view_model(words, news), lines)]
    names = [seat.name for seat in news.seats]
    key = "fact.renaissance.returned"
    said = [words.of("renaissance").count(key, number, name=names[seat or 0])
            for seat, number in back.items() if number]  # fmt: skip
    assert [each for each in heard if each in said] == said
    assert len(heard) == len(lines) - 1


@pytest.mark.parametrize("number", [1, 2])
def test_in_korean_a_duel_is_headed_as_a_scoring_of_culture_is(number: int) -> None:
    """`스톤 1개를 건 인물 점수` read as points that somebody had bet."""
    words = load("ko").of("renaissance")
    assert words("fact.renaissance.culture", what="X") == "문화 점수 계산: X"
    duel = words.count("fact.renaissance.duel", number, what="X")
    assert duel == f"인물 점수 계산, 상금 스톤 {number}개: X"


@pytest.mark.parametrize("phase", ["name", "duel"])
def test_in_a_scoring_my_number_stands_first_also_in_the_turn_of_another(phase: str) -> None:
    """`tom: Fin 0   You: Sci 2`, though everything else compares mine to theirs."""

    def is_there(news: TableChanged) -> bool:
        view = news.view
        asked = view.phase == phase and view.counters["turn"] != 0 == view.counters["other"]
        return asked and bool(view.offers)

    ports = (a_port(seed).play_until(is_there) for seed in range(20))
    model = model_of(next(port for port in ports if is_there(port.news())))
    place = locations(model.view)[model.view.counters["scored"]]
    rows = notes_of(Scene(model), place, [""] * 6, 60, 2)
    other = model.seats[model.view.counters["turn"]].name
    row = to_text(rows[:1])
    assert 0 <= row.index(model.words("board.you")) < row.index(other)


def test_the_first_line_counts_one_event_that_is_left_as_any_number() -> None:
    """`1 more events` stood there."""
    words = load("en").of("renaissance")
    status = words("renaissance.status", number=3, all=9, left=1, series="X")
    assert "events left 1" in status.split(" · ")


def test_in_the_lines_of_a_narrow_screen_nobody_changes_places_with_another() -> None:
    """By stones, as they stood there, whoever placed one changed places with another."""
    port = a_port().play_until(lambda news: sum(_stones(news)[0]) < sum(_stones(news)[1]))
    scene = Scene(model_of(port), width=80, height=24)
    stones = [sum(each) for each in _stones(port.news())]
    assert stones != sorted(stones, reverse=True)
    text = to_text(seat_lines(scene, 80, 4))
    names = [scene.name_of(seat) for seat in range(len(stones))]
    assert sorted(names, key=text.index) == names


def _stones(news: TableChanged) -> list[list[int]]:
    view = news.view
    return [[view.counters[f"seat{seat}.stones.{color}"] for color in STONES]
            for seat in range(view.players)]  # fmt: skip
