"""Trade: collecting, deals in small steps, Horseback Riding."""

from __future__ import annotations

import pytest

from core.chance import Chance
from core.games.civilization import course
from core.games.civilization.wealth import trade_income
from core.requests import Action
from tests.core.games.civilization.stage import Stage


@pytest.mark.parametrize(("before", "icons", "after"), [(0, 12, 12), (3, 3, 6), (25, 6, 27)])
def test_the_dial_stops_at_27(before: int, icons: int, after: int) -> None:
    """X2, C43, C44, E15, C184: the excess is lost."""
    stage = Stage().city(0, "2.2").city(0, "8.8").has(0, trade=before)
    squares = ["1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3", "3.3", "7.7", "8.7", "9.7", "7.8"]
    stage.ground("d.", *squares[:icons])
    course.collect(stage.table, 0)
    assert stage.get("seat0.trade") == after


@pytest.mark.parametrize(
    ("form", "income"), [("despotism", 1), ("democracy", 3), ("fundamentalism", 0)]
)
def test_governments_change_what_is_collected(form: str, income: int) -> None:
    """C43, E16, 3.5 Democracy and Fundamentalism: never below 0."""
    stage = Stage().city(0, "2.2").ground("d.", "1.1").rules_by(0, form)
    assert trade_income(stage.table, 0) == income


def test_a_blockaded_square_yields_no_trade() -> None:
    """C43, C152: by an army or a scout."""
    stage = Stage().city(0, "2.2").ground("d.", "1.1", "3.3").scout(1, "1.1").army(1, "3.3")
    assert trade_income(stage.table, 0) == 0


def test_a_deal_is_a_row_and_an_answer() -> None:
    """C45, C46, C48, IW5, D6: executed at once and completely."""
    stage = Stage().has(0, trade=5, silk=1).has(1, culture=4).phase("trade")
    stage.do("offer seat1", "give trade 3", "give silk 1", "ask culture 4", "done", "1: accept")
    assert [stage.get("seat0.trade"), stage.get("seat1.trade")] == [2, 3]
    assert [stage.get("seat0.tokens.1"), stage.get("seat1.tokens.1")] == [0, 1]
    assert [stage.get("seat0.culture"), stage.get("seat1.culture")] == [4, 0]


def test_a_refused_deal_changes_nothing_and_two_offers_are_all() -> None:
    """C48: at most two in a floor; then the floor passes on."""
    stage = Stage().has(0, trade=5).phase("trade")
    for _ in range(2):
        assert stage.asked == 0
        stage.do("offer seat1", "give trade 3", "done", "refuse")
    assert stage.get("seat0.trade") == 5
    assert stage.asks != "trade" or stage.asked == 1


def test_a_gift_is_a_deal_and_nothing_is_not() -> None:
    """C46: one-sided gifts are allowed."""
    stage = Stage().has(0, trade=5).phase("trade").do("offer seat1")
    assert "done" not in stage.texts()
    assert stage.refuses(Action("done"))
    stage.do("give trade 1", "done", "accept")
    assert stage.get("seat1.trade") == 1


def test_what_is_all_alike_stands_on_one_side_of_a_deal() -> None:
    """C48: six trade for two is a gift of four, so only the difference can be named."""
    stage = Stage().has(0, trade=9, silk=1).has(1, trade=5, silk=2).phase("trade")
    stage.do("offer seat1", "give trade 6")
    asked = {text.split()[1] for text in stage.texts() if text.startswith("ask")}
    assert asked == {"silk"}
    assert stage.refuses(Action("ask", (), 2))
    stage.do("ask silk 2", "done", "accept")
    assert [stage.get(f"seat{seat}.trade") for seat in (0, 1)] == [3, 11]
    assert [stage.get(f"seat{seat}.tokens.1") for seat in (0, 1)] == [3, 0]


