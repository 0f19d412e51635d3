"""Keys at random on every page: nothing that somebody can press ends the program with a fault."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.ui.driving import QUIET, an_app, port_of, settled
from tests.ui.fakes import PracticePort, ui
from ui.app import HostlessApp
from ui.replay.recording import record
from ui.screens.end import EndScreen
from ui.screens.replays import ReplayScreen

pytestmark = pytest.mark.slow

KEYS = (
    *"abcdefghijklmnoprstuvwxyzABCQ0123456789?/ ", "enter", "escape", "tab", "shift+tab",
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "backspace", "delete",
    "f1", "ctrl+p",
)  # fmt: skip
PRESSES = 100
SIZES = ((80, 24), (120, 36), (56, 15))


async def press_at_random(pilot: Pilot[int], luck: random.Random) -> list[str]:
    """Press keys, and change the size of the window now and then, until the program has ended."""
    pressed: list[str] = []
    while len(pressed) < PRESSES and pilot.app.is_running:
        pressed.append(luck.choice(KEYS))
        await pilot.press(pressed[-1])
        if luck.random() < 1 / 20:
            await pilot.resize_terminal(*luck.choice(SIZES))
    return pressed


def has_a_fault(app: HostlessApp) -> bool:
    """Whether the program has ended by one."""
    return app.crash is not None or bool(app.return_code)


@pytest.mark.parametrize("number", range(2))  # Some keys lead away from it, and soon.
@ui
async def test_keys_at_random_on_the_page_of_the_result_are_no_fault(
    seed: int, number: int
) -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        app.is_seated = True
        app.publish(port_of(app).begin().play(10_000).news())
        await settled(pilot)
        assert isinstance(app.screen, EndScreen)
        pressed = await press_at_random(pilot, random.Random(f"{seed} end {number}"))
    assert not has_a_fault(app), f"{app.crash!r} after {pressed}"


@ui
async def test_keys_at_random_in_a_replay_are_no_fault(seed: int) -> None:
    port = PracticePort(seed=seed).begin().play(60)
    recording = record("carta", port.news().seats, {}, port.history)
    app = HostlessApp(PracticePort(), QUIET, opening=lambda: ReplayScreen(recording))
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        pressed = await press_at_random(pilot, random.Random(seed))
    assert not has_a_fault(app), f"{app.crash!r} after {pressed}"


@ui
async def test_keys_at_random_in_the_lobby_and_its_pages_are_no_fault(
    seed: int, tmp_path: Path
) -> None:
    (tmp_path / "half.hostless").write_bytes(b"half")
    games = [tmp_path / "half.hostless", tmp_path / "gone.hostless"]
    app = HostlessApp(PracticePort(), QUIET, games=lambda: games)
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        pressed = await press_at_random(pilot, random.Random(seed))
    assert not has_a_fault(app), f"{app.crash!r} after {pressed}"
