"""A table in lines of text: for whoever listens to it, and for terminals without a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import groupby
from typing import Final, NamedTuple

from core.requests import Player
from core.view import CardView, Offer
from ui.language.text import Words
from ui.look import Ware
from ui.model.away import seat_note
from ui.model.clocks import time_sign
from ui.model.picks import HandStack
from ui.model.sentences import gaps
from ui.model.view_model import SeatModel, ViewModel, backs_text, seat_marks, tally_line
from ui.model.zones import numbers_text, zone_name, zones_of


class GameLines(NamedTuple):
    """How a game is told in lines of text where its zones say too little."""

    # All of the table, and what one has to know of it for a choice.
    table: Callable[[ViewModel], list[str]]
    question: Callable[[ViewModel], list[str]]
    # What an offer under a heading names; empty: what its sentence names.
    brief: Callable[[ViewModel, Offer], str]
    # The heading under which an offer stands in one line with others of its kind; empty: alone.
    group: Callable[[ViewModel, Offer], str]
    amounts: tuple[str, ...] = ()  # Verbs of which one offer of a heading stands for all.


def _lines_of(model: ViewModel) -> GameLines:
    if not model.look.lines:
        return _PLAIN if model.look.board else _UNDRAWN
    lines = import_module(model.look.lines).LINES
    assert isinstance(lines, GameLines), f"{model.look.lines} tells no table"
    return lines


def question_lines(model: ViewModel) -> list[str]:
    """What one has to know for a choice: the whole table, or, where that is long, what is mine."""
    if model.mine is None:
        return table_lines(model)
    return _lines_of(model).question(model)


def _zones_for_question(model: ViewModel) -> list[str]:
    if not model.look.pack or model.mine is None:
        return _zones(model)
    mine = [_seat_line(model, model.mine), *([hand_line(model)] if model.hand else [])]
    return [*filter(None, [tally_line(model)]), *mine]


def offer_line(model: ViewModel, offer: Offer) -> str:
    """What an offer does; for a pile also what it costs and how many are left."""
    words = model.words
    view = model.view
    what = next(pick.text for pick in model.picks if pick.offer.text == offer.text)
    word = offer.text.split()[-1]
    for ware in model.look.wares(view):
        if ware.face == word and not offer.action.cards:
            return words("plain.ware", what=what, cost=ware.cost, count=ware.height)
    return what


def offer_lines(model: ViewModel) -> list[str]:
    """Every offer with its number and notation; those with a heading side by side under it."""
    game, lines = _lines_of(model), list[str]()
    headings: dict[str, int] = {}
    for number, offer in enumerate(model.view.offers, 1):
        heading = game.group(model, offer)
        if not heading:
            lines.append(f"  {number}  {offer_line(model, offer)}  [{offer.text}]")
        elif heading not in headings:
            headings[heading] = len(lines)
            lines.append(f"  {heading}: {number} {short_offer(model, offer)}")
        elif offer.action.verb not in game.amounts:
            lines[headings[heading]] += f" · {number} {short_offer(model, offer)}"
    return lines


def short_offer(model: ViewModel, offer: Offer) -> str:
    """What an offer names, where its heading says what is done with it."""
    game = _lines_of(model)
    if offer.action.verb in game.amounts:
        return f"[{offer.text}]"
    brief = game.brief(model, offer)
    if brief:
        return brief
    values = gaps(model.words, model.news.seats, offer.text, model.view.game)
    parts = [values.get(key, "") for key in ("where", "what", "more")]
    return " ".join(dict.fromkeys(filter(None, parts))) or offer.text


def table_lines(model: ViewModel) -> list[str]:
    """The whole table."""
    return _lines_of(model).table(model)


def _zones(model: ViewModel) -> list[str]:
    """A line a seat, then what belongs to nobody, then my hand."""
    words, zones = model.words, model.view.zones
    lines = [_seat_line(model, seat) for seat in model.others]
    if model.mine:
        lines.append(_seat_line(model, model.mine))
    if model.look.pack:
        hand = [hand_line(model)] if model.hand else []
        return [*lines, *_supply_lines(model), *hand]
    deck, discard = zones.get("deck", ()), zones.get("discard", ())
    empty = words("term.empty")
    lines.append(
        words("plain.deck", backs=backs_text(deck) or empty,
              cards=_faces(model, discard) or empty)
    )  # fmt: skip
    if model.hand:
        lines.append(hand_line(model))
    return lines


def _every_zone(model: ViewModel) -> list[str]:
    """What belongs to nobody, then a line a seat, then my hand: each zone by its own name."""
    owned = [(seat, _zones_text(model, seat.seat)) for seat in model.others]
    if model.mine is not None:
        owned.append((model.mine, _zones_text(model, model.mine.seat)))
    lines = [f"{seat.name}{marks_text(model, seat)}: {text}" for seat, text in owned]
    hand = [hand_line(model)] if model.hand else []
    return [_zones_text(model, None), *lines, *hand]


def _zones_text(model: ViewModel, owner: Player | None) -> str:
    """The zones of a seat, or of nobody, each with its cards in their order; then the numbers."""
    words, view = model.words, model.view
    texts = [
        " ".join(filter(None, [zone_name(words, name, owner), str(len(cards)), _row(words, cards)]))
        for name, cards in zones_of(view, owner).items()
    ]
    numbers = numbers_text(words, view, owner)
    return words.parted([*texts, numbers]) or words("plain.nothing_out")


def _row(words: Words, cards: Sequence[CardView]) -> str:
    """Cards in their order, the top one last; nothing where none is seen."""
    if not any(card.face for card in cards):
        return ""
    groups = [(face, len(tuple(like))) for face, like in groupby(card.face for card in cards)]
    names = [(words.name("face", face) if face else "?", count) for face, count in groups]
    return f"({words.listed(f'{name} {n}' if n > 1 else name for name, n in names)})"


def _faces(model: ViewModel, cards: Sequence[CardView]) -> str:
    words, counts = model.words, Counter(card.face or "?" for card in cards)
    order = sorted(counts, key=model.look.order)
    return words.listed(f"{words.name('face', face)} {counts[face]}" for face in order)


def _seat_line(model: ViewModel, seat: SeatModel) -> str:
    words = model.words
    piles = []
    for pile in () if model.look.pack else seat.piles:
        marks = [words("term.embargo")] * bool(pile.note.embargoes)
        marks += [words("term.coin")] * pile.note.has_coin
        if not pile.count and not marks:
            continue
        name = words.name("face", pile.face)
        count = str(pile.count)
        if pile.note.target:
            count = words("term.of_target", count=pile.count, target=pile.note.target)
        piles.append(" ".join([name, count, *marks]))
    out = _pack_text(model, seat) if model.look.pack else words.listed(piles)
    return words(
        "plain.seat",
        name=seat.name,
        marks=marks_text(model, seat),
        piles=out or words("plain.nothing_out"),
        hand=f"{len(seat.hand)} {'' if model.look.pack else backs_text(seat.hand)}".strip(),
    )


def marks_text(model: ViewModel, seat: SeatModel) -> str:
    """How a seat is, behind its name."""
    words, news = model.words, model.news
    state = [words("term.me")] * seat.is_me + seat_marks(model, seat.seat)
    state += filter(None, [seat_note(words, news, seat.seat), time_sign(words, news, seat.seat)])
    state += [words("plain.to_act")] * seat.is_to_act
    return f" ({words.listed(state)})" if state else ""


def hand_line(model: ViewModel) -> str:
    """What I hold."""
    cards = model.words.listed(_held_text(model, held) for held in model.hand)
    return model.words("plain.hand", cards=cards)


def _held_text(model: ViewModel, held: HandStack) -> str:
    name = model.words.name("face", held.card.face or "?")
    return " ".join(
        filter(None, (name, str(held.copies) if held.copies > 1 else "", held.card.back))
    )


def _supply_lines(model: ViewModel) -> list[str]:
    """The piles by their cost, then the open pile of nobody."""
    words, view = model.words, model.view
    by_cost: dict[int, list[Ware]] = {}
    for ware in model.look.wares(view):
        by_cost.setdefault(ware.cost, []).append(ware)
    lines = []
    for cost, wares in sorted(by_cost.items()):
        piles = words.listed(f"{words.name('face', ware.face)} {ware.height}" for ware in wares)
        lines.append(words("plain.supply", cost=cost, piles=piles))
    zone = model.look.open_pile
    cards = _faces(model, view.zones.get(zone, ())) or words("term.empty")
    return [*lines, f"{words.name('term', zone)}: {cards}."]


def _pack_text(model: ViewModel, seat: SeatModel) -> str:
    """A deck by its count, the discards by their top card, what lies in play by its cards."""
    words = model.words
    piles = [f"{words.name('face', 'deck')} {len(model.view.zones[f'seat{seat.seat}.deck'])}"]
    for pile in seat.piles:
        if pile.face in model.look.pack and pile.cards:
            name, is_covered = words.name("face", pile.face), pile.face == "discard"
            name = words("plain.on_top", pile=name) if is_covered else name
            cards = pile.cards[-1:] if is_covered else pile.cards
            piles.append(f"{name}: {_names(model, cards)}")
    return words.parted(piles)


def _names(model: ViewModel, cards: Sequence[CardView]) -> str:
    """Each kind once, as in `Village, Silver 2`."""
    names = [model.words.name("face", card.face or "?") for card in cards]
    return model.words.listed(
        f"{name} {count}" if count > 1 else name for name, count in Counter(names).items()
    )


_PLAIN: Final = GameLines(
    _zones, _zones_for_question, lambda model, offer: "", lambda model, offer: ""
)
_UNDRAWN: Final = _PLAIN._replace(table=_every_zone, question=_every_zone)
