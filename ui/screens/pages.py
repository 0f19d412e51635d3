"""Pages over a screen: keys, log, discard pile, fairness, rules, an accusation."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.widgets import Markdown

    from ai.advice.explain import Explanation

from p2p.session.commands import Compared, Leave, TakeOver
from p2p.session.news import Accused, Elsewhere, TableChanged
from ui.backend.hints import basis_sentence
from ui.choices.asked_back import answer, question
from ui.draw.fairness import draw_fairness
from ui.draw.marks import MUTED, color_of
from ui.draw.panels import wrapped
from ui.key_bindings import KEY_BINDINGS, WHERE, KeyBinding, bindings_of, key_name, textual_bindings
from ui.language.text import ASCII_OF, Words
from ui.model.prompt import prompt
from ui.model.view_model import ViewModel
from ui.screens.base import BaseScreen
from ui.terminal.spans import Row, Span, pad, row_width, wrap
from ui.widgets.hint import draw_hint
from ui.widgets.rows import Drawing, RowsWidget

READING_CELLS_MAX: Final = 110  # As in `app.tcss`.
ASCII_BULLETS: Final = ("* ", "- ", "+ ")  # By the depth of a list.
HINT_CELLS_MAX: Final = 72  # Of a table of choices, or its numbers are too far from them.
UNEXPECTED_S: Final = 0.7  # In which nobody has read a page that comes by itself.
KEYS_KEPT_MAX: Final = 4 * len(WHERE)  # Of the page of keys: its parts, in a few widths.
HELP: Final = ("picks", "hint", "program")


class Page(BaseScreen):
    """Something to read; escape closes it."""

    where = "page"
    BINDINGS = textual_bindings("page")

    def __init__(self, title: str, drawing: Drawing, *, is_at_end: bool = False) -> None:
        super().__init__()
        self._title, self._is_at_end = title, is_at_end
        self._drawing = lru_cache(drawing)  # What is to be read follows from the width alone.

    def parts(self) -> Iterator[Widget]:
        """A title and what is to be read."""
        yield Static(f" {self._title}", id="title")
        with VerticalScroll(id="reading"):
            yield RowsWidget(self._drawing)

    def on_mount(self) -> None:
        """The arrows scroll."""
        reading = self.query_one("#reading", VerticalScroll)
        reading.focus()
        if self._is_at_end:
            reading.scroll_end(animate=False)


def paragraphs(texts: Sequence[str], width: int) -> list[Row]:
    """Sentences with an empty line between them."""
    rows: list[Row] = []
    for text in texts:
        rows += [[Span(f" {line}")] for line in wrap(text, width - 2)]
        rows.append([])
    return rows


def _explained(row: Row, width: int) -> list[Row]:
    """A sign or a key and what it means; further lines of that begin where the first one does."""
    return wrapped(row, width, " " * row_width(row[:-1]))


def help_page(words: Words, is_ascii: bool, where: str, signs: Sequence[Row] = ()) -> Page:
    """The signs of the board, where there is one, and every key of every screen."""
    return Page(words("help.title"), lambda width: help_rows(words, width, is_ascii, where, signs))


def help_rows(
    words: Words, width: int, is_ascii: bool, where: str, signs: Sequence[Row] = ()
) -> list[Row]:
    """What that page says: first what is of use on the screen from which it was opened."""
    rows: list[Row] = []
    if signs:
        rows.append([Span(" " + words("board.legend"), "bold $text-accent")])
        rows += [*(line for sign in signs for line in _explained(sign, width)), []]
    rows += _keys_of(words, width, is_ascii, where)
    rows += paragraphs([words(f"help.{key}") for key in HELP], width)
    others = (each for each in WHERE if each != where)
    return [*rows, *(row for each in others for row in _keys_of(words, width, is_ascii, each))]


def _keys_of(words: Words, width: int, is_ascii: bool, where: str) -> Sequence[Row]:
    return _drawn_keys(words, width, is_ascii, where, tuple(bindings_of(where)))


@lru_cache(maxsize=KEYS_KEPT_MAX)  # To break all of them takes as long as to draw a table.
def _drawn_keys(
    words: Words, width: int, is_ascii: bool, where: str, actions: Sequence[KeyBinding]
) -> Sequence[Row]:
    rows: list[Row] = [[Span(" " + words("where." + where), "bold $text-accent")]]
    cells = max(cell_len(key_name(binding.key, is_ascii)) for binding in KEY_BINDINGS) + 1
    for binding in actions:
        key = Span(f"   {pad(key_name(binding.key, is_ascii), cells)}", "bold")
        rows += _explained([key, Span(words(binding.sentence))], width)
    return [*rows, []]


def hint_page(model: ViewModel, explanation: Explanation, is_first_look: bool) -> Page:
    """What search thinks of every legal action, at its first look or after all its thought."""
    texts = [basis_sentence(model.words, explanation)]

    def drawing(width: int) -> list[Row]:
        cells = min(width - 2, HINT_CELLS_MAX)
        rows = draw_hint(model, explanation, cells, seconds=0 if is_first_look else None)
        return [*rows, [], *paragraphs(texts, width)]

    return Page(model.words("hint.first_look" if is_first_look else "hint.title"), drawing)


def pile_page(model: ViewModel) -> Page:
    """The open pile of nobody, the top card first."""
    words, zone = model.words, model.look.open_pile
    cards = model.view.zones.get(zone, ())[::-1]

    def drawing(width: int) -> list[Row]:
        rows: list[Row] = [
            [
                Span(f" {number:>3}  "),
                Span(pad(words.name("face", card.face or "?"), 16),
                     "bold " + color_of(model.look.face(card.face))),
                Span(card.back, MUTED),
                Span("  " + words("pile.top") if number == 1 else "", MUTED),
            ]
            for number, card in enumerate(cards, 1)
        ]  # fmt: skip
        return rows or [[Span(" " + words("term.empty"), MUTED)]]

    return Page(words.name("term", zone), drawing)


class GoalPage(Page):
    """What a first game is about, before the table is seen."""

    where = "goal"
    BINDINGS = textual_bindings("goal")

    def __init__(self, words: Words, game: str, texts: Sequence[str]) -> None:
        title = words("lesson.first", game=words.name("game", game))
        super().__init__(title, lambda width: paragraphs(texts, width))

    def action_go_on(self) -> None:
        """To the table."""
        self.app.pop_screen()


class FairnessPage(Page):
    """The page behind the fairness line, where people say that their words are the same."""

    where = "fairness"
    BINDINGS = textual_bindings("fairness")

    def __init__(self, model: ViewModel) -> None:
        title = model.words("fair.title")
        super().__init__(title, lambda width: draw_fairness(model, width))
        self._has_strangers = bool(model.news.strangers)

    def label_key(self, binding: KeyBinding) -> str:
        """Words that nobody has to compare are not said to be the same."""
        is_idle = binding.name == "compared" and not self._has_strangers
        return "" if is_idle else super().label_key(binding)

    async def action_compared(self) -> None:
        """Everybody read the same words aloud; they know each other from now on."""
        if self._has_strangers:
            self.base_app.send(Compared())
        await self.app.pop_screen()


class RulesScreen(BaseScreen):
    """The game's own rules, as Markdown, with what is going on now above them, if it has begun."""

    where = "page"
    BINDINGS = textual_bindings("page")

    def __init__(self, game: str, now: ViewModel | None = None) -> None:
        super().__init__()
        self._game, self._now = game, now

    def parts(self) -> Iterator[Widget]:
        """Where we are, and room for the rules."""
        game = self.words.name("game", self._game)
        yield Static(self._in_signs(f" {self.words('rules.title')}: {game}"), id="title")
        if self._now is not None:
            now = self.words("rules.now", ask=prompt(self._now))
            yield Static(self._in_signs(f" {now}"), id="welcome")
        with VerticalScroll(id="reading"):
            yield Static(" " + self.words("rules.soon"), id="soon")

    def on_mount(self) -> None:
        """The arrows scroll.  The page is there at once; to lay out all rules takes seconds."""
        self.query_one("#reading", VerticalScroll).focus()
        self.after_layout(self.run_worker, self._lay_out)

    @property
    def _chapter(self) -> str:
        """The number of the chapter about what is going on now; empty where there is none."""
        return "" if self._now is None else self._now.look.chapter(self._now.view)

    async def _lay_out(self) -> None:
        """Show the chapter that matters now; all rules take its place once they are laid out."""
        from ui.model.rules import chapter_of, rules_text, without_wide_tables

        text = without_wide_tables(rules_text(self.words.of(self._game), self._game))
        if chapter := chapter_of(text, self._chapter):
            await self._mount(chapter)
            await self.query_one("#soon").remove()
        self.after_layout(self.run_worker, partial(self._mount, text, is_whole=True))

    async def _mount(self, text: str, *, is_whole: bool = False) -> None:
        from textual.widgets import Markdown  # Slow to import, and seldom needed; so are the games.

        name = "whole" if is_whole else "soon-chapter"
        markdown = Markdown(self._in_signs(text), id=name)
        markdown.display = not is_whole
        if self.base_app.is_ascii:
            markdown.BULLETS = list(ASCII_BULLETS)
        await self.query_one("#reading").mount(markdown)

    def _in_signs(self, text: str) -> str:
        """The same in the signs that the terminal has."""
        return text.translate(ASCII_OF) if self.base_app.is_ascii else text

    def on_markdown_table_of_contents_updated(self, event: Markdown.TableOfContentsUpdated) -> None:
        """Open the rules at what is going on now."""
        if event.markdown.id != "whole":
            return
        self.query("#soon, #soon-chapter").remove()
        event.markdown.display = True
        for _, heading, block in event.table_of_contents:
            if self._chapter and heading.startswith(self._chapter) and block:
                place = self.query_one(f"#{block}")
                self.call_after_refresh(place.scroll_visible, animate=False, top=True)


