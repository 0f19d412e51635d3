"""Components one by one: buildings and their upgrades, people, and rules about all of them."""

from __future__ import annotations

import pytest

from core.games.civilization.faces import TECH_KEYS
from core.games.civilization.learning import learn
from core.games.civilization.wealth import arts, coins, combat_bonus, hand_limit, output
from tests.core.games.civilization.stage import Stage, at
from tests.core.games.civilization.test_battles import attack, field


@pytest.mark.parametrize(
    ("building", "icons"),
    [
        ("harbor", (2, 1, 0, 0, 0)),
        ("trading_post", (2, 0, 1, 0, 0)),
        ("workshop", (0, 3, 0, 0, 0)),
        ("iron_mine", (0, 4, 0, 0, 0)),
        ("library", (1, 0, 1, 0, 0)),
        ("university", (2, 0, 2, 0, 0)),
        ("granary", (1, 1, 0, 0, 0)),
        ("aqueduct", (2, 2, 0, 0, 0)),
        ("market", (1, 1, 1, 0, 0)),
        ("bank", (1, 1, 1, 1, 0)),
        ("temple", (0, 0, 2, 0, 0)),
        ("cathedral", (0, 0, 3, 0, 0)),
        ("barracks", (2, 0, 0, 0, 2)),
        ("academy", (2, 0, 0, 0, 4)),
        ("artist", (1, 0, 2, 0, 0)),
        ("builder", (0, 2, 0, 1, 0)),
        ("general", (0, 0, 0, 0, 4)),
        ("humanitarian", (1, 1, 1, 1, 0)),
        ("industrialist", (0, 0, 2, 1, 0)),
        ("scientist", (2, 1, 0, 0, 0)),
    ],
)
def test_every_building_and_person_yields_its_icons(building: str, icons: tuple[int, ...]) -> None:
    """C52, C63, C114, C139: in place of the icons of the ground: trade, production, culture,
    coin, combat."""
    stage = Stage().city(0, "2.2").ground("f*", "1.1").mark(building, "1.1")
    found = [output(stage.table, 0, 0, good) for good in range(3)]
    assert (*found, coins(stage.table, 0), combat_bonus(stage.table, 0)) == icons


@pytest.mark.parametrize(
    ("basic", "technology", "better"),
    [("workshop", "railroad", "iron_mine"), ("library", "printing_press", "university"),
     ("granary", "engineering", "aqueduct"), ("market", "banking", "bank"),
     ("temple", "theology", "cathedral"), ("barracks", "military_science", "academy")],
)  # fmt: skip
def test_every_upgrade_turns_the_basic_building(basic: str, technology: str, better: str) -> None:
    """C69: at once; others' buildings stay."""
    stage = Stage().city(0, "2.2").city(1, "10.10").mark(basic, "1.1", "9.9")
    learn(stage.table, 0, TECH_KEYS.index(technology))
    assert [stage.lies("1.1"), stage.lies("9.9")] == [better, basic]


@pytest.mark.parametrize(
    ("technology", "item", "ground"),
    [("navigation", "harbor", "w."), ("code_of_laws", "trading_post", "d."),
     ("construction", "workshop", "m."), ("railroad", "iron_mine", "m."),
     ("writing", "library", "g."), ("printing_press", "university", "g."),
     ("pottery", "granary", "g."), ("engineering", "aqueduct", "g."), ("currency", "market", "f."),
     ("banking", "bank", "m."), ("philosophy", "temple", "d."), ("theology", "cathedral", "g."),
     ("metalworking", "barracks", "f."), ("military_science", "academy", "d.")],
)  # fmt: skip
def test_every_building_is_unlocked_by_its_technology(
    technology: str, item: str, ground: str
) -> None:
    """C61, C69: the basic form's technology is not needed for the upgraded one."""
    around = ["1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3", "3.3"]
    stage = Stage("america china").city(0, "2.2").ground(ground, *around)
    stage.has(0, trade=27).tech(0, technology)
    stage.phase("city")
    assert f"{item} 0" in stage.offered("make")
    without = Stage().city(0, "2.2").ground(ground, *around).has(0, trade=27).phase("city")
    assert f"{item} 0" not in without.offered("make")


def test_theology_adds_to_the_hand_and_unlocks_fundamentalism() -> None:
    """3.2 theology."""
    stage = Stage().tech(0, "theology")
    assert hand_limit(stage.table, 0) == 3


