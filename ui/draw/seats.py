"""Everybody's piles: the others as boxes or lines, mine as a box for each pile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from ui.away import seat_note
from ui.draw.marks import KEY, LINK_DOT, MUTED, boxed, clip, labels_of, pile_style, shares
from ui.draw.packs import draw_my_pack, pack_line, pack_rows
from ui.ink import Row, Span, beside, pad, row_width
from ui.picture import Picture, PilePicture, SeatPicture, backs_text, tally_line

BOX_CELLS_MIN: Final = 20  # With less room a seat is a line.


def draw_seats(picture: Picture, width: int, is_small: bool, is_roomy: bool) -> Sequence[Row]:
    """The other seats: boxes side by side, or a line each where there is little room."""
    seats = picture.others
    if is_small or len(seats) * BOX_CELLS_MIN > width:
        return [_seat_line(picture, seat, width) for seat in seats]
    widths = shares(width, len(seats))
    boxes = [
        _seat_box(picture, seat, each, is_roomy) for seat, each in zip(seats, widths, strict=True)
    ]
    return beside(boxes)


def _dot(seat: SeatPicture) -> Span:
    glyph, style = LINK_DOT.get(seat.state.link, LINK_DOT["up"])
    return Span(glyph, style)


def _seat_title(picture: Picture, seat: SeatPicture) -> str:
    words = picture.words
    name = f"{seat.name} ({words('term.bot')})" if seat.state.is_bot else seat.name
    note = seat_note(words, picture.news, seat.seat)
    return f"{name} - {note}" if note else name


def _seat_line(picture: Picture, seat: SeatPicture, width: int) -> Row:
    style = "bold reverse" if seat.is_to_act else "bold"
    hot = labels_of(picture, f"seat{seat.seat}")
    name = Span(pad(_seat_title(picture, seat), 14), style, hot)
    row: Row = [_dot(seat), Span(" "), name, Span(" ")]
    if picture.look.pack:
        return [*row, *pack_line(picture, seat, width - row_width(row))]
    row += _pile_counts(picture, seat)
    hand = f" ▮{len(seat.hand)} {backs_text(seat.hand)}"
    return [*row, Span(pad(hand, max(width - row_width(row), 0)), MUTED, hot)]


def _pile_counts(picture: Picture, seat: SeatPicture) -> Row:
    """`M2 R0 E1...` with a mark for what lies on a pile."""
    row: Row = []
    for pile in seat.piles:
        letter = picture.look.face(pile.face).letter
        text = f"{letter}{pile.count}{_short_marks(pile)}"
        row += [Span(text, pile_style(picture, pile), labels_of(picture, pile.zone)), Span(" ")]
    return row


def _short_marks(pile: PilePicture) -> str:
    note = pile.note
    higher = f"+{note.democracies}" if note.democracies else ""
    return higher + ("!" if note.embargoes else "") + ("*" if note.has_coin else "")


def _seat_box(picture: Picture, seat: SeatPicture, width: int, is_roomy: bool) -> list[Row]:
    border = "$accent bold" if seat.is_to_act else "$foreground 30%"
    hot = labels_of(picture, f"seat{seat.seat}")
    hand = Span(picture.words("term.hand", number=len(seat.hand)) + "  ", "", hot)
    held = [hand, Span(backs_text(seat.hand), MUTED, hot)]
    piles = [_pile_counts(picture, seat)]
    if is_roomy and seat.piles:
        piles = [_pile_line(picture, pile, width - 4) for pile in seat.piles]
    rows = [*piles, held]
    if picture.look.pack:
        rows = pack_rows(picture, seat, width - 4)
    return [
        _seat_top(picture, seat, width, border),
        *(boxed(row, width, border, hot) for row in rows),
        [Span("╰" + "─" * (width - 2) + "╯", border)],
    ]


def _seat_top(picture: Picture, seat: SeatPicture, width: int, border: str) -> Row:
    inner = width - 4
    title = f" {_seat_title(picture, seat)} "
    title = pad(title, min(inner, cell_len(title)))
    rest = inner - cell_len(title)
    turn = f" {picture.words('term.turn')} " if seat.is_to_act else ""
    turn = turn if cell_len(turn) < rest - 2 else ""
    return [
        Span("╭─", border),
        _dot(seat),
        Span(title, "bold", labels_of(picture, f"seat{seat.seat}")),
        Span("─" * (rest - cell_len(turn)), border),
        Span(turn, "bold $text-accent"),
        Span("╮", border),
    ]


def _pile_line(picture: Picture, pile: PilePicture, width: int) -> Row:
    """One pile with its name, a bar and its count."""
    style, hot = pile_style(picture, pile), labels_of(picture, pile.zone)
    count = f"{_count_text(pile)} {_marks(picture, pile)}"
    name = pad(picture.words.name("face", pile.face), 9)
    bar = "▮" * pile.count
    row = [Span(f"{name} ", style, hot), Span(pad(count, 8), style, hot), Span(bar, style, hot)]
    return clip(row, width)


def _count_text(pile: PilePicture) -> str:
    return f"{pile.count}/{pile.note.target}" if pile.note.target else str(pile.count)


def _marks(picture: Picture, pile: PilePicture) -> str:
    """Level, embargo, higher target and coin, each by a glyph of its own."""
    note = pile.note
    level = "·" + "I" * note.level if note.level else ""
    return f"{level}{_short_marks(pile)}"


# ---- mine ----


def draw_area(picture: Picture, width: int, is_small: bool) -> Sequence[Row]:
    """My piles: a box each with its count and target, or one line where there is little room."""
    mine = picture.mine
    if mine is None:
        tally = f" {tally_line(picture)}".rstrip()
        looking_on = [Span(" " + picture.words("table.look_on"), MUTED), Span(tally, "bold")]
        return [looking_on]
    if picture.look.pack:
        return draw_my_pack(picture, mine, width)
    if is_small:
        return [clip([Span(" "), *_pile_targets(picture, mine)], width)]
    if not mine.piles:
        return []
    widths = shares(width, len(mine.piles))
    boxes = [_pile_box(picture, pile, each) for pile, each in zip(mine.piles, widths, strict=True)]
    return beside(boxes)


def _pile_targets(picture: Picture, seat: SeatPicture) -> Row:
    row: Row = []
    for pile in seat.piles:
        name = picture.words.name("face", pile.face)
        short = set_cell_size(name, 3 if name.isascii() else 4)
        text = f"{short}{_count_text(pile)}{_short_marks(pile)}"
        row += [Span(text, pile_style(picture, pile), labels_of(picture, pile.zone)), Span(" ")]
    return row


def _pile_box(picture: Picture, pile: PilePicture, width: int) -> list[Row]:
    hot, border = labels_of(picture, pile.zone), pile_style(picture, pile)
    name = pad(picture.words.name("face", pile.face), width - 4).rstrip()
    line = "─" * (width - 3 - cell_len(name))
    keys = f" {hot.replace(',', ' ')} " if hot else ""
    rest = "─" * max(width - 3 - cell_len(keys), 0)
    count = pad(f" {_count_text(pile)} {_marks(picture, pile)}", width - 2)
    bar = pad(" " + "▮" * pile.count, width - 2)
    return [
        [Span("╭─" + name + line + "╮", border, hot)],
        [Span("│" + count + "│", border, hot)],
        [Span("│" + bar + "│", border, hot)],
        [Span("╰─", border, hot), Span(keys, KEY, hot), Span(rest + "╯", border, hot)],
    ]
