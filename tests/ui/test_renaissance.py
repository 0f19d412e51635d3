"""Renaissance on the screen and in lines: events with their spaces, rows by symbol, stones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games import find_game
from core.games.renaissance.cards import SYMBOL_BITS
from core.games.renaissance.printed import EVENTS, STONES, SYMBOLS, Plan
from core.requests import Action
from p2p.session.news import TableChanged
from tests.ui.driving import (
    QUIET,
    an_app,
    at_table,
    my_chosen,
    port_of,
    shown,
    text_of,
    whole_text,
)
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_draw import SIZES, every_drawing, is_whole
from ui.draw.frame import draw_table
from ui.draw.marks import CAP
from ui.draw.scene import Scene
from ui.games.renaissance.facts import stone_text
from ui.games.renaissance.graph import _GRIDS, contents, grid_of
from ui.games.renaissance.position import culture_outcome, locations, symbol_count
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.prompt import prompt, what_to_choose
from ui.model.several import typed_answers
from ui.model.story import plain_sentences, story
from ui.model.view_model import ViewModel, view_model
from ui.plain.table_lines import offer_lines, table_lines
from ui.terminal.spans import row_width, to_text

PLAYERS = 3
BESIDE_COLUMN = 28  # Cells in the frame of an event at 100 columns.


def a_port(seed: int = 3) -> PracticePort:
    return PracticePort(seed=seed, players=PLAYERS, game=find_game("renaissance")).begin()


def in_phase(phase: str, seed: int = 3) -> PracticePort:
    """A game in which I am asked in this phase."""
    port = a_port(seed)
    return port.play_until(lambda news: news.view.phase == phase)


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


def without_path(news: TableChanged | None) -> tuple[str, str]:
    """A free space without a path to it, on an event with one for both pieces; and its letter."""
    if news is None or news.view.phase != "place":
        return "", ""
    offers = {offer.text for offer in news.view.offers}
    for place in locations(news.view):
        free = [f"{place.letter}.{at + 1}" for at, piece in enumerate(place.pieces) if not piece]
        shut = [spot for spot in free if f"place {spot}" not in offers]
        if shut and any(f"genius {spot}" in offers and f"place {spot}" in offers for spot in free):
            return shut[0].replace(".", ""), place.letter
    return "", ""


def is_without_path(news: TableChanged) -> bool:
    return bool(without_path(news)[0])


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("phase", ["place", "act", "name", "duel"])
def test_every_pick_is_drawn_at_every_size_and_nothing_is_too_wide(
    language: str, players: int, phase: str
) -> None:
    port = PracticePort(seed=3, players=players, game=find_game("renaissance")).begin()
    model = model_of(port.play_until(lambda news: news.view.phase == phase), language)
    for size in SIZES:
        rows = every_drawing(model, size)
        assert [row for row in rows if row_width(row) > size[0]] == []
        assert is_whole(model, size)
        drawn = {label for row in rows for span in row for label in span.hot.split(",")}
        wanted = {pick.label.removeprefix("g") for pick in model.picks}
        assert size == (60, 16) or wanted <= {label.removeprefix("g") for label in drawn}


def test_a_space_is_picked_by_its_event_and_number_and_g_changes_the_piece() -> None:
    model = model_of(in_phase("place"))
    for pick in model.picks:
        verb, _, spot = pick.offer.text.partition(" ")
        if verb in ("place", "genius"):
            assert pick.label == "g" * (verb == "genius") + spot.replace(".", "")


@pytest.mark.parametrize("plan", [event.plan for event in EVENTS])
def test_every_space_of_every_card_and_every_path_is_drawn(plan: Plan) -> None:
    assert plan.paths in _GRIDS, "a grid of its own, so that no path crosses another"
    grid = grid_of(plan)
    assert len(set(grid)) == len(plan.spaces)
    for one, other in plan.paths:
        (x, y), (u, v) = grid[one], grid[other]
        between = [cell for cell in grid if y == v == cell[1] and min(x, u) < cell[0] < max(x, u)]
        assert not between, "a path that runs through a space would say something else"


def test_what_a_stone_would_do_is_said_before_it_is_placed() -> None:
    """The scoring that follows gives what was said, where nobody has anything to decide."""
    model = model_of(in_phase("place"))
    place = next(each for each in locations(model.view) if each.filled_by(0) or each.event)
    assert place.event is not None
    for color in "BR":
        spaces = place.spaces_of(color)
        filled = place._replace(
            pieces=tuple(0 if at == spaces[0] else 2 for at in range(len(place.pieces)))
        )
        assert filled.filled_by(spaces[0]) == color
    outcome = culture_outcome(model.view, place._replace(pieces=(2,) * 2), 0)
    best = max(symbol_count(model.view, 0, SYMBOLS.index(symbol)) for symbol in place.event.symbols)
    assert outcome.mine == best and outcome.other == 1


def test_rows_are_counted_by_symbol_and_stones_by_whose_they_are() -> None:
    model = model_of(in_phase("act"))
    for seat in model.seats:
        faces = [pile.face for pile in seat.piles]
        assert faces[:5] == ["science", "architecture", "finance", "exploration", "religion"]
        counters = model.view.counters
        stones = sum(
            counters[f"seat{seat.seat}.stones.{color}"]
            for color in ("yellow", "red", "black", "white")
        )
        assert sum(map(int, stone_text(Scene(model), seat.seat).split("+"))) == stones


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_no_key_of_the_game_is_shown_for_want_of_a_name(language: str) -> None:
    words, port = load(language), a_port()
    for _ in range(60):
        news: TableChanged = port.news()
        if news.view.is_over:
            break
        model = view_model(words, news)
        sentences = [*plain_sentences(story(model)), *(pick.text for pick in model.picks)]
        assert not [each for each in sentences if "culture." in each or "person." in each]
        assert words.has(f"phase.renaissance.{news.view.phase}")
        port.play(1)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("phase", ["place", "act", "name", "duel"])
def test_lines_of_text_tell_the_table_in_words(code: str, phase: str) -> None:
    """They were letters and signs of the board: `Y7 *`, `SAF, 1 dice`, `B1=Y* R4`."""
    model = model_of(in_phase(phase), code)
    lines = table_lines(model)
    assert all(cell_len(line) < 400 for line in lines)
    text = "\n".join(lines)
    assert not re.search(r"\b[BR]\d|=|\b[YRKW]\d|#|\*", text), text
    words, places = model.words, locations(model.view)
    for place in (each for each in places if each.event is not None):
        line = next(each for each in lines if words.name("face", place.face) in each)
        assert line.count(f" {words('told.free')}") == place.pieces.count(0)
        for symbol in place.event.symbols if place.event else ():
            assert words.name("face", symbol) in line
    for seat, line in zip((*model.others, model.mine), lines, strict=False):
        assert seat is not None and line.startswith(seat.name)
        stones = sum(model.view.counters[f"seat{seat.seat}.stones.{each}"] for each in STONES)
        assert words.count("end.renaissance.points", stones) in line


def test_in_lines_of_text_spaces_stand_together_and_are_typed_as_on_the_screen() -> None:
    """Thirty-two choices were thirty-two lines, and the genius marker came first."""
    model = model_of(in_phase("place"))
    verbs = {offer.action.verb for offer in model.view.offers}
    assert len(offer_lines(model)) == len(verbs)
    for pick in model.picks:
        assert typed_answers(model, pick.label) == (pick.offer.text,)


@ui
async def test_a_letter_on_an_event_and_enter_place_a_stone() -> None:
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "place")
        assert screen.model is not None
        pick = next(each for each in screen.model.picks if each.offer.action.verb == "place")
        await pilot.press(*pick.label)
        assert screen.picked == pick.label
        await pilot.press("g")
        assert screen.picked == f"g{pick.label}"
        await pilot.press("g", "enter")
        assert my_chosen(port_of(app))[-1].action == pick.offer.action


@ui
async def test_g_and_a_letter_go_on_showing_where_the_genius_marker_may_go() -> None:
    """The stars went with the letter, and a space without a path was no key of anything."""
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot, is_without_path)
        spot, letter = without_path(screen.newest)
        stars = text_of(app, "board").count("★")
        await pilot.press("g", letter)
        assert text_of(app, "board").count("★") > stars
        await pilot.press(spot[1])
        await shown(pilot, f"{spot} of ")
        await pilot.press("escape", "g", "g")
        assert screen.typed == "" and text_of(app, "board").count("★") == stars


@ui
async def test_the_letter_of_an_event_that_is_closed_to_me_says_who_may_place_there() -> None:
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "place")
        await pilot.press("c")
        await shown(pilot, "Only grace and alan")
        assert not screen.picked


@ui
async def test_the_letter_of_an_answer_begins_no_label_of_the_next_question() -> None:
    """The event of that letter had the frame of what is chosen, a turn later."""
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "act")
        await pilot.press("a", "enter")
        assert my_chosen(port_of(app)) and screen.typed == ""


@ui
async def test_the_first_arrow_picks_a_stone_and_after_a_letter_one_on_that_event() -> None:
    """It picked the genius marker, of which there is one, and forgot the letter."""
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "place")
        assert screen.model is not None
        await pilot.press("right")
        assert screen.picked == screen.model.picks[0].label == "a1"
        letter = screen.model.picks[-1].label.removeprefix("g")[0]
        await pilot.press("escape", letter, "right")
        assert letter != "a" and screen.picked.startswith(letter)


@ui
async def test_an_arrow_after_the_letter_of_a_question_that_has_gone_goes_on() -> None:
    """The program ended: no label of the next question began with what was typed."""
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "place")
        await pilot.press("d")
        assert screen.typed == "d"
        port_of(app).play_until(lambda news: news.view.phase == "act")
        app.publish(port_of(app).news())
        await pilot.pause()
        screen.typed = "d0"
        await pilot.press("right")
        assert screen.model is not None and screen.model.pick(screen.picked)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_bar_says_how_a_space_is_typed_and_which_key_changes_the_piece(code: str) -> None:
    scene = Scene(model_of(in_phase("place"), code), width=80, height=24)
    prompt = to_text(draw_table(scene).prompt)
    assert "a1" in prompt and "g ★" in prompt


@pytest.mark.parametrize("phase", ["place", "act"])
@pytest.mark.parametrize("seed", range(4))
def test_every_space_stands_on_the_screen_beside_an_explanation(phase: str, seed: int) -> None:
    """On a usual terminal a first game showed the first row of spaces of each event alone."""
    model = model_of(in_phase(phase, seed))
    frame = draw_table(Scene(model, width=80, height=24, lesson=("word " * 44,)))
    drawn = len(re.findall(r"[(\[]( \d |★\d | [YRKW][ ★])[)\]]", to_text(frame.board)))
    assert drawn == sum(len(place.pieces) for place in locations(model.view))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whose_stones_are_counted_is_said_beside_them(code: str) -> None:
    model = model_of(in_phase("place"), code)
    line = to_text(draw_table(Scene(model, width=80, height=24)).board)
    stones = next(row for row in line.splitlines() if "Y " in row and "★" in row)
    for name in (model.words("board.you"), "grace", "alan"):
        assert name in stones


@ui
@pytest.mark.parametrize("size", [(80, 24), (120, 32), (60, 20)])
async def test_the_hand_is_on_the_screen_beside_everything_else(size: tuple[int, int]) -> None:
    app = an_app(a_port())
    async with app.run_test(size=size) as pilot:
        await at_table(pilot, lambda news: news.view.phase == "act")
        shown = whole_text(app)
        assert "YOUR TURN: two card actions" in shown and "display" in shown.lower()


def paying_port() -> PracticePort:
    """A game in which I pay with a stone that stands on an event."""
    for seed in range(200):
        port = PracticePort(seed=seed, players=2, game=find_game("renaissance")).begin()
        port.play_until(lambda news: is_paying(news))
        if is_paying(port.news()):
            return port
    raise AssertionError("no game came to that")


def is_paying(news: TableChanged) -> bool:
    verbs = {offer.action.verb for offer in news.view.offers}
    return news.view.phase == "pay" and verbs == {"lift"}


def test_a_stone_to_pay_with_shows_its_colour_and_its_key() -> None:
    """It showed its colour only, and the bar asked for a key that stood nowhere."""
    model = model_of(paying_port())
    label = model.picks[0].label
    place = next(each for each in locations(model.view) if each.letter == label[0])
    space = int(label[1:]) - 1
    colour, number, sign = contents(place, space, label)
    assert [colour.text + sign.text] == [contents(place, space, "")[0].text[1:]]
    assert (number.text, number.style) == (label[1:], CAP)


def test_who_pays_is_not_told_what_a_stone_on_a_free_space_would_do() -> None:
    model = model_of(paying_port())
    text = to_text(draw_table(Scene(model, (), "", 120, 36)).board)
    assert "fills" not in text


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_is_free_on_an_empty_event_is_whole_on_the_narrowest_terminal(code: str) -> None:
    words = load(code).of("renaissance")
    port = PracticePort(seed=1, players=2, game=find_game("renaissance")).begin()
    port.play_until(lambda news: news.view.phase == "place" and bool(news.view.offers))
    board = to_text(
        draw_table(Scene(view_model(load(code), port.news()), width=80, height=24)).board
    )
    frees = [f"[ ] {words('renaissance.free', number=number)}" for number in range(1, 10)]
    count = board.count(words("renaissance.any_space"))
    assert 0 < count == sum(board.count(each) for each in frees)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("key", ["not_beside", "two_there"])
def test_that_an_event_is_closed_is_whole_beside_the_column(code: str, key: str) -> None:
    """`closed to y…` it ended, at 100 x 30."""
    assert cell_len(load(code).of("renaissance")(f"renaissance.{key}")) <= BESIDE_COLUMN


def test_the_log_counts_stones_at_the_end_as_the_result_does() -> None:
    """`lou: 14 points` stood in the log, beside a table that says stones."""
    model = model_of(a_port().play(100_000))
    told = "\n".join(plain_sentences(story(model)))
    assert model.view.is_over and "stones" in told.splitlines()[-2]
    assert not re.search(r"\bpoints?\b", told)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_has_no_piece_left_is_asked_for_one_to_move(code: str) -> None:
    """`place a stone or your genius marker` it said to whoever had neither."""
    model = model_of(in_phase("place"), code)
    offer = model.view.offers[0]
    lifts = tuple(
        replace(offer, action=offer.action._replace(verb=verb)) for verb in ("lift", "pass")
    )
    asked = what_to_choose(model.words, replace(model.view, offers=lifts))
    assert asked == load(code).of("renaissance")("phase.renaissance.lift")


def test_a_duel_in_the_turn_of_another_is_not_called_mine() -> None:
    port = a_port()
    port.play_until(
        lambda news: news.view.phase == "duel" and news.view.counters["turn"] != news.view.seat
    )
    said = prompt(model_of(port))
    assert said.startswith("YOUR CHOICE: a duel") and said.endswith("'s turn")


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_the_prize_of_every_event_is_whole_on_the_narrowest_terminal(code: str, seed: int) -> None:
    words = load(code).of("renaissance")
    port = PracticePort(seed=seed, players=2, game=find_game("renaissance")).begin()
    model = view_model(load(code), port.news())
    board = to_text(draw_table(Scene(model, width=80, height=24)).board)
    stakes = Counter(each.stake for each in locations(model.view) if each.event is not None)
    for stake, count in stakes.items():
        assert board.count(f" {words('renaissance.stake', number=stake)} ") >= count


def laid_on_two_symbols(port: PracticePort) -> list[tuple[Action, int]]:
    """Cards of one symbol that may be laid on a row of two, with the symbol that is lost."""
    found, seen = [], port.news().view
    for offer in seen.offers:
        is_laid = offer.action.verb == "lay"
        face = port.observation(port.me)[offer.action.cards[0]] if is_laid else 0
        bits = SYMBOL_BITS[face] if is_laid else 0
        for row in range(1, len(SYMBOLS) + 1):
            row_bits = seen.counters[f"seat{seen.seat}.row{row}.symbols"]
            if bits.bit_count() == 1 and bits & row_bits and row_bits ^ bits:
                found.append((offer.action, (row_bits ^ bits).bit_length() - 1))
    return found


def has_come_to(port: PracticePort, found: Callable[[PracticePort], object]) -> bool:
    """Play until there is something; whether the game has come to it."""
    port.play_until(lambda _: bool(found(port)))
    return bool(found(port))


def test_a_card_says_which_symbol_of_a_row_no_longer_counts_once_it_is_laid() -> None:
    """It said what grows alone: whoever covered a card of two symbols lost one unawares."""
    ports = map(a_port, range(100))
    port = next(port for port in ports if has_come_to(port, laid_on_two_symbols))
    action, lost = laid_on_two_symbols(port)[0]
    news, model = port.news(), model_of(port)
    seat = news.view.seat
    assert seat is not None
    count = symbol_count(news.view, seat, lost)
    assert count
    name = model.words.name("face", SYMBOLS[lost])
    assert f"{name} {count} → 0" in to_text(draw_table(Scene(model, width=120, height=36)).hand)
    port.answer(action)
    assert symbol_count(port.news().view, seat, lost) == 0
