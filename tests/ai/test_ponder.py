"""Thinking on the others' time: it helps, and changes nothing about who can repeat a decision."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

import pytest

from ai.knowledge.known import find_knowledge
from ai.levels import decide
from ai.ponder import Question, Thinker, moves_since
from ai.search import Move
from core.chance import Chance
from core.engine import feed, next_request, shuffle_deal, start
from core.game import Game
from core.games.carta import Carta
from core.imagine import blindfold, imagine
from core.requests import (
    Choice,
    Chosen,
    Event,
    Opened,
    Over,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import Table
from tests.ai.race import Race

ITERATIONS = 24
PONDERING = 60
GAMES: list[tuple[Game, bool]] = [(Race(), False), (Race(), True), (Carta(), False)]


class Asked(NamedTuple):
    """A choice of the seat that is watched, and all that happened since the one before."""

    question: Question
    request: Request
    deal: list[int]
    events: list[Event]  # Since the seat was asked the last time.


def chance_event(request: Request, table: Table, deal: list[int], chance: Chance) -> Event:
    match request:
        case Reveal(cards, None):
            return Revealed(tuple(deal[card] for card in cards))
        case Reveal():
            return Revealed()
        case Roll(sides):
            return Rolled(chance.below(sides))
    assert isinstance(request, Shuffle)
    for pile in request.piles:
        shuffle_deal(table, deal, pile, chance)
    return Shuffled()


def asked_in(game: Game, seed: int, *, secret: bool = False, seat: int = 0) -> Iterator[Asked]:
    """Every choice of one seat of a game of which each step is an event, as in a log."""
    table = start(game, 2, {"secret": True} if secret else {})
    deal, chance = table.face[:], Chance(seed)
    events: list[Event] = []
    policy = find_knowledge(game).rollout
    request = next_request(game, table)
    while not isinstance(request, Over):
        if isinstance(request, Choice | Secret):
            seats = (request.player,) if isinstance(request, Choice) else request.players
            if seat in seats:
                eyes = blindfold(table, deal, seat)
                question = Question(game, table.copy(), eyes, seat, seed, "steady", ITERATIONS)
                yield Asked(question, request, deal[:], events)
                events = []
            actions = [policy(table, each, blindfold(table, deal, each), chance) for each in seats]
            is_open = isinstance(request, Choice)
            event: Event = Chosen(actions[0]) if is_open else Opened(tuple(actions))
        else:
            event = chance_event(request, table, deal, chance)
        events.append(event)
        request = feed(game, table, request, event)


def pairs(game: Game, seed: int, *, secret: bool = False) -> Iterator[tuple[Asked, Asked]]:
    """Every two choices that follow each other, the later one a real one."""
    before = None
    for asked in asked_in(game, seed, secret=secret):
        _, table, eyes, player, *_ = asked.question
        if before and len(game.legal_actions(table, player, eyes)) > 1:
            yield before, asked
        before = asked


def a_pair(seed: int) -> tuple[Asked, Asked]:
    """Two such choices; a short game may have none, so as many games as it takes."""
    games = (pairs(Race(), each) for each in count(seed))
    return next(chain.from_iterable(games))


def moves_between(before: Asked, after: Asked) -> list[Move]:
    return moves_since(before.question, before.request, after.events, after.question.eyes)


def own_action(before: Asked, after: Asked) -> Thinker:
    """A thinker that has just made the choice before."""
    thinker, event, seat = Thinker(PONDERING), after.events[0], before.question.player
    if isinstance(event, Chosen):
        thinker.remember(before.question, event.action)
    else:
        assert isinstance(event, Opened)
        assert isinstance(before.request, Secret)
        thinker.remember(before.question, event.actions[before.request.players.index(seat)])
    return thinker


@pytest.mark.parametrize(("game", "secret"), GAMES)
def test_a_decision_does_not_depend_on_how_much_time_there_was(
    game: Game, secret: bool, seed: int
) -> None:
    for before, after in list(pairs(game, seed, secret=secret))[::15]:
        moves, decisions = moves_between(before, after), []
        for pieces in ((), (PONDERING,), (1, 30), (200, 5)):
            thinker = own_action(before, after)
            for piece in pieces:
                thinker.ponder(piece)
            decisions.append(thinker.think(after.question, moves))
        assert decisions == decisions[:1] * 4


def test_pondering_says_when_there_is_nothing_left_to_do(seed: int) -> None:
    before, after = a_pair(seed)
    thinker = own_action(before, after)
    assert thinker.ponder(PONDERING - 1)
    assert not thinker.ponder(5)
    assert not Thinker(0).ponder(5)


def test_without_pondering_a_thinker_decides_as_its_level_does(seed: int) -> None:
    thinker = Thinker(0)
    for asked in list(asked_in(Race(), seed)):
        game, table, eyes, player, *_ = asked.question
        expected = decide(
            *(game, table, eyes, player), seed=seed, level="steady", iterations=ITERATIONS
        )
        assert thinker.think(asked.question) == expected


def test_a_decision_depends_on_the_choice_before_it_and_nothing_earlier(seed: int) -> None:
    found = list(asked_in(Race(), seed))
    for first, second, third in zip(found, found[1:], found[2:], strict=False):
        old = own_action(first, second)
        old.think(second.question, moves_between(first, second))
        event = third.events[0]
        assert isinstance(event, Chosen)
        old.remember(second.question, event.action)  # What the game went on with.
        new = own_action(second, third)
        moves = moves_between(second, third)
        assert old.think(third.question, moves) == new.think(third.question, moves)


@pytest.mark.parametrize("game", [Race(), Carta()])
def test_what_was_found_out_meanwhile_is_used(game: Game, seed: int) -> None:
    inherited = 0
    games = (pairs(game, seed + number) for number in range(5))  # In one nothing may be left.
    for before, after in list(chain.from_iterable(games))[::3]:
        thinker = own_action(before, after)
        moves = moves_between(before, after)
        decision = thinker.think(after.question, moves)
        visits = {outlook[1:]: outlook.visits for outlook in decision.outlooks}  # Twins once.
        is_more = sum(visits.values()) > decision.iterations
        others_moved = any(move.player != after.question.player for move in moves)
        assert others_moved or not is_more
        inherited += is_more
    assert inherited


def test_what_a_seat_cannot_see_changes_nothing_of_what_it_ponders(seed: int) -> None:
    for before, after in list(pairs(Carta(), seed))[::8]:
        moves = moves_between(before, after)
        _, table, eyes, player, *_ = after.question
        other = imagine(table, eyes, Chance(seed))
        blind = after.question._replace(eyes=blindfold(table, other, player))
        decisions = [
            own_action(before, after).think(each, moves) for each in (after.question, blind)
        ]
        assert decisions[0] == decisions[1]


def test_moves_are_named_by_what_the_seat_has_seen_of_them(seed: int) -> None:
    verbs = set()
    for before, after in pairs(Carta(), seed):
        for move in moves_between(before, after):
            verbs.add(move.verb)
            if move.verb == "play":
                assert move.faces[0] >= 0
    assert {"play", "end"} <= verbs
