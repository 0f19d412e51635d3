"""The table of Renaissance in lines of text: stones, rows and spaces in words, spaces together."""

from __future__ import annotations

from collections import Counter
from typing import Final

from core.games.renaissance.printed import STONES, SYMBOLS
from core.view import Offer
from ui.games.renaissance.position import (
    CULTURE_SPACE,
    PERSON_SPACE,
    Location,
    is_genius,
    locations,
    owner_of,
    symbol_count,
)
from ui.model.view_model import SeatModel, ViewModel
from ui.plain.table_lines import GameLines, hand_line, marks_text

_SPOTS: Final = ("place", "genius", "lift")  # Verbs that name a space.
_KINDS: Final = {CULTURE_SPACE: "culture", PERSON_SPACE: "person"}


def lines(model: ViewModel) -> list[str]:
    """A line for each seat and each event, the display and the talon, then my hand."""
    seats = [*model.others, *([model.mine] if model.mine else [])]
    words, zones = model.words, model.view.zones
    names = Counter(words.name("face", card.face) for card in zones["display"] if card.face)
    shown = words.parted(f"{name} ×{number}" if number > 1 else name
                         for name, number in names.items())  # fmt: skip
    return [
        *(_seat(model, seat) for seat in seats),
        *(_event(model, place) for place in locations(model.view)),
        words("told.display", cards=shown or words("term.empty"), number=len(zones["talon"])),
        *([hand_line(model)] if model.hand else []),
    ]


def _seat(model: ViewModel, seat: SeatModel) -> str:
    """Stones, the genius marker, what is counted of each symbol, and the cards that lie hidden."""
    words, view = model.words, model.view
    number = sum(view.counters[f"seat{seat.seat}.stones.{color}"] for color in STONES)
    stones = words.count("end.renaissance.points", number)
    parts = [stones, *([words("told.marker")] if view.counters[f"seat{seat.seat}.genius"] else [])]
    for at, symbol in enumerate(SYMBOLS):
        count = symbol_count(view, seat.seat, at)
        parts += [f"{words.name('face', symbol)} {count}"] if count else []
    persons = len(view.zones[f"seat{seat.seat}.persons"])
    parts += [words("told.hidden", number=persons)] if persons else []
    return words("told.seat", name=seat.name, marks=marks_text(model, seat),
                 what=words.listed(parts), number=len(seat.hand))  # fmt: skip


def _event(model: ViewModel, place: Location) -> str:
    """What lies there, who may place, every space with what stands on it, and the paths."""
    words = model.words
    if place.event is None:
        return words("told.closed", letter=place.letter)
    spaces = [words(f"told.{key}", what=words.listed(_spaces(model, place, color)))
              for color, key in _KINDS.items() if place.spaces_of(color)]  # fmt: skip
    pairs = [f"{one + 1}-{other + 1}" for one, other in place.event.plan.paths]
    symbols = words.listed(words.name("face", symbol) for symbol in place.event.symbols)
    return words(
        "told.event", letter=place.letter, name=words.name("face", place.face),
        who=_who_may(model, place), symbols=symbols, number=place.stake,
        spaces=words.parted(spaces), paths=" ".join(pairs),
    )  # fmt: skip


def _who_may(model: ViewModel, place: Location) -> str:
    if place.between is None:
        return model.words("renaissance.everyone")
    one, other = (model.seats[seat].name for seat in place.between)
    return model.words("renaissance.between", one=one, other=other)


def _spaces(model: ViewModel, place: Location, color: str) -> list[str]:
    """The spaces of a color by their numbers: free, or whose piece stands there."""
    words, told = model.words, list[str]()
    for space in place.spaces_of(color):
        piece, what = place.pieces[space], words("told.free")
        if piece:
            name = model.seats[owner_of(piece)].name
            what = words("told.genius", name=name) if is_genius(piece) else name
        told.append(f"{space + 1} {what}")
    return told


def group(model: ViewModel, offer: Offer) -> str:
    """The spaces on which the same may be done stand in one line."""
    verb = offer.action.verb
    return model.words(f"told.on.{verb}") if verb in _SPOTS else ""


def brief(model: ViewModel, offer: Offer) -> str:
    """A space as it is typed: `b1`."""
    return offer.text.partition(" ")[2].replace(".", "")


LINES: Final = GameLines(lines, lines, brief, group)
