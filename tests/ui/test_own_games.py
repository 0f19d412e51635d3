"""My own games, in the lobby and beside a table: who is there, whose turn it is, how to go on."""

from __future__ import annotations

import math
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from p2p.base.identity import Identity
from p2p.log.game_file import GameFile
from p2p.net.announcements import SEATS_KEPT, TableAd
from p2p.session.commands import Browse, JoinTable, OpenTable, Resume
from p2p.session.news import OwnGame, OwnGames, TablesSeen
from p2p.table.kept_games import note_left_by_all
from tests.p2p.table.test_own_games import a_roster
from tests.ui.driving import an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PATH, PracticePort, some_ad, some_gathering, ui
from ui.app import HostlessApp
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.own_games import file_row, state_text, summary_of
from ui.plain.presenter import PlainPresenter
from ui.screens.lobby import LobbyScreen
from ui.settings import Settings

SEATS_KEPT_FOR_OTHERS = replace(some_ad("den"), options=SEATS_KEPT)


@ui
async def test_my_own_game_at_which_somebody_is_comes_first_and_enter_goes_on_with_it() -> None:
    app = an_app()
    running = replace(some_ad(taken=3), table_id="0f" * 8)
    mine = OwnGame(Path("carta-1.hostless"), "carta", "0f" * 8, ("bert", "cleo"), ("bert",))
    async with app.run_test(size=(120, 24)) as pilot:
        app.publish(TablesSeen((running,)))
        app.publish(OwnGames((mine,)))
        await pilot.pause()
        text = whole_text(app)
        assert "Go on with Carta Impera Victoria: you and bert, cleo" in text
        assert "there now: bert" in text
        assert "looks on" not in text  # It is the same table.
        await pilot.press("down", "up", "enter")
        assert port_of(app).sent.pop() == Resume(mine.path)
        older = [replace(mine, table_id=f"{number}", here=()) for number in range(4)]
        app.publish(OwnGames((*older, mine)))
        await pilot.pause()
        text = whole_text(app)
        assert text.count("Go on with") == 5 and "looks on" not in text


@pytest.mark.parametrize("left", [False, True])
def test_a_game_that_all_have_left_is_listed_as_one_without_a_result(
    tmp_path: Path, *, left: bool
) -> None:
    ada = Identity.generate()
    path, roster = tmp_path / "one.hostless", a_roster((ada, "ada"), (Identity.generate(), "bert"))
    GameFile.create(path, roster).close()
    if left:
        note_left_by_all(path)
    told = summary_of(load("en"), path, time.time())
    assert told is not None and told.is_over == left
    _, state = file_row(load("en"), path, told)
    assert state.endswith("all have left for good" if left else "not over")


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_what_is_said_of_an_own_game_stays_below_it_where_it_is_long(language: str) -> None:
    names = ("ada the first of all", "grace the second")
    path = Path("carta-1.hostless")
    mine = OwnGame(path, "carta", "0f" * 8, names, names, 1.0, (), am_i_there=True)

    @ui
    async def look() -> None:
        app = an_app(settings=Settings(language=language))
        async with app.run_test(size=(80, 24)) as pilot:
            app.publish(OwnGames((mine,)))
            await settled(pilot)
            lines = whole_text(app).splitlines()
            first = next(at for at, line in enumerate(lines) if names[0] in line)
            assert lines[first + 2].startswith("    ") and lines[first + 2].strip()

    look()


@ui
async def test_games_that_are_not_over_come_first_and_say_when_and_whose_turn() -> None:
    app, now = an_app(), time.time()
    paths = [Path(f"carta-{number}.hostless") for number in range(6)]
    mine = OwnGame(paths[0], "carta", "00", ("bert", "cleo"), (), now, ("bert",))
    others = [
        OwnGame(path, "carta", path.stem, ("dora",), (), now - 86_400, (), True)
        for path in paths[1:]
    ]
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        app.publish(OwnGames((mine, *others)))
        await settled(pilot)
        text = whole_text(app)
        assert re.search(r"you and bert, cleo\s+today ..:.. · bert to act", text)
        assert re.search(r"you and dora\s+yesterday ..:.. · your turn", text)
        assert text.count("Go on with") == 4 and text.index("dora") < text.index("falcon")
        await pilot.press("up", "down", "enter")
        assert port_of(app).sent[-1] == JoinTable(some_ad().target), "the bar lies on the table"
        app.publish(OwnGames((replace(mine, here=("bert",)), *others)))
        await shown(pilot, "At your game of")


