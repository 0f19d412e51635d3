"""What is said to a foreign program that decides for a seat, and what its answers mean.

    to the program      {"seat": P, "view": VIEW, "actions": [ACTION, ...], "deadline_s": S}
    from the program    {"text": "play military"}   or   {"action": ACTION}

VIEW and ACTION are the referee's.  Before it answers, the program may ask what our search thinks:

    from the program    {"hint": LEVEL}
    to the program      {"hint": HINT}
"""

from __future__ import annotations

import json
from typing import Any, Final

from ai.advice.explain import known_level
from core.errors import HostlessError
from core.game import Game
from core.requests import Action, Player
from core.table import Observation, RulesError, Table
from core.view import action_json, offers, view_json

PROGRAM_ANSWER_S: Final = 60.0  # How long a program may think about one choice.
LINE_BYTES_MAX: Final = 1 << 16
ANSWER_LETTERS_MAX: Final = 80  # Of what a program said.


def late_text(answer_s: float) -> str:
    """What is said of a program that has not answered: often its line lies in its own buffer."""
    return f"the program gave no answer within {answer_s:g} seconds (does it flush each line?)"


def asked_line(
    game: Game,
    table: Table,
    observation: Observation,
    seat: Player,
    answer_s: float = PROGRAM_ANSWER_S,
) -> dict[str, Any]:
    """What a program is told about a choice of its seat, which knows exactly `observation`."""
    return {
        "seat": seat,
        "view": {**view_json(game, table, observation, seat), "to_act": [seat]},
        "actions": [
            action_json(offer.action, offer.text)
            for offer in offers(game, table, observation, seat)
        ],
        "deadline_s": answer_s,
    }


def hint_level(answer: bytes) -> str | None:
    """The level of the hint that an answer asks for; None if it is no such question.

    >>> hint_level(b'{"hint": "gentle"}'), hint_level(b'{"hint": ""}'), hint_level(b'{"text": ""}')
    ('gentle', 'steady', None)

    Raises:
        HostlessError: it is one, and there is no such level.
    """
    match parsed(answer):
        case {"hint": str(level)}:
            try:
                return known_level(level)
            except RulesError as error:
                raise HostlessError(f"the program asked for a hint: {error}") from error
    return None


def chosen(actions: object, answer: bytes) -> Action:
    """The legal action that an answer names.

    >>> chosen([{"verb": "end", "cards": [], "number": 0, "text": "end"}], b'{"text": "end"}')
    Action(verb='end', cards=(), number=0)

    Raises:
        HostlessError: it names none.
    """
    assert isinstance(actions, list), "we made the list"
    value = parsed(answer)
    for action in actions:
        named = {key: action[key] for key in ("verb", "cards", "number")}
        match value:
            case {"text": text} if text == action["text"]:
                pass
            case {"action": dict(given)} if {**given, "text": ""} == {**named, "text": ""}:
                pass
            case _:
                continue
        return Action(action["verb"], tuple(action["cards"]), action["number"])
    raise HostlessError(f"the program chose nothing that is legal: {_shown(answer)}")


def parsed(answer: bytes) -> object:
    """The value of a line.

    Raises:
        HostlessError: it is not JSON.
    """
    try:
        value: object = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise HostlessError(f"the program did not answer in JSON: {_shown(answer)}") from error
    return value


def _shown(answer: bytes) -> str:
    return repr(answer[:ANSWER_LETTERS_MAX].decode(errors="replace"))
