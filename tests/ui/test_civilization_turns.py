"""Questions in the turn of another at Civilization: whose turn it is, and what is happening."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.game import complete_options
from core.games.civilization import GAME, course
from core.requests import to_act
from core.testing.worlds import OpenGame
from core.view import view
from tests.core.games.civilization.stage import ALL_GUARDS, Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_answers import army_made
from tests.core.games.civilization.test_battles import attack, city, field, fight
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_windows import three
from tests.ui.test_civilization_story import news_of
from ui.choices.premove import is_asked_in_own_turn
from ui.choices.standing import may_stand
from ui.draw.frame import board_of, draw_table
from ui.draw.scene import Scene
from ui.games.civilization import whose_turn
from ui.games.civilization.battle import battle_rows
from ui.games.civilization.position import table_of
from ui.games.civilization.window import now_rows, window_text
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.prompt import prompt
from ui.model.story import since_my_choice, turn_of
from ui.model.view_model import view_model
from ui.terminal.spans import to_text


def asks(stage: Stage, seat: int, code: str = "en") -> str:
    """What the bar says to the seat that is asked."""
    assert stage.asked == seat
    return prompt(view_model(load(code), news_of(Narrated(stage), seat)))


def drought(stage: Stage) -> Stage:
    """Seat 0 plays Drought at a square of seat 1."""
    stage.city(0, "1.1").city(1, "14.14").holds(0, "drought").ground("f.", "13.13")
    return stage.has(1, guard=ALL_GUARDS).holds(1, "bread_and_circuses")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "YOUR CHOICE: {} · ada's turn"),
        ("ko", "내가 고를 것: {} · ada 님의 차례"),
        ("ja", "あなたの選択: {} · adaさんの番"),
    ],
)
def test_a_battle_an_event_and_a_deal_in_the_turn_of_another_are_no_turn_of_mine(
    code: str, text: str
) -> None:
    """All of them said `YOUR TURN`, also to whoever was attacked."""
    battle = attack(field().holds(0, "mounted.1").holds(1, "infantry.1"))
    event = drought(Stage()).phase("start").do("event drought", "target 13.13")
    deal = Stage().city(0, "1.1").city(1, "14.14").has(0, trade=2).phase("trade")
    deal.do("offer seat1", "give trade 1", "done")
    for stage in (battle, event, deal):
        said = asks(stage, 1, code)
        assert said.startswith(text.split("{}")[0]) and said.endswith(text.split("{}")[1])


def test_ones_own_part_of_a_phase_is_ones_turn_whoever_is_first_in_it() -> None:
    """Seat 1 moves, in a turn in which seat 0 was first."""
    stage = field().phase("move", 1)
    assert stage.get("first") == 0 and asks(stage, 1).startswith("YOUR TURN: ")
    mine = attack(field().holds(0, "mounted.1"))
    assert asks(mine, 0).startswith("YOUR TURN: ")


def test_in_the_set_up_and_in_research_it_is_nobodys() -> None:
    """Everybody acts for itself there, and the table still names who was the last before."""
    world = OpenGame(GAME, 3, complete_options(GAME, 3, {}), 5)
    seen = set[int]()
    for pending in world.play():
        phase, seats = world.table.counters[0], to_act(pending)
        shown = view(GAME, world.table, pending, world.table.face, seats[0])
        if phase in (course.IN_SETUP, course.IN_RESEARCH):
            assert whose_turn(shown) is None
            seen.add(phase)
        elif shown.phase in ("start", "trade", "city", "move"):
            assert (whose_turn(shown),) == seats
            seen.add(phase)
        if len(seen) == course.IN_RESEARCH + 1:
            return
    pytest.fail(f"phases {seen} alone were played")


def test_an_answer_for_good_is_possible_in_the_turn_of_another_also_for_who_is_first() -> None:
    """The log names who is first in a turn, and to that seat it was never offered."""
    stage = Stage().city(0, "1.1").city(1, "14.14").holds(1, "drought").ground("f.", "2.2")
    stage.has(0, guard=ALL_GUARDS).holds(0, "bread_and_circuses").phase("start", 1)
    stage.do("event drought", "target 2.2")
    news = news_of(Narrated(stage), 0)
    assert (stage.asks, stage.asked, turn_of(news)) == ("window", 0, 1)
    assert may_stand(news)
    assert not is_asked_in_own_turn(view_model(load("en"), news))
    own = news_of(Narrated(field().phase("move", 1)), 1)
    assert turn_of(own) == 1 and not may_stand(replace(own, lines=()))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whoever_is_attacked_reads_so_before_it_lets_a_move_happen(code: str) -> None:
    """`ada moves 2 armies from m9 to n9` said nothing of the army that stood there."""
    words = load(code)
    scouts = Stage().city(0, "1.1").city(1, "14.14").army(0, "8.8").scout(1, "9.8")
    cities = ((city(), "city"), (city(capital=True), "capital"))
    for stage, met in ((field(), "armies"), *cities, (scouts, "scouts")):
        start = "7.8" if met in ("city", "capital") else "8.8"
        stage.holds(1, "defection").has(1, guard=ALL_GUARDS).phase("move")
        stage.do(f"move {start} 1+0", "go 9.8")
        model = view_model(words, news_of(Narrated(stage), 1))
        said = window_text(model, table_of(model.view))
        assert said.endswith(f" · {words(f'civilization.attacks.{met}_me')}"), said


def test_an_event_that_is_aimed_at_me_says_at_which_square() -> None:
    stage = drought(Stage()).phase("start").do("event drought", "target 13.13")
    model = view_model(load("en"), news_of(Narrated(stage), 1))
    assert "aimed at you, x14" in window_text(model, table_of(model.view))
    stage.has(0, guard=ALL_GUARDS).holds(0, "jousting_tourney").do("answer 0 bread_and_circuses")
    answered = view_model(load("en"), news_of(Narrated(stage), 0))
    assert "aimed at you · Cancel" in window_text(answered, table_of(answered.view))


def test_who_cannot_interrupt_anything_is_not_told_that_it_may() -> None:
    """A hand that might answer is asked, since nobody sees what it holds."""
    stage = army_made(base().holds(1, "hut.iron").has(1, guard=ALL_GUARDS))
    assert stage.texts() == ["pass"]
    assert "nothing of yours can interrupt this" in asks(stage, 1)
    stage = drought(Stage()).phase("start").do("event drought", "target 13.13")
    assert "answer 0 bread_and_circuses" in stage.texts()
    assert "interrupt this" in asks(stage, 1)


def test_who_has_no_ability_left_in_a_battle_is_not_told_to_use_one() -> None:
    """A marker that nobody sees could be iron, so whoever has none is asked all the same."""
    stage = field().tech(0, "mathematics").holds(0, "infantry.3 hut.silk").holds(1, "mounted.1")
    stage = fight(attack(stage), "1 mounted.1 new", "0 infantry.3 new")
    assert (stage.asks, stage.texts()) == ("fight", ["end"])
    assert "nothing more can be done" in asks(stage, 0)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("me", [0, 1])
def test_a_battle_that_is_over_says_who_has_won_and_not_who_is_ahead(code: str, me: int) -> None:
    """While the winner chose its loot, the loser read `grace is ahead` and nothing of its loss."""
    stage = field().has(0, trade=2).phase("move").do("move 8.8 1+0")
    battle = Narrated(stage).do("go 9.8")
    assert (stage.asks, stage.asked) == ("loot", 1)
    model = view_model(load(code), news_of(battle, me))
    scene, words = Scene(model), model.words
    rows = to_text(battle_rows(scene, table_of(model.view), 40))
    result = {"mine": 0, "theirs": 0}
    won = (
        words("civilization.won_me", **result)
        if me
        else words("civilization.won", name="grace", **result)
    )
    assert rows.split() == won.split()


def test_the_end_of_a_battle_is_new_to_whoever_brought_it_about() -> None:
    """What followed from a choice of one's own was told nowhere on a small screen."""
    stage = field().has(0, trade=2).phase("move").do("move 8.8 1+0")
    battle = Narrated(stage).do("go 9.8")
    (said,) = [each.text for each in since_my_choice(view_model(load("en"), news_of(battle, 0)))
               if "wins" in each.text]  # fmt: skip
    assert said == "grace wins the battle at n9, 0 to 0"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(("width", "height"), [(120, 36), (80, 24)])
