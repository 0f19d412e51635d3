"""One seat's picture of the table, as plain frozen values: what screens, files and bots show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from core.game import Account, Game, alone
from core.requests import Action, Over, Player, Request, to_act
from core.table import HIDDEN, Observation, OptionValue, Table

CARD_VIEWS_MAX: Final = 4096  # Distinct looks of cards that are kept.


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as a seat sees it: its number, its face key (None when unseen), its back."""

    card: int
    face: str | None
    back: str
    is_public: bool  # Everybody has seen the face.


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal action with its stable English notation."""

    action: Action
    text: str


@dataclass(frozen=True, slots=True)
class View:
    """Everything one seat may see.  `seat` is None for a spectator."""

    game: str
    players: int
    seat: Player | None
    options: dict[str, OptionValue]
    zones: dict[str, tuple[CardView, ...]]  # Bottom card first; the top one if not to be counted.
    counters: dict[str, int]
    phase: str
    to_act: tuple[Player, ...]
    offers: tuple[Offer, ...]  # Empty unless this seat must choose.
    is_over: bool
    scores: tuple[int, ...] = ()
    winners: tuple[Player, ...] = ()
    account: Account | None = None  # At the end, where the game gives one.
    partners: tuple[Player, ...] = ()  # Who wins and loses together with this seat.


def view(
    game: Game, table: Table, request: Request, observation: Observation, seat: Player | None
) -> View:
    """The picture of `seat`, which knows `observation`, while `request` is open."""
    waited_for = to_act(request)
    is_over = isinstance(request, Over)
    zones = {
        place.name: cards if is_over or place.is_countable_by(seat) else cards[-1:]
        for place, cards in zip(table.layout.places, table.zones, strict=True)
    }
    return View(
        game=game.slug,
        players=table.layout.players,
        seat=seat,
        options=dict(table.layout.options),
        zones={name: _cards(game, table, cards, observation) for name, cards in zones.items()},
        counters=dict(zip(table.layout.counters, table.counters, strict=True)),
        phase=game.phase(table),
        to_act=waited_for,
        offers=offers(game, table, observation, seat)
        if seat in waited_for and seat is not None
        else (),
        is_over=is_over,
        scores=game.scores(table) if is_over else (),
        winners=game.winners(table) if is_over else (),
        account=game.account(table) if is_over and game.account is not None else None,
        partners=_partners(game, table, seat),
    )


def _partners(game: Game, table: Table, seat: Player | None) -> tuple[Player, ...]:
    if seat is None or game.team is alone:
        return ()
    others = (other for other in range(table.layout.players) if other != seat)
    return tuple(each for each in others if game.team(table, each) == game.team(table, seat))


def view_json(
    game: Game,
    table: Table,
    observation: Observation,
    seat: Player | None,
    *,
    sees_all: bool = False,
) -> dict[str, Any]:
    """The same for programs, but for who has to act; `sees_all` counts every pile."""
    names = table.layout.faces
    zones = {
        place.name: cards if sees_all or place.is_countable_by(seat) else cards[-1:]
        for place, cards in zip(table.layout.places, table.zones, strict=True)
    }
    return {
        "game": game.slug,
        "seats": table.layout.players,
        "seat": seat,
        "options": dict(table.layout.options),
        "zones": {
            name: [
                names[observation[card]] if observation[card] != HIDDEN else None for card in cards
            ]
            for name, cards in zones.items()
        },
        "cards": {name: list(cards) for name, cards in zones.items()},
        "backs": {
            name: [game.back(table, card) for card in cards] for name, cards in zones.items()
        },
        "counters": dict(zip(table.layout.counters, table.counters, strict=True)),
        "phase": game.phase(table),
    }


def action_json(action: Action, text: str) -> dict[str, Any]:
    """An action as a JSON object, with its notation."""
    verb, cards, number = action
    return {"verb": verb, "cards": list(cards), "number": number, "text": text}


def offers(game: Game, table: Table, observation: Observation, seat: Player) -> tuple[Offer, ...]:
    """The legal actions of a seat with their notation."""
    actions = game.legal_actions(table, seat, observation)
    return tuple(Offer(action, game.describe(table, action, observation)) for action in actions)


def _cards(
    game: Game, table: Table, cards: list[int], observation: Observation
) -> tuple[CardView, ...]:
    names, public = table.layout.faces, table.face
    return tuple([
        _card(
            card,
            names[observation[card]] if observation[card] != HIDDEN else None,
            game.back(table, card),
            public[card] != HIDDEN,
        )
        for card in cards
    ])  # fmt: skip


@lru_cache(maxsize=CARD_VIEWS_MAX)
def _card(card: int, face: str | None, back: str, is_public: bool) -> CardView:
    """A picture is drawn many times, and most of its cards look as they did."""
    return CardView(card, face, back, is_public)
