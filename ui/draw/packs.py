"""Seats that own a pack of cards: deck, hand, top of the discards, what lies in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import MUTED, clip, color_of, labels_of
from ui.ink import Row, Span, flow, pad, row_width
from ui.picture import Picture, PilePicture, SeatPicture, tally_line

NARROW_CELLS: Final = 34  # Inside the box of a seat; below, what it has takes two rows.


def pack_rows(picture: Picture, seat: SeatPicture, width: int) -> list[Row]:
    """What a seat of another has, in rows for a box: always as many at one width."""
    counts = [_deck(picture, seat), _hand(picture, seat), *_top(picture, seat)]
    rows = [_join(counts)]
    if width < NARROW_CELLS:
        rows = [_join(counts[:2]), _join(counts[2:])]
    return [clip(row, width) for row in (*rows, _join(_laid_out(picture, seat)))]


def pack_line(picture: Picture, seat: SeatPicture, width: int) -> Row:
    """The same in one line."""
    spans = [_deck(picture, seat), _hand(picture, seat), *_top(picture, seat)]
    return clip(_join([*spans, *_laid_out(picture, seat)]), width)


def draw_my_pack(picture: Picture, seat: SeatPicture, width: int) -> list[Row]:
    """What is left of the turn, my deck and discards, and under it what I have in play."""
    tally, held = f" {tally_line(picture)}", [_deck(picture, seat), *_top(picture, seat)]
    room = width - row_width(_join(held)) - 2
    places = _places(picture, seat)
    if cell_len(tally) < room:
        rows: list[Row] = [[Span(pad(tally, room), "bold"), *_join(held)]]
    else:
        rows, places = [[Span(tally, "bold")]], [held, *places]
    return [*rows, *([Span(" "), *row] for spans in places for row in flow(spans, width - 2))]


def _join(spans: Sequence[Span]) -> Row:
    return [part for span in spans for part in (Span("  "), span)][1:]


def _deck(picture: Picture, seat: SeatPicture) -> Span:
    count = len(picture.view.zones[f"seat{seat.seat}.deck"])
    return Span(f"{picture.words.name('face', 'deck')} {count}", MUTED)


def _hand(picture: Picture, seat: SeatPicture) -> Span:
    hot = labels_of(picture, f"seat{seat.seat}")
    return Span(picture.words("term.hand", number=len(seat.hand)), "", hot)


def _top(picture: Picture, seat: SeatPicture) -> list[Span]:
    """The top card of the pile that nobody may count."""
    cards = picture.view.zones[f"seat{seat.seat}.discard"][-1:]
    face = cards[0].face if cards else None
    name = picture.words.name("face", face) if face else picture.words("term.empty")
    color = color_of(picture.look.face(face)) if face else MUTED
    return [Span(f"{picture.words.name('face', 'discard')}: {name}", color)]


def _laid_out(picture: Picture, seat: SeatPicture) -> list[Span]:
    return [span for place in _places(picture, seat) for span in place]


def _places(picture: Picture, seat: SeatPicture) -> list[list[Span]]:
    """Cards in play, shown, or looked at by me, each kind once, after the name of the place."""
    piles = {pile.face: pile for pile in seat.piles if pile.cards and pile.face != "discard"}
    return [_pile(picture, piles[zone]) for zone in picture.look.pack if zone in piles]


def _pile(picture: Picture, pile: PilePicture) -> list[Span]:
    hot = labels_of(picture, pile.zone)
    names = Counter(card.face or "?" for card in pile.cards)
    spans = [Span(f"{picture.words.name('face', pile.face)}:", MUTED, hot)]
    for face, count in names.items():
        name = picture.words.name("face", face)
        text = f"{name}×{count}" if count > 1 else name
        spans.append(Span(text, color_of(picture.look.face(face)), hot))
    return spans
