"""What is told of battles of Civilization: natives by their name, and who has won."""

from __future__ import annotations

import pytest

from core.games.civilization import GAME
from core.imagine import blindfold
from core.view import view
from p2p.base.roster import DecisionPoint
from p2p.session.news import Fairness, TableChanged
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import field
from tests.core.games.civilization.test_natives import beside_village
from tests.core.games.civilization.test_story import natives_beaten, natives_unbeaten
from tests.ui.fakes import some_seats
from ui.draw.scene import Scene
from ui.games.civilization.position import table_of
from ui.games.civilization.standings import forces_text, numbers
from ui.picture import Picture, paint
from ui.story import Told, since_my_choice, told
from ui.text import LANGUAGE_NAMES, load

FAIR = Fairness(0, 0, 0, 0, 0)


def news_of(story_of: Narrated, me: int = 0) -> TableChanged:
    """What the node tells a seat."""
    stage = story_of.stage
    observation = blindfold(stage.table, stage.deal, me)
    seen = view(GAME, stage.table, stage.pending, observation, me)
    entry, lines = story_of.entry, tuple(story_of.lines)
    turn = DecisionPoint(GAME, stage.table.copy(), observation, me, entry, seed=1)
    return TableChanged(
        entry, seen, some_seats(2, me), lines, FAIR, turn=turn if seen.offers else None
    )


def picture_of(story_of: Narrated, code: str = "en", me: int = 0) -> Picture:
    return paint(load(code), news_of(story_of, me))


def told_of(story_of: Narrated, code: str = "en", me: int = 0) -> list[Told]:
    """What a seat reads, without the next turn, which begins where nothing else can be done."""
    lines = told(picture_of(story_of, code, me), story_of.lines)
    return [each for each in lines if not each.is_heading]


def sentences(story_of: Narrated, code: str = "en") -> list[str]:
    """The same in words, those below another line set in."""
    return [f"{'  ' * each.is_consequence}{each.text}" for each in told_of(story_of, code)]


def setting_off(stage: Stage, *texts: str) -> Narrated:
    return Narrated(stage.phase("move")).do(*texts)


# ---- battles ----


def test_natives_fight_under_their_own_name_until_it_is_said_who_has_won() -> None:
    """`grace plays Artillery 1` stood there, and nobody at her keyboard had done anything."""
    assert sentences(natives_beaten()) == [
        "ada moves 1 army from m9",
        "ada goes to n9",
        "  ada attacks the natives at n9",
        "ada mixes 3 cards of the hand",
        "The natives draw 3 cards",
        "The natives play Infantry 2",
        "The natives make a new front",
        "ada plays Infantry 3",
        "ada attacks in front 1",
        "  Killed: Infantry 2",
        "  Infantry 3: wounds +2",
        "The natives play Artillery 2",
        "The natives attack in front 1",
        "  Killed: Infantry 3",
        "ada plays Mounted 3",
        "ada attacks in front 1",
        "  Killed: Artillery 2",
        "The natives play Mounted 2",
        "The natives make a new front",
        "ada plays Mounted 3",
        "ada attacks in front 2",
        "  Killed: Mounted 2",
        "  Mounted 3: wounds +2",
        "  ada beats the natives at n9, 6 to 0",
        "  Gone from the map: village marker n9",
        "ada draws 1 card",
    ]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_no_language_the_left_neighbour_is_said_to_fight_for_natives(code: str) -> None:
    for battle in (natives_beaten(), natives_unbeaten()):
        assert not [line for line in sentences(battle, code) if "grace" in line or "{" in line]


def test_when_natives_have_won_nobody_is_told_that_their_units_died() -> None:
    assert sentences(natives_unbeaten())[-4:] == [
        "  The natives win the battle at n9, 6 to 4",
        "  ada loses a figure: army m9",
        "  Discarded: Infantry 2, Mounted 2, Artillery 2",
        "  ada takes back Mounted 2×2",
    ]


def test_a_battle_is_what_the_attacker_does_to_the_seat_that_is_attacked() -> None:
    battle = setting_off(field(), "move 8.8 1+0", "go 9.8")
    hurts = [[each.text for each in told_of(battle, me=me) if each.is_hurt] for me in (0, 1)]
    assert hurts == [["grace wins the battle at n9, 0 to 0"], ["ada attacks grace at n9"]]
    assert "  At equal strength the defender wins" in sentences(battle)


def test_what_natives_do_is_nothing_that_their_seat_has_chosen() -> None:
    """What was new to it began behind the last play of the natives."""
    battle = natives_unbeaten()
    assert not [each for each in told_of(battle, me=1) if each.is_mine]
    assert since_my_choice(picture_of(battle, me=1)) == [], "it has chosen nothing yet"


def test_units_of_natives_are_not_counted_as_those_of_the_seat_that_plays_them() -> None:
    """Her units went from 1 to 4 in somebody else's battle, and her line of forces named them."""
    stage = beside_village("mounted.2 mounted.1 mounted.2").holds(1, "aircraft.5")
    battle = setting_off(stage, "move 8.8 1+0", "go 9.8")
    for moment in (battle, battle.let_natives()):
        picture = picture_of(moment, me=1)
        table = table_of(picture.view)
        assert table.zones[table.layout.zone_index["seat1.battle"]], "natives are in its hand"
        assert [numbers(table, seat)["units"] for seat in (0, 1)] == [3, 1]
        assert forces_text(Scene(picture), table, 1) == "Aircraft 5"


def test_natives_are_in_my_hand_only_while_i_choose_for_them() -> None:
    stage = beside_village("mounted.2 mounted.1 mounted.2").holds(1, "drought")
    battle = setting_off(stage, "move 8.8 1+0", "go 9.8")
    held = {each.card.face for each in picture_of(battle, me=1).hand}
    assert held == {"infantry.2", "mounted.2", "artillery.2"}
    assert {each.card.face for each in picture_of(battle.let_natives(), me=1).hand} == {"drought"}


def test_in_a_battle_of_my_own_my_units_stay_in_my_hand_and_are_counted() -> None:
    stage = field().holds(0, "mounted.2").holds(1, "mounted.1 infantry.1")
    battle = setting_off(stage, "move 8.8 1+0", "go 9.8", "play mounted.1", "new")
    picture = picture_of(battle, me=1)
    assert [each.card.face for each in picture.hand] == ["infantry.1"]
    assert numbers(table_of(picture.view), 1)["units"] == 2
