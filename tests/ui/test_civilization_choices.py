"""What a choice of Civilization needs stands where it is made: its price, what it gives, why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from rich.cells import cell_len

from core.games.civilization import GAME
from core.games.civilization.frames import ITEM
from core.games.civilization.items import ITEM_KEYS, cost, trade_for
from core.games.civilization.layout import (
    CULTURE,
    FIRST,
    GUARD,
    IDLE,
    LEFT,
    ORDER,
    TRACK_AT,
    TRADE,
)
from core.games.civilization.notation import GUARD_KEYS
from core.games.civilization.printed import UNIT_TYPES
from core.games.civilization.wealth import coins, production
from core.requests import Over
from core.view import View
from p2p.session.news import TableChanged
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_aftermath import loot
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort
from tests.ui.test_civilization_story import news_of
from ui.draw.frame import draw_prompt, draw_table
from ui.draw.places import neighbor, places_of
from ui.draw.scene import Scene
from ui.games.civilization import LOOK
from ui.games.civilization.cities import city_rows
from ui.games.civilization.labels import squares_of
from ui.games.civilization.meaning import choice_text
from ui.games.civilization.offered import trade_kept
from ui.games.civilization.position import frame_of, table_of
from ui.games.civilization.squares import city_here
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.picks import OfferPick
from ui.model.prompt import what_to_choose
from ui.model.view_model import ViewModel, view_model
from ui.plain.table_lines import offer_lines
from ui.terminal.spans import row_width, to_text

SIZES = ((120, 36), (100, 30), (80, 24), (60, 16))
BEATS = {("infantry", "mounted"), ("mounted", "artillery"), ("artillery", "infantry")}


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


@cache
def where(is_there: Callable[[TableChanged], bool], turns: int = 30) -> PracticePort:
    """The first of my choices that is a certain one, whichever game it takes; to look at only."""
    for seed in range(3, 30):
        port = a_port(seed=seed, turns=turns).play_until(is_there)
        if is_there(port.news()):
            return port
    raise AssertionError("no game comes there")


def needs_trade(news: TableChanged) -> bool:
    """Whether a city can make something that takes trade besides its production."""
    made = [each.text.split() for each in news.view.offers if each.action.verb == "make"]
    return any(price_of(news.view, key, int(city))[1] for _, key, city in made)


def makes_market(news: TableChanged) -> bool:
    """Whether a city can make what has a name with brackets, and pays with trade."""
    made = [each.text.split() for each in news.view.offers if each.text.startswith("make market")]
    return any(price_of(news.view, key, int(city))[1] for _, key, city in made)


def price_of(view: View, key: str, city: int) -> tuple[int, int]:
    """What the rules take for an item: the price, and the trade that is spent."""
    table, seat = table_of(view), view.seat
    assert seat is not None
    price = cost(table, seat, next(at for at, each in ITEM_KEYS.items() if each == key))
    return price, trade_for(table, seat, price - production(table, seat, city))


def picks_of(model: ViewModel, verb: str) -> list[OfferPick]:
    return [pick for pick in model.picks if pick.offer.action.verb == verb]


# ---- prices ----


def test_what_a_city_makes_is_confirmed_with_its_price_and_the_trade_that_is_spent() -> None:
    """`capital: Barracks?` stood there, and three trade were gone."""
    model = model_of(where(needs_trade))
    told = set[bool]()
    for pick in picks_of(model, "make"):
        _, key, city = pick.offer.text.split()
        price, trade = price_of(model.view, key, int(city))
        prompt = to_text(draw_table(Scene(model, (pick.label,), width=80, height=24)).prompt)
        made = production(table_of(model.view), 0, int(city))
        paid = f"for {price} ({made} production, {trade} trade)?"
        assert (paid if trade else f"for {price} production?") in prompt
        told.add(bool(trade))
    assert told == {True, False}


@pytest.mark.parametrize("size", SIZES)
def test_a_price_that_fits_beside_its_question_takes_no_second_row(size: tuple[int, int]) -> None:
    model = model_of(where(needs_trade))
    for pick in picks_of(model, "make"):
        frame = draw_table(Scene(model, (pick.label,), width=size[0], height=size[1]))
        fits = cell_len(f" ▶ {pick.text}? ") <= size[0] - frame.side_width
        assert fits == (len(frame.prompt) == 1)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [20, 26, 43])
def test_in_a_list_the_name_is_cut_and_never_the_price(code: str, width: int) -> None:
    """`ay  Barracks 7, with 3 …` stood beside the map at 100 x 30."""
    model = model_of(where(needs_trade), code)
    rows = city_rows(Scene(model), table_of(model.view), width)
    assert all(row_width(row) <= width for row in rows[1:])
    told = [span.text.rstrip() for row in rows for span in row]
    for pick in picks_of(model, "make"):
        _, key, city = pick.offer.text.split()
        price, trade = price_of(model.view, key, int(city))
        known = {"cost": price, "trade": trade}
        shown = model.words(f"civilization.costs{'_trade' * bool(trade)}", **known)
        assert any(text.endswith(f" {shown}") for text in told), pick.text


@pytest.mark.parametrize(
    ("code", "name", "more"), [("ko", "시장", "(건물)"), ("ja", "市場", "(建物)")]
)
def test_a_name_goes_without_its_brackets_before_it_is_cut(code: str, name: str, more: str) -> None:
    """`市場(… 7 (交易3)` stood beside the map at 60 x 20."""
    model = model_of(where(makes_market), code)
    for width, shown in ((24, f"{name} 7"), (43, f"{name}{more} 7")):
        rows = city_rows(Scene(model), table_of(model.view), width)
        assert shown in to_text(rows)


def test_the_arrow_down_leaves_nothing_out_that_a_city_can_make() -> None:
    """`Barracks` was wider than its neighbours, so from the one above it the arrow passed it by."""
    model = model_of(where(needs_trade))
    labels = [pick.label for pick in model.picks]
    frame = draw_table(Scene(model, width=120, height=36))
    places = places_of(frame, labels)
    down = sorted((pick.label for pick in picks_of(model, "make")), key=lambda at: places[at].y)
    assert len({places[label].y for label in down}) == len(down) > 2
    for above, below in pairwise(down):
        assert neighbor(places, above, "down") == below


def test_a_second_item_is_told_with_what_both_cost() -> None:
    model = model_of(where(lambda news: news.view.phase == "item", turns=60))
    table = table_of(model.view)
    first = cost(table, 0, table.counters[frame_of(table, "action") + ITEM])
    for pick in picks_of(model, "also"):
        price, _ = price_of(model.view, pick.offer.text.split()[1], 0)
        assert f" for {price}, in all {first + price} " in pick.text


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("key", ["army", "scout", "walls", *UNIT_TYPES])
def test_figures_units_and_walls_say_what_they_are(code: str, key: str) -> None:
    """Buildings and wonders did; of an army new players asked whether it is a card."""
    words = load(code)
    for notation in (f"make {key} 0", f"also {key}"):
        name, text = choice_text(words, notation).split(": ", 1)
        assert name == words(f"civilization.item.{key}") and text


def test_a_unit_that_is_played_says_which_type_it_beats() -> None:
    assert "beats mounted" in choice_text(load("en"), "play infantry.2")


# ---- what a step gives, what learning takes ----


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (0, "pay 3 culture for an ancient event card"),
        (2, "pay 3 culture for a great person"),
        (7, "pay 5 culture, 3 trade for a medieval event card"),
        (14, "pay 7 culture, 6 trade for a modern event card"),
        (20, "pay 7 culture, 6 trade for the culture victory"),
    ],
)
def test_a_step_on_the_culture_track_says_its_price_and_what_it_gives(at: int, told: str) -> None:
    port = a_port().play_until(lambda news: news.view.phase == "city")
    counters = port.table.counters
    counters[TRACK_AT[0]], counters[CULTURE[0]], counters[TRADE[0]] = at, 9, 9
    model = model_of(port)
    assert [pick.text for pick in picks_of(model, "advance")] == [f"culture track: {told}"]
    assert any(told in line for line in offer_lines(model)), "in lines of text, too"


def test_who_learns_is_told_how_much_trade_is_left() -> None:
    """All of it goes but one for each coin, and only the rules said so."""
    port = a_port(seed=3, turns=30).play_until(lambda news: news.view.phase == "research")
    port.table.counters[TRADE[0]] = 19
    model, kept = model_of(port), coins(port.table, 0)
    texts = [pick.text for pick in picks_of(model, "learn")]
    assert texts and all(f": you have 19 trade and keep {kept}" in text for text in texts)
    assert any(f"(you have 19 trade and keep {kept})" in line for line in offer_lines(model))


def test_a_technology_that_is_a_coin_keeps_one_more() -> None:
    table = table_of(a_port().play_until(lambda news: news.view.phase == "city").news().view)
    table.counters[TRADE[0]], before = 19, coins(table, 0)
    counters = table.counters[:]
    assert trade_kept(table, 0, "railroad") == (19, before + 1)
    assert trade_kept(table, 0, "writing") == (19, before) and table.counters == counters


def test_what_is_learned_of_somebody_else_takes_no_trade() -> None:
    port = where(lambda news: news.view.phase == "study", turns=60)
    assert all("trade" not in pick.text for pick in picks_of(model_of(port), "learn"))


# ---- battles ----


def test_who_attacks_a_front_is_told_who_strikes_first_and_why() -> None:
    """Which type beats which stood in the rules alone."""
    seen = set[str]()
    for seed in range(3, 30):
        port = a_port(seed=seed, turns=60)
        while not isinstance(port.request, Over) and len(seen) < 3:
            model = model_of(port.play(1))
            fronts = picks_of(model, "front") if model.view.phase == "front" else []
            seen |= {_told_of(model, pick) for pick in fronts}
    assert seen == {"you strike first", "they strike first", "both strike at once"}


def _told_of(model: ViewModel, pick: OfferPick) -> str:
    """How the line of a front ends, after it was compared with the types of both units."""
    counters, zones = model.view.counters, model.view.zones
    faces = {card.card: (card.face or "").partition(".")[0]
             for seat in range(3) for card in zones[f"seat{seat}.front"]}  # fmt: skip
    mine = counters["battle.unit"] - 1
    (rival,) = (card for card in faces if f"front {counters[f'front.{card}']}" == pick.offer.text)
    pair, other = (faces[mine], faces[rival]), (faces[rival], faces[mine])
    told = "you strike first" if pair in BEATS else "they strike first" if other in BEATS else ""
    assert pick.text.endswith(told or "both strike at once")
    return told or "both strike at once"


# ---- cities that have acted ----


def test_a_city_has_acted_only_once_its_part_of_the_phase_has_begun() -> None:
    """`has acted` stood there while an earlier seat managed its cities."""
    model = model_of(a_port().play_until(lambda news: news.view.phase == "city"))
    table, scene = table_of(model.view), Scene(model)
    table.counters[FIRST], table.counters[LEFT[0]] = 1, 0  # Two others come before me.
    told = {}
    for order in range(4):
        table.counters[ORDER] = order
        told[order] = "has acted" in to_text(city_rows(scene, table, 200))
    assert told == {0: False, 1: False, 2: False, 3: True}
    table.counters[LEFT[0]] = 1
    assert "has acted" not in to_text(city_rows(scene, table, 200))


def test_a_capital_in_anarchy_has_not_acted_but_does_nothing() -> None:
    model = model_of(a_port().play_until(lambda news: news.view.phase == "city"))
    table = table_of(model.view)
    table.counters[IDLE[0]], table.counters[LEFT[0]] = 1, 0
    told = to_text(city_rows(Scene(model), table, 200))
    assert "Anarchy: it does nothing" in told and "has acted" not in told


# ---- new cities ----


def is_founding(news: TableChanged) -> bool:
    cards = news.view.zones["seat0.events"]
    return bool(cards) and any(each.action.verb == "found" for each in news.view.offers)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_where_a_city_is_founded_all_that_it_yields_is_read_beside_cards_and_guards(
    code: str,
) -> None:
    """At 80 x 24 the line was cut behind what the square is, which its city covers."""
    model = model_of(where(is_founding), code)
    pick = picks_of(model, "found")[0]
    told = city_here(model, squares_of(pick.offer)[0])
    frame = draw_table(Scene(model, (pick.label,), width=80, height=24))
    assert told and told in to_text(frame.hand)


# ---- questions ----


@pytest.mark.parametrize(
    ("phase", "verbs", "asked"),
    [
        ("start", "found government event end", "found cities, change government, play events"),
        ("start", "anarchy guard end", "change your government, or end"),
        ("start", "found end", "found a city, or end"),
        ("start", "settle anarchy end", "found a city, change your government, or end"),
        ("start", "event great end", "play an event, or end"),
        ("start", "great end", "choose what to do, or end"),
        ("start", "guard end", "there is nothing to do: end this phase"),
        ("trade", "offer end", "offer a deal, or end"),
        ("trade", "power end", "choose what to do, or end"),
        ("city", "arts end", "each city acts once"),
        ("city", "advance end", "choose what to do, or end"),
        ("move", "move end", "choose figures on the map, or end"),
        ("move", "event end", "choose what to do, or end"),
        ("person", "place sheet", "place the great person, or set it aside"),
        ("person", "place", "place the great person"),
        ("front", "front new", "attack a front, or make a new one"),
        ("front", "front", "Battle: attack a front"),
        ("front", "new", "Battle: make a new front"),
    ],
)
def test_a_question_names_what_can_be_done_and_nothing_else(
    phase: str, verbs: str, asked: str
) -> None:
    view = a_port().news().view
    first = view.offers[0]
    given = tuple(replace(first, action=first.action._replace(verb=verb)) for verb in verbs.split())
    view = replace(view, phase=phase, offers=given)
    assert what_to_choose(load("en"), view).endswith(asked)
    for code in LANGUAGE_NAMES:
        assert load(code).has(LOOK.ask(view))


@pytest.mark.parametrize(("width", "way"), [(80, ""), (120, ", or use the arrows; then enter")])
def test_how_a_square_is_chosen_is_a_sentence(width: int, way: str) -> None:
    """`bright: as k2, arrows · enter` was no English."""
    model = model_of(PracticePort(seed=3, players=2, game=GAME).begin())
    rows = draw_prompt(Scene(model), width)
    assert to_text(rows).endswith(f"type a bright square, as k2{way}")


def test_what_is_put_on_a_square_has_its_name() -> None:
    """`put it at a13?` was said of an army, a building and a person alike."""
    port, found = a_port(seed=3, turns=60), dict[str, str]()
    while not isinstance(port.request, Over) and len(found) < 4:
        model = model_of(port.play(1))
        for pick in [*picks_of(model, "place"), *picks_of(model, "site")]:
            found[model.view.phase] = pick.text.partition(" at ")[0]
    assert found
    assert all(text.startswith("put ") and text != "put it" for text in found.values())


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_no_choice_is_left_with_a_gap_or_a_code(code: str) -> None:
    port = a_port(seed=5, turns=60)
    for _ in range(60):
        model = model_of(port.play(9), code)
        assert not [pick.text for pick in model.picks if "{" in pick.text or "_" in pick.text]


def asks_to_guard(news: TableChanged) -> bool:
    return any(each.text == "guard aimed" for each in news.view.offers)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_lines_of_text_it_is_said_what_i_am_asked_about(code: str) -> None:
    """A screen has a sign for each of these; lines of text named what can be switched, no more."""
    port = where(asks_to_guard)
    model = model_of(port, code)
    words, seat = model.words, model.view.seat
    assert seat is not None
    is_asked = table_of(model.view).counters[GUARD[seat]] >> GUARD_KEYS.index("aimed") & 1
    said = f"{words('civilization.guard.aimed')}: {words('term.yes' if is_asked else 'term.no')}"
    assert said in "\n".join(offer_lines(model))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_loot_that_takes_both_points_says_so(code: str) -> None:
    """C129: `2 to go` stood above a list of which some were worth one and others two."""
    model = view_model(load(code), news_of(Narrated(loot(2))))
    dear = model.words("civilization.dear", text="")
    assert {pick.offer.text for pick in model.picks if pick.text.endswith(dear)} == {
        "seize event.ancient", "coin pottery", "learn masonry",
    }  # fmt: skip
