"""Opening a game file from wherever a game is shown: to look back, or to practise from there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.errors import HostlessError
from core.requests import Player
from p2p.base.errors import PeerError
from ui.replay.practice import practice_at
from ui.replay.recording import Recording, read_recording
from ui.screens.base import BaseApp, BaseScreen, PageOver
from ui.screens.practice import PracticeScreen
from ui.screens.replays import ReplayScreen


def look_back(
    base_app: BaseApp, path: Path, position: int, seat: Player | None, page: PageOver | None = None
) -> None:
    """Read a game and show a position of it, as this seat saw it if that is known, and a page."""
    _open(base_app, path, lambda recording: ReplayScreen(recording, position, seat, page))


def practise(base_app: BaseApp, path: Path, seat: Player | None) -> None:
    """Read a game and play on against bots from where it ends, in this seat."""
    _open(base_app, path, lambda recording: PracticeScreen(practice_at(recording, seat=seat)))


def _open(base_app: BaseApp, path: Path, screen_of: Callable[[Recording], BaseScreen]) -> None:
    """Read a game beside the loop: every proof is verified on the way, which takes a moment."""
    base_app.notify(base_app.words("replay.reading"), markup=False)

    def read() -> None:
        try:
            recording = read_recording(path)
        except (HostlessError, PeerError) as error:
            base_app.call_from_thread(base_app.show_error, error)
            return
        base_app.call_from_thread(_show, base_app, partial(screen_of, recording))

    base_app.run_worker(read, thread=True, exclusive=True)


def _show(base_app: BaseApp, screen: Callable[[], BaseScreen]) -> None:
    base_app.clear_notifications()
    try:
        base_app.push_screen(screen())
    except HostlessError as error:
        base_app.show_error(error)
