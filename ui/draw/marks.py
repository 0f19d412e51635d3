"""What all drawings share: colours, dots, and which picks a place on the table stands for."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from core.requests import Player
from ui.look import FaceLook
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, pad

MUTED: Final = "$muted"  # Labels, and what is quiet but to be read.
FAINT: Final = "$faint"  # What is not possible now.
RULE: Final = "$rule"  # The lines around panels and cards.
LIT: Final = "bold"
CAP: Final = "bold reverse $accent"  # A key that does something now.
YOU: Final = "bold $accent"
GOOD: Final = "bold $success"
BAD: Final = "bold $error"
KEY: Final = "bold $text-accent"
UNSEEN: Final = "?"  # A card whose face has not come yet.
LINK_DOT: Final = {
    "up": ("●", "$text-success"),
    "me": ("●", "$text-success"),
    "away": ("○", "$text-error"),
    "free": ("◐", MUTED),
    "missing": ("○", MUTED),
}


_COLORS: Final = {  # By the name of a bright one of the sixteen colours.
    "bright_red": "$c-red",
    "bright_magenta": "$c-violet",
    "bright_green": "$c-green",
    "bright_blue": "$c-blue",
    "bright_cyan": "$c-cyan",
    "bright_yellow": "$c-yellow",
    "bright_black": "$muted",
}
_SEATS: Final = ("$c-cyan", "$c-violet", "$c-green", "$c-blue", "$c-yellow", "$c-red")


def color_of(look: FaceLook) -> str:
    """The style of a face: a colour of the palette, for one that every terminal has."""
    return _COLORS.get(look.color, "")


def seat_style(seat: Player, me: Player | None) -> str:
    """The style of a name: mine is the colour of what is mine."""
    return YOU if seat == me else f"bold {_SEATS[seat % len(_SEATS)]}"


def person_style(identity: bytes) -> str:
    """The style of the name of somebody who has no seat here: one of those of the seats."""
    return f"bold {_SEATS[identity[0] % len(_SEATS)]}"


def labels_of(model: ViewModel, place: str) -> str:
    """The labels of the picks that a place on the table stands for, as in `a,b`."""
    return ",".join(pick.label for pick in model.picks if place and pick.place == place)


def clip(row: Row, width: int) -> Row:
    """The row cut to a width; neighbours that look alike become one."""
    return clip_and_room(row, width)[0]


def clip_and_room(row: Row, width: int) -> tuple[Row, int]:
    """The same, and how many cells are left over."""
    kept: Row = []
    room = width
    for span in row:
        text, style, hot = span
        if room <= 0 or not text:
            continue
        cells = cell_len(text)
        if cells > room:  # Blanks at the end fill a column up: where only they go, nothing is cut.
            text = pad(text.rstrip(), room)
            span = Span(text, style, hot)
        if kept and kept[-1][1:] == (style, hot):
            kept[-1] = Span(kept[-1].text + text, style, hot)
        else:
            kept.append(span)
        room -= cells
    return kept, max(room, 0)
