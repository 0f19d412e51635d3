"""The table drawn as rows: seats, piles, choices and hand, at three sizes.

Pure functions from a picture and a width to rows of text; no widget, no screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.view import CardView
from ui.ink import Row, Span, beside, center, flow, pad, row_width, wrap
from ui.looks import FaceLook
from ui.picks import Pick
from ui.picture import Picture, PilePicture, SeatPicture, backs_text, fairness_line, prompt

CARD_CELLS: Final = 7  # The width of a drawn card.
LINK_DOT: Final = {
    "up": ("●", "$text-success"),
    "me": ("●", "$text-success"),
    "away": ("○", "$text-error"),
    "free": ("◐", "$text-muted"),
}


def color_of(look: FaceLook) -> str:
    """The style of a face: one of the sixteen colours, as ANSI so that themes keep it."""
    return f"ansi_{look.color}" if look.color else ""


# ---- title and prompt ----


def draw_title(picture: Picture, width: int) -> Sequence[Row]:
    """The game, its variant, and what has been proven."""
    words = picture.words
    proven = fairness_line(words, picture.news.fairness)
    game = words.name("game", picture.view.game)
    left = f" {game}"
    if cell_len(left) + cell_len(proven) + 4 > width:
        proven = pad(proven, max(width - cell_len(left) - 4, 0))
    gap = max(width - cell_len(left) - cell_len(proven) - 1, 1)
    return [[Span(left, "bold"), Span(" " * gap), Span(proven, "$text-success", "fairness")]]


def draw_prompt(picture: Picture, picked: Pick | None, width: int) -> Sequence[Row]:
    """The one bar that says whose turn it is and what to do."""
    text = prompt(picture)
    if picked:
        text = picture.words("table.picked", what=picked.text)
    return [[Span(pad(f" {text}", width), "", "confirm")]]


# ---- seats ----


def draw_seats(picture: Picture, width: int, is_small: bool) -> Sequence[Row]:
    """The other seats: boxes side by side, or a line each where there is little room."""
    seats = picture.others
    if is_small:
        return [row for seat in seats for row in _seat_line(picture, seat, width)]
    widths = _shares(width, len(seats))
    boxes = [
        _seat_box(picture, seat, each) for seat, each in zip(seats, widths, strict=True)
    ]
    return beside(boxes)


def _shares(width: int, count: int) -> list[int]:
    return [width // count + (index < width % count) for index in range(count)]


def _dot(seat: SeatPicture) -> Span:
    glyph, style = LINK_DOT.get(seat.state.link, LINK_DOT["up"])
    return Span(glyph, style)


def _seat_title(picture: Picture, seat: SeatPicture) -> str:
    words = picture.words
    name = f"{seat.name} ({words('term.bot')})" if seat.state.is_bot else seat.name
    return name + (" - " + words("term.away") if seat.state.link == "away" else "")


def _seat_hot(picture: Picture, seat: SeatPicture) -> str:
    return _labels(picture, f"seat{seat.seat}")


def _labels(picture: Picture, place: str) -> str:
    """The labels of the picks that a place on the table stands for."""
    return ",".join(pick.label for pick in picture.picks if pick.place == place)


def _seat_line(picture: Picture, seat: SeatPicture, width: int) -> list[Row]:
    style = "bold reverse" if seat.is_to_act else "bold"
    name = Span(pad(_seat_title(picture, seat), 14), style, _seat_hot(picture, seat))
    row: Row = [_dot(seat), Span(" "), name, Span(" ")]
    row += _pile_counts(picture, seat)
    hand = f"  ▮{len(seat.hand)} {backs_text(seat.hand)}"
    return [[*row, Span(pad(hand, max(width - row_width(row), 0)), "$text-muted")]]


def _pile_counts(picture: Picture, seat: SeatPicture) -> Row:
    """`M2 R0 E1...` with a mark for what lies on a pile; empty piles are dim."""
    row: Row = []
    for pile in seat.piles:
        face = picture.look.face(pile.face)
        style = f"bold {color_of(face)}" if pile.count else "dim"
        mark = ("+" + str(pile.note.democracies) if pile.note.democracies else "") + (
            "!" if pile.note.embargoes else ""
        )
        coin = "*" if pile.note.has_coin else ""
        text = f"{face.letter or pile.face}{pile.count}{mark}{coin}"
        row += [Span(text, style, _labels(picture, pile.zone)), Span(" ")]
    return row


def _seat_box(picture: Picture, seat: SeatPicture, width: int) -> list[Row]:
    inner = width - 4
    border = "$accent bold" if seat.is_to_act else "$panel-lighten-2"
    turn = picture.words("term.turn") if seat.is_to_act else ""
    title = pad(f" {_seat_title(picture, seat)} ", min(inner, cell_len(_seat_title(picture, seat)) + 2))
    rest = inner - cell_len(title)
    tail = f" {turn} " if turn and cell_len(turn) + 2 <= rest - 3 else ""
    top: Row = [
        Span("╭─", border), _dot(seat),
        Span(title, "bold", _seat_hot(picture, seat)),
        Span("─" * (rest - cell_len(tail)), border), Span(tail, "bold $text-accent"),
        Span("╮", border),
    ]  # fmt: skip
    hand = picture.words("term.hand", number=len(seat.hand))
    bottom: Row = [Span("╰" + "─" * (width - 2) + "╯", border)]
    return [
        top,
        _boxed(_pile_counts(picture, seat), width, border),
        _boxed([Span(f"{hand}  ", ""), Span(backs_text(seat.hand), "$text-muted")], width, border),
        bottom,
    ]


def _boxed(row: Row, width: int, border: str) -> Row:
    row = clip(row, width - 4)
    fill = " " * (width - 4 - row_width(row))
    return [Span("│ ", border), *row, Span(f"{fill} │", border)]


def clip(row: Row, width: int) -> Row:
    """The row cut to a width."""
    kept: Row = []
    for span in row:
        room = width - row_width(kept)
        if cell_len(span.text) > room:
            kept.append(span._replace(text=pad(span.text, room)))
            break
        kept.append(span)
    return kept


# ---- the middle ----


def draw_middle(picture: Picture, width: int) -> Sequence[Row]:
    """Deck, discard pile and whatever else belongs to nobody."""
    words, view = picture.words, picture.view
    spans: list[Span] = []
    for zone, cards in view.zones.items():
        if zone.startswith("seat") or (not cards and zone not in ("deck", "discard")):
            continue
        title = words.name("term", zone)
        if all(card.face is None for card in cards) and zone != "discard":
            text = f"{title} {len(cards)}  ▮ {backs_text(cards)}" if cards else f"{title} 0"
            spans.append(Span(text, "$text-muted", _labels(picture, zone)))
            continue
        spans.append(Span(f"{title} {len(cards)}  {_faces_text(picture, cards)}", "",
                          _labels(picture, zone) or "pile"))  # fmt: skip
    return [[Span(" "), *row] for row in flow(spans, width - 2, gap=4)]


def _faces_text(picture: Picture, cards: Sequence[CardView]) -> str:
    counts = Counter(card.face for card in cards)
    order = sorted(counts, key=picture.look.order)
    return " ".join(f"{picture.look.face(face).letter}{counts[face]}" for face in order)


# ---- my area ----


def draw_area(picture: Picture, width: int, is_small: bool) -> Sequence[Row]:
    """My piles: a box each with its count and target, or one line where there is little room."""
    mine = picture.mine
    if mine is None:
        return [[Span(" " + picture.words("table.look_on"), "$text-muted")]]
    if is_small:
        return [clip([Span(" "), *_pile_targets(picture, mine)], width)]
    piles = mine.piles
    if not piles:
        return []
    blocks = [
        _pile_box(picture, pile, each)
        for pile, each in zip(piles, _shares(width, len(piles)), strict=True)
    ]
    return beside(blocks)


def _pile_targets(picture: Picture, seat: SeatPicture) -> Row:
    row: Row = []
    for pile in seat.piles:
        face = picture.look.face(pile.face)
        style = f"bold {color_of(face)}" if pile.count else "dim"
        mark = "!" if pile.note.embargoes else "*" if pile.note.has_coin else " "
        name = pad(picture.words.name("face", pile.face), 4).rstrip()
        text = f"{name}{pile.count}"
        text += f"/{pile.note.target}" if pile.note.target else ""
        row.append(Span(text + mark, style, _labels(picture, pile.zone)))
    return row


def _pile_box(picture: Picture, pile: PilePicture, width: int) -> list[Row]:
    words = picture.words
    face = picture.look.face(pile.face)
    hot = _labels(picture, pile.zone)
    border = f"bold {color_of(face)}" if pile.count else "dim"
    if hot and picture.is_my_turn:
        border += " reverse" if not pile.count else ""
    name = pad(words.name("face", pile.face), width - 4)
    name = name.rstrip()
    line = "─" * (width - 4 - cell_len(name))
    bars = "▮" * min(pile.count, width - 4)
    note = f"{pile.count}/{pile.note.target}" if pile.note.target else str(pile.count)
    marks = _marks(picture, pile)
    keys = hot.replace(",", " ")
    first = pad(f" {note} {marks}", width - 2 - cell_len(keys)) + keys
    return [
        [Span("╭─", border, hot), Span(name, border, hot), Span(line + "─╮", border, hot)],
        [Span("│", border), Span(first, border, hot), Span("│", border)],
        [Span("│", border), Span(pad(" " + bars, width - 2), border, hot), Span("│", border)],
        [Span("╰" + "─" * (width - 2) + "╯", border)],
    ]


def _marks(picture: Picture, pile: PilePicture) -> str:
    note = pile.note
    level = "·" + "I" * note.level if note.level else ""
    return level + ("!" if note.embargoes else "") + ("*" if note.has_coin else "")


# ---- choices ----


def draw_choices(picture: Picture, picked: str, width: int) -> Sequence[Row]:
    """Every offer that is not a card of my hand, with its letter."""
    spans = []
    for pick in picture.picks:
        if pick.label.isdigit():
            continue
        style = "bold reverse" if pick.label == picked else ""
        spans.append(Span(f"{pick.label} {pick.text}", style, pick.label))
    rows = flow(spans, width - 2, gap=3)
    return [[Span(" "), *row] for row in rows] if spans else [[]]


def explain(picture: Picture, picked: Pick | None) -> str:
    """What the picked effect does, in a few words; empty for what explains itself."""
    if picked is None or "." not in picked.offer.text:
        return ""
    effect = picked.offer.text.split()[-1]
    return picture.words.name("explain", effect) if "." in effect else ""


# ---- my hand ----


def draw_hand(picture: Picture, picked: str, width: int, is_small: bool) -> Sequence[Row]:
    """My cards with their numbers; those that cannot be chosen now are dim."""
    cards = picture.hand
    if not cards:
        return [[Span(" " + picture.words("term.hand", number=0), "dim")]]
    if is_small or len(cards) * CARD_CELLS > width:
        spans = [_small_card(picture, number, picked) for number in range(1, len(cards) + 1)]
        return [[Span(" "), *row] for row in flow(spans, width - 2, gap=1)]
    room = min((width - 2) // len(cards), 12)
    blocks = [_big_card(picture, number, picked, room) for number in range(1, len(cards) + 1)]
    left = " " * ((width - room * len(cards)) // 2)
    return [[Span(left), *row] for row in beside(blocks)]


def _card_style(picture: Picture, number: int, picked: str) -> str:
    card = picture.hand[number - 1]
    color = color_of(picture.look.face(card.face))
    if str(number) == picked:
        return f"bold {color} reverse"
    return f"bold {color}" if picture.pick(str(number)) else f"dim {color}"


def _small_card(picture: Picture, number: int, picked: str) -> Span:
    card = picture.hand[number - 1]
    name = picture.words.name("face", card.face or "?")
    text = f"{number}:{name} {card.back}".rstrip()
    return Span(f"[{text}]" if str(number) == picked else f" {text} ",
                _card_style(picture, number, picked), str(number))  # fmt: skip


def _big_card(picture: Picture, number: int, picked: str, width: int) -> list[Row]:
    card = picture.hand[number - 1]
    style, hot = _card_style(picture, number, picked), str(number)
    look = picture.look.face(card.face)
    name = pad(picture.words.name("face", card.face or "?"), width - 2)
    open_mark = "○" if card.is_public else " "
    inner = width - 2
    return [
        [Span("╭" + "─" * inner + "╮", style, hot)],
        [Span("│" + pad(f" {look.letter}", inner - 2) + open_mark + " │", style, hot)],
        [Span("│" + name + "│", style, hot)],
        [Span("╰" + center(f" {card.back} ", inner).replace(" ", "─") + "╯", style, hot)],
        [Span(center(f"{number}", width), "" if picture.pick(hot) else "dim", hot)],
    ]


# ---- log ----


def draw_log(picture: Picture, width: int, height: int) -> Sequence[Row]:
    """The last sentences of the story, the newest at the bottom."""
    lines: list[str] = []
    for line in picture.lines()[-height:]:
        first, *rest = wrap(line, width - 1)
        lines += [first, *(" " + each for each in rest)]
    lines = lines[-height:] if lines else [picture.words("table.no_lines")]
    newest = len(lines) - 1
    return [
        [Span(pad(line, width), "" if index == newest else "$text-muted")]
        for index, line in enumerate(lines)
    ]
