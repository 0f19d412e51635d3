"""Language, colours, characters, and what the screen may do by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.widget import Widget
from textual.widgets import Input, Static

from core.table import OptionValue
from p2p.base.limits import NAME_LETTERS_MAX
from ui.actions import bindings
from ui.screens.house import HouseScreen
from ui.settings import THEMES, Settings
from ui.text import LANGUAGES, Words
from ui.widgets.form import Form, Question


def settings_questions(words: Words, settings: Settings) -> list[Question]:
    """A line for everything that can be chosen."""
    yes_no: Sequence[tuple[OptionValue, str]] = [
        (False, words("term.no")), (True, words("term.yes"))
    ]  # fmt: skip
    glyphs: Sequence[tuple[OptionValue, str]] = [
        (False, words("settings.unicode")), (True, words("settings.ascii"))
    ]  # fmt: skip
    return [
        Question("language", words("settings.language"), list(LANGUAGES.items()),
                 list(LANGUAGES).index(settings.language)),
        Question("theme", words("settings.theme"), [(theme, theme) for theme in THEMES],
                 THEMES.index(settings.theme)),
        Question("is_ascii", words("settings.glyphs"), glyphs, int(settings.is_ascii)),
        Question("has_bell", words("settings.bell"), yes_no, int(settings.has_bell)),
        Question("is_automatic", words("settings.automatic"), yes_no,
                 int(settings.is_automatic)),
    ]  # fmt: skip


class SettingsScreen(HouseScreen):
    """A line per setting; enter keeps them."""

    where = "form"
    BINDINGS = bindings("form")

    def parts(self) -> Iterator[Widget]:
        """The form."""
        yield Static(f" {self.words('settings.title')}", id="title")
        yield Form(settings_questions(self.words, self.house.settings))
        yield Input(
            self.house.person_name,
            placeholder=self.words("settings.name"),
            max_length=NAME_LETTERS_MAX,
            compact=True,
        )
        yield Static(self.words("settings.hint"), id="hint")

    def on_mount(self) -> None:
        """The form has the keys."""
        self.query_one(Form).focus()

    async def on_input_submitted(self) -> None:
        """Enter in the name is enter."""
        await self.action_form_done()

    async def action_form_done(self) -> None:
        """Use and keep what is set."""
        form = self.query_one(Form)
        await self.house.use_settings(
            Settings(
                language=str(form.value("language")),
                theme=str(form.value("theme")),
                is_ascii=bool(form.value("is_ascii")),
                has_bell=bool(form.value("has_bell")),
                is_automatic=bool(form.value("is_automatic")),
            ),
            self.query_one(Input).value.strip(),
        )
