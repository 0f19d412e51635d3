"""What a seat sees and has seen, as lines of text: the strings by which search tells states apart.

A card is shown by its number, and by its face where the seat knows it: ``17:military``.  Everybody
knows the numbers, as everybody has the log of a real game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.known_table import Happening, KnownTable
from core.requests import Card, Player
from core.table import HIDDEN
from core.view import CardView, View


def observation_text(view: View, secret: Sequence[str] = ()) -> str:
    """The picture of one seat; what is empty or zero is left out."""
    options = " ".join(f"{key}={value}" for key, value in view.options.items())
    own = "none" if view.seat is None else view.seat
    lines = [f"{view.game} seats={view.players} seat={own} {options}".rstrip()]
    lines.append(f"phase: {view.phase}; to act: {_numbers(view.to_act)}")
    lines += [f"{name}: {_pile(cards)}" for name, cards in view.zones.items() if cards]
    counters = " ".join(f"{name}={count}" for name, count in view.counters.items() if count)
    lines += [f"counters: {counters}"] if counters else []
    lines += secret
    if view.is_over:
        lines.append(f"scores: {_numbers(view.scores)}; winners: {_numbers(view.winners)}")
    return "\n".join(lines)


def history_lines(happenings: Iterable[Happening], seat: Player | None) -> Iterator[str]:
    """What a seat (None: a spectator) saw of all this, one line for each thing that happened."""
    for each in happenings:
        is_mine = seat is not None and each.seat == seat
        if each.told or is_mine:
            yield _line(each, each.faces if is_mine else ())


def memories(known: KnownTable, seats: Iterable[Player]) -> list[Happening]:
    """What each seat knows of the hidden cards now, in place of how it came to know it."""
    table = known.table
    return [
        Happening({}, seat, tuple(
            f"{card}:{name}"
            for card, name in enumerate(known.names_for(seat, range(len(table.face))))
            if name is not None and table.face[card] == HIDDEN
        ))
        for seat in seats
    ]  # fmt: skip


def _line(happening: Happening, faces: Sequence[str | None]) -> str:
    match happening.told:
        case {"chosen": {"seat": seat, "action": action}}:
            return f"seat {seat}: {action['text']} {_action(action, faces)}".rstrip()
        case {"opened": {"seats": seats, "actions": actions}}:
            pairs = zip(seats, actions, strict=True)
            told = [f"seat {seat}: {each['text']} {_action(each, ())}".rstrip()
                    for seat, each in pairs]  # fmt: skip
            return "opened " + "; ".join(told)
        case {"revealed": {"cards": cards, "faces": names}}:
            return f"revealed {_cards(cards, names)}"
        case {"shown": {"seat": seat, "cards": cards}}:
            return f"shown to seat {seat}: {_cards(cards, faces)}"
        case {"shuffled": {"seat": None, "piles": piles}}:
            return "shuffled " + " / ".join(_numbers(pile) for pile in piles)
        case {"shuffled": {"seat": seat, "piles": piles}}:
            cards = [card for pile in piles for card in pile]
            counts = " + ".join(str(len(pile)) for pile in piles)
            return f"shuffled by seat {seat} ({counts}): {_cards(cards, faces)}"
        case {"rolled": {"sides": sides, "number": number}}:
            return f"rolled {number} of {sides}"
    return f"remembers {' '.join(map(str, faces))}".rstrip()


def _action(action: dict[str, object], faces: Sequence[str | None]) -> str:
    """The cards and the number of an action, which its notation need not tell."""
    cards, number = action["cards"], action["number"]
    assert isinstance(cards, list), "An action lists its cards."
    return " ".join([f"[{_cards(cards, faces)}]"] * bool(cards) + [f"#{number}"] * bool(number))


def _cards(cards: Sequence[Card], faces: Sequence[str | None]) -> str:
    known = faces or [None] * len(cards)
    pairs = zip(cards, known, strict=True)
    return " ".join(f"{card}:{face}" if face is not None else str(card) for card, face in pairs)


def _pile(cards: Iterable[CardView]) -> str:
    return " ".join(_seen(each) for each in cards)


def _seen(card: CardView) -> str:
    back = f"({card.back})" if card.back else ""
    return f"{card.card}{back}" if card.face is None else f"{card.card}:{card.face}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
