"""Who has lost, taken or learned what at Civilization, as it is told."""

from __future__ import annotations

import pytest

from core.games.civilization.layout import EVENT_DECK, HUT_PILE
from core.narrate import Line
from core.requests import Fact, Opened
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import field
from tests.core.games.civilization.test_cities import rich
from tests.core.games.civilization.test_natives import beside_village
from tests.core.games.civilization.test_story import STRONG, attacked
from tests.core.games.civilization.test_windows import drought, three
from tests.ui.fakes import some_seats
from tests.ui.test_civilization_story import model_of, sentences, told_of
from ui.games.civilization.position import table_of
from ui.games.civilization.window import got_text
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.sentences import line_sentence
from ui.model.story import since_my_choice


def founding(verb: str) -> Narrated:
    """A city is founded by whoever stands there."""
    stage = Stage().city(0, "2.2").city(1, "12.12").rules_by(0, "republic")
    stage = stage.army(0, "7.7") if verb == "settle" else stage.scout(0, "7.7")
    return Narrated(stage.phase("start")).do(f"{verb} 7.7")


def walked_over() -> Narrated:
    """An army of ada comes to a scout of grace that stands alone."""
    stage = Stage().city(0, "2.2").city(1, "12.12").army(0, "8.8").scout(1, "8.9")
    return Narrated(stage.phase("move")).do("move 8.8 1+0", "go 8.9")


@pytest.mark.parametrize("verb", ["found", "settle"])
def test_a_city_that_is_founded_is_told_in_one_line_and_as_no_loss(verb: str) -> None:
    """C34: `ada has a city at k8` and `ada loses: 1 scout k8` stood below it."""
    lines = [line for line in sentences(founding(verb)) if "k8" in line]
    assert len(lines) == 1 and "founds a city" in lines[0]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("en", "ada removes grace's figures: 1 scout m10"),
        ("ko", "ada 님이 grace 님의 말을 제거합니다: 개척자 1 m10"),
        ("ja", "adaさんがgraceさんのコマを取り除く: 開拓者1 m10"),
    ],
)
def test_who_walks_over_scouts_is_told_with_them(code: str, line: str) -> None:
    """C105: it read as if the scout had gone by itself."""
    assert line in [each.strip() for each in sentences(walked_over(), code)]
    assert [each.text for each in told_of(walked_over(), code, me=1) if each.is_hurt] == [line]


def test_armies_that_fall_in_a_battle_are_lost_and_not_removed_by_somebody() -> None:
    """C125: who has won is told before."""
    battle = Narrated(field().holds(0, "mounted.2").phase("move"))
    battle.do("move 8.8 1+0", "go 9.8", "play mounted.2", "new")
    assert [fact.other for fact in battle.of_kind("gone")] == [-1]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_great_person_that_leaves_the_map_is_told_as_set_aside_by_its_owner(code: str) -> None:
    """C68: `Taken: Artist` stood there, and nobody's name."""
    stage = rich().mark("artist", "1.1").tech(0, "philosophy").phase("city")
    lines = sentences(Narrated(stage).do("make temple 0", "site 1.1"), code)
    artist = load(code).name("face", "artist")
    aside = load(code)("fact.civilization.aside", name="ada", what=artist)
    assert f"  {aside}" in lines


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_great_person_that_is_set_aside_at_once_is_told_once_by_its_name(code: str) -> None:
    """C79: `sets the great person aside` and `Taken: Artist` stood there."""
    stage = Stage().city(0, "2.2").has(0, culture=3, track=2).next_in(14, "artist")
    told = Narrated(stage.phase("city")).do("advance", "sheet")
    lines = [each.text for each in told_of(told, code)]
    artist = load(code).name("face", "artist")
    said = load(code)("fact.civilization.aside", name="ada", what=artist)
    assert [line for line in lines if artist in line][1:] == [said]
    assert load(code)("line.civilization.sheet", name="ada") not in lines


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("what", ["anarchy", "government republic"])
def test_a_change_of_government_is_told_once(code: str, what: str) -> None:
    """C39, C40: in Korean one line stood below another that was the same."""
    stage = Stage().city(0, "2.2").city(1, "12.12").tech(0, "code_of_laws")
    stage = stage if what == "anarchy" else stage.rules_by(0, "anarchy")
    lines = sentences(Narrated(stage.phase("start")).do(what), code)
    new = load(code).name("civilization", f"gov.{what.split()[-1]}")
    assert sum(new in line for line in lines) == 1


