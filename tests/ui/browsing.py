"""Browsers at `serve`: a real server, and tabs that are a socket alone or a real chromium.

What a tab shows is read from what the server sends it, painted by pyte.  Nobody sleeps: whoever
waits lets the sockets be read, with a deadline.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import aiohttp
import pyte

from tests.ui.people import (
    KEYS,
    PATIENCE_S,
    PROGRAM,
    ROOT,
    WIDE,
    Cap,
    _environment,
    caps_of_screen,
)
from tests.ui.playing import MY_TURN, Player
from tests.ui.sitting import TITLES

HERE: Final = "127.0.0.1"
READ_S: Final = 0.1
_BROWSERS: Final = ("chromium", "google-chrome", "chromium-headless-shell")
CHROMIUM: Final = next(filter(None, map(shutil.which, _BROWSERS)), None)
LOBBY: Final = "Play Carta Impera Victoria"
FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-port=0", "--window-size=1200,800",
)  # fmt: skip
VIRTUAL: Final = {"enter": ("Enter", 13), "escape": ("Escape", 27), "up": ("ArrowUp", 38),
                  "down": ("ArrowDown", 40), "left": ("ArrowLeft", 37),
                  "right": ("ArrowRight", 39)}  # fmt: skip
T = TypeVar("T")


class Tab:
    """What one tab shows, and a way to press keys in it.  Made by a `Desk`."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.name, self._desk = name, desk
        self.is_closed = False
        self._screen = pyte.Screen(WIDE.columns, WIDE.rows)
        self._picture = pyte.ByteStream(self._screen)

    def text(self) -> str:
        """What can be read now."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def caps(self) -> list[Cap]:
        """The keys that stand on the screen now, where they act."""
        return caps_of_screen(self._screen)

    def press(self, *keys: str) -> None:
        """Press keys, by name or by what they type."""
        for key in keys:
            self._desk.run(self._press(key))

    async def _press(self, key: str) -> None:
        raise NotImplementedError

    def wait_for(self, *words: str, wait_s: float = PATIENCE_S) -> str:
        """Read until all of these words can be read; gives everything that can."""
        missed = f"{self.name} never saw {words} but\n"
        self._desk.read_until(lambda: all(word in self.text() for word in words),
                              lambda: missed + self.text(), wait_s)  # fmt: skip
        return self.text()

    def close(self) -> None:
        """Close the tab."""
        self._desk.run(self._close())

    async def _close(self) -> None:
        raise NotImplementedError


class SocketTab(Tab):
    """A tab that is nothing but its socket."""

    def __init__(self, desk: Desk, name: str, link: aiohttp.ClientWebSocketResponse) -> None:
        super().__init__(desk, name)
        self._link = link
        self._reading = desk.loop.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._link:
            if message.type is aiohttp.WSMsgType.BINARY:
                self._picture.feed(message.data)
        self.is_closed = True

    async def _press(self, key: str) -> None:
        await self._link.send_json(["stdin", KEYS.get(key, key)])

    async def _close(self) -> None:
        await self._link.close()
        await self._reading


class ChromiumTab(Tab):
    """A page of a real browser, driven by its DevTools."""

    def __init__(self, desk: Desk, name: str, link: aiohttp.ClientWebSocketResponse) -> None:
        super().__init__(desk, name)
        self._link, self._numbers = link, count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reading = desk.loop.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._link:
            said = json.loads(message.data)
            if "id" in said:
                self._answers.pop(said["id"]).set_result(said)
            elif said["method"] == "Network.webSocketFrameReceived":
                frame = said["params"]["response"]
                if frame["opcode"] == 2:
                    self._picture.feed(base64.b64decode(frame["payloadData"]))
            elif said["method"] == "Network.webSocketFrameSent":
                self._hear_sent(said["params"]["response"]["payloadData"])

    def _hear_sent(self, payload: str) -> None:
        match json.loads(payload):
            case ["resize", {"width": int(width), "height": int(height)}]:
                self._screen.resize(height, width)

    async def do(self, method: str, **parameters: object) -> dict[str, Any]:
        """One command of the DevTools, and what comes of it."""
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._link.send_json({"id": number, "method": method, "params": parameters})
        said = await self._answers[number] if number in self._answers else {}
        assert "error" not in said, said
        return dict(said.get("result", {}))

    async def _press(self, key: str) -> None:
        name, code = VIRTUAL.get(key, (key, 0))
        text = {"text": KEYS[key]} if key == "enter" else {} if code else {"text": key}
        await self.do("Input.dispatchKeyEvent", type="keyDown", key=name,
                      windowsVirtualKeyCode=code, **text)  # fmt: skip
        await self.do("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def value(self, expression: str) -> object:
        """What a piece of JavaScript gives in the page."""
        done = self._desk.run(self.do("Runtime.evaluate", expression=expression))
        return done["result"].get("value")

    def reload(self) -> None:
        """Load the page again."""
        self._screen.reset()
        self._desk.run(self.do("Page.reload"))

    def take_picture(self, path: Path) -> None:
        """What a person sees."""
        shot = self._desk.run(self.do("Page.captureScreenshot", format="png"))
        path.write_bytes(base64.b64decode(shot["data"]))

    async def _close(self) -> None:
        await self._link.close()
        await self._reading


class Desk:
    """Where browsers stand: one loop reads all of their sockets."""

    def __init__(self, url: str) -> None:
        self.url, self.loop = url, asyncio.new_event_loop()
        self.tabs: list[Tab] = []
        self.http = self.run(self._open_http())

    async def _open_http(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something, in time."""
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE_S))

    def read(self, wait_s: float) -> None:
        """Read what comes to any tab."""
        self.loop.run_until_complete(_nothing_for(wait_s))

    def read_until(
        self, holds: Callable[[], bool], missed: Callable[[], str], wait_s: float = PATIENCE_S
    ) -> None:
        """Read until something is so."""
        deadline = time.monotonic() + wait_s
        while not holds():
            assert time.monotonic() < deadline, missed()
            self.read(READ_S)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """The status and the text of a page."""

        async def fetch() -> tuple[int, str]:
            async with self.http.get(self.url + path, headers=headers) as response:
                return response.status, await response.text()

        return self.run(fetch())

    def open_socket(self, name: str, key: str, **headers: str) -> SocketTab:
        """A tab without a browser."""
        size = f"?width={WIDE.columns}&height={WIDE.rows}"
        url = f"{self.url}/ws/{key}{size}"
        tab = SocketTab(self, name, self.run(self.http.ws_connect(url, headers=headers)))
        self.run(tab._link.send_json(["resize", {"width": WIDE.columns, "height": WIDE.rows}]))
        self.tabs.append(tab)
        return tab

    def open_chromium(self, name: str, port: int) -> ChromiumTab:
        """A tab of a chromium whose DevTools listen at this port."""

        async def make() -> str:
            async with self.http.put(f"http://{HERE}:{port}/json/new") as response:
                return str((await response.json())["webSocketDebuggerUrl"])

        link = self.run(self.http.ws_connect(self.run(make()), max_msg_size=0))
        tab = ChromiumTab(self, name, link)
        self.tabs.append(tab)
        for method in ("Network.enable", "Page.enable", "Runtime.enable"):
            self.run(tab.do(method))
        self.run(tab.do("Page.navigate", url=f"{self.url}/"))
        return tab

    def close(self) -> None:
        """Close every tab."""
        for tab in self.tabs:
            tab.close()
        self.run(self.http.close())
        self.loop.close()


