"""Opening the position viewer at a moment of a game file, from wherever a game is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import HostlessError
from core.requests import Player
from p2p.base.errors import PeerError
from ui.recording import Recording, read_recording
from ui.screens.house import HouseScreen


def look_back(screen: HouseScreen, path: Path, position: int, seat: Player | None) -> None:
    """Read a game beside the loop and show a position of it, as this seat saw it if that is known.

    Every proof is verified on the way, so a long game takes a moment.
    """
    screen.notify(screen.words("replay.reading"), markup=False)
    tell = screen.app.call_from_thread

    def read() -> None:
        try:
            recording = read_recording(path)
        except (HostlessError, PeerError) as error:
            tell(_refuse(screen, str(error)))
            return
        tell(_show(screen, recording, position, seat))

    screen.run_worker(read, thread=True, exclusive=True)


def _refuse(screen: HouseScreen, sentence: str) -> Callable[[], None]:
    return lambda: screen.notify(sentence, markup=False)


def _show(
    screen: HouseScreen, recording: Recording, position: int, seat: Player | None
) -> Callable[[], None]:
    from ui.screens.replays import ReplayScreen  # It is a table, which opens this.

    def show() -> None:
        screen.app.clear_notifications()
        screen.app.push_screen(ReplayScreen(recording, position, seat))

    return show
