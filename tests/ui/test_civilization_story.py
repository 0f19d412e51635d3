"""What is told of moves and battles of Civilization: each move in a line, natives by their name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.determinization import observation_of
from core.games.civilization import GAME
from core.narrate import Line
from core.requests import Action, Fact, Opened
from core.view import view
from p2p.base.roster import DecisionPoint
from p2p.session.commands import Choose
from p2p.session.news import Fairness, TableChanged
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_aftermath import loot
from tests.core.games.civilization.test_answers import ALL_GUARDS
from tests.core.games.civilization.test_battles import field
from tests.core.games.civilization.test_movement import base, unexplored
from tests.core.games.civilization.test_natives import beside_village
from tests.core.games.civilization.test_story import attacked, natives_beaten, natives_unbeaten
from tests.core.games.civilization.test_windows import drought, three
from tests.ui.fakes import some_seats
from ui.draw.scene import Scene
from ui.draw.story import fitting
from ui.games.civilization.battle import battle_rows
from ui.games.civilization.position import table_of
from ui.games.civilization.standings import forces_text, numbers
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.story import Told, since_my_choice, story, told
from ui.model.view_model import ViewModel, view_model
from ui.plain.presenter import PlainPresenter
from ui.terminal.spans import to_text

FAIR = Fairness(0, 0, 0, 0, 0)


def news_of(story_of: Narrated, me: int = 0) -> TableChanged:
    """What the node tells a seat."""
    stage = story_of.stage
    observation = observation_of(stage.table, stage.deal, me)
    seen = view(GAME, stage.table, stage.pending, observation, me)
    entry, lines = story_of.entry, tuple(story_of.lines)
    turn = DecisionPoint(GAME, stage.table.copy(), observation, me, entry, seed=1)
    return TableChanged(
        entry, seen, some_seats(2, me), lines, FAIR, turn=turn if seen.offers else None
    )


def model_of(story_of: Narrated, code: str = "en", me: int = 0) -> ViewModel:
    return view_model(load(code), news_of(story_of, me))


def told_of(story_of: Narrated, code: str = "en", me: int = 0) -> list[Told]:
    """What a seat reads, without the next turn, which begins where nothing else can be done."""
    lines = told(model_of(story_of, code, me), story_of.lines)
    return [each for each in lines if not each.is_heading]


def sentences(story_of: Narrated, code: str = "en") -> list[str]:
    """The same in words, those below another line set in."""
    return [f"{'  ' * each.is_consequence}{each.text}" for each in told_of(story_of, code)]


def setting_off(stage: Stage, *texts: str) -> Narrated:
    return Narrated(stage.phase("move")).do(*texts)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("en", ["ada gives the coin of the gift to grace", "ada names grace"]),
        ("ko", ["ada 님이 선물의 화폐를 줍니다: grace", "ada 님이 지정합니다: grace"]),
        ("ja", ["adaさんが贈り物の貨幣を渡す相手: grace", "adaさんがgraceを指定"]),
    ],
)
def test_who_gets_the_coin_of_a_gift_is_told_apart_from_whom_a_play_is_aimed_at(
    code: str, lines: list[str]
) -> None:
    """One read twice, one line behind the other, that ada named grace."""
    stage = three().tech(0, "horseback_riding").holds(0, "gift_from_afar").phase("trade")
    told_by = Narrated(stage).do("power horseback_riding gift_from_afar")
    told_by.do("target seat1", "target seat1")
    assert [each for each in sentences(told_by, code) if "grace" in each][:2] == lines


# ---- a move in one line ----


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("en", "ada moves: 1 army m9 → m11"),
        ("ko", "ada 님의 이동: 군대 1 m9 → m11"),
        ("ja", "adaさんの移動: 軍隊1 m9 → m11"),
    ],
)
def test_a_move_that_took_place_is_told_in_one_line(code: str, line: str) -> None:
    """Three lines said it; the panel of what happened holds about ten."""
    moved = setting_off(base().army(0, "8.8"), "move 8.8 1+0", "via 8.9", "go 8.10")
    assert sentences(moved, code) == [line]


def test_a_move_that_is_stopped_on_its_way_is_told_as_far_as_it_went() -> None:
    moved = setting_off(base().army(0, "8.8"), "move 8.8 1+0", "via 8.9", "stop")
    assert sentences(moved) == ["ada moves: 1 army m9 → m10"]
    assert sentences(moved)[0] in [each.text for each in story(model_of(moved))]


def test_the_next_group_is_told_by_itself_and_so_is_one_that_is_on_its_way() -> None:
    moved = setting_off(base().army(0, "8.8", 2), "move 8.8 1+0", "go 8.9", "move 8.8 1+0")
    assert sentences(moved) == ["ada moves: 1 army m9 → m10", "ada moves 1 army from m9"]


def test_a_group_that_stays_where_it_was_is_told_all_the_same() -> None:
    """No figure is anywhere else afterwards, so no fact says it."""
    stayed = setting_off(base().army(0, "8.8", 2), "move 8.8 1+0", "via 8.9", "go 8.8")
    stayed.do("move 8.8 1+0", "go 8.9")
    assert sentences(stayed) == [
        "ada moves 1 army from m9", "ada goes over m10", "ada goes to m9",
        "ada moves: 1 army m9 → m10",
    ]  # fmt: skip


def test_whoever_lets_a_move_happen_does_not_part_it_from_its_choices() -> None:
    asked = base().army(0, "8.8").holds(1, "defection").city(1, "14.10").has(1, guard=ALL_GUARDS)
    moved = setting_off(asked.city(1, "8.11"), "move 8.8 1+0", "go 8.9")
    assert moved.stage.asks == "window", "it may be interrupted"
    assert sentences(moved)[:2] == ["ada moves 1 army from m9", "ada goes to m10"]
    assert sentences(moved.do("pass")) == ["ada moves: 1 army m9 → m10", "grace lets it happen"]


def test_a_move_that_somebody_interrupts_is_told_with_where_it_was_to_go() -> None:
    """3.1 communism: the group stays on its way, which the fact alone would not say."""
    stage = base().army(0, "7.8").tech(1, "communism").holds(1, "hut.spy").has(1, guard=64)
    frozen = setting_off(stage, "move 7.8 1+0", "go 9.8", "answer 1 hut.spy")
    assert {"ada moves 1 army from k9", "ada goes to n9"} <= {*sentences(frozen)}
    assert "  ada moves: 1 army k9 → m9" in sentences(frozen)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("en", "ada discovers the tile at m5"),
        ("ko", "ada 님이 m5의 타일을 발견합니다"),
        ("ja", "adaさんがm5のタイルを発見する"),
    ],
)
def test_a_tile_that_is_turned_up_on_the_way_is_one_line_before_the_move(
    code: str, line: str
) -> None:
    """It was turned up, came from the pile, and was discovered."""
    found = setting_off(unexplored().scout(0, "8.8"), "move 8.8 0+1", "discover north")
    assert line in sentences(found, code), "as long as the group is on its way"
    end = next(text for text in found.stage.texts() if text.startswith("go "))
    lines = sentences(found.do(end), code)
    assert lines[0] == line and len(lines) == 2


@pytest.mark.parametrize("code", ["en", "ko", "ja"])
def test_a_lot_that_is_drawn_in_a_battle_says_what_for(code: str) -> None:
    """All machines drew lots together, twice, and nobody read why."""
    stage = field().holds(0, "infantry.1 infantry.2 mounted.1 artillery.1 artillery.2")
    stage.holds(1, "infantry.2 infantry.3 mounted.2 mounted.3 artillery.3")
    told = setting_off(stage, "move 8.8 1+0", "go 9.8")
    assert told.of_kind("mustered") == [Fact("mustered", at, (), 3) for at in (0, 1)]
    words = load(code)
    lots = [line for line in sentences(told, code) if "3" in line]
    assert lots == [
        words("fact.civilization.mustered_many", name=name, number=3) for name in ("ada", "grace")
    ]
    assert words("line.civilization.rolled") not in sentences(told, code)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_unit_that_dies_by_lot_is_told_with_whose_it_is_before_it_is_shown(code: str) -> None:
    """3.1 monarchy."""
    stage = base().tech(0, "monarchy").has(0, silk=1).holds(1, "mounted.2 infantry.1")
    told_by = Narrated(stage.phase("city")).do("power monarchy")
    lines = sentences(told_by, code)
    at = lines.index(load(code)("fact.civilization.doomed", name="grace"))
    assert load(code)("line.civilization.rolled") not in lines
    assert [fact.kind for fact in told_by.facts].count("fallen") == 1 and at < len(lines) - 1


def test_a_way_that_ends_in_a_battle_is_told_before_it() -> None:
    for end in (natives_unbeaten(), natives_beaten()):
        assert sentences(end)[:3] == [
            "ada moves 1 army from m9", "ada goes to n9", "  ada attacks the natives at n9",
        ]  # fmt: skip


def test_a_move_of_somebody_else_tells_nothing_of_mine() -> None:
    mine = Line(1, "chosen", 0, Action("move", (), 8), text="move 8.8 1+0")
    others = Fact("moved 4.4 4.5 1+0", 1, (), 1)
    lines = [mine, Line(1, "told", 1, text=others.kind, fact=others)]
    model = model_of(Narrated(base().phase("move")))
    found = [each.text for each in told(model, lines)]
    assert found == ["ada moves 1 army from m9", "grace moves: 1 army g5 → g6"]


def test_lines_of_text_wait_for_the_end_of_a_move_and_tell_it_once() -> None:
    """What has been printed cannot be taken back."""
    moved = Narrated(base().army(0, "8.8", 2).phase("move"))
    presenter, printed = PlainPresenter(load("en"), is_automatic=False), list[str]()
    for text in ("", "move 8.8 1+0", "via 8.9", "go 8.10", "move 8.8 1+0"):
        printed += presenter.receive(news_of(moved.do(text) if text else moved, me=1))
    assert [line.strip() for line in printed if "move" in line] == ["ada moves: 1 army m9 → m11"]


def test_of_several_moves_that_are_heard_of_at_once_only_the_last_is_waited_for() -> None:
    moved = setting_off(base().army(0, "8.8", 3), "move 8.8 1+0", "go 8.9")
    moved.do("move 8.8 1+0", "via 8.9", "go 8.8", "move 8.8 1+0")
    assert PlainPresenter(load("en"), is_automatic=False).receive(news_of(moved, me=1)) == [
        "ada moves: 1 army m9 → m10",
        "ada moves 1 army from m9", "ada goes over m10", "ada goes to m9", "Waiting for ada",
    ]  # fmt: skip


def test_lines_of_text_wait_while_the_rules_go_on_by_themselves() -> None:
    """The marker of a hut is drawn, with proofs of all machines, before the move is over."""
    moved = setting_off(base().mark("hut", "9.8").army(0, "8.8"), "move 8.8 1+0", "go 9.8")
    whole, presenter = news_of(moved, me=1), PlainPresenter(load("en"), is_automatic=False)
    cleared = next(at for at, line in enumerate(whole.lines) if line.text.startswith("cleared"))
    seen = replace(whole.view, to_act=(), offers=())
    assert presenter.receive(replace(whole, view=seen, lines=whole.lines[: cleared + 1])) == []
    told_now = presenter.receive(replace(whole, view=seen))
    assert [line.strip() for line in told_now if "ada" in line] == [
        "ada moves: 1 army m9 → n9", "ada takes the hut marker n9",
    ], "as soon as it is over"  # fmt: skip


def test_whoever_may_interrupt_a_move_is_told_what_led_there() -> None:
    stage = base().army(0, "7.8").tech(1, "communism").holds(1, "hut.spy").has(1, guard=64)
    asked = setting_off(stage, "move 7.8 1+0", "go 9.8")
    assert asked.stage.asked == 1
    ways = ["ada moves 1 army from k9", "ada goes to n9"]
    assert PlainPresenter(load("en")).receive(news_of(asked, me=1))[:2] == ways
    assert not {*ways} & {*PlainPresenter(load("en")).receive(news_of(asked, me=0))}


def test_lines_of_text_tell_a_way_to_a_battle_when_it_begins() -> None:
    presenter, attack = (
        PlainPresenter(load("en"), is_automatic=False),
        Narrated(field().phase("move")),
    )
    printed = list[str]()
    for text in ("move 8.8 1+0", "go 9.8"):
        printed = presenter.receive(news_of(attack.do(text), me=1))
    found = [line for line in printed if "ada" in line][:3]
    assert found[:2] == ["ada moves 1 army from m9", "ada goes to n9"]
    assert found[2].endswith("ada attacks grace at n9")


def test_a_way_that_was_taken_back_and_chosen_anew_is_told_from_its_beginning() -> None:
    """Nothing was told of the group yet, and taking back took it for told."""
    attack = Narrated(field().phase("move"))
    presenter = PlainPresenter(load("en"), is_automatic=False, takes_back=True)
    printed = presenter.receive(news_of(attack))
    for typed in ("move 8.8 1+0", "via 8.9", "back"):
        printed += presenter.read(typed).lines
    sent = presenter.read("go 9.8").command
    assert isinstance(sent, Choose) and sent.action.verb == "move"
    for text in ("move 8.8 1+0", "go 9.8"):
        printed += presenter.receive(news_of(attack.do(text)))
    ways = [line for line in printed if line.startswith(("ada moves", "ada goes"))]
    assert ways == ["ada moves 1 army from m9", "ada goes to n9"]


def test_what_somebody_is_asked_about_takes_no_row_of_what_others_did() -> None:
    """Eight of these switches had pushed every move of the other out of the panel."""
    stage = Stage().city(0, "2.2").city(1, "12.12").army(0, "3.3")
    moved = setting_off(stage, "move 3.3 1+0", "go 3.4", "guard events", "guard wonders")
    mine, news = replace(moved.lines[0], seat=1), news_of(moved, me=1)  # I chose before.
    model = view_model(load("en"), replace(news, lines=(mine, *news.lines)))
    new = [each.text for each in since_my_choice(model) if not each.is_heading]
    assert new == ["ada moves: 1 army d4 → d5"]
    beside = [each.text for each in story(model)]
    assert new[0] in beside and not any("be asked about" in text for text in beside)
    assert any("what to be asked about" in each.text for each in told_of(moved)), "the log has it"


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
        "  Infantry 3 of ada: wounds +2",
        "  Killed: Infantry 2 of the natives",
        "The natives play Artillery 2",
        "The natives attack in front 1",
        "  Killed: Infantry 3 of ada",
        "ada plays Mounted 3",
        "ada attacks in front 1",
        "  Killed: Artillery 2 of the natives",
        "The natives play Mounted 2",
        "The natives make a new front",
        "ada plays Mounted 3",
        "ada attacks in front 2",
        "  Mounted 3 of ada: wounds +2",
        "  Killed: Mounted 2 of the natives",
        "  ada beats the natives at n9, 6 to 0",
        "  ada takes the village marker n9",
    ]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_no_language_the_left_neighbour_is_said_to_fight_for_natives(code: str) -> None:
    for battle in (natives_beaten(), natives_unbeaten()):
        assert not [line for line in sentences(battle, code) if "grace" in line or "{" in line]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_where_room_is_short_the_end_of_a_battle_is_told_before_its_blows(code: str) -> None:
    """Who looked on read every unit that was played, and not who won."""
    for battle in (natives_beaten(), natives_unbeaten()):
        lines = told_of(battle, code, me=1)
        end, *_ = [each.text for each in lines if each.is_deed and each.text != lines[2].text]
        rows = " ".join(to_text(fitting(lines, 34, 9)).split())
        assert "".join(end.split()) in rows.replace(" ", "")


@pytest.mark.parametrize(("code", "natives"), [("en", "natives"), ("ja", "原住民")])
def test_where_room_is_short_natives_go_without_who_plays_them(code: str, natives: str) -> None:
    """`原住民(…` stood above their units at 60 x 20."""
    told_by = attacked(beside_village("infantry.1 mounted.1 infantry.2"))
    model = model_of(told_by, code)
    head = to_text(battle_rows(Scene(model), table_of(model.view), 22)).splitlines()[0]
    assert natives in head and "…" not in head


def test_when_natives_have_won_nobody_is_told_that_their_units_died() -> None:
    assert sentences(natives_unbeaten())[-4:] == [
        "  The natives win the battle at n9, 6 to 4",
        "  ada loses: 1 army n9",
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
    assert since_my_choice(model_of(battle, me=1)) == [], "it has chosen nothing yet"


def test_units_of_natives_are_not_counted_as_those_of_the_seat_that_plays_them() -> None:
    """Her units went from 1 to 4 in somebody else's battle, and her line of forces named them."""
    stage = beside_village("mounted.2 mounted.1 mounted.2").holds(1, "aircraft.5")
    battle = setting_off(stage, "move 8.8 1+0", "go 9.8")
    for moment in (battle, battle.let_natives()):
        model = model_of(moment, me=1)
        table = table_of(model.view)
        assert table.zones[table.layout.zone_index["seat1.battle"]], "natives are in its hand"
        assert [numbers(table, seat)["units"] for seat in (0, 1)] == [3, 1]
        assert forces_text(Scene(model), table, 1) == "Aircraft 5"


