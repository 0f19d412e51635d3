"""The rules of our games, as `audit` asks for them: plain values in, plain values out."""

from __future__ import annotations

from itertools import product
from typing import Any

from core.engine import apply_event, next_request, start
from core.games import find_game
from core.plain import parse_action
from core.requests import (
    Action,
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
from core.table import HIDDEN, OptionValue, RulesError
from tests.p2p.verifier.audit import Audit
from tests.p2p.verifier.log import Roster
from tests.p2p.verifier.reading import DEALT_ANEW
from tests.p2p.verifier.values import Refused, frames, need


class Rulebook:
    """One game, played on as far as it has been answered."""

    def __init__(self, game: str, seats: int, options: dict[str, OptionValue]) -> None:
        self.game, self.seats, self.options = find_game(game), seats, options
        self.chooser = 0  # Who is to blame if the rules refuse what follows.
        self.begin()
        self.faces = list(self.table.face)

    def begin(self) -> None:
        self.table = start(self.game, self.seats, self.options)
        self.asked, self.applied = next_request(self.game, self.table), list[Any]()

    def go_to(self, events: list[Any]) -> None:
        """Apply what is new; when the table has gone back, all of it again."""
        if events[: len(self.applied)] != self.applied:
            self.begin()
        for event in events[len(self.applied) :]:
            if event[0] == DEALT_ANEW:
                self.table.mix(tuple(event[2]), event[1])
            else:
                self.answer(event_of(event))
            self.applied.append(event)

    def answer(self, event: Event) -> None:
        if isinstance(self.asked, Choice | Secret):
            self.chooser = chooser_of(self.asked)
        try:
            self.asked = apply_event(self.game, self.table, self.asked, event)
        except RulesError as error:
            raise Refused(self.chooser, str(error)) from None

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

    def allow(self, events: list[Any], seat: int, action: Any) -> None:
        """Refuse a secret choice that this seat may not make."""
        self.go_to(events)
        try:
            self.game.apply(self.table.copy(), seat, parse_action(action))
        except RulesError as error:
            raise Refused(seat, str(error)) from None

    def offers(self, events: list[Any], seat: int, faces: dict[int, int]) -> list[Any]:
        """All secret choices of a seat; first that which the rules offer first."""
        self.go_to(events)
        known = {card: face for card, face in faces.items() if self.table.seen[card] >> seat & 1}
        sees = [known.get(card, face) for card, face in enumerate(self.table.face)]
        offered = self.game.legal_actions(self.table, seat, sees)
        named = [each for action in offered for each in self.namings(action, sees)]
        return [[verb, list(cards), number] for verb, cards, number in [*offered, *named]]

    def namings(self, action: Action, sees: list[int]) -> list[Action]:
        """The same action with any of the equal cards that nobody else can tell apart."""
        table = self.table

        def look(card: int) -> tuple[Any, ...]:
            zone = next(at for at, cards in enumerate(table.zones) if card in cards)
            back = self.game.back(table, card)
            return zone, table.face[card], sees[card], table.seen[card], back

        alike = [[other for other in range(len(sees)) if look(other) == look(card)]
                 if table.face[card] == HIDDEN != sees[card] else [card]
                 for card in action.cards]  # fmt: skip
        distinct = [cards for cards in product(*alike) if len({*cards}) == len(cards)]
        return [action._replace(cards=cards) for cards in distinct]

    def narrow(self, events: list[Any]) -> dict[int, list[int]]:
        """Of each card in a zone of which claims show what it holds, the faces it may have."""
        self.go_to(events)
        zones, narrow = self.table.zones, self.table.layout.narrow
        return {card: list(faces) for zone, faces in narrow for card in zones[zone]}

    def state(self, events: list[Any]) -> list[list[list[int]]]:
        self.go_to(events)
        table = self.table
        owed = [[*each.cards, -1 if each.player is None else each.player] for each in table.owed]
        families = [table.family_of, *table.family_counts]
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
    records = frames(content)
    need(records and records[0][:1] == ["roster"], "no roster at the beginning")
    roster = Roster(records[0][1])
    rules = Rulebook(roster.game, len(roster.all), dict(roster.options))
    return Audit(records, rules).run()

