"""Research, the pyramid, and the four victories."""

from __future__ import annotations

import pytest

from core.games.civilization.learning import has_room, is_unlocked, learn
from core.games.civilization.wealth import hand_limit, rank
from core.requests import Action, Choice, Secret
from tests.core.games.civilization.stage import Stage

LOW = "pottery writing masonry navigation currency"
MIDDLE = "construction irrigation monarchy sailing"
HIGH = "banking biology gunpowder"
TOP = "combustion computers"


def learning(trade: int, coins: int = 0, known: str = "") -> Stage:
    """Seat 0 in Research; seat 1 can afford nothing."""
    stage = Stage().city(0, "2.2").city(1, "10.10").has(0, trade=trade).tech(0, known)
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = coins
    return stage.phase("research")


@pytest.mark.parametrize(("trade", "coins", "left"), [(18, 0, 0), (18, 4, 4), (20, 0, 0)])
def test_all_trade_is_spent_but_one_for_each_coin(trade: int, coins: int, left: int) -> None:
    """X2, C164, C143, E106."""
    stage = learning(trade, coins, LOW)
    stage.do("learn sailing")
    assert stage.get("seat0.trade") == left


def test_nine_trade_and_five_coins_keep_five() -> None:
    """X2: level 1."""
    stage = learning(9, 5).do("learn philosophy")
    assert stage.get("seat0.trade") == 5


def test_a_coin_on_the_new_technology_counts() -> None:
    """E107, C164, 3.2 civil_service."""
    stage = learning(12, 0, LOW).do("learn civil_service")
    assert stage.get("seat0.trade") == 1


@pytest.mark.parametrize(("trade", "levels"), [(5, 0), (6, 1), (10, 1), (11, 2), (16, 3), (21, 4)])
def test_levels_need_trade(trade: int, levels: int) -> None:
    """X2, C161, C44: 6, 11, 16, 21, 26."""
    from core.games.civilization.research import studies
    from core.games.civilization.wealth import TECH_LEVELS

    stage = Stage().tech(0, f"{LOW} philosophy metalworking {MIDDLE} mathematics {HIGH} combustion")
    stage.has(0, trade=trade)
    assert max([TECH_LEVELS[at] for at in studies(stage.table, 0)], default=0) == levels


def test_porcelain_tower_needs_five_less() -> None:
    """3.4 porcelain_tower, E108, C165: not while it is blockaded."""
    stage = Stage().city(0, "2.2").mark("porcelain_tower", "1.1").has(0, trade=1).phase("research")
    assert stage.asks == "research"
    blocked = Stage().city(0, "2.2").mark("porcelain_tower", "1.1").army(1, "1.1").has(0, trade=1)
    blocked.phase("research")
    assert blocked.asks != "research"


def test_each_card_lies_on_two() -> None:
    """C162: level 2 needs two, a second one three."""
    stage = Stage().tech(0, "pottery writing")
    assert has_room(stage.table, 0, 10)
    stage.tech(0, "chivalry")
    assert not has_room(stage.table, 0, 12)
    stage.tech(0, "masonry")
    assert has_room(stage.table, 0, 12)


def test_the_start_technology_lies_in_the_bottom_row() -> None:
    """E109, C21, E110: Construction and one of level 1 make room for one of level 2."""
    stage = Stage("egypt china").tech(0, "construction pottery")
    assert has_room(stage.table, 0, 10)
    other = Stage("rome china").tech(0, "construction pottery")
    assert not has_room(other.table, 0, 10)


def test_a_technology_is_learned_once() -> None:
    """C166."""
    stage = learning(9, 0, "pottery")
    assert "learn pottery" not in stage.texts()
    assert stage.refuses(Action("learn", (), 8))


def test_those_who_can_choose_do_so_in_secret() -> None:
    """C160, D11, IW11: a Secret of two, a Choice of one."""
    stage = Stage("germany china russia").has(0, trade=9).has(2, trade=9).phase("research")
    assert stage.pending == Secret((0, 2))
    stage.do("0: learn pottery", "2: none")
    assert [stage.get("seat0.trade"), stage.get("seat2.trade")] == [0, 9]
    assert learning(9).pending == Choice(0)


def test_a_technology_works_at_once() -> None:
    """C165, C170, C75, 3.2: hand limits, ranks, governments."""
    stage = Stage()
    before = hand_limit(stage.table, 0)
    for key in (8, 11, 28):
        learn(stage.table, 0, key)
    assert hand_limit(stage.table, 0) == before + 3
    assert is_unlocked(stage.table, 0, 7)


@pytest.mark.parametrize(
    ("technology", "kind", "level"),
    [("democracy", 0, 2), ("gunpowder", 0, 3), ("replaceable_parts", 0, 4), ("chivalry", 1, 2),
     ("railroad", 1, 3), ("combustion", 1, 4), ("mathematics", 2, 2), ("metal_casting", 2, 3),
     ("ballistics", 2, 4), ("flight", 3, 1)],
)  # fmt: skip
def test_units_are_upgraded(technology: str, kind: int, level: int) -> None:
    """C167, C7, 3.2: all own units of the type at once."""
    stage = Stage().tech(0, technology)
    assert rank(stage.table, 0, kind) == level


