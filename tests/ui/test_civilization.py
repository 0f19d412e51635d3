"""Civilization on the screen and in lines: its words, its map, its windows."""

from __future__ import annotations

import re

import pytest

from core.games.civilization import GAME
from core.games.civilization.faces import (
    CIV_KEYS,
    EVENT_KEYS,
    PERSON_KEYS,
    TECH_KEYS,
    WONDER_KEYS,
)
from core.games.civilization.figures import set_figure
from core.games.civilization.frames import ASKED_KINDS
from core.games.civilization.layout import ARMIES, CITY_AT, FIGURE, GROUND
from core.games.civilization.printed import GOVERNMENTS
from core.games.civilization.rules import VERBS
from core.games.civilization.wealth import trade_income
from core.narrate import Line
from core.requests import Fact, Over
from core.testing.worlds import BlindGame
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort, some_seats
from tests.ui.test_draw import CROWDS, SIZES, every_drawing, is_whole
from ui.draw.choices import labels_in
from ui.draw.frame import draw_table
from ui.draw.marks import CAP
from ui.draw.panels import ABOUT, SEE
from ui.draw.scene import Scene
from ui.draw.texts import draw_card
from ui.games.civilization import LOOK
from ui.games.civilization.labels import squares_of
from ui.games.civilization.map import SIZES as MAP_SIZES
from ui.games.civilization.map import Sheet, draw_map, mark_letter, owner_of, square_rows
from ui.games.civilization.position import figures_on, square_name, square_of, table_of
from ui.games.civilization.squares import about
from ui.games.civilization.standings import goods_rows, track_text
from ui.games.civilization.words import say
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.result import result
from ui.model.sentences import line_sentence, move_sentence, offer_sentence
from ui.model.several import typed_answers
from ui.model.story import story
from ui.model.view_model import ViewModel, view_model
from ui.plain.table_lines import offer_lines, question_lines, table_lines
from ui.terminal.spans import row_width, to_text

_CODE = re.compile(r"[a-z]+_[a-z]+|seat\d|\b\d+\.\d+\b|[{}]")
_LATIN = re.compile(r"[a-z]{4,}")


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_verb_and_every_question_has_a_sentence(language: str) -> None:
    words = load(language)
    for kind, verbs in VERBS.items():
        assert words.has(f"phase.civilization.{ASKED_KINDS[kind]}")
        for verb in verbs:
            assert words.has(f"offer.civilization.{verb}"), (ASKED_KINDS[kind], verb)
            assert words.has(f"line.civilization.{verb}"), (ASKED_KINDS[kind], verb)


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
        ("target seat1.army 5.7", "choose grace: army i8"),
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


def test_in_a_battle_and_for_loot_nobody_is_told_that_the_phase_ends() -> None:
    words, seats = load("en"), some_seats(3)
    said = {
        phase: offer_sentence(words, seats, "end", "civilization", phase)
        for phase in ("move", "fight", "loot", "guarding")
    }
    assert said == {"move": "end this phase", "fight": "go on", "loot": "take no more",
                    "guarding": "go on"}  # fmt: skip
    assert move_sentence(words, seats, 0, "end", "civilization") == "ada is done"


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


@pytest.mark.parametrize(("language", "players"), CROWDS)
def test_every_pick_has_a_key_on_the_screen_and_nothing_is_too_wide(
    language: str, players: int
) -> None:
    port = a_port(players=players)
    for _ in range(12):
        model = model_of(port.play(9), language)
        labels = [pick.label for pick in model.picks]
        assert len(labels) == len(set(labels))
        for size in SIZES:
            rows = every_drawing(model, size)
            assert [row for row in rows if row_width(row) > size[0]] == []
            assert is_whole(model, size)
        rows = every_drawing(model, (200, 50))
        assert set(labels) <= labels_in(rows)


def test_the_screen_shows_no_code_in_another_language() -> None:
    port = a_port(players=4, turns=30)
    for _ in range(10):
        model = model_of(port.play(40), "ko")
        text = to_text(every_drawing(model, (120, 36)))
        for name in ("ada", "grace", "alan", "edsger", "esc", "enter"):
            text = text.replace(name, "")
        assert not _LATIN.findall(text)


