"""What the cards of a game say: name, cost and types, and the text under or beside them."""

from __future__ import annotations

from ui.draw.marks import KEY, MUTED, color_of
from ui.language.text import Words
from ui.model.notes import NOTED
from ui.model.view_model import ViewModel, card_facts
from ui.terminal.spans import Row, Span, wrap


def draw_card(model: ViewModel, face: str, width: int) -> list[Row]:
    """Name, cost and types in one line, text and own note under it, and an empty line."""
    words, look = model.words, model.look
    facts = card_facts(model, face)
    name = Span(f" {look.named(words, face)}", f"bold {color_of(look.face(face))}".strip())
    rows: list[Row] = [[name, Span(f"  {words.listed(facts)}".rstrip(), MUTED)]]
    for key in look.texts(model.view.options, face):
        rows += [[Span(f"   {line}")] for line in wrap(_text(words, key), width - 5)]
    note = model.notes.get(face, "")
    rows += [[Span(f" {NOTED} {line}", KEY)] for line in wrap(note, width - 5) if note]
    return [*rows, []]


def _text(words: Words, key: str) -> str:
    """What a card says; an effect that has a name of its own is called by it."""
    kind, _, effect = key.partition(".")
    name = words.name("effect", effect)
    is_named = kind == "explain" and name != effect
    return f"{name}: {words(key)}" if is_named else words(key)