def test_natives_are_in_my_hand_only_while_i_choose_for_them() -> None:
    stage = beside_village("mounted.2 mounted.1 mounted.2").holds(1, "drought")
    battle = setting_off(stage, "move 8.8 1+0", "go 9.8")
    held = {each.card.face for each in model_of(battle, me=1).hand}
    assert held == {"infantry.2", "mounted.2", "artillery.2"}
    assert {each.card.face for each in model_of(battle.let_natives(), me=1).hand} == {"drought"}


def test_in_a_battle_of_my_own_my_units_stay_in_my_hand_and_are_counted() -> None:
    stage = field().holds(0, "mounted.2").holds(1, "mounted.1 infantry.1")
    battle = setting_off(stage, "move 8.8 1+0", "go 9.8", "play mounted.1", "new")
    model = model_of(battle, me=1)
    assert [each.card.face for each in model.hand] == ["infantry.1"]
    assert numbers(table_of(model.view), 1)["units"] == 2
    forces = forces_text(Scene(model), table_of(model.view), 1)
    assert forces == "Infantry 1, Mounted 1", "also the one that is on a front"


def test_who_proposes_a_deal_is_not_told_to_be_hurt_by_it() -> None:
    """`! ada proposes the deal to grace` stood on the screen of ada."""
    stage = Stage().city(0, "2.2").city(1, "12.12").has(0, trade=2).phase("trade")
    deal = Narrated(stage).do("offer seat1", "give trade 1", "done")
    told = [told_of(deal, me=me) for me in (0, 1)]
    assert all("ada proposes the deal to grace" in {each.text for each in lines} for lines in told)
    assert not [each.text for lines in told for each in lines if each.is_hurt]


