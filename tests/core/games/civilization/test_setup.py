"""The set-up: what is laid out, who has what, one row of choices a seat; what stays hidden."""

from __future__ import annotations

from collections import Counter

import pytest

from core.chance import Chance
from core.engine import run_until_choice, start
from core.games.civilization import OPTIONS
from core.games.civilization.board import WATER, terrain_at
from core.games.civilization.faces import BACKS, CIV_KEYS, ERA_OF_CARD
from core.games.civilization.frames import COURSE
from core.games.civilization.layout import CIV, COMMON_COUNTERS, GROUND, MARK
from core.games.civilization.printed import (
    BUILDING_MARKERS,
    CIVILIZATIONS,
    ERAS,
    EVENT_KINDS,
    NEUTRAL_SLOTS,
    NEUTRAL_TILES,
    TECHNOLOGIES,
    WONDERS,
)
from core.games.civilization.wealth import coins, known, stacking
from core.requests import Choice
from core.testing.worlds import OpenGame
from tests.core.games.civilization.naive import Reading
from tests.core.games.civilization.stage import GAME, Stage


def begun(seats: int, civs: str = "", seed: int = 1, **options: object) -> Stage:
    """A game whose seats have chosen their civilizations; their rows have begun."""
    stage = Stage("germany china")
    names = civs.split()
    given = {**options, **({"civs": "chosen"} if names else {})}
    stage.table = start(GAME, seats, given)  # type: ignore[arg-type]
    stage.deal, stage.chance = stage.table.face[:], Chance(seed)
    stage.settle()
    while names and stage.asks == "civ":
        stage.do(f"civ {names[stage.asked]}")
    return stage


def finished(stage: Stage) -> Stage:
    """Every seat does what is offered first until the set-up is done."""
    while stage.get("phase") == 0:
        stage.do(stage.texts()[0])
    return stage


def test_everything_is_in_the_box() -> None:
    """C2: as counted in the list of components."""
    assert len(TECHNOLOGIES) == 37
    assert len(WONDERS) == 12
    assert sum(event.copies for event in EVENT_KINDS) == 47
    assert Counter(BACKS) == {
        "": 53, "event.ancient": 19, "event.medieval": 17, "event.modern": 11, "person": 18,
        "wonder.ancient": 4, "wonder.medieval": 4, "wonder.modern": 4, "hut": 20, "village": 10,
        "tile": 14,
    }  # fmt: skip
    assert sum(BUILDING_MARKERS) == 49


def test_tiles_have_twenty_huts_and_eight_villages() -> None:
    """C14, C183: the piles cannot run out."""
    squares = [square[1] for tile in NEUTRAL_TILES for row in tile for square in row.split()]
    assert (squares.count("H"), squares.count("V")) == (20, 8)
    assert all(
        sum(square[1] in "HV" for row in tile for square in row.split()) == 2
        for tile in NEUTRAL_TILES
    )


@pytest.mark.parametrize(("seats", "tiles"), [(2, 6), (3, 7), (4, 12)])
def test_the_map_has_its_tiles(seats: int, tiles: int) -> None:
    """C13: home tiles face up, neutral ones face down, the rest unseen."""
    stage = begun(seats)
    assert len(NEUTRAL_SLOTS[seats]) == tiles
    assert len(stage.cards("tiles")) == tiles
    assert len(stage.cards("left_over")) == 14 - tiles
    assert sum(ground > 0 for ground in stage.table.counters[GROUND : GROUND + 256]) == 16 * seats


def test_the_other_diagonal_of_two_seats() -> None:
    """8.1 homes2, C13."""
    stage = begun(2, homes2="nw_se")
    assert stage.get("ground.0") > 0
    assert stage.get("ground.4") == 0
    finished(stage)


def test_civilizations_are_given_by_one_roll_or_chosen() -> None:
    """C5, D12: nobody has the same."""
    seen = set()
    for seed in range(30):
        stage = begun(4, seed=seed)
        civs = [stage.table.counters[CIV[seat]] for seat in range(4)]
        assert len(set(civs)) == 4
        seen |= set(civs)
    assert seen == set(range(6))
    chosen = begun(2, "rome egypt")
    assert [CIV_KEYS[chosen.table.counters[CIV[seat]]] for seat in (0, 1)] == ["rome", "egypt"]