def test_who_takes_a_card_is_told_with_it() -> None:
    """C9: the first wonder of Egypt was taken by nobody."""
    words, seats = load("en"), some_seats(2)
    line = Line(0, "told", 1, faces=("oracle",), text="came", fact=Fact("came", 1))
    assert line_sentence(words, seats, line, "civilization") == "grace takes: Oracle"


def test_a_technology_is_not_called_one_twice() -> None:
    """Some bear the word behind their name, as a government is called the same."""
    stage = Stage().city(0, "2.2").city(1, "10.10").has(0, trade=26).tech(0, "pottery writing")
    told = Narrated(stage.tech(0, "currency").phase("research")).do("learn monarchy")
    (line,) = [each for each in sentences(told, "ko") if "군주제" in each]
    assert line == "ada 님이 배웁니다: 군주제(기술)"


@pytest.mark.parametrize(("code", "word"), [("ko", "유닛"), ("ja", "ユニット")])
def test_a_unit_has_one_name(code: str, word: str) -> None:
    """A few sentences had another word than the cards and all other sentences."""
    sentences_of = load(code).sentences.items()
    assert not [key for key, text in sentences_of if "civilization" in key and word in text]


@pytest.mark.parametrize(
    ("code", "offer", "line"),
    [
        ("en", "answer with Writing, paid with Hut: spy", "grace uses Writing"),
        ("ko", "문자로 대응, 오두막: 스파이 지불", "grace 님이 쓰는 자원 능력: 문자"),
        ("ja", "筆記で対応、小屋: スパイで支払う", "graceさんが筆記を使う"),
    ],
)
def test_an_answer_that_costs_a_spy_says_which_ability_it_is(
    code: str, offer: str, line: str
) -> None:
    """`answer with Hut: spy` stood there: a spy pays for four abilities."""
    city = three().tech(0, "philosophy").tech(1, "writing").ground("f.", "0.0", "1.0", "2.0")
    city = city.has(0, trade=3).holds(1, "hut.spy").phase("city")
    action = Narrated(city).do("make temple 0", "site 2.2")
    assert offer in [pick.text for pick in model_of(action, code, me=1).picks]
    assert f"  {line}" in sentences(action.do("answer 0 hut.spy"), code)


def test_an_answer_that_is_an_event_says_its_name_alone() -> None:
    event = Narrated(drought(three().holds(2, "jousting_tourney")))
    texts = [pick.text for pick in model_of(event, me=2).picks]
    assert "answer with Jousting Tourney" in texts
    assert not event.do("answer 0 jousting_tourney").of_kind("used")


def test_whoever_looks_at_a_marker_draws_no_card_also_where_a_coin_comes_between() -> None:
    """C103, C134: `ada draws 1 card` stood behind the coin."""
    told = attacked(beside_village(STRONG).tech(0, "code_of_laws"))
    for unit, front in (("infantry.3", 1), ("mounted.3", 1), ("mounted.3", 2)):
        told.do(f"play {unit}", f"front {front}").let_natives()
    lines = [line.strip() for line in sentences(told)]
    end = lines.index("ada takes the village marker n9")
    assert lines[end + 1] == "ada: +1 coin Code of Laws"
    assert "ada draws 1 card" not in lines[end:]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_an_event_that_is_discarded_is_told_once_and_by_whom(code: str) -> None:
    """C76: that it lay on its pile stood below."""
    stage = Stage().city(0, "2.2").has(0, culture=3, track=1).holds(0, "drought lost")
    told = Narrated(stage.phase("city")).do("advance", "discard drought")
    drought_name = load(code).name("face", "drought")
    line = load(code)("line.civilization.discard", name="ada", what=drought_name)
    assert [each.strip() for each in sentences(told, code) if drought_name in each] == [line]


