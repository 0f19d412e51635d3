"""Forms: questions under one another, then lines to type, and the arrows go through all of them."""

from __future__ import annotations

from textual.binding import Binding
from textual.containers import VerticalScroll

from ui.actions import bindings
from ui.screens.house import HouseScreen
from ui.widgets.form import Form


class FormScreen(HouseScreen):
    """A screen with lines to choose and lines to type; enter is done."""

    where = "form"
    BINDINGS = [
        *bindings("form"),
        Binding("up", "field(-1)", show=False),  # In a line that is typed; a form has its own.
        Binding("down", "field(1)", show=False),
    ]

    def action_field(self, step: int) -> None:
        """From one line to the next, or the one before."""
        field = self.focus_next() if step > 0 else self.focus_previous()
        if isinstance(field, Form):
            field.enter(step)


class Fields(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Lines of a form that scroll with the bar: the arrows are its alone."""
