"""Forms: questions under one another, then lines to type, and the arrows go through all of them."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.geometry import Region

from ui.key_bindings import KeyBinding, textual_bindings
from ui.screens.base import BaseScreen
from ui.terminal.toasts import MEDIUM_TOAST_S
from ui.widgets.form import Form


class FormScreen(BaseScreen):
    """A screen with lines to choose and lines to type; enter is done."""

    where = "form"
    done: ClassVar[str] = "key.form_done"  # What enter does here.
    BINDINGS = [
        *textual_bindings("form"),
        Binding("up", "field(-1)", show=False),  # In a line that is typed; a form has its own.
        Binding("down", "field(1)", show=False),
    ]

    def label_key(self, binding: KeyBinding) -> str:
        """Enter by what it leads to."""
        return self.done if binding.name == "form_done" else super().label_key(binding)

    def moved(self, form: Form) -> None:
        """The bar stands on another line: that is to be in sight."""
        self.after_layout(self._fit)

    def on_form_typed(self) -> None:
        """Say what keys do on a line to choose."""
        self.app.clear_notifications()
        self.notify(self.words("form.typed"), timeout=MEDIUM_TOAST_S, markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """There may be more room for the form, or less."""
        super().on_resize(event)
        self.after_layout(self._fit)

    def _fit(self) -> None:
        """Give the lines no more rows than they have; where it is less, show that of the bar."""
        for fields in self.query(Fields):
            form = fields.query_one(Form)
            fields.styles.max_height = sum(each.outer_size.height for each in fields.children)
            row, height = form.rows_of_line()
            at = Region(0, form.styles.padding.top + row, 1, height)
            if form.has_focus:
                fields.scroll_to_region(at, animate=False)

    def action_field(self, step: int) -> None:
        """From one line to the next, or the one before."""
        field = self.focus_next() if step > 0 else self.focus_previous()
        if isinstance(field, Form):
            field.enter(step)


class Fields(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Lines of a form that scroll with the bar: the arrows are its alone."""
