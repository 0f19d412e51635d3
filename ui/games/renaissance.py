"""Renaissance on the screen: symbols in rows, events with their spaces and paths, stones."""

from __future__ import annotations

from typing import Final

from core.games.renaissance.cards import FACES, FIRST_EVENT, LETTERS, SPACES_MAX, SYMBOL_BITS, VALUE
from core.games.renaissance.printed import EVENTS, STONES, SYMBOLS
from core.requests import Player
from core.view import CardView, View
from ui.look import Board, FaceLook, Look, Pile, PileNote, Space, Stock

_SYMBOLS: Final = (
    FaceLook("science", "S", "bright_green"),
    FaceLook("architecture", "A", "bright_yellow"),
    FaceLook("finance", "F", "bright_cyan"),
    FaceLook("exploration", "X", "bright_blue"),
    FaceLook("religion", "R", "bright_magenta"),
)
_PILES: Final = (FaceLook("persons", "P", "bright_red"), FaceLook("duel", "D", "bright_red"))
_STONES: Final = (("Y", "bright_yellow"), ("R", "bright_red"), ("K", "bright_black"), ("W", ""))
_MARKER: Final = "*"
_NUMBERS: Final = {key: number for number, key in enumerate(FACES)}
_ROWS: Final = 5


def _card_look(key: str) -> FaceLook:
    """A card by the letters of its symbols, a character with its value."""
    number = _NUMBERS[key]
    bits = SYMBOL_BITS[number]
    shown = [look for index, look in enumerate(_SYMBOLS) if bits >> index & 1]
    letter = "".join(look.letter for look in shown)
    if number >= FIRST_EVENT:
        return FaceLook(key, letter, "")
    value = str(VALUE[number]) if VALUE[number] else "2" * key.endswith(".double")
    return FaceLook(key, (letter or "P") + value, shown[0].color if len(shown) == 1 else "")


_FACES: Final = (*_SYMBOLS, *_PILES, *(_card_look(key) for key in FACES))


def piles(view: View, seat: Player) -> tuple[Pile, ...]:
    """5.4 to 5.6: what each symbol counts, then the characters and the duel that is going on."""
    found = [_row(view, seat, symbol) for symbol in range(len(SYMBOLS))]
    persons = view.zones[f"seat{seat}.persons"]
    found.append(Pile("persons", f"seat{seat}.persons", len(persons), persons))
    duel = view.zones[f"seat{seat}.duel"]
    if duel:
        found.append(Pile("duel", f"seat{seat}.duel", _total(duel), duel))
    return tuple(found)


def _row(view: View, seat: Player, symbol: int) -> Pile:
    for row in range(1, _ROWS + 1):
        if view.counters[f"seat{seat}.row{row}.symbols"] >> symbol & 1:
            cards = view.zones[f"seat{seat}.row{row}"]
            turned = view.counters[f"seat{seat}.row{row}.turned"].bit_count()
            return Pile(SYMBOLS[symbol], f"seat{seat}.row{row}", len(cards) + turned, cards)
    return Pile(SYMBOLS[symbol], "", 0, ())


def _total(cards: tuple[CardView, ...]) -> int:
    """8.4: the values, and one more for each that is not alone."""
    values = [VALUE[_NUMBERS[card.face]] for card in cards if card.face]
    return sum(values) + sum(1 for value in values if values.count(value) > 1)


def note(view: View, seat: Player, face: str) -> PileNote:
    """A duel is fought for a stake (8.5)."""
    if face != "duel":
        return PileNote()
    at = view.counters["scored"]
    return PileNote(target=_dice(view, LETTERS[at]) if at >= 0 else 0)


def boards(view: View) -> tuple[Board, ...]:
    """The open events: symbols, dice, and every space with what stands on it."""
    zones = [zone for zone in view.zones if zone.startswith("event.")]
    return tuple(_board(view, zone.removeprefix("event.")) for zone in zones)


def _board(view: View, letter: str) -> Board:
    cards = view.zones[f"event.{letter}"]
    if not cards or cards[-1].face is None:
        return Board(letter, "", "", 0, (), "")
    event = EVENTS[_NUMBERS[cards[-1].face] - FIRST_EVENT]
    symbols = "".join(_SYMBOLS[SYMBOLS.index(symbol)].letter for symbol in event.symbols)
    spaces = tuple(
        _space(view, letter, number, color) for number, color in enumerate(event.plan.spaces, 1)
    )
    paths = " ".join(f"{one + 1}-{other + 1}" for one, other in event.plan.paths)
    return Board(letter, cards[-1].face, symbols, _dice(view, letter), spaces, paths)


def _space(view: View, letter: str, number: int, color: str) -> Space:
    name = f"{letter}.{number}"
    piece = view.counters.get(f"event.{name}", 0) if number <= SPACES_MAX else 0
    style = "bright_blue" if color == "B" else "bright_red"
    if not piece:
        return Space(name, color, style, "", "")
    mark, stone = _STONES[(piece - 1) % len(_STONES)]
    return Space(name, color, style, mark + (_MARKER if piece > len(_STONES) else ""), stone)


def _dice(view: View, letter: str) -> int:
    """8.1: the dice of all events at a location."""
    faces = [card.face for card in view.zones[f"event.{letter}"] if card.face]
    return sum(EVENTS[_NUMBERS[face] - FIRST_EVENT].dice for face in faces)


def stock(view: View, seat: Player) -> tuple[Stock, ...]:
    """The stones of a supply, the own color first, and the genius marker."""
    order = sorted(range(len(STONES)), key=lambda color: color != seat)
    found = [
        Stock(*_STONES[color], view.counters[f"seat{seat}.stones.{STONES[color]}"])
        for color in order
        if color == seat or view.counters[f"seat{seat}.stones.{STONES[color]}"]
    ]
    if view.counters[f"seat{seat}.genius"]:
        found.append(Stock(_MARKER, "", 1))
    return tuple(found)


def chapter(view: View) -> str:
    """The chapter of the rules that matters now."""
    if view.is_over:
        return "13"
    chapters = {"place": "4", "bonus": "10", "act": "5", "join": "5", "name": "7", "duel": "8"}
    return chapters.get(view.phase, "6")


LOOK: Final = Look(
    _FACES,
    note,
    why_not=lambda view, face: "why.other",
    chapter=chapter,
    ask=lambda view: f"phase.renaissance.{view.phase}",
    piles=piles,
    boards=boards,
    stock=stock,
    middle=("display", "talon", "discard"),
)
