"""Renaissance on the screen: symbols in rows, events with their spaces and paths, stones.

board.py        the whole table: events.py, hand.py, facts.py beside them, large.py below
graph.py        the spaces of an event; notes.py: its last rows
why.py          what cannot be chosen, and why
position.py     what can be read off a view
lines.py        lines of text; rules.py: the rules
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from core.games.renaissance.cards import FACES, FIRST_EVENT, SYMBOL_BITS, VALUE
from core.games.renaissance.printed import SYMBOLS
from core.requests import Player
from core.table import OptionValue
from core.view import View
from ui.games.renaissance.position import (
    NUMBERS,
    displayed,
    genius_signs,
    location,
    locations,
    person_total,
    row_of,
    symbol_count,
)
from ui.language.text import Words
from ui.look import AheadPlace, FaceLook, Inked, Look, Pile, PileNote, seat_of_turn

if TYPE_CHECKING:
    from p2p.session.news import SeatState

_SYMBOLS: Final = (
    FaceLook("science", "S", "bright_blue"),
    FaceLook("architecture", "A", ""),
    FaceLook("finance", "F", "bright_yellow"),
    FaceLook("exploration", "X", "bright_green"),
    FaceLook("religion", "R", "bright_magenta"),
)
_PILES: Final = (FaceLook("persons", "P", "bright_red"), FaceLook("duel", "D", "bright_red"))


def _card_look(key: str) -> FaceLook:
    """A card by the letters of its symbols, a character with its value."""
    number = NUMBERS[key]
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
    found = []
    for symbol, name in enumerate(SYMBOLS):
        row = row_of(view, seat, symbol)
        zone = f"seat{seat}.row{row}" if row else ""
        count, cards = symbol_count(view, seat, symbol), view.zones[zone] if row else ()
        found.append(Pile(name, zone, count, cards))
    persons = view.zones[f"seat{seat}.persons"]
    found.append(Pile("persons", f"seat{seat}.persons", len(persons), persons))
    duel = view.zones[f"seat{seat}.duel"]
    if duel:
        found.append(Pile("duel", f"seat{seat}.duel", person_total(duel), duel))
    return tuple(found)


def note(view: View, seat: Player, face: str) -> PileNote:
    """A duel is fought for a stake (8.5)."""
    at = view.counters["scored"]
    return PileNote(target=location(view, at).stake if face == "duel" and at >= 0 else 0)


def labels(view: View) -> dict[str, str]:
    """A space is picked by its event and number; with g before it where both pieces may go.

    Stones come first: there are seven of them, and one genius marker.
    """
    spots = [(offer.text, *offer.text.partition(" ")[::2]) for offer in view.offers]
    spots.sort(key=lambda spot: spot[1] == "genius")
    has_place = any(verb == "place" for _, verb, _ in spots)
    return {
        text: ("g" if verb == "genius" and has_place else "") + spot.replace(".", "")
        for text, verb, spot in spots
        if verb in ("place", "genius", "lift")
    }


def ahead(view: View) -> dict[str, AheadPlace]:
    """Every space of every event that lies there: for a stone, or with g for the genius marker."""
    spots = [(f"{place.letter}.{space + 1}", place.face)
             for place in locations(view) for space in range(len(place.pieces))]  # fmt: skip
    has_marker = view.seat is not None and view.counters[f"seat{view.seat}.genius"]
    pieces = {"": "place", **({"g": "genius"} if has_marker else {})}
    return {
        f"{before}{spot.replace('.', '')}":
            AheadPlace(f"{verb} {spot}", spot.replace(".", ""), face)
        for before, verb in pieces.items() for spot, face in spots
    }  # fmt: skip


def ways(view: View) -> str:
    """How a space is typed, and how the genius marker is chosen where a stone may go as well."""
    verbs = {offer.action.verb for offer in view.offers}
    if not verbs & {"place", "genius"}:
        return ""
    return "renaissance.ways" if {"place", "genius"} <= verbs else "renaissance.ways_one"


def ask(view: View) -> str:
    """What is asked in this phase; a marker that lies somewhere already cannot be placed.

    Who has no piece left moves one.
    """
    key, verbs = f"phase.renaissance.{view.phase}", {offer.action.verb for offer in view.offers}
    if verbs == {"place"}:
        return "phase.renaissance.stone"
    if view.phase == "place" and "lift" in verbs and not verbs & {"place", "genius", "swap"}:
        return "phase.renaissance.lift"
    if view.phase == "bonus":
        return f"{key}_{'person' if view.counters['bonus.color'] else 'culture'}"
    return f"{key}s" if view.phase == "act" and view.counters["actions"] > 1 else key


def left(view: View) -> int:
    """How many cards the bonus still allows."""
    return view.counters["bonus"] if view.phase == "bonus" else 0


def chapter(view: View) -> str:
    """The chapter of the rules that matters now."""
    if view.is_over:
        return "13"
    chapters = {"place": "4", "bonus": "10", "act": "5", "join": "5", "name": "7", "duel": "8"}
    return chapters.get(view.phase, "6")


def offered(words: Words, view: View, seats: Sequence[SeatState]) -> dict[str, str]:
    """What the genius marker brings on a space (10.2), and which character lies on my pile."""
    if view.seat is None:
        return {}
    found, places = dict[str, str](), {place.letter: place for place in locations(view)}
    for verb, _, spot in (offer.text.partition(" ") for offer in view.offers):
        if verb == "genius":
            letter, _, space = spot.partition(".")
            color = "blue" if places[letter].is_culture(int(space) - 1) else "red"
            number = min(genius_signs(view, view.seat, color), displayed(view, color))
            what = spot.replace(".", "")
            found[f"genius {spot}"] = words("renaissance.genius", what=what, number=number)
    top = view.zones[f"seat{view.seat}.persons"][-1:]
    if top and top[0].face:
        what = words.name("face", top[0].face)
        found["uncover"] = words("renaissance.uncover", what=what)
    return found


def texts(options: Mapping[str, OptionValue], face: str) -> tuple[str, ...]:
    """What a card does, by its kind: rules 5, 7, 8.3 and 10.2."""
    kind, *parts = face.split(".")
    if kind == "person":
        return ("says.person", "says.person_plain" if parts[0].isdigit() else "says.person_symbol")
    if kind != "culture":
        return ()
    symbols, last = [part for part in parts if part in SYMBOLS], parts[-1]
    found = ["says.joker" if len(symbols) > 1 else "says.culture"]
    found += [f"says.{last}"] if last not in SYMBOLS else []
    return tuple(found)


def say(words: Words, seats: Sequence[SeatState], notation: str) -> Mapping[str, str]:
    """A space is called as it is typed: `b1`."""
    from ui.model.sentences import things  # That module asks for looks as well.

    verb, *rest = notation.split()
    if verb in ("place", "genius", "lift"):
        return {"what": " ".join(word.replace(".", "") for word in rest)}
    return {"what": things(words, seats, rest)}


def typed(view: View, line: str) -> tuple[str, ...]:
    """A space as on the screen: `b1` for a stone, `gb1` for the genius marker."""
    return tuple(text for text, label in labels(view).items() if label == line)


def rules(words: Words) -> str:
    """The rules in the person's language."""
    from ui.games.renaissance.rules import rules as told  # Read by few: not with the first screen.

    return told(words)


EMBLEM: Final = (
    (Inked("( Y )", "$c-blue"), Inked("────", "$muted"), Inked("[ 2 ]", "$c-red")),
    (Inked("  │        │  ", "$muted"),),
    (Inked("[ R ]", "$c-red"), Inked("────", "$muted"), Inked("( 3 )", "$c-blue")),
)


LOOK: Final = Look(
    _FACES,
    note,
    chapter=chapter,
    ask=ask,
    left=left,
    whose_turn=seat_of_turn,
    ending=lambda words, view, names: words("end.locations"),
    piles=piles,
    labels=labels,
    ahead=ahead,
    ways=ways,
    deeds=("place", "genius", "wins", "paid"),
    routine=("pass", "passes", "display", "uncovered"),
    board=f"{__name__}.board",
    emblem=EMBLEM,
    lines=f"{__name__}.lines",
    typed=typed,
    rules=rules,
    texts=texts,
    told_by={"rolled": ("series",)},
    added_up=("returned",),
    looked_at=("draw",),
    offered=offered,
    say=say,
    readable=tuple(key for key in FACES if key.partition(".")[0] in ("culture", "person")),
)