def test_a_square_has_the_same_name_on_the_map_and_in_words() -> None:
    port = a_port().play_until(lambda news: news.view.phase == "moving")
    model = model_of(port)
    for pick in model.picks:
        verb, *rest = pick.offer.text.split()
        if verb in ("go", "via"):
            assert pick.label.removeprefix("v") == square_name(square_of(rest[0]))
            assert square_name(square_of(rest[0])) in pick.text


def test_what_the_screen_says_of_a_city_is_what_the_rules_say() -> None:
    port = a_port().play_until(lambda news: news.view.phase == "city")
    table = table_of(port.news().view)
    assert table.counters == port.table.counters
    assert [trade_income(table, seat) for seat in range(3)] == [
        trade_income(port.table, seat) for seat in range(3)
    ]


def test_choices_in_words_are_grouped_and_a_deal_is_typed_in_one_line() -> None:
    port = a_port(seed=1).play_until(lambda news: news.view.phase == "deal")
    model = model_of(port)
    lines = offer_lines(model)
    assert len(lines) <= 14 < len(model.view.offers)
    offer = model.view.offers[0]
    verb, kind, amount = offer.text.split()
    assert typed_answers(model, f"{verb}  {kind} {amount}, {offer.text}")[-1] == "done"
    assert typed_answers(model, f"{verb} {kind} 999") == ()


def test_a_click_on_the_map_says_what_lies_there() -> None:
    model = model_of(a_port().play(40))
    capital = table_of(model.view).counters[CITY_AT[0]] - 1
    said = about(model, str(capital))
    assert said.startswith(square_name(capital)) and "capital of ada" in said
    assert "Bread" not in about(model, "tech.writing")


def reached_by_clicks(model: ViewModel, size: tuple[int, int]) -> set[str]:
    """The labels that can be clicked, also after clicks on the edges of lists that go on."""
    found: set[str] = set()
    to_try, tried = {""}, set[str]()
    while to_try:
        tried.add(picked := to_try.pop())
        frame = draw_table(Scene(model, (picked,) if picked else (), "", *size))
        hot = labels_in([*frame.board, *frame.prompt, *frame.hand, *frame.side])
        found |= hot
        to_try |= {label.removeprefix(SEE) for label in hot if label.startswith(SEE)} - tried
    return found


@pytest.mark.parametrize("size", SIZES)
def test_every_choice_is_reached_by_clicks_alone(size: tuple[int, int]) -> None:
    port = PracticePort(seed=0, game=GAME).begin()
    for _ in range(40):
        model = model_of(port)
        assert {pick.label for pick in model.picks} <= reached_by_clicks(model, size)
        port.play(3)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_card_technology_and_government_says_what_it_does(language: str) -> None:
    words = load(language)
    keys = [*EVENT_KEYS, *WONDER_KEYS, *PERSON_KEYS, *(f"tech.{key}" for key in TECH_KEYS)]
    keys += [*(f"gov.{key}" for key in GOVERNMENTS), *(f"civ.{key}" for key in CIV_KEYS)]
    assert all(words.has(f"text.civilization.{key}") for key in keys)


def test_a_card_that_cannot_be_played_says_when_it_can() -> None:
    view = a_port().news().view
    for key in (*EVENT_KEYS, "hut.silk", "infantry.2"):
        for language in LANGUAGE_NAMES:
            assert load(language).has(LOOK.why_not(view, key))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_rules_are_told_in_the_language_with_every_card(language: str) -> None:
    words = load(language)
    assert LOOK.rules is not None
    text = LOOK.rules(words)
    assert all(f"## {chapter} " in text for chapter in range(8))
    for key in TECH_KEYS:
        assert words(f"civilization.tech.{key}") in text
    assert not _CODE.search(text)


def test_a_game_without_a_winner_is_not_said_to_be_shared() -> None:
    model = model_of(a_port(turns=6).play(2000))
    assert model.view.is_over
    if model.view.counters["winner"] < 0:
        assert result(model) == "Nobody has won"