@ui
async def test_nobody_is_told_of_the_game_at_which_they_sit() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        await at_table(pilot)
        game = OwnGame(PATH, "carta", "00", ("bert",), ("bert",))
        app.publish(OwnGames((game,)))
        await settled(pilot)
        another = replace(game, path=Path("other.hostless"), am_i_there=True)
        app.publish(OwnGames((game, another)))
        await settled(pilot)
        assert "At your game of" not in whole_text(app)
        assert "another window" in state_text(app.words, another, time.time())


@ui
async def test_nobody_is_told_of_the_game_that_is_about_to_be_dealt_to_them() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        app.is_seated = True
        app.publish(some_gathering())
        await settled(pilot)
        table_id = some_gathering().table.table_id
        app.publish(OwnGames((OwnGame(PATH, "carta", table_id, ("bert",), ("bert",)),)))
        await settled(pilot)
        assert "At your game of" not in whole_text(app)
        await app.to_lobby()
        app.publish(OwnGames(()))
        await settled(pilot)
        app.publish(OwnGames((OwnGame(PATH, "carta", table_id, ("bert",), ("bert",)),)))
        await shown(pilot, "At your game of")


@ui
async def test_what_was_said_in_the_lobby_does_not_lie_over_the_table_to_which_one_goes() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        app.publish(OwnGames(()))
        await settled(pilot)
        game = OwnGame(PATH, "carta", "00", ("bert",), ("bert",))
        app.publish(OwnGames((game,)))
        await shown(pilot, "At your game of")
        app.send(Resume(PATH))
        await settled(pilot)
        assert "At your game of" not in whole_text(app)
        app.publish(OwnGames(()))
        app.publish(OwnGames((game,)))
        await settled(pilot)
        assert "At your game of" not in whole_text(app), "nor before that table shows itself"


@ui
async def test_a_game_that_is_over_is_not_offered_until_the_node_has_looked_again() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(OwnGames((OwnGame(PATH, "carta", "00", ("bert",), ("bert",)),)))
        await at_table(pilot)
        assert app.newest is not None
        app.newest = replace(app.newest, is_finished=True, path=PATH)
        await app.to_lobby()
        await settled(pilot)
        assert "Go on with" not in whole_text(app)


@ui
async def test_whoever_sits_at_a_table_reads_that_others_wait_for_them_at_another() -> None:
    app = an_app(settings=replace(Settings(), has_bell=True))
    rung: list[bool] = []
    app.bell = lambda: rung.append(True)  # type: ignore[method-assign]
    async with app.run_test(size=(100, 24)) as pilot:
        await at_table(pilot)
        rung.clear()
        paths = [PATH, Path("dominion.hostless"), Path("carta.hostless")]
        mine, other, third = (
            OwnGame(path, path.stem, path.stem, ("bert",), ("bert",), is_my_turn=True)
            for path in paths
        )
        app.publish(OwnGames((mine, replace(other, here=()), replace(third, is_my_turn=False))))
        await settled(pilot)
        assert "◆ your turn" not in whole_text(app) and len(rung) == 1, "bert is back"
        app.publish(OwnGames((mine, other)))
        await shown(pilot, "◆ your turn at Dominion")
        app.publish(OwnGames((mine, other, third)))
        await shown(pilot, "◆ your turn at 2 tables")
        assert len(rung) == 3
        app.publish(OwnGames((mine,)))
        await settled(pilot)
        assert "◆ your turn" not in whole_text(app)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_lobby_in_words_tells_of_a_game_once_and_again_when_somebody_comes(
    language: str,
) -> None:
    presenter = PlainPresenter(load(language))
    game = OwnGame(Path("g.hostless"), "carta", "00", ("bert",), (), 1000, ("bert",))
    assert presenter.receive(OwnGames((game,)))[1].startswith("  1  ")
    assert presenter.receive(OwnGames((game,))) == []
    (line,) = presenter.receive(OwnGames((replace(game, here=("bert",)),)))
    assert "bert" in line and "resume 1" in line


