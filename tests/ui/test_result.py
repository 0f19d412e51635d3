"""Who won and why: points by source, and what decided, as a table and as lines of text."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from core.game import POINTS_CRITERION, Account, Source
from core.games import GAMES, find_game
from core.games.civilization.frames import BY_CULTURE, BY_ECONOMY, BY_TECHNOLOGY, BY_WAR
from core.games.civilization.layout import CITIES, HOW, TARGET_CITY, WINNER, counter_names
from core.games.renaissance.printed import STONES
from p2p.session.news import TableChanged
from tests.ui.fakes import PracticePort
from ui.draw.result import draw_moments, draw_result
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.result import columns, end_lines, how_won, ranked, reason, result, result_lines
from ui.model.story import hurts
from ui.model.view_model import ViewModel, view_model
from ui.plain.presenter import PlainPresenter
from ui.screens.end import draw_end
from ui.terminal.spans import row_width, to_text


def the_end(slug: str, players: int = 3, code: str = "en", seed: int = 3) -> ViewModel:
    """A game of dice at its end."""
    return view_model(load(code), _played(slug, players, seed))


@cache
def _played(slug: str, players: int, seed: int) -> TableChanged:
    """The last picture of a game; nobody changes it, and Dominion takes seconds."""
    port = PracticePort(game=find_game(slug), players=players, seed=seed).begin().play(100_000)
    return port.news()


def with_account(account: Account, winners: tuple[int, ...], scores: tuple[int, ...]) -> ViewModel:
    """The end of a game of Dominion as it might have been."""
    model = the_end("dominion")
    view = replace(model.view, account=account, winners=winners, scores=scores)
    return view_model(load("en"), replace(model.news, view=view))


def duchies(*numbers: int) -> tuple[tuple[Source, ...], ...]:
    """The points of seats that have nothing but so many Duchies each."""
    return tuple((Source("duchy", number, 3 * number, 3),) for number in numbers)


def test_whose_seat_a_bot_played_to_the_end_does_not_win_and_others_read_of_the_bot() -> None:
    won = the_end("dominion")
    view = replace(won.view, winners=(0,))
    won = view_model(load("en"), replace(won.news, view=view))
    assert result(won) == "YOU WIN"
    chosen = [line.entry for line in won.news.lines if line.kind == "chosen" and line.seat == 0]
    by_bot = replace(won.news, by_bots=frozenset({(chosen[-1], 0)}))
    assert result(view_model(load("en"), by_bot)) == f"{won.seats[0].name} (bot) wins"
    owner = replace(won.news, by_bots=frozenset({(chosen[0], 0)}))
    assert result(view_model(load("en"), owner)) == "YOU WIN", "it was back before the end"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("width", [58, 78, 100])
def test_the_table_of_the_result_is_whole(slug: str, code: str, width: int) -> None:
    model = the_end(slug, players=4, code=code)
    rows = draw_result(model, width)
    assert {row_width(row) for row in rows} == {width}
    text = to_text(rows)
    for seat in model.seats:
        assert seat.name in text
        assert str(seat.score) in text or slug == "civilization"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("slug", GAMES)
def test_no_heading_of_the_result_is_cut_on_the_smallest_screen(slug: str, code: str) -> None:
    rows = draw_result(the_end(slug, code=code), 54)
    assert {row_width(row) for row in rows} == {54} and "…" not in to_text(rows)


def test_points_decide_and_the_source_that_made_most_of_them_is_named() -> None:
    account = Account(duchies(4, 1, 2), ((POINTS_CRITERION, (12, 3, 6)), ("turns", (-9, -9, -9))))
    model = with_account(account, (0,), (12, 3, 6))
    assert [seat.seat for seat in ranked(model)] == [0, 2, 1]
    said = "ada is 6 points ahead of alan. The biggest difference: Duchy, 4 to 2."
    assert reason(model) == said
    japanese = reason(replace(model, words=load("ja")))
    assert "。" in japanese[:-1] and "。 " not in japanese
    assert result_lines(model)[0] == "ada: 12 points (Duchy 4×3=12, turns 9)"


def test_sources_stand_in_their_order_also_where_the_first_seat_has_not_all_of_them() -> None:
    """Duchies stood behind Curses where the winner had no Duchy."""
    owned = (("estate", "province", "curse"), ("estate", "duchy", "curse"))
    some = [tuple(Source(key, 1, 1, 1) for key in keys) for keys in owned]
    account = Account((*some, (Source("gardens", 0, 0, 1),)), ())
    assert columns(account) == ["estate", "duchy", "province", "curse"]


def test_of_equal_points_the_tie_break_is_named() -> None:
    account = Account(duchies(2, 2, 1), ((POINTS_CRITERION, (6, 6, 3)), ("turns", (-10, -9, -9))))
    model = with_account(account, (1,), (6, 6, 3))
    assert reason(model) == "Equal on points. Fewer turns win: grace had 9, ada 10."


def test_where_all_is_equal_all_win() -> None:
    account = Account(duchies(2, 2, 2), ((POINTS_CRITERION, (6, 6, 6)), ("turns", (-9, -9, -9))))
    assert "Everything is equal" in reason(with_account(account, (0, 1, 2), (6, 6, 6)))


def test_a_hegemony_wins_though_others_have_more_points() -> None:
    model = the_end("carta", seed=4)
    winner, *losers = ranked(model)
    assert (winner.score or 0) < max(seat.score or 0 for seat in losers)
    assert reason(model) == "A hegemony wins at once, whatever the points are."


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_hegemony_says_why_it_took_one_card_more(code: str) -> None:
    """Who knows that 7 cards win read *8 of 8*, and not why."""
    words, model = load(code), the_end("carta", seed=4)
    usual = how_won(replace(model, words=words))
    seats = tuple(
        replace(seat, piles=tuple(
            replace(pile, count=8, note=pile.note._replace(target=8, democracies=1))
            if pile.count >= pile.note.target > 0 else pile
            for pile in seat.piles
        ))
        for seat in model.seats
    )  # fmt: skip
    said = how_won(replace(model, words=words, seats=seats))
    democracy = words.of("carta").name("effect", "utopia.x")
    assert democracy in said and democracy not in usual and "8" in said


def test_a_game_without_an_account_shows_its_points() -> None:
    model = the_end("carta", seed=4)
    view = replace(model.view, account=None)
    bare = view_model(load("en"), replace(model.news, view=view))
    assert reason(bare) == ""
    assert result_lines(bare)[0].endswith("points")
    assert "alan" in to_text(draw_result(bare, 60))


@pytest.mark.parametrize("seed", range(6))
def test_stones_are_counted_by_those_kept_and_those_won(seed: int) -> None:
    """By their colours everybody was said to be ahead by the own one, of which others have none."""
    model = the_end("renaissance", seed=seed)
    account = model.view.account
    assert account is not None
    for seat in model.seats:
        own, won = account.sources[seat.seat]
        counters = model.view.counters
        assert own.number == counters[f"seat{seat.seat}.stones.{STONES[seat.seat]}"]
        assert own.number + won.number == seat.score
    if "Equal" not in reason(model):
        assert re.search(r"has \d+ stones? more than .* difference: (own stones|stones won)",
                         reason(model))  # fmt: skip
    assert "stones " in result_lines(model)[0]


def test_the_piles_that_ran_out_are_named() -> None:
    model = next(
        each for seed in range(20)
        if (each := the_end("dominion", seed=seed)).view.zones["supply.province"]
    )  # fmt: skip
    gone = [ware.face for ware in model.look.wares(model.view)
            if not model.view.zones[ware.zone]]  # fmt: skip
    assert len(gone) >= 3
    assert all(model.words.name("face", face) in how_won(model) for face in gone)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_won_civilization_is_named_and_whose_capital_was_taken(code: str) -> None:
    names = counter_names(3)
    for how in (BY_CULTURE, BY_TECHNOLOGY, BY_ECONOMY, BY_WAR):
        port = PracticePort(game=find_game("civilization"), players=3).begin()
        changed = {names[WINNER]: 1, names[HOW]: how, names[TARGET_CITY]: 1 + 2 * CITIES}
        counters = {**port.news().view.counters, **changed}
        view = replace(port.news().view, counters=counters, is_over=True, offers=())
        said = how_won(view_model(load(code), replace(port.news(), view=view)))
        assert "grace" in said and ("alan" in said) is (how == BY_WAR)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [58, 78, 100])
def test_below_the_result_stands_what_hurt_me_and_how_it_ended(code: str, width: int) -> None:
    model = the_end("carta", code=code, seed=29)
    rows = draw_moments(model, width)
    assert {row_width(row) for row in rows} == {width}
    text, told = to_text(rows), hurts(model)
    assert any(each.is_hurt for each in told) and told[0].is_heading
    assert all(model.words(f"end.{key}") in text for key in ("hurt", "last"))
    assert 0 < text.count("! ") <= sum(each.is_hurt for each in told)
    first = text.splitlines()[1].strip("│ ")
    starts = [f"! {each.text}" if each.is_hurt else each.text for each in told]
    assert any(start.startswith(first.split("│")[0].split("  ")[0]) for start in starts), first
    assert result(model) in text


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_where_points_say_nothing_it_is_told_how_near_everybody_was(code: str) -> None:
    model = the_end("civilization", code=code)
    table = to_text(draw_result(model, 78))
    assert model.words("end.score") not in table
    assert table.count("/21") == table.count("/15") == len(model.seats)
    assert all("/21" in line and "/15" in line for line in result_lines(model))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("slug", GAMES)
def test_the_end_says_of_every_game_what_ended_it(slug: str, code: str) -> None:
    assert how_won(the_end(slug, code=code))


def at_the_end(seat: int | None, path: str | None) -> ViewModel:
    """The end of a game as it looks from a seat, or to somebody who looked on."""
    news = _played("carta", 3, 3)
    view = replace(news.view, seat=seat)
    return view_model(load("en"), replace(news, view=view, path=Path(path) if path else None))


def test_costliest_choices_are_offered_to_whoever_chose_in_a_game_that_is_kept() -> None:
    """A spectator read `c finds your costliest choices`, and the key did nothing."""
    said = load("en")("end.keys")
    assert said in to_text(draw_end(at_the_end(0, "a.hostless"), 100))
    assert said not in to_text(draw_end(at_the_end(None, "a.hostless"), 100))
    assert said not in to_text(draw_end(at_the_end(0, None), 100))


def test_lines_of_text_say_of_a_finished_game_what_the_screen_says() -> None:
    """`compare words (f)` stood there: that is a key, and no key of lines of text."""
    model = at_the_end(0, "a.hostless")
    model = view_model(load("en"), replace(model.news, pairing="one two", strangers=("bert",)))
    told = "\n".join(end_lines(model))
    assert "(f)" not in told and "a.hostless" in told
    done = view_model(load("en"), replace(model.news, is_finished=True))
    assert load("en")("end.audited") in end_lines(done)


def test_lines_of_text_say_it_when_the_result_is_signed_and_once() -> None:
    """What had not been signed as the game ended was never said to be."""
    words, news = load("en"), at_the_end(0, "a.hostless").news
    presenter = PlainPresenter(words)
    said = presenter.receive(replace(news, unsigned=(1,), is_finished=False))
    assert any("Not signed yet" in line for line in said) and words("end.audited") not in said
    assert presenter.receive(replace(news, unsigned=(1,), is_finished=False)) == []
    assert presenter.receive(replace(news, is_finished=True)) == [words("end.audited")]
    assert presenter.receive(replace(news, is_finished=True)) == []
