"""A game that the screens know nothing of: gin rummy, brought along by another package.

Without a line of screen code all that a player may see is there by its own name, and nothing of
another game; with a look of twenty lines it reads as a card game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2p.session.news import TableChanged
from scripts.bench.hearts import GAME as HEARTS
from scripts.bench.hearts import PLAYED, POINTS
from tests.gin_rummy import DECK, DISCARDS, FACES, GIN_RUMMY, hand, scores
from tests.packages import Announce, announcing
from tests.ui.driving import an_app, at_table, my_chosen, port_of, settled, text_of, whole_text
from tests.ui.fakes import NAMES as PEOPLE
from tests.ui.fakes import PracticePort, ui
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.filling import told_terms
from ui.model.view_model import ViewModel, view_model
from ui.model.zones import numbers_text
from ui.plain.table_lines import offer_lines, table_lines
from ui.port import Learn
from ui.screens.opening import questions_for
from ui.terminal.spans import to_text

SIZES = [(80, 24), (120, 36)]
RULES = "from tests.gin_rummy import GIN_RUMMY as GAME\n"
LOOK = """
from dataclasses import replace
from ui.look import PLAIN, FaceLook

COLORS = {"s": "", "h": "bright_red", "c": "bright_green", "d": "bright_yellow"}

LOOK = replace(
    PLAIN,
    faces=tuple(
        FaceLook(f"{suit}{rank}", suit, color)
        for suit, color in COLORS.items()
        for rank in range(1, 14)
    ),
)
"""
SIGNS = {"s": "♠", "h": "♥", "c": "♣", "d": "♦"}
RANKS = {"1": "A", "11": "J", "12": "Q", "13": "K"}
BY_SUIT = [f"{suit}{rank}" for suit in SIGNS for rank in range(1, 14)]
NAMES = {face: RANKS.get(face[1:], face[1:]) + SIGNS[face[0]] for face in FACES}
WORDS = "\n".join(
    [
        '[game]\ngin_rummy = "Gin Rummy"',
        '[term]\ndiscards = "Discards"',
        '[offer]\ndraw = "draw from the deck"\ntake = "take the last discard"',
        'knock = "knock {what}"',
        '[line]\ndraw = "{name} draws"\nknock = "{name} knocks with {what}"',
        '[ask]\ndraw = "draw, or take the last discard"',
        "[face]",
        *(f'{face} = "{name}"' for face, name in NAMES.items()),
    ]
)


@pytest.fixture
def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Announce]:
    """Installs a package with these files that announces a game."""
    with announcing(tmp_path, monkeypatch) as install:
        yield install


@pytest.fixture
def undrawn(announce: Announce) -> None:
    """Gin rummy is installed, as its rules and nothing else."""
    assert announce(init=RULES) == []


@pytest.fixture
def drawn(announce: Announce) -> None:
    """Gin rummy is installed, with a look of twenty lines and words of its own."""
    assert len(LOOK.splitlines()) <= 20
    assert announce(init=RULES, look=LOOK, **{"locales__en.toml": WORDS}) == []


def a_port(seed: int = 3) -> PracticePort:
    return PracticePort(seed=seed, players=2, game=GIN_RUMMY)


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


def hand_rows(model: ViewModel, size: tuple[int, int]) -> str:
    return to_text(draw_table(Scene(model, (), "", *size)).hand)


def held(port: PracticePort) -> list[str]:
    """The faces of my hand, in no order that says anything."""
    observation = port.observation(port.me)
    return [FACES[observation[card]] for card in port.table.zones[hand(port.me)]]


def discards(port: PracticePort) -> list[str]:
    return [FACES[port.table.public_face(card)] for card in port.table.zones[DISCARDS]]


def is_over(news: TableChanged) -> bool:
    return news.view.is_over


# ---- without a line of screen code ----


@ui
async def test_turns_are_played_by_what_the_screen_says(undrawn: None) -> None:
    app = an_app(a_port())
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        for _ in range(4):
            assert re.search(r"a +draw +b +take", text_of(app, "hand"))
            await pilot.press("a", "enter")
            await settled(pilot)
            port, text = port_of(app), whole_text(app)
            assert f"Deck {len(port.table.zones[DECK])}" in text
            assert f"discards {len(port.table.zones[DISCARDS])}  {discards(port)[0]}" in text
            keys = dict(re.findall(r"(\d+) +([shdc]\d+)", text_of(app, "hand")))
            assert sorted(keys.values()) == sorted(held(port)) and len(keys) == 11
            await pilot.press("1", "enter")
            await settled(pilot)
            (thrown,) = my_chosen(port_of(app))[-1].action.cards
            assert FACES[port_of(app).table.public_face(thrown)] == keys["1"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_zone_stands_there_and_nothing_of_another_game(
    undrawn: None, language: str, size: tuple[int, int]
) -> None:
    port = a_port().begin().play(8)
    model = model_of(port, language)
    drawn = draw_table(Scene(model, (), "", *size))
    text = to_text(drawn.board)
    assert " ".join(discards(port)) + " ← " in text
    assert text.count("←") == 1, "nothing lies on top of a hand"
    assert "stage" not in text and "knocker" not in text, "what only steers the rules"
    said = "\n".join([*table_lines(model), *offer_lines(model)])
    faces = model.words.listed(discards(port))
    assert f"discards {len(discards(port))} ({faces})" in said
    assert "stage" not in said and "talon" not in said and all(face in said for face in held(port))


def test_a_hand_lies_in_the_order_in_which_the_game_lists_its_cards(undrawn: None) -> None:
    shown = [card.card.face or "" for card in model_of(a_port().begin().play(5)).hand]
    assert shown == sorted(shown, key=FACES.index) and len(shown) > 9


@pytest.mark.parametrize("size", SIZES)
def test_the_end_shows_all_hands_and_who_has_how_many_points(
    undrawn: None, size: tuple[int, int]
) -> None:
    port = a_port().begin().play_until(is_over)
    drawn = draw_table(Scene(model_of(port), (), "", *size))
    rows = [*drawn.board, *drawn.hand]
    for seat, points in enumerate(scores(port.table)):
        for card in port.table.zones[hand(seat)]:
            assert FACES[port.table.public_face(card)] in to_text(rows)
        assert f"{PEOPLE[seat]}: {points} points" in to_text([*drawn.board, *drawn.side])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tricks", [0, 5, 11])
def test_what_i_have_is_in_sight_however_much_lies_on_the_table(
    tricks: int, size: tuple[int, int]
) -> None:
    """Four seats with their zones, and all cards that were played: my own points were cut off."""
    port = PracticePort(seed=3, players=4, game=HEARTS).begin().play(1)
    port.play_until(lambda news: len(news.view.zones["played"]) // 4 >= tricks)
    model = model_of(port)
    drawn = draw_table(Scene(model, (), "", *size))
    rows = to_text(drawn.board).rstrip().splitlines()
    mine = next(at for at, row in enumerate(rows) if row.startswith(("─You", "┌─ You")))
    assert f"points {port.table.counters[POINTS + port.me]}" in "\n".join(rows[mine:])
    played = [HEARTS.faces[port.table.public_face(card)] for card in port.table.zones[PLAYED]]
    assert re.findall(r"\b[cdhs]\d+\b", "\n".join(rows[:mine]))[: len(played)] == played


def test_a_number_that_has_a_sentence_is_told_by_it(announce: Announce) -> None:
    """`led -1` says nothing to anybody."""
    words = '[counter]\n"_knocker" = "Knocker"\n"turn.0" = "Ada begins"\n"wind.-1" = ""'
    announce(init=RULES, **{"locales__en.toml": words})
    port = a_port().begin()
    counters = {"turn": 0, "wind": -1, "round": 3}
    news = replace(port.news(), view=replace(port.news().view, counters=counters))
    model = view_model(load("en"), news)
    assert numbers_text(model.words, news.view, None) == "Ada begins · round 3"


def test_no_style_is_asked_for_where_bots_would_play_alike_with_each(undrawn: None) -> None:
    asked = {game: questions_for(load("en"), game, 2, 1) for game in ("gin_rummy", "carta")}
    has_style = {game: "style" in [each.key for each in keys] for game, keys in asked.items()}
    assert has_style == {"gin_rummy": False, "carta": True}


@pytest.mark.parametrize("size", SIZES)
def test_in_teams_my_partner_is_marked_as_such(size: tuple[int, int]) -> None:
    pairs = replace(HEARTS, team=lambda table, seat: seat % 2)
    port = PracticePort(seed=3, players=4, game=pairs).begin()
    model, partner = model_of(port), PEOPLE[(port.me + 2) % 4]
    told = [to_text(draw_table(Scene(model, (), "", *size)).board), *table_lines(model)]
    for text in (told[0], "\n".join(told[1:])):
        assert f"{partner} (partner" in text and text.count("partner") == 1


def test_what_a_table_agrees_on_is_told_in_the_words_of_its_game(announce: Announce) -> None:
    """Of three rounds or two the second were two: as in a card of Dominion."""
    options = "GAME = replace(GAME, options=(Option('rounds', (3, 2)),))"
    imports = "from dataclasses import replace\nfrom core.game import Option\n"
    words = '[option]\nrounds = "Rounds"'
    announce(init=f"{imports}{RULES}{options}", **{"locales__en.toml": words})
    assert told_terms(load("en"), "gin_rummy", "rounds=2") == ["Rounds: 2"]


@ui
async def test_the_lobby_promises_no_explanation_of_a_game_that_has_none(undrawn: None) -> None:
    app = an_app()
    async with app.run_test(size=(120, 44)) as pilot:
        await settled(pilot)
        rows = whole_text(app).splitlines()
        at = next(at for at, row in enumerate(rows) if "Play gin rummy against bots" in row)
        seats = " ".join(rows[at + 1 : at + 3])
        assert "2 seats" in seats and "2 to 2" not in seats and "explains" not in seats
        await pilot.press("end", "t")
        await settled(pilot)
        learned = port_of(app).sent[-1]
        assert isinstance(learned, Learn) and learned.game == "carta"


# ---- with a look of twenty lines ----


@pytest.mark.parametrize("size", SIZES)
def test_with_a_look_cards_have_signs_and_colours_and_lie_by_suit(
    drawn: None, size: tuple[int, int]
) -> None:
    port = a_port().begin().play(9)
    model = model_of(port)
    text = hand_rows(model, size)
    assert [each.card.face for each in model.hand] == sorted(held(port), key=BY_SUIT.index)
    assert all(NAMES[face] in text for face in held(port))
    spans = [span for row in draw_table(Scene(model, (), "", *size)).hand for span in row]
    hearts = [span for span in spans if "♥" in span.text]
    assert all("red" in span.style for span in hearts) and hearts
    whole = "\n".join([text, *table_lines(model), *offer_lines(model)])
    assert not re.search(r"\b[shdc]\d+\b", re.sub(r"\[.*?\]", "", whole)), "no key is left"
