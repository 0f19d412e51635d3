"""Peers that are honest but for one thing: every kind of cheater that we know."""

from __future__ import annotations

from tests.simulation.cheaters import bodies, bots, links, losses, places, silence
from tests.simulation.cheaters.kinds import CHEATERS, Kind, Outcome

__all__ = ["CHEATERS", "Kind", "Outcome", "bodies", "bots", "links", "losses", "places", "silence"]