def test_everybody_has_standing_forces() -> None:
    """C6, C7, C19 Germany: one of each type, two more infantry."""
    stage = begun(2, "germany china")
    kinds = [[key.split(".")[0] for key in stage.cards(f"seat{seat}.forces")] for seat in (0, 1)]
    assert Counter(kinds[0]) == {"infantry": 3, "mounted": 1, "artillery": 1}
    assert Counter(kinds[1]) == {"infantry": 1, "mounted": 1, "artillery": 1}


def test_the_wonder_market() -> None:
    """C9, E1: four ancient wonders; with Egypt one of them is its own."""
    without = begun(2, "germany china")
    assert set(without.cards("market")) == {"stonehenge", "colossus", "hanging_gardens", "oracle"}
    assert len(without.cards("wonders.medieval")) == 4
    egypt = begun(2, "germany egypt")
    assert len(egypt.cards("seat1.wonders")) == 1
    assert len(egypt.cards("market")) == 4
    assert len(egypt.cards("wonders.medieval")) == 3


def test_market_tokens_and_supplies() -> None:
    """C12, C8, C3, C15: as many of each kind as there are seats."""
    stage = begun(3)
    assert [stage.get(f"market.{kind}") for kind in range(4)] == [3] * 4
    assert [stage.get(f"buildings.{family}") for family in range(8)] == [10, 6, 6, 6, 6, 5, 5, 5]


def test_the_first_player_is_rolled_and_begins() -> None:
    """C16, C17, D12."""
    firsts = {begun(4, seed=seed).asked for seed in range(20)}
    assert firsts == {0, 1, 2, 3}


def test_the_capital_stands_on_one_of_the_middle_squares() -> None:
    """C18, C184: which are never water; E5."""
    stage = begun(2)
    assert stage.asks == "capital"
    assert len(stage.texts()) == 4
    for action in (stage.action(text, stage.asked) for text in stage.texts()):
        assert terrain_at(stage.table, action.number) != WATER


def test_figures_stand_beside_the_capital() -> None:
    """C20, C26, C94: an army and a scout; Russia two armies, limit 3; not on water."""
    stage = begun(2, "russia china")
    while stage.asked != 0:
        stage.do(stage.texts()[0])
    stage.do(stage.texts()[0])
    squares = stage.texts()
    stage.do(squares[0], squares[0], squares[0])
    square = stage.get("seat0.figure0") - 1
    assert stage.rests(f"{square % 16}.{square // 16}") == (0, 2, 1)
    assert stacking(stage.table, 0) == 3


@pytest.mark.parametrize("civ", CIV_KEYS)
def test_each_civilization_begins_with_its_own(civ: str) -> None:
    """C19, C21, C22, C11, 3.6 america, china, egypt, germany, rome, russia."""
    other = "germany" if civ != "germany" else "china"
    stage = finished(begun(2, f"{civ} {other}"))
    start_of = CIVILIZATIONS[CIV_KEYS.index(civ)]
    assert [TECHNOLOGIES[at].key for at in known(stage.table, 0)] == [start_of.technology]
    assert stage.get("seat0.government") == {"rome": 2, "russia": 4}.get(civ, 0)
    assert stage.get("seat0.walls0") == int(civ == "china")
    assert stage.get("seat0.track") == 0
    armies = sum(stage.get(f"seat0.figure{at}") > 0 for at in range(7))
    assert armies == (2 if civ == "russia" else 1)
    people = sum(mark == "person" for mark in marks_of(stage))
    assert people == int(civ == "america")
    wonders = sum(mark == "wonder" for mark in marks_of(stage))
    assert wonders == int(civ == "egypt")


def marks_of(stage: Stage) -> list[str]:
    """What lies on the squares of the map, by sort."""
    marks = stage.table.counters[MARK : MARK + 256]
    return ["wonder" if 17 <= at < 29 else "person" if 29 <= at < 35 else "" for at in marks]


