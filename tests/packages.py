"""Packages of somebody else that announce a game, installed for one test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ai.games import knowledge_of
from core import games, plugins
from core.games import GAMES, PACKAGES
from ui.games import look_of
from ui.language import text
from ui.language.plugin_errors import plugin_errors
from ui.language.text import load

Announce = Callable[..., list[str]]


@contextmanager
def announcing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Announce]:
    """Installs a package with these files that announces a game; gives what is said about it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(games, "GAMES", GAMES)
    before = (dict(GAMES), dict(PACKAGES), list(plugins.REFUSED_PACKAGES))

    def install(package: str = "poker_box", **files: str) -> list[str]:
        folder = tmp_path / package
        for name, content in files.items():
            path = folder / name.replace("__", "/", 1) if "__" in name else folder / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        (folder / "init.py").rename(folder / "__init__.py")
        point = EntryPoint("poker", package, plugins.ENTRY_POINT_GROUP)
        monkeypatch.setattr(text, "announced", lambda: (point,))
        monkeypatch.setattr("ui.language.plugin_errors.announced", lambda: (point,))
        games._take_in(point)
        _forget()
        return plugin_errors(load("en"))

    yield install
    for known, old in zip((GAMES, PACKAGES), before[:2], strict=True):
        known.clear()
        known.update(old)
    plugins.REFUSED_PACKAGES[:] = before[2]
    for module in [name for name in sys.modules if name.split(".")[0] == "poker_box"]:
        del sys.modules[module]
    _forget()


def _forget() -> None:
    """What was found before is looked for again."""
    for cached in (knowledge_of, look_of, text.load, text._foreign):
        cached.cache_clear()
