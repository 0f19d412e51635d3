"""What can be read off a view of Renaissance: locations, rows, who may place, what that would do.

The rules decide; this only says beforehand what they will do with what everybody can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from core.games.renaissance.cards import (
    CENTERS,
    FACES,
    FIRST_EVENT,
    FIRST_PERSON,
    LETTERS,
    SPACES_MAX,
    SYMBOL_BITS,
    VALUE,
)
from core.games.renaissance.printed import EVENTS, STONES, SYMBOLS, EventCard
from core.requests import Player
from core.view import CardView, View

NUMBERS: Final = {key: number for number, key in enumerate(FACES)}
ROW_NUMBERS: Final = 5
CULTURE_SPACE: Final = "B"
PERSON_SPACE: Final = "R"


class Location(NamedTuple):
    """A place for events: what lies there, and what stands on it."""

    at: int
    letter: str
    face: str  # Empty: closed.
    event: EventCard | None
    stake: int
    pieces: tuple[int, ...]  # By space: 0, 1 + seat a stone, 5 + seat a genius marker.
    between: tuple[Player, Player] | None  # None: in the center.

    @property
    def spot(self) -> int:
        """The number of its first space among all spaces, as the rules count them."""
        return SPACES_MAX * self.at

    @property
    def owners(self) -> list[Player]:
        """Whose pieces stand here."""
        return sorted({owner_of(piece) for piece in self.pieces if piece})

    def spaces_of(self, color: str) -> list[int]:
        """The spaces of a color."""
        spaces = self.event.plan.spaces if self.event else ""
        return [space for space, letter in enumerate(spaces) if letter == color]

    def free_of(self, color: str) -> int:
        """How many spaces of a color are free."""
        return sum(not self.pieces[space] for space in self.spaces_of(color))

    def is_culture(self, space: int) -> bool:
        """Whether that is a blue space; a red one is for characters."""
        return self.event is not None and self.event.plan.spaces[space] == CULTURE_SPACE

    def filled_by(self, space: int) -> str:
        """The color of which a piece on this space takes the last one; empty when it does not."""
        color = self.event.plan.spaces[space] if self.event else ""
        return color if color and self.free_of(color) == 1 and not self.pieces[space] else ""


class Outcome(NamedTuple):
    """A comparison before it is made: mine, and that of who is on the event as well."""

    mine: int
    theirs: int
    other: Player | None  # None: I am alone.
    symbol: str = ""  # What I would name.
    their_symbol: str = ""


def owner_of(piece: int) -> Player:
    """Whose piece it is."""
    return (piece - 1) % 4


def is_genius(piece: int) -> bool:
    """Whether it is a genius marker."""
    return piece > len(STONES)


def locations(view: View) -> list[Location]:
    """Every place for events, those in the center first."""
    count = sum(zone.startswith("event.") for zone in view.zones)
    return [location(view, at) for at in range(count)]


def location(view: View, at: int) -> Location:
    """One of them."""
    letter, centers = LETTERS[at], CENTERS[view.players]
    cards = [card.face for card in view.zones[f"event.{letter}"] if card.face]
    events = [EVENTS[NUMBERS[face] - FIRST_EVENT] for face in cards]
    pieces = [view.counters.get(f"event.{letter}.{space + 1}", 0) for space in range(SPACES_MAX)]
    event = events[-1] if events else None
    right = at - centers
    return Location(
        at, letter, cards[-1] if cards else "", event, sum(each.dice for each in events),
        tuple(pieces[: len(event.plan.spaces)]) if event else (),
        None if at < centers else (right, (right + 1) % view.players),
    )  # fmt: skip


def closed_to(view: View, place: Location, seat: Player) -> str:
    """Why a seat cannot place here at all; empty when it can."""
    if not place.event:
        return "closed"
    if place.between and seat not in place.between:
        return "not_beside"
    owners = place.owners
    if len(owners) > 1 and seat not in owners:
        return "two_there"
    if view.options.get("team") and not place.between and seat ^ 1 in owners:
        return "partner_there"
    return "" if 0 in place.pieces else "full"


# ---- rows ----


def row_of(view: View, seat: Player, symbol: int) -> int:
    """The number of the row that counts for a symbol; 0: there is none."""
    for row in range(1, ROW_NUMBERS + 1):
        if view.counters[f"seat{seat}.row{row}.symbols"] >> symbol & 1:
            return row
    return 0


def symbol_count(view: View, seat: Player, symbol: int) -> int:
    """How many of a symbol a seat has; a turned double is two."""
    row = row_of(view, seat, symbol)
    if not row:
        return 0
    turned = view.counters[f"seat{seat}.row{row}.turned"].bit_count()
    return len(view.zones[f"seat{seat}.row{row}"]) + turned


def is_most(view: View, seat: Player, symbol: int) -> bool:
    """Whether nobody has more of a symbol."""
    counts = [symbol_count(view, each, symbol) for each in range(view.players)]
    return counts[seat] == max(counts)


def can_turn(view: View, seat: Player, symbol: int) -> bool:
    """Whether a double lies on top that counts one as yet."""
    row = row_of(view, seat, symbol)
    cards = view.zones[f"seat{seat}.row{row}"] if row else ()
    if not cards or not (cards[-1].face or "").endswith(".double"):
        return False
    return not view.counters[f"seat{seat}.row{row}.turned"] >> len(cards) - 1 & 1


def genius_signs(view: View, seat: Player, color: str) -> int:
    """The visible signs of genius of a color."""
    tops = [view.zones[f"seat{seat}.row{row}"][-1:] for row in range(1, ROW_NUMBERS + 1)]
    return sum((card.face or "").endswith(f".{color}") for top in tops for card in top)


def displayed(view: View, color: str) -> int:
    """10.2: how many cards of the display the bonus of a colour may take."""
    faces = [NUMBERS[card.face] for card in view.zones["display"] if card.face]
    return sum((number >= FIRST_PERSON) == (color == "red") for number in faces)


# ---- persons ----


def person_total(cards: Sequence[CardView]) -> int:
    """The values, and one more for each that is not alone."""
    values = [VALUE[NUMBERS[card.face]] for card in cards if card.face]
    return sum(values) + sum(1 for value in values if values.count(value) > 1)


def usable_persons(view: View, seat: Player, event: EventCard) -> list[CardView]:
    """What I could call in a duel: of the hand those with a symbol of it, of the pile all."""
    wanted = sum(1 << SYMBOLS.index(symbol) for symbol in event.symbols)
    seen = [(card, NUMBERS[card.face]) for card in view.zones[f"seat{seat}.hand"] if card.face]
    hand = [
        card for card, number in seen if number >= FIRST_PERSON and SYMBOL_BITS[number] & wanted
    ]
    return [*hand, *view.zones[f"seat{seat}.persons"]]


# ---- what a piece on a space would do ----


def best_symbol(view: View, place: Location, seat: Player) -> int:
    """The symbol of the event of which a seat has most: nothing else would be wise to name."""
    assert place.event is not None, "a closed location is not scored"
    symbols = [SYMBOLS.index(symbol) for symbol in place.event.symbols]
    return max(symbols, key=lambda symbol: symbol_count(view, seat, symbol))


def ranked_in_culture(
    view: View, place: Location, seats: Iterable[Player]
) -> list[tuple[Player, int, int]]:
    """Seats with the symbol that each would name and its count, whoever has most first."""
    bests = [(seat, best_symbol(view, place, seat)) for seat in seats]
    ranked = [(seat, symbol, symbol_count(view, seat, symbol)) for seat, symbol in bests]
    return sorted(ranked, key=lambda each: -each[2])


def culture_outcome(view: View, place: Location, seat: Player) -> Outcome:
    """Each names what there is most of in the own rows."""
    others = [owner for owner in place.owners if owner != seat]
    mine = best_symbol(view, place, seat)
    count = symbol_count(view, seat, mine)
    if not others:
        return Outcome(count, 0, None, SYMBOLS[mine])
    theirs = best_symbol(view, place, others[0])
    their_count = symbol_count(view, others[0], theirs)
    return Outcome(count, their_count, others[0], SYMBOLS[mine], SYMBOLS[theirs])


def duel_outcome(view: View, place: Location, seat: Player) -> Outcome:
    """What I could bring at most, and how many unseen persons lie before the other."""
    assert place.event is not None, "a closed location is not scored"
    others = [owner for owner in place.owners if owner != seat]
    mine = person_total(usable_persons(view, seat, place.event))
    hidden = len(view.zones[f"seat{others[0]}.persons"]) if others else 0
    return Outcome(mine, hidden, others[0] if others else None)
