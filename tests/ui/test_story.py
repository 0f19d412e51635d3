"""The story on the screen: by turns, consequences below their cause, what hurt me in front."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
from rich.cells import cell_len

from core.games import find_game
from p2p.session.news import TableChanged
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.draw.story import fitting, story_rows
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.model.story import Told, plain_sentences, since_mine, since_my_turn, story, told
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import to_text


def robbed(code: str = "en") -> ViewModel:
    """My turn begins in a game of Carta in which somebody has just taken my hand."""
    return view_model(load(code), _robbed())


@lru_cache
def _robbed() -> TableChanged:
    port = PracticePort(players=3, seed=4).begin()
    port.play_until(
        lambda news: bool(news.view.offers) and news.view.phase == "play"
        and any(line.text == "robbed" and line.seat == 0 for line in news.lines[-22:])
    )  # fmt: skip
    return port.news()


def test_since_my_last_turn_everybody_else_is_told_and_nothing_of_mine() -> None:
    told = since_my_turn(robbed())
    assert [each.text for each in told if each.is_heading] == ["grace's turn 8", "alan's turn 8"]
    assert told[0].is_heading
    assert not any(each.is_mine and not each.is_hurt for each in told)


@pytest.mark.parametrize(
    ("code", "hurt"),
    [
        ("en", "  ! grace takes ada's whole hand, 3 cards"),
        ("ko", "  ! grace 님이 ada 님의 손패 3장을 모두 가져갑니다"),
        ("ja", "  ! graceさんがadaさんの手札3枚をすべて取る"),
    ],
)
def test_what_others_did_to_me_is_marked_below_the_choice(code: str, hurt: str) -> None:
    lines = plain_sentences(since_my_turn(robbed(code)))
    assert hurt in lines
    assert not lines[lines.index(hurt) - 1].startswith(("  ", "--")), "below the choice"


@pytest.mark.parametrize(("width", "height"), [(120, 36), (80, 24), (200, 50)])
def test_my_turn_begins_with_what_happened_since_the_last(width: int, height: int) -> None:
    model = robbed()
    frame = draw_table(Scene(model, width=width, height=height))
    shown = to_text([*frame.board, *frame.side])
    assert "! grace takes ada's whole" in shown
    assert frame.untold == ()
    if frame.side:
        assert "SINCE YOUR LAST TURN" in shown


def test_where_there_is_no_row_for_it_the_screen_is_told_to_say_it() -> None:
    frame = draw_table(Scene(robbed(), width=60, height=16))
    shown = to_text([*frame.board, *frame.side])
    said = [*frame.untold, *(line.strip() for line in shown.splitlines())]
    assert any("takes ada's whole hand" in each for each in said)


def test_where_rows_are_few_each_turn_keeps_what_came_last_in_it() -> None:
    turns = [
        Told(text, at, is_heading="turn" in text, is_consequence="coins" in text)
        for name in ("ada", "bert")
        for at, text in enumerate(
            (f"{name}'s turn", f"{name} plays Copper", f"{name} has 4 coins", f"{name} buys Silver")
        )
    ]
    rows = ["".join(span.text for span in row).strip() for row in fitting(turns, 60, 5)]
    assert rows == ["ada's turn", "ada buys Silver", "bert's turn", "bert plays Copper",
                    "bert buys Silver"]  # fmt: skip


def test_where_rows_are_fewer_still_every_turn_is_told_and_its_heading_goes_first() -> None:
    """Two of three rows were the headings of two turns, of which one was told nothing."""
    turns = [
        Told(f"{name} {what}", at, is_heading=what == "has the turn")
        for name in ("ada", "bert")
        for at, what in enumerate(("has the turn", "plays Copper", "buys Silver"))
    ]
    rows = ["".join(span.text for span in row).strip() for row in fitting(turns, 60, 3)]
    assert rows == ["ada buys Silver", "bert has the turn", "bert buys Silver"]
    assert fitting(turns, 60, 0) == fitting(turns, 60, -1) == []


@pytest.mark.parametrize("slug", ["carta", "dominion", "renaissance"])
def test_of_a_turn_with_little_room_the_deed_is_told(slug: str) -> None:
    """Of a turn at Renaissance the cards were told, and not where the stone went."""
    port = PracticePort(game=find_game(slug), players=3, seed=4).begin()
    asked = 0
    while not port.news().view.is_over and asked < 2:
        port.play_until(lambda news: bool(since_my_turn(view_model(load("en"), news))))
        told = since_my_turn(view_model(load("en"), port.news()))
        deeds = [each for each in told if each.is_deed]
        turns = sum(each.is_heading for each in told)
        if len(deeds) >= turns > 0 and not any(each.is_hurt for each in told):
            rows = to_text(fitting(told, 200, 2 * turns))
            assert sum(each.text in rows for each in deeds) >= turns, rows
            asked += 1
        port.play(1)
    assert asked, f"no turn of {slug} has a deed in it"


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_in_few_rows_a_duel_is_told_by_who_won_and_what_was_paid(seed: int) -> None:
    """`dora passes`, `Mistral passes` were kept, and who had won the stone was not."""
    port = PracticePort(game=find_game("renaissance"), players=3, seed=seed).begin()

    def is_won(news: TableChanged) -> bool:
        new = [each.text for each in since_my_turn(view_model(load("en"), news))]
        return any("passes" in each for each in new) and any(" wins " in each for each in new)

    told = since_my_turn(view_model(load("en"), port.play_until(is_won).news()))
    rows = to_text(fitting(told, 60, 9))
    assert " wins " in rows and " gives " in rows and "passes" not in rows


def test_a_single_row_tells_what_hurt_me_and_nothing_else() -> None:
    rows = story_rows(Scene(robbed(), width=80, height=24), 80, 1)
    assert to_text(rows).strip() == "! grace takes ada's whole hand, 3 cards"
    assert story_rows(Scene(robbed(), width=80, height=24), 80, 0) == []


def test_two_rows_tell_two_turns_and_have_no_title() -> None:
    """Beside an explanation a title took one of two rows, and one of two opponents was told."""
    port = PracticePort(game=find_game("dominion"), players=3, seed=4).begin()
    port.play_until(lambda news: sum(
        each.is_deed for each in since_my_turn(view_model(load("en"), news))) == 2)  # fmt: skip
    model = view_model(load("en"), port.news())
    rows = to_text(story_rows(Scene(model, width=80, height=24), 80, 2))
    assert all(each.text in rows for each in since_my_turn(model) if each.is_deed)


def test_a_single_row_tells_what_both_others_did() -> None:
    """Beside the explanation of Carta one of two opponents was told."""
    port = PracticePort(players=3, seed=4).begin()
    port.play_until(lambda news: sum(
        each.is_deed for each in since_my_turn(view_model(load("en"), news))) == 2)  # fmt: skip
    model = view_model(load("en"), port.news())
    deeds = [each.text for each in since_my_turn(model) if each.is_deed]
    (row,) = story_rows(Scene(model, width=80, height=24), 80, 1)
    assert to_text([row]).strip() == "; ".join(deeds)
    assert len(story_rows(Scene(model, width=30, height=24), 30, 1)) == 1


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_a_single_row_what_came_of_a_turn_goes_before_where_the_stone_went(code: str) -> None:
    """Of two turns both stones were told, and not that one of them had won another's stone."""
    words = load(code).of("renaissance")

    def is_won(news: TableChanged) -> bool:
        told = since_my_turn(view_model(load(code), news))
        deeds = [each for each in told if each.is_deed]
        is_long = cell_len(words.parted([each.text for each in deeds])) > 78
        is_two = sum(not each.is_consequence for each in deeds) == 2
        is_hurt = any(each.is_hurt for each in told)
        return is_long and is_two and won_by(told, words) != "" and not is_hurt

    games = (PracticePort(game=find_game("renaissance"), players=3, seed=seed).begin()
             for seed in range(40))  # fmt: skip
    news = next(news for port in games if is_won(news := port.play_until(is_won).news()))
    model = view_model(load(code), news)
    (row,) = story_rows(Scene(model, width=80, height=24), 80, 1)
    assert won_by(since_my_turn(model), words) in to_text([row])


