"""Waiting for a table to fill: who is awaited, and what becomes of it when the table is closed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.session.commands import FillWithBots, JoinTable, OpenTable
from p2p.session.news import Notice, TablesSeen
from tests.ui.driving import QUIET, an_app, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, some_ad, some_gathering, ui
from ui.key_bindings import key_name
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.filling import HERE
from ui.model.lesson import first_game
from ui.plain.presenter import WAYS, PlainPresenter
from ui.port import UiCommand
from ui.screens.gathering import GatheringScreen, draw_gathering
from ui.screens.lobby import LobbyScreen
from ui.screens.pages import RulesScreen
from ui.terminal.spans import to_text


class WaitingPort(PracticePort):
    """A node at which nobody sits down."""

    def send(self, command: UiCommand) -> None:
        self.sent.append(command)


@ui
@pytest.mark.parametrize("bots", [0, 1, 2])
async def test_on_a_machine_without_a_network_persons_are_awaited_where_no_bots_were_asked_for(
    bots: int,
) -> None:
    """Whoever opened a table for others read that bots were on their way."""
    app = an_app(WaitingPort())
    async with app.run_test(size=(80, 24)) as pilot:
        app.send(OpenTable("carta", 3, bots))
        gathering = some_gathering()
        app.publish(replace(gathering, table=replace(gathering.table, host=HERE)))
        await shown(pilot, "a bot is on its way" if bots == 2 else "free seat")
        assert ("Bots take the others" in whole_text(app)) is (bots == 2)


@ui
async def test_at_a_first_game_bots_are_awaited_and_not_at_the_table_of_somebody_else() -> None:
    app = an_app(WaitingPort())
    async with app.run_test(size=(80, 24)) as pilot:
        app.send(first_game("carta"))
        app.publish(some_gathering())
        await shown(pilot, "a bot is on its way")
        assert "free seat" not in whole_text(app)
        await app.to_lobby()
        app.send(JoinTable("00"))
        app.publish(replace(some_gathering(), me=1))
        await shown(pilot, "free seat")
        assert "a bot is on its way" not in whole_text(app)


@ui
async def test_when_the_opener_closes_the_table_whoever_waits_at_it_is_in_the_lobby() -> None:
    """The seats stood there for ever, with the name of who had gone."""
    app = an_app(WaitingPort())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.send(JoinTable("00"))
        app.publish(some_gathering())
        await settled(pilot)
        assert isinstance(app.screen, GatheringScreen)
        app.publish(Notice("ada was turned away: it is full"))
        await settled(pilot)
        assert isinstance(app.screen, GatheringScreen), "that is no end of it"
        app.publish(Notice("the opener has closed the table", ends_table=True))
        await shown(pilot, "the opener has closed the table")
        assert isinstance(app.screen, LobbyScreen)


@ui
async def test_the_rules_can_be_read_while_one_waits_and_are_closed_when_the_game_begins() -> None:
    app = an_app(WaitingPort())
    async with app.run_test(size=(100, 30)) as pilot:
        app.send(JoinTable("00"))
        app.publish(some_gathering())
        await shown(pilot, "r Rules")
        await pilot.press("r")
        await shown(pilot, "104 cards in six domains")
        assert isinstance(app.screen, RulesScreen) and "You are here" not in whole_text(app)
        app.publish(PracticePort(seed=3).begin().news())
        await settled(pilot)
        assert app.current_mode == "table"
        await app.to_lobby()
        app.send(JoinTable("00"))
        app.publish(some_gathering())
        await settled(pilot)
        assert isinstance(app.screen, GatheringScreen), "the page lay over the next table"


def test_in_lines_of_text_the_rules_are_those_of_the_table_that_fills() -> None:
    """Whoever waited for Dominion read those of Carta."""
    presenter, gathering = PlainPresenter(load("en")), some_gathering()
    presenter.receive(replace(gathering, table=replace(gathering.table, game="dominion")))
    assert "Dominion" in "".join(presenter.read("rules").lines[:3])


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("key", ["L", "slash", "space", "p", "3"])
def test_a_key_that_does_nothing_before_the_game_is_answered(key: str, language: str) -> None:
    """Keys of the table did nothing and said nothing."""

    @ui
    async def look() -> None:
        app = an_app(WaitingPort(), replace(QUIET, language=language))
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            app.send(JoinTable("00"))
            app.publish(some_gathering())
            await settled(pilot)
            for _ in range(2):
                await pilot.press(key)
            said = app.words("gathering.no_key", name=key_name(key))[:12]
            await shown(pilot, said)
            await pilot.pause()
            assert whole_text(app).count(said) == 1 and isinstance(app.screen, GatheringScreen)

    look()


@ui
async def test_at_a_rematch_the_row_of_who_is_missing_has_the_name_and_what_to_do() -> None:
    app = an_app(WaitingPort())
    async with app.run_test(size=(80, 24)) as pilot:
        app.send(JoinTable("00"))
        app.publish(replace(some_gathering(), me=1, missing=("alan",)))
        await shown(pilot, "Still missing: alan.")
        text = whole_text(app)
        assert "○ alan" in text and "has not come: kept" in text and "free seat" not in text
        assert "whoever opened this table can open it anew with bots" in " ".join(text.split())
        await pilot.press("b")
        assert FillWithBots() not in port_of(app).sent and "b Bots" not in whole_text(app)


@ui
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
async def test_whoever_opened_a_rematch_gives_the_seat_of_who_is_missing_to_a_bot(
    code: str,
) -> None:
    words, app = load(code), an_app(WaitingPort(), replace(QUIET, language=code))
    offered = f"b {words('key.fill_with_bots')}"
    async with app.run_test(size=(80, 24)) as pilot:
        app.is_seated = True
        app.publish(some_gathering())
        await shown(pilot, words("term.free"))
        await pilot.press("b")
        assert offered not in whole_text(app) and not port_of(app).sent[1:], "nobody is missing"
        app.publish(replace(some_gathering(), missing=("alan",)))
        await shown(pilot, offered)
        said = words("gathering.fill", fill="b")
        assert "".join(said.split()) in "".join(whole_text(app).split())
        await pilot.press("b")
        assert port_of(app).sent[-1] == FillWithBots()
        alone = replace(some_gathering(), seats=some_gathering().seats[:1], missing=("alan",))
        app.publish(alone)
        await settled(pilot)
        assert offered not in whole_text(app), "whoever is alone with bots plays without a table"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_lines_of_text_a_word_gives_the_seat_of_who_is_missing_to_a_bot(code: str) -> None:
    presenter, words = PlainPresenter(load(code)), load(code)
    said = presenter.receive(replace(some_gathering(), missing=("alan",)))
    assert words("gathering.fill", fill="fill") in said
    assert presenter.read("fill").command == FillWithBots(), (
        "the node says if there is nothing to do"
    )


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_lines_of_text_say_who_is_missing_at_a_rematch(code: str) -> None:
    said = " ".join(
        PlainPresenter(load(code)).receive(replace(some_gathering(), missing=("alan",)))
    )
    assert load(code)("gathering.kept", names="alan") in said


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(
    ("missing", "key"), [(("alan", "eve"), "fill_later"), (("alan",), "leave")]
)
def test_who_opened_a_rematch_and_is_alone_is_not_told_of_somebody_who_opened_it(
    code: str, missing: tuple[str, ...], key: str
) -> None:
    """She opened it herself, and her key did nothing yet."""
    seats = some_gathering().seats[:1]
    said = PlainPresenter(load(code)).receive(
        replace(some_gathering(), seats=seats, missing=missing)
    )
    assert load(code)(f"gathering.{key}", **WAYS._asdict()) in said
    assert load(code)("gathering.without", **WAYS._asdict()) not in said


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_lines_of_text_name_no_keys_for_what_is_typed(code: str) -> None:
    said = " ".join(
        PlainPresenter(load(code)).receive(replace(some_gathering(), me=1, missing=("alan",)))
    )
    assert load(code)("gathering.without", **WAYS._asdict()) in said
    assert "quit" in said and "open" in said and "(o)" not in said


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_where_bots_have_seats_of_a_rematch_the_opener_reads_that_one_is_on_its_way(
    code: str,
) -> None:
    """She read of a free seat, and that all seats are kept."""
    words, news = load(code), some_gathering()
    table = replace(news.table, options="seats=filled")
    for me, free in ((0, "gathering.coming"), (1, "term.free")):
        rows = draw_gathering(words, replace(news, table=table, me=me), 200)
        text = to_text(rows)
        assert words(free) in text and words("agreed.seats_filled") in text
        assert words("agreed.seats") not in text


def test_the_tables_that_a_game_is_over_at_are_told_when_somebody_asks() -> None:
    """They were those of before the game."""
    presenter = PlainPresenter(load("en"))
    presenter.receive(TablesSeen((some_ad(),)))
    presenter.receive(some_gathering())
    assert presenter.receive(TablesSeen((replace(some_ad(), name="another"),))) == []
    assert "another" in " ".join(presenter.read("tables").lines)
