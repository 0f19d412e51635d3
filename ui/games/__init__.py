"""How each game looks, where somebody has drawn it.

    carta/  civilization/  dominion/  renaissance/    one module or folder a game, by its slug

Such a module, or the module `look` in a package of somebody else, has a `LOOK` (see `ui.look`).
"""

from __future__ import annotations

from functools import cache

from core.games import find_part
from core.plugins import refuse
from ui.look import PLAIN, Look


@cache
def look_of(game: str) -> Look:
    """The look of a game, by its slug; the plain one where nobody has drawn it."""
    module = find_part(game, __name__, "look")
    if module is None:
        return PLAIN
    found = getattr(module, "LOOK", None)
    if isinstance(found, Look):
        return found
    refuse(module.__name__, "its LOOK is not a Look")
    return PLAIN