@pytest.mark.parametrize(
    ("fact", "english"),
    [
        (Fact("turn", 1, (), 4), "Turn 4: grace is first"),
        (Fact("moved 5.7 5.8 2+1", 0, (), 3), "ada moves: 2 armies, 1 scout i8 → i9"),
        (Fact("learned democracy", 2), "alan learns Democracy"),
        (Fact("governed democracy", 2), "alan's government: Democracy"),
        (Fact("battle 4.6", 1, other=0), "ada attacks grace at g7"),
        (Fact("battle 4.6", 0), "ada attacks the natives at g7"),
        (Fact("defeat 4.6 1", 1, (), 8, 0), "ada wins the battle at g7, 8 to 1"),
        (Fact("defeat 4.6 1", 1, (), 8), "The natives win the battle at g7, 8 to 1"),
        (Fact("victory 4.6 0", 0, (), 8), "ada beats the natives at g7, 8 to 0"),
        (Fact("coin code_of_laws", 0, (), 1), "ada: +1 coin Code of Laws"),
        (Fact("fallen", 1), "Killed:  of grace"),
        (Fact("fallen"), "Killed:  of the natives"),
    ],
)
def test_what_followed_is_a_sentence(fact: Fact, english: str) -> None:
    line = Line(4, "told", fact.seat, fact=fact)
    for code in LANGUAGE_NAMES:
        told = line_sentence(load(code), some_seats(3), line, "civilization")
        assert not _CODE.search(told)
        assert code != "en" or told == english


def test_a_question_in_words_is_short_and_the_keys_of_the_screen_may_be_typed() -> None:
    port = a_port().play_until(lambda news: news.view.phase == "moving")
    model = model_of(port)
    assert len(question_lines(model)) < 14 < len(table_lines(model))
    for pick in model.picks:
        if pick.offer.action.verb in ("go", "via"):
            assert typed_answers(model, pick.label) == (pick.offer.text,)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_page_of_texts_names_every_card(language: str) -> None:
    model = model_of(a_port(), language)
    for face in LOOK.readable:
        name, text, *_ = to_text(draw_card(model, face, 60)).splitlines()
        assert text.strip() and "." not in name


def test_nobody_has_the_star_of_a_winner_where_nobody_has_won() -> None:
    model = model_of(a_port(turns=6).play_until(lambda news: news.view.is_over))
    assert model.view.counters["winner"] < 0
    assert not any(seat.has_won for seat in model.seats)
    assert not any("wins" in each.text for each in story(model))


