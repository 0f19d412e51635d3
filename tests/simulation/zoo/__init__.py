"""Peers that are honest but for one thing: every kind of cheater that we know."""

from __future__ import annotations

from tests.simulation.zoo import bodies, links, losses, places, silence
from tests.simulation.zoo.kinds import ZOO, Kind, Outcome

__all__ = ["ZOO", "Kind", "Outcome", "bodies", "links", "losses", "places", "silence"]
