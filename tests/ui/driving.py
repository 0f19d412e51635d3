"""Drive the screen in a test: to a table, to rest, and read what is on it."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from textual.app import App
from textual.pilot import Pilot

from p2p.session.commands import Choose
from p2p.session.news import TableChanged
from tests.ui.colors import XTERM
from tests.ui.fakes import PracticePort
from ui.app import HostlessApp
from ui.screens.table import TableScreen
from ui.settings import Settings
from ui.terminal.spans import to_text
from ui.widgets.rows import RowsWidget

QUIET = Settings(is_automatic=False, takes_back=False, has_cues=False)
CELL_WIDTH: Final = 12.2  # In an SVG.
_DRAWN_TEXT: Final = re.compile(r'textLength="[\d.]+"([^>]*)>([^<]*)<')


def an_app(port: PracticePort | None = None, settings: Settings = QUIET) -> HostlessApp:
    port = port or PracticePort()
    app = HostlessApp(port, settings)
    port.publish = app.publish
    return app


def port_of(app: HostlessApp) -> PracticePort:
    assert isinstance(app.port, PracticePort)
    return app.port


def text_of(app: HostlessApp, part: str) -> str:
    strip = app.screen.query_one(f"#{part}", RowsWidget)
    return to_text(strip.rows(strip.content_size.width))


def whole_text(app: App[int]) -> str:
    """Everything on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)


def svg_of(app: App[int]) -> str:
    """A picture of the screen, with two cells for wide letters: Rich gives them one."""

    def widened(text: re.Match[str]) -> str:
        if text[2].isspace():  # The end of a line.
            return text[0]
        length = CELL_WIDTH * cell_len(unescape(text[2]))
        return f'textLength="{length:g}"{text[1]}>{text[2]}<'

    return _DRAWN_TEXT.sub(widened, _exported(app))


def _exported(app: App[int]) -> str:
    """The screen as Textual exports it; where it has sixteen colours, in those of xterm."""
    if not app.current_theme.ansi:
        return app.export_screenshot(title="hostless")
    width, height = app.size
    console = Console(
        width=width, height=height, file=StringIO(), force_terminal=True, record=True,
        color_system="truecolor", legacy_windows=False, safe_box=False,
    )  # fmt: skip
    console.print(app.screen._compositor.render_update(full=True))
    return console.export_svg(title="hostless", theme=XTERM)


async def shown(pilot: Pilot[int], words: str) -> None:
    """Wait until something is on the screen; what is laid out in steps takes a few of them."""
    for _ in range(1000):
        await pilot.pause(0.01)
        if words in whole_text(pilot.app):
            return
    raise AssertionError(f"{words!r} never appeared in\n{whole_text(pilot.app)}")


async def settled(pilot: Pilot[int]) -> None:
    """Wait until the layout has come to rest, so that a click hits what was measured."""
    before = ""
    for _ in range(200):
        await pilot.pause()
        now = whole_text(pilot.app)
        if now == before:
            return
        before = now
    raise AssertionError("the screen never came to rest")


async def at_table(
    pilot: Pilot[int], is_there: Callable[[TableChanged], bool] = lambda news: True
) -> TableScreen:
    """Go to a table where it is my turn and something is so."""
    app = pilot.app
    assert isinstance(app, HostlessApp)
    port = port_of(app)
    if not port.is_running:
        port.begin()
    port.play_until(is_there)
    app.is_seated = True
    app.publish(port.news())
    await settled(pilot)
    screen = app.screen
    assert isinstance(screen, TableScreen)
    return screen


def my_chosen(port: PracticePort) -> list[Choose]:
    return [command for command in port.sent if isinstance(command, Choose)]


def is_playing(news: TableChanged) -> bool:
    verbs = {offer.action.verb for offer in news.view.offers}
    return verbs == {"play"} and len(news.view.offers) > 1


def has_effects(news: TableChanged) -> bool:
    return sum(offer.action.verb == "use" for offer in news.view.offers) >= 3


def place_of(screen: TableScreen, part: str, label: str) -> tuple[int, int]:
    """Where in a part of the screen a label is drawn."""
    strip = screen.query_one(f"#{part}", RowsWidget)
    for y, row in enumerate(strip.rows(strip.content_size.width)):
        x = 0
        for span in row:
            if label in span.hot.split(","):
                return x + 1, y
            x += len(span.text)
    raise AssertionError(f"{label} is not drawn in {part}")
