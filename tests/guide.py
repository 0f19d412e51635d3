"""The game that `docs/guide/add-a-game.md` works out, for the tests that every game must pass."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from core.game import Game

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "guide" / "add-a-game.md"
BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def game_of(page: str) -> Game:
    """What the blocks of the page make."""
    names: dict[str, Any] = {}
    for block in BLOCK.findall(page):
        exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102
    made = names["GAME"]
    assert isinstance(made, Game)
    return made


LOW_HAND: Final = game_of(PAGE.read_text("utf-8"))
