"""Between sitting down and the first card: who is there, and the words that make them sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual import events
from textual.widget import Widget
from textual.widgets import Static

from p2p.session.commands import FillWithBots, Leave
from p2p.session.news import Gathering, SeatState
from ui.draw.marks import LINK_DOT, MUTED
from ui.draw.panels import wrapped
from ui.key_bindings import KeyBinding, bindings_of, key_name, key_of, textual_bindings
from ui.language.text import Words
from ui.lobby.filling import Ways, gathering_advice, told_terms
from ui.lobby.open_tables import table_name
from ui.model.sentences import bot_level_name, with_bot
from ui.port import UiNews
from ui.screens.base import BaseScreen
from ui.terminal.spans import Row, Span, pad, row_width, wrap
from ui.terminal.toasts import SHORT_TOAST_S
from ui.widgets.rows import RowsWidget


def draw_gathering(
    words: Words, news: Gathering, width: int, *, awaits_bots: bool = False
) -> list[Row]:
    """The seats one under the other, and what is missing: persons, or only bots of mine."""
    ad = news.table
    taken = sum(1 for seat in news.seats if seat.link != "free")
    is_mine = awaits_bots or (ad.is_filled and news.me == 0)  # All others are kept for somebody.
    free = words("gathering.coming" if is_mine else "term.free")
    rows: list[Row] = [[]]
    missing = iter(news.missing)
    for at, seat in enumerate(news.seats):
        name = "" if seat.name else next(missing, "")
        if name:
            rows += _seat_rows(words, replace(seat, name=name, link="missing"), at, width)
        else:
            rows += _seat_rows(words, seat if seat.name else replace(seat, name=free), at, width)
    if terms := told_terms(words, ad.game, ad.options):
        rows += [[], *([Span(f" {line}")] for line in wrap(" · ".join(terms), width - 2))]
    key = "gathering.bots" if awaits_bots else "gathering.waiting"
    waiting = words(key, taken=taken, seats=ad.seats)
    rows += [[], *([Span(f" {line}", "bold")] for line in wrap(waiting, width - 2))]
    for advice in gathering_advice(words, news, _ways()):
        rows += [[Span(f" {line}", MUTED)] for line in wrap(advice, width - 2)]
    return rows


def _ways() -> Ways:
    where = ("gathering", "fill_with_bots"), ("gathering", "leave"), ("lobby", "open_table")
    return Ways(*[key_name(key_of(*each)) for each in where])


def _seat_rows(words: Words, seat: SeatState, index: int, width: int) -> list[Row]:
    """A seat, and on lines of its own what tells who it is where that is too long."""
    glyph, style = LINK_DOT.get(seat.link, LINK_DOT["up"])
    name, is_free = with_bot(words, seat.name, seat), seat.link in ("free", "missing")
    state = "" if is_free else words.name("link", seat.link)
    row = [
        Span(f"  {index + 1}  "),
        Span(glyph, style),
        Span(" " + pad(name, 24), MUTED if is_free else "bold"),
        Span(pad(state, 12), MUTED),
    ]
    who = [Span(_who(words, seat), "$text-accent")]
    if row_width(row) + row_width(who) <= width:
        return [[*row, *who]]
    return [row, *([Span("       "), *line] for line in wrapped(who, width - 8))]


def _who(words: Words, seat: SeatState) -> str:
    """What tells a person from others; of a bot, whose it is and how far it thinks."""
    if not seat.is_bot:
        return words("link.missing") if seat.link == "missing" else seat.words
    sponsor, level = seat.sponsor or seat.words, bot_level_name(words, seat.level)
    if seat.is_open:
        return words("gathering.open", level=level, iterations=seat.iterations)
    if not seat.level:
        return words("gathering.program", sponsor=sponsor)
    if not seat.iterations:
        return words("gathering.measured", sponsor=sponsor, level=level)
    return words("gathering.bot", sponsor=sponsor, level=level, iterations=seat.iterations)


class GatheringScreen(BaseScreen):
    """Seats filling up."""

    where = "gathering"
    BINDINGS = textual_bindings("gathering")

    def parts(self) -> Iterator[Widget]:
        """A title and the seats."""
        yield Static(id="title")
        yield RowsWidget(id="seats")

    def on_mount(self) -> None:
        """Show what is known already."""
        if self.base_app.gathering:
            self.show(self.base_app.gathering)

    async def relabel(self) -> None:
        """Say everything again, seats included."""
        await super().relabel()
        if self.base_app.gathering:
            self.show(self.base_app.gathering)

    def label_key(self, binding: KeyBinding) -> str:
        """Bots for who is missing, where that can be."""
        news = self.base_app.gathering
        may_fill = news is not None and news.may_fill
        return (
            "" if binding.name == "fill_with_bots" and not may_fill else super().label_key(binding)
        )

    def receive(self, news: UiNews) -> None:
        """Somebody sat down or got up."""
        if isinstance(news, Gathering):
            self.show(news)

    def show(self, news: Gathering) -> None:
        """The newest state of the table."""
        ad = news.table
        game = self.words.name("game", ad.game)
        words, awaits_bots = self.words, self.base_app.awaits_bots
        self.query_one("#title", Static).update(f" {table_name(words, ad)}   {game}")
        self.query_one("#seats", RowsWidget).show(
            lambda width: draw_gathering(words, news, width, awaits_bots=awaits_bots)
        )
        self.show_keys()

    def action_fill_with_bots(self) -> None:
        """Let bots have the seats of those who have not come."""
        if self.base_app.gathering is not None and self.base_app.gathering.may_fill:
            self.base_app.send(FillWithBots())

    async def action_leave(self) -> None:
        """Get up."""
        self.base_app.send(Leave())
        await self.base_app.to_lobby()

    def action_rules(self) -> None:
        """The rules of the game that is about to begin."""
        from ui.screens.pages import RulesScreen

        if self.base_app.gathering is not None:
            self.app.push_screen(RulesScreen(self.base_app.gathering.table.game))

    def on_key(self, event: events.Key) -> None:
        """Say so where a key does nothing yet: most of those of the table begin with the game."""
        is_known = event.key in {binding.key for binding in bindings_of(self.where)}
        if event.is_printable and not is_known:
            event.stop()
            self.app.clear_notifications()
            name = key_name(event.key, self.base_app.is_ascii)
            self.notify(
                self.words("gathering.no_key", name=name), timeout=SHORT_TOAST_S, markup=False
            )
