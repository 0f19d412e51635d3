"""A terminal that is closed under the screen holds nobody up."""

from __future__ import annotations

import os
import threading
from contextlib import suppress

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from tests.limits import HANGS_S
from tests.ui.driving import an_app
from ui.terminal import LastingFile

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
