"""The rules of our games, as `verifier.py` asks for them: plain values in, plain values out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from core.engine import apply_event, next_request, start
from core.games import find_game
from core.plain import parse_action
from core.requests import (
    Choice,
    Chosen,
    Event,
    Opened,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import OptionValue, RulesError
from tests.p2p.verifier import Audit
from tests.p2p.verifier_log import Roster
from tests.p2p.verifier_proofs import Refused, frames


class Rulebook:
    """One game, played on as far as it has been answered."""

    def __init__(self, game: str, seats: int, options: dict[str, OptionValue]) -> None:
        self.game, self.seats, self.options = find_game(game), seats, options
        self.chooser = 0  # Who is to blame if the rules refuse what follows.
        self.begin()
        self.faces = list(self.table.face)

    def begin(self) -> None:
        self.table = start(self.game, self.seats, self.options)
        self.asked, self.answered = next_request(self.game, self.table), 0

    def go_to(self, events: list[Any]) -> None:
        """Apply what is new; when the table has gone back, all of it again."""
        if len(events) < self.answered:
            self.begin()
        for event in events[self.answered :]:
            answer = event_of(event)
            if isinstance(self.asked, Choice | Secret):
                self.chooser = chooser_of(self.asked)
            try:
                self.asked = apply_event(self.game, self.table, self.asked, answer)
            except RulesError as error:
                raise Refused(self.chooser, str(error)) from None
            self.answered += 1

    def request(self, events: list[Any]) -> tuple[Any, ...]:
        self.go_to(events)
        return plain(self.asked) or ("over", *self.result())

    def result(self) -> tuple[list[int], list[int]]:
        return list(self.game.scores(self.table)), list(self.game.winners(self.table))

    def claim(self, events: list[Any], action: Any) -> tuple[list[int], list[int]] | None:
        self.go_to(events)
        assert isinstance(self.asked, Choice)
        try:
            found = self.game.claim(self.table, self.asked.player, parse_action(action))
        except RulesError as error:
            raise Refused(self.asked.player, str(error)) from None
        return None if found is None else (list(found.cards), list(found.faces))

    def state(self, events: list[Any]) -> list[list[list[int]]]:
        self.go_to(events)
        table = self.table
        owed = [[*each.cards, -1 if each.player is None else each.player] for each in table.owed]
        families = [table.class_of, *table.class_counts]
        counters = [*table.counters, table.rolled]
        return [table.zones, [table.face], [table.seen], families, [counters], owed]


def chooser_of(request: Choice | Secret) -> int:
    return request.player if isinstance(request, Choice) else request.players[0]


def plain(request: Request) -> tuple[Any, ...] | None:
    match request:
        case Choice(seat):
            return "choice", seat
        case Secret(seats):
            return "secret", list(seats)
        case Roll(sides):
            return "roll", sides
        case Shuffle(piles, owner):
            return "shuffle", owner, [list(pile) for pile in piles]
        case Reveal(cards, to):
            return "reveal", to, list(cards)
    return None


def event_of(event: Any) -> Event:
    match event:
        case ("choice", action):
            return Chosen(parse_action(action))
        case ("secret", actions):
            return Opened(tuple(parse_action(action) for action in actions))
        case ("roll", number):
            return Rolled(number)
        case ("shuffle",):
            return Shuffled()
        case ("reveal", faces):
            return Revealed(tuple(faces or ()))
    raise AssertionError(event)


def audit(content: bytes) -> Audit:
    """A file whose game is one of ours, with every card."""
    roster = Roster(frames(content)[0][1])
    rules = Rulebook(roster.game, len(roster.all), dict(roster.options))
    return Audit(content, rules).run()


if __name__ == "__main__":
    print("\n".join(audit(Path(sys.argv[1]).read_bytes()).lines()))
