"""What a browser is answered: one page, and for each tab that shows it a program of its own.

The page comes from here, with nothing from elsewhere, so that it works without the internet.  Only
this page may open a tab's link: any other site that a browser shows could otherwise play in the
name of whoever runs this, and see their cards.
"""

from __future__ import annotations

import asyncio
import html
import os
import platform
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server

from core.errors import HostlessError
from ui.browser.tabs import Tabs, TabSeat
from ui.language.text import Words

TITLE: Final = "hostless"
PAGE: Final = Path(__file__).with_name("page.html")
_GOODBYE_S: Final = 3.0  # For the programs of the tabs to leave their tables.
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class TabServer(Server):
    """Serves the screen to browser tabs, each with a seat of its own."""

    def __init__(
        self, words: Words, tabs: Tabs, passed: Sequence[str], place: tuple[str, int]
    ) -> None:
        """`passed` goes to each tab's program; `place` is where browsers find us."""
        host, port = place
        super().__init__("", host=host, port=port, title=TITLE)
        self.words, self.tabs, self.passed = words, tabs, tuple(passed)

    def serve(self, debug: bool = False) -> None:
        """Serve until the terminal interrupts, or the program is asked to end.

        Raises:
            OSError: nobody can listen there.
        """
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        runner = web.AppRunner(await self._make_app(), shutdown_timeout=_GOODBYE_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
            shown = f"[{self.host}]" if ":" in self.host else self.host
            url = f"http://{shown}:{self.port}"
            print(self.words("serve.begun", url=url, machine=platform.node()), flush=True)
            await _asked_to_end()
        finally:
            await runner.cleanup()

    async def on_startup(self, app: web.Application) -> None:
        """Nothing is said before somebody can come."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.router.add_get("/ws/{tab}", self.handle_websocket)
        return app

    async def handle_index(self, request: web.Request) -> Any:
        """The page."""
        self._check(request)
        said = {"machine": platform.node() or "?", "language": self.words.code}
        keys = ("note", "loading", "ended", "again")
        texts = {key: self.words(f"serve.{key}", machine=said["machine"]) if key == "note"
                 else self.words(f"serve.{key}") for key in keys}  # fmt: skip
        page = PAGE.read_text("utf-8")
        for key, text in {**texts, "title": TITLE, "language": said["language"]}.items():
            page = page.replace(f"{{{{ {key} }}}}", html.escape(text))
        return web.Response(text=page, content_type="text/html")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """The link of a tab, for as long as it is open."""
        self._check(request)
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="only the page of this server may play here")
        try:
            async with self.tabs.seat(request.match_info.get("tab", "")) as seat:
                served = copy(self)
                served.command = command_line(command_of(seat, self.passed))
                return await super(TabServer, served).handle_websocket(request)
        except HostlessError as error:
            raise web.HTTPServiceUnavailable(text=f"{error}; {error.hint}") from error

    def _check(self, request: web.Request) -> None:
        """Nobody but this machine comes by a loopback, by whatever name a site gives itself."""
        name = urlsplit(f"//{request.host}").hostname
        if self.host in _LOOPBACK and name not in _LOOPBACK:
            raise web.HTTPForbidden(text="this page is for this machine alone")


async def _asked_to_end() -> None:
    """Wait for Ctrl-C, or for whatever ends programs here."""
    asked = asyncio.Event()
    if sys.platform != "win32":  # There an interruption is raised by itself.
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, asked.set)
    await asked.wait()


def command_of(seat: TabSeat, passed: Sequence[str]) -> list[str]:
    """What runs in a tab."""
    named = ["--as", seat.name] if seat.name else []
    return [sys.executable, "-P", "-m", "ui", *passed, "--home", str(seat.home), *named]


def command_line(command: Sequence[str]) -> str:
    """The command for the shell of this system, which it takes the place of where it can."""
    if os.name == "nt":
        return subprocess.list2cmdline(command)
    return f"exec {shlex.join(command)}"
