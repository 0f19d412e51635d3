"""A referee that is spoken to in dictionaries, and prepared decks for it."""

from __future__ import annotations

import json
from typing import Any

from core.games.carta.cards import COPIES, DOMAINS
from core.referee import Advise, Referee
from tests.core.games.carta.stage import words

Json = dict[str, Any]


class Lines:
    """A referee with one game of Carta: the decks begin, from the top, with the words given."""

    def __init__(
        self,
        seats: int,
        *,
        roll: int = 0,
        first: str = "",
        second: str = "",
        third: str = "",
        advise: Advise | None = None,
        **options: Any,
    ) -> None:
        self.referee = Referee(advise)
        fix = [pile("I", first), pile("II", second), pile("III", third), {"roll": roll}]
        asked = {"game": "carta", "seats": seats, "options": options, "seed": "s", "fix": fix}
        self.begun = self.ask("new", **asked)

    def ask(self, do: str, **more: Any) -> Json:
        """The answer to one line, which has to be a good one."""
        answer = self.try_to(do, **more)
        assert answer["ok"], answer
        return answer

    def try_to(self, do: str, **more: Any) -> Json:
        """The answer to one line."""
        answer: Json = json.loads(self.referee.answer(json.dumps({"do": do, **more})))
        return answer

    def act(self, seat: int, *texts: str) -> Json:
        """Let a seat act, one notation after another; gives the last answer."""
        answers = [self.ask("act", seat=seat, text=text) for text in texts]
        return answers[-1]

    def view(self, seat: int | str | None = "all") -> Json:
        """A picture."""
        return self.ask("view", seat=seat)

    def zone(self, name: str, seat: int | str | None = "all") -> list[str | None]:
        """The faces in a zone, as a seat sees them."""
        faces: list[str | None] = self.view(seat)["zones"][name]
        return faces

    def legal(self, seat: int) -> list[str]:
        """What a seat may do, in notation."""
        return [action["text"] for action in self.ask("legal", seat=seat)["actions"]]


def pile(age: str, top: str) -> Json:
    """A fixed shuffle of one age that has these cards on top."""
    rest = [name for name, count in zip(DOMAINS, COPIES[age], strict=True) for _ in range(count)]
    for name in words(top):
        rest.remove(name)
    return {"shuffle": words(top) + rest}
