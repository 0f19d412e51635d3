"""A terminal that is closed under the screen holds nobody up."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import replace

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from tests.limits import HANGS_S
from tests.ui.driving import QUIET, an_app, at_table, port_of, settled
from tests.ui.fakes import ui
from ui.app import HostlessApp
from ui.terminal.driver import LastingFile, Outside, outside_codes

PATIENCE_S = HANGS_S


def test_painting_on_a_closed_terminal_ends_all_the_same() -> None:
    ours, theirs = os.openpty()
    terminal = os.fdopen(theirs, "w")
    file = LastingFile(terminal)
    painter = WriterThread(file)  # type: ignore[arg-type]
    painter.start()
    os.close(ours)

    def paint() -> None:
        for _ in range(10 * MAX_QUEUED_WRITES):
            painter.write("x")
        painter.stop()

    painting = threading.Thread(target=paint, daemon=True)
    painting.start()
    painting.join(PATIENCE_S)
    assert not painting.is_alive()
    assert file.is_closed
    with suppress(OSError):  # What was never written is flushed once more.
        terminal.close()


def test_a_terminal_that_is_there_is_written_on() -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        file = LastingFile(terminal)
        assert file.write("seen") == 4
        file.flush()
        assert os.read(ours, 100) == b"seen"
        assert file.fileno() == theirs
        assert not file.is_closed
    os.close(ours)


def test_the_screen_paints_with_a_driver_that_outlives_its_terminal() -> None:
    assert an_app().get_driver_class().__name__ == "LastingDriver"


def test_a_name_sends_no_commands_to_the_terminal() -> None:
    codes = outside_codes("\x1b]2;evil\x07 bert\n", "your \x9b31m turn" + "!" * 500)
    assert codes.startswith("\x1b]2;]2;evil bert\x07\x1b]9;your 31m turn!")
    assert codes.count("\x1b") == codes.count("\x07") == 2 and len(codes) < 200


def window_of(app: HostlessApp) -> list[tuple[str, str]]:
    """What somebody who looks at another window is told from now on."""
    told = list[tuple[str, str]]()

    class Window(type(app._driver), Outside):  # type: ignore[misc]
        def tell_outside(self, title: str, notice: str) -> None:
            told.append((title, notice))

    assert app._driver is not None
    app._driver.__class__ = Window
    return told


@ui
async def test_the_title_says_that_it_is_my_turn_and_a_notice_comes_if_i_look_elsewhere() -> None:
    turn = "Your turn: Carta Impera Victoria"
    for has_notices, is_here, notice in (
        (True, False, turn), (True, True, ""), (False, False, ""),
    ):  # fmt: skip
        app = an_app(settings=replace(QUIET, has_notices=has_notices))
        async with app.run_test() as pilot:
            await at_table(pilot)
            told, mine = window_of(app), port_of(app).news()
            app.publish(replace(mine, view=replace(mine.view, offers=()), turn=None))
            await settled(pilot)
            app.app_focus = is_here
            app.publish(mine)
            await settled(pilot)
            assert told == [("Carta Impera Victoria", ""), (turn, notice)]
            await pilot.press("q")
            await settled(pilot)
            assert told[2:] == [("hostless", "")]
