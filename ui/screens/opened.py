"""Opening a game file from wherever a game is shown: to look back, or to practise from there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.errors import HostlessError
from core.requests import Player
from p2p.base.errors import PeerError
from ui.practice import practice_at
from ui.recording import Recording, read_recording
from ui.screens.house import House, HouseScreen, PageOver
from ui.screens.practice import PracticeScreen
from ui.screens.replays import ReplayScreen


def look_back(
    house: House, path: Path, position: int, seat: Player | None, page: PageOver | None = None
) -> None:
    """Read a game and show a position of it, as this seat saw it if that is known, and a page."""
    _open(house, path, lambda recording: ReplayScreen(recording, position, seat, page))


def practise(house: House, path: Path, seat: Player | None) -> None:
    """Read a game and play on against bots from where it ends, in this seat."""
    _open(house, path, lambda recording: PracticeScreen(practice_at(recording, seat=seat)))


def _open(house: House, path: Path, screen_of: Callable[[Recording], HouseScreen]) -> None:
    """Read a game beside the loop: every proof is verified on the way, which takes a moment."""
    house.notify(house.words("replay.reading"), markup=False)

    def read() -> None:
        try:
            recording = read_recording(path)
        except (HostlessError, PeerError) as error:
            house.call_from_thread(house.complain, error)
            return
        house.call_from_thread(_show, house, partial(screen_of, recording))

    house.run_worker(read, thread=True, exclusive=True)


def _show(house: House, screen: Callable[[], HouseScreen]) -> None:
    house.clear_notifications()
    try:
        house.push_screen(screen())
    except HostlessError as error:
        house.complain(error)