def test_what_is_switched_at_once_is_one_sentence_of_the_log() -> None:
    """Nine lines of one seat said that it wants to be asked about something, or not."""
    stage = Stage().city(0, "2.2").holds(0, "hut.spy").phase("trade")
    switched = Narrated(stage).do("guard events", "guard actions", "end")
    said = [text for text in sentences(switched) if "asked about" in text]
    assert said == ['ada switches what to be asked about: "every event, every city action"']


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("en", "{} learns {}"),
        ("ko", "{} 님이 배웁니다: {}"),
        ("ja", "{}さんが{}を習得"),
    ],
)
def test_what_is_learned_is_told_in_one_line(code: str, line: str) -> None:
    """`bert learns Pottery` and `bert knows Pottery` stood there, in research and as loot."""
    stage = Stage().city(0, "2.2").city(1, "10.10").has(0, trade=6).has(1, trade=6)
    research = Narrated(stage.phase("research"))
    both = tuple(stage.action(f"learn {key}", at) for at, key in enumerate(("pottery", "writing")))
    research.answer(Opened(both))
    loot_of = Narrated(loot(2)).do("learn masonry")
    for story_of, learned in (
        (research, [("ada", "pottery"), ("grace", "writing")]), (loot_of, [("ada", "masonry")])
    ):  # fmt: skip
        lines = [each.text for each in told_of(story_of, code)]
        names = [load(code).name("civilization", f"tech.{key}") for _, key in learned]
        said = [line.format(who, what) for (who, _), what in zip(learned, names, strict=True)]
        assert [each for each in lines if any(name in each for name in names)] == said


