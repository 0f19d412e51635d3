"""A table with a password, at the screens of who opens it and who sits down."""

from __future__ import annotations

from dataclasses import replace

from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import TablesSeen
from tests.ui.driving import an_app, port_of, shown, whole_text
from tests.ui.fakes import some_ad, ui


@ui
async def test_a_table_that_asks_for_a_password_is_joined_with_what_is_typed() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        asking = replace(some_ad(), options="password=asked deal=draft")
        app.publish(TablesSeen((asking,)))
        await pilot.pause()
        assert "asks for a password" in whole_text(app)
        await pilot.press("down", "up", "enter", *"meadow")
        assert "meadow" not in whole_text(app)
        await pilot.press("enter")
        await pilot.pause()
    assert port_of(app).sent[-1] == JoinTable(asking.target, password="meadow")


@ui
async def test_enter_without_a_password_stays_where_one_is_typed() -> None:
    """The table would count it as a wrong one, and three of these are too many."""
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        asking = replace(some_ad(), options="password=asked deal=draft")
        app.publish(TablesSeen((asking,)))
        await pilot.pause()
        await pilot.press("down", "up", "enter", "enter")
        await shown(pilot, "Type the password of the table")
        await pilot.press(*"meadow", "enter")
        await pilot.pause()
    assert [each for each in port_of(app).sent if isinstance(each, JoinTable)] == [
        JoinTable(asking.target, password="meadow")
    ]


@ui
async def test_a_table_is_opened_with_a_password() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await pilot.press("o", "tab", "tab", *"meadow", "enter")
        await pilot.pause()
    opened = port_of(app).sent[-1]
    assert isinstance(opened, OpenTable) and opened.password == "meadow" and not opened.name


@ui
async def test_an_address_is_joined_with_a_password() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        await pilot.press("a", *"10.0.0.7:4000", "tab", *"meadow", "enter")
        await pilot.pause()
    assert port_of(app).sent[-1] == JoinTable("10.0.0.7:4000", password="meadow")
