"""Language, colours, characters, and what the screen may do by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from textual.widget import Widget
from textual.widgets import Input, Static

from core.table import OptionValue
from p2p.base.limits import LISTEN_PORT, NAME_LETTERS_MAX, PORT_MAX
from ui.language.text import LANGUAGE_NAMES, Words
from ui.screens.forms import Fields, FormScreen
from ui.settings import THEMES, Settings
from ui.widgets.form import Form, Question

PORT_DIGITS_MAX: Final = len(str(PORT_MAX))


def settings_questions(words: Words, settings: Settings) -> list[Question]:
    """A line for everything that can be chosen."""
    yes_no: Sequence[tuple[OptionValue, str]] = [
        (False, words("term.no")), (True, words("term.yes"))
    ]  # fmt: skip
    glyphs: Sequence[tuple[OptionValue, str]] = [
        (False, words("settings.unicode")), (True, words("settings.ascii"))
    ]  # fmt: skip
    return [
        Question("language", words("settings.language"), list(LANGUAGE_NAMES.items()),
                 list(LANGUAGE_NAMES).index(settings.language)),
        Question("theme", words("settings.theme"), [(theme, theme) for theme in THEMES],
                 THEMES.index(settings.theme)),
        Question("is_ascii", words("settings.glyphs"), glyphs, int(settings.is_ascii)),
        Question("has_bell", words("settings.bell"), yes_no, int(settings.has_bell)),
        Question("has_notices", words("settings.notices"), yes_no, int(settings.has_notices)),
        Question("is_automatic", words("settings.automatic"), yes_no,
                 int(settings.is_automatic)),
        Question("takes_back", words("settings.back"), yes_no, int(settings.takes_back)),
        Question("has_cues", words("settings.cues"), yes_no, int(settings.has_cues)),
        Question("is_seen", words("settings.seen"), yes_no, int(settings.is_seen)),
        Question("hears_talk", words("settings.talk"), yes_no, int(settings.hears_talk)),
    ]  # fmt: skip


class SettingsScreen(FormScreen):
    """A line per setting; enter keeps them."""

    def parts(self) -> Iterator[Widget]:
        """The form."""
        yield Static(f" {self.words('settings.title')}", id="title")
        with Fields(id="fields"):
            yield Form(settings_questions(self.words, self.base_app.settings), moved=self.moved)
            yield Static(self.words("settings.name"), classes="label", markup=False)
            yield Input(
                self.base_app.person_name,
                max_length=NAME_LETTERS_MAX,
                compact=True,
                id="name",
            )
            yield Static(self.words("settings.port"), classes="label", markup=False)
            yield Input(
                str(self.base_app.settings.port or ""),
                placeholder=str(LISTEN_PORT),
                type="integer",
                max_length=PORT_DIGITS_MAX,
                compact=True,
                id="port",
            )
        yield Static(self.words("settings.hint"), id="hint")

    def on_mount(self) -> None:
        """The form has the keys."""
        self.query_one(Form).focus()

    def on_input_submitted(self) -> None:
        """Enter in a line is enter; done by the app, for a screen cannot wait for its own end."""
        self.app.call_later(self.action_form_done)

    async def action_form_done(self) -> None:
        """Use and keep what is set."""
        form, listens = self.query_one(Form), self.query_one("#port", Input).value.strip()
        if listens and not (listens.isdecimal() and 0 < int(listens) <= PORT_MAX):
            complaint = self.words("error.port", most=PORT_MAX, given=repr(listens))
            self.notify(complaint, markup=False)
            return
        await self.base_app.use_settings(
            Settings(
                language=str(form.value("language")),
                theme=str(form.value("theme")),
                is_ascii=bool(form.value("is_ascii")),
                has_bell=bool(form.value("has_bell")),
                has_notices=bool(form.value("has_notices")),
                is_automatic=bool(form.value("is_automatic")),
                takes_back=bool(form.value("takes_back")),
                has_cues=bool(form.value("has_cues")),
                is_seen=bool(form.value("is_seen")),
                hears_talk=bool(form.value("hears_talk")),
                keys=self.base_app.settings.keys,
                port=int(listens or 0),
            ),
            self.query_one("#name", Input).value.strip(),
        )
