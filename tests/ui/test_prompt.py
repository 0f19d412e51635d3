"""The prompt: in every phase that asks for something, it says what."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from rich.cells import cell_len

from core.games.carta.cards import PHASES
from core.requests import Over
from core.view import View
from tests.ui.fakes import PracticePort
from tests.ui.shopping import ALL_CARDS, market
from ui.draw.frame import PROMPT_LINES_MAX, draw_prompt, draw_table
from ui.draw.scene import Scene
from ui.games import look_of
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.model.away import PRESSED
from ui.model.picks import make_picks
from ui.model.prompt import prompt, what_to_choose
from ui.model.view_model import view_model
from ui.plain.table_lines import table_lines
from ui.terminal.spans import to_text, wrap

ASKING = PHASES[PHASES.index("keep") : PHASES.index("copy") + 1]
WIDTH = 76  # Of the bar, beside its sign and margin, on the narrowest usual terminal.
SMALL = 56  # The same of the smallest one, beside the sign before it.
BESIDE_COLUMN = 60  # The same at 100 columns.
SEVERAL = {  # What can be asked for several times in a row, and how often at most.
    "phase.carta.discard hand": 5, "phase.carta.discard area": 2, "phase.carta.return": 2,
    "phase.carta.give": 20, "phase.carta.take": 2, "phase.carta.play more": 2,
    "phase.dominion.discard": 10, "phase.dominion.draft": 10,
}  # fmt: skip


def every_prompt(words: Words) -> dict[str, str]:
    """Every question of every game as the bar says it, not only those that one game meets."""
    keys = [key for key in words.sentences if key.startswith(("phase.", "ask."))]
    asked = {key: words(key, what=words("ask.discard"), number=9) for key in keys}
    asked |= {f"{key} {most}": words("ask.more", what=words(key), number=most)
              for key, most in SEVERAL.items()}  # fmt: skip
    return {key: words("table.your_turn", what=text) for key, text in asked.items()}


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("key", ["left_one", "left_many", "nobody_one", "nobody_many", "fewer",
                                 "replaced", "due", "cut_off", "at_once"])  # fmt: skip
def test_what_to_do_while_somebody_is_away_fits_in_two_rows_beside_the_column(
    code: str, key: str
) -> None:
    """`B plays on against bots for` it ended, at 100 x 30: what for was lost."""
    words = load(code)
    names = words("silence.and").join(("bert", "cleo")) if "many" in key else "Mistral"
    gaps = {"name": names, "names": names, "number": 2, "seconds": 24, **PRESSED._asdict()}
    assert len(wrap(words(f"silence.{key}", **gaps), BESIDE_COLUMN)) <= PROMPT_LINES_MAX


def test_who_comes_late_to_look_on_is_told_that_the_past_is_shown() -> None:
    """It read for ten seconds that the table waits for somebody who had played long ago."""
    news, words = PracticePort(seed=3).begin().news(), load("en")
    view = replace(news.view, seat=None, offers=(), to_act=(1,))
    assert prompt(view_model(words, replace(news, view=view))).startswith("Waiting for")
    assert prompt(view_model(words, replace(news, view=view, is_past=True))) == words("doing.past")


def test_a_bar_that_is_too_long_for_its_rows_says_so() -> None:
    news = PracticePort(seed=3).begin().news()
    seats = (news.seats[0], replace(news.seats[1], name="wilhelmina " * 9), *news.seats[2:])
    view = replace(news.view, offers=(), to_act=(1,))
    model = view_model(load("en"), replace(news, seats=seats, view=view))
    rows = draw_prompt(Scene(model), 40)
    assert len(rows) == PROMPT_LINES_MAX and to_text(rows).rstrip().endswith("…")
    short = replace(seats[1], name="wilhelmina " * 4)
    model = view_model(load("en"), replace(news, seats=(seats[0], short, *seats[2:]), view=view))
    assert "…" not in to_text(draw_prompt(Scene(model), 40))


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
def test_whatever_can_be_asked_for_fits_in_one_row_of_the_narrowest_usual_screen(code: str) -> None:
    said = every_prompt(load(code))
    assert len(said) > 90
    assert {key: text for key, text in said.items() if cell_len(text) > WIDTH} == {}


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whatever_can_be_asked_for_fits_in_the_two_rows_of_a_small_window(code: str) -> None:
    for key, text in every_prompt(load(code)).items():
        assert len(wrap(text, SMALL)) <= PROMPT_LINES_MAX, key


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_whole_games_the_prompt_always_says_what_to_choose(code: str, seed: int) -> None:
    words, phases = load(code), set()
    for players, deal in ((2, "basic"), (3, "draft"), (4, "draft")):
        port = PracticePort(seed=seed, players=players, options={"deal": deal}).begin()
        while not isinstance(port.request, Over):
            model = view_model(words, port.news())
            assert model.is_my_turn
            phases.add(model.view.phase)
            said = prompt(model)
            assert words("ask.choose") != what_to_choose(words, model.view), model.view.phase
            asked_alone = said.partition(" · ")[0]  # Who else chooses has a row of its own.
            assert cell_len(asked_alone) <= WIDTH, said
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


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_several_who_are_asked_at_once_read_who_has_chosen_and_who_has_not(code: str) -> None:
    port, words = PracticePort(seed=3, options={"deal": "draft"}).begin(), load(code)
    news, both = port.news(), words.listed(["grace", "alan"])
    assert news.view.to_act == (0, 1, 2) and words("phase.carta.keep") in prompt(
        view_model(words, news)
    )
    assert prompt(view_model(words, news)).endswith(words("table.at_once", names=both))
    some = view_model(words, replace(news, chosen=(2,)))
    one, bar = prompt(some), to_text(draw_table(Scene(some, (), "", 80, 24)).prompt)
    assert len(bar.splitlines()) == 2 and all(name in bar for name in ("grace", "alan"))
    said = [words("table.at_once", names="grace"), words("table.chosen", names="alan")]
    assert one.endswith(" · ".join(said))
    mine = replace(news, view=replace(news.view, offers=()), chosen=(0, 2))
    model = view_model(words, mine)
    waiting = words("table.waiting", names="grace")
    assert prompt(model) == f"{waiting} · {said[1]}"
    assert [seat.is_to_act for seat in model.seats] == [False, True, False]
    marked = [line for line in table_lines(model) if words("plain.to_act") in line]
    assert len(marked) == 1 and marked[0].startswith("grace")
    first = replace(mine, chosen=(0,))
    waited_for = words.listed(["grace", f"alan ({words('term.bot')})"])
    assert prompt(view_model(words, first)) == words("table.waiting", names=waited_for)


def test_who_waits_for_a_bot_reads_that_it_is_one() -> None:
    """Else somebody who has only just sat down calls a name that nobody has."""
    news = PracticePort(seed=3).begin().news()
    seats = [replace(seat, is_bot=seat.name == "grace") for seat in news.seats]
    view = replace(news.view, offers=(), to_act=(1,))
    waiting = replace(news, seats=tuple(seats), view=view)
    assert prompt(view_model(load("en"), waiting)) == "Waiting for grace (bot)"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 36)])
def test_the_bar_says_what_the_sign_on_piles_means(code: str, size: tuple[int, int]) -> None:
    """A newcomer read `+t` on nearly every pile, and what it is on the page of keys alone."""
    port = market().play_until(lambda news: news.view.phase == "buy" and bool(news.view.offers))
    model = view_model(load(code), port.news())
    frame = draw_table(Scene(model, width=size[0], height=size[1]))
    assert "+t" in to_text(frame.board)
    assert "+t: t" in to_text(frame.prompt)
    spent = replace(model.news.view, offers=model.news.view.offers[:1])
    assert not model.look.ways(spent)


def test_before_my_first_turn_of_dominion_the_first_line_says_that_it_is_to_come() -> None:
    """Whoever waited for it read `turn 0`."""
    port = market().play_until(lambda news: news.view.counters["turn"] >= 0)
    counters = {**port.news().view.counters, "seat0.turns": 0}
    view = replace(port.news().view, counters=counters)
    model = view_model(load("en"), replace(port.news(), view=view))
    assert "turn 1" in to_text(draw_table(Scene(model, width=80, height=24)).title)


def test_a_game_may_say_more_of_an_offer_than_its_notation_does() -> None:
    news = PracticePort(seed=3).begin().news()
    priced, *others = (offer.text for offer in news.view.offers)
    look, words = look_of("carta"), load("en").of("carta")
    told = replace(look, offered=lambda words, view, seats: {priced: "for 7"})
    texts = {pick.offer.text: pick.text for pick in make_picks(words, news.view, news.seats, told)}
    usual = {pick.offer.text: pick.text for pick in make_picks(words, news.view, news.seats, look)}
    assert texts == {**usual, priced: "for 7"} and set(others) < set(usual)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [24, 32, 48, 80])
def test_what_is_picked_takes_a_second_row_only_where_it_does_not_fit(
    code: str, width: int
) -> None:
    """`enter confirms, esc cancels` took one, which the board above it lost."""
    model = view_model(load(code), PracticePort(seed=3).begin().news())
    said = partial(model.words, "table.picked", cancels=model.words("table.cancels"))
    for pick in model.picks:
        rows = draw_prompt(Scene(model, (pick.label,)), width)
        assert (len(rows) == 1) == (cell_len(f" ▶ {pick.text}? ") <= width)
        has_room = cell_len(said(what=pick.text)) + 4 <= width
        assert not has_room or said(what="") in to_text(rows)


def test_a_question_in_the_turn_of_another_does_not_say_that_it_is_mine() -> None:
    """Whoever had to discard under a Militia read `YOUR TURN`."""
    port = market(kingdom=ALL_CARDS)
    port.play_until(lambda news: news.view.phase == "react")
    said = prompt(view_model(load("en"), port.news()))
    assert said.startswith("YOUR CHOICE: ") and said.endswith("'s turn")
    port.play_until(lambda news: news.view.phase == "buy")
    assert prompt(view_model(load("en"), port.news())).startswith("YOUR TURN: ")