def test_a_receiver_stops_at_27() -> None:
    """C47."""
    stage = Stage().has(0, trade=9).has(1, trade=25).phase("trade")
    stage.do("offer seat1", "give trade 9", "done", "accept")
    assert stage.get("seat1.trade") == 27


def test_only_what_may_change_hands_can_be_named() -> None:
    """C45: no coins, technologies, units, figures, wonders or great people."""
    stage = Stage().has(0, trade=2, culture=1, iron=1, wheat=1).holds(0, "drought lost think_tank")
    stage.holds(0, "hut.spy village.uranium mounted.2").sheet(0, "artist").tech(0, "pottery")
    stage.phase("trade").do("offer seat1")
    kinds = {text.split()[1] for text in stage.texts() if text.startswith("give")}
    assert kinds == {"trade", "culture", "iron", "wheat", "hut", "village", "event.ancient",
                     "event.medieval", "event.modern"}  # fmt: skip


def test_a_hut_marker_is_picked_by_the_giver_and_seen_by_the_receiver_alone() -> None:
    """C49, E19, D7: three seats; the third learns nothing."""
    stage = Stage("germany china russia").holds(0, "hut.spy hut.silk").has(1, trade=3)
    stage.phase("trade").do("offer seat1", "give hut 1", "ask trade 3", "done", "accept")
    assert stage.asks == "hand_over_one"
    assert sorted(stage.offered("hand")) == ["hut.silk", "hut.spy"]
    card = stage.action("hand hut.spy", 0).cards[0]
    stage.do("hand hut.spy")
    assert stage.cards("seat1.tokens") == ["hut.spy"]
    assert stage.table.seen[card] & 0b111 == 0b011
    assert stage.is_hidden(card)


def test_only_a_card_of_the_kind_that_was_agreed_on_is_handed_over() -> None:
    """C49: refused at once, the kind is on the back."""
    stage = Stage().holds(0, "hut.spy hut.silk village.uranium").has(1, trade=3).phase("trade")
    stage.do("offer seat1", "give hut 1", "ask trade 3", "done", "accept")
    wrong = stage.find("village.uranium", stage.table.layout.zone_index["seat0.tokens"])
    assert stage.refuses(Action("hand", (wrong,)))


def test_a_hut_for_a_hut_is_not_the_same_hut() -> None:
    """C46, C49: what was just received is not given back."""
    stage = Stage().holds(0, "hut.spy").holds(1, "hut.silk hut.iron").phase("trade")
    stage.do("offer seat1", "give hut 1", "ask hut 1", "done", "accept", "hand hut.iron")
    assert stage.cards("seat0.tokens") == ["hut.iron"]
    assert stage.cards("seat1.tokens") == ["hut.silk", "hut.spy"]


@pytest.mark.parametrize("seed", range(6))
def test_an_event_for_an_event_of_its_era_changes_hands(seed: int) -> None:
    """C46, C49: hands are mixed when the deal is done, so the card just received stays."""
    stage = Stage().holds(0, "sabotage").holds(1, "drought")
    stage.chance = Chance(seed)
    stage.phase("trade")
    stage.do("offer seat1", "give event.ancient 1", "ask event.ancient 1", "done", "accept")
    assert [stage.cards(f"seat{seat}.events") for seat in (0, 1)] == [["drought"], ["sabotage"]]


def test_a_marker_shown_stays_open() -> None:
    """C49, E18: who wants to sell a spy turns it up first."""
    stage = Stage().holds(0, "hut.spy").has(0, trade=1).phase("trade").do("show hut.spy")
    card = stage.find("hut.spy", stage.table.layout.zone_index["seat0.tokens"])
    assert not stage.is_hidden(card)
    assert stage.refuses(Action("show", (card,)))


