"""Who is on the network, in the lobby: below the list, at the tables, on a page, and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from p2p.base.limits import NAME_LETTERS_MAX, PEOPLE_SEEN_MAX
from p2p.net.people import SOME_TABLE, Neighbor
from p2p.session.commands import BeSeen
from p2p.session.news import PeopleSeen, TablesSeen
from tests.ui.driving import QUIET, an_app, port_of, settled, shown, whole_text
from tests.ui.fakes import some_ad, ui
from ui.draw.marks import person_style
from ui.draw.people import draw_here, draw_people
from ui.draw.tables import draw_tables
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.people import by_table
from ui.plain.presenter import PlainPresenter
from ui.terminal.spans import to_text

AD = some_ad("table of cleo")
ADA = Neighbor(b"a" * 32, "ada")
BERT = Neighbor(b"b" * 32, "bert", AD.key)
CLEO = Neighbor(b"c" * 32, "cleo", SOME_TABLE)
CROWD = tuple(
    Neighbor(number.to_bytes(32, "big"), "漢" * NAME_LETTERS_MAX)
    for number in range(PEOPLE_SEEN_MAX)
)


@ui
async def test_the_lobby_says_who_is_here_and_at_which_table() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(TablesSeen((AD,)))
        app.publish(PeopleSeen((ADA, BERT, CLEO)))
        await shown(pilot, "ada in the lobby  bert at table of cleo  cleo at a table")
        row = next(line for line in whole_text(app).splitlines() if "●" in line)
        assert "table of cleo" in row and "bert" in row and "ada" not in row
        app.publish(PeopleSeen(()))
        await settled(pilot)
        assert "Here, too" not in whole_text(app) and "bert" not in whole_text(app)


@ui
async def test_a_page_tells_two_of_one_name_apart_and_what_that_is_worth() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        other = replace(ADA, identity=b"x" * 32)
        app.publish(PeopleSeen((ADA, other)))
        await settled(pilot)
        await pilot.press("p")
        await shown(pilot, "Who is on this network")
        text = whole_text(app)
        assert ADA.words in text and other.words in text and ADA.words != other.words
        assert "before that, anybody can say them" in text
        assert "You are not seen by others" in text


@ui
async def test_nobody_is_seen_until_they_allow_it() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert not [each for each in port_of(app).sent if isinstance(each, BeSeen)]
        await pilot.press("s")
        await app.use_settings(replace(QUIET, is_seen=True), "")
        assert port_of(app).sent[-1] == BeSeen(True)
        await pilot.press("s")
        await app.use_settings(QUIET, "")
        assert port_of(app).sent[-1] == BeSeen(False)


@ui
async def test_who_allowed_it_before_is_seen_from_the_start() -> None:
    app = an_app(settings=replace(QUIET, is_seen=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert BeSeen(True) in port_of(app).sent


def test_no_more_are_named_at_a_table_than_sit_there() -> None:
    crowd = tuple(replace(each, where=AD.key) for each in CROWD)
    assert by_table(crowd, [AD])[AD.key] == list(crowd[: AD.taken])
    impostor = replace(AD, opener=b"i" * 32)
    assert by_table(crowd, [impostor])[impostor.key] == []


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [58, 74, 114, 194])
def test_every_row_fits_with_the_longest_names(language: str, width: int) -> None:
    words, tables = load(language), [AD]
    rows = draw_here(words, CROWD, tables, width)
    assert len(rows) <= 2 and all(cell_len(to_text([row])) <= width for row in rows)
    named = to_text(rows).count(words("people.lobby"))
    assert words("people.more", number=len(CROWD) - named) in to_text(rows)
    rows = draw_people(words, CROWD, tables, width, am_i_seen=False)
    assert all(cell_len(to_text([row])) <= width for row in rows)
    crowd = [replace(each, where=AD.key) for each in CROWD]
    (row,) = draw_tables(words, tables, width, by_table(crowd, tables))
    assert cell_len(to_text([row])) <= width


def test_a_name_has_the_same_color_wherever_it_stands() -> None:
    words = load("en")
    here = draw_here(words, [BERT], [AD], 100)
    (row,) = draw_tables(words, [AD], 100, by_table([BERT], [AD]))
    styles = {span.style for each in [*here, row] for span in each if span.text == "bert"}
    assert styles == {person_style(BERT.identity)}


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_in_words_people_tells_who_is_here(language: str) -> None:
    words = load(language)
    presenter = PlainPresenter(words)
    assert presenter.read("people").lines[0] == words("people.none")
    presenter.receive(TablesSeen((AD,)))
    assert presenter.receive(PeopleSeen((ADA, BERT))) == []
    lines = presenter.read("people").lines
    assert f"ada ({ADA.words}): {words('people.lobby')}" in lines[1]
    assert "table of cleo" in lines[2] and words("people.rule") in lines
    assert words("people.unseen") == lines[-1]
    row = next(line for line in presenter.read("tables").lines if "table of cleo" in line)
    assert "bert" in row and "ada" not in row
