"""The view model of a table: its view with names, labels and looks, before anything is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from core.requests import Player
from core.view import CardView, View
from p2p.session.news import SeatState, TableChanged
from ui.games import look_of
from ui.language.text import Words
from ui.look import Look, Pile, PileNote
from ui.model.notes import NOTED
from ui.model.picks import HandStack, OfferPick, hand_of, make_picks
from ui.model.sentences import bot_marks, seat_name

HIDDEN_ZONES: Final = ("hand", "playing", "embargo", "democracy", "kept")  # Told in other words.
NO_NOTES: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PileModel:
    """One open pile of a seat: a face, how many, and what lies on it."""

    face: str
    zone: str
    count: int
    note: PileNote
    cards: tuple[CardView, ...]


@dataclass(frozen=True, slots=True)
class SeatModel:
    """One seat: who, how they are, what they hold and what they have out."""

    seat: Player
    name: str
    state: SeatState
    is_me: bool
    is_to_act: bool
    hand: tuple[CardView, ...]
    piles: tuple[PileModel, ...]
    score: int | None
    has_won: bool


@dataclass(frozen=True, slots=True)
class ViewModel:
    """Everything on the table, as one seat observes it."""

    words: Words
    look: Look
    news: TableChanged
    seats: tuple[SeatModel, ...]
    hand: tuple[HandStack, ...]
    picks: tuple[OfferPick, ...]
    notes: Mapping[str, str]  # My own, by face.

    @property
    def view(self) -> View:
        """The view this was made from."""
        return self.news.view

    @property
    def mine(self) -> SeatModel | None:
        """My own seat; None for somebody who watches."""
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def others(self) -> tuple[SeatModel, ...]:
        """The other seats, beginning with the one after mine."""
        mine = self.mine
        if mine is None:
            return self.seats
        return self.seats[mine.seat + 1 :] + self.seats[: mine.seat]

    @property
    def is_my_turn(self) -> bool:
        """Whether the table waits for me."""
        return bool(self.view.offers) and not self.view.is_over

    def pick(self, label: str) -> OfferPick | None:
        """The offer under a label."""
        return next((pick for pick in self.picks if pick.label == label), None)


def view_model(words: Words, news: TableChanged, notes: Mapping[str, str] = NO_NOTES) -> ViewModel:
    """What is shown of what a node told; names of cards on which I have a note are marked."""
    look, words = look_of(news.view.game), words.of(news.view.game)
    if notes:
        words = words.marked(_named_by(words, news.view.game, notes), NOTED)
    seats = tuple(_seat(words, news, look, seat) for seat in range(news.view.players))
    picks = make_picks(words, news.view, news.seats, look)
    return ViewModel(words, look, news, seats, hand_of(news.view, look), picks, notes)


def _named_by(words: Words, game: str, faces: Iterable[str]) -> list[str]:
    """The sentences that name these faces, of which some stand among the words of their game."""
    own = {face: f"{game}.{face}" for face in faces}
    return [key if words.has(key) else f"face.{face}" for face, key in own.items()]


def _seat(words: Words, news: TableChanged, look: Look, seat: Player) -> SeatModel:
    view = news.view
    state = news.seats[seat] if seat < len(news.seats) else SeatState("", "", "free")
    prefix = f"seat{seat}."
    piles = [
        PileModel(face, zone, count, look.note(view, seat, face), cards)
        for face, zone, count, cards in (look.piles or _zones_of)(view, seat)
    ]
    return SeatModel(
        seat=seat,
        name=seat_name(words, news.seats, seat),
        state=state,
        is_me=seat == view.seat,
        is_to_act=seat in view.to_act and seat not in news.chosen and not view.is_over,
        hand=view.zones.get(f"{prefix}hand", ()),
        piles=tuple(sorted(piles, key=lambda pile: look.order(pile.face))),
        score=view.scores[seat] if view.is_over and view.scores else None,
        has_won=view.is_over and seat in view.winners and look.has_winner(view),
    )


def seat_marks(model: ViewModel, seat: Player) -> list[str]:
    """What stands behind the name of a seat: that it is my partner, that it is a bot."""
    partner = [model.words("term.partner")] * (seat in model.view.partners)
    return partner + bot_marks(model.words, model.seats[seat].state)


def _zones_of(view: View, seat: Player) -> tuple[Pile, ...]:
    """A pile for each zone of a seat that everybody sees."""
    prefix = f"seat{seat}."
    return tuple(
        Pile(face, zone, len(cards), cards)
        for zone, cards in view.zones.items()
        for face in [zone.removeprefix(prefix)]
        if zone.startswith(prefix) and face not in HIDDEN_ZONES
    )


def tally_line(model: ViewModel) -> str:
    """What is left of the turn that is going on; empty where nobody counts."""
    tally, words = model.look.tally(model.view), model.words
    if tally is None:
        return ""
    game, numbers = model.view.game, dict(tally.numbers)
    line = words(f"tally.{game}", **numbers)
    if numbers.get("more"):
        line += " " + words("tally.more", number=numbers["more"])
    if tally.seat == model.view.seat:
        return line
    return f"{model.seats[tally.seat].name}: {line}"


def backs_text(cards: tuple[CardView, ...]) -> str:
    """A hand by its backs, as in `I II×2 III`."""
    counts = Counter(card.back for card in cards)
    parts = [
        f"{back or '#'}×{number}" if number > 1 else (back or "#")
        for back, number in sorted(counts.items())
    ]
    return " ".join(parts)


def readable_faces(model: ViewModel) -> list[str]:
    """Every card of this game that says something."""
    faces = [ware.face for ware in model.look.wares(model.view)]
    return faces or list(model.look.readable) or [look.key for look in model.look.faces]


def card_facts(model: ViewModel, face: str) -> list[str]:
    """What a card costs, where it is sold, and its types."""
    words, look = model.words, model.look
    costs = [ware.cost for ware in look.wares(model.view) if ware.face == face]
    kinds = [words(key) for key in look.kinds(face)]
    return [*(words("texts.cost", cost=cost) for cost in costs), *kinds]
