"""Section 4.3: who may be asked by what everybody sees; what an answer costs and counts as."""

from __future__ import annotations

from core.games.civilization import powers
from core.games.civilization.wealth import is_used
from tests.core.games.civilization.stage import ALL_GUARDS, Stage
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_windows import currency, drought, three


def army_made(answering: Stage) -> Stage:
    """Seat 0 makes an army; seat 1 knows Writing."""
    answering.tech(1, "writing").ground("f.", "0.0", "1.0", "2.0").phase("city")
    return answering.do("make army 0", "site 2.2")


def on_the_way(answering: Stage, start: str = "7.8", aim: str = "9.8") -> Stage:
    """Armies of seat 0 set off; seat 1 wants to be asked about all moves."""
    return (
        answering.army(0, start, 2).has(1, guard=64).phase("move")
        .do(f"move {start} 2+0", f"go {aim}")
    )  # fmt: skip


# ---- who may be asked ----


def test_a_gift_event_may_be_a_spy_and_an_open_marker_is_what_it_shows() -> None:
    """4.3, IW2: Writing with any event card; not with an open marker that is no spy."""
    stage = army_made(three().holds(1, "drought"))
    assert (stage.asks, stage.asked) == ("window", 1)
    assert stage.texts() == ["pass"]
    shown = three().holds(1, "hut.iron")
    card = shown.find("hut.iron", shown.table.layout.zone_index["seat1.tokens"])
    shown.table.turn_up((card,), [shown.deal[card]])
    assert army_made(shown).asks != "window"
    hidden = army_made(three().holds(1, "hut.iron"))
    assert (hidden.asks, hidden.texts()) == ("window", ["pass"])


def test_an_ancient_event_answers_no_ability() -> None:
    """4.3, IW3: without Mass Media only a modern card can."""
    assert currency(three().holds(1, "bread_and_circuses")).asks != "window"


def test_defection_needs_somebody_in_range_at_some_place_of_the_way() -> None:
    """4.3, IW4: 4 squares from an own city; only at the places where it is so."""
    assert on_the_way(base().holds(1, "lost")).asks != "window"
    far = on_the_way(base().holds(1, "defection"), start="14.7", aim="14.9")
    assert far.asks != "window"
    stage = on_the_way(base().holds(1, "defection"), start="14.8", aim="14.10")
    assert (stage.asks, stage.asked) == ("window", 1)
    assert stage.offered("answer") == ["2 defection"]


def test_communism_stops_nobody_on_a_hut() -> None:
    """IW4, 3.1 communism: on the squares of the way where the group meets nobody."""
    stage = on_the_way(base().mark("hut", "9.8").tech(1, "communism").holds(1, "hut.spy"))
    assert stage.offered("answer") == ["0 hut.spy", "1 hut.spy"]


def test_an_ability_without_a_gift_has_one_answer() -> None:
    """4.2 item 4: Primetime TV cancels the ability; there is no gift to cancel."""
    stage = currency(three().holds(1, "primetime_tv jousting_tourney"))
    assert stage.offered("answer") == ["0 primetime_tv"]


# ---- what an answer counts as ----


def used(stage: Stage, seat: int) -> list[str]:
    """The abilities that a seat has used in this turn."""
    return [key for at, key in enumerate(powers.POWER_KEYS) if is_used(stage.table, seat, at)]


def test_an_answer_uses_its_own_ability_up() -> None:
    """C86, IW1 to IW4: Writing, Civil Service, Mass Media, Communism, once a turn each."""
    every = "writing civil_service mass_media communism"
    stage = army_made(three().tech(1, every).holds(1, "hut.spy village.spy"))
    stage.do("1: answer 0 hut.spy")
    assert used(stage, 1) == [powers.POWER_KEYS[powers.WRITING]]
    event = drought(three().tech(1, every).holds(1, "hut.spy")).do("1: answer 0 hut.spy")
    assert used(event, 1) == [powers.POWER_KEYS[powers.CIVIL_SERVICE_POWER]]
    ability = currency(three().tech(1, every).holds(1, "hut.spy")).do("1: answer 0 hut.spy")
    assert used(ability, 1) == [powers.POWER_KEYS[powers.MASS_MEDIA_POWER]]
    leg = on_the_way(base().army(0, "3.3").tech(1, every).holds(1, "hut.spy"))
    leg.do("1: answer 1 hut.spy")
    assert used(leg, 1) == [powers.POWER_KEYS[powers.COMMUNISM]]
    assert leg.rests("8.8") == (0, 2, 0), "frozen half-way"
    gift = three().tech(0, "construction").tech(1, every).holds(1, "hut.spy")
    gift.holds(0, "generous_gift").phase("city").do("power construction generous_gift")
    gift.do("1: answer 1 hut.spy")
    assert used(gift, 1) == [powers.POWER_KEYS[powers.CIVIL_SERVICE_POWER]]


def test_a_gift_that_pays_for_an_answer_can_be_cancelled() -> None:
    """4.2 item 3 and 4, E141: a marker that pays for one cannot."""
    stage = three().tech(1, "civil_service").holds(1, "generous_gift").holds(2, "jousting_tourney")
    drought(stage).do("1: answer 0 generous_gift")
    assert (stage.asks, stage.asked) == ("window", 2)
    assert stage.offered("answer") == ["1 jousting_tourney"]
    stage.do("answer 1 jousting_tourney")
    assert used(stage, 1) == []
    marker = three().tech(1, "civil_service").holds(1, "hut.spy").holds(2, "jousting_tourney")
    drought(marker).do("1: answer 0 hut.spy")
    assert marker.asks != "window"


def test_a_group_that_is_stopped_or_gone_is_not_answered_again() -> None:
    """4.2, IW4: after Communism the square is frozen; after Defection nobody is left."""
    stage = base().tech(1, "communism").holds(1, "hut.spy").holds(1, "mass_defection")
    on_the_way(stage).do("1: answer 1 hut.spy")
    assert stage.asks != "window"
    gone = base("germany russia china").army(0, "7.8").army(1, "8.10").holds(1, "defection")
    gone.city(2, "1.14").holds(2, "mass_defection").army(2, "8.9").has(2, guard=ALL_GUARDS)
    gone.has(1, guard=64).phase("move").do("move 7.8 1+0", "go 9.8", "1: answer 0 defection")
    gone.do("target seat0.army 7.8", "2: pass")
    assert gone.rests("7.8") == (-1, 0, 0)
    assert gone.asks != "window"
