"""Title, prompt, choices, the middle of the table, and the story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.view import CardView
from ui.draw.marks import MUTED, clip, color_of, labels_of
from ui.draw.shelf import draw_shelf
from ui.ink import Row, Span, flow, wrap
from ui.picks import CardPick
from ui.picture import Picture, backs_text

EXPLAINED_CHOICES_MAX: Final = 8  # With more of them there is no room for a line each.


def draw_middle(picture: Picture, picked: Sequence[str], width: int) -> Sequence[Row]:
    """Deck, discard pile and whatever else belongs to nobody."""
    zones = picture.view.zones
    if picture.look.wares(picture.view):
        return draw_shelf(picture, picked, width)
    shown = picture.look.middle or [zone for zone in zones if not zone.startswith("seat")]
    spans = [
        _middle_span(picture, zone, zones[zone])
        for zone in shown
        if zones[zone] or zone in ("deck", "discard")
    ]
    return [[Span(" "), *row] for row in flow(spans, width - 2, gap=4)]


def _middle_span(picture: Picture, zone: str, cards: Sequence[CardView]) -> Span:
    title = f"{picture.words.name('term', zone)} {len(cards)}"
    hot = labels_of(picture, zone)
    if cards and all(card.face is None for card in cards):
        return Span(f"{title}  ▮ {backs_text(tuple(cards))}", MUTED, hot)
    return Span(f"{title}  {faces_text(picture, cards)}".rstrip(), "", hot or "pile")


def faces_text(picture: Picture, cards: Sequence[CardView]) -> str:
    """Open cards by their faces, as in `M3 R1`."""
    counts = Counter(card.face for card in cards)
    order = sorted(counts, key=picture.look.order)
    return " ".join(_counted(picture.look.face(face).letter, counts[face]) for face in order)


def _counted(letter: str, count: int) -> str:
    """`M3`; a longer name, which may end in a number itself, as `A1` and `A1×2`."""
    if len(letter) == 1:
        return f"{letter}{count}"
    return f"{letter}×{count}" if count > 1 else letter


def draw_choices(
    picture: Picture, picked: Sequence[str], width: int, is_roomy: bool, is_small: bool = False
) -> Sequence[Row]:
    """Every offer that is not a card of my hand or a ware, with its letter.

    Explained where there is room; what is picked is explained unless there is very little.
    """
    wares = {ware.zone for ware in picture.look.wares(picture.view)}
    picks = [
        each for each in picture.picks
        if not each.label.isdigit() and each.place not in wares
    ]  # fmt: skip
    about = [explain(picture, pick) for pick in picture.picks if pick.label in picked[-1:]]
    if is_roomy and len(picks) <= EXPLAINED_CHOICES_MAX and any(explain(picture, p) for p in picks):
        return [_explained_choice(picture, pick, picked, width) for pick in picks]
    spans = [_choice(picture, pick, picked) for pick in picks]
    if picture.look.several(picture.view) > 1 and picture.is_my_turn and not picked:
        spans.append(Span(f" {picture.words('table.several')}", MUTED))
    rows = [[Span(" "), *row] for row in flow(spans, width - 2, gap=2)] if spans else []
    lines = wrap(about[0], width - 2) if about and about[0] and not is_small else []
    return [*rows, *([Span(f" {line}", MUTED)] for line in lines)]


def _choice(picture: Picture, pick: CardPick, picked: Sequence[str]) -> Span:
    style = "bold reverse" if pick.label in picked else f"bold {_choice_color(picture, pick)}"
    return Span(f" {pick.label} {pick.text} ", style, pick.label)


def _choice_color(picture: Picture, pick: CardPick) -> str:
    face = pick.offer.text.split()[-1].partition(".")[0]
    return color_of(picture.look.face(face))


def _explained_choice(picture: Picture, pick: CardPick, picked: Sequence[str], width: int) -> Row:
    choice = _choice(picture, pick, picked)
    gap = " " * max(18 - cell_len(choice.text), 1)
    row = [Span(" "), choice, Span(gap), Span(explain(picture, pick), MUTED, pick.label)]
    return clip(row, width)


def explain(picture: Picture, pick: CardPick) -> str:
    """What the effect or the card of a pick does; empty for what explains itself."""
    word = pick.offer.text.split()[-1]
    if "." in word:
        return picture.words.name("explain", word)
    texts = picture.look.texts(picture.view.options, word)
    return picture.words(texts[0]) if len(texts) == 1 and pick.offer.text.count(" ") == 1 else ""
