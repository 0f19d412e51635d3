"""My cards with their numbers; those that cannot be chosen now are dim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ui.draw.marks import color_of
from ui.ink import Row, Span, beside, center, flow, pad
from ui.picture import Picture

CARD_CELLS_MIN: Final = 7
CARD_CELLS_MAX: Final = 12


def draw_hand(picture: Picture, picked: str, width: int, is_small: bool) -> Sequence[Row]:
    """The hand, as cards where there is room and as words where there is not."""
    cards = picture.hand
    if not cards:
        return [[Span(" " + picture.words("term.hand", number=0), "dim")]]
    numbers = range(1, len(cards) + 1)
    if is_small or len(cards) * CARD_CELLS_MIN > width:
        rows = flow([_small_card(picture, number, picked) for number in numbers], width - 2, gap=1)
        return [[Span(" "), *row] for row in rows]
    room = min((width - 2) // len(cards), CARD_CELLS_MAX)
    blocks = [_big_card(picture, number, picked, room) for number in numbers]
    left = " " * ((width - room * len(cards)) // 2)
    return [[Span(left), *row] for row in beside(blocks)]


def _style(picture: Picture, number: int, picked: str) -> str:
    color = color_of(picture.look.face(picture.hand[number - 1].face))
    if str(number) == picked:
        return f"bold {color} reverse"
    return f"bold {color}" if picture.pick(str(number)) else f"dim {color}"


def _small_card(picture: Picture, number: int, picked: str) -> Span:
    card = picture.hand[number - 1]
    name = picture.words.name("face", card.face or "?")
    text = f" {number}:{name} {card.back} " if card.back else f" {number}:{name} "
    return Span(text, _style(picture, number, picked), str(number))


def _big_card(picture: Picture, number: int, picked: str, width: int) -> list[Row]:
    card = picture.hand[number - 1]
    style, hot, inner = _style(picture, number, picked), str(number), width - 2
    letter = picture.look.face(card.face).letter
    seen = "○" if card.is_public else " "  # Everybody knows this card.
    name = center(picture.words.name("face", card.face or "?"), inner)
    back = f" {card.back} " if card.back else ""
    foot = "─" * ((inner - len(back)) // 2) + back
    foot += "─" * (inner - len(foot))
    number_style = "bold" if picture.pick(hot) else "dim"
    return [
        [Span("╭" + "─" * inner + "╮", style, hot)],
        [Span("│" + pad(f" {letter}", inner - 2) + f"{seen} │", style, hot)],
        [Span("│" + name + "│", style, hot)],
        [Span("╰" + foot + "╯", style, hot)],
        [Span(center(f"{number}", width), number_style, hot)],
    ]
