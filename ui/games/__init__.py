"""How each game looks, where somebody has drawn it.

    carta.py  dominion.py  renaissance.py    one module or folder a game, called by its slug

Such a module has a `LOOK` (see `ui.look`).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from ui.look import PLAIN, Look


def look_of(game: str) -> Look:
    """The look of a game, by its slug; the plain one where nobody has drawn it."""
    module = f"{__name__}.{game}"
    if find_spec(module) is None:
        return PLAIN
    look: Look = import_module(module).LOOK
    return look
