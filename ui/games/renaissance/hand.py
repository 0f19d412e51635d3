"""My hand in Renaissance: equal cards together, and what laying each down would do."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from rich.cells import cell_len

from core.games.renaissance.cards import FIRST_PERSON, SYMBOL_BITS
from core.games.renaissance.printed import SYMBOLS
from core.requests import Player
from ui.draw.cards import card_cells, draw_cards
from ui.draw.choices import labels_in
from ui.draw.marks import GOOD, LIT, MUTED, color_of
from ui.draw.panels import TITLE_AIR, CardPicture, Light
from ui.draw.scene import Scene
from ui.draw.zones import hand_card
from ui.games.renaissance.facts import kind_row
from ui.games.renaissance.position import (
    NUMBERS,
    can_turn,
    location,
    person_total,
    row_of,
    symbol_count,
    usable_persons,
)
from ui.model.picks import HandStack
from ui.terminal.spans import Row, Span, pad

_GROWS: Final = " 0 → 1"
_KEY_CELLS: Final = 2  # A key in the title of a card, where it is dear.


def draw_hand(scene: Scene, width: int, height: int) -> list[Row]:
    """As cards; as lines where a name would be cut; those that have no room are counted."""
    cards = _cards(scene, width)
    cells = card_cells(len(cards), width)
    needed = max((cell_len(it.name) for it in cards), default=0) + TITLE_AIR + _KEY_CELLS
    if cells < needed and 3 < len(cards) <= height:
        names = needed - TITLE_AIR - _KEY_CELLS
        padded = [it._replace(name=pad(it.name, names)) for it in cards]
        return [row for it in padded for row in draw_cards([it], width, 1)]
    return draw_cards(_with_room(cards, width, height), width, height)


def _with_room(cards: list[CardPicture], width: int, height: int) -> list[CardPicture]:
    """All of them, or as many as fit around the chosen one, and how many there are beside them."""
    is_late = any(it.light is Light.CHOSEN for it in cards[len(cards) // 2 :])
    shown = cards
    for count in range(len(cards), 0, -1):
        drawn = labels_in(draw_cards(shown, width, height))
        if all(set(it.hot.split(",")) <= drawn for it in shown if it.hot):
            break
        left = len(cards) - count + 1
        sign = CardPicture("", f"{'▲' if is_late else '▼'} {left}", "", [], hot="")
        shown = [sign, *cards[left:]] if is_late else [*cards[: count - 1], sign]
    return shown


def _cards(scene: Scene, width: int) -> list[CardPicture]:
    """Equal ones are one card with a count, that any of their numbers picks."""
    numbered = list(enumerate(scene.model.hand, 1))
    groups = [list(like) for _, like in groupby(numbered, key=_kind)]
    room = card_cells(len(groups), width) - 4
    return [
        _card(scene, [str(number) for number, _ in group], group[0][1], room) for group in groups
    ]


def _kind(numbered: tuple[int, HandStack]) -> tuple[str, int]:
    """What equal cards share; one that is not seen yet is like no other."""
    number, held = numbered
    return (held.card.face, 0) if held.card.face else ("", number)


def _card(scene: Scene, labels: list[str], held: HandStack, room: int) -> CardPicture:
    face = held.card.face
    if face is None:
        return hand_card(scene, int(labels[0]), held)
    words, bits = scene.words, SYMBOL_BITS[NUMBERS[face]]
    symbols = [name for symbol, name in enumerate(SYMBOLS) if bits >> symbol & 1]
    kind = "face" if len(symbols) == 1 else "renaissance"
    name = "/".join(words.name(kind, symbol) for symbol in symbols) or words.name("face", face)
    name += f" ×{len(labels)}" if len(labels) > 1 else ""
    label = next((label for label in labels if label in scene.picked), labels[0])
    light = scene.light_of(label)
    color = color_of(scene.model.look.face(symbols[0])) if len(symbols) == 1 else ""
    kinds = kind_row(scene, face)
    rows = [kinds or [Span(words("renaissance.culture_card"))], *_consequence(scene, face, room)]
    key = label if light in (Light.LEGAL, Light.CHOSEN) else ""
    later = words("renaissance.later") if scene.view.phase in ("place", "bonus") else ""
    return CardPicture(key, name, color, rows, later, light, ",".join(labels), kinds)


def _consequence(scene: Scene, face: str, room: int) -> list[Row]:
    """What laying it down would do to my rows, or to my pile, in `room` cells a line."""
    words, seat = scene.words, scene.view.seat
    if seat is None:
        return []
    if NUMBERS[face] >= FIRST_PERSON and scene.view.phase == "duel":
        return _duel_grows(scene, seat, face)
    if NUMBERS[face] >= FIRST_PERSON:
        count = len(scene.view.zones[f"seat{seat}.persons"])
        return [[Span(words("renaissance.to_pile", number=count, more=count + 1), MUTED)]]
    symbols = [at for at in range(len(SYMBOLS)) if SYMBOL_BITS[NUMBERS[face]] >> at & 1]
    if len(symbols) == 1:
        grows = _row_grows(scene, seat, symbols[0], scene.words("renaissance.row"))
        return [grows, *_rows_lost(scene, seat, symbols[0], room)]
    return [_row_grows(scene, seat, at, _symbol(scene, at, room)) for at in symbols]


def _duel_grows(scene: Scene, seat: Player, face: str) -> list[Row]:
    """8.3, 8.4: what calling it would do to my total; nothing where it cannot be called."""
    view, event = scene.view, location(scene.view, scene.view.counters["scored"]).event
    callable_cards = usable_persons(view, seat, event) if event else []
    found = next((card for card in callable_cards if card.face == face), None)
    if found is None:
        return []
    duel = view.zones[f"seat{seat}.duel"]
    before, after = person_total(duel), person_total([*duel, found])
    return [[Span(scene.words("renaissance.to_duel", number=before, more=after), LIT)]]


def _rows_lost(scene: Scene, seat: Player, symbol: int, room: int) -> list[Row]:
    """5.6: what a row counts for besides, as long as nothing of one symbol lies on it."""
    row = row_of(scene.view, seat, symbol)
    bits = scene.view.counters[f"seat{seat}.row{row}.symbols"] if row else 0
    lost = [at for at in range(len(SYMBOLS)) if bits >> at & 1 and at != symbol]
    return [[Span(f"{_symbol(scene, at, room)} {symbol_count(scene.view, seat, at)} → 0", MUTED)]
            for at in lost]  # fmt: skip


def _symbol(scene: Scene, symbol: int, room: int) -> str:
    """The name of a symbol; its first letters where what follows would have no room."""
    name = scene.words.name("face", SYMBOLS[symbol])
    if 0 < room < cell_len(name) + len(_GROWS):
        return scene.words.name("renaissance", SYMBOLS[symbol])
    return name


def _row_grows(scene: Scene, seat: Player, symbol: int, name: str) -> Row:
    words, count = scene.words, symbol_count(scene.view, seat, symbol)
    others = [each for each in range(scene.view.players) if each != seat]
    most = max(symbol_count(scene.view, each, symbol) for each in others)
    row: Row = [Span(f"{name} {count} → {count + 1}", LIT)]
    if count + 1 > most >= count:
        row.append(Span(f"  {words('renaissance.most')}", GOOD))
    if can_turn(scene.view, seat, symbol):
        row.append(Span(f"  {words('renaissance.covers')}", MUTED))
    return row
