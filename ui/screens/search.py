"""The keys of a screen, to be searched by what they do: Textual's palette, in our words."""

from __future__ import annotations

from typing import Final

from textual.command import CommandList, CommandPalette, SearchIcon
from textual.widgets.option_list import Option

from ui.language.text import Words

_SIGN: Final = "▸"
_SIGN_IN_ASCII: Final = ">"


class KeySearch(CommandPalette):
    """Textual's palette says in English that nothing is found, and has a sign few consoles have."""

    def __init__(self, words: Words, *, is_ascii: bool) -> None:
        super().__init__(placeholder=words("app.search"), id="--command-palette")
        self._nothing_found = words("app.nothing_found")
        self._sign = _SIGN_IN_ASCII if is_ascii else _SIGN
        self.set_class(is_ascii, "-ascii")

    def on_mount(self) -> None:
        """Textual has put its sign there by now."""
        self.query_one(SearchIcon).icon = self._sign

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Textual's own way to say it knows no other language."""
        self._stop_no_matches_countdown()
        self._no_matches_timer = self.set_timer(
            self._NO_MATCHES_COUNTDOWN, lambda: self._say_nothing_found(search_value)
        )

    def _say_nothing_found(self, searched: str) -> None:
        if searched:
            said = Option(self._nothing_found, id=self._NO_MATCHES, disabled=True)
            self.query_one(CommandList).add_option(said)
        self._list_visible = bool(searched)
