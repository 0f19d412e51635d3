"""A game whose only content is that a pile is shuffled again and again: see `joint_shuffle.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from core.requests import Action, Choice, Over, Request, Shuffle
from core.table import Layout, Place, Sight, Table

FACES: Final = 13
DECK, BOARD, HANDS, PHASE = 0, 1, 2, 0


def make_pile(cards: int, rounds: int, hand: int) -> Any:
    """So many cards, shuffles, and cards in the hand of every seat."""

    class Pile:
        """Seat 0 says `go`; each second time all shuffle, and get hands or see the top card."""

        slug, players, rules = "pile", range(2, 9), "Shuffle again and again."
        faces = tuple(f"face{face}" for face in range(FACES))
        options: tuple[Any, ...] = ()

        def setup(self, players: int, options: Mapping[str, Any]) -> Table:
            hands = [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(players)]
            places = [Place("deck", Sight.NOBODY), Place("board", Sight.EVERYONE), *hands]
            table = Table(Layout(players, self.faces, places, ["phase"], options))
            table.lay_out(DECK, [card % FACES for card in range(cards)])
            return table

        def advance(self, table: Table) -> Request:
            phase, table.counters[PHASE] = table.counters[PHASE], table.counters[PHASE] + 1
            match phase % 4:
                case _ if phase == 4 * rounds:
                    return Over()
                case 2:
                    for zone in table.zones[BOARD:]:
                        table.zones[DECK] += zone
                        zone.clear()
                    return Shuffle((tuple(table.zones[DECK]),))
                case 3:
                    for target in _targets(table, hand):
                        table.move(table.zones[DECK][-1], DECK, target)
                    return table.owed[0]
            return Choice(0)

        def legal_actions(self, table: Table, player: int, observation: object) -> list[Action]:
            return [Action("go")]

        def apply(self, table: Table, player: int, action: Action) -> None:
            pass

        def claim(self, *_: object) -> None:
            return None

        def describe(self, table: Table, action: Action, observation: object) -> str:
            return action.verb

        def scores(self, table: Table) -> tuple[int, ...]:
            return (0,) * table.layout.players

        def winners(self, table: Table) -> tuple[int, ...]:
            return tuple(range(table.layout.players))

        def team(self, table: Table, player: int) -> int:
            return player

        def phase(self, table: Table) -> str:
            return ""

        def back(self, table: Table, card: int) -> str:
            return ""

    return Pile()


def _targets(table: Table, hand: int) -> list[int]:
    """Where the cards go, one after the other."""
    hands = range(HANDS, HANDS + table.layout.players)
    return [zone for zone in hands for _ in range(hand)] or [BOARD]