def test_an_event_received_at_the_limit_makes_one_discard_at_once() -> None:
    """E21, C47, C76, IW10, E139: also the new card may go."""
    stage = Stage().holds(0, "lost").holds(1, "defection drought").has(0, trade=1).phase("trade")
    stage.do("offer seat1", "give event.medieval 1", "done", "accept")
    while stage.asks == "guarding":
        stage.do("end")
    assert (stage.asks, stage.asked) == ("discard", 1)
    assert sorted(stage.offered("discard")) == ["defection", "drought", "lost"]
    stage.do("discard lost")
    assert stage.cards("discard.medieval") == ["lost"]


def test_a_deal_is_completed_before_hands_are_looked_at() -> None:
    """C46, C47: an event for an event at the hand limit; nobody has to discard."""
    stage = Stage().holds(0, "defection drought").holds(1, "sabotage").phase("trade")
    stage.do("offer seat1", "give event.ancient 1", "ask event.ancient 1", "done", "accept")
    assert stage.asks == "hand_over_one"
    stage.do("hand drought")
    assert stage.cards("seat0.events") == ["defection", "sabotage"]
    assert stage.cards("seat1.events") == ["drought"]


def test_no_deals_takes_a_seat_out() -> None:
    """C48, 4.4: no partner, and its floor is skipped."""
    stage = Stage("germany china russia").has(0, trade=3, guard=0b100000000).has(1, trade=1)
    stage.phase("trade", 1)
    assert stage.offered("offer") == ["seat2"]
    alone = Stage().has(0, trade=3, guard=0b100000000).phase("trade")
    assert alone.asks != "trade"


def test_three_way_deals_are_two_deals() -> None:
    """E22, E20: promises are not known to the rules."""
    stage = Stage("germany china russia").has(0, trade=4).phase("trade")
    stage.do("offer seat1", "give trade 1", "done", "1: accept")
    stage.do("0: offer seat2", "give trade 1", "done", "2: accept")
    assert [stage.get(f"seat{seat}.trade") for seat in range(3)] == [2, 1, 1]


def test_horseback_riding_gives_nine_and_six() -> None:
    """3.1 horseback_riding, C86, E17, C83: a name must be given; the silk is back in the market."""
    stage = Stage("germany china russia").tech(0, "horseback_riding").has(0, silk=1)
    stage.has(1, trade=27).has(2, trade=27).phase("trade")
    before = stage.get("market.1")
    stage.do("power horseback_riding", "target seat2")
    assert [stage.get(f"seat{seat}.trade") for seat in range(3)] == [9, 27, 27]
    assert stage.get("market.1") == before + 1
    assert not stage.offered("power")


def test_horseback_riding_once_a_turn_however_many_silks() -> None:
    """C86, C29."""
    stage = Stage().tech(0, "horseback_riding").has(0, silk=2, trade=1).phase("trade")
    stage.do("power horseback_riding")
    assert stage.get("seat0.trade") == 10
    assert stage.get("seat1.trade") == 6
    assert not stage.offered("power")


def test_a_hidden_marker_pays_and_is_shown() -> None:
    """C85, C87, C83, section 6: a hut marker with silk goes to the box."""
    stage = Stage().tech(0, "horseback_riding").holds(0, "hut.silk").has(0, trade=1).phase("trade")
    stage.do("power horseback_riding hut.silk")
    assert stage.cards("box") == ["hut.silk"]
    assert stage.get("seat0.trade") == 10


def test_a_marker_that_does_not_pay_is_caught_when_it_is_turned_up() -> None:
    """C87: positive statements are proven by opening."""
    from core.table import RulesError

    stage = Stage().tech(0, "horseback_riding").holds(0, "hut.iron hut.silk").has(0, trade=1)
    stage.phase("trade")
    wrong = stage.find("hut.iron", stage.table.layout.zone_index["seat0.tokens"])
    number = stage.action("power horseback_riding hut.silk", 0).number
    from core.games.civilization import choices

    choices.apply(stage.table, 0, Action("power", (wrong,), number))
    with pytest.raises(RulesError, match="does not pay"):
        stage.settle()
