"""`arena GAME`: tournaments between bots, with confidence intervals."""

from __future__ import annotations

import argparse

from ai.arena import arena
from core.table import RulesError


def run(args: argparse.Namespace) -> int:
    """Play, count, tell."""
    seed = getattr(args, "seed", "0")
    if not seed.isdigit():
        raise RulesError(f"a seed is a whole number, not {seed[:40]!r}")
    return arena(args.game, args.players.split(","), args.games, int(seed), args.json)
