"""What search thinks of a choice, in the notation of the game and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ai.advice.explain import Explanation, advise, explain, notation
from ai.games import find_knowledge
from ai.search.search import Decision, search
from ai.search.tree import Move
from core.games import find_game
from core.referee import Referee
from core.requests import Action
from core.table import HIDDEN
from tests.ai.positions import Position, positions, real_choices


def explained(game: str, index: int = 3, iterations: int = 120) -> tuple[Position, Explanation]:
    position = real_choices(positions(find_game(game), 2, seed=5))[index]
    decision = search(
        *(find_knowledge(position.game), position.table, position.observation, position.seat),
        seed=1,
        iterations=iterations,
    )
    seen = position.game, position.table, position.observation, position.seat
    return position, explain(*seen, decision)


@pytest.mark.parametrize("game", ["carta", "dominion"])
def test_every_legal_action_is_told_in_the_order_of_the_rules(game: str) -> None:
    position, explanation = explained(game)
    actions = [prospect.action for prospect in explanation.prospects]
    assert actions == position.actions
    assert explanation.best in actions
    for prospect in explanation.prospects:
        assert prospect.text == position.game.describe(
            position.table, prospect.action, position.observation
        )
        assert 0 <= prospect.win_permille <= 1000
    assert sum(prospect.visits for prospect in explanation.prospects) <= explanation.iterations


@pytest.mark.parametrize("game", ["carta", "dominion"])
def test_the_expected_line_begins_with_the_best_action(game: str) -> None:
    position, explanation = explained(game)
    best = next(each for each in explanation.prospects if each.action == explanation.best)
    assert explanation.line[0] == (position.seat, best.text)


def test_the_best_is_ranked_first_and_then_whatever_search_stayed_with() -> None:
    _, explanation = explained("carta")
    ranked = explanation.ranked()
    assert ranked[0].action == explanation.best
    visits = [prospect.visits for prospect in ranked[1:]]
    assert visits == sorted(visits, reverse=True)


def test_as_json_exactly_one_action_is_the_best_and_chances_are_fractions() -> None:
    _, explanation = explained("carta")
    value = json.loads(json.dumps(explanation.json()))
    assert [each["text"] for each in value["actions"] if each["best"]] == [value["line"][0]["text"]]
    assert all(0 <= each["win"] <= 1 for each in value["actions"] if each["visits"])
    assert value["line"][0].keys() == {"seat", "text"}


def test_an_action_that_was_not_tried_has_no_chance_to_win() -> None:
    position, _ = explained("carta")
    best = position.actions[0]
    untried = Decision(best, 0, tuple((each, 0, 0) for each in position.actions), ())
    told = explain(position.game, position.table, position.observation, position.seat, untried)
    assert {each["win"] for each in told.json()["actions"]} == {None}


@pytest.mark.parametrize("game", ["carta", "dominion"])
def test_a_move_without_cards_is_written_as_the_same_move_with_them(game: str) -> None:
    compared = 0
    for position in real_choices(positions(find_game(game), 2, seed=8), stride=4):
        for verb, cards, number in position.actions:
            faces = tuple(position.observation[card] for card in cards)
            if HIDDEN in faces:
                continue
            whole = position.game.describe(
                position.table, Action(verb, cards, number), position.observation
            )
            move = Move(position.seat, verb, faces, number)
            assert notation(position.game, position.table, move) == whole
            compared += 1
    assert compared > 50


def hinted(referee: Referee, **more: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(referee.answer(json.dumps({"do": "hint", **more})))
    return answer


def test_the_referee_gives_a_hint_that_is_the_same_whenever_it_is_asked() -> None:
    referee = Referee(advise)
    new = {"do": "new", "game": "carta", "seats": 2, "seed": "hint"}
    seat = json.loads(referee.answer(json.dumps(new)))["request"]["choice"]["seat"]
    first = hinted(referee, seat=seat, level="gentle")
    assert first == hinted(referee, seat=seat, level="gentle")
    legal = json.loads(referee.answer(json.dumps({"do": "legal", "seat": seat})))["actions"]
    told = [
        {key: each[key] for key in ("verb", "cards", "number", "text")}
        for each in first["hint"]["actions"]
    ]
    assert told == legal
    assert hinted(referee, seat=seat, level="daft")["message"].startswith("no level is called")