def won_by(told: list[Told], words: Words) -> str:
    """The sentence that somebody wins a stone."""
    wins = [words("fact.renaissance.wins_one", name=name) for name in ("grace", "alan")]
    return next((each.text for each in told if each.text in wins), "")


def test_few_rows_tell_nothing_that_somebody_did_to_me_before_the_last_turn_of_each() -> None:
    """Of a whole game what had hurt me came first, also while others thought, turns later."""
    port = PracticePort(game=find_game("renaissance"), players=3, seed=3).begin()

    def is_past(news: TableChanged) -> bool:
        told = story(view_model(load("en"), news))
        turns = [at for at, each in enumerate(told) if each.is_heading]
        hurt = [at for at, each in enumerate(told) if each.is_hurt]
        return bool(hurt) and hurt[-1] < turns[-3]

    news = port.play_until(is_past).news()
    assert is_past(news)
    model = view_model(load("en"), replace(news, view=replace(news.view, offers=())))
    for height in (1, 2):
        rows = to_text(story_rows(Scene(model, width=80, height=24), 80, height)).strip()
        assert rows and "!" not in rows, rows


def test_once_i_have_chosen_the_log_goes_on_by_itself() -> None:
    port = PracticePort(players=3, seed=4).begin()
    port.play_until(lambda news: news.view.phase == "effects" and bool(news.view.offers))
    frame = draw_table(Scene(view_model(load("en"), port.news()), width=120, height=36))
    assert "SINCE YOUR LAST TURN" not in to_text(frame.side)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("slug", ["carta", "dominion", "renaissance"])
