"""What is told of a game: one line for what is one thing to a player."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.games.civilization import GAME
from core.games.civilization.layout import BOX, UNIT_DECK
from core.narrate import Narrator
from core.requests import Choice, Chosen, Fact
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import city, field, whole
from tests.core.games.civilization.test_natives import beside_village

STRONG = "mounted.3 mounted.3 infantry.3"
WEAK = "mounted.2 mounted.1 mounted.2"


def attacked(stage: Stage) -> Narrated:
    """The army of seat 0 attacks; natives are played by the program of seat 1."""
    return Narrated(stage.phase("move")).do("move 8.8 1+0", "go 9.8").let_natives()


def natives_beaten() -> Narrated:
    """Two units with 3 wounds to deal each are left of the attacker, and no native."""
    told = attacked(beside_village(STRONG))
    for text in ("infantry.3 1", "mounted.3 1", "mounted.3 2"):
        unit, front = text.split()
        told.do(f"play {unit}", f"front {front}").let_natives()
    return told


def natives_unbeaten() -> Narrated:
    """Three natives of strength 2 are left, and two such units of the attacker."""
    told = attacked(beside_village(WEAK))
    for unit in ("mounted.2", "mounted.1", "mounted.2"):
        told.do(f"play {unit}", "new").let_natives()
    return told


def test_a_whole_move_is_told_in_one_line() -> None:
    """C92: a group of three figures."""
    stage = Stage().city(0, "2.2").tech(0, "masonry").army(0, "5.5", 2).scout(0, "5.5")
    told = stage.phase("move").table.told = []
    stage.do("move 5.5 2+1", "go 5.6").pass_all()
    assert [fact.kind for fact in told if fact.kind.startswith("moved")] == ["moved 5.5 5.6 2+1"]


def test_a_target_is_told_as_what_it_was_when_it_was_named() -> None:
    """Afterwards nothing is asked that says whether a number is a square, a figure or a seat."""
    stage = Stage().city(0, "2.2").city(1, "10.10").holds(0, "drought").phase("start")
    stage.do("event drought")
    (text, *_) = stage.offered("target")
    narrator = Narrator(GAME)
    action = stage.action(f"target {text}", 0)
    narrator.apply(stage.table, Choice(0), Chosen(action))
    assert narrator.lines[0].text == f"target {text}"
    assert "." in text, "a square"


def test_a_deal_that_is_proposed_is_told_with_whom_it_is_proposed_to() -> None:
    """C48: `ada is done` said nothing of it."""
    stage = Stage().has(0, trade=5).phase("trade")
    told = stage.table.told = []
    stage.do("offer seat1", "give trade 3", "done")
    proposed = [fact for fact in told if fact.kind == "proposed"]
    assert [(fact.seat, fact.other) for fact in proposed] == [(0, 1)]


def test_what_a_seat_does_for_natives_is_told_of_them_and_nothing_else_is() -> None:
    """D10: the log said that the left neighbour fought."""
    told = natives_beaten()
    verbs = {(line.action.verb if line.action else line.kind, line.seat)
             for line in told.lines if line.acts_as == "natives"}  # fmt: skip
    assert verbs == {("drawn", 1), ("play", 1), ("front", 1), ("new", 1)}
    assert not [line for line in told.lines if line.is_by(1)]
    (drawn,) = [line for line in told.lines if line.kind == "drawn" and line.acts_as]
    assert drawn.number == 3


def test_a_native_that_is_taken_from_another_deck_is_told_of_the_natives() -> None:
    """C137, E101: also that its seat mixes their cards, which it was asked about."""
    stage = beside_village(WEAK)
    stage.table.zones[BOX] += stage.table.zones[UNIT_DECK]
    stage.table.zones[UNIT_DECK] = []
    told = attacked(stage)
    theirs = [line for line in told.lines if line.acts_as == "natives"]
    assert [line.action.verb if line.action else line.kind for line in theirs] == [
        "drawn", "deck", "drawn", "shuffled", "play", "new",
    ]  # fmt: skip


def test_a_seat_that_fights_for_itself_is_told_of_by_its_own_name() -> None:
    told = Narrated(field().holds(0, "mounted.2").holds(1, "mounted.1").phase("move"))
    told.do("move 8.8 1+0", "go 9.8", "play mounted.1", "new", "play mounted.2", "front 1")
    assert {line.seat for line in told.lines if line.kind == "chosen"} == {0, 1}
    assert not [line for line in told.lines if line.acts_as]


def test_an_attack_is_told_of_whoever_is_attacked() -> None:
    """So it stands among what others have done to that seat; natives are nobody."""
    with_natives, with_a_seat = attacked(beside_village(WEAK)), attacked(field())
    assert with_natives.of_kind("battle") == [Fact("battle 9.8", 0)]
    assert with_a_seat.of_kind("battle") == [Fact("battle 9.8", 1, other=0)]


@pytest.mark.parametrize(
    ("battle", "result"),
    [
        (natives_beaten, Fact("victory 9.8 0", 0, (), 6)),
        (natives_unbeaten, Fact("defeat 9.8 4", 0, (), 6)),
    ],
)
def test_the_end_of_a_battle_with_natives_says_who_has_won_and_how(
    battle: Callable[[], Narrated], result: Fact
) -> None:
    """C123: it said only that it was over."""
    assert battle().of_kind("victory", "defeat", "tie") == [result]


def test_the_end_of_a_battle_says_both_strengths_with_the_bonus() -> None:
    """X7: the defender wins 11 to 5."""
    told = Narrated(whole())
    told.do("play mounted.3", "new", "play infantry.2", "front 1", "play artillery.2", "new")
    told.do("play mounted.2", "front 2", "play infantry.2", "front 2")
    told.do("play artillery.3", "front 2", "play infantry.1", "new")
    result = Fact("defeat 9.8 5", 0, (), 11, 1)
    assert told.of_kind("victory", "defeat", "tie") == [result]
    kinds = [fact.kind for fact in told.do("loot trade").facts]
    assert kinds.index("defeat 9.8 5") < kinds.index("peace"), "before the loot"


def test_at_equal_strength_it_is_told_why_the_defender_has_won() -> None:
    """C123."""
    told = Narrated(field().holds(0, "mounted.2").holds(1, "mounted.2").phase("move"))
    told.do("move 8.8 1+0", "go 9.8", "play mounted.2", "new", "play mounted.2", "new")
    result = Fact("defeat 9.8 2", 0, (), 2, 1)
    assert told.of_kind("victory", "defeat", "tie") == [result, Fact("tie")]


def test_a_battle_in_which_nobody_has_a_unit_is_told_from_its_beginning_to_its_end() -> None:
    """It begins and ends within one rule: neither was told."""
    told = attacked(field())
    kinds = [fact.kind for fact in told.of_kind("battle", "defeat", "tie")]
    assert kinds == ["battle 9.8", "defeat 9.8 0", "tie"]


def test_natives_that_live_are_not_told_as_killed() -> None:
    """C137: they lie under their decks, with those that were."""
    told = natives_unbeaten()
    assert [len(fact.cards) for fact in told.of_kind("fallen")] == [1], "a unit of the attacker"
    assert [len(fact.cards) for fact in told.of_kind("discarded")] == [3]


def test_a_unit_that_is_played_is_named_by_its_line_and_not_once_more() -> None:
    told = natives_unbeaten()
    assert sum(line.text.startswith("play ") for line in told.lines) == 6
    assert told.of_kind("shown") == []


def test_what_is_learned_last_is_told_before_the_next_turn_and_its_trade_after() -> None:
    """C28, C43: nobody has a choice to make between them; the trade was told as one change."""
    stage = Stage().ground("w.", "2.3").city(0, "2.2").city(1, "10.10").has(0, trade=6)
    told = Narrated(stage.phase("research")).do("learn pottery")
    kinds = [(fact.kind, fact.seat, fact.number) for fact in told.facts]
    begun = kinds.index(("turn", 1, 2))
    assert kinds[:begun] == [("learned pottery", 0, 0), ("spent", 0, 6)]
    assert kinds[begun + 1 :] == [("earned", 0, 1)]


@pytest.mark.parametrize(("capital", "number"), [(False, 1), (True, 0)])
def test_an_attack_on_a_city_says_on_which(capital: bool, number: int) -> None:
    """It was told as one on a square, and its owner had to look for the city on the map."""
    told = Narrated(city(capital=capital).phase("move")).do("move 7.8 1+0", "go 9.8")
    assert told.of_kind("battle", "siege") == [Fact(f"siege {number} 9.8", 1, other=0)]


def test_who_takes_the_marker_of_a_hut_or_a_village_is_told_with_it() -> None:
    """C102, C103: it was gone from the map, and somebody drew a card."""
    hut = Stage().city(0, "2.2").mark("hut", "5.6").army(0, "5.5")
    taken = Narrated(hut.phase("move")).do("move 5.5 1+0", "go 5.6")
    assert taken.of_kind("cleared") == [Fact("cleared hut 5.6", 0)]
    assert natives_beaten().of_kind("cleared") == [Fact("cleared village 9.8", 0)]
