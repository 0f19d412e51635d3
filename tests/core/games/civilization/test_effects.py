"""What events, abilities and technologies do besides what one thinks of first."""

from __future__ import annotations

from core.games.civilization.faces import TECH_KEYS
from core.games.civilization.layout import BOX, UNIT_DEAD, UNIT_DECK
from core.games.civilization.learning import learn
from core.games.civilization.wealth import has_wonder, production
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.test_battles import attack, field
from tests.core.games.civilization.test_windows import three

MOUNTED = 1
LOW = "pottery writing masonry currency metalworking horseback_riding"


def with_one_left(stage: Stage, kind: int) -> Stage:
    """The deck of a unit type has one card; all others of it are dead."""
    zones = stage.table.zones
    zones[UNIT_DEAD + kind] += zones[UNIT_DECK + kind][1:]
    del zones[UNIT_DECK + kind][1:]
    return stage


# ---- events and abilities ----


def test_code_of_laws_holds_four_coins() -> None:
    """C134, C141: not a fifth one."""
    stage = attack(field().tech(1, "code_of_laws").set("seat1.task.times.0", 3))
    assert stage.coins(1) == 1
    full = attack(field().tech(1, "code_of_laws").set("seat1.task.times.0", 4))
    assert full.coins(1) == 0


def test_gunpowder_may_end_a_medieval_wonder() -> None:
    """3.1 gunpowder, C158: its ability; no modern one."""
    stage = Stage("germany russia").city(0, "1.1").city(1, "14.1").tech(0, "gunpowder")
    stage.mark("louvre", "13.1").mark("united_nations", "13.2").mark("library", "13.0")
    stage.has(0, iron=2).phase("city").do("power gunpowder")
    while stage.asks == "pay":
        stage.do("pay iron")
    assert "united_nations" not in stage.offered("target")
    stage.do("target louvre")
    assert not has_wonder(stage.table, 1, 6)
    assert stage.lies("13.1") == "louvre"


def test_atomic_theory_wakes_no_capital_in_anarchy() -> None:
    """3.1 atomic_theory, C41, E53."""
    stage = three().city(0, "5.5").tech(0, "atomic_theory").holds(0, "village.uranium")
    stage.set("seat0.idle", 1).phase("city").do("power atomic_theory:actions village.uranium")
    assert [stage.get("seat0.actions0"), stage.get("seat0.actions1")] == [0, 2]


def test_a_unit_killed_by_monarchy_fills_an_empty_deck() -> None:
    """3.1 monarchy, C60: at once."""
    stage = three().tech(0, "monarchy").has(0, silk=1).holds(1, "mounted.2")
    zones = stage.table.zones
    zones[BOX] += zones[UNIT_DECK + MOUNTED]
    zones[UNIT_DECK + MOUNTED] = []
    stage.phase("city").do("power monarchy")
    assert [len(zones[UNIT_DECK + MOUNTED]), len(zones[UNIT_DEAD + MOUNTED])] == [1, 0]


def test_pushed_figures_free_the_square_at_once() -> None:
    """3.3 disoriented, E77, C157: the city has it again; not into a centre, onto water or a hut."""
    stage = three().ground("f.", "2.2").ground("w.", "3.2").mark("hut", "3.3").army(1, "2.2")
    stage.holds(0, "disoriented").phase("city")
    assert production(stage.table, 0, 0) == 0
    stage.do("event disoriented")
    assert not {"1.1", "3.2", "3.3", "2.2"} & set(stage.offered("target"))
    stage.do("target 2.3")
    assert production(stage.table, 0, 0) == 2


def test_out_of_anarchy_one_may_come_back_to_despotism() -> None:
    """C40, E32: legal, if useless; not without Anarchy."""
    stage = Stage().city(0, "2.2").holds(0, "drought").ground("f.", "5.5").set("turn", 3)
    assert not stage.phase("start").offered("government")
    stage.rules_by(0, "anarchy").set("seat0.anarchy", 2).phase("start")
    assert stage.offered("government") == ["despotism"]
    stage.do("government despotism")
    assert stage.get("seat0.government") == 0


# ---- technologies ----


def researching(known: str, *, coins: int = 0, seat: int = 0) -> Stage:
    """Both seats can research; it was this seat's move last."""
    stage = Stage("russia china").city(0, "2.2").city(1, "10.10")
    for each in (0, 1):
        stage.tech(each, known).has(each, trade=26).set(f"seat{each}.sheet.coins", coins)
    return stage.phase("research", seat)


def test_a_technology_unlocks_a_government_for_the_next_turn() -> None:
    """C39, C160: and one without a government unlocks none."""
    stage = researching(LOW).do("0: learn chivalry", "1: none")
    assert (stage.asks, stage.asked) == ("start", 0)
    assert stage.offered("government") == ["feudalism"]
    before = Stage().city(0, "2.2")
    after = Stage().city(0, "2.2")
    learn(after.table, 0, TECH_KEYS.index("pottery"))
    names = after.table.layout.counters
    changed = {
        names[at]
        for at, pair in enumerate(zip(before.table.counters, after.table.counters, strict=True))
        if pair[0] != pair[1]
    }
    assert changed <= {"seat0.technologies.low", "check"}


def test_a_coin_that_research_brings_wins_at_once() -> None:
    """C173, C175, 3.2 civil_service: among two, whose turn in the order is first (C169)."""
    stage = researching(LOW, coins=14).do("0: none", "1: learn civil_service")
    assert stage.ended == (3, 1)
    both = researching(LOW, coins=14, seat=1)
    both.do("0: learn civil_service", "1: learn civil_service")
    assert both.ended == (3, 0)


def test_who_picks_nothing_learns_nothing() -> None:
    """C160, C166."""
    stage = researching(LOW)
    was = [stage.get(f"seat0.technologies.{word}") for word in ("low", "high")]
    stage.do("0: none", "1: learn chivalry")
    assert [stage.get(f"seat0.technologies.{word}") for word in ("low", "high")] == was


def test_an_upgrade_turns_only_its_own_basic_buildings() -> None:
    """C69: Code of Laws unlocks the Trading Post, and leaves a Harbor what it is."""
    stage = Stage().city(0, "2.2").ground("w.", "1.1").mark("harbor", "1.1")
    learn(stage.table, 0, TECH_KEYS.index("code_of_laws"))
    assert stage.lies("1.1") == "harbor"


def test_only_germany_and_only_for_units() -> None:
    """C168: nobody else, and no gift for a technology that raises no unit."""
    stage = Stage("russia china").city(0, "2.2").tech(0, LOW).has(0, trade=12).phase("research")
    stage.do("learn chivalry")
    assert stage.cards("seat0.forces") == []
    peaceful = Stage("germany china").city(0, "2.2").has(0, trade=12).phase("research")
    peaceful.do("learn pottery")
    assert peaceful.asks != "choose_gift"


def test_germanys_token_comes_from_the_market_once() -> None:
    """C168, C60: and a deck that its unit leaves empty is filled at once."""
    stage = Stage("germany china").city(0, "2.2").tech(0, LOW).has(0, trade=12)
    with_one_left(stage, MOUNTED).phase("research").do("learn chivalry", "gift silk")
    assert stage.asks != "choose_gift"
    assert [stage.get("market.1"), stage.get("seat0.tokens.1")] == [1, 1]
    assert len(stage.table.zones[UNIT_DECK + MOUNTED]) == 14
