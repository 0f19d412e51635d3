"""Positions in which everybody has nearly everything, and players who fight wherever they can."""

from __future__ import annotations

from core.chance import Chance
from core.games.civilization.frames import touch
from core.games.civilization.layout import (
    CULTURE,
    EVENT_DECK,
    EVENTS,
    FORCES,
    GUARD,
    HUT_PILE,
    MARKET,
    MARKET_TOKENS,
    PHASE,
    TOKENS,
    TRADE,
    UNIT_DECK,
    VILLAGE_PILE,
)
from core.games.civilization.wealth import SPACE_FLIGHT, set_known
from core.requests import Action, Choice, Secret, to_act
from core.testing.worlds import OpenGame
from tests.core.games.civilization.naive import Reading
from tests.core.games.civilization.stage import GAME

QUIET = ("end", "stop", "pass", "guard", "offer", "show", "spare", "done", "none")


class FierceGame(OpenGame):
    """Rich after the set-up; then half of all choices are to attack, or to do something at all."""

    is_rich = False

    def act(self, pending: Choice | Secret) -> None:
        """As in the game of random choices, but fiercer."""
        if self.table.counters[PHASE] and not self.is_rich:
            enrich(self, Chance(self.seed))
            self.is_rich = True
        for seat in to_act(pending):
            actions = self.game.legal_actions(self.table, seat, self.deal)
            self.game.apply(self.table, seat, self._choose(actions, seat))
        self.choices += 1

    def _choose(self, actions: list[Action], seat: int) -> Action:
        eager = [action for action in actions if action.verb not in QUIET]
        read = Reading(self.table)
        attacks = [
            action for action in eager
            if action.verb == "go" and read.is_hostile(action.number, seat)
        ]  # fmt: skip
        wanted = attacks or eager
        return self.chance.pick(wanted if wanted and self.chance.below(2) else actions)


def enrich(world: OpenGame, chance: Chance) -> None:
    """Technologies, events, markers, units, trade and culture for everybody."""
    table, counters = world.table, world.table.counters
    for seat in range(world.players):
        for technology in range(SPACE_FLIGHT):
            if chance.below(10) < 6:
                set_known(table, seat, technology)
        counters[TRADE[seat]], counters[CULTURE[seat]] = 20, 20
        counters[GUARD[seat]] = chance.below(256)
        for kind in range(4):
            taken = min(chance.below(2), counters[MARKET + kind])
            counters[MARKET + kind] -= taken
            counters[MARKET_TOKENS[seat] + kind] += taken
        sources = [(EVENT_DECK + era, EVENTS[seat]) for era in range(3)]
        sources += [(UNIT_DECK + kind, FORCES[seat]) for kind in range(4)]
        for source, target in sources:
            take(world, source, target, seat)
    for seat in range(world.players):
        for pile in (HUT_PILE, VILLAGE_PILE):
            if chance.below(2):
                take_marker(world, pile, seat)
    touch(table)


def take(world: OpenGame, source: int, target: int, seat: int) -> None:
    """The top card of a pile goes to a seat, which sees it."""
    card = world.table.zones[source].pop()
    world.table.zones[target].append(card)
    world.table.seen[card] |= 1 << seat


def take_marker(world: OpenGame, pile: int, seat: int) -> None:
    """A marker that is a resource; a person's would not be kept."""
    face = world.deal[world.table.zones[pile][-1]]
    if not GAME.faces[face].endswith("great"):
        take(world, pile, TOKENS[seat], seat)
