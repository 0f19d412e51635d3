"""D1 to D6: the supply, the first hands, the kingdom."""

from __future__ import annotations

import pytest

from core.chance import Chance
from core.engine import run_until_choice, start
from core.games.dominion import GAME
from core.games.dominion.cards import BASIC_KINDS, BOX, KEYS, KINDS
from core.games.dominion.kingdoms import (
    SETS,
    kinds_of,
    kingdom_by_number,
    kingdoms_count,
    named_kingdom,
)
from core.requests import Choice
from core.table import OptionValue, RulesError, Table

TEN = "moat,village,smithy,witch,gardens,militia,mine,market,cellar,chapel"


def begun(seats: int = 2, seed: int = 1, **options: OptionValue) -> tuple[Table, Choice]:
    """A game that has come to its first choice."""
    table = start(GAME, seats, options)
    pending = run_until_choice(GAME, table, table.face[:], Chance(seed))
    assert isinstance(pending, Choice)
    return table, pending


def kingdom(table: Table) -> list[str]:
    """The kinds that the kingdom counters name."""
    counters = zip(table.layout.counters, table.counters, strict=True)
    return [KEYS[face] for name, face in counters if name.startswith("kingdom.")]


@pytest.mark.parametrize(
    ("seats", "heights"),
    [
        (2, [46, 40, 30, 8, 8, 8, 10]), (3, [39, 40, 30, 12, 12, 12, 20]),
        (4, [32, 40, 30, 12, 12, 12, 30]), (5, [85, 80, 60, 12, 12, 15, 40]),
        (6, [78, 80, 60, 12, 12, 18, 50]),
    ],
)  # fmt: skip
def test_the_basic_piles_are_as_high_as_the_rules_say(seats: int, heights: list[int]) -> None:
    """D1, D3."""
    table, _ = begun(seats)
    assert [len(table.zones[face]) for face in range(BASIC_KINDS)] == heights


@pytest.mark.parametrize(("seats", "gardens"), [(2, 8), (3, 12), (4, 12)])
def test_kingdom_piles_have_ten_cards_and_gardens_as_many_as_victory_piles(
    seats: int, gardens: int
) -> None:
    """D4."""
    table, _ = begun(seats, kingdom=TEN)
    for key in TEN.split(","):
        assert len(table.zones[KEYS.index(key)]) == (gardens if key == "gardens" else 10)
    assert sum(1 for zone in table.zones[BASIC_KINDS : len(KEYS)] if zone) == 10


def test_everybody_begins_with_five_of_ten_cards() -> None:
    """D2."""
    table, _ = begun(3)
    index = table.layout.zone_index
    for seat in range(3):
        assert len(table.zones[index[f"seat{seat}.hand"]]) == 5
        assert len(table.zones[index[f"seat{seat}.deck"]]) == 5
    assert GAME.scores(table) == (3, 3, 3)


def test_every_seat_can_be_the_first() -> None:
    """D6."""
    assert {begun(3, seed)[1].player for seed in range(30)} == {0, 1, 2}


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("name", SETS)
def test_every_recommended_set_is_ten_kinds(name: str, edition: int) -> None:
    """D5."""
    kinds = named_kingdom({"edition": edition, "kingdom": name})
    assert len(set(kinds)) == 10
    table, _ = begun(kingdom=name, edition=edition)
    assert kingdom(table) == [KEYS[face] for face in kinds]


def test_the_first_game_differs_between_the_editions() -> None:
    """D5."""
    first, second = (set(kingdom(begun(edition=edition)[0])) for edition in (1, 2))
    assert (first - second, second - first) == ({"woodcutter"}, {"merchant"})


def test_any_ten_different_kinds_can_be_named() -> None:
    """D5."""
    assert sorted(kingdom(begun(kingdom=TEN)[0])) == sorted(TEN.split(","))
    for bad in (
        "moat",
        TEN + ",mine",
        TEN.replace("moat", "gold"),
        TEN.replace("moat", "mine"),
        10,
    ):
        with pytest.raises(RulesError, match="option kingdom takes one of"):
            begun(kingdom=bad)


def test_a_drawn_kingdom_has_ten_kinds_of_its_edition_and_the_rest_is_in_the_box() -> None:
    """D5."""
    for edition, count in ((1, 25), (2, 26)):
        table, _ = begun(kingdom="random", edition=edition)
        names = kingdom(table)
        assert len(set(names)) == 10
        assert {KEYS.index(name) for name in names} <= set(kinds_of(edition))
        assert len({table.face[card] for card in table.zones[BOX]}) == count - 10
        assert all(table.zones[KEYS.index(name)] for name in names)


def test_every_kingdom_has_a_number_of_its_own() -> None:
    """D5."""
    assert kingdoms_count(1) == 3_268_760
    assert kingdoms_count(2) == 5_311_735
    some = [kingdom_by_number(2, number) for number in range(0, 5_311_735, 4999)]
    assert len(set(some)) == len(some)
    assert some == sorted(some)
    assert kingdom_by_number(2, 5_311_734) == kinds_of(2)[-10:]


def test_a_kingdom_is_drafted_in_turn_from_the_start_player_on() -> None:
    """D5."""
    table, pending = begun(3, kingdom="draft")
    first, chosen = pending.player, []
    for step in range(10):
        assert pending.player == (first + step) % 3
        actions = GAME.legal_actions(table, pending.player, table.face)
        assert len(actions) == 26 - step
        chosen.append(KEYS[actions[step].number])
        GAME.apply(table, pending.player, actions[step])
        answer = run_until_choice(GAME, table, table.face[:], Chance(1))
        assert isinstance(answer, Choice)
        pending = answer
    assert pending.player == first
    assert kingdom(table) == sorted(chosen, key=KEYS.index)
    assert GAME.phase(table) == "buy"


def test_there_are_39_kinds_with_keys_in_lower_case() -> None:
    assert len(KINDS) == len(set(KEYS)) == 39
    assert all(key == key.lower() for key in KEYS)
