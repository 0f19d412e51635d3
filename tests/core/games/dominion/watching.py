"""What the rules ask for on the way, which `run_until_choice` answers without telling."""

from __future__ import annotations

from core.engine import apply_event, next_request, shuffle_deal
from core.requests import (
    Choice,
    Event,
    Over,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Shuffle,
    Shuffled,
)
from tests.core.games.dominion.stage import GAME, Stage


def requests_after(stage: Stage) -> list[Request]:
    """Every request from an action just applied to the next choice; the stage goes along."""
    asked: list[Request] = []
    request = next_request(GAME, stage.table)
    while not isinstance(request, Choice | Over):
        asked.append(request)
        request = apply_event(GAME, stage.table, request, answer(stage, request))
    stage.pending = request
    return asked


def answer(stage: Stage, request: Request) -> Event:
    """What answers a request that is not a choice."""
    match request:
        case Reveal(cards, None):
            return Revealed(tuple(stage.deal[card] for card in cards))
        case Reveal():
            return Revealed()
        case Shuffle(piles):
            for pile in piles:
                shuffle_deal(stage.deal, pile, stage.chance)
            return Shuffled()
        case Roll(sides):
            return Rolled(stage.chance.below(sides))
    raise AssertionError(request)
