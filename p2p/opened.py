"""A finished game read again with the keys that were opened: who chose what, knowing what.

Nobody else could see whether a seat obeyed a rule about its hidden cards.  Once its key is open,
everybody can: its cards are read from the same log, and each of its choices is held against what
it was allowed to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.requests import Action, Chosen, Face, Opened, Secret
from p2p.disguise import undisguise
from p2p.hearing import hear
from p2p.ledger import GameRecord
from p2p.replica import Replica
from p2p.turn import Turn, turn_of


@dataclass(frozen=True, slots=True)
class Decided:
    """One choice of a seat whose key is open, with everything it was made from."""

    turn: Turn
    action: Action
    height: int  # Of the log when it was made.

    @property
    def is_obedient(self) -> bool:
        """Whether it was one of the seat's legal actions."""
        turn, game = self.turn, self.turn.game
        legal = game.legal_actions(turn.table, turn.seat, turn.eyes)
        mine = undisguise(game, turn.table, turn.eyes, self.action)
        return any(mine == undisguise(game, turn.table, turn.eyes, each) for each in legal)


def decisions(record: GameRecord, keys: Mapping[int, int]) -> Iterator[Decided]:
    """Every choice of the seats whose keys are given, in the order of the log.

    The record holds: its proofs are not verified once more.
    """
    replica = Replica(record.roster, opened=keys)
    waiting: dict[int, tuple[Turn, int]] = {}
    for _ in hear(record, replica, verify=False):
        yield from _answered(replica, waiting)
        step = replica.step
        if step is not None and step.is_choice:
            for seat in step.writers:
                if seat in keys and seat not in waiting:
                    waiting[seat] = turn_of(replica, seat), replica.height


def _answered(replica: Replica, waiting: dict[int, tuple[Turn, int]]) -> Iterator[Decided]:
    """The waiting turns whose actions everybody has seen by now."""
    events = replica.play.events
    for seat, (turn, height) in list(waiting.items()):
        if len(events) > turn.entry:
            del waiting[seat]
            match events[turn.entry]:
                case _, Chosen(action):
                    yield Decided(turn, action, height)
                case Secret(players), Opened(actions):
                    yield Decided(turn, actions[players.index(seat)], height)


def faces_seen(record: GameRecord, keys: Mapping[int, int]) -> Iterator[list[Face]]:
    """What those seats together knew of every card: at the start, and after every event."""
    replica = Replica(record.roster, opened=keys)
    yield replica.play.table.face[:]
    count = 0
    for _ in hear(record, replica, verify=False):
        if len(replica.play.events) > count:
            count = len(replica.play.events)
            assert replica.play.dealing is not None, "there are keys before the first event"
            yield replica.play.dealing.eyes[:]
