"""What somebody sees on a screen: letters in the colours of their terminal, and what is weak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.color import Color as Ink
from rich.color import ColorType
from rich.color_triplet import ColorTriplet
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.app import App
from textual.color import Color

from tests.ui.colors import CONSOLE, XTERM
from ui.terminal.console import on_console
from ui.terminal.themes import TO_READ, TO_SEE, contrast

PALETTES: Final = {"xterm": XTERM, "console": CONSOLE}
# The least contrast of what no brighter colour of the sixteen could say: grey and brown there.
ON_A_CONSOLE: Final = {"color(8)": 2.8, "color(3)": 4.0}
_MARKS: Final = ("bold", "reverse", "underline")
_DIM: Final = ("faint", "rule")
_SIGNS: Final = range(0x2190, 0x2800)  # Arrows, frames, blocks, shapes: no letters.
_FRAMES: Final = range(0x2500, 0x25A0)  # They only divide what is said.


class Piece(NamedTuple):
    """Letters that look alike; `x` and `y` are of the first cell."""

    x: int
    y: int
    text: str
    color: Color
    ground: Color
    marks: frozenset[str]  # How it is set off without a colour.
    name: str  # Of the colour that the program asked for.


def pieces(app: App[int], palette: TerminalTheme = XTERM) -> Iterator[Piece]:
    """Everything on the screen, in the colours of a terminal."""
    plain = (palette.foreground_color, palette.background_color)
    if not app.current_theme.dark:
        plain = (palette.ansi_colors[0], palette.ansi_colors[15])
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        x = 0
        for text, style, _ in strip:
            yield Piece(x, y, text, *_seen(style or Style(), palette, *plain))
            x += cell_len(text)


@lru_cache(4096)
def _seen(
    style: Style, palette: TerminalTheme, color: ColorTriplet, ground: ColorTriplet
) -> tuple[Color, Color, frozenset[str], str]:
    """The colour, ground, marks and name of what has a style; these where it has no colours."""
    style = on_console(style) if palette is CONSOLE else style
    ink = style.color or Ink.default()
    front = _color(ink, palette, color)
    back = _color(style.bgcolor or Ink.default(), palette, ground)
    if style.reverse:
        front, back = back, front
    if style.dim:
        front = back.blend(front, 0.5)
    marks = frozenset(name for name in _MARKS if getattr(style, name))
    return front, back, marks, ink.name


def _color(ink: Ink, palette: TerminalTheme, plain: ColorTriplet) -> Color:
    if ink.type is ColorType.DEFAULT:
        return Color(*plain)
    if ink.triplet is not None:
        return Color(*ink.triplet)
    assert ink.number is not None, "it is one of the sixteen"
    return Color(*palette.ansi_colors[ink.number])


# ---- what cannot be read ----


def unreadable(app: App[int]) -> Iterator[str]:
    """Letters that do not stand out from their ground, a line for each kind."""
    palettes = PALETTES if app.current_theme.ansi else ("xterm",)
    for name in palettes:
        found: dict[tuple[Color, Color], str] = {}
        for piece in pieces(app, PALETTES[name]):
            least = _least(app, piece, is_console=name == "console")
            if round(_contrast(piece.color, piece.ground), 2) < least:
                found.setdefault((piece.color, piece.ground), piece.text.strip())
        for (color, ground), text in found.items():
            ratio = _contrast(color, ground)
            yield f"{text!r}: {ratio:.2f} to 1, {color.hex} on {ground.hex} ({name})"


def _least(app: App[int], piece: Piece, *, is_console: bool) -> float:
    """The contrast that a piece needs; blanks and frames need none."""
    kinds = {_kind(letter) for letter in piece.text if not letter.isspace()}
    if not kinds or kinds == {"frame"}:
        return 0
    least = TO_SEE if "letter" not in kinds or piece.name in _dim_colors(app) else TO_READ
    return min(least, ON_A_CONSOLE.get(piece.name, least)) if is_console else least


def _kind(letter: str) -> str:
    code = ord(letter)
    return "frame" if code in _FRAMES else "sign" if code in _SIGNS or letter == "·" else "letter"


def _dim_colors(app: App[int]) -> Sequence[str]:
    """The names of the colours for what is dim on purpose."""
    colors = [Color.parse(app.theme_variables[name]) for name in _DIM]
    if app.no_color:
        colors = [color.monochrome for color in colors]
    return [color.rich_color.name for color in colors]


@lru_cache(4096)
def _contrast(one: Color, other: Color) -> float:
    return contrast(one, other)
