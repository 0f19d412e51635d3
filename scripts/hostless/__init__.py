"""hostless: board and card games between computers on one network, with nobody hosting.

    hostless                    the program, on the command line; also `python -m hostless`
    from hostless import Match  a game under way, for programs: no network, no screen, no key

Inside are the packages of the repository: `hostless.core` (rules), `hostless.p2p` (network and
proofs), `hostless.ai` (bots) and `hostless.ui` (screens).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hostless.core.match import Match as Match
    from hostless.core.requests import Action as Action
    from hostless.core.table import RulesError as RulesError

__all__ = ["Action", "Match", "RulesError"]

# Imported when they are asked for: the first paint of a screen does not wait for them.
_PLACES = {
    "Action": "hostless.core.requests",
    "Match": "hostless.core.match",
    "RulesError": "hostless.core.table",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'hostless' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
