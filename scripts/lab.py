#!/usr/bin/env python3
"""Long evidence, each with a name: `python3 scripts/lab.py NAME [...]`; alone it lists them.

They take minutes to hours, and are no part of `check.py`.  Those that make machines out of network
namespaces need Linux and root.
"""

from __future__ import annotations

import os
import sys

# The folder of a script is not searched when PYTHONSAFEPATH is set.  A process that this one starts
# reads this file as well, and has our path already, with what is compiled at its front.
if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from scripts import runner

# Much faster that way.
COMPILED = (
    "ablation",
    "bot_evidence",
    "bot_times",
    "civilization_foresight",
    "civilization_victories",
    "engines_dominion",
    "evolve_dominion",
    "forged_bots",
    "learn_dominion",
    "learn_civilization",
    "learn_evaluation",
    "strength",
    "told",
    "unknown_games",
)

if __name__ == "__main__":
    sys.exit(runner.run("lab", sys.argv[1:], COMPILED))