def test_figures_of_two_seats_never_share_a_square() -> None:
    """C107: whoever enters fights, or is not let in."""
    stage = attack(field().holds(0, "infantry.3").holds(1, "mounted.1"))
    while stage.asks in ("fight", "front"):
        stage.do(stage.texts()[-1])
    assert stage.rests("9.8")[0] in (0, 1)


def test_there_is_no_retreat_and_no_passing() -> None:
    """C122, C117, IW7: units have to be played until none is left; the opponent has his turns."""
    stage = attack(field().holds(0, "infantry.3").holds(1, "mounted.1"))
    assert (stage.asks, stage.asked, stage.texts()) == ("fight", 1, ["play mounted.1"])
    stage.do("play mounted.1", "new")
    assert (stage.asks, stage.asked, stage.texts()) == ("fight", 0, ["play infantry.3"])


def test_survivors_go_home_and_the_dead_lie_under_their_decks() -> None:
    """C132: wounds are gone."""
    stage = attack(field().holds(0, "infantry.3").holds(1, "mounted.1"))
    stage.do("play mounted.1", "new", "play infantry.3", "front 1")
    assert stage.cards("seat0.forces") == ["infantry.3"]
    assert stage.cards("dead.mounted") == ["mounted.1"]
    assert not any(stage.table.counters[stage.table.layout.counters.index(f"wounds.{card}")]
                   for card in range(53))  # fmt: skip


def test_nothing_else_is_compulsory() -> None:
    """C182: every segment can be ended at once, research left out."""
    stage = Stage().city(0, "2.2").army(0, "8.8").has(0, trade=9, culture=9)
    stage.tech(0, "code_of_laws").phase("start")
    for kind in ("start", "trade"):
        assert stage.asks == kind
        stage.do("end")
    stage.do("end") if stage.asks == "trade" else None
    assert "end" in stage.texts()
    stage.do("end", "end")
    assert "none" in stage.texts()


def test_a_building_of_a_city_that_has_acted_yields_later() -> None:
    """E132, C52: its trade with the next collection; its coin at once."""
    stage = Stage().city(0, "2.2").city(0, "8.8").ground("f.", "2.1", "3.1", "1.2", "3.2", "1.3")
    stage.tech(0, "banking").phase("city").do("make bank 0", "site 1.1")
    assert coins(stage.table, 0) == 1
    assert stage.get("seat0.trade") == 0


def test_a_revolt_belongs_to_the_start_of_a_turn() -> None:
    """E133: it cannot be played or cancelled later, when cities act."""
    stage = Stage().city(0, "2.2").city(1, "10.10").holds(0, "revolt").phase("city")
    assert not stage.offered("event")


def test_squares_send_without_being_asked() -> None:
    """D8, C146: with one city nothing is offered, with two nobody is asked for it."""
    one = Stage().city(0, "2.2").scout(0, "8.8").holds(0, "sabotage").phase("start")
    assert not one.offered("direct")
    two = Stage().city(0, "2.2").city(0, "5.5").scout(0, "12.12").phase("start")
    assert two.asks != "start"


def test_limits_are_judged_at_rest() -> None:
    """D9, C155: a moving group counts where it began until its move has ended."""
    stage = Stage().city(0, "2.2").city(1, "10.10").ground("d.", "9.9").army(0, "9.9")
    assert output(stage.table, 1, 0, 0) == 0
    stage.phase("move").do("move 9.9 1+0", "via 8.9")
    assert output(stage.table, 1, 0, 0) == 0
    stage.do("go 7.9")
    assert output(stage.table, 1, 0, 0) == 1
    assert stage.rests("7.9") == (0, 1, 0)


def test_obsolete_wonders_keep_their_culture_and_their_place() -> None:
    """C158, C64."""
    stage = Stage().city(0, "2.2").mark("oracle", "1.1")
    stage.table.counters[stage.table.layout.counters.index("obsolete")] = 1 << 3
    assert arts(stage.table, 0, 0) == 2
    stage.ground("f.", "2.1", "3.1", "1.2", "3.2", "1.3").has(0, trade=27).market("colossus")
    stage.phase("city").do("make colossus 0")
    assert stage.offered("site") == ["1.1"]
    assert at("1.1") == 17


def test_a_square_that_a_seat_has_left_is_nobodys() -> None:
    """C107, C152: also that of the fourth seat."""
    from core.games.civilization.figures import set_figure

    stage = Stage("germany china russia rome").city(0, "2.2").ground("d.", "1.1")
    for seat in (1, 2, 3):
        stage.army(seat, "1.1")
        assert output(stage.table, 0, 0, 0) == 0
        set_figure(stage.table, seat, 0, -1)
        assert output(stage.table, 0, 0, 0) == 1