def test_a_key_stands_in_one_line_with_the_technology_that_it_is_for() -> None:
    port = a_port().play_until(lambda news: news.view.phase == "research")
    model = model_of(port)
    lines = to_text(every_drawing(model, (80, 24))).splitlines()
    learned = [pick for pick in model.picks if pick.offer.action.verb == "learn"]
    assert learned
    for pick in learned:
        what = model.words(f"civilization.tech.{pick.offer.text.split()[1]}")
        assert any(f" {pick.label}  {what}" in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_no_heading_of_what_everybody_has_touches_the_one_beside_it(language: str) -> None:
    words = load(language)
    model = view_model(words, PracticePort(seed=3, players=3, game=GAME).begin().news())
    scene = Scene(model, (), "", 120, 36)
    kept = ("trade", "culture_have", "units", "events")
    heads = [words(f"civilization.short.{key}") for key in kept]
    shown = to_text(goods_rows(scene, table_of(model.view), 32)).splitlines()[0]
    assert len(shown.split()) == len(heads)
    for head, seen in zip(heads, shown.split(), strict=True):
        assert head.startswith(seen.rstrip(".")), "where there is no room it is cut, with a dot"


def test_a_square_of_the_map_has_one_ground_from_edge_to_edge() -> None:
    model = model_of(a_port(seed=3).play(9))
    table, scene = table_of(model.view), Scene(model)
    spots = {square for pick in model.picks for square in squares_of(pick.offer)}
    for size in MAP_SIZES:
        for square in range(16 * 16):
            if table.counters[GROUND + square] and square not in spots:
                rows = square_rows(Sheet(scene, table, size, {}, -1, {}), square)
                assert all(row_width(row) == size.across for row in rows)
                grounds = {span.style.partition(" on ")[2] for row in rows for span in row}
                assert len(grounds) == 1 and "" not in grounds


def test_whose_something_is_on_the_map_is_said_by_a_letter_in_every_size() -> None:
    model = model_of(a_port(seed=3, turns=30).play(200))
    table, scene = table_of(model.view), Scene(model)
    for size in MAP_SIZES:
        for square in range(16 * 16):
            people = figures_on(table, square)
            owner = people[0][0] if people else owner_of(table, square)
            if people or (owner >= 0 and mark_letter(table, square)):
                rows = square_rows(Sheet(scene, table, size, {}, -1, {}), square)
                assert "abcd"[owner] in to_text(rows).lower()


def test_armies_with_scouts_on_a_small_map_are_no_building() -> None:
    """`Bb` was a bank of b, and two armies of b with scouts."""
    model = model_of(a_port(seed=3, turns=30).play(60))
    table, scene = table_of(model.view), Scene(model)
    square = table.counters[FIGURE[1]] - 1
    for at in (0, 1, ARMIES):
        set_figure(table, 1, at, square)
    rows = square_rows(Sheet(scene, table, MAP_SIZES[-1], {}, -1, {}), square)
    assert to_text(rows) in ("2B", "3B")


def test_a_deal_is_proposed_and_anything_else_that_is_done_is_all() -> None:
    words, seats = load("en"), some_seats(3)
    said = [offer_sentence(words, seats, "done", "civilization", at) for at in ("deal", "wound")]
    assert said == ["propose this deal", "that is all"]


def test_the_end_of_each_way_to_win_stands_with_how_far_one_is() -> None:
    """At 120 x 36 there was `4` without the 21 that it takes."""
    model = model_of(a_port().play(40))
    frame = draw_table(Scene(model, width=120, height=36))
    text = to_text(frame.side)
    assert all(end in text for end in ("/21", "/5", "/15"))


def test_a_step_of_the_track_that_takes_no_trade_does_not_say_so() -> None:
    model = model_of(a_port().play(9))
    assert "0 trade" not in track_text(Scene(model), table_of(model.view))


def test_what_can_be_chosen_on_the_map_is_filled_and_nothing_else_from_edge_to_edge() -> None:
    model = next(
        model
        for turns in range(400)
        if (model := model_of(a_port(seed=3, turns=30).play(turns))).view.phase == "move"
    )
    for size in MAP_SIZES:
        filled: dict[str, set[bool]] = {}
        for row in draw_map(Scene(model), table_of(model.view), size, 40):
            for span in row:
                if span.hot:
                    filled.setdefault(span.hot, set()).add("reverse" in span.style)
        assert any(not hot.startswith(ABOUT) for hot in filled)
        for hot, styles in filled.items():
            assert True in styles if not hot.startswith(ABOUT) else False in styles, (size, hot)


def test_the_cursor_on_the_map_is_found_by_its_letter_and_its_number() -> None:
    model = model_of(PracticePort(seed=3, players=3, game=GAME).begin())
    pick = model.picks[0]
    scene = Scene(model, (pick.label,))
    rows = draw_map(scene, table_of(model.view), MAP_SIZES[-1], 20)
    filled = ["".join(span.text for span in row if span.style == CAP).strip() for row in rows]
    name = square_name(squares_of(pick.offer)[0])
    assert filled[0] == name[0] and filled[int(name[1:])].startswith(name[1:])


def test_a_spectator_at_a_broad_table_sees_what_everybody_knows() -> None:
    port = a_port(seed=3).play(90)
    text = to_text(every_drawing(view_model(load("en"), port.looked_on()), (200, 50)))
    assert all(f"TECHNOLOGIES of {name}" in text for name in ("ada", "grace", "alan"))


def test_who_changes_a_table_of_a_view_changes_no_other_of_it() -> None:
    view = a_port().news().view
    table = table_of(view)
    table.counters[GROUND] += 1
    table.zones[0].append(0)
    again = table_of(view)
    assert again.counters == list(view.counters.values())
    assert len(again.zones[0]) == len(table.zones[0]) - 1
