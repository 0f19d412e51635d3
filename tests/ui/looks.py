"""The looks that a screen can have, put on one after the other.

A look changes colours and nothing else: what is written stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual.filter import Monochrome
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.ui.driving import settled
from ui.app import HostlessApp
from ui.widgets.rows import RowsWidget

LOOKS: Final = {
    "dark": "hostless", "light": "textual-light", "sixteen": "ansi-dark", "none": "hostless",
}  # fmt: skip
COLOURLESS: Final = "none"


async def wear(app: HostlessApp, look: str, pilot: Pilot[int]) -> None:
    """Show the same screen in another look; without colour as where NO_COLOR is set."""
    app.no_color = look == COLOURLESS
    app._filters = [each for each in app._filters if not isinstance(each, Monochrome)]
    app._filters += [Monochrome()] if app.no_color else []
    app.theme = LOOKS[look]
    app.refresh_css(animate=False)
    for options in app.screen.query(OptionList):
        options._clear_caches()
    for strip in app.screen.query(RowsWidget):
        strip._lines.clear()
        strip.refresh()
    await settled(pilot)


def changed(before: str, now: str) -> Iterator[str]:
    """Rows of a screen whose letters another look has changed."""
    for y, (old, new) in enumerate(zip(before.splitlines(), now.splitlines(), strict=True)):
        if old != new:
            yield f"row {y} says {new.strip()!r} and not {old.strip()!r}"
