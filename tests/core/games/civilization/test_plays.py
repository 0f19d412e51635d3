"""Plays and their answers: what is paid and judged, who is asked, what a seat may hold."""

from __future__ import annotations

import pytest

from core.games.civilization import choices
from core.games.civilization.aftermath import destroy_city
from core.games.civilization.culture import by_face, mix_news
from core.games.civilization.layout import BOX, EVENT_DECK, EVENT_DISCARD, NEW_CARD
from core.games.civilization.powers import POWER_KEYS
from core.games.civilization.wealth import battle_hand, hand_limit, output, production
from core.requests import Action
from core.table import HIDDEN, RulesError
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.test_movement import base, taken_village
from tests.core.games.civilization.test_windows import drought, three

AIMED = 1  # The guard that asks only about what is aimed at one.
MEDIEVAL = 1

# ---- what is refused ----


def card_of(stage: Stage, key: str, zone: str) -> int:
    """The number of a card that lies there."""
    return stage.find(key, stage.table.layout.zone_index[zone])


def test_only_own_cards_are_played_discarded_and_shown() -> None:
    """C77, C76, C49: a card of somebody else is refused at once."""
    stage = three().holds(0, "drought").holds(1, "sabotage").ground("f.", "5.5").phase("start")
    assert stage.refuses(Action("event", (card_of(stage, "sabotage", "seat1.events"),)))
    full = three().holds(0, "drought lost sabotage").holds(1, "defection").phase("start")
    assert full.asks == "discard"
    assert full.refuses(Action("discard", (card_of(full, "defection", "seat1.events"),)))


def test_an_ability_is_paid_with_what_pays() -> None:
    """C86, C87: no unknown ability, none twice, none of another phase, and nobody else's cards."""
    stage = three().tech(0, "construction horseback_riding").has(0, wheat=2, silk=1)
    stage.holds(0, "hut.wheat hut.spy").holds(1, "hut.silk").phase("city")
    number = POWER_KEYS.index("construction")
    theirs = card_of(stage, "hut.silk", "seat1.tokens")
    mine = card_of(stage, "hut.wheat", "seat0.tokens")
    for cards in ((theirs,), (mine, mine), (mine, card_of(stage, "hut.spy", "seat0.tokens"))):
        assert stage.refuses(Action("power", cards, number)), cards
    assert stage.refuses(Action("power", (), POWER_KEYS.index("horseback_riding")))
    assert stage.refuses(Action("power", (), POWER_KEYS.index("banking")))
    assert stage.refuses(Action("power", (), len(POWER_KEYS)))
    stage.do("power construction", *(["target 0"] if stage.asks == "target" else []))
    assert stage.refuses(Action("power", (), number))


def test_any_resource_is_paid_one_by_one_from_what_one_has() -> None:
    """C87: not with a kind that one has not, a card of another seat, or two at once."""
    stage = three().tech(0, "pottery").has(0, iron=1).holds(0, "hut.spy hut.silk drought")
    stage.holds(1, "hut.iron").phase("city").do("power pottery")
    assert stage.asks == "pay"
    mine = card_of(stage, "hut.spy", "seat0.tokens")
    theirs = card_of(stage, "hut.iron", "seat1.tokens")
    for action in (Action("pay", (), 1), Action("pay", (), 4), Action("pay", (theirs,)),
                   Action("pay", (mine,), 1), Action("pay", (mine, mine))):  # fmt: skip
        assert stage.refuses(action), action
    stage.table.turn_up((card := card_of(stage, "drought", "seat0.events"),), [stage.deal[card]])
    assert stage.refuses(Action("pay", (card,)))


def test_what_pays_is_judged_when_it_is_turned_up() -> None:
    """C87, C88: a hidden event that is no gift pays for nothing."""
    stage = three().tech(0, "pottery").has(0, iron=1).holds(0, "hut.spy drought").phase("city")
    stage.do("power pottery")
    card = card_of(stage, "drought", "seat0.events")
    choices.apply(stage.table, 0, Action("pay", (card,)))
    with pytest.raises(RulesError, match="does not pay"):
        stage.settle()


def test_an_answer_names_one_own_card_and_something_it_can_mean() -> None:
    """4.2: or it is refused at once."""
    stage = three().tech(1, "civil_service").holds(1, "jousting_tourney lost")
    drought(stage.holds(2, "jousting_tourney"))
    mine = card_of(stage, "jousting_tourney", "seat1.events")
    theirs = card_of(stage, "jousting_tourney", "seat2.events")
    lost = card_of(stage, "lost", "seat1.events")
    for action in (Action("answer"), Action("answer", (mine, lost)), Action("answer", (theirs,)),
                   Action("answer", (mine,), 1), Action("answer", (mine,), 7)):  # fmt: skip
        assert stage.refuses(action), action
    stage.table.turn_up((lost,), [stage.deal[lost]])
    assert stage.refuses(Action("answer", (lost,)))


# ---- who is asked ----