class ElsewherePage(Page):
    """The others hear another program on my seat: which of the two is to go on?"""

    where = "elsewhere"
    BINDINGS = textual_bindings("elsewhere")

    def __init__(self, words: Words, news: Elsewhere) -> None:
        texts = [words("elsewhere.text", name=news.name, host=news.host)]
        title = words("elsewhere.title", name=news.name)
        super().__init__(title, lambda width: paragraphs(texts, width))

    async def action_take_over(self) -> None:
        """Go on here; the other program has to stop."""
        await self.app.pop_screen()
        self.base_app.send(TakeOver())

    async def action_leave_there(self) -> None:
        """Get up here."""
        await self.app.pop_screen()
        self.base_app.send(Leave())
        await self.base_app.to_lobby()


class AskedBackPage(Page):
    """Somebody asks the table to take a choice back."""

    where = "asked_back"
    BINDINGS = textual_bindings("asked_back")

    def __init__(self, words: Words, news: TableChanged) -> None:
        assert news.asked_back is not None, "somebody asks"
        self._news, texts = news, question(words, news)
        self._since = time.monotonic()
        title = words("back.title", name=news.asked_back.name)
        super().__init__(title, lambda width: paragraphs(texts, width))

    async def action_agree(self) -> None:
        """Let the table go back; not by a key that was meant for the table below."""
        if time.monotonic() - self._since >= UNEXPECTED_S:
            await self._answer(agrees=True)

    async def action_decline(self) -> None:
        """Let it be as it is."""
        await self._answer(agrees=False)

    async def _answer(self, *, agrees: bool) -> None:
        await self.app.pop_screen()
        said = answer(self._news, agrees=agrees)
        assert said is not None, "this page is only for whoever is asked"
        self.base_app.send(said)


def accused_page(words: Words, news: Accused) -> Page:
    """Somebody misbehaved; nobody else lost anything."""
    texts = [words("accused.who", name=news.name), news.sentence, words("accused.kept")]
    return Page(words("accused.title"), lambda width: paragraphs(texts, width))


def stopped_page(words: Words, why: str) -> Page:
    """The table at which I sat cannot go on."""
    return Page(words("accused.title"), lambda width: paragraphs([why], width))


class FaultPage(Page):
    """A fault of ours has ended the node: nothing can go on but from a new start."""

    def __init__(self, words: Words, texts: Sequence[str]) -> None:
        title, *more = texts
        super().__init__(title, lambda width: paragraphs([*more, words("fault.keys")], width))

    def action_back(self) -> None:
        """End the program."""
        self.app.exit(return_code=1)
