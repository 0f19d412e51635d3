"""What a player decides by stands whole on the screen: counts, names, texts, numbers of a line."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import attack, field
from tests.ui.driving import QUIET, settled, whole_text
from tests.ui.fakes import some_gathering, ui
from tests.ui.scenes import Scene, app_for, scenes, show
from tests.ui.test_civilization_story import news_of
from ui.draw.cards import as_columns, draw_cards
from ui.draw.panels import CardPicture, card, wrapped
from ui.games import look_of
from ui.games.carta import EFFECT_LETTERS
from ui.language.text import LANGUAGE_NAMES, load
from ui.screens.gathering import draw_gathering
from ui.screens.pages import READING_CELLS_MAX
from ui.terminal.spans import Span, row_width, to_text, wrap


def text_of(name: str | Scene, size: tuple[int, int]) -> str:
    """A scene, or one of its own, as text."""
    scene = name if isinstance(name, Scene) else scenes()[name]
    found: list[str] = []

    @ui
    async def look() -> None:
        app = app_for(QUIET)
        async with app.run_test(size=size, notifications=True) as pilot:
            await show(scene, pilot)
            found.append(whole_text(app))

    look()
    return found[0]


def wounded() -> Scene:
    """A battle of Civilization in which a unit has two wounds, and a third is to be dealt."""
    stage = field().tech(0, "mathematics").has(0, iron=1).holds(0, "infantry.3 artillery.3")
    stage.holds(1, "mounted.3 mounted.2").phase("move")
    stage = attack(stage).do("1: play mounted.3", "1: new", "0: mathematics")
    return Scene((news_of(Narrated(stage.do("wound mounted.3", "wound mounted.3")), 0),))


# ---- shared drawing ----


def test_columns_are_no_wider_than_what_stands_in_them() -> None:
    cells = [[Span("a market token of silk")], [Span("wheat")], [Span("iron")]]
    for width in range(22, 60):
        assert all(row_width(row) <= width for row in as_columns(cells, width))


def test_a_whole_choice_bears_no_sign_that_it_was_cut() -> None:
    text = text_of("civilization-choose_gift", (120, 36))
    assert "a market token of silk" in text
    assert "silk …" not in text, text


def test_the_last_line_is_never_a_number_alone() -> None:
    assert wrap("your row 0 → 1", 12) == ["your row", "0 → 1"]
    for width in range(8, 19):
        rows = wrapped([Span("2 more for level I")], width)
        assert to_text(rows[-1:]) != "I"
        assert all(row_width(row) <= width for row in rows)


def test_blanks_at_the_end_of_a_text_are_no_last_line() -> None:
    rows = wrapped([Span("[ ]"), Span(" 3 free  ")], 10)
    assert to_text(rows[:1]) == "[ ] 3 free"


def test_a_card_whose_name_is_cut_still_says_how_many_there_are() -> None:
    model = CardPicture("1", "Military ×5", "", [])
    for width in range(14, 24):
        drawn = to_text(card(model, width, 4))
        assert "×5" in drawn, "beside the name, or in the corner where that has no room"


def test_a_card_as_a_line_is_cut_rather_than_left_without_its_text() -> None:
    long = "+1 card, +1 Action. Look through your discard pile, and take a card of it."
    model = CardPicture("", "Harbinger", "", [[Span("Action")], [Span(long)]])
    (row,) = draw_cards([model], 60, 2)[:1]
    assert "+1 card, +1 Action. Look" in to_text([row])
    assert row_width(row) == 60


# ---- Carta ----


def test_the_small_race_names_every_domain() -> None:
    text = text_of("carta-attack", (60, 16))
    for name in ("Military", "Religion", "Economy", "Science", "Culture", "Utopia"):
        assert name in text, text


def test_one_domain_is_not_explained_where_others_are_not() -> None:
    assert "copy a permanent effect" not in text_of("carta-return", (80, 24))


def test_what_every_effect_does_is_whole_beside_the_side_column() -> None:
    assert "others lose 1 of that domain" in text_of("carta-effects", (120, 36))


def test_who_looks_on_is_not_told_to_end_a_turn() -> None:
    for name in ("carta-look-on", "carta-waiting"):
        assert "end your turn" not in text_of(name, (120, 36))


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_the_newest_line_of_the_log_is_in_sight(size: tuple[int, int]) -> None:
    for game, newest in (("carta", "ada plays Military"), ("dominion", "ada has 6 coins")):
        assert newest in text_of(f"{game}-log", size)


@pytest.mark.parametrize("size", [(120, 36), (200, 50)])
def test_no_number_of_a_domain_touches_its_bar(size: tuple[int, int]) -> None:
    assert not re.search(r"[■·]\d", text_of("carta-play", size))


def test_no_turn_decided_a_game_that_nobody_has_won() -> None:
    text = text_of("civilization-end", (120, 36))
    assert "Nobody has won" in text and "went from" not in text


def test_a_marker_that_lies_on_an_event_is_not_asked_for() -> None:
    text = text_of("renaissance-place", (120, 36))
    assert "place a stone" in text and "or your genius marker" not in text


def test_who_looks_on_is_offered_no_key_that_only_those_who_play_have() -> None:
    keys = text_of("carta-look-on", (120, 36)).splitlines()[-1]
    assert "Log" in keys and not any(key in keys for key in ("Confirm", "Hint", "Say"))
    assert "Hint" in text_of("carta-play", (120, 36)).splitlines()[-1]


def test_who_leads_a_domain_stands_under_its_number_and_not_beside_the_next_one() -> None:
    lines = text_of("carta-look-on", (200, 50)).splitlines()
    (at,) = [y for y, line in enumerate(lines) if "▶ ada" in line]
    number = lines[at].index("2", lines[at].index("■"))
    assert lines[at + 1].index("=") in (number, number + 1)


def test_a_large_screen_of_carta_tells_what_every_domain_does() -> None:
    text = text_of("carta-look-on", (200, 50))
    assert all(load("en").of("carta").name("explain", key) in text for key in EFFECT_LETTERS), text


def test_a_large_screen_of_carta_tells_each_effect_once_where_mine_are_listed() -> None:
    words = load("en").of("carta")
    for name in ("carta-effects", "carta-play", "carta-practice"):
        text = text_of(name, (200, 50))
        for key in EFFECT_LETTERS:
            assert words.name("explain", key) in text, (name, key, text)
        assert text.count(words.name("explain", "military.x")) == 1


def test_who_leads_does_not_touch_what_a_key_stands_before() -> None:
    text = text_of("carta-attack", (200, 50)) + text_of("carta-return", (200, 50))
    assert "1 to win  ▲" in text_of("carta-effects", (80, 24))
    assert "1 to I   =" in text and "1 to I   ▲" in text and "level II =" in text, text


def test_every_effect_of_carta_is_named_where_its_text_is_read() -> None:
    assert "Assassination: discard 1 card" in text_of("carta-texts", (80, 24))


# ---- Dominion ----


def test_a_pile_within_reach_still_says_how_many_are_left() -> None:
    assert "×39+t" in text_of("dominion-action", (80, 24))


def test_a_type_is_never_broken_within_its_word() -> None:
    for size in ((80, 24), (120, 36)):
        text = text_of("dominion-discard", size)
        assert "Reaction" in text and "Action·React" not in text.replace("Reaction", ""), text


def test_a_few_more_rows_make_the_text_of_a_card_in_hand_whole() -> None:
    text = text_of("dominion-buy", (80, 24))
    assert "may put a card of it on your" in text and "deck." in text, text


def test_who_looks_on_a_small_screen_reads_whole_names_of_piles() -> None:
    text = text_of("dominion-look-on", (80, 24))
    assert "Province " in text and "…" not in text, text


# ---- lobby, forms, gathering ----


def test_no_label_of_a_form_is_broken_within_a_word() -> None:
    text = text_of("open-civilization", (60, 16))
    assert "Civilizations " in text, text


def test_what_can_be_typed_to_join_is_whole_on_the_smallest_screen() -> None:
    assert load("en")("lobby.address") in text_of("join", (60, 16))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_where_only_bots_can_come_it_says_that_they_do(language: str) -> None:
    words, news = load(language), some_gathering()
    told = to_text(draw_gathering(words, news, 80, awaits_bots=True))
    assert words("gathering.coming") in told
    assert words("term.free") not in told, told
    assert words("term.free") in to_text(draw_gathering(words, news, 80))


# ---- notices ----


def test_a_notice_lies_over_what_happened_and_not_over_the_board() -> None:
    text = text_of("carta-silent", (80, 24))
    assert "U Utopia" in text and "practise from here" in text, text
    assert "No answer: q adjourns" in text, text


def test_the_page_of_a_first_game_is_not_covered_by_its_own_commentary() -> None:
    text = text_of("carta-lesson", (60, 16))
    assert "hegemony and wins at once" in " ".join(text.split()), text
    assert "area: you must. A good" in text_of("carta-lesson-table", (60, 16))


def test_no_line_of_a_page_is_too_long_to_be_followed() -> None:
    for name in ("carta-lesson", "carta-fairness", "carta-hint-page"):  # None of them scrolls.
        lines = text_of(name, (200, 50)).splitlines()
        assert max(len(line.rstrip()) for line in lines) <= READING_CELLS_MAX + 2, name


# ---- looking back ----


def test_the_line_of_a_replay_names_the_game() -> None:
    assert "Replay Carta Impera Victoria" in text_of("carta-replay", (80, 24))


def test_a_costly_choice_is_set_apart_from_the_sentence_about_it() -> None:
    assert '"end your turn" wins' in text_of("dominion-review", (80, 24))


def test_a_broad_pile_says_who_owns_how_many() -> None:
    lines = text_of("dominion-discard", (200, 50)).splitlines()
    assert any("You 4" in line and "alan " in line for line in lines), "\n".join(lines)


# ---- Renaissance ----


def test_every_card_of_renaissance_says_what_it_does() -> None:
    text = text_of("renaissance-texts", (80, 24))
    assert "counts 1 in culture" in text and "one more" in text, text


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_character_without_a_symbol_says_so_and_not_its_number_twice(language: str) -> None:
    words = load(language).of("renaissance")
    for face in look_of("renaissance").readable:
        assert all(words(key) for key in look_of("renaissance").texts({}, face)), face
    assert words("renaissance.no_symbol") != words("renaissance.person", value=3)
    assert "Character 3 character 3" not in text_of("renaissance-bonus", (80, 24))


def test_what_a_joker_would_do_is_whole_on_a_narrow_card() -> None:
    text = text_of("renaissance-bonus", (120, 36))
    assert "Arc 0 → 1" in text and "Fin 1 → 2" in text and "Architectu " not in text, text


def test_the_first_line_ends_with_a_whole_part() -> None:
    for name in ("renaissance-act", "civilization-city"):
        for size in ((60, 16), (80, 24)):
            first = text_of(name, size).splitlines()[0]
            assert "…" not in first, first


def test_an_event_loses_its_year_before_its_name_is_cut() -> None:
    text = text_of("renaissance-look-on", (60, 16))
    assert "Ospedale degli Innocenti begun " in text and "begun, 1" not in text, text


def test_my_rows_are_whole_on_the_smallest_screen() -> None:
    assert "You 4: Rel 1" in text_of("renaissance-act", (60, 16))


def test_a_space_is_called_as_it_is_typed() -> None:
    assert "a stone on b1" in text_of("renaissance-hint", (80, 24))


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
@pytest.mark.parametrize("game", ["carta", "dominion", "renaissance", "civilization"])
def test_every_clock_is_whole_on_the_smallest_screens(game: str, size: tuple[int, int]) -> None:
    """The third was cut, or where the game is in the middle of a word."""
    text = text_of(f"{game}-paused", size)
    first = text.splitlines()[0]
    assert "ada 1:30" in first and "grace 1:37" in first and "alan 1:44" in first, first
    assert "…" not in first, first
    assert "the clocks stand still." in text


# ---- Civilization ----


def test_strength_and_wounds_of_a_unit_are_never_cut() -> None:
    for size in ((80, 24), (120, 36)):
        assert " a  infantry 2" in text_of("civilization-wound", size)
        text = text_of(wounded(), size)
        assert "mounted 3, wounds 2" in text, text


def test_who_has_played_a_unit_is_not_asked_to_play_one() -> None:
    text = text_of("civilization-fight", (80, 24))
    assert "your unit is played" in text and "play a unit" not in text, text


def test_all_my_forces_stand_below_the_map_where_it_is_whole() -> None:
    text = text_of("civilization-fight", (80, 24))
    assert "forces: 2×" in text and "Mounted 3" in text and "· …" not in text, text


def test_the_table_of_civilization_names_seats_and_goods() -> None:
    assert "trade culture" in text_of("civilization-window", (80, 24))
    text = text_of("civilization-window", (120, 36))
    assert "b grace" in text and "cult." in text, text


def test_a_small_screen_shows_all_that_is_asked_where_it_is_not_about_the_map() -> None:
    city, front = text_of("civilization-city", (60, 16)), text_of("civilization-front", (60, 16))
    for choice in ("army 4", "Barracks 7", "harvest silk", "arts, +1 culture", "end this phase"):
        assert choice in city, city
    for choice in ("infantry 2", "artillery 1", "new front", "Infantry 3"):
        assert choice in front, front
    assert "a b c d" in text_of(
        "civilization-move", (60, 16)
    )  # What is on the map is chosen there.


def test_on_the_smallest_screen_both_sides_of_a_battle_and_of_a_deal_have_whole_names() -> None:
    """`1 inf… 3 -2nobody`, `grace giv…you give`, `1 ancient…`, `We Love the Despot …`."""
    battle = text_of(wounded(), (60, 16))
    for words in ("You · attacker", "grace", "mounted 3, wounds 2", "Artillery 3", "Infantry 3"):
        assert words in battle, battle
    deal = text_of("civilization-answer_deal", (60, 16))
    for words in ("grace gives  ", "1 ancient event", "We Love the Despot Day  One of"):
        assert words in deal, deal


def test_a_choice_of_its_own_takes_no_row_from_the_technologies_that_are_asked_for() -> None:
    text = text_of("civilization-research", (60, 16))
    assert "c  Philosophy   d  Writing" in text and "s  learn nothing" in text, text


@pytest.mark.parametrize(
    ("phase", "last"),
    [
        *((phase, "level 2 next: 11 trade") for phase in ("move", "pay", "site")),
        ("target", "Communism"),  # What the event does takes the row of what comes next.
    ],
)
def test_my_technologies_are_whole_where_nobody_asks_for_them(phase: str, last: str) -> None:
    """The last of them were a sign."""
    text = text_of(f"civilization-{phase}", (80, 24))
    known = text.split("TECHNOLOGIES")[1].split("YOUR TURN")[0]
    assert "Navigation" in known and last in known, text
    assert "…" not in known


def test_on_a_small_screen_what_others_did_comes_before_what_i_know() -> None:
    text = text_of("civilization-trade", (80, 24))
    assert "SINCE YOUR LAST CHOICE" in text and "alan: +4 trade" in text, text
    assert "Navigation" in text_of("civilization-trade", (100, 30))


def test_everybody_is_in_the_standings_beside_all_that_a_city_can_do() -> None:
    text = text_of("civilization-city", (80, 24))
    for words in ("arts, +1 culture", "e  end this phase", "a You", "b grace", "c alan"):
        assert words in text, text


def test_a_small_screen_counts_all_ways_to_win_that_have_an_end() -> None:
    text = text_of("civilization-move", (60, 16))
    (head,) = [line for line in text.splitlines() if "trac" in line]
    assert "track level coins" in head and "trade 7 · culture 0" in text, text


def test_who_looks_on_reads_how_many_spaces_of_both_colors_are_free() -> None:
    text = text_of("renaissance-look-on", (80, 24))
    assert "( ) 2 free  [ ] 1 free" in text, text


def test_what_a_card_in_hand_says_is_whole_once_it_is_picked() -> None:
    app_text = text_of("dominion-discard", (80, 24))
    assert "Moat (2) +2 cards. Reaction" not in app_text

    @ui
    async def pick() -> None:
        app = app_for(QUIET)
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            await show(scenes()["dominion-discard"], pilot)
            await pilot.press("4")
            text = " ".join(whole_text(app).split())
            assert "Moat (2) +2 cards. Reaction: when another player plays an Attack" in text, text
            assert "it does not affect you." in text, text

    pick()


@ui
@pytest.mark.parametrize("scene", ["carta-log", "carta-texts", "dominion-texts", "lobby"])
async def test_every_list_has_ascii_alone_where_that_was_asked_for(scene: str) -> None:
    """The log and the texts of cards kept their signs."""
    app = app_for(replace(QUIET, is_ascii=True))
    async with app.run_test(size=(120, 36)) as pilot:
        await show(scenes()[scene], pilot)
        await settled(pilot)
        assert {each for each in whole_text(app) if not each.isascii()} == set()