def test_ranks_never_fall() -> None:
    """X6, C167: Chivalry after Railroad."""
    assert rank(Stage().tech(0, "railroad chivalry").table, 0, 1) == 3


def test_computers_add_hand_limit_for_five_coins() -> None:
    """3.2 computers, C75."""
    stage = Stage().tech(0, "computers")
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = 4
    assert hand_limit(stage.table, 0) == 3


def test_germany_gets_a_unit_and_a_token() -> None:
    """C168, 3.6 Germany, C169: of its choice; not if the rank was higher before."""
    stage = Stage("germany china").city(0, "2.2").tech(0, LOW).has(0, trade=12).phase("research")
    stage.do("learn chivalry")
    assert stage.asks == "choose_gift"
    stage.do("gift silk")
    assert [key.split(".")[0] for key in stage.cards("seat0.forces")] == ["mounted"]
    assert stage.get("seat0.tokens.1") == 1
    late = Stage("germany china").city(0, "2.2").tech(0, LOW + " railroad").has(0, trade=12)
    late.phase("research").do("learn chivalry")
    assert late.cards("seat0.forces") == []


def test_germanys_gift_lapses_where_nothing_is_left() -> None:
    """E46, C168."""
    stage = Stage("germany china").city(0, "2.2").tech(0, LOW).has(0, trade=12)
    stage.table.zones[23] += stage.table.zones[1]
    stage.table.zones[1] = []
    stage.has(1, iron=2, silk=2, incense=2, wheat=2).phase("research").do("learn chivalry")
    assert stage.cards("seat0.forces") == []
    assert stage.asks != "choose_gift"


def test_banks_turned_by_banking_keep_trade() -> None:
    """C164: coins of buildings that it upgrades count as well."""
    stage = Stage().city(0, "2.2").mark("market", "1.1").tech(0, LOW + " chivalry monarchy")
    stage.has(0, trade=16).phase("research").do("learn banking")
    assert stage.lies("1.1") == "bank"
    assert stage.get("seat0.trade") == 1


# ---- victories ----


def astronaut(seat: int, stage: Stage) -> Stage:
    """All that Space Flight lies on."""
    return stage.tech(seat, f"{LOW} {MIDDLE} {HIGH} {TOP}").has(seat, trade=26)


def test_space_flight_wins() -> None:
    """C163, C174, C162: 5, 4, 3, 2 below it."""
    stage = astronaut(0, Stage()).phase("research").do("learn space_flight")
    assert stage.ended == (2, 0)
    assert not has_room(Stage().tech(0, f"{LOW} {MIDDLE} {HIGH} combustion").table, 0, 36)


def test_two_space_flights() -> None:
    """E112, C176: more trade left after paying; it precedes coins learned in the same opening."""
    stage = astronaut(1, astronaut(0, Stage("germany china russia")))
    names = stage.table.layout.counters
    stage.table.counters[names.index("seat1.sheet.coins")] = 3
    stage.phase("research").do("0: learn space_flight", "1: learn space_flight")
    assert stage.ended == (2, 1)


def test_fifteen_coins_win_at_once() -> None:
    """C173, C139, C175: the active seat first, then clockwise."""
    stage = Stage().city(0, "2.2").city(1, "10.10").tech(1, "democracy").tech(0, "democracy")
    names = stage.table.layout.counters
    stage.table.counters[names.index("seat0.sheet.coins")] = 14
    stage.has(0, trade=6).phase("city").do("task democracy")
    assert stage.ended == (3, 0)


def test_fourteen_coins_do_not_win() -> None:
    """C173, E114: only what stands decides."""
    stage = Stage().city(0, "2.2").tech(0, "democracy").has(0, trade=6)
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = 13
    stage.phase("city").do("task democracy")
    assert stage.ended == (0, 0)


def test_a_game_ends_after_so_many_turns() -> None:
    """C177, C178, D15: nobody wins, nobody has a point."""
    stage = Stage(max_turns=6).city(0, "2.2").city(1, "10.10")
    stage.table.counters[1] = 6
    stage.phase("research")
    assert stage.ended == (6, -1)
    from core.games.civilization.ending import scores, winners

    assert scores(stage.table) == (0, 0)
    assert winners(stage.table) == (0, 1)


def test_the_marker_passes_to_the_left() -> None:
    """C28, C27, C29: what is once per turn begins anew."""
    stage = Stage().city(0, "2.2").city(1, "10.10")
    stage.table.counters[stage.table.layout.counters.index("seat0.used")] = 7
    stage.phase("research")
    assert [stage.get("first"), stage.get("turn"), stage.get("seat0.used")] == [1, 2, 0]
