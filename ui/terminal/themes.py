"""Our colours: one theme of our own, and our palette in every other theme.

Each colour means one thing, and whatever it says is also said by a letter, a frame or a place.
In every theme what is to be read stands out from each ground that it can lie on (WCAG 2.2, 1.4.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from textual.color import Color
from textual.theme import Theme

TO_READ: Final = 4.5  # The least contrast of what is to be read,
TO_SEE: Final = 3.0  # of what is dim on purpose, and of signs (1.4.11).
_BAR: Final = 0.15  # How much of the accent is in the ground of the bar of a list.
_STEPS: Final = 25  # In which a colour goes towards black or white.
_RULES: Final = (  # What the colours of a page of rules are called.
    *(f"markdown-h{level}-color" for level in range(1, 7)), "link-color", "text-primary",
    "text-secondary",
)  # fmt: skip
_READ: Final = (
    "foreground", "accent", "text-accent", "success", "text-success", "warning", "error",
    "text-error", "footer-key-foreground", "primary", "muted", "c-red", "c-green", "c-yellow",
    "c-blue", "c-violet", "c-cyan", *_RULES[:6],
)  # fmt: skip
MAP_GROUNDS: Final = tuple(
    f"ground-{terrain}" for terrain in ("grass", "forest", "mountain", "desert", "water")
)
_UNDER: Final = ("background", "surface", "panel", "mine", *MAP_GROUNDS)
_DARK: Final = {
    "muted": "#8d98a9",
    "faint": "#5c6678",
    "rule": "#3c4759",
    "mine": "#1d1912",  # The ground under what is mine.
    "ground-grass": "#1b331e",  # That of a map.
    "ground-forest": "#12291c",
    "ground-mountain": "#342d2b",
    "ground-desert": "#372d16",
    "ground-water": "#152d55",
    "stone-yellow": "#e5d36a",  # Each looks like what it is called, beside all that is dark.
    "stone-red": "#f07178",
    "stone-black": "#8d98a9",
    "stone-white": "#dbe1ea",
    "on-light-stone": "#10141b",
    "on-dark-stone": "#10141b",
    "success": "#8fca6c",  # A theme's own are alike for who sees no green.
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
    "footer-key-foreground": "#9a4f00",
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
    "stone-yellow": "#f0c93a",
    "stone-red": "#b3261e",
    "stone-black": "#33383f",
    "stone-white": "#ffffff",
    "on-light-stone": "#1b1b1b",
    "on-dark-stone": "#ffffff",
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
    "bar": "ansi_default",  # It is in reverse.
    **dict.fromkeys(MAP_GROUNDS, "ansi_default"),  # Too few for two layers: the signs are coloured.
    **dict.fromkeys(("scrollbar", "scrollbar-hover"), "ansi_bright_black"),
    "stone-yellow": "ansi_yellow",
    "stone-red": "ansi_bright_red",
    "stone-black": "ansi_bright_black",  # White would be that of a terminal itself.
    "stone-white": "ansi_default",
    "on-light-stone": "ansi_default",
    "on-dark-stone": "ansi_default",
    "primary": "ansi_bright_cyan",  # The plain ones are too dark on a console.
    "accent": "ansi_bright_yellow",
    "text-accent": "ansi_bright_yellow",
    "footer-key-foreground": "ansi_bright_yellow",
    **dict.fromkeys(_RULES, "ansi_bright_cyan"),
    "success": "ansi_bright_green",
    "text-success": "ansi_bright_green",
    "error": "ansi_bright_red",
    "text-error": "ansi_bright_red",
    "c-red": "ansi_bright_red",
    "c-green": "ansi_bright_green",
    "c-yellow": "ansi_yellow",
    "c-blue": "ansi_bright_cyan",
    "c-violet": "ansi_bright_magenta",
    "c-cyan": "ansi_cyan",
}
_SIXTEEN_LIGHT: Final = {
    **_SIXTEEN,
    **dict.fromkeys(("primary", "accent", "text-accent", "c-blue"), "ansi_blue"),
    **dict.fromkeys(("footer-key-foreground", *_RULES), "ansi_blue"),
    **dict.fromkeys(("error", "text-error", "warning", "c-red"), "ansi_red"),
    # Green, yellow and cyan of sixteen cannot be read on white; the letters say it.
    **dict.fromkeys(("success", "text-success", "c-green", "c-yellow", "c-cyan"), "ansi_default"),
    "c-violet": "ansi_magenta",
    "stone-red": "ansi_red",
    "stone-black": "ansi_default",
    "stone-white": "ansi_bright_white",
    "on-light-stone": "ansi_black",
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


def for_terminal(theme: Theme, color_system: str | None) -> str:
    """The name of a theme; on a terminal of sixteen colours, of the one that is made of these.

    There every other would be rounded to them, and what is quiet to what is impossible.
    """
    if theme.ansi or color_system != "standard":
        return theme.name
    return "ansi-dark" if theme.dark else "ansi-light"


def palette(
    theme: Theme, variables: Mapping[str, str], *, has_color: bool = True
) -> dict[str, str]:
    """Our colours in a theme of which these are the variables.

    Without colour a hue would be no more than a shade, by chance that of what is quiet.
    """
    found = _colors(theme, variables)
    if has_color:
        return found
    plain = "ansi_default" if theme.ansi else found["foreground"]
    return {**found, **dict.fromkeys(_READ, plain), "muted": found["muted"]}


def _colors(theme: Theme, variables: Mapping[str, str]) -> dict[str, str]:
    if theme.ansi:
        return _SIXTEEN if theme.dark else _SIXTEEN_LIGHT
    ours = {**variables, **(_DARK if theme.dark else _LIGHT)}
    under, end = Color.parse(ours["background"]), Color.parse("white" if theme.dark else "black")
    grounds = [Color.parse(ours[name]) for name in _UNDER]
    bar = under.blend(Color.parse(ours["accent"]), _BAR)
    grounds.append(bar)
    return {
        **ours,
        "bar": bar.hex,
        **{name: _readable(ours[name], grounds, TO_READ, end) for name in _READ},
        "faint": _readable(ours["faint"], [under, Color.parse(ours["mine"])], TO_SEE, end),
    }


def _readable(name: str, grounds: list[Color], least: float, end: Color) -> str:
    """The colour, or the next one on the way to `end` that stands out from all of its grounds."""
    color = Color.parse(name)
    steps = (color.blend(end, step / _STEPS) for step in range(_STEPS))
    return next(
        (it.hex for it in steps if all(contrast(it, on) >= least for on in grounds)), end.hex
    )


@lru_cache(1024)  # A palette asks for a few hundred colours, again at each new screen.
def luminance(color: Color) -> float:
    """How bright a colour is, from 0 to 1 (WCAG 2.2, relative luminance)."""
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(color: Color) -> tuple[float, float, float]:
    """The light of red, green and blue in a colour, each from 0 to 1 (IEC 61966-2-1)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.normalized
    )
    return red, green, blue


def contrast(one: Color, other: Color) -> float:
    """How far two colours stand out from each other, from 1 to 21 (WCAG 2.2).

    >>> round(contrast(Color.parse("black"), Color.parse("white")), 1)
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
