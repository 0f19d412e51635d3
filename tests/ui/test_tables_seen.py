"""The tables of the lobby: a line each, however many and however they are called."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games import GAMES
from p2p.base.limits import NAME_LETTERS_MAX
from p2p.net.announcements import TableAd
from p2p.net.people import Neighbor
from p2p.session.commands import JoinTable
from p2p.session.news import PeopleSeen, TablesSeen
from tests.ui.driving import an_app, port_of, settled, whole_text
from tests.ui.fakes import some_ad, ui
from ui.draw.tables import draw_tables
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.people import by_table
from ui.terminal.spans import to_text


def many_tables() -> tuple[TableAd, ...]:
    """Twenty tables, some with a name as wide as can be, two with the same, some full."""
    games = list(GAMES)
    return tuple(
        replace(
            some_ad("漢" * NAME_LETTERS_MAX if at in (3, 7) else f"table of player {at}"),
            table_id=f"{at:016x}", game=games[at % len(games)], taken=1 + at % 3, port=27000 + at,
        )
        for at in range(20)
    )  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [58, 74, 194])
def test_each_table_of_a_full_lobby_has_one_line_with_columns(language: str, width: int) -> None:
    words, tables = load(language), many_tables()
    rows = draw_tables(words, tables, width)
    dots = {cell_len(to_text([row]).partition("●")[0]) for row in rows}
    assert len(rows) == len(tables) and len(dots) == 1
    for ad, row in zip(tables, rows, strict=True):
        text = to_text([row])
        assert cell_len(text) <= width
        assert text.count("●") == ad.taken and text.count("◐") == ad.seats - ad.taken
        assert words.name("game", ad.game)[:8] in text
    assert len({to_text([row]) for row in rows}) == 20 or width == 58, "all can be told apart"


@ui
async def test_tables_with_a_seat_for_me_come_first_and_lines_follow_the_width() -> None:
    app = an_app()
    async with app.run_test(size=(110, 40)) as pilot:
        app.publish(TablesSeen(many_tables()))
        await settled(pilot)
        rows = [line for line in whole_text(app).splitlines() if "●" in line]
        assert len(rows) == 20
        assert [" ●●● " in row for row in rows] == sorted(" ●●● " in row for row in rows)
        await pilot.resize_terminal(80, 40)
        await settled(pilot)
        assert sum("●" in line for line in whole_text(app).splitlines()) == 20


@ui
async def test_who_opened_a_table_stands_in_its_line_as_far_as_that_is_said() -> None:
    app = an_app()
    first = replace(some_ad("Friday night"), opener_name="ada", taken=1)
    second = replace(first, table_id="0f" * 8, opener=b"\x02" * 32, opener_name="bert", taken=2)
    async with app.run_test(size=(80, 24)) as pilot:
        app.publish(TablesSeen((first, second)))
        app.publish(PeopleSeen((Neighbor(second.opener, "BERT", second.key), cleo_at(second))))
        await settled(pilot)
        lines = [line for line in whole_text(app).splitlines() if "◐" in line]
        assert len(lines) == 2 and "ada" in lines[0] and "bert, cleo" in lines[1]


def test_of_two_tables_of_one_name_the_openers_are_named_also_where_there_is_little_room() -> None:
    words, name = load("en"), "Friday night with all of our friends"[:NAME_LETTERS_MAX]
    ada = replace(some_ad(name), opener_name="ada")
    bert = replace(ada, table_id="0f" * 8, opener=b"\x02" * 32, opener_name="bert")
    rows = draw_tables(words, (ada, bert), 74, by_table((), (ada, bert)))
    lines = [to_text([row]) for row in rows]
    assert "ada" in lines[0] and "bert" in lines[1]


@pytest.mark.parametrize(
    ("code", "called"), [("en", "table of ada"), ("ko", "ada의 테이블"), ("ja", "adaの卓")]
)
def test_a_table_without_a_name_is_called_after_its_opener_in_the_language_of_who_reads(
    code: str, called: str
) -> None:
    """A Korean lobby had a table of the name *adaの卓*, because ada reads Japanese."""
    unnamed = replace(some_ad("ada"), opener_name="ada")
    for ad in (unnamed, replace(unnamed, name="Friday night")):
        line = to_text(draw_tables(load(code), (ad,), 74))
        assert (called in line) == (ad is unnamed)


@ui
async def test_whoever_announces_the_id_of_another_table_changes_nothing_there() -> None:
    app = an_app()
    copied = replace(some_ad(), opener=b"\x02" * 32, host="10.0.0.66")
    async with app.run_test(size=(80, 24)) as pilot:
        app.publish(TablesSeen((some_ad(), copied)))
        await settled(pilot)
        assert whole_text(app).count(some_ad().name) == 2
        await pilot.press("down", "up", "enter")
        await pilot.pause()
        assert port_of(app).sent[-1] == JoinTable(some_ad().target)
        assert copied.target != some_ad().target


def cleo_at(ad: TableAd) -> Neighbor:
    """Cleo says that she sits at this table."""
    return Neighbor(b"c" * 32, "cleo", ad.key)
