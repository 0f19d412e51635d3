"""Our games as games of OpenSpiel, on a stand-in for it."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ai.openspiel import ACTIONS_MAX, game_class, register
from core.games import GAMES
from core.table import RulesError
from tests.ai.spiel import PlayerId, Spiel
from tests.kuhn import KUHN

every_game = pytest.mark.parametrize("slug", GAMES)
SHORT = {"civilization": {"max_turns": 6}}  # The others have an end before long.


def a_game(slug: str, **params: Any) -> Any:
    spiel = Spiel()
    register(spiel)
    return spiel.load_game(f"hostless_{slug}", {**SHORT.get(slug, {}), **params})


def choices(game: Any, seed: int) -> Iterator[Any]:
    """Every state of a random game in which a seat has to choose, and the last one."""
    luck, state = random.Random(seed), game.new_initial_state()
    assert state.is_chance_node() and str(state) == "before the deal"
    state.apply_action(luck.choice(state.chance_outcomes())[0])
    while not state.is_terminal():
        yield state
        state.apply_action(luck.choice(state.legal_actions()))
    yield state


def test_every_game_is_registered_once() -> None:
    spiel = Spiel()
    assert register(spiel) == register(spiel) == [f"hostless_{slug}" for slug in GAMES]


def test_without_openspiel_one_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # As if it were not installed.
    with pytest.raises(RulesError, match="pip install open_spiel brings it"):
        register()


@pytest.mark.parametrize(
    ("params", "sentence"), [({"seats": 7}, "2 to 4"), ({"deal": "x"}, "draft")]
)
def test_wrong_parameters_are_refused_with_a_sentence(params: Any, sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        a_game("carta", **params)


@every_game
def test_a_game_is_played_to_its_end_and_its_pot_is_shared(slug: str) -> None:
    game = a_game(slug, seats=3)
    for seed in range(3):
        *states, last = choices(game, seed)
        assert states and last.current_player() == PlayerId.TERMINAL
        assert sum(last.returns()) == pytest.approx(0) and min(last.returns()) >= -1


@every_game
def test_actions_are_their_places_and_read_as_their_notation(slug: str) -> None:
    for state in choices(a_game(slug), 1):
        seat = state.current_player()
        if state.is_terminal():
            break
        legal = state.legal_actions()
        assert legal == list(range(len(legal))) and len(legal) < ACTIONS_MAX
        texts = [state._action_to_string(seat, action) for action in legal]
        assert texts == [state.match.text(seat, each) for each in state.match.legal_actions(seat)]


@every_game
def test_a_clone_goes_on_by_itself(slug: str) -> None:
    states = choices(a_game(slug), 2)
    state = next(states)
    clone, before = state.clone(), state.information_state_string()
    clone.apply_action(clone.legal_actions()[-1])
    assert state.information_state_string() == before
    assert clone.information_state_string(0) != state.information_state_string(0)


@every_game
def test_a_state_sampled_for_a_seat_looks_the_same_to_it(slug: str) -> None:
    luck = random.Random(5)
    for count, state in enumerate(choices(a_game(slug, seats=2), 3)):
        if count % 37 == 0 and not state.is_terminal():
            seat = state.current_player()
            sampled = state.resample_from_infostate(seat, luck.random)
            assert sampled.current_player() == seat
            assert sampled.legal_actions() == state.legal_actions()
            assert sampled.information_state_string() == state.information_state_string()
            assert sampled.observation_string() == state.observation_string()


def test_strings_are_told_of_any_seat() -> None:
    game = a_game("carta")
    state = next(choices(game, 3))
    recalls = game.make_py_observer(type("", (), {"perfect_recall": True}))
    for seat in range(2):
        assert recalls.string_from(state, seat) == state.match.information_state_string(seat)
        sees = game.make_py_observer().string_from(state, seat)
        assert sees == state.match.observation_string(seat)


def test_secret_choices_are_made_one_after_the_other_unseen() -> None:
    game = a_game("carta", seats=3, deal="draft")
    state = next(choices(game, 1))
    texts = {state.clone().information_state_string(1)}
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        assert after.current_player() == 1
        texts.add(after.information_state_string(1))
    assert len(texts) == 1 < len(state.legal_actions())


def test_a_game_of_somebody_elses_becomes_one_too() -> None:
    """Value of Kuhn's poker when both seats always bet: who has the higher card wins two."""
    game = game_class(Spiel(), KUHN)({"deals": 60})
    won = []
    for seed, share in game.new_initial_state().chance_outcomes():
        state = game.new_initial_state()
        state.apply_action(seed)
        while not state.is_terminal():
            state.apply_action(1)
        won.append(state.returns()[0] * share)
    assert abs(sum(won)) < 0.5
    assert set(won) == {1 / 60, -1 / 60}
