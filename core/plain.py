"""Actions and events as lists of ints and strings, with limits: the edge to files and networks."""

from __future__ import annotations

from typing import Final, TypeGuard

from core.requests import Action
from core.table import RulesError

VERB_LETTERS_MAX: Final = 24
CARDS_MAX: Final = 512  # More than any game has on one table.
PLAIN_NUMBER_MAX: Final = 1 << 24


def plain_action(action: Action) -> list[object]:
    """`[verb, [card, ...], number]`.

    >>> plain_action(Action("play", (17,)))
    ['play', [17], 0]
    """
    return [action.verb, list(action.cards), action.number]


def parse_action(value: object) -> Action:
    """The action that `plain_action` wrote.

    Raises:
        RulesError: the value is not an action; the message says what one looks like.
    """
    match value:
        case [str(verb), list(cards), number] if (
            0 < len(verb) <= VERB_LETTERS_MAX
            and len(cards) <= CARDS_MAX
            and all(_is_number(card) for card in cards)
            and _is_number(number)
        ):
            return Action(verb, tuple(cards), number)
    raise RulesError("an action is [verb, [card, ...], number]")


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= PLAIN_NUMBER_MAX
