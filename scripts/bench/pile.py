"""A game whose only content is that a pile is shuffled again and again: see `joint_shuffle.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from core.game import Game
from core.requests import Action, Choice, Over, Request, Shuffle
from core.table import Layout, Place, Sight, Table

FACES: Final = tuple(f"face{face}" for face in range(13))
DECK, BOARD, HANDS, PHASE = 0, 1, 2, 0


def make_pile(cards: int, rounds: int, hand: int) -> Game:
    """So many cards, shuffles, and cards in the hand of every seat.

    Seat 0 says `go`; each second time all shuffle, and get hands or see the top card.
    """

    def setup(players: int, options: Mapping[str, Any]) -> Table:
        hands = [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(players)]
        places = [Place("deck", Sight.NOBODY), Place("board", Sight.EVERYONE), *hands]
        table = Table(Layout(players, FACES, places, ["phase"], options))
        table.lay_out(DECK, [card % len(FACES) for card in range(cards)])
        return table

    def advance(table: Table) -> Request:
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

    return Game(
        slug="pile", players=range(2, 9), faces=FACES, rules="Shuffle again and again.",
        setup=setup, advance=advance, legal_actions=lambda *_: [Action("go")],
        apply=lambda *_: None, scores=lambda table: (0,) * table.layout.players,
        winners=lambda table: tuple(range(table.layout.players)),
    )  # fmt: skip


def _targets(table: Table, hand: int) -> list[int]:
    """Where the cards go, one after the other."""
    hands = range(HANDS, HANDS + table.layout.players)
    return [zone for zone in hands for _ in range(hand)] or [BOARD]
