"""Drawings: nothing is wider than the terminal, and what can be clicked is what is drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games import GAMES, find_game
from core.requests import Action, Over
from core.view import Offer
from p2p.session.news import TableChanged
from tests.toy import REALM
from tests.ui.fakes import PracticePort, some_gathering
from tests.ui.playing import ENGLISH, KOREAN, Speech
from ui.draw.frame import board_of, draw_table
from ui.draw.panels import CardPicture, Light, cut, fit, wrapped
from ui.draw.panels import card as draw_card
from ui.draw.scene import Scene
from ui.draw.story import draw_story
from ui.draw.zones import zone_rows
from ui.language.text import LANGUAGE_NAMES, load
from ui.look import PLAIN
from ui.model.picks import make_picks
from ui.model.sentences import bot_marks
from ui.model.story import story
from ui.model.view_model import ViewModel, view_model
from ui.model.why_not import why_not
from ui.plain.table_lines import marks_text, question_lines, table_lines
from ui.screens.end import draw_end
from ui.screens.gathering import draw_gathering
from ui.terminal.spans import Row, Span, beside, hot_at, pad, row_width, to_text, wrap
from ui.widgets.keys import draw_keys

SIZES = ((60, 16), (80, 24), (120, 36), (200, 50))
# Each number of seats in one language, and each language with the most.
CROWDS = [("en", 2), ("en", 3), *((language, 4) for language in LANGUAGE_NAMES)]


def still_closed(news: TableChanged) -> TableChanged:
    """The same table while the keys of every card are still on their way."""
    view = news.view
    closed = {
        zone: tuple(replace(card, face=None) for card in cards)
        for zone, cards in view.zones.items()
    }
    return replace(news, view=replace(view, zones=closed, offers=()))


def every_drawing(model: ViewModel, size: tuple[int, int]) -> list[Row]:
    """All rows of a table, those of one part after those of another."""
    picked = tuple(pick.label for pick in model.picks[:1])
    width, height = size
    frame = draw_table(Scene(model, picked, "", width, height))
    return [
        *frame.title, *frame.board, *frame.prompt, *frame.hand, *frame.side,
        *(draw_end(model, width) if model.view.is_over else []),
    ]  # fmt: skip


def is_whole(model: ViewModel, size: tuple[int, int]) -> bool:
    """Whether the parts of a table fill the screen exactly, but for the line of keys."""
    width, height = size
    frame = draw_table(Scene(model, (), "", width, height))
    left = [*frame.board, *frame.prompt, *frame.hand]
    widths = {row_width(row) for row in left} | {width - frame.side_width}
    is_beside = not frame.side or len(frame.side) == len(left)
    return len(left) == height - 2 and widths == {width - frame.side_width} and is_beside


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_where_we_are_in_a_game_is_whole_in_the_first_line(game: str, language: str) -> None:
    """That the deck of Carta is empty ended with a `…`, beside *Strangers here: compare words*."""
    port, words = PracticePort(seed=1, game=find_game(game)).begin(), load(language)
    for _ in range(4):
        news = replace(port.play(20).news(), pairing="a b c d", strangers=("grace",))
        for view in (news.view, replace(news.view, zones={**news.view.zones, "deck": ()})):
            model = view_model(words, replace(news, view=view))
            (title,) = draw_table(Scene(model, width=80, height=24)).title
            told, *_ = board_of(model).status(model).split(" · ")
            assert told in to_text([title]) and "…" not in to_text([title])


@pytest.mark.parametrize(("language", "speech"), [("en", ENGLISH), ("ko", KOREAN)])
def test_the_words_that_tell_the_end_of_a_game_stand_in_the_line_of_keys(
    language: str, speech: Speech
) -> None:
    for width, _ in SIZES:
        assert speech.end in to_text(draw_keys(load(language), "end", width))


@pytest.mark.parametrize("slug", GAMES)
def test_cards_whose_faces_are_still_on_their_way_are_drawn(slug: str, seed: int) -> None:
    port = PracticePort(seed=seed, players=3, game=GAMES[slug]).begin()
    for _ in range(12):
        for size in SIZES:
            model = view_model(load("en"), still_closed(port.news()))
            rows = every_drawing(model, size)
            assert [row for row in rows if row_width(row) > size[0]] == []
            assert is_whole(model, size)
        assert table_lines(model)
        port.play(9)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_offer_has_one_label_and_every_label_can_be_clicked(players: int, seed: int) -> None:
    port = PracticePort(seed=seed, players=players).begin()
    while not isinstance(port.request, Over):
        model = view_model(load("en"), port.news())
        assert {pick.offer for pick in model.picks} == set(model.view.offers)
        labels = [pick.label for pick in model.picks]
        assert len(labels) == len(set(labels))
        rows = every_drawing(model, (80, 24))
        hot = {label for row in rows for span in row for label in span.hot.split(",")}
        assert set(labels) <= hot
        port.play(1)


def test_equal_cards_of_the_hand_are_picked_by_either_number() -> None:
    port = PracticePort(seed=3, players=4).begin()

    def has_twins() -> bool:
        cards = port.news().view.zones["seat0.hand"]
        kinds = [(card.face, card.back) for card in cards]
        verbs = {offer.action.verb for offer in port.news().view.offers}
        return len(set(kinds)) < len(kinds) and verbs == {"play"}

    port.play_until(lambda news: has_twins())
    model = view_model(load("en"), port.news())
    by_kind = {}
    for number, (card, _) in enumerate(model.hand, 1):
        pick = model.pick(str(number))
        assert pick is not None
        assert by_kind.setdefault((card.face, card.back), pick.offer) == pick.offer


def test_whatever_else_can_be_done_with_a_card_has_a_letter() -> None:
    news = PracticePort(seed=5).begin().news()
    card = news.view.zones["seat0.hand"][0]
    actions = [Action("play", (card.card,), place) for place in (1, 2, 3)]
    offers = tuple(Offer(action, f"play {card.face} {action.number}") for action in actions)
    view = replace(news.view, offers=offers)
    picks = make_picks(load("en"), view, news.seats, PLAIN)
    assert {pick.offer for pick in picks} == set(offers)
    assert {pick.offer for pick in picks if pick.label.isdigit()} == {offers[0]}
    assert len({pick.label for pick in picks if not pick.label.isdigit()}) == 2


def test_a_counter_of_the_rules_alone_is_not_shown() -> None:
    news = PracticePort(seed=5).begin().news()
    view = replace(news.view, counters={"round": 3, "_stage": 4, "seat0._held": 5, "seat0.gold": 6})
    model = view_model(load("en"), replace(news, view=view))
    scene = Scene(model, (), "", 120, 36)
    shown = "\n".join(to_text(zone_rows(scene, owner, 100)) for owner in (None, 0))
    assert "round 3" in shown and "gold 6" in shown
    assert "stage" not in shown and "held" not in shown


def test_a_dim_card_says_why() -> None:
    port = PracticePort(seed=5).begin()
    port.play_until(lambda news: any(offer.text == "end" for offer in news.view.offers))
    model = view_model(load("en"), port.news())
    assert "One card a turn" in why_not(model, 1)


def test_the_story_leaves_out_the_mixing_of_hands_and_ends_with_the_newest() -> None:
    port = PracticePort(seed=5).begin().play(6)
    model = view_model(load("en"), port.news())
    lines = to_text(draw_story(story(model), 60))
    assert "mixes" not in lines
    assert lines.splitlines()[-1].strip().startswith(("ada", "grace", "alan"))


def test_a_gathering_shows_names_words_and_free_seats() -> None:
    text = to_text(draw_gathering(load("en"), some_gathering(), 80))
    assert "amber falcon river stone" in text
    assert "free seat" in text
    assert "2 of 3 seats taken" in text


@pytest.mark.parametrize(
    ("code", "style"), [("en", "attacker"), ("ko", "공격파"), ("ja", "攻撃派")]
)
def test_the_style_of_a_bot_is_told_beside_its_level_and_at_the_table(
    code: str, style: str
) -> None:
    words, gathering = load(code), some_gathering()
    one, *others = gathering.seats
    for level, is_told in (("steady", False), ("steady+attacker", True)):
        bot = replace(one, is_bot=True, sponsor="grace", level=level, iterations=230)
        text = to_text(draw_gathering(words, replace(gathering, seats=(bot, *others)), 80))
        assert words("level.steady") in text and (style in text) is is_told
        assert (words.listed([words("level.steady"), style]) in text) is is_told
        assert bot_marks(words, bot) == [words("term.bot"), *[style] * is_told]
        news = PracticePort(seed=5).begin().play(6).news()
        model = view_model(words, replace(news, seats=(news.seats[0], bot, *news.seats[2:])))
        marked = words.listed(bot_marks(words, bot))
        assert f"({marked})" in marks_text(model, model.seats[1])
    assert bot_marks(words, one) == []


def test_wide_letters_count_as_two_cells() -> None:
    assert pad("군사", 6) == "군사  "
    assert pad("유토피아", 5) == "유토…"
    assert row_width([Span("軍事"), Span("x")]) == 5


def test_two_people_of_one_name_are_told_apart_where_names_are_cut() -> None:
    assert pad("root (2)", 7) == "roo…(2)"
    assert pad("김철수 (12)", 9) == "김철…(12)"
    assert pad("root (2)", 9) == "root (2) "
    assert pad("root (2)", 4) == "roo…"
    assert pad("철수 (12)", 6) == "철수 …"


def test_a_click_finds_the_span_under_it() -> None:
    rows = [[Span("ab"), Span("군사", "", "1"), Span("z", "", "2")]]
    assert [hot_at(rows, x, 0) for x in range(8)] == ["", "", "1", "1", "1", "1", "2", ""]
    assert hot_at(rows, 0, 5) == ""


def test_blocks_stand_beside_each_other() -> None:
    assert to_text(beside([[[Span("a")]], [[Span("b")], [Span("c")]]])) == "ab\n c"


def test_long_words_are_broken_and_short_ones_kept_whole() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrap("", 5) == [""]


def test_korean_words_stay_whole_and_a_number_stays_with_what_it_counts() -> None:
    assert wrap("이집트, 로마, 불가사의 없이", 12) == ["이집트,", "로마,", "불가사의", "없이"]
    row = [Span("보병 1, 포병 2×2, 기병 3")]
    assert to_text(wrapped(row, 14)) == "보병 1,\n포병 2×2,\n기병 3"
    assert to_text(wrapped([Span("포병 2×2, "), Span("기병 3")], 13)) == "포병 2×2,\n기병 3"


def test_the_sign_of_a_cut_stands_right_behind_a_wide_letter() -> None:
    assert pad("잉글랜드 수도원", 11) == "잉글랜드…  "
    assert pad("잉글랜드 수도원", 8) == "잉글랜… "


def test_no_sign_of_a_cut_stands_where_only_blanks_are_cut() -> None:
    row = [Span(" n ", "bold"), Span(" refuse     ")]
    assert to_text([fit(row, 10)]) == " n  refuse"
    assert to_text([fit(row, 9)]) == " n  refu…"
    rows = [[Span("Exploration ")], [Span("0 → 1")]]
    assert to_text(cut(rows, 12, 1)) == "Exploration…", "a row is cut"
    assert to_text(cut(rows, 11, 1)) == "Explorati…"


def test_no_line_begins_with_a_mark_that_ends_a_sentence_or_ends_with_a_bracket() -> None:
    assert wrap("手札を捨てる。次へ", 12) == ["手札を捨て", "る。次へ"]
    assert wrap("次に「手札」を、引く", 6) == ["次に", "「手", "札」", "を、", "引く"]
    assert wrap("。。。。", 4) == ["。。", "。。"], "what cannot be kept is still shown"
    assert to_text(wrapped([Span("手札を捨てる。次へ")], 12)) == "手札を捨て\nる。次へ"


@pytest.mark.parametrize("slug", GAMES)
def test_who_looks_on_sees_and_reads_every_table(slug: str, seed: int) -> None:
    port = PracticePort(seed=seed, players=3, game=GAMES[slug]).begin()
    for _ in range(6):
        model = view_model(load("en"), port.looked_on())
        for size in SIZES:
            every_drawing(model, size)
            assert is_whole(model, size)
        assert table_lines(model) == question_lines(model), "nothing is asked"
        port.play(9)


def test_a_game_without_a_look_of_its_own_is_shown_by_its_zones(seed: int) -> None:
    port = PracticePort(seed=seed, players=2, game=REALM).begin()
    for _ in range(40):
        model = view_model(load("ko"), port.news())
        labels = [pick.label for pick in model.picks]
        assert len(labels) == len(set(labels))
        for size in SIZES:
            rows = every_drawing(model, size)
            assert [row for row in rows if row_width(row) > size[0]] == []
            assert is_whole(model, size)
        assert table_lines(model)
        port.play(1)


def test_coloured_text_is_broken_between_words_and_where_there_are_none_anywhere() -> None:
    rows = wrapped([Span("one "), Span("two three", "bold")], 8, " ")
    assert to_text(rows) == "one two\n three"
    assert rows[1][-1].style == "bold"
    assert to_text(wrapped([Span("手札1枚を捨てる")], 6)) == "手札\n1枚を\n捨てる"
    assert all(row_width(row) <= 6 for row in wrapped([Span("a 手札1枚を捨てる b")], 6))


def test_the_name_of_a_card_takes_the_air_of_its_key_and_the_dash_before_it_is_cut() -> None:
    cellar = load("ja").name("face", "cellar")
    model = CardPicture("3", cellar, "", [[Span("")]], "", Light.LEGAL, "3")
    assert f"╭ 3 {cellar} ╮" in to_text(draw_card(model, 16, 4)) and cell_len(cellar) == 10
    assert {row_width(row) for row in draw_card(model, 16, 4)} == {16}
    assert f" 3 {cellar}".strip() in to_text(draw_card(model, 17, 4))
    assert f" 3  {cellar}" in to_text(draw_card(model, 22, 4))