async def _nothing_for(wait_s: float) -> None:
    await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=wait_s)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as trial:
        trial.bind((HERE, 0))
        return int(trial.getsockname()[1])


@contextmanager
def serving(home: Path, *options: str) -> Iterator[tuple[Desk, subprocess.Popen[str]]]:
    """A server at a free port, by the command line, and a desk before it."""
    port = free_port()
    command = [*PROGRAM, "serve", "--port", str(port), "--home", str(home), *options]
    process = subprocess.Popen(
        command, env=_environment({}), cwd=ROOT, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert f"http://{HERE}:{port}" in first, first + process.stdout.read()
        desk = Desk(f"http://{HERE}:{port}")
        try:
            yield desk, process
        finally:
            desk.close()
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()  # type: ignore[union-attr]


@contextmanager
def chromium(folder: Path) -> Iterator[int]:
    """A headless chromium; the port of its DevTools."""
    assert CHROMIUM is not None, "these tests are left out where there is none"
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **quiet) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if "DevTools listening on " in line:
                    yield int(line.split(":")[2].split("/")[0])
                    break
            else:
                raise AssertionError("chromium did not start")
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def make_a_move(desk: Desk, tab: Tab) -> int:
    """Sit down with bots and play until the story says that I did; gives the keys it took."""
    tab.wait_for(LOBBY)
    tab.press("b")
    tab.wait_for(MY_TURN)
    player = Player(tab, random.Random(1))

    def has_moved() -> bool:
        player.step()
        # A seat with one thing to do does it by itself: that is no move of a person.
        return player.keys > 0 and bool(re.search(rf"\b{tab.name} (plays|ends)", tab.text()))

    desk.read_until(has_moved, lambda: f"no move at\n{tab.text()}")
    return player.keys


def open_for_two(tab: Tab, game: str = "carta") -> None:
    """Open a table for two from the lobby."""
    tab.press("o")
    tab.wait_for("Up and down choose a line")
    for each in range(list(TITLES).index(game)):
        tab.wait_for(list(TITLES.values())[each])
        tab.press("right")
    tab.wait_for(TITLES[game])
    tab.press("down", "left", "enter")
    tab.wait_for("1 of 2")
