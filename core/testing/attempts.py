"""Attempts at one position of a game: which actions its rules refuse, and that no more is done."""

from __future__ import annotations

from functools import cached_property

from core.chance import Chance
from core.engine import run_until_choice
from core.requests import Action, Choice, Secret, to_act
from core.table import RulesError, Table
from core.testing.worlds import OpenGame
from core.view import Offer, offers


class Attempts:
    """What the first seat that is asked tries at one position; others answer a secret lawfully."""

    def __init__(self, world: OpenGame, pending: Choice | Secret) -> None:
        self._world, self._twin = world, world.table.copy()
        self._seat, *self._others = to_act(pending)

    @cached_property
    def offered(self) -> tuple[Offer, ...]:
        """What is legal."""
        return offers(self._world.game, self._world.table, self._world.deal, self._seat)

    def is_refused(self, action: Action) -> bool:
        """Whether the seat cannot do it."""
        world, game, twin = self._world, self._world.game, self._twin
        claim = game.claim(twin, self._seat, action)  # Before `apply`, as at a table.
        try:
            game.apply(twin, self._seat, action)
        except RulesError:
            assert is_same(twin, world.table), f"{action} was refused half done"
            return True  # So the next one is tried on the same copy.
        self._twin = world.table.copy()
        if claim is not None and not all(world.deal[card] in claim.faces for card in claim.cards):
            return True  # A proof of it is impossible.
        try:
            self._go_on(twin)
        except RulesError:
            return True  # Seen by everybody when the card is turned up.
        self._assert_legal(action)
        return False

    def _go_on(self, twin: Table) -> None:
        world, game = self._world, self._world.game
        for other in self._others:
            game.apply(twin, other, game.legal_actions(world.table, other, world.deal)[0])
        run_until_choice(game, twin, world.deal[:], Chance(1))

    def _assert_legal(self, action: Action) -> None:
        world, game = self._world, self._world.game
        is_there = all(card < len(world.deal) for card in action.cards)
        assert is_there, f"{action} was accepted: no such card"
        text = game.describe(world.table, action, world.deal)
        assert text in {offer.text for offer in self.offered}, (
            f"{action} of seat {self._seat} in {game.phase(world.table)!r} was accepted but is not "
            "legal: `apply`, or `advance` behind the reveal, raises RulesError, or `claim` has it "
            "proven"
        )


def is_same(one: Table, other: Table) -> bool:
    """The same as to compare digests, and much faster."""
    return _parts(one) == _parts(other)


def _parts(table: Table) -> list[object]:
    lists = [
        table.zones,
        table.face,
        table.seen,
        table.family_of,
        table.family_counts,
        table.counters,
    ]
    return [*lists, table.owed, table.rolled, table.deal]
