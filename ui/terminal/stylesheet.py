"""The styles of all screens, which are parsed once.

Textual parses every style again, those of its own widgets among them, for each screen that is made
and for each that is shown first: four times until a table is there, and each time nothing else can
go on.  What a style says depends only on its text and on the colours, so it is kept by these.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_TEXTS_MAX: Final = 1024  # There is one for each kind of widget and screen.
_COLORINGS_MAX: Final = 4  # Of so many themes that somebody looks at.


class LastingStylesheet(Stylesheet):
    """Styles that are parsed when their text or the colours are new."""

    def __init__(self, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._parse_cache = _parsed(frozenset(variables.items()))

    def set_variables(self, variables: dict[str, str]) -> None:
        """Use other colours, if they are others."""
        if variables != self._variables:
            self._parse_cache = LRUCache(1)  # What is kept stays, and this one is emptied.
            super().set_variables(variables)
            self._parse_cache = _parsed(frozenset(variables.items()))

    def reparse(self) -> None:
        """Take the styles as they are now; where one is wrong, those before stay."""
        self.parse()


@lru_cache(_COLORINGS_MAX)
def _parsed(variables: frozenset[tuple[str, str]]) -> LRUCache[tuple[Any, ...], list[RuleSet]]:
    """What has been parsed with these colours."""
    return LRUCache(_TEXTS_MAX)
