"""The choices that stand nowhere on the board, each with its key and what it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.cards import as_columns
from ui.draw.marks import CAP, LIT, MUTED, color_of
from ui.draw.panels import cap, fit, window, wrapped
from ui.draw.scene import Scene
from ui.model.picks import OfferPick
from ui.terminal.spans import Row, Span, row_width

_UNDER_KEY: Final = "    "  # Where a choice goes on that is longer than a line.


def labels_in(rows: Iterable[Row]) -> set[str]:
    """The labels that can be clicked in these rows."""
    return {label for row in rows for span in row for label in span.hot.split(",") if label}


def choices_left(scene: Scene, drawn: Iterable[Row]) -> list[OfferPick]:
    """The picks for which no key stands in these rows."""
    known = labels_in(drawn)
    return [pick for pick in scene.model.picks if pick.label not in known]


def draw_choices(scene: Scene, picks: Sequence[OfferPick], width: int, height: int) -> list[Row]:
    """In columns, or a line each where they explain themselves; they scroll with the cursor."""
    if not picks or height <= 0:
        return []
    texts, drawn = _explained(scene, picks), [_cell(scene, pick) for pick in picks]
    is_whole = max(map(row_width, drawn)) < width  # What it does is worth less than what it is.
    if any(texts) and len(picks) <= height and is_whole:
        cells = max(cell_len(pick.text) for pick in picks)
        return [
            fit([*_cell(scene, pick, cells), Span("  "), Span(text, MUTED, pick.label)], width)
            for pick, text in zip(picks, texts, strict=True)
        ]
    rows = as_columns(drawn, width - 1)
    if not is_whole:
        rows = [line for cell in drawn for line in wrapped(cell, width - 1, _UNDER_KEY)]
    at = next((y for y, row in enumerate(rows) if scene.cursor in labels_in([row])), 0)
    return [fit([Span(" "), *row], width) for row in window(rows, height, at, width - 1)]


def _explained(scene: Scene, picks: Sequence[OfferPick]) -> list[str]:
    """What each does; of cards only where every card says something, or one would stand out."""
    texts = [explain(scene, pick) for pick in picks]
    cards = [_card_of(pick) for pick in picks]
    if all(text for text, card in zip(texts, cards, strict=True) if card):
        return texts
    return [text if not card else "" for text, card in zip(texts, cards, strict=True)]


def _card_of(pick: OfferPick) -> str:
    """The face that a pick names and nothing more; empty for an effect, or for no card."""
    verb, _, word = pick.offer.text.partition(" ")
    return word if verb and " " not in word and "." not in word else ""


def _cell(scene: Scene, pick: OfferPick, cells: int = 0) -> Row:
    is_picked = pick.label in scene.picked
    face = pick.offer.text.split()[-1].partition(".")[0]
    color = color_of(scene.model.look.face(face))
    style = CAP if is_picked else f"{LIT} {color}".strip()
    fill_up = " " * max(cells - cell_len(pick.text), 0)
    return [
        *cap(pick.label),
        Span(f" {pick.text}", style, pick.label),
        Span(fill_up, "", pick.label),
    ]


def explain(scene: Scene, pick: OfferPick) -> str:
    """What the effect or the card of a pick does; empty for what explains itself."""
    words, word = scene.words, pick.offer.text.split()[-1]
    if "." in word:
        return words.name("explain", word) if words.has(f"explain.{word}") else ""
    card = _card_of(pick)
    texts = scene.model.look.texts(scene.view.options, card) if card else ()
    return words(texts[0]) if len(texts) == 1 else ""
