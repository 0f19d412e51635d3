"""Actions at the edge to files and networks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plain import CARDS_MAX, PLAIN_NUMBER_MAX, VERB_LETTERS_MAX, parse_action, plain_action
from core.requests import Action
from core.table import RulesError

_NUMBERS = st.integers(0, PLAIN_NUMBER_MAX)


@given(
    verb=st.text(min_size=1, max_size=VERB_LETTERS_MAX),
    cards=st.lists(_NUMBERS, max_size=9),
    number=_NUMBERS,
)
def test_an_action_survives_the_way_out_and_in(verb: str, cards: list[int], number: int) -> None:
    action = Action(verb, tuple(cards), number)
    assert parse_action(plain_action(action)) == action


@pytest.mark.parametrize(
    "value",
    [
        None,
        "play",
        [],
        ["play"],
        ["play", [], 0, 0],
        ["", [], 0],
        ["x" * (VERB_LETTERS_MAX + 1), [], 0],
        ["play", [0] * (CARDS_MAX + 1), 0],
        ["play", (1,), 0],
        ["play", [-1], 0],
        ["play", [True], 0],
        ["play", [1.0], 0],
        ["play", ["1"], 0],
        ["play", [PLAIN_NUMBER_MAX + 1], 0],
        ["play", [], -1],
        ["play", [], None],
        [b"play", [], 0],
    ],
)
def test_what_is_not_an_action_is_refused(value: object) -> None:
    with pytest.raises(RulesError, match="an action is"):
        parse_action(value)