def a_game_of_just_now(**changed: Any) -> OwnGame:
    """One with somebody else, who has not been heard of yet."""
    path = Path("dominion-1.hostless")
    game = OwnGame(path, "dominion", "0f" * 8, ("bert",), last_at=time.time(), has_people=True)
    return replace(game, **changed)


@ui
async def test_after_a_crash_enter_leads_to_my_own_game_and_not_to_a_table_of_others() -> None:
    app, mine = an_app(), a_game_of_just_now()
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await settled(pilot)
        app.publish(OwnGames((mine,)))
        await settled(pilot)
        await pilot.press("enter")  # Meant for the table that was there a moment ago.
        assert port_of(app).sent == [Browse()]
        let_the_moment_pass(app)
        assert under_bar(app) == f"own-{mine.table_id}"
        await pilot.press("enter")
    assert port_of(app).sent[-1] == Resume(mine.path)


@ui
async def test_enter_waits_for_what_the_files_of_somebody_who_has_played_say() -> None:
    """The first paint does not, and shows the games against bots under the bar."""
    app, mine = an_app(), a_game_of_just_now()
    app.list_games = lambda: [PATH]
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("enter")
        assert port_of(app).sent == [Browse()]
        app.publish(OwnGames((mine,)))
        await settled(pilot)
        let_the_moment_pass(app)
        await pilot.press("enter")
    assert port_of(app).sent[-1] == Resume(mine.path)


@ui
async def test_whoever_leaves_a_table_goes_on_by_enter_wherever_the_bar_was_when_it_began() -> None:
    """Whoever had moved the bar to a game, opened a table of it and left had bots by enter."""
    app, mine = an_app(), a_game_of_just_now()
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("down", "down")
        assert under_bar(app) == "start-dominion"
        app.send(OpenTable("dominion", 2))
        app.publish(PracticePort().begin().news())
        await shown(pilot, "YOUR TURN")
        await pilot.press("q")
        app.publish(OwnGames((mine,)))
        await shown(pilot, "enter Go on")
        let_the_moment_pass(app)
        await pilot.press("enter")
    assert port_of(app).sent[-1] == Resume(mine.path)


@ui
async def test_the_bar_stays_on_my_game_of_this_evening_whoever_opens_a_table() -> None:
    app, mine = an_app(), a_game_of_just_now()
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(OwnGames((mine,)))
        await settled(pilot)
        for tables in ((some_ad(),), (some_ad("aa-first"), some_ad()), (some_ad(),)):
            app.publish(TablesSeen(tables))
            await settled(pilot)
            assert under_bar(app) == f"own-{mine.table_id}"
        app.publish(OwnGames((replace(mine, here=("bert",)),)))
        await settled(pilot)
        assert under_bar(app) == f"own-{mine.table_id}"


@pytest.mark.parametrize(
    "changed",
    [{"has_people": False}, {"last_at": 86_400.0}, {"am_i_there": True}],
    ids=["against bots", "of long ago", "played in another window"],
)
def test_a_table_of_others_goes_before_an_own_game_at_which_nobody_waits(
    changed: dict[str, Any],
) -> None:
    @ui
    async def look() -> None:
        app = an_app()
        async with app.run_test(size=(100, 24)) as pilot:
            app.publish(OwnGames((a_game_of_just_now(**changed),)))
            app.publish(TablesSeen((some_ad(),)))
            await settled(pilot)
            assert under_bar(app) == f"t-{some_ad().target}"

    look()