def test_the_dials_are_set() -> None:
    """C23, C24, E2, E3: trade icons around the capital, with Egypt's wonder on its square."""
    stage = begun(2, "egypt germany")
    while stage.get("phase") == 0:
        seat, figure = stage.asked, stage.asks
        stage.do(stage.texts()[0])
        if figure == "place_figure" and stage.get(f"seat{seat}.figure7"):
            read = Reading(stage.table)
            assert stage.get(f"seat{seat}.trade") >= sum(
                read.icons(at)[0] for at in read.around(stage.site(seat))
            )
    assert coins(stage.table, 1) == Reading(stage.table).coins(1)


def test_the_trade_dial_is_set_when_all_figures_stand() -> None:
    """C20, C23: the scout is the last of them."""
    stage = begun(2, "russia china")
    while stage.asked != 0:
        stage.do(stage.texts()[0])
    stage.do(stage.texts()[0])
    for _ in range(3):
        assert stage.get("seat0.trade") == 0
        stage.do(stage.texts()[0])
    assert stage.get("seat0.trade") > 0


def test_of_the_set_up_nothing_is_left() -> None:
    """10.2: a frame for the course of the game, and one that asks."""
    stage = finished(begun(2, "germany china"))
    assert (stage.get("depth"), stage.get("frame0.0"), stage.get("turn")) == (2, COURSE, 1)


def test_america_places_its_person_last() -> None:
    """C25, E2: it must be placed; its trade is not in the first dial."""
    stage = begun(2, "america china")
    while stage.asks != "person":
        stage.do(stage.texts()[0])
    assert stage.asked == 0
    assert "sheet" not in stage.texts()


def test_the_practice_game_has_no_wonders() -> None:
    """8.1 practice: without Egypt, Rome and all wonders."""
    for seed in range(8):
        stage = begun(4, seed=seed, practice=True)
        assert stage.cards("market") == []
        assert len(stage.cards("box")) == 12
        civs = {CIV_KEYS[stage.table.counters[CIV[seat]]] for seat in range(4)}
        assert not civs & {"egypt", "rome"}


def test_the_options_are_few() -> None:
    """8.1, D14."""
    assert [option.key for option in OPTIONS] == [
        "civs", "practice", "practice_end", "homes2", "max_turns",
    ]  # fmt: skip


def test_every_deck_is_shuffled_by_itself() -> None:
    """C6, C9, C10: three decks of events and of wonders, four of units; each game its own order."""
    tables = [finished(begun(2, seed=seed)) for seed in (1, 2)]
    for name in (*[f"events.{era}" for era in ERAS], "units.infantry", "units.aircraft"):
        index = tables[0].table.layout.zone_index[name]
        orders = [[each.deal[card] for card in each.table.zones[index]] for each in tables]
        assert orders[0] != orders[1], name
        assert {ERA_OF_CARD[card] for card in tables[0].table.zones[index]} <= (
            {ERAS.index(name.split(".")[1])} if name.startswith("events") else {-1}
        )


# ---- section 6: hidden information ----


def test_nobody_sees_what_section_6_hides() -> None:
    """Section 6, C4, C10, C74, C85: piles, hands, forces, markers."""
    for seed in range(3):
        world = OpenGame(GAME, 3, {"max_turns": 6}, seed)
        for pending in world.play():
            assert isinstance(pending, Choice) or pending.players
            check_hidden(world)


PILES = ("tiles", "left_over", "huts", "villages", "persons")


def check_hidden(world: OpenGame) -> None:
    """No seat has seen a card that it may not see."""
    table = world.table
    if table.counters[0] == 0:
        return
    for place, cards in zip(table.layout.places, table.zones, strict=True):
        for card in cards:
            seen = table.seen[card]
            if place.name in PILES or place.name.split(".")[0] in ("units", "events", "wonders"):
                assert table.face[card] < 0 and not seen, place.name


def test_counters_have_names_of_their_own() -> None:
    """10.2: every state is in zones and counters."""
    names = begun(4).table.layout.counters
    assert len(set(names)) == len(names) > COMMON_COUNTERS


def test_a_settled_table_asks_somebody() -> None:
    """D11, C30: the game never asks for a choice with nothing to choose."""
    stage = finished(begun(3))
    assert isinstance(run_until_choice(GAME, stage.table, stage.deal, stage.chance), Choice)
    assert stage.texts()
