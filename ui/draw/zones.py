"""A board for any game: every zone and every number by its own name, and whole names of faces."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import groupby, product
from typing import Final

from core.requests import Player
from core.view import CardView
from ui.draw.cards import draw_cards
from ui.draw.choices import choices_left, draw_choices
from ui.draw.marks import LIT, MUTED, UNSEEN, color_of, labels_of
from ui.draw.panels import CardPicture, Light, panel, ruled, wrapped
from ui.draw.scene import Column, GameBoard, Scene
from ui.model.picks import HandStack, in_order
from ui.model.view_model import ViewModel, backs_text
from ui.model.zones import numbers_text, zone_name, zones_of
from ui.terminal.spans import Row, Span

CARD_ROWS: Final = 5
CHIP_ROWS: Final = 3  # Of a hand without frames around its cards.
CHOICE_ROWS_MAX: Final = 8


class Air(Enum):
    """How much room there is for the zones, from much to little."""

    FRAMED = "framed"  # A panel for each seat, a row for each zone.
    RULED = "ruled"  # A line with the name of the seat in place of the panel.
    DENSE = "dense"  # The zones behind each other, without what is empty.


def column(scene: Scene, width: int, height: int) -> Column:
    """Everybody's zones above, my hand and my choices below: as airy as all of it fits."""
    cards = min(CARD_ROWS, max(height // 4, 1))
    airs = Air if scene.is_roomy else (Air.RULED, Air.DENSE)
    columns = [
        Column(seat_panels(scene, width, air), _below(scene, width, height, hand_height))
        for air, hand_height in product(airs, (cards, min(cards, CHIP_ROWS)))
    ]
    fitting = (each for each in columns if len(each.above) + len(each.below) <= height)
    return next(fitting, columns[-1])


def _below(scene: Scene, width: int, height: int, hand_height: int) -> list[Row]:
    hand = draw_hand(scene, width, hand_height)
    picks = choices_left(scene, [*hand])
    return [*hand, *draw_choices(scene, picks, width, min(CHOICE_ROWS_MAX, max(height // 3, 2)))]


def seat_panels(scene: Scene, width: int, air: Air) -> list[Row]:
    """Nobody's zones, then those of each seat, mine last."""
    model = scene.model
    owners: list[Player | None] = [None, *(seat.seat for seat in model.others)]
    if model.mine is not None:
        owners.append(model.mine.seat)
    draw = panel if air is Air.FRAMED else ruled
    rows: list[Row] = []
    for owner in owners:
        inner = zone_rows(scene, owner, width - 4, is_dense=air is Air.DENSE)
        if inner:
            title = scene.words("term.middle") if owner is None else _title(scene, owner)
            is_live = owner is not None and model.seats[owner].is_to_act
            rows += draw(title, inner, width, is_live=is_live)
    return rows


def _title(scene: Scene, seat: Player) -> str:
    name, partner = scene.name_of(seat), scene.words("term.partner")
    return f"{name} ({partner})" if seat in scene.view.partners else name


def zone_rows(
    scene: Scene, owner: Player | None, width: int, *, is_dense: bool = False
) -> list[Row]:
    """The zones of a seat, or of nobody, each with its cards; then the numbers.

    Where rows are dear they stand behind each other, without what is empty.
    """
    words, view, parts = scene.words, scene.view, list[Row]()
    prefix = "" if owner is None else f"seat{owner}."
    for name, cards in zones_of(view, owner).items():
        if is_dense and not cards:
            continue
        hot, is_hand = labels_of(scene.model, prefix + name), name == "hand"
        held = in_order(cards, view, scene.model.look) if is_hand else cards
        known = zone_name(words, name, owner)
        row = [Span(f"{known} ", MUTED, hot), Span(f"{len(cards)}  ", LIT, hot)]
        parts.append([*row, *faces(scene, held, hot, has_top=not is_hand)])
    numbers = numbers_text(words, view, owner)
    parts += [[Span(numbers, MUTED)]] if numbers else []
    if is_dense:
        parts = [_in_a_row(parts)]
    return [row for part in parts if part for row in wrapped(part, width, "  ")]


def _in_a_row(parts: Sequence[Row]) -> Row:
    """Zones and numbers behind each other; the last card of a zone has a space behind it."""
    row: Row = []
    for part in parts:
        between = "· " if row and row[-1].text.endswith(" ") else " · "
        row += [Span(between, MUTED), *part] if row else part
    return row


def faces(scene: Scene, cards: Sequence[CardView], hot: str, *, has_top: bool = True) -> Row:
    """Cards in their order, the top one of a pile last and told so; unseen ones by their backs."""
    if not cards:
        return [Span(scene.words("term.empty"), MUTED, hot)]
    row: Row = []
    look = scene.model.look
    for face, like in groupby(cards, key=lambda card: card.face):
        group = tuple(like)
        count = f"×{len(group)}" if len(group) > 1 else ""
        if face is None:
            backs = backs_text(group) if any(card.back for card in group) else f"▮{count}"
            row.append(Span(f"{backs} ", MUTED, hot))
        else:
            style = f"{LIT} {color_of(look.face(face))}".strip()
            row.append(Span(f"{scene.words.name('face', face)}{count} ", style, hot))
    if has_top and len(cards) > 1 and cards[-1].face is not None:
        row.append(Span(f"← {scene.words('pile.top')}", MUTED, hot))
    return row


# ---- my hand ----


def draw_hand(scene: Scene, width: int, height: int) -> list[Row]:
    """My cards by their whole names."""
    cards = [hand_card(scene, number, held) for number, held in enumerate(scene.model.hand, 1)]
    return draw_cards(cards, width, height)


def hand_card(scene: Scene, number: int, held: HandStack) -> CardPicture:
    """A card of my hand, with what it says."""
    words, look, label = scene.words, scene.model.look, str(number)
    name = words.name("face", held.card.face or UNSEEN)
    texts = look.texts(scene.view.options, held.card.face) if held.card.face else ()
    rows = [[Span(words(key))] for key in texts]
    light = scene.light_of(label)
    key = label if light in (Light.LEGAL, Light.CHOSEN) else ""
    seen = f"{words('board.seen')} " if held.card.is_public else ""
    return CardPicture(key, name, color_of(look.face(held.card.face)), rows,
                f"{seen}{held.card.back}".strip(), light, label)  # fmt: skip


def legend(model: ViewModel) -> list[Row]:
    """What the few signs mean."""
    return [[Span(f" {line}")] for line in model.words("board.signs").splitlines()]


ZONES: Final = GameBoard(column, lambda scene, width: [], lambda model: "", legend)