def test_a_unit_says_how_strong_it_is_and_not_only_what_is_printed_on_it(
    code: str, width: int, height: int
) -> None:
    """`Infantry 2` stood on the front as `infantry 3`, and of five cards the numbers were cut."""
    stage = field(armies=2).tech(1, "chivalry democracy").holds(0, "infantry.1")
    stage.holds(1, "artillery.1 artillery.2 artillery.3 infantry.2")
    model = view_model(load(code), news_of(Narrated(attack(stage)), 1))
    assert model.view.phase == "fight"
    frame = draw_table(Scene(model, width=width, height=height))
    said = model.words("civilization.strength_of", number=3)
    assert said in to_text(frame.hand)
    name = model.words.name("face", "infantry.2")
    assert any(
        pick.text == model.words("offer.civilization.play_for", what=name, number=3)
        for pick in model.picks
    )


def test_who_deals_wounds_one_by_one_reads_how_many_are_left() -> None:
    """Three wounds of Mathematics were asked for in three questions that were the same."""
    stage = field().tech(0, "mathematics").has(0, iron=1).holds(0, "infantry.3")
    stage.holds(1, "mounted.3 mounted.2").phase("move")
    stage = attack(stage).do("1: play mounted.3", "1: new", "0: mathematics")
    assert "choose the unit that is wounded; 3 to go" in asks(stage, 0)
    assert "; 2 to go" in asks(stage.do("wound mounted.3"), 0)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whose_figure_a_card_is_aimed_at_is_said_once(code: str) -> None:
    """`aimed at grace, grace: army m13` stood there."""
    stage = three().army(0, "8.8").army(1, "8.12").holds(0, "defection")
    stage.holds(2, "jousting_tourney").has(2, guard=ALL_GUARDS).phase("move")
    stage.do("event defection", "target seat1.army 8.12")
    model = view_model(load(code), news_of(Narrated(stage), 2))
    assert window_text(model, table_of(model.view)).count("grace") == 1


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(("me", "names"), [(0, {"grace"}), (1, {"ada"})])
def test_who_takes_loot_and_of_whom_is_said_and_nothing_of_a_move(
    code: str, me: int, names: set[str]
) -> None:
    """C105: whoever has walked over a scout goes no further; `steps left: 1` stood there."""
    stage = Stage().city(0, "2.2").city(1, "12.12").army(0, "8.8").scout(1, "8.9")
    told = Narrated(stage.has(1, trade=3).phase("move")).do("move 8.8 1+0", "go 8.9")
    assert stage.asks == "loot"
    model = view_model(load(code), news_of(told, me))
    said = to_text(now_rows(Scene(model), table_of(model.view), 80))
    assert names == {name for name in ("ada", "grace") if name in said}
    assert "m10" not in said and len(said.splitlines()) == 1


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(("width", "height"), [(100, 30), (80, 24)])
def test_the_map_is_whole_where_a_move_may_be_interrupted(
    code: str, width: int, height: int
) -> None:
    """The uppermost row was missing, for three or two rows of what one is asked about."""
    stage = base().city(1, "9.8").army(0, "7.8").holds(1, "defection exchange_of_ideas hut.spy")
    stage.has(1, guard=ALL_GUARDS).phase("move").do("move 7.8 1+0", "go 9.8")
    model = view_model(load(code), news_of(Narrated(stage), 1))
    note = load(code)("standing.key", name="=")
    frame = draw_table(Scene(model, width=width, height=height, note=note))
    rows = to_text(frame.board).splitlines()
    numbers = [row[:2].strip() for row in rows if row[:2].strip().isdigit()]
    assert len(frame.prompt) <= 2, "no word of the question is alone in a row"
    assert numbers == [str(number) for number in range(1, 17)]


@pytest.mark.parametrize(("code", "mine"), [("en", "you"), ("ko", "나"), ("ja", "自分")])
def test_the_first_line_says_that_i_am_first_whatever_my_name_is(code: str, mine: str) -> None:
    """Two people called `root` read `first: root (2)`, and one of them was that."""
    stage = drought(Stage())
    seen = [view_model(load(code), news_of(Narrated(stage), seat)) for seat in (0, 1)]
    told = [board_of(model).status(model).split(": ")[-1] for model in seen]
    assert told == [mine, "ada"]
