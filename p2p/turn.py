"""What somebody without a screen needs to decide, at the table and when it is looked at again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.game import Game
from core.imagine import blindfold
from core.table import Eyes, Table
from p2p.roster import Mind

if TYPE_CHECKING:
    from p2p.replica import Replica


@dataclass(frozen=True, slots=True)
class Turn:
    """One open choice of one seat; copies, so that whoever decides may take its time."""

    game: Game
    table: Table
    eyes: Eyes
    seat: int
    entry: int  # Engine events so far.
    seed: int = 0  # For whoever needs chance; nobody could foretell or choose it.
    mind: Mind | None = None  # What a bot in this seat is bound to.


def turn_of(replica: Replica, seat: int) -> Turn:
    """The open choice of a seat whose key the replica knows."""
    play, dealing = replica.play, replica.play.dealing
    assert dealing is not None and seat in dealing.secrets, "this seat's cards can be read"
    table = play.table.copy()
    eyes = blindfold(table, dealing.eyes, seat)
    seed, mind = play.decision_seed(seat), replica.seating.mind_of(seat)
    return Turn(play.game, table, eyes, seat, len(play.events), seed, mind)
