"""My cards with their numbers; those that cannot be chosen now are dim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import color_of
from ui.ink import Row, Span, beside, center, flow, pad
from ui.picture import Picture

CARD_CELLS_MIN: Final = 7
CARD_CELLS_MAX: Final = 12
HEAD_AIR_CELLS: Final = 6  # The sides of a card, and the ring on it.
AIR_CELLS: Final = (6, 4, 2)  # Around the name of a card that stands for several, as they fit.


def draw_hand(picture: Picture, picked: Sequence[str], width: int, is_small: bool) -> Sequence[Row]:
    """The hand, as cards where there is room and as words where there is not.

    `picked` are labels; one that stands for several equal cards may be there as often.
    """
    if not picture.hand:
        return [[Span(" " + picture.words("term.hand", number=0), "dim")]]
    numbers = range(1, len(picture.hand) + 1)
    widths = [] if is_small else _widths(picture, width)
    if not widths:
        rows = flow([_small_card(picture, number, picked) for number in numbers], width - 2, gap=1)
        return [[Span(" "), *row] for row in rows]
    cards = zip(numbers, widths, strict=True)
    blocks = [_big_card(picture, number, picked, cells) for number, cells in cards]
    left = " " * ((width - sum(widths)) // 2)
    return [[Span(left), *row] for row in beside(blocks)]


def _widths(picture: Picture, width: int) -> list[int]:
    """How wide each card is; none where there is no room for boxes."""
    if picture.look.pack:
        numbers = range(1, len(picture.hand) + 1)
        names = [cell_len(name_of(picture, number)) for number in numbers]
        heads = [len(_head(picture, number, ())) + HEAD_AIR_CELLS for number in numbers]
        for air in AIR_CELLS:
            widths = [max(name + air, head) for name, head in zip(names, heads, strict=True)]
            if sum(widths) <= width - 2:
                return widths
        return []
    count = len(picture.hand)
    room = min((width - 2) // count, CARD_CELLS_MAX)
    return [room] * count if count * CARD_CELLS_MIN <= width else []


def name_of(picture: Picture, number: int) -> str:
    """The name of the hand card with this number."""
    return picture.words.name("face", picture.hand[number - 1].card.face or "?")


def _style(picture: Picture, number: int, picked: Sequence[str]) -> str:
    color = color_of(picture.look.face(picture.hand[number - 1].card.face))
    if str(number) in picked:
        return f"bold {color} reverse"
    return f"bold {color}" if picture.pick(str(number)) else f"dim {color}"


def _count_text(picture: Picture, number: int, picked: Sequence[str]) -> str:
    """`×3`; `2/3` where two of them are picked."""
    count, taken = picture.hand[number - 1].copies, picked.count(str(number))
    if count == 1:
        return ""
    return f"{taken}/{count}" if taken and picture.look.several(picture.view) else f"×{count}"


def _head(picture: Picture, number: int, picked: Sequence[str]) -> str:
    """The letter of the face, and how many cards this one stands for."""
    letter = picture.look.face(picture.hand[number - 1].card.face).letter
    return " ".join(filter(None, (letter, _count_text(picture, number, picked))))


def _small_card(picture: Picture, number: int, picked: Sequence[str]) -> Span:
    back, count = picture.hand[number - 1].card.back, _count_text(picture, number, picked)
    words = [name_of(picture, number), *filter(None, (count, back))]
    return Span(f" {number}:{' '.join(words)} ", _style(picture, number, picked), str(number))


def _big_card(picture: Picture, number: int, picked: Sequence[str], width: int) -> list[Row]:
    card = picture.hand[number - 1].card
    style, hot, inner = _style(picture, number, picked), str(number), width - 2
    head = _head(picture, number, picked)
    seen = "○" if card.is_public else " "  # Everybody knows this card.
    name = center(name_of(picture, number), inner)
    back = f" {card.back} " if card.back else ""
    foot = "─" * ((inner - len(back)) // 2) + back
    foot += "─" * (inner - len(foot))
    number_style = "bold" if picture.pick(hot) else "dim"
    return [
        [Span("╭" + "─" * inner + "╮", style, hot)],
        [Span("│" + pad(f" {head}", inner - 2) + f"{seen} │", style, hot)],
        [Span("│" + name + "│", style, hot)],
        [Span("╰" + foot + "╯", style, hot)],
        [Span(center(f"{number}", width), number_style, hot)],
    ]
