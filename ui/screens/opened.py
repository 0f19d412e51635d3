"""Opening the position viewer at a moment of a game file, from wherever a game is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.errors import HostlessError
from core.requests import Player
from p2p.base.errors import PeerError
from ui.recording import read_recording
from ui.screens.house import House
from ui.screens.replays import ReplayScreen


def look_back(
    house: House, path: Path, position: int, seat: Player | None, *, is_reviewed: bool = False
) -> None:
    """Read a game beside the loop and show a position of it, as this seat saw it if that is known.

    Every proof is verified on the way, so a long game takes a moment.
    """
    house.notify(house.words("replay.reading"), markup=False)
    tell = house.call_from_thread

    def read() -> None:
        try:
            recording = read_recording(path)
        except (HostlessError, PeerError) as error:
            tell(_refuse(house, str(error)))
            return
        screen = partial(ReplayScreen, recording, position, seat, is_reviewed=is_reviewed)
        tell(_show(house, screen))

    house.run_worker(read, thread=True, exclusive=True)


def _refuse(house: House, sentence: str) -> Callable[[], None]:
    return lambda: house.notify(sentence, markup=False)


def _show(house: House, screen: Callable[[], ReplayScreen]) -> Callable[[], None]:
    def show() -> None:
        house.clear_notifications()
        house.push_screen(screen())

    return show
