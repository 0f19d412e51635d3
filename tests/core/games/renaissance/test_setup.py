"""What there is and how it is set up (1, 2), and what had to be filled in for it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from core.engine import run_until_choice, start
from core.games.renaissance.cards import (
    ALL_SPACES,
    BOX,
    COLOR_SPACES,
    DISPLAY,
    EVENT_DECK,
    FACES,
    FIRST_EVENT,
    FIRST_PERSON,
    HAND,
    JOINED,
    LOCATIONS,
    PERSON_FACES,
    PERSONS_OF,
    REACHED,
    SERIES_IN,
    SERIES_OF,
    SPACES_MAX,
    START,
    SYMBOL_BITS,
    SYMBOLS_IN,
    TALON,
    places,
)
from core.games.renaissance.printed import CULTURE, EVENTS, PERSONS, SERIES, STONES, SYMBOLS
from core.games.renaissance.rules_text import rules_with
from core.games.renaissance.stones import event_zone, is_center, placeable
from core.requests import Choice
from core.table import OptionValue
from core.testing.worlds import OpenGame
from tests.core.games.renaissance.stage import GAME, Stage


def opened(players: int, seed: int = 1, **options: OptionValue) -> OpenGame:
    """A game just set up; the start player is about to choose."""
    world = OpenGame(GAME, players, {**{o.key: o.values[0] for o in GAME.options}, **options}, seed)
    pending = run_until_choice(GAME, world.table, world.deal, world.chance)
    assert isinstance(pending, Choice)
    return world


def test_rule_1_1_and_g1_all_counts_are_those_that_are_known() -> None:
    assert len(EVENTS) == 36
    assert Counter(event.series for event in EVENTS) == dict.fromkeys(SERIES, 6)
    assert sum(card.copies for card in CULTURE) == 40
    assert sum(len(person.names) for person in PERSONS) == 27
    table = start(GAME, 4, {})
    assert len(table.face) == 103  # With 5 overview cards, which do nothing, 108.
    stones = [table.counters[table.layout.counters.index(f"seat{seat}.stones.{color}")]
              for seat in range(4) for color in STONES]  # fmt: skip
    markers = [table.counters[table.layout.counters.index(f"seat{s}.genius")] for s in range(4)]
    assert (sum(stones), sum(markers)) == (28, 4)


def test_rule_1_2_every_symbol_is_equally_often_on_the_culture_cards() -> None:
    counts = Counter(symbol for card in CULTURE for symbol in card.symbols * card.copies)
    assert set(counts) == set(SYMBOLS)
    assert len(set(counts.values())) == 1


def test_rule_1_3_characters_have_the_values_of_the_game() -> None:
    values = Counter((person.value, bool(person.symbol)) for person in PERSONS
                     for _ in person.names)  # fmt: skip
    assert values == {(1, True): 15, (2, True): 10, (3, False): 1, (4, False): 1}
    for symbol in SYMBOLS:
        copies = [len(person.names) for person in PERSONS if person.symbol == symbol]
        assert copies == [3, 2]


def test_rule_1_4_and_g27_every_event_is_one_connected_graph_of_both_colors() -> None:
    for number, event in enumerate(EVENTS):
        spaces = event.plan.spaces
        assert 2 <= len(spaces) <= 6
        assert set(spaces) == {"B", "R"}  # A color without a space could never be filled.
        assert 1 <= len(event.symbols) <= 3
        assert event.dice == 1
        assert COLOR_SPACES[0][number] ^ COLOR_SPACES[1][number] == (1 << len(spaces)) - 1
        reached, edge = {0}, {0}
        while edge:
            edge = {b for a, b in [*event.plan.paths, *((b, a) for a, b in event.plan.paths)]
                    if a in edge} - reached  # fmt: skip
            reached |= edge
        assert reached == set(range(len(spaces))), event.text


def test_rule_1_5_a_culture_card_is_single_or_double_or_a_joker() -> None:
    for card in CULTURE:
        assert len(set(card.symbols)) == len(card.symbols) <= 2
        assert card.genius in ("", "blue", "red")
        assert not (card.is_double and len(card.symbols) == 2)


def test_every_face_has_a_key_of_its_own() -> None:
    assert len(set(FACES)) == len(FACES)


@pytest.mark.parametrize(("players", "count"), [(2, 13), (3, 15), (4, 17)])
def test_rule_2_1_all_of_one_series_and_some_unseen_others_are_in_play(
    players: int, count: int
) -> None:
    for seed, series in enumerate(SERIES):
        world = opened(players, seed, series=series)
        table = world.table
        in_play = table.zones[EVENT_DECK][:]
        for at in range(LOCATIONS[players]):
            in_play += table.zones[event_zone(table, at)]
        assert len(in_play) == count
        of_series = [card for card in in_play
                     if SERIES[SERIES_OF[world.deal[card] - FIRST_EVENT]] == series]  # fmt: skip
        assert len(of_series) == 6
        assert len(table.zones[BOX]) == 36 - count
        assert all(table.seen[card] == 0 for card in table.zones[BOX] + table.zones[EVENT_DECK])


def test_rule_2_1_the_series_is_drawn_by_lot() -> None:
    drawn = {opened(2, seed).table.counters[SERIES_IN] for seed in range(60)}
    assert drawn == set(range(6))


@pytest.mark.parametrize(("players", "centers", "between"), [(2, 3, 0), (3, 1, 3), (4, 2, 4)])
def test_rule_2_2_events_lie_in_the_center_and_between_neighbors(
    players: int, centers: int, between: int
) -> None:
    table = opened(players).table
    at = range(LOCATIONS[players])
    assert [len(table.zones[event_zone(table, each)]) for each in at] == [1] * (centers + between)
    assert sum(is_center(table, each) for each in at) == centers


def test_rule_2_3_everybody_has_seven_stones_and_a_marker() -> None:
    stage = Stage(4)
    assert [stage.supply(seat) for seat in range(4)] == ["yellow*7", "red*7", "black*7", "white*7"]
    assert [stage.counter(f"seat{seat}.genius") for seat in range(4)] == [1] * 4


def test_rule_2_4_and_g2_two_cards_each_of_any_kind_and_four_in_the_display() -> None:
    kinds = set()
    for seed in range(30):
        table = (world := opened(3, seed)).table
        assert [len(table.zones[HAND[seat]]) for seat in range(3)] == [2, 2, 2]
        assert (len(table.zones[DISPLAY]), len(table.zones[TALON])) == (4, 67 - 10)
        kinds |= {FACES[world.deal[card]].split(".")[0] for card in table.zones[HAND[0]]}
        assert all(table.seen[card] == 1 << 1 for card in table.zones[HAND[1]])
    assert kinds == {"culture", "person"}  # Not two double cards each.


def test_rule_2_5_any_seat_may_begin_and_turns_go_clockwise() -> None:
    assert {opened(4, seed).table.counters[START] for seed in range(60)} == {0, 1, 2, 3}
    stage = Stage(3, turn=2)
    assert stage.chooser == 2
    stage.do("place a.1", "draw", "draw")
    assert (stage.chooser, stage.phase) == (0, "place")


def test_sets_of_faces_symbols_and_spaces_are_what_is_printed() -> None:
    assert len(CULTURE) == FIRST_PERSON
    assert ALL_SPACES == (1 << SPACES_MAX) - 1
    assert len(CULTURE) + len(PERSONS) == FIRST_EVENT < 63  # A set of faces is one machine word.
    for bits, symbols in enumerate(SYMBOLS_IN):
        assert sum([1 << symbol for symbol in symbols]) == bits
        shown = [face for face in PERSON_FACES if SYMBOL_BITS[face] & bits]
        assert [face for face in range(FIRST_EVENT) if PERSONS_OF[bits] >> face & 1] == shown


def test_rule_4_2_the_free_spaces_beside_taken_ones_are_looked_up() -> None:
    for joined, reached in zip(JOINED, REACHED, strict=True):
        spaces = range(len(joined))
        assert len(reached) == 1 << len(joined)
        for taken, free in enumerate(reached):
            for space in spaces:
                is_beside = any(
                    taken >> other & 1 and joined[other] >> space & 1 for other in spaces
                )
                is_free = not taken >> space & 1 and (is_beside or not taken)
                assert bool(free >> space & 1) == is_free


def test_g5_an_event_between_two_seats_is_for_these_two_alone() -> None:
    table = Stage(3).table
    spots = [placeable(table, seat) for seat in range(3)]
    mine = [{at for at in range(4) if bits >> SPACES_MAX * at & ALL_SPACES} for bits in spots]
    assert mine == [{0, 1, 3}, {0, 1, 2}, {0, 2, 3}]


@pytest.mark.parametrize("is_balanced", [False, True])
def test_g31_with_the_balance_option_the_very_first_turn_has_one_action(is_balanced: bool) -> None:
    stage = Stage(turns=0, options={"balance": is_balanced})
    stage.do("place a.1", "draw")
    assert stage.chooser == (1 if is_balanced else 0)
    if not is_balanced:
        stage.do("draw")
    stage.do("place b.1", "draw")
    assert stage.chooser == 1  # The second turn has two actions in any case.


@pytest.mark.parametrize("copies_or_sign", [{"copies": 3}, {"genius": "red"}, {"is_double": True}])
def test_machines_with_other_culture_cards_have_other_rules_and_so_do_not_meet(
    copies_or_sign: dict[str, Any],
) -> None:
    other = (CULTURE[0]._replace(**copies_or_sign), *CULTURE[1:])
    assert rules_with(other, PERSONS, EVENTS) != GAME.rules


@pytest.mark.parametrize(
    "printed",
    [{"symbols": ("religion",)}, {"plan": EVENTS[0].plan.swapped()}, {"dice": 2},
     {"plan": EVENTS[0].plan._replace(paths=())}],
)  # fmt: skip
def test_machines_with_other_events_or_persons_have_other_rules(printed: dict[str, Any]) -> None:
    other = (EVENTS[0]._replace(**printed), *EVENTS[1:])
    assert rules_with(CULTURE, PERSONS, other) != GAME.rules
    wiser = (PERSONS[0]._replace(value=2), *PERSONS[1:])
    assert rules_with(CULTURE, wiser, EVENTS) != GAME.rules
    assert rules_with(CULTURE, PERSONS, EVENTS) == GAME.rules


def test_every_counter_and_zone_is_where_its_number_says() -> None:
    for players in (2, 3, 4):
        table = start(GAME, players, {})
        names = [place.name for place in places(players)]
        assert names[TALON] == "talon"
        assert names[HAND[players - 1]] == f"seat{players - 1}.hand"
        assert names[event_zone(table, 0)] == "event.a"
        assert table.layout.counters[SERIES_IN] == "series"