@ui
async def test_an_own_game_of_just_now_goes_before_a_table_at_which_i_can_only_look_on() -> None:
    """Who had closed the window of a game with bots looked on at the table of others by enter."""
    app, mine = an_app(), a_game_of_just_now(has_people=False)
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(TablesSeen((some_ad(taken=3),)))
        await settled(pilot)
        app.publish(OwnGames((mine,)))
        await settled(pilot)
        assert under_bar(app) == f"own-{mine.table_id}"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_who_wants_to_look_on_at_an_own_game_reads_how_it_goes_on(language: str) -> None:
    """`w` took the seat, and its clock began to run."""

    @ui
    async def look() -> None:
        app = an_app(settings=Settings(language=language))
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            app.publish(OwnGames((a_game_of_just_now(),)))
            await settled(pilot)
            await pilot.press("w")
            await shown(pilot, app.words("lobby.own_game", enter="enter")[:12])
        assert port_of(app).sent == [Browse()]

    look()


@pytest.mark.parametrize("first", [some_ad("den", taken=3), SEATS_KEPT_FOR_OTHERS])
def test_the_bar_goes_from_a_table_without_a_seat_for_me_to_one_that_has_one(
    first: TableAd,
) -> None:
    """Enter made a spectator of whoever was there before the second table."""

    @ui
    async def look() -> None:
        app = an_app()
        async with app.run_test(size=(100, 24)) as pilot:
            for tables in ((first,), (first, some_ad())):
                app.publish(TablesSeen(tables))
                await settled(pilot)
                assert under_bar(app) == f"t-{tables[-1].target}"

    look()


@ui
async def test_a_bar_that_the_person_has_moved_stays_on_a_full_table() -> None:
    app, full = an_app(), some_ad("den", taken=3)
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(TablesSeen((full,)))
        await settled(pilot)
        await pilot.press("down", "up")
        app.publish(TablesSeen((full, some_ad())))
        await settled(pilot)
        assert under_bar(app) == f"t-{full.target}"


@ui
async def test_the_bar_stays_on_its_table_when_another_comes_before_it() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await settled(pilot)
        app.publish(TablesSeen((some_ad("aa-first"), some_ad())))
        await settled(pilot)
        assert under_bar(app) == f"t-{some_ad().target}"


@ui
async def test_enter_starts_no_game_against_bots_where_a_table_was_a_moment_ago() -> None:
    app = an_app()
    async with app.run_test(size=(100, 24)) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await settled(pilot)
        let_the_moment_pass(app)
        app.publish(TablesSeen(()))
        await settled(pilot)
        await pilot.press("enter")
        assert port_of(app).sent == [Browse()]
        let_the_moment_pass(app)
        await pilot.press("enter")
    assert isinstance(port_of(app).sent[-1], OpenTable)


def under_bar(app: HostlessApp) -> str | None:
    """The line that enter is about."""
    line = app.screen.query_one(OptionList).highlighted_option
    return None if line is None else line.id


def let_the_moment_pass(app: HostlessApp) -> None:
    """As if the bar had been where it is for a while."""
    screen = app.screen
    assert isinstance(screen, LobbyScreen)
    screen._placed_at = -math.inf


@pytest.mark.parametrize("size", [(60, 20), (100, 24), (120, 40)])
@pytest.mark.parametrize("tables", [(), (some_ad(taken=3),)])
@ui
async def test_as_long_as_own_games_are_looked_for_the_lobby_says_so_and_enter_too(
    tables: tuple[TableAd, ...], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever came back after a crash read of no table, or of Watch, and enter did nothing."""
    app = an_app()
    monkeypatch.setattr(app, "list_games", lambda: [PATH])
    async with app.run_test(size=size, notifications=True) as pilot:
        app.publish(TablesSeen(tables))
        await settled(pilot)
        assert whole_text(app).count("unfinished") == 1
        assert "No table is open" not in whole_text(app)
        await pilot.press("enter")
        await settled(pilot)
        assert whole_text(app).count("unfinished") == 2
        app.publish(OwnGames(()))
        app.publish(TablesSeen(()))
        await shown(pilot, "No table is open")
        assert port_of(app).sent == [Browse()]
