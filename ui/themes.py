"""The colours of the house: one theme of our own, and our palette in every other theme.

Each colour means one thing, and whatever it says is also said by a letter, a frame or a place.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

MAP_GROUNDS: Final = tuple(
    f"ground-{terrain}" for terrain in ("grass", "forest", "mountain", "desert", "water")
)
_DARK: Final = {
    "muted": "#8d98a9",
    "faint": "#5c6678",
    "rule": "#3c4759",
    "mine": "#241f17",  # The ground under what is mine.
    "ground-grass": "#1f3a22",  # That of a map.
    "ground-forest": "#12291c",
    "ground-mountain": "#3a3230",
    "ground-desert": "#40341a",
    "ground-water": "#16305a",
    "error": "#f07178",
    "c-red": "#f07178",
    "c-green": "#8fca6c",
    "c-yellow": "#e5d36a",
    "c-blue": "#6cb0f0",
    "c-violet": "#c79bf2",
    "c-cyan": "#5fd0c5",
}
_LIGHT: Final = {
    "accent": "#9a4f00",  # Those of the themes are as light as their ground.
    "text-accent": "#9a4f00",
    "success": "#2f7d1f",
    "text-success": "#2f7d1f",
    "warning": "#7d6200",
    "error": "#b3261e",
    "text-error": "#b3261e",
    "muted": "#5b6472",
    "faint": "#969daa",
    "rule": "#c0c6cf",
    "mine": "#fdf1dc",
    "ground-grass": "#ecf7e4",
    "ground-forest": "#dcf0d2",
    "ground-mountain": "#ebe8e4",
    "ground-desert": "#f9efce",
    "ground-water": "#e0ebfa",
    "c-red": "#b3261e",
    "c-green": "#2f7d1f",
    "c-yellow": "#7d6200",
    "c-blue": "#1f5fb0",
    "c-violet": "#7a3fb0",
    "c-cyan": "#0f7a70",
}
_SIXTEEN: Final = {
    "muted": "ansi_default",
    "faint": "ansi_bright_black",
    "rule": "ansi_bright_black",
    "mine": "ansi_default",
    **dict.fromkeys(MAP_GROUNDS, "ansi_default"),  # Too few for two layers: the signs are coloured.
    "accent": "ansi_bright_yellow",
    "c-red": "ansi_bright_red",
    "c-green": "ansi_bright_green",
    "c-yellow": "ansi_yellow",
    "c-blue": "ansi_bright_cyan",
    "c-violet": "ansi_bright_magenta",
    "c-cyan": "ansi_cyan",
}
_SIXTEEN_LIGHT: Final = {
    **_SIXTEEN,
    "accent": "ansi_blue",
    "c-red": "ansi_red",
    "c-green": "ansi_green",
    "c-blue": "ansi_blue",
    "c-violet": "ansi_magenta",
}
HOUSE: Final = Theme(
    name="hostless",
    primary="#6cb0f0",
    secondary="#c79bf2",
    accent="#ffb347",
    warning="#e5d36a",
    error="#f07178",
    success="#8fca6c",
    foreground="#dbe1ea",
    background="#10141b",
    surface="#151b24",
    panel="#1b222d",
    dark=True,
    variables={**_DARK, "text-accent": "#ffb347"},
)


def palette(theme: Theme) -> dict[str, str]:
    """Our colours in a theme."""
    if theme.ansi:
        return _SIXTEEN if theme.dark else _SIXTEEN_LIGHT
    return _DARK if theme.dark else _LIGHT