def test_what_is_learned_is_told_in_one_line_also_where_somebody_learns_nothing() -> None:
    stage = Stage().city(0, "2.2").city(1, "10.10").has(0, trade=6).has(1, trade=6)
    research = Narrated(stage.phase("research"))
    research.answer(Opened((stage.action("learn pottery", 0), stage.action("none", 1))))
    lines = [each.text for each in told_of(research)]
    assert lines.count("ada learns Pottery") == 1 and "grace learns nothing" in lines


def test_who_loses_a_battle_reads_how_many_armies_and_where_they_fought() -> None:
    """Two that fell read as one, at the square from which they had set off."""
    stage = field(armies=2).tech(0, "navigation").phase("move").do("move 8.8 2+0")
    battle = Narrated(stage).do("go 9.8")
    assert "ada loses: 2 armies n9" in [each.text for each in told_of(battle)]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_step_on_the_culture_track_is_told_in_one_line(code: str) -> None:
    """That it was paid for, and that it was gone, stood there; in Korean they were the same."""
    stage = Stage().city(0, "2.2").city(1, "10.10").has(0, culture=3).phase("city")
    lines = [each.text for each in told_of(Narrated(stage).do("advance"), code)]
    step = load(code)("fact.civilization.advanced", name="ada")
    paid = load(code)("line.civilization.advance", name="ada")
    assert sum(each in (step, paid) for each in lines) == 1


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_was_cancelled_is_told_as_that(code: str) -> None:
    """The event, what answered it and two discards stood there, and nothing of what came of it."""
    event = Narrated(drought(three().holds(2, "jousting_tourney"))).do("answer 0 jousting_tourney")
    city = three().tech(0, "philosophy").tech(1, "writing").ground("f.", "0.0", "1.0", "2.0")
    city = city.has(0, trade=3).holds(1, "hut.spy").phase("city")
    action = Narrated(city).do("make temple 0", "site 2.2", "answer 0 hut.spy")
    gift = three().tech(0, "construction").holds(0, "generous_gift").holds(1, "jousting_tourney")
    payment = Narrated(gift.phase("city")).do(
        "power construction generous_gift", "answer 1 jousting_tourney"
    )
    for story_of, kind in ((event, "cancelled"), (action, "cancelled"), (payment, "unpaid")):
        line = load(code)(f"fact.civilization.{kind}", name="ada")
        assert [each.text for each in told_of(story_of, code)].count(line) == 1