def test_an_answer_is_aimed_at_whoever_it_answers() -> None:
    """4.2, 4.4 bit 0: the actor of the play is asked, a third seat is not."""
    stage = three().holds(1, "jousting_tourney").holds(0, "primetime_tv").holds(2, "primetime_tv")
    drought(stage.has(0, guard=AIMED).has(2, guard=AIMED)).do("1: answer 0 jousting_tourney")
    assert (stage.asks, stage.asked) == ("window", 0)
    stage.do("pass")
    assert stage.asks != "window"


def test_an_ability_is_aimed_at_whom_it_strikes() -> None:
    """4.2, 4.4 bit 0: at the owner of the unit, and at no one else."""
    stage = three().tech(0, "monarchy").has(0, silk=1).holds(1, "mounted.2 primetime_tv")
    stage.holds(2, "primetime_tv infantry.1").has(1, guard=AIMED).has(2, guard=AIMED)
    stage.phase("city").do("power monarchy", "target seat1")
    assert (stage.asks, stage.asked) == ("window", 1)
    stage.do("pass")
    assert stage.asks != "window"


def test_after_consent_the_others_are_asked() -> None:
    """IW0, IW1: whoever can answer the event."""
    stage = three().mark("united_nations", "13.0").army(1, "3.1").holds(0, "defection")
    stage.holds(2, "jousting_tourney").has(1, guard=128).phase("move")
    stage.do("event defection", "consent")
    assert (stage.asks, stage.asked) == ("window", 2)


def test_united_nations_keep_no_answer_from_its_owners_play() -> None:
    """IW0: an answer names no target, so it needs no consent."""
    stage = drought(three().mark("united_nations", "1.0").holds(1, "jousting_tourney"))
    stage.has(0, guard=255).do("1: answer 0 jousting_tourney")
    assert stage.asks != "consent"
    assert stage.get(f"ground.{16 + 13}") == 2


def test_a_refused_event_is_not_played() -> None:
    """IW0: nothing happens, and the menu comes back."""
    stage = three().mark("united_nations", "13.0").holds(0, "drought").ground("f.", "13.1")
    stage.has(1, guard=128).phase("start").do("event drought", "target 13.1", "refuse")
    assert stage.get(f"ground.{16 + 13}") == 2
    assert stage.asks in ("start", "city", "trade")


def test_only_a_gift_in_the_payment_can_be_cancelled_as_an_event() -> None:
    """IW3, 4.2 item 4: Jousting Tourney does not answer an ability that a marker pays."""
    stage = three().tech(0, "construction").holds(0, "hut.wheat").holds(1, "jousting_tourney")
    stage.phase("city").do("power construction hut.wheat")
    assert stage.asks != "window"


def test_after_an_answer_the_rest_of_the_way_can_be_answered() -> None:
    """4.2, IW4: everybody is asked anew."""
    stage = base().army(0, "7.8", 2).holds(1, "defection mass_defection").has(1, guard=64)
    stage.tech(0, "masonry").army(1, "8.10").phase("move").do("move 7.8 2+0", "go 9.8")
    stage.do("1: answer 0 defection")
    stage.do(*(["target seat0.army 7.8"] if stage.asks == "target" else []))
    assert (stage.asks, stage.asked) == ("window", 1)
    assert stage.offered("answer")


# ---- what a cancelled gift leaves ----


def test_what_was_paid_beside_a_cancelled_gift_stays() -> None:
    """E141: the market token comes back."""
    stage = three().tech(0, "pottery").has(0, iron=1).holds(0, "generous_gift")
    stage.holds(1, "jousting_tourney").phase("city").do("power pottery generous_gift", "pay iron")
    stage.do("answer 1 jousting_tourney")
    assert [stage.get("seat0.tokens.0"), stage.coins(0)] == [1, 0]


def test_a_cancelled_gift_becomes_the_deck_where_that_is_empty() -> None:
    """C77, E141: at once."""
    stage = three().tech(0, "construction").tech(1, "civil_service")
    stage.holds(0, "generous_gift").holds(1, "hut.spy")
    zones = stage.table.zones
    zones[BOX] += zones[EVENT_DECK + MEDIEVAL]
    zones[EVENT_DECK + MEDIEVAL] = []
    stage.phase("city").do("power construction generous_gift", "answer 1 hut.spy")
    assert [len(zones[at + MEDIEVAL]) for at in (EVENT_DECK, EVENT_DISCARD)] == [1, 0]


def test_a_disaster_with_one_aim_leaves_the_first_square_alone() -> None:
    """3.3 disaster, E135: no second aim is no square."""
    stage = Stage("germany russia").city(0, "1.1").city(1, "14.1").mark("library", "0.0")
    stage.mark("granary", "13.1").holds(0, "disaster").phase("start").do("event disaster")
    assert [stage.lies("0.0"), stage.lies("13.1")] == ["library", ""]


# ---- hands ----