def test_what_i_learn_together_with_others_is_not_among_what_they_did() -> None:
    """C160: `grace learns Writing` stood below what ada had learned, as if it followed from it."""
    stage = Stage().city(0, "2.2").city(1, "10.10").has(0, trade=6).has(1, trade=6)
    research = Narrated(stage.phase("research"))
    both = tuple(stage.action(f"learn {key}", at) for at, key in enumerate(("pottery", "writing")))
    research.answer(Opened(both))
    since = [each.text for each in since_my_choice(model_of(research, me=1))]
    assert "ada learns Pottery" in since and "grace learns Writing" not in since


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(("question", "civ"), [("choose_gift", "germany"), ("rescue", "china")])
def test_a_question_that_one_civilization_alone_is_asked_names_it(
    code: str, question: str, civ: str
) -> None:
    """C133, C168: a token of the market was to be chosen, and nothing said what for."""
    words = load(code)
    assert words.name("civilization", f"civ.{civ}") in words(f"phase.civilization.{question}")


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("en", "Infantry 1 of grace has strength 2"),
        ("ko", "grace 님의 보병 1: 전투력 2"),
        ("ja", "graceさんの歩兵 1: 戦力2"),
    ],
)
def test_a_unit_that_is_stronger_than_its_card_says_so_where_it_is_told(
    code: str, line: str
) -> None:
    """C113: what was told as `Infantry 1` stood on the front as `infantry 2`."""
    stage = field().tech(1, "chivalry democracy").holds(0, "mounted.2").holds(1, "infantry.1")
    battle = Narrated(stage.phase("move")).do("move 8.8 1+0", "go 9.8", "play infantry.1", "new")
    battle.do("play mounted.2", "new")
    told = [each.strip() for each in sentences(battle, code)]
    new = load(code)("line.civilization.new", name="grace")
    assert told[told.index(new) + 1] == line
    assert [fact.number for fact in battle.of_kind("ranked")] == [2], "the other is what it is"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_unit_that_china_brings_back_is_told_once(code: str) -> None:
    """C133: `brings back Infantry 1` and `takes back Infantry 1` stood there."""
    stage = Stage("china germany").city(0, "2.2").city(1, "12.12").army(0, "8.8").army(1, "9.8")
    stage.holds(0, "mounted.1").holds(1, "infantry.3 infantry.2").phase("move")
    battle = Narrated(stage).do("move 8.8 1+0", "go 9.8", "play infantry.3", "new")
    battle.do("play mounted.1", "front 1", "play infantry.2", "new")
    (rescue,) = [text for text in stage.texts() if text.startswith("rescue")] or [""]
    assert rescue, stage.texts()
    before = len(sentences(battle, code))
    unit = load(code).name("face", "mounted.1")
    lines = sentences(battle.do(rescue), code)[before:]
    assert sum(unit in line for line in lines) == 1


def drawing(reader: int | None) -> Narrated:
    """A card comes to ada, who holds another one with that back; told to one seat."""
    stage = Stage().city(0, "2.2").city(1, "12.12").holds(0, "defection")
    stage = stage.next_in(EVENT_DECK, "drought").has(0, culture=6, trade=6, track=1)
    return Narrated(stage.phase("city"), reader).do("advance")


@pytest.mark.parametrize(
    ("code", "mine", "theirs"),
    [
        ("en", "You now hold: Drought", "ada draws 1 card"),
        ("ko", "받은 카드: 가뭄", "ada 님이 카드 1장을 뽑습니다"),
        ("ja", "手にしたカード: 干ばつ", "adaさんが1枚引く"),
    ],
)
def test_a_card_that_comes_is_named_to_whoever_holds_it_and_to_nobody_else(
    code: str, mine: str, theirs: str
) -> None:
    """It is mixed with the others at once: `ada draws 1 card` did not say which was new."""
    told = [each.text for each in told_of(drawing(reader=0), code)]
    assert mine in told and theirs not in told
    others = [each.text for each in told_of(drawing(reader=1), code, me=1)]
    assert theirs in others and not any(mine in text for text in others)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_beside_the_map_stands_which_card_has_just_come_and_what_it_does(code: str) -> None:
    """`a card has come` did not say which."""
    words, story_of = load(code), drawing(reader=0)
    told = words("line.drawn_these", what=words.name("face", "drought"))
    model = model_of(story_of, code)
    text = got_text(model, table_of(model.view))
    assert text == f"{told} · {words('text.civilization.drought')}"
    later = model_of(story_of.do("end"), code)
    assert not got_text(later, table_of(later.view)), "it is no news any more"


def test_the_marker_of_a_hut_is_named_to_whoever_took_it() -> None:
    stage = Stage().city(0, "2.2").city(1, "12.12").army(0, "8.8").mark("hut", "8.9")
    stage = stage.next_in(HUT_PILE, "hut.silk").phase("move")
    told = told_of(Narrated(stage, reader=0).do("move 8.8 1+0", "go 8.9"))
    assert "You now hold: Hut: silk" in [each.text for each in told]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("phase", ["start", "trade", "city", "move"])
def test_who_is_done_is_told_with_the_phase(code: str, phase: str) -> None:
    """`ada is done` was all that others read who were asked whether that is taken back."""
    stage = Stage().city(0, "2.2").city(1, "12.12").army(0, "8.8").has(0, trade=3)
    told = told_of(Narrated(stage.tech(0, "code_of_laws").phase(phase)).do("end"), code)
    assert load(code)(f"civilization.phase.{phase}") in told[0].text
