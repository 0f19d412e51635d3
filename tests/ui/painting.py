"""An app without a terminal paints when a test waits for it, and not a frame that nobody sees.

It throws away whatever it paints, and painting was a third of what the tests of screens cost.
A screen is painted as before whenever a test pauses or has pressed a key, so that one that cannot
be painted is found.
"""

from __future__ import annotations

from functools import wraps
from typing import Any, Final

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

_paint: Final = Screen._compositor_refresh
_WAITS: Final = ("pause", "press")


def paint_when_somebody_waits(patch: pytest.MonkeyPatch) -> None:
    """From now on."""
    patch.setattr(Screen, "_compositor_refresh", _paint_later)
    for name in _WAITS:
        patch.setattr(Pilot, name, _painted(getattr(Pilot, name)))


def _paint_later(screen: Screen[Any]) -> None:
    """Leave the regions that have changed to whoever waits; a real terminal gets them at once."""
    app = screen.app
    if not app.is_headless or screen is not app.screen:
        _paint(screen)
        return
    screen._dirty_widgets.clear()
    app._update_mouse_over(screen)


def _painted(wait: Any) -> Any:
    @wraps(wait)
    async def wait_and_paint(pilot: Pilot[Any], *args: Any) -> None:
        await wait(pilot, *args)
        screen = pilot.app.screen
        if screen._compositor._dirty_regions:
            _paint(screen)

    return wait_and_paint
