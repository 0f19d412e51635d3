"""After a game: the choices that cost a seat most, by the search that gives hints."""

from __future__ import annotations

from typing import Any

import pytest

from ai import review as reviewing
from ai.advice.explain import usual_iterations
from ai.games import find_knowledge
from ai.levels import SearchSettings
from ai.review import MadeChoice, review
from ai.search.search import Contest, Decision, compare, search
from ai.seats.brain import Brain, Comparing, open_brain
from core.games.carta import GAME as CARTA
from core.requests import Action
from p2p.base.roster import DecisionPoint
from tests.ai.positions import Position, positions, real_choices

KNOWLEDGE = find_knowledge(CARTA)


def some_choices(count: int) -> list[MadeChoice]:
    """A seat that does what the rules list last, whenever it has to choose."""
    found = [each for each in real_choices(positions(CARTA, 2, 5)) if each.seat == 0][:count]
    return [MadeChoice(_turn(each, entry), each.actions[-1]) for entry, each in enumerate(found)]


def _turn(position: Position, entry: int) -> DecisionPoint:
    observation = position.observation
    return DecisionPoint(CARTA, position.table, observation, position.seat, entry, seed=entry)


class Told(Brain):
    """It thinks nothing: the first action is the best, and so much better as it is told."""

    def __init__(self, gains: list[int], second_looks: list[int], error: int = 10) -> None:
        self.asked: list[Comparing] = []
        self._gains, self._error = iter([*gains, *second_looks]), error

    async def decide(self, *seen: Any) -> Decision:
        slug, table, observation, seat, settings = seen
        assert slug == "carta" and isinstance(settings, SearchSettings)
        action = CARTA.legal_actions(table, seat, observation)[0]
        return Decision(action, settings.iterations, (), ())

    async def compare(self, *seen: Any) -> Contest:
        self.asked.append(seen[-1])
        return Contest(300, 300 + next(self._gains), self._error)


async def test_the_three_that_cost_most_are_told_the_worst_first() -> None:
    choices, steps = some_choices(5), list[tuple[int, int]]()
    brain = Told([50, 400, 30, 200, 100], [380, 210, 90, 60, 40])
    found = await review(brain, choices, lambda *step: steps.append(step))
    assert [each.cost for each in found] == [380, 210, 90]
    assert [each.entry for each in found] == [1, 3, 4]
    assert [done for done, _ in steps] == list(range(10)), "every step is told before it is done"
    worst = choices[1].turn
    assert found[0].made == CARTA.describe(worst.table, choices[1].action, worst.observation)


async def test_what_only_the_first_look_saw_was_luck_and_is_not_told() -> None:
    brain = Told([400, 300], [21, 20], error=10)
    assert [each.cost for each in await review(brain, some_choices(2), lambda *_: None)] == [21]


async def test_the_second_look_is_longer_and_on_other_deals() -> None:
    brain = Told([400], [400])
    await review(brain, some_choices(1), lambda *_: None)
    first, second = brain.asked
    assert first.pair == second.pair and first.seed != second.seed
    assert second.deals > first.deals


async def test_a_seat_that_did_what_search_does_has_no_costly_choice() -> None:
    choices = [
        choice._replace(action=_first(choice.turn)) for choice in some_choices(4)
    ]  # fmt: skip
    brain = Told([], [])
    assert await review(brain, choices, lambda *_: None) == () and not brain.asked


async def test_a_long_game_gets_less_thought_for_each_choice() -> None:
    usual = usual_iterations(CARTA, reviewing._BUDGET)
    few, many = some_choices(3), some_choices(3) * 200
    assert reviewing._iterations(few) == usual
    assert len(many) * reviewing._iterations(many) <= KNOWLEDGE.speed * reviewing._SECONDS


async def test_in_the_longest_game_a_second_look_tells_more_than_luck() -> None:
    choices = some_choices(3) * 800
    brain = Told([50] * len(choices), [40] * reviewing._FINALISTS)
    await review(brain, choices, lambda *_: None)
    first, second = brain.asked[0], brain.asked[-1]
    assert first.iterations == reviewing._ITERATIONS_MIN
    assert second.deals >= 250 and first.deals >= 8, "fewer tell luck alone"


async def test_it_is_thought_in_another_process_and_comes_out_the_same_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the least of thought, after which luck is told as well."""
    for name, least in (("_SECONDS", 0), ("_SECOND_MIN", 50), ("_ERRORS", 0)):
        monkeypatch.setattr(reviewing, name, least)
    choices = some_choices(4)
    async with open_brain() as brain:
        once = await review(brain, choices, lambda *_: None)
        assert once == await review(brain, choices, lambda *_: None)
    assert once, "what has no costly choice comes out the same anyhow"


def _first(turn: DecisionPoint) -> Action:
    return turn.game.legal_actions(turn.table, turn.seat, turn.observation)[0]


def test_what_search_prefers_wins_more_often_side_by_side(seed: int) -> None:
    """The action that a long search tried least, beside the one that it chose."""
    found = real_choices(positions(CARTA, 2, 5))[3]
    seen = found.table, found.observation, found.seat
    decision = search(KNOWLEDGE, *seen, seed=seed, iterations=600)
    tried = [each for each in decision.outlooks if each.visits]
    worst = min(tried, key=lambda each: (each.win_permille, each.visits)).action
    contest = compare(KNOWLEDGE, *seen, (worst, decision.action), seed=seed + 1, deals=100)
    assert contest.second >= contest.first - 2 * contest.error


def test_two_names_of_one_action_are_not_compared() -> None:
    found = real_choices(positions(CARTA, 2, 5))[3]
    same = found.actions[0], found.actions[0]
    with pytest.raises(AssertionError, match="mean the same"):
        compare(KNOWLEDGE, found.table, found.observation, found.seat, same, seed=1, deals=1)