def test_the_whole_story_of_every_game_can_be_read(slug: str, code: str) -> None:
    port = PracticePort(game=find_game(slug), players=2, seed=1).begin()
    port.play(60)
    told = story(view_model(load(code), port.news()))
    assert any(each.is_heading for each in told)
    assert any(each.is_consequence for each in told)
    assert all(each.text and "{" not in each.text for each in told)


def test_whoever_looks_on_has_no_turn_to_look_back_to() -> None:
    model = robbed()
    news = replace(model.news, view=replace(model.view, seat=None))
    assert since_my_turn(view_model(load("en"), news)) == []


def test_where_a_turn_is_a_round_of_all_what_is_new_begins_behind_my_own_last_choice() -> None:
    """Of Civilization it told my own moves of two rounds before, as what had been done since."""
    port = a_port(seed=5).play(60).play_until(lambda news: news.view.phase == "trade")
    model = view_model(load("en"), port.news())
    mine = max(line.entry for line in model.news.lines
               if line.kind == "chosen" and line.seat == model.view.seat)  # fmt: skip
    new = since_mine(model)
    assert new and all(each.entry > mine for each in new)
    side = to_text(draw_table(Scene(model, width=200, height=50)).side)
    assert load("en")("board.since_choice") in side and load("en")("board.since") not in side


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_figure_that_is_placed_is_told_once_and_by_its_name(code: str) -> None:
    """`grace chooses x14` stood twice, where a wonder and a scout were placed on one square."""
    port = PracticePort(seed=3, players=3, game=find_game("civilization")).begin().play(12)
    model = view_model(load(code), port.news())
    lines = told(model, port.news().lines)
    item = [model.words(f"civilization.item.{key}") for key in ("army", "scout")]
    placed = [each for each in lines if "x14" in each.text]
    assert len(placed) == 2, "the wonder and the scout"
    assert model.words.name("face", "hanging_gardens") in placed[0].text
    assert item[1] in placed[1].text and not placed[1].is_consequence
    begun = next(at for at, each in enumerate(lines) if each.is_heading)
    assert sum(item[0] in each.text for each in lines[:begun]) == len(model.seats)


@lru_cache
def the_end_of_dominion() -> TableChanged:
    port = PracticePort(players=2, seed=3, game=find_game("dominion")).begin()
    return port.play(10_000).news()


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "plays no more Actions"), ("ja", "これ以上アクションを使わない"),
     ("ko", "액션을 더 쓰지 않습니다")],
)  # fmt: skip
def test_whoever_goes_on_to_buying_plays_no_more_actions_and_does_not_stop(
    code: str, said: str
) -> None:
    """Who stops picking cards says another thing by the same word."""
    model = view_model(load(code), the_end_of_dominion())
    stops = [line for line in model.news.lines if line.text == "stop"]
    assert {line.phase == "action" for line in stops} == {True, False}
    for line in stops:
        (sentence,) = told(model, [line])
        assert (said in sentence.text) is (line.phase == "action"), sentence.text
