"""What somebody without a screen needs to decide, at the table and when it is looked at again."""

from __future__ import annotations

from dataclasses import dataclass

from core.game import Game
from core.table import Observation, Table
from p2p.base.roster import Mind


@dataclass(frozen=True, slots=True)
class Turn:
    """One open choice of one seat; copies, so that whoever decides may take its time."""

    game: Game
    table: Table
    observation: Observation
    seat: int
    entry: int  # Engine events so far.
    seed: int = 0  # For whoever needs chance; nobody could foretell or choose it.
    mind: Mind | None = None  # What a bot in this seat is bound to.