def test_whoever_draws_a_card_mixes_it_in() -> None:
    """Section 6, 4.4: nobody can follow which card is which."""
    stage = Stage().city(0, "2.2").has(0, culture=9, trade=9).holds(0, "drought")
    card = card_of(stage, "drought", "seat0.events")
    stage.table.seen[card] = 0b11
    stage.phase("city").do("advance")
    events = stage.table.zones[stage.table.layout.zone_index["seat0.events"]]
    assert len(events) == 2
    assert [stage.table.seen[each] & 0b10 for each in events] == [0, 0]


def test_both_sides_of_a_deal_mix_what_they_got() -> None:
    """Section 6, C49: the giver cannot follow the card that he gave."""
    stage = Stage().holds(0, "primetime_tv").holds(1, "think_tank drought").phase("trade")
    stage.do("offer seat1", "give event.modern 1", "ask event.ancient 1", "done", "accept")
    modern = stage.table.zones[stage.table.layout.zone_index["seat1.events"]]
    assert len(modern) == 2
    assert [stage.table.seen[each] & 1 for each in modern] == [0, 0]


def test_who_has_nothing_to_mix_keeps_nobody_from_mixing() -> None:
    """Section 6: two seats with a new card each."""
    stage = Stage().holds(0, "drought").holds(1, "drought lost defection").phase("city")
    stage.set("seat0.news", NEW_CARD).set("seat1.news", NEW_CARD)
    mixing = mix_news(stage.table)
    assert mixing is not None
    assert mixing.player == 1


def test_of_equal_cards_the_one_that_lies_open_is_named() -> None:
    """C77: one action for each face."""
    public = [HIDDEN, 20, HIDDEN, HIDDEN]
    assert by_face("event", [0, 1, 2, 3], [20, 20, 20, 21], public) == [
        Action("event", (1,)), Action("event", (3,)),
    ]  # fmt: skip
    assert by_face("event", [0, 2], [20, 20, 20, 21], public) == [Action("event", (0,))]


def test_who_holds_two_too_many_discards_twice() -> None:
    """C76, C77: and the empty deck of that era is filled with them at once."""
    stage = three().holds(0, "drought lost sabotage defection")
    zones = stage.table.zones
    zones[BOX] += zones[EVENT_DECK]
    zones[EVENT_DECK] = []
    stage.set("check", 1).phase("start")
    depth = stage.get("depth")
    stage.do("discard drought")
    assert (stage.asks, stage.get("depth")) == ("discard", depth)
    assert [len(zones[EVENT_DECK]), len(zones[EVENT_DISCARD])] == [1, 0]
    stage.do("discard sabotage")
    assert stage.asks != "discard"
    assert stage.cards("seat0.events") == ["defection", "lost"]


def test_a_village_that_shows_a_resource_is_no_great_person() -> None:
    """C103, section 6: caught when it is turned up."""
    stage = taken_village("village.iron", "mounted.3 mounted.3 mounted.3 infantry.3")
    choices.apply(stage.table, 0, Action("open", (card_of(stage, "village.iron", "seat0.found"),)))
    with pytest.raises(RulesError, match="no great person"):
        stage.settle()


# ---- what one has ----


def test_coins_alone_add_nothing_without_their_technologies() -> None:
    """3.2 military_science, computers: production, hand and battle hand."""
    stage = Stage().city(0, "2.2").set("seat0.sheet.coins", 9)
    assert [production(stage.table, 0, 0), hand_limit(stage.table, 0)] == [0, 2]
    assert battle_hand(stage.table, 0) == 3


def test_without_feudalism_a_city_harvests_its_own_outskirts() -> None:
    """C81, C82: and not what lies under an enemy figure (C152)."""
    stage = Stage().city(0, "2.2").city(0, "8.8").ground("dS", "7.7").ground("mI", "1.1")
    stage.army(1, "1.1").phase("city")
    assert stage.offered("harvest") == ["silk 1"]


def test_scouts_gather_coins_where_no_city_counts_them() -> None:
    """C139: two squares are two coins, one square is one; a city that is not there has none."""
    stage = Stage().city(0, "2.2").ground("d$", "8.8", "9.9", "15.15", "14.14")
    assert stage.coins(0) == 0
    assert stage.scout(0, "8.8").scout(0, "9.9").coins(0) == 2
    pair = Stage().city(0, "2.2").ground("d$", "8.8").scout(0, "8.8", 2)
    assert pair.coins(0) == 1


def test_a_square_sent_to_a_city_that_falls_sends_nothing() -> None:
    """C146, E128: not even to the city in whose outskirts it lies, until the next turn."""
    stage = Stage().city(0, "2.2").city(0, "8.8").scout(0, "3.3").ground("f.", "3.3")
    stage.holds(0, "sabotage").phase("start").do("direct 3.3 1")
    destroy_city(stage.table, 1)
    assert output(stage.table, 0, 0, 1) == 0
    stage.phase("start")
    assert output(stage.table, 0, 0, 1) == 2
